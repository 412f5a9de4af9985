// A board that is played on: taps, drags, a keyboard cursor. It knows no rules, only what it is given to mark.

import { svg } from './dom.js';
import { Geometry, UNIT, arrowShapes, at, ground, mark, names, piece, ring } from './drawing.js';
import { say } from './words.js';

const DRAG = 7; // pixels before a press becomes a drag
const FORGIVEN = 0.95; // squares from the middle of a marked one in which a tap that hit nothing counts for it
const STEP = 190; // ms for each jump
const LAYERS = ['ground', 'last', 'names', 'targets', 'pieces', 'arrows', 'rings', 'moving'];

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

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
