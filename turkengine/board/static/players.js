// Who plays: the two bars beside the board with names, pieces and clocks, and how players are called.

import { el, fill, svg } from './dom.js';
import { say, sideName } from './words.js';

const LOW = 20; // s; from here on a clock shows tenths

/** What a player is called. */
export function playerName({ name, kind, level }, side) {
  if (kind === 'engine') return say('player.engine', { level });
  return name || sideName(side);
}

/** The same from a list of games, where only the name is known. */
export function listedName(name, side) {
  const engine = /^turkengine, level (\d+)$/.exec(name);
  return engine ? say('player.engine', { level: engine[1] }) : name || sideName(side);
}

/** Seconds as a clock shows them. */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < LOW) return left.toFixed(1);
  const whole = Math.ceil(left);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n) => String(n).padStart(2, '0');
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** One bar. */
export class PlayerBar {
  constructor() {
    this.name = el('b', { class: 'who' });
    this.about = el('span', { class: 'quiet about' });
    this.pieces = el('span', { class: 'pieces' });
    this.clock = el('span', { class: 'clock', role: 'timer', 'aria-live': 'off' });
    this.disc = svg('svg', { viewBox: '-18 -18 36 36', class: 'disc', 'aria-hidden': 'true' });
    this.element = el('section', { class: 'player' }, this.disc, el('span', { class: 'names' }, this.name, this.about), this.pieces, this.clock);
  }

  show(side, player, { turn, cells, about }) {
    this.side = side;
    this.element.classList.toggle('turn', turn);
    this.element.setAttribute('aria-label', sideName(side));
    this.disc.replaceChildren(svg('circle', { class: `pc-${side.toLowerCase()}`, r: 15 }), svg('circle', { class: `pc-ring-${side.toLowerCase()}`, r: 10 }));
    this.name.textContent = playerName(player, side);
    this.about.textContent = about;
    this.element.classList.toggle('away', player.kind !== 'engine' && !player.online);
    const [men, kings] = [side.toLowerCase(), side].map((letter) => [...cells].filter((cell) => cell === letter).length);
    fill(this.pieces, el('span', { class: 'unseen' }, say('player.pieces', { men, kings })), el('span', { 'aria-hidden': 'true' }, `${men}${kings ? ` + ${kings} ♛` : ''}`));
  }

  tick(seconds, running) {
    this.clock.hidden = seconds === null;
    if (seconds === null) return;
    const text = clockText(seconds);
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.classList.toggle('running', running);
    this.clock.classList.toggle('low', running && seconds < LOW);
  }
}
