// The moves of a game, and the way through them. What one reads stays where it is, whatever is played meanwhile.

import { ICONS, el, iconButton } from './dom.js';
import { say } from './words.js';

export class Scoresheet {
  /** `went(ply)` is called with the ply to be shown, null for the last one, which goes along with the game. */
  constructor(went) {
    this.went = went;
    this.list = el('ol', { class: 'moves', 'aria-label': say('moves.label'), tabindex: 0 });
    const step = (name, icon, to) => iconButton(ICONS[icon], say(`moves.${name}`), () => this.go(to()));
    this.nav = el(
      'div',
      { class: 'walk', role: 'group', 'aria-label': say('moves.walk') },
      step('first', 'first', () => 0),
      step('back', 'back', () => this.ply - 1),
      step('next', 'next', () => this.ply + 1),
      step('last', 'last', () => this.count),
    );
    this.count = 0;
    this.ply = 0;
    this.firstSide = 'W';
    this.drawn = [];
  }

  go(ply) {
    const to = Math.max(0, Math.min(ply, this.count));
    this.went(to === this.count ? null : to);
  }

  /** Keys that walk, from wherever they come; true where the key was one. */
  key(event) {
    const to = { ArrowLeft: this.ply - 1, PageUp: this.ply - 1, ArrowRight: this.ply + 1, PageDown: this.ply + 1, Home: 0, End: this.count }[event.key];
    if (to === undefined) return false;
    this.go(to);
    return true;
  }

  show(moves, ply, firstSide, incidents) {
    this.count = moves.length;
    this.ply = ply;
    const same = this.drawn.length <= moves.length && this.drawn.every((move, n) => move.text === moves[n].text) && firstSide === this.firstSide;
    const noted = incidents.length === this.noted;
    if (!same || !noted) {
      this.list.replaceChildren();
      this.drawn = [];
    }
    this.noted = incidents.length;
    this.firstSide = firstSide;
    const shift = firstSide === 'B' ? 1 : 0;
    for (const move of moves.slice(this.drawn.length)) {
      const place = move.ply - 1 + shift;
      if (place % 2 === 0 || move.ply === 1) this.list.append(this.row(Math.floor(place / 2) + 1, place % 2));
      const about = incidents.filter((incident) => incident.ply === move.ply);
      const name = move.text + (about.length ? ' !' : '');
      this.list.lastChild.append(
        el('button', { type: 'button', 'data-ply': move.ply, title: about.map((one) => one.text).join(' ') || null, onclick: () => this.go(move.ply) }, name),
      );
    }
    this.drawn = [...moves];
    for (const button of this.list.querySelectorAll('button')) {
      const here = Number(button.dataset.ply) === ply;
      button.toggleAttribute('data-here', here);
      if (here) {
        button.setAttribute('aria-current', 'step');
        this.reveal(button);
      } else button.removeAttribute('aria-current');
    }
    if (!ply) this.list.scrollTop = 0;
    const [first, back, next, last] = this.nav.children;
    first.disabled = back.disabled = ply === 0;
    next.disabled = last.disabled = ply === moves.length;
  }

  row(number, half) {
    return el('li', {}, el('span', { class: 'number' }, `${number}.`), half === 1 && el('span', { class: 'gap' }, '…'));
  }

  /** Scroll the list, never the page. */
  reveal(button) {
    const row = button.parentElement;
    const [top, bottom] = [row.offsetTop - this.list.offsetTop, row.offsetTop - this.list.offsetTop + row.offsetHeight];
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (bottom > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = bottom - this.list.clientHeight;
  }
}
