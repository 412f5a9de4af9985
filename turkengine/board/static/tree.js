// A tree of moves as people write it: the main line, and each variation in brackets of its own.

import { el } from './dom.js';
import { say } from './words.js';

export const MARKS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□' };

export class TreeView {
  /** `went(node)` is called with the place to be shown. */
  constructor(went) {
    this.went = went;
    this.element = el('div', { class: 'tree', role: 'group', 'aria-label': say('moves.label'), tabindex: 0 });
  }

  show(nodes, at) {
    this.nodes = nodes;
    this.shift = nodes.get(0).side === 'B' ? 1 : 0;
    this.element.replaceChildren(this.comment(nodes.get(0)), ...this.line(nodes.get(0), true));
    this.at(at);
  }

  at(node) {
    for (const button of this.element.querySelectorAll('button')) {
      const here = Number(button.dataset.node) === node;
      button.toggleAttribute('data-here', here);
      if (here) button.scrollIntoView({ block: 'nearest' });
    }
  }

  /** The moves after a place: the first child of each goes on, the others are variations. */
  line(from, numbered) {
    const shown = [];
    for (let node = from, shows = numbered; node; shows = false) {
      const [main, ...others] = node.children.map((id) => this.nodes.get(id)).filter(Boolean); // one may still be under way
      if (!main) break;
      node = main;
      shown.push(this.move(main, shows || this.interrupted), this.comment(main));
      this.interrupted = Boolean(main.comment) || others.length > 0;
      for (const other of others) {
        this.interrupted = false;
        shown.push(el('div', { class: 'variation' }, this.move(other, true), this.comment(other), this.line(other, false)));
        this.interrupted = true;
      }
    }
    this.interrupted = false;
    return shown;
  }

  move(node, numbered) {
    const place = node.ply - 1 + this.shift;
    const number = place % 2 === 0 ? `${place / 2 + 1}. ` : numbered ? `${(place - 1) / 2 + 1}… ` : '';
    const marks = node.nags.map((nag) => MARKS[nag] ?? `$${nag}`).join('');
    return el('button', { type: 'button', class: 'plain', 'data-node': node.id, onclick: () => this.went(node.id) }, `${number}${node.move}${marks}`);
  }

  comment(node) {
    const text = node.comment.replace(/\[%[^\]]*\]/g, '').trim(); // what programs say in comments is shown otherwise
    return text ? el('span', { class: 'comment' }, text) : '';
  }
}
