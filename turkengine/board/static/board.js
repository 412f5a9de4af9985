// A board as SVG, from the geometry that the server sends. One square is 40 units wide.
//
// `Board` is played on: taps, drags and a keyboard cursor; it knows no rules, only what it is given to mark.
// `miniature` is a small one to look at, for pages with many.

import { svg } from './dom.js';
import { say } from './words.js';

const UNIT = 40;
const MARGIN = 16; // for letters and numbers along the edge
const CROWN = 'M-9 6 L-11 -6 L-5 0 L0 -9 L5 0 L11 -6 L9 6 Z';
const DRAG = 7; // pixels before a press becomes a drag
const FORGIVEN = 0.95; // squares from the middle of a marked one in which a tap that hit nothing counts for it
const STEP = 190; // ms for each jump

const LAYERS = ['ground', 'last', 'names', 'targets', 'pieces', 'arrows', 'rings', 'moving'];

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Where squares are in a drawing. */
class Geometry {
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

const at = ([x, y]) => `translate(${x} ${y})`;

function piece(letter) {
  const side = letter.toLowerCase();
  const king = letter !== side;
  return [
    svg('circle', { class: 'pc-shadow', cy: 2, r: 16 }),
    svg('circle', { class: `pc-${side}`, r: 16 }),
    svg('circle', { class: `pc-ring-${side}`, r: king ? 13.5 : 10.5 }),
    king && svg('path', { class: `pc-crown-${side}`, d: CROWN }),
  ];
}

function ground(geometry) {
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

function names(geometry) {
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

const ring = (geometry, square, kind) =>
  svg('circle', { class: `ring arrow-${kind}`, r: 17, transform: at(geometry.middle(square)) });

const numbers = (point) => point.map((n) => n.toFixed(1)).join(' ');

/** Arrows with their labels, each label where fewest of the others pass. */
function arrowShapes(geometry, arrows) {
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

const mark = (kind, [x, y]) => svg('rect', { class: kind, x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });

/**
 * A board that is played on.
 *
 * `onTap(square)`: a square was tapped, clicked, or chosen with Enter or Space. `onMove(from, to)`: a piece was dragged.
 * `onOther(event)`: a key that the board itself has no use for.
 */
export class Board {
  constructor(variant, { onTap = () => {}, onMove = () => {}, onKey = () => {}, label = '' } = {}) {
    Object.assign(this, { variant, onTap, onMove, onKey });
    this.flipped = false;
    this.cells = 'e'.repeat(variant.squares.length);
    this.marked = { selected: null, targets: [], movable: [], last: [], rings: [], check: [] };
    this.drawn = [];
    this.cursor = null;
    this.byPlace = new Map(variant.squares.map(({ file, rank }, square) => [`${file} ${rank}`, square]));
    this.layers = {};
    for (const name of [...LAYERS, 'squares']) {
      this.layers[name] = svg('g', { class: `layer-${name}` });
    }
    for (const name of LAYERS) {
      this.layers[name].setAttribute('aria-hidden', 'true');
    }
    this.element = svg(
      'svg',
      {
        class: 'board play',
        role: 'grid',
        'aria-label': label || say('board.label'),
        'aria-rowcount': variant.ranks,
        'aria-colcount': variant.files,
      },
      Object.values(this.layers),
    );
    this.layers.squares.setAttribute('role', 'presentation');
    this.pieces = new Map();
    this.element.addEventListener('pointerdown', (event) => this.press(event));
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.element.addEventListener('focusin', (event) => this.focused(event));
    this.draw();
  }

  /** With Black at the bottom, or not. */
  flip(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    this.draw();
  }

  /** Show a position. With `move` (its path and captured squares) the piece travels there from what is shown now. */
  show(cells, move = null) {
    const before = this.cells;
    this.cells = cells;
    this.finish?.();
    const moves = move?.path?.length > 1 && before[move.path[0]] !== 'e' && before !== cells && !still() && !document.hidden;
    if (moves) this.travel(before, move);
    else this.place();
    this.name();
  }

  /**
   * What is marked: `selected` square, `targets` to go to, `movable` pieces, squares of the `last` move, `rings` around
   * captured pieces, `ghosts`: captured pieces that are still there while a capture is chosen, `at`: where the moving piece
   * is shown meanwhile.
   */
  mark(marked) {
    const { at: place, ...rest } = { selected: null, targets: [], movable: [], last: [], rings: [], ...marked };
    this.marked = rest;
    const middle = (square) => this.geometry.middle(square);
    const last = rest.last.map((square) => mark('sq-last', middle(square)));
    if (rest.selected !== null) last.push(mark('sq-selected', middle(rest.selected)));
    this.layers.last.replaceChildren(...last);
    this.layers.targets.replaceChildren(
      ...rest.movable.map((square) => svg('circle', { class: 'can-move', r: 17.5, transform: at(middle(square)) })),
      ...rest.targets.map((square) =>
        this.cells[square] === 'e' || square === place
          ? svg('circle', { class: 'target', r: 7, transform: at(middle(square)) })
          : svg('circle', { class: 'target-ring', r: 18, transform: at(middle(square)) }),
      ),
    );
    this.ringed = rest.rings;
    this.drawRings();
    if (this.shifted !== undefined && this.shifted !== rest.selected) this.putBack();
    if (place !== undefined && place !== null && rest.selected !== null && place !== rest.selected) {
      this.pieces.get(rest.selected)?.setAttribute('transform', at(middle(place)));
      this.shifted = rest.selected;
    } else this.putBack();
    this.name();
  }

  putBack() {
    if (this.shifted === undefined) return;
    this.pieces.get(this.shifted)?.setAttribute('transform', at(this.geometry.middle(this.shifted)));
    this.shifted = undefined;
  }

  /**
   * Arrows: `{path, captured, text, kind, strong}`; kind is `choice`, `choice1` to
   * `choice3`, `suggestion`, `line`, `threat`, `good` or `bad`; it gives the colour.
   */
  arrows(arrows) {
    this.drawn = arrows;
    this.layers.arrows.replaceChildren(...arrowShapes(this.geometry, arrows));
    this.drawRings();
  }

  drawRings() {
    const rings = new Map((this.ringed ?? []).map((square) => [square, 'choice']));
    for (const { captured, kind } of this.drawn) for (const square of captured ?? []) rings.set(square, kind);
    this.layers.rings.replaceChildren(...[...rings].map(([square, kind]) => ring(this.geometry, square, kind)));
  }

  /** Where focus is, or would be. */
  focus(square = this.cursor ?? 0) {
    this.setCursor(square);
    this.cellAt.get(square)?.focus({ preventScroll: true });
  }

  // Drawing.

  draw() {
    this.geometry = new Geometry(this.variant, this.flipped, true);
    const { width, height } = this.geometry;
    this.element.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.layers.ground.replaceChildren(...ground(this.geometry));
    this.layers.names.replaceChildren(...names(this.geometry));
    this.place();
    const focused = this.element.contains(document.activeElement);
    this.drawSquares();
    this.mark(this.marked);
    this.arrows(this.drawn);
    if (focused) this.focus();
  }

  drawSquares() {
    const { files, ranks } = this.variant;
    this.cellAt = new Map();
    const rows = [];
    for (let down = 0; down < ranks; down++) {
      const row = svg('g', { role: 'row', 'aria-rowindex': down + 1 });
      for (let across = 0; across < files; across++) {
        const square = this.byPlace.get(this.flipped ? `${files - 1 - across} ${down}` : `${across} ${ranks - 1 - down}`);
        if (square === undefined) continue;
        const cell = mark('cell', this.geometry.middle(square));
        const attributes = { role: 'gridcell', tabindex: -1, 'aria-colindex': across + 1, 'data-square': square };
        for (const [name, value] of Object.entries(attributes)) cell.setAttribute(name, value);
        this.cellAt.set(square, cell);
        row.append(cell);
      }
      rows.push(row);
    }
    this.layers.squares.replaceChildren(...rows);
    this.setCursor(this.cursor ?? Number(rows[rows.length - 1].firstChild.getAttribute('data-square')));
    this.name();
  }

  place() {
    this.pieces = new Map();
    this.shifted = undefined;
    [...this.cells].forEach((letter, square) => {
      if (letter === 'e') return;
      const drawing = svg('g', { class: 'piece', transform: at(this.geometry.middle(square)) }, piece(letter).filter(Boolean));
      this.pieces.set(square, drawing);
    });
    this.layers.pieces.replaceChildren(...this.pieces.values());
    this.layers.moving.replaceChildren();
  }

  travel(before, move) {
    const moving = this.pieces.get(move.path[0]);
    if (!moving) return void this.place();
    this.putBack();
    const points = move.path.map((square) => this.geometry.middle(square));
    this.layers.moving.append(moving);
    const duration = Math.min(STEP * (points.length - 1), 900) + 40;
    const running = moving.animate(
      points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })),
      { duration, easing: points.length > 2 ? 'linear' : 'ease-in-out', fill: 'forwards' },
    );
    for (const square of move.captured ?? []) this.pieces.get(square)?.classList.add('going');
    const finish = () => {
      if (this.finish !== finish) return;
      this.finish = null;
      running.cancel();
      this.place();
    };
    this.finish = finish;
    running.onfinish = finish;
    setTimeout(finish, duration + 300); // where the page is hidden nothing is animated, and nothing finishes
  }

  /** Names of the squares for those who hear them. */
  name() {
    if (!this.cellAt) return;
    const { selected, targets, rings } = this.marked;
    for (const [square, cell] of this.cellAt) {
      const parts = [this.variant.squares[square].name];
      if (this.cells[square] !== 'e') parts.push(say(`board.${this.cells[square] === this.cells[square].toLowerCase() ? 'man' : 'king'}-${this.cells[square].toLowerCase()}`));
      if (square === selected) parts.push(say('board.selected'));
      if (targets.includes(square)) parts.push(say('board.target'));
      if (rings.includes(square)) parts.push(say('board.captured'));
      cell.setAttribute('aria-label', parts.join(', '));
      cell.setAttribute('aria-selected', String(square === selected));
    }
  }

  // Pointers.

  /** The square of a point on the screen; where several are near, one that is marked. */
  squareAt(x, y, wanted) {
    const box = this.element.getBoundingClientRect();
    const scale = this.geometry.width / box.width;
    const [px, py] = [(x - box.left) * scale, (y - box.top) * scale];
    let exact = null;
    let near = null;
    let nearest = FORGIVEN * UNIT;
    for (const square of this.variant.squares.keys()) {
      const [mx, my] = this.geometry.middle(square);
      const [dx, dy] = [Math.abs(px - mx), Math.abs(py - my)];
      if (dx <= UNIT / 2 && dy <= UNIT / 2) exact = square;
      const distance = Math.hypot(dx, dy);
      if (wanted.has(square) && distance < nearest) [near, nearest] = [square, distance];
    }
    if (exact !== null && (wanted.has(exact) || this.cells[exact] !== 'e')) return exact;
    return near ?? exact;
  }

  hot() {
    const { targets, movable, selected } = this.marked;
    return new Set([...targets, ...movable, ...(selected === null ? [] : [selected])]);
  }

  press(event) {
    if (event.button || !event.isPrimary) return;
    const hot = this.hot();
    const square = this.squareAt(event.clientX, event.clientY, hot);
    if (square === null) return;
    event.preventDefault();
    this.setCursor(square);
    this.cellAt.get(square).focus({ preventScroll: true, focusVisible: false });
    const drawing = this.cells[square] !== 'e' ? this.pieces.get(square) : null;
    const origin = [event.clientX, event.clientY];
    let dragging = false;
    const { signal, stop } = stopper();
    const box = this.element.getBoundingClientRect();
    const scale = this.geometry.width / box.width;
    this.element.setPointerCapture?.(event.pointerId);
    const moved = (now) => {
      if (now.pointerId !== event.pointerId) return;
      if (!dragging && (!drawing || Math.hypot(now.clientX - origin[0], now.clientY - origin[1]) < DRAG)) return;
      if (!dragging) {
        dragging = true;
        this.finish?.();
        this.onMove(square, null);
        this.layers.moving.append(this.pieces.get(square) ?? drawing);
        this.element.classList.add('dragging');
      }
      const place = [(now.clientX - box.left) * scale, (now.clientY - box.top) * scale];
      this.pieces.get(square)?.setAttribute('transform', at(place));
    };
    const released = (now) => {
      if (now.pointerId !== event.pointerId) return;
      stop();
      this.element.classList.remove('dragging');
      if (!dragging) {
        if (now.type === 'pointerup') this.onTap(square);
        return;
      }
      const target = now.type === 'pointerup' ? this.squareAt(now.clientX, now.clientY, new Set(this.marked.targets)) : null;
      const inside = now.clientX > box.left && now.clientX < box.right && now.clientY > box.top && now.clientY < box.bottom;
      this.place();
      this.mark(this.marked);
      if (inside && target !== null && target !== square) this.onMove(square, target);
    };
    this.element.addEventListener('pointermove', moved, { signal });
    this.element.addEventListener('pointerup', released, { signal });
    this.element.addEventListener('pointercancel', released, { signal });
  }

  // Keyboard.

  setCursor(square) {
    if (this.cursor !== null) this.cellAt?.get(this.cursor)?.setAttribute('tabindex', '-1');
    this.cursor = square;
    this.cellAt?.get(square)?.setAttribute('tabindex', '0');
  }

  focused(event) {
    const square = event.target.getAttribute?.('data-square');
    if (square !== null && square !== undefined) this.setCursor(Number(square));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turned = this.flipped ? -1 : 1;
    const steps = { ArrowLeft: [-turned, 0], ArrowRight: [turned, 0], ArrowUp: [0, turned], ArrowDown: [0, -turned] };
    const step = steps[event.key];
    if (step) this.step(...step);
    else if (event.key === 'Home' || event.key === 'End') this.edge(event.key === 'Home' ? -turned : turned);
    else if (event.key === 'Enter' || event.key === ' ') this.onTap(this.cursor);
    else return void this.onKey(event);
    event.preventDefault();
  }

  step(dx, dy) {
    const { file, rank } = this.variant.squares[this.cursor];
    const has = (x, y) => this.byPlace.get(`${x} ${y}`);
    let found;
    if (dy) found = has(file, rank + dy) ?? has(file + (rank % 2 ? -1 : 1), rank + dy) ?? has(file + (rank % 2 ? 1 : -1), rank + dy);
    else found = has(file + dx, rank) ?? has(file + 2 * dx, rank);
    if (found !== undefined) this.focus(found);
  }

  edge(dx) {
    const { rank } = this.variant.squares[this.cursor];
    const row = this.variant.squares.map((place, square) => [place, square]).filter(([place]) => place.rank === rank);
    row.sort(([a], [b]) => dx * (b.file - a.file));
    this.focus(row[0][1]);
  }
}

function stopper() {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort() };
}
