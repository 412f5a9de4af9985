// What the game waits for, in one place that is always beside the board: whose move it is, what is asked, which of several
// captures is meant, how it has ended.

import { miniature } from './drawing.js';
import { ICONS, button, el, fill, iconButton } from './dom.js';
import { server, toast } from './shell.js';
import { known, say, sideName } from './words.js';

export class Status {
  constructor(game) {
    this.game = game;
    this.element = el('div', { class: 'status card' });
    this.drawn = '';
    this.sharing = false;
  }

  /** In one sentence. */
  text() {
    const { now, seats, role, oneDevice } = this.game;
    if (now.ending) return `${now.ending.result}. ${this.reason()}`;
    if (now.question) return seats.includes(now.question.side) ? say('status.question', { move: now.question.move }) : say('status.questioned', { side: sideName(now.question.side) });
    const offer = this.offer();
    if (offer) return offer.text;
    if (this.game.hand.offered.length) return say('status.choose', { n: this.game.hand.offered.length });
    if (this.failed()) return say('status.engine-failed');
    const side = sideName(now.side);
    if (role === 'move') return oneDevice ? say('status.to-move', { side }) : say('status.your-move');
    if (role === 'suggest') return say('status.suggest', { side });
    return now.thinking ? say('status.thinking') : say('status.to-move', { side });
  }

  reason() {
    const { kind, reason, winner } = this.game.now.ending;
    const values = { side: winner ? sideName(winner) : '', other: winner ? sideName(winner === 'W' ? 'B' : 'W') : '' };
    const key = `reason.${reason.replace(/\d+/, '#')}`;
    const why = known(key) ? say(key, { n: /\d+/.exec(reason) }) : known(`ending.${kind}`) ? say(`ending.${kind}`, values) : reason;
    return `${winner ? say('ending.wins', values) : say('ending.drawn')} ${why}`;
  }

  offer() {
    const { now, seats, oneDevice } = this.game;
    for (const kind of ['draw', 'back']) {
      const by = now.offers[kind];
      if (!by) continue;
      const own = seats.includes(by) && !oneDevice;
      return { kind, own, mine: seats.length > 0, text: own ? say(`offer.${kind}.own`) : say(`offer.${kind}`, { side: sideName(by) }) };
    }
    return null;
  }

  failed() {
    const { now, game } = this.game;
    return game.players[now.side].kind === 'engine' && now.thinking === null && now.started && !now.ending && !now.question;
  }

  show() {
    const { game } = this;
    const parts = this.parts();
    const shape = JSON.stringify([parts.key, game.connected]);
    if (shape === this.drawn) return;
    this.drawn = shape;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    const notice = !game.connected && el('p', { class: 'offline' }, say('game.lost'));
    const text = el('p', { class: 'turn-text' }, this.text());
    const cancel = game.hand.offered.length > 0 && iconButton(ICONS.close, say('status.cancel'), () => game.hand.drop(), { 'data-act': 'cancel' });
    fill(this.element, notice, cancel ? el('div', { class: 'choosing' }, text, cancel) : text, parts.make());
    if (focused) (this.element.querySelector(`[data-act="${CSS.escape(focused)}"]`) ?? game.board.cellAt.get(game.board.cursor)).focus();
  }

  /** What stands below the sentence, with a key that changes with it. */
  parts() {
    const { game } = this;
    const { now, seats } = game;
    const send = (type, fields) => () => game.line.send(type, fields).catch((error) => game.hand.refused(error));
    const act = (key, word, action, more = {}) => button(say(word), action, { 'data-act': key, ...more });
    const key = [this.text(), game.view !== null, this.sharing];
    const reading = game.view !== null && (() => act('live', 'status.live', () => game.finishWalk(null), { class: 'main' }));
    const make = (...makers) => ({ key: [...key, makers.length], make: () => el('div', { class: 'row' }, makers.filter(Boolean).map((maker) => maker())) });
    const awaited = ['W', 'B'].filter((side) => !game.game.players[side].taken);
    if (this.sharing || (awaited.length && seats.length)) return { key: [...key, awaited, this.sharing], make: () => this.invitation(awaited) };
    if (now.ending) {
      const people = ['W', 'B'].some((side) => game.game.players[side].kind === 'link');
      return make(
        reading,
        seats.length && !people && (() => act('again', 'status.again', () => game.again(), { class: 'main' })),
        () => act('analyse', 'status.analyse', () => game.analyse()),
        () => el('a', { class: 'button', href: '/', 'data-act': 'home' }, say('status.new')),
      );
    }
    if (now.question && seats.includes(now.question.side)) {
      return {
        key: [...key, now.question],
        make: () => [
          el('p', { class: 'quiet' }, now.question.text),
          el('div', { class: 'row' }, act('rectify', 'question.rectify', send('settle', { stand: false }), { class: 'main' }), act('stand', 'question.stand', send('settle', { stand: true }))),
        ],
      };
    }
    const offer = this.offer();
    if (offer?.mine) {
      const { kind, own } = offer;
      if (own) return make(reading, () => act('withdraw', 'offer.withdraw', send('decline')));
      return make(reading, () => act('accept', 'offer.accept', send(kind, { ply: now.ply }), { class: 'main' }), () => act('decline', 'offer.decline', send('decline')));
    }
    if (game.hand.offered.length > 0) return { key: [...key, game.hand.offered.map(({ move }) => move), game.flipped], make: () => this.choices() };
    if (this.failed() && seats.length) return make(() => act('retry', 'status.retry', send('again'), { class: 'main' }));
    const { suggested } = game.hand;
    const mine = suggested?.ply === now.ply && suggested.move && game.role === 'suggest';
    return {
      key: [...key, mine, reading !== false],
      make: () => el('div', { class: 'row' }, reading && reading(), mine && el('span', {}, say('status.suggested', { move: suggested.move })), mine && act('unsuggest', 'status.unsuggest', () => this.unsuggest())),
    };
  }

  unsuggest() {
    const { game } = this;
    game.hand.suggested = null;
    game.line.send('suggest', { ply: game.now.ply, move: '' }).catch((error) => game.hand.refused(error));
    game.render();
  }

  /** Each capture with a picture of itself, beside the board or just below it, so that both are seen together. */
  choices() {
    const { game } = this;
    const { variant } = game.game;
    const point = (move) => () => {
      game.hand.pointed = move;
      game.board.arrows(game.hand.choiceArrows());
    };
    const one = (choice, n) => {
      const arrow = { ...game.hand.choiceArrow(choice, n), text: '' };
      return el(
        'button',
        {
          type: 'button',
          'data-act': choice.move,
          'aria-label': `${n + 1}: ${choice.move}, ${say('status.captures', { n: choice.captured.length })}`,
          title: choice.move,
          onclick: () => game.hand.send(choice),
          onpointerenter: point(choice.move),
          onpointerleave: point(undefined),
          onfocus: point(choice.move),
          onblur: point(undefined),
        },
        miniature(variant, game.now.cells, { flipped: game.flipped, arrows: [arrow] }),
        el('b', {}, String(n + 1)),
        el('span', {}, choice.move),
      );
    };
    return el('div', { class: 'choices' }, game.hand.offered.map(one));
  }

  /** The link for a seat that nobody has yet, and that for those who look on. */
  invitation(awaited) {
    const { game } = this;
    const links = invitations(game.id);
    const here = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
    const origin = here && server.addresses.length ? server.addresses[0] : location.origin;
    const lines = awaited.filter((side) => links[side]).map((side) => this.link(say('invite.play', { side: sideName(side) }), origin + links[side]));
    if (this.sharing || !lines.length) lines.push(this.link(say('invite.watch'), `${origin}/g/${game.id}`));
    const lost = awaited.some((side) => !links[side]);
    return [
      lines,
      lost && el('p', { class: 'quiet' }, say('invite.once')),
      here && !server.addresses.length && el('p', { class: 'quiet' }, say('invite.lan')),
      this.sharing && button(say('invite.close'), () => ((this.sharing = false), this.show()), { class: 'plain', 'data-act': 'close' }),
    ];
  }

  link(label, address) {
    const field = el('input', { readonly: true, value: address, 'aria-label': label, onfocus: (event) => event.target.select() });
    const copied = () => toast(say('invite.copied'));
    const copy = async () => {
      if (navigator.clipboard) return void navigator.clipboard.writeText(address).then(copied, () => field.select());
      field.select(); // no clipboard without https: the old way
      if (document.execCommand('copy')) copied();
    };
    const share = navigator.share && button(say('invite.share'), () => navigator.share({ url: address }).catch(() => {})); // closed by the person: nothing to be said
    return el('div', { class: 'invite' }, el('span', {}, label), el('div', { class: 'say' }, field, iconButton(ICONS.copy, say('invite.copy'), copy, { class: '' }), share));
  }

  share() {
    this.sharing = !this.sharing;
    this.show();
  }
}

/** The links for seats are given out once; this tab keeps them until somebody sits there. */
export function invitations(id) {
  try {
    return JSON.parse(sessionStorage.getItem(`links ${id}`)) ?? {};
  } catch {
    return {}; // storage is switched off
  }
}

export function keepInvitations(id, links) {
  try {
    sessionStorage.setItem(`links ${id}`, JSON.stringify(links));
  } catch {
    /* storage is switched off: the link is not shown again after reloading */
  }
}
