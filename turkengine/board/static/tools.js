// The buttons of a game. They are made anew only where something about them changes, so that no click is lost.

import { ICONS, button, el, fill, icon, iconButton } from './dom.js';
import { say } from './words.js';

const UNDONE = ['rules', 'resigned', 'agreement']; // endings that a move taken back undoes

export class Tools {
  constructor(game) {
    this.game = game;
    this.element = el('div', { class: 'tools' });
    this.drawn = '';
  }

  show() {
    const { game } = this;
    const { now, seats, oneDevice } = game;
    const own = seats.length ? game.game.players[seats[0]] : null;
    const can = {
      back: now.ply > 0 && now.offers.back === null && (!now.ending || UNDONE.includes(now.ending.kind)),
      draw: now.offers.draw === null,
      mute: own && !oneDevice && (game.game.watchers > 0 || own.muted),
    };
    const shape = JSON.stringify([seats, !now.ending, can, own?.muted]);
    if (shape === this.drawn) return;
    this.drawn = shape;
    const act = (type, fields = () => ({})) => () => game.line.send(type, fields()).catch((error) => game.hand.refused(error));
    const tool = (word, action, more) => button(say(`tool.${word}`), action, { 'data-tool': word, ...more });
    const asked = (word, fields) => () => this.sure(word, act(word, fields));
    const ply = () => ({ ply: game.now.ply });
    const seated = own && !now.ending;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.tool : null;
    fill(
      this.element,
      iconButton(ICONS.flip, say('tool.flip'), () => game.flip(), { 'data-tool': 'flip' }),
      own && tool('back', act('back', ply), { disabled: !can.back }),
      seated && tool('draw', asked('draw', ply), { disabled: !can.draw }),
      seated && tool('resign', asked('resign', () => (oneDevice ? { side: game.now.side } : {})), { class: 'danger' }),
      can.mute && tool('mute', act('mute', () => ({ muted: !own.muted })), { 'aria-pressed': String(own.muted) }),
      el('a', { class: 'button plain', href: `/g/${game.id}/pdn`, download: `${game.id}.pdn`, title: say('tool.pdn'), 'aria-label': say('tool.pdn') }, icon(ICONS.save)),
      iconButton(ICONS.share, say('tool.share'), () => game.status.share(), { 'data-tool': 'share' }),
    );
    if (focused) this.element.querySelector(`[data-tool=${focused}]`)?.focus();
  }

  /** Ask before what cannot be undone. */
  sure(word, action) {
    const box = el(
      'dialog',
      { class: 'card sure', 'aria-label': say(`sure.${word}`), onclose: () => box.remove() },
      el('p', {}, say(`sure.${word}`)),
      el('div', { class: 'row' }, button(say('sure.no'), () => box.close()), button(say(`tool.${word}`), () => (box.close(), action()), { class: 'main' })),
    );
    this.game.page.append(box);
    box.showModal();
  }
}
