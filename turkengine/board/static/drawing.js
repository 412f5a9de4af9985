// Boards as SVG, from the geometry that the server sends: squares, pieces, arrows. One square is 40 units wide.
//
// `miniature` is a whole small board to look at; what one plays on is made of the same parts by board.js.

import { svg } from './dom.js';
import { say } from './words.js';

export const UNIT = 40;
const MARGIN = 16; // for letters and numbers along the edge
const CROWN = 'M-9 6 L-11 -6 L-5 0 L0 -9 L5 0 L11 -6 L9 6 Z';

/** Where squares are in a drawing. */
export class Geometry {
  constructor(variant, flipped, names) {
    Object.assign(this, { variant, flipped });
    this.margin = names && !variant.numbered ? MARGIN : 0;
    this.width = variant.files * UNIT + this.margin;
    this.height = variant.ranks * UNIT + this.margin;
  }

  /** The middle of a square. */
  middle(square) {
    const { file, rank } = this.variant.squares[square];
    const { files, ranks } = this.variant;
    const [across, down] = this.flipped ? [files - 1 - file, rank] : [file, ranks - 1 - rank];
    return [this.margin + (across + 0.5) * UNIT, (down + 0.5) * UNIT];
  }
}

export const at = ([x, y]) => `translate(${x} ${y})`;

export function piece(letter) {
  const side = letter.toLowerCase();
  const king = letter !== side;
  return [
    svg('circle', { class: 'pc-shadow', cy: 2, r: 16 }),
    svg('circle', { class: `pc-${side}`, r: 16 }),
    svg('circle', { class: `pc-ring-${side}`, r: king ? 13.5 : 10.5 }),
    king && svg('path', { class: `pc-crown-${side}`, d: CROWN }),
  ];
}

export function ground(geometry) {
  const { variant, margin, width, height } = geometry;
  const parts = [svg('rect', { class: variant.dark_only ? 'sq-light' : 'sq-plain', x: margin, width: width - margin, height: height - margin })];
  if (variant.dark_only) {
    const half = UNIT / 2;
    const d = variant.squares.map((_, square) => {
      const [x, y] = geometry.middle(square);
      return `M${x - half} ${y - half}h${UNIT}v${UNIT}h-${UNIT}z`;
    });
    parts.push(svg('path', { class: 'sq-dark', d: d.join('') }));
  } else {
    const lines = [];
    for (let file = 1; file < variant.files; file++) lines.push(`M${margin + file * UNIT} 0v${height - margin}`);
    for (let rank = 1; rank < variant.ranks; rank++) lines.push(`M${margin} ${rank * UNIT}h${width - margin}`);
    parts.push(svg('path', { class: 'sq-lines', d: lines.join('') }));
  }
  return parts;
}

export function names(geometry) {
  const { variant, margin, height, flipped } = geometry;
  const parts = [];
  if (variant.numbered) {
    variant.squares.forEach(({ name }, square) => {
      const [x, y] = geometry.middle(square);
      parts.push(svg('text', { class: 'sq-number', x: x - 18.5, y: y - 12.5 }, name));
    });
    return parts;
  }
  for (let file = 0; file < variant.files; file++) {
    const name = String.fromCharCode(97 + (flipped ? variant.files - 1 - file : file));
    parts.push(svg('text', { class: 'sq-edge', x: margin + (file + 0.5) * UNIT, y: height - 4 }, name));
  }
  for (let rank = 0; rank < variant.ranks; rank++) {
    const name = String(flipped ? rank + 1 : variant.ranks - rank);
    parts.push(svg('text', { class: 'sq-edge', x: margin / 2 - 1, y: (rank + 0.5) * UNIT + 4 }, name));
  }
  return parts;
}

export const ring = (geometry, square, kind) =>
  svg('circle', { class: `ring arrow-${kind}`, r: 17, transform: at(geometry.middle(square)) });

const numbers = (point) => point.map((n) => n.toFixed(1)).join(' ');

/** Arrows with their labels, each label where fewest of the others pass. */
export function arrowShapes(geometry, arrows) {
  const taken = [];
  const lines = arrows.map(({ path }, place) => {
    const points = path.map((square) => geometry.middle(square));
    return path.length > 2 ? spread(points, place) : points;
  });
  return arrows.map(({ text, kind = 'line', weight = 1 }, place) => {
    const points = lines[place];
    const [x, y] = points[points.length - 1];
    const [px, py] = points[points.length - 2] ?? [x, y];
    const length = Math.hypot(x - px, y - py) || 1;
    const [ux, uy] = [(x - px) / length, (y - py) / length];
    const tip = [x - ux * 3, y - uy * 3];
    const end = [tip[0] - ux * 13, tip[1] - uy * 13];
    const wings = [tip, [end[0] - uy * 8, end[1] + ux * 8], [end[0] + uy * 8, end[1] - ux * 8]];
    return svg(
      'g',
      { class: `arrow arrow-${kind}` },
      svg('path', { d: `M${[...points.slice(0, -1), end].map(numbers).join('L')}`, 'stroke-width': 4 + 3 * Math.min(1, weight) }),
      svg('polygon', { points: wings.map(numbers).join(' ') }),
      text && label(labelPlace(points, lines, place, taken), text),
    );
  });
}

function label(place, text) {
  const width = 9 + 7 * text.length;
  return svg(
    'g',
    { transform: at(place), class: 'arrow-label' },
    svg('rect', { x: -width / 2, y: -9, width, height: 18, rx: 9 }),
    svg('text', { y: 4.5 }, text),
  );
}

function labelPlace(points, lines, own, taken) {
  const [[x, y], [tx, ty]] = points;
  if (points.length === 2 && Math.hypot(tx - x, ty - y) < 1.6 * UNIT) return [x + (tx - x) * 0.08, y + (ty - y) * 0.08]; // else it hides the arrow
  const places = points.slice(1).map(([x, y], n) => [(x + points[n][0]) / 2, (y + points[n][1]) / 2]);
  if (points.length > 2) places.push(...points.slice(1, -1));
  const distance = (place, others) => Math.min(...others.map(([x, y]) => Math.hypot(x - place[0], y - place[1])), 3 * UNIT);
  const others = lines.filter((_, n) => n !== own).flatMap((line) => line.slice(1).flatMap(([x, y], n) => [0, 0.25, 0.5, 0.75, 1].map((t) => [x + (line[n][0] - x) * t, y + (line[n][1] - y) * t])));
  const worth = (place) => Math.min(distance(place, others), 20) + 2 * Math.min(distance(place, taken), 24);
  const best = places.reduce((a, b) => (worth(b) > worth(a) ? b : a));
  taken.push(best);
  return best;
}

/** Lines of several arrows over the same squares beside each other. */
function spread(points, place) {
  const shift = ((place % 4) - 1.5) * 3;
  return points.map(([x, y], n) => (n && n < points.length - 1 ? [x + shift, y + shift] : [x, y]));
}

/** A small board to look at, with arrows as of a Board; `update(cells, last)` shows another position. */
export function miniature(variant, cells, { flipped = false, last = [], arrows = [], label: name = '' } = {}) {
  const geometry = new Geometry(variant, flipped, false);
  const marks = svg('g', {});
  const pieces = svg('g', {});
  const drawing = svg(
    'svg',
    { class: 'board small', viewBox: `0 0 ${geometry.width} ${geometry.height}`, role: 'img', 'aria-label': name || say('board.label') },
    ground(geometry),
    marks,
    pieces,
    arrowShapes(geometry, arrows),
    arrows.flatMap(({ captured, kind }) => captured.map((square) => ring(geometry, square, kind))),
  );
  drawing.update = (now, squares = []) => {
    marks.replaceChildren(...squares.map((square) => mark('sq-last', geometry.middle(square))));
    const there = [...now].map((letter, square) => letter !== 'e' && svg('g', { transform: at(geometry.middle(square)) }, piece(letter)));
    pieces.replaceChildren(...there.filter(Boolean));
  };
  drawing.update(cells, last);
  return drawing;
}

export const mark = (kind, [x, y]) => svg('rect', { class: kind, x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });
