// A position set up by hand: a board to put pieces on, whose move it is, and the same as text (FEN).

import { Board } from './board.js';
import { button, el, fill } from './dom.js';
import { say, sideName } from './words.js';

const PIECES = ['w', 'W', 'b', 'B', 'e'];

export class Setup {
  /** `changed(fen)` is called with each position. */
  constructor(changed) {
    this.changed = changed;
    this.chosen = 'w';
    this.place = el('div', { class: 'setup-board' });
    this.element = el('div', { class: 'setup' });
  }

  show(variant) {
    this.variant = variant;
    this.cells = [...variant.start];
    this.side = variant.begins ?? 'W';
    this.board = new Board(variant, { onTap: (square) => this.put(square), onMove: (from, to) => to !== null && this.move(from, to) });
    this.board.show(this.cells.join(''));
    fill(this.place, this.board.element);
    const pick = (piece) => button(say(`analysis.piece.${piece}`), () => this.pick(piece), { 'aria-pressed': String(piece === this.chosen), 'data-piece': piece });
    const side = (value) => button(say('analysis.to-move', { side: sideName(value) }), () => this.turn(value), { 'aria-pressed': String(value === this.side), 'data-side': value });
    fill(
      this.element,
      el('div', { class: 'row' }, PIECES.map(pick)),
      this.place,
      el('div', { class: 'row' }, side('W'), side('B'), button(say('analysis.empty'), () => this.all('e'.repeat(this.cells.length))), button(say('analysis.start'), () => this.all(variant.start))),
    );
  }

  pick(piece) {
    this.chosen = piece;
    for (const one of this.element.querySelectorAll('[data-piece]')) one.setAttribute('aria-pressed', one.dataset.piece === piece);
  }

  turn(side) {
    this.side = side;
    for (const one of this.element.querySelectorAll('[data-side]')) one.setAttribute('aria-pressed', one.dataset.side === side);
    this.tell();
  }

  put(square) {
    this.cells[square] = this.cells[square] === this.chosen ? 'e' : this.chosen;
    this.tell();
  }

  move(from, to) {
    [this.cells[to], this.cells[from]] = [this.cells[from], 'e'];
    this.tell();
  }

  all(cells) {
    this.cells = [...cells];
    this.tell();
  }

  tell() {
    this.board.show(this.cells.join(''));
    const of = (man) =>
      this.cells.flatMap((cell, square) => (cell.toLowerCase() === man ? [(cell === man ? '' : 'K') + this.variant.squares[square].name] : [])).join(',');
    this.changed(`${this.side}:W${of('w')}:B${of('b')}`);
  }
}
