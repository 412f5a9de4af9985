// What the engine thinks of a place: its lines, from White's view, and the chances of each side.

import { button, el, fill } from './dom.js';
import { say } from './words.js';

const MOST_LINES = 5;
const MOST_MOVES = 12; // of a line

export class Lines {
  /** `wanted()` is called when something else is to be searched, `play(node, moves)` when a move of a line is chosen. */
  constructor(wanted, play) {
    Object.assign(this, { wanted, play, on: false, threat: false, locked: false, number: 1 });
    const toggle = (name) =>
      button(say(`analysis.${name}`), (event) => {
        const field = { engine: 'on', threat: 'threat', lock: 'locked' }[name];
        this[field] = !this[field];
        event.currentTarget.setAttribute('aria-pressed', this[field]);
        this.wanted();
      }, { 'aria-pressed': 'false' });
    const number = el(
      'select',
      { 'aria-label': say('analysis.lines'), onchange: (event) => ((this.number = Number(event.target.value)), this.wanted()) },
      Array.from({ length: MOST_LINES }, (_, n) => el('option', { value: n + 1 }, n + 1)),
    );
    this.depth = el('span', { class: 'quiet' });
    this.list = el('ol', { class: 'lines', 'aria-label': say('analysis.lines') });
    this.bar = el('div', { class: 'chances', role: 'img' }, el('span', { class: 'w' }), el('span', { class: 'd' }), el('span', { class: 'b' }));
    this.element = el('div', { class: 'card engine' }, el('div', { class: 'row' }, toggle('engine'), number, toggle('threat'), toggle('lock')), this.depth, this.bar, this.list);
  }

  clear() {
    this.found = null;
    fill(this.list);
    fill(this.depth, this.on ? say('analysis.thinking') : say('analysis.off'));
    this.chances(null);
  }

  show(found) {
    this.found = found;
    fill(this.depth, say('analysis.depth', { depth: found.depth, thousands: Math.round(found.nodes / 1000) }));
    this.chances(found.lines[0]?.chances ?? null);
    fill(
      this.list,
      found.lines.map((line) =>
        el(
          'li',
          {},
          el('b', {}, line.text),
          line.moves.slice(0, MOST_MOVES).map((move, n) =>
            button(move, () => this.play(found.node, line.moves.slice(0, n + 1)), { class: 'plain', disabled: this.threat }),
          ),
        ),
      ),
    );
  }

  chances(values) {
    this.bar.hidden = !values;
    if (!values) return;
    [...this.bar.children].forEach((part, n) => (part.style.flexGrow = values[n]));
    const [white, draw, black] = values.map((value) => Math.round(100 * value));
    this.bar.setAttribute('aria-label', say('analysis.chances', { white, draw, black }));
  }

  /** Arrows for the board: the first move of each line, with its score. */
  arrows(node) {
    if (!this.found || this.found.node !== node) return [];
    return this.found.lines.map((line, n) => ({ path: line.path, captured: line.captured, text: line.text, kind: n ? 'suggestion' : 'good' }));
  }
}
