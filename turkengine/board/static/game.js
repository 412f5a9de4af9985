// The page of a game. It knows no rules: what may be played, and what has been, comes from the server.

import { Board } from './board.js';
import { button, el, fill, remember, remembered } from './dom.js';
import { Hand } from './hand.js';
import { PlayerBar, playerName } from './players.js';
import { Scoresheet } from './scoresheet.js';
import { go, refusalText, sentence, speak, toast } from './shell.js';
import { Line, Refusal, ask } from './socket.js';
import { chime, knock } from './sounds.js';
import { Status } from './status.js';
import { Talk } from './talk.js';
import { Tools } from './tools.js';
import { language, say, sideName, variantTitle } from './words.js';

const KEY = /^#([\w-]{22})$/;
const MOST_ARROWS = 8; // of suggestions
const MOST_REMEMBERED = 30;

export async function open(page, id) {
  const key = KEY.exec(location.hash);
  if (key) {
    history.replaceState(null, '', location.pathname);
    try {
      await ask(`/g/${id}/claim`, { key: key[1] });
    } catch (error) {
      toast(refusalText(error), 'bad');
    }
  }
  const game = new Game(page, id);
  return () => game.close();
}

class Game {
  constructor(page, id) {
    Object.assign(this, { page, id, seats: [], view: null, connected: false });
    this.hand = new Hand(this);
    this.line = new Line(`/g/${id}/ws`, (message) => this.hear(message), (state, refusal) => this.state(state, refusal));
    this.keys = (event) => this.key(event);
    document.addEventListener('keydown', this.keys);
    fill(page, el('p', { class: 'quiet loading' }, say('game.loading')));
  }

  close() {
    this.line.close();
    clearInterval(this.ticking);
    document.removeEventListener('keydown', this.keys);
  }

  // What the server says.

  hear(message) {
    const heard = {
      you: () => (this.seats = message.seats),
      game: () => this.whole(message),
      played: () => this.played(message),
      now: () => this.changed(message.now),
      players: () => this.with({ players: message.players }),
      watchers: () => this.with({ watchers: message.watchers }),
      suggestions: () => this.with({ suggestions: message }),
      talk: () => this.talk.add(message),
      wrong: () => this.wrong(message),
      notice: () => this.notice(message),
      error: () => this.game && toast(refusalText(new Refusal(message.code, message.text)), 'bad'), // before it, the page itself says so
    };
    heard[message.type]?.();
  }

  with(changes) {
    Object.assign(this.game, changes);
    this.render();
  }

  state(state, refusal) {
    this.connected = state === 'open';
    if (state === 'gone') {
      fill(this.page, el('div', { class: 'card lost' }, el('h1', {}, say('game.none')), el('p', {}, refusalText(refusal)), el('a', { href: '/', class: 'button main' }, say('game.home'))));
      this.close();
      return;
    }
    if (state === 'lost' && this.game && !this.wasLost) speak(say('game.lost'));
    if (state === 'open' && this.wasLost) speak(say('game.back-again'));
    this.wasLost = state === 'lost';
    if (this.game) this.render();
  }

  whole(game) {
    const first = !this.game;
    const before = this.game;
    this.game = game;
    this.now = game.now;
    this.heardAt = performance.now();
    if (first) this.build();
    if (this.view !== null && this.view >= game.moves.length) this.view = null;
    if (before && before.moves.length > game.moves.length) speak(say('speech.taken-back'));
    this.talk.all(game.talk);
    this.hand.taps = this.hand.kept();
    this.board.show(this.cells());
    if (this.seats.length) this.rememberGame();
    this.render();
    if (first) this.announce(null);
    this.hand.sendAgain();
  }

  played({ move, now }) {
    if (move.ply !== this.game.moves.length + 1) return void this.line.renew();
    const own = this.hand.pending?.ply === move.ply - 1;
    const dragged = own && this.hand.pending.dragged;
    this.game.moves.push(move);
    this.game.suggestions = { ply: now.ply, arrows: [] };
    this.take(now);
    this.hand.pending = null;
    this.hand.taps = this.hand.kept();
    if (this.view === null) this.board.show(move.cells, dragged ? null : move);
    knock();
    this.render();
    this.announce(move);
    for (const square of this.hand.early.splice(0)) this.hand.tapped(square); // taps that came before the answer
  }

  changed(now) {
    const ended = now.ending && !this.now.ending;
    const { offers, question } = this.now;
    this.take(now);
    if (ended) this.hand.clear();
    this.render();
    if (ended) this.announce(null);
    const asked = (now.offers.draw && !offers.draw) || (now.offers.back && !offers.back) || (now.question && !question);
    if (!asked) return;
    chime();
    speak(this.status.text());
  }

  take(now) {
    const over = now.ending && !this.now.ending;
    this.now = this.game.now = now;
    this.heardAt = performance.now();
    if (over) chime();
  }

  wrong({ move, text, article }) {
    this.hand.clear();
    this.render();
    const why = language === 'en' ? sentence(text) : say('game.wrong', { move });
    toast(article ? `${why} (${article})` : why, 'bad');
  }

  notice({ code, text }) {
    if (code === 'draw-taken') return; // the end of the game says so
    toast(code === 'draw-declined' ? say('game.draw-declined') : refusalText(new Refusal(code, text)), code === 'draw-declined' ? '' : 'bad');
  }

  // What is shown.

  build() {
    const { variant } = this.game;
    this.board = new Board(variant, {
      label: variantTitle(variant),
      onTap: (square) => this.hand.tapped(square),
      onMove: (from, to) => this.hand.moved(from, to),
      onKey: (event) => this.boardKey(event),
    });
    this.flipped = this.seats.length === 1 && this.seats[0] === 'B';
    this.board.flip(this.flipped);
    this.bars = [new PlayerBar(), new PlayerBar()];
    this.sheet = new Scoresheet((ply) => this.walk(ply));
    this.talk = new Talk((type, fields) => this.line.send(type, fields));
    this.status = new Status(this);
    this.tools = new Tools(this);
    this.incidents = el('ul', { class: 'incidents' });
    this.watchers = el('span', { class: 'quiet' });
    this.page.className = 'game';
    fill(
      this.page,
      el('h1', { class: 'unseen' }, variantTitle(variant)),
      el('div', { class: 'place-board' }, this.board.element),
      el('div', { class: 'place-far' }, this.bars[0].element),
      el('div', { class: 'place-near' }, this.bars[1].element),
      el('div', { class: 'place-status' }, this.status.element),
      el('div', { class: 'place-tools' }, this.tools.element),
      el('div', { class: 'place-moves card' }, this.sheet.nav, this.sheet.list, this.incidents, this.typed()),
      el('div', { class: 'place-talk' }, this.talk.element, el('p', { class: 'foot' }, el('b', {}, variantTitle(variant)), ' · ', this.watchers)),
    );
    this.ticking = setInterval(() => this.tick(), 100);
    if (this.seats.length && !this.game.players[this.seats[0]].name && remembered('name')) {
      this.line.send('name', { name: remembered('name') }).catch((error) => toast(refusalText(error), 'bad'));
    }
  }

  typed() {
    const input = el('input', { 'aria-label': say('game.type'), placeholder: say('game.type'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 60 });
    this.typing = el(
      'form',
      {
        class: 'say typing',
        onsubmit: (event) => {
          event.preventDefault();
          const move = input.value.trim();
          if (!move) return;
          this.line.send(this.seats.length ? 'move' : 'suggest', { ply: this.now.ply, move }).then(() => (input.value = ''), (error) => this.hand.refused(error));
        },
      },
      input,
      button(say('game.type-send'), null, { type: 'submit' }),
    );
    return this.typing;
  }

  cells(ply = this.view ?? this.game.moves.length) {
    return ply ? this.game.moves[ply - 1].cells : this.game.start.cells;
  }

  /** Whether this browser moves now, suggests, or waits. */
  get role() {
    if (this.now.ending || this.now.question) return 'wait';
    if (!this.seats.length) return 'suggest';
    return this.seats.includes(this.now.side) ? 'move' : 'wait';
  }

  get oneDevice() {
    return this.seats.length === 2;
  }

  render() {
    const { game, now, board } = this;
    const live = this.view === null;
    const ply = this.view ?? game.moves.length;
    const cells = this.cells();
    const last = ply ? game.moves[ply - 1].path : [];
    const ends = last.length ? [last[0], last[last.length - 1]] : [];
    board.mark({ last: ends, ...this.hand.marks(live) });
    board.arrows(!live ? [] : this.hand.offered.length ? this.hand.choiceArrows() : this.suggestionArrows());
    this.drawBars(cells);
    this.sheet.show(game.moves, ply, game.start.side, now.incidents);
    fill(this.incidents, now.incidents.map(({ ply: at, side, text }) => el('li', {}, `${sideName(side)}, ${at}: ${text}`)));
    this.incidents.hidden = !now.incidents.length;
    this.typing.hidden = this.role === 'wait' || !live;
    this.watchers.textContent = say('game.watchers', { n: game.watchers });
    this.tools.show();
    this.status.show();
    document.title = `${this.role === 'move' && !this.oneDevice ? '● ' : ''}${variantTitle(game.variant)} – turkengine`;
    this.tick();
  }

  suggestionArrows() {
    const { arrows, ply } = this.game.suggestions;
    if (ply !== this.now.ply) return [];
    const most = Math.max(...arrows.map(({ count }) => count));
    return arrows.slice(0, MOST_ARROWS).map(({ path, captured, count }) => ({ path, captured, text: String(count), kind: 'suggestion', weight: count / most }));
  }

  drawBars(cells) {
    const order = this.flipped ? ['W', 'B'] : ['B', 'W'];
    order.forEach((side, n) => {
      const player = this.game.players[side];
      const about = [
        this.seats.includes(side) && !this.oneDevice && say('player.you'),
        this.now.thinking === side && say('player.thinking'),
        !player.taken && say('player.awaited'),
        player.taken && player.kind !== 'engine' && !player.online && say('player.away'),
      ];
      this.bars[n].show(side, player, { turn: this.now.side === side && !this.now.ending, cells, about: about.filter(Boolean).join(' · ') });
    });
  }

  tick() {
    if (!this.now) return;
    const { clocks, side, running } = this.now;
    const gone = (performance.now() - this.heardAt) / 1000;
    for (const bar of this.bars) {
      const runs = running && bar.side === side && !this.now.question;
      const left = clocks[bar.side];
      bar.tick(left === null ? null : left - (running && bar.side === side ? gone : 0), runs);
    }
  }

  flip() {
    this.flipped = !this.flipped;
    this.board.flip(this.flipped);
    this.render();
  }

  // What is said.

  announce(move) {
    const parts = move ? [this.spoken(move)] : [];
    if (move?.fen === undefined || !move) parts.push(this.status.text());
    speak(parts.filter(Boolean).join(' '));
  }

  spoken({ side, path, captured, text }) {
    const who = sideName(side);
    if (!path.length) return say('speech.irregular', { side: who, move: text });
    const name = (square) => this.game.variant.squares[square].name;
    const values = { side: who, from: name(path[0]), to: name(path[path.length - 1]), n: captured.length };
    return say(captured.length ? 'speech.capture' : 'speech.move', values);
  }

  // What is done here.

  walk(ply) {
    this.finishWalk(ply);
    const shown = this.view ?? this.game.moves.length;
    speak(shown ? this.spoken(this.game.moves[shown - 1]) : say('speech.start'));
  }

  finishWalk(ply) {
    const before = this.view ?? this.game.moves.length;
    this.view = ply;
    const now = ply ?? this.game.moves.length;
    this.board.show(this.cells(), now === before + 1 ? this.game.moves[now - 1] : null);
    this.render();
  }

  boardKey(event) {
    if (event.key === 'Escape' && this.hand.taps.length) this.hand.drop();
    else if (event.key === 'f') this.flip();
    else if (!['PageUp', 'PageDown'].includes(event.key) || !this.sheet.key(event)) return;
    event.preventDefault();
  }

  key(event) {
    const { target } = event;
    const elsewhere = target.closest?.('input, textarea, select, [role=grid], dialog, details.menu');
    if (!this.sheet || elsewhere || event.ctrlKey || event.metaKey || event.altKey || !this.sheet.key(event)) return;
    event.preventDefault();
  }

  rememberGame() {
    const ids = remembered('games').split(' ').filter((one) => one && one !== this.id);
    remember('games', [this.id, ...ids].slice(0, MOST_REMEMBERED).join(' '));
  }

  /** The same once more, with the colours changed. */
  async again() {
    const { players, variant, time, irregular, start } = this.game;
    const seat = ({ kind, name, level }) => (kind === 'engine' ? { kind, level } : { kind, name });
    const usual = start.cells === variant.start && start.side === 'W';
    try {
      const made = await ask('/api/games', { variant: variant.name, white: seat(players.B), black: seat(players.W), time, irregular, fen: usual ? '' : start.fen });
      go(made.address);
    } catch (error) {
      toast(refusalText(error), 'bad');
    }
  }

  async analyse() {
    try {
      go((await ask('/api/trees', { game: this.id })).address);
    } catch (error) {
      toast(refusalText(error), 'bad');
    }
  }

  playerName(side) {
    return playerName(this.game.players[side], side);
  }
}
