// The page of a match: the table as it grows, the games under way, and those that are over, to be walked through.

import { Board } from './board.js';
import { miniature } from './drawing.js';
import { button, el, fill } from './dom.js';
import { Scoresheet } from './scoresheet.js';
import { refusalText, speak, toast } from './shell.js';
import { Line, Refusal } from './socket.js';
import { say } from './words.js';

const failed = (error) => toast(refusalText(error), 'bad');
const time = (seconds) => (seconds < 60 ? seconds.toFixed(1) : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`);

export function open(page) {
  const watch = new Watch(page);
  return () => watch.line.close();
}

class Watch {
  constructor(page) {
    Object.assign(this, { page, small: new Map() });
    page.className = 'watching';
    this.head = el('section', { class: 'card new' }, el('p', { class: 'quiet' }, say('game.loading')));
    this.table = el('div', { class: 'wide' });
    this.boards = el('div', { class: 'cards' });
    this.list = el('div', { class: 'wide' });
    this.opened = el('section', {});
    fill(page, this.head, this.opened, el('section', {}, el('h2', {}, say('watch.under-way')), this.boards), this.table, this.list);
    this.line = new Line('/w/ws', (message) => this.hear(message), (state, refusal) => state === 'gone' && fill(this.head, el('p', {}, refusalText(refusal))));
  }

  hear(message) {
    const heard = {
      match: () => this.whole(message),
      under_way: () => this.live(message.games),
      record: () => this.record(message),
      notice: () => fill(this.head, el('p', {}, message.text)),
      error: () => toast(refusalText(new Refusal(message.code, message.text)), 'bad'),
    };
    heard[message.type]?.();
  }

  whole(match) {
    this.match = match;
    const { llr } = match;
    fill(
      this.head,
      el('h1', {}, match.title),
      el('p', {}, say(`watch.${match.state}`), ' · ', match.total ? say('watch.of', { played: match.played, total: match.total }) : say('watch.played', { played: match.played })),
      match.elo.map(({ name, value, low, high }) => value !== null && low !== null && el('p', {}, `${name}: Elo ${value.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`)),
      llr && el('p', {}, `LLR ${llr.value.toFixed(2)} [${llr.lower.toFixed(2)}, ${llr.upper.toFixed(2)}]`),
    );
    const names = match.standings.map(({ name }) => name);
    fill(
      this.table,
      el(
        'table',
        {},
        el('caption', {}, say('watch.standings')),
        el('tr', {}, ['#', say('watch.player'), say('watch.points'), say('watch.games'), '+', '=', '−', ...(names.length > 2 ? names : [])].map((text) => el('th', { scope: 'col' }, text))),
        match.standings.map((row) =>
          el('tr', {}, [row.rank, row.name, row.points, row.games, row.wins, row.draws, row.losses].map((text) => el('td', {}, String(text))), names.length > 2 && names.map((other) => el('td', {}, String(match.cross[row.name]?.[other] ?? '')))),
        ),
      ),
    );
    fill(
      this.list,
      el('h2', {}, say('watch.finished')),
      el('ul', { class: 'finished' }, match.games.map((game) => el('li', {}, button(`${game.game}  ${game.white} – ${game.black}  ${game.result}`, () => this.openGame(game.game), { class: 'plain' }), el('span', { class: 'quiet' }, ` ${game.reason}`)))),
    );
    this.live(match.under_way);
  }

  live(games) {
    const now = new Set(games.map(({ game }) => game));
    for (const game of [...this.small.keys()]) if (!now.has(game)) this.small.delete(game);
    fill(this.boards, games.length ? games.map((game) => this.card(game)) : el('p', { class: 'quiet' }, say('watch.nothing')));
  }

  card(game) {
    const last = game.path.length ? [game.path[0], game.path[game.path.length - 1]] : [];
    if (!this.small.has(game.game)) this.small.set(game.game, miniature(this.match.variant, game.cells, { last, label: `${game.white} – ${game.black}` }));
    const board = this.small.get(game.game);
    board.update(game.cells, last);
    const player = (side, name) => {
      const said = game.lines[side];
      return el('p', {}, el('b', {}, name), game.clocks && ` ${time(game.clocks[side])}`, said && el('span', { class: 'quiet' }, ` ${said.text} · ${say('watch.depth', { depth: said.depth })} · ${said.moves.slice(0, 4).join(' ')}`));
    };
    return el('button', { type: 'button', class: 'entry', onclick: () => this.openGame(game.game) }, board, el('span', { class: 'texts' }, player('B', game.black), player('W', game.white), el('span', { class: 'quiet' }, `${game.game} · ${say('watch.ply', { ply: game.ply })}`)));
  }

  openGame(game) {
    this.line.send('open', { game }).catch(failed);
  }

  record({ game, white, black, variant, start, moves, ending }) {
    const board = new Board(variant, { label: `${white} – ${black}` });
    const show = (ply) => {
      const at = ply ?? moves.length;
      const move = moves[at - 1];
      board.show(move?.cells ?? start.cells, move);
      board.mark({ last: move ? [move.path[0], move.path[move.path.length - 1]] : [] });
      sheet.show(moves, at, start.side, []);
      speak(move?.text ?? '');
    };
    const sheet = new Scoresheet(show);
    fill(
      this.opened,
      el('h2', {}, `${game}: ${white} – ${black}`, ' ', button(say('watch.close'), () => fill(this.opened))),
      el('div', { class: 'replay' }, el('div', { onkeydown: (event) => sheet.key(event) }, board.element), el('div', { class: 'card place-moves' }, sheet.nav, sheet.list, el('p', { class: 'quiet' }, ending?.reason ?? say('watch.goes-on')))),
    );
    show(moves.length);
    this.opened.scrollIntoView({ block: 'start' });
  }
}
