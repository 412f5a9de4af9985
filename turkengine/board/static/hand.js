// What a hand does on the board of a game: pieces taken up, squares tapped on the way, the move that is under way to the server.

import { refusalText, speak, toast } from './shell.js';
import { after, isChoice, jumped, offered, possible, tap, targets } from './tapping.js';
import { say } from './words.js';

const MOST_CHOICES = 4; // arrows of captures at once, each in its colour

export class Hand {
  /**
   * Attributes: `taps` so far, `early` ones before the last move was answered, the `pending` move, the moves that are `left`
   * by these taps, those `offered` by name, the one `pointed` at, the one `suggested`, whether movable pieces are `hinted`.
   */
  constructor(game) {
    Object.assign(this, { game, taps: [], early: [], pending: null, left: [], offered: [] });
  }

  clear() {
    this.taps = [];
    this.early = [];
    this.pending = null;
  }

  drop() {
    this.taps = [];
    this.game.render();
  }

  /** What the board marks. */
  marks(live) {
    const { game, taps, pending } = this;
    const { now, role } = game;
    this.left = live && role !== 'wait' ? possible(now.legal, taps) : [];
    this.offered = this.choosing() ? offered(this.left, taps) : [];
    const movable = live && !taps.length && role === 'move' && !pending && this.hinted;
    const rest = { movable: movable ? [...new Set(now.legal.map(({ from }) => from))] : [] };
    if (!live || !taps.length || !(this.left.length || role === 'wait')) return rest;
    const place = pending ? pending.choice.to : taps.length > 1 ? taps[taps.length - 1] : null;
    return { ...rest, selected: taps[0], targets: pending ? [] : targets(this.left), rings: jumped(this.left, game.game.variant), at: place };
  }

  choosing() {
    return isChoice(this.left, this.taps, this.game.now.complete);
  }

  /** The arrows of the captures that are offered; of many, only of the one that is pointed at. */
  choiceArrows() {
    const arrows = this.offered.map((choice, n) => this.choiceArrow(choice, n));
    const shown = this.pointed === undefined ? arrows : arrows.filter((_, n) => this.offered[n].move === this.pointed);
    return shown.length > MOST_CHOICES ? [] : shown;
  }

  choiceArrow({ ways, captured }, n) {
    return { path: ways[0][0], captured, text: String(n + 1), kind: `choice${n % MOST_CHOICES || ''}` };
  }

  /** A move that was under way when the connection was lost is sent once more; the server takes it only once. */
  sendAgain() {
    const pending = this.pending;
    this.pending = null;
    this.early = [];
    if (pending && pending.ply === this.game.now.ply && this.game.seats.includes(this.game.now.side)) this.send(pending.choice);
  }

  kept() {
    const [piece] = this.taps;
    if (piece === undefined) return [];
    if (this.game.role === 'wait') return this.game.seats.some((side) => this.game.now.cells[piece].toUpperCase() === side) ? [piece] : [];
    return this.game.now.legal.some(({ from }) => from === piece) ? [piece] : [];
  }

  tapped(square, dragged = false) {
    if (this.game.view !== null) return void this.game.finishWalk(null);
    if (this.pending) return void this.early.push(square);
    this.pointed = undefined;
    const cells = this.game.cells();
    const own = this.game.seats.some((side) => cells[square].toUpperCase() === side) && cells[square] !== 'e';
    if (this.game.role === 'wait') {
      this.taps = own && !this.game.now.ending && this.taps[0] !== square ? [square] : [];
      return void this.game.render();
    }
    const found = tap(this.game.now.legal, this.taps, square, { cells, side: this.game.now.side, incomplete: !this.game.now.complete });
    if (found.play) return void this.send(found.play, dragged);
    if (found.wrong) return void this.attempt(...found.wrong);
    if (found.stuck !== undefined) this.explain();
    else this.hinted = false;
    const many = this.taps.length;
    this.taps = found.taps ?? [];
    this.game.render();
    if (this.choosing() && this.taps.length >= many) speak(this.game.status.text());
  }

  moved(from, to) {
    if (this.game.view !== null || this.pending) return;
    if (this.taps[0] !== from) {
      this.taps = [];
      this.tapped(from);
    }
    if (to !== null && this.taps.length) this.tapped(to, true);
  }

  /** A piece that has no move was taken: say why, and show those that have. */
  explain() {
    this.hinted = true;
    const must = this.game.now.legal.some(({ captured }) => captured.length);
    toast(say(must ? 'game.must-capture' : 'game.cannot-move'));
  }

  /** A step against the rules: explained at once, or, where it would be noted, only if it is meant. */
  attempt(from, to) {
    const name = (square) => this.game.game.variant.squares[square].name;
    const move = `${name(from)}-${name(to)}`;
    const send = () => this.game.line.send(this.game.role === 'suggest' ? 'suggest' : 'move', { ply: this.game.now.ply, move }).catch((error) => this.refused(error));
    if (this.game.game.irregular === 'refuse' || this.game.role === 'suggest') send();
    else this.game.tools.sure('irregular', send);
  }

  async send(choice, dragged = false) {
    const { ply } = this.game.now;
    if (this.game.role === 'suggest') {
      this.taps = [];
      this.suggested = { ply, move: choice.move };
      this.game.render();
      await this.game.line.send('suggest', { ply, move: choice.move }).catch((error) => this.refused(error));
      return;
    }
    this.pending = { ply, choice, dragged };
    if (!this.taps.length) this.taps = [choice.from];
    if (dragged) this.game.board.show(after(this.game.cells(), choice));
    this.game.render();
    try {
      await this.game.line.send('move', { ply, move: choice.move });
    } catch (error) {
      if (error.code !== 'offline') this.refused(error); // else it is sent again on reconnecting
    }
  }

  refused(error) {
    this.pending = null;
    this.early = [];
    this.taps = [];
    this.game.board.show(this.game.cells());
    this.game.render();
    toast(refusalText(error), 'bad');
  }
}
