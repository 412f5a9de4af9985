// The page of an analysis: a tree of moves, what the engine thinks of its places, and games brought in and taken out.

import { Board } from './board.js';
import { ICONS, button, el, fill, iconButton, svg } from './dom.js';
import { Lines } from './lines.js';
import { Setup } from './setup.js';
import { go, refusalText, server, speak, toast, variantNamed } from './shell.js';
import { Line, Refusal, ask } from './socket.js';
import { isChoice, jumped, offered, possible, tap, targets } from './tapping.js';
import { MARKS, TreeView } from './tree.js';
import { say, variantTitle } from './words.js';

const A_FEN = /^\s*[WB]\s*:[^\n]*$/i;
const failed = (error) => toast(refusalText(error), 'bad');

export function open(page, id) {
  if (!id) return begin(page);
  const analysis = new Analysis(page, id);
  return () => analysis.close();
}

/** Where an analysis comes from: a game from its start, a position, or a file. */
function begin(page) {
  page.className = 'beginning';
  const text = el('textarea', { rows: 6, 'aria-label': say('analysis.paste'), placeholder: say('analysis.paste') });
  const setup = new Setup((fen) => (text.value = fen));
  const choose = () => ((text.value = ''), setup.show(variantNamed(game.value)));
  const game = el('select', { 'aria-label': say('analysis.game'), onchange: choose }, server.variants.map((variant) => el('option', { value: variant.name }, variantTitle(variant))));
  const file = el('input', { type: 'file', accept: '.pdn,.fen,.txt', 'aria-label': say('analysis.file'), onchange: async () => (text.value = await file.files[0].text()) });
  const make = async (event) => {
    event.preventDefault();
    const given = text.value.trim();
    const body = !given || A_FEN.test(given) ? { variant: game.value, fen: given } : { pdn: given };
    await ask('/api/trees', body).then(({ address }) => go(address), failed);
  };
  choose();
  fill(
    page,
    el('form', { class: 'card new', onsubmit: make }, el('h1', {}, say('analysis.title')), game, text, file, el('button', { class: 'main' }, say('analysis.begin'))),
    el('section', { class: 'card new' }, el('h2', {}, say('analysis.setup')), setup.element),
  );
}

class Analysis {
  constructor(page, id) {
    Object.assign(this, { page, id, node: 0, taps: [], legal: [], complete: true, nodes: new Map(), edit: false });
    this.keys = (event) => this.key(event);
    document.addEventListener('keydown', this.keys);
    this.line = new Line(`/a/${id}/ws`, (message) => this.hear(message), (state, refusal) => this.state(state, refusal));
    fill(page, el('p', { class: 'quiet loading' }, say('game.loading')));
  }

  close() {
    this.line.close();
    document.removeEventListener('keydown', this.keys);
  }

  // What the server says.

  hear(message) {
    const heard = {
      you: () => (this.edit = message.edit),
      tree: () => this.whole(message),
      node: () => this.changed(message.node),
      legal: () => message.node === this.node && this.may(message),
      lines: () => this.thought(message),
      report: () => this.judging(message),
      course: () => this.course(message),
      error: () => this.board && toast(refusalText(new Refusal(message.code, message.text)), 'bad'),
    };
    heard[message.type]?.();
  }

  state(state, refusal) {
    if (state === 'gone') {
      this.close();
      fill(this.page, el('div', { class: 'card lost' }, el('h1', {}, say('analysis.none')), el('p', {}, refusalText(refusal)), el('a', { href: '/a', class: 'button main' }, say('analysis.title'))));
    } else if (this.board) speak(state === 'lost' ? say('game.lost') : '');
  }

  whole(tree) {
    this.variant = tree.variant;
    this.nodes = new Map(tree.nodes.map((node) => [node.id, node]));
    if (!this.board) this.build(tree);
    if (!this.nodes.has(this.node)) this.node = 0;
    this.tree.show(this.nodes, this.node);
    this.look(this.node);
  }

  changed(node) {
    this.nodes.set(node.id, node);
    const parent = this.nodes.get(node.parent);
    if (parent && !parent.children.includes(node.id)) parent.children.push(node.id);
    this.tree.show(this.nodes, this.node);
    if (node.id === this.awaited) this.look(node.id);
  }

  may({ fen, legal, complete, ending }) {
    Object.assign(this, { fen, legal, complete });
    this.status(ending ? ending.reason : '');
    this.render();
  }

  thought(found) {
    if (!this.lines.on) return;
    this.lines.show(found);
    this.render();
  }

  judging({ state, done, of, text }) {
    this.status(state === 'running' ? say('analysis.judging', { done, of }) : state === 'failed' ? text : '');
  }

  course({ nodes, men, critical }) {
    const width = Math.max(nodes.length - 1, 1);
    const height = (value) => 50 - Math.max(-3, Math.min(3, value ?? 0)) * 15;
    const points = men.map((value, n) => `${(300 * n) / width},${height(value)}`).join(' ');
    fill(
      this.judged,
      el('h2', {}, say('analysis.course')),
      svg('svg', { viewBox: '0 0 300 100', class: 'course', role: 'img', 'aria-label': say('analysis.course') }, svg('path', { d: 'M0 50H300' }), svg('polyline', { points })),
      critical.map(({ node, mark, best, remark }) => button(`${this.nodes.get(node)?.move ?? ''}${mark} ${say('analysis.better', { move: best })} ${remark ?? ''}`, () => this.look(node), { class: 'plain' })),
    );
  }

  // What is shown.

  build(tree) {
    this.board = new Board(tree.variant, {
      label: variantTitle(tree.variant),
      onTap: (square) => this.tapped(square),
      onMove: (from, to) => this.dragged(from, to),
    });
    this.tree = new TreeView((node) => this.look(node));
    this.lines = new Lines(() => this.search(), (node, moves) => this.add(node, moves));
    this.said = el('p', { class: 'status', role: 'status' });
    this.choices = el('div', { class: 'choices' });
    this.judged = el('div', { class: 'judged' });
    this.remark = el('textarea', { rows: 2, maxlength: 1000, 'aria-label': say('analysis.comment'), placeholder: say('analysis.comment'), onchange: () => this.send('comment', { text: this.remark.value }) });
    this.mark = el('select', { 'aria-label': say('analysis.mark'), onchange: () => this.send('nags', { nags: this.mark.value ? [Number(this.mark.value)] : [] }) }, el('option', { value: '' }, '–'), Object.entries(MARKS).map(([nag, mark]) => el('option', { value: nag }, mark)));
    const walk = (name, to) => iconButton(ICONS[name], say(`moves.${name}`), () => this.look(to()));
    const own = (name, does) => button(say(`analysis.${name}`), does, { disabled: !this.edit });
    this.page.className = 'game analysis';
    fill(
      this.page,
      el('h1', { class: 'unseen' }, variantTitle(tree.variant)),
      el('div', { class: 'place-board' }, this.board.element),
      el('div', { class: 'place-status' }, this.lines.element, this.said, this.choices),
      el('div', { class: 'place-tools tools' }, iconButton(ICONS.flip, say('analysis.flip'), () => this.board.flip(!this.board.flipped)), own('promote', () => this.send('promote')), own('remove', () => this.removeLine()), own('annotate', () => this.line.send('annotate', { depth: 12 }).catch(failed)), button(say('analysis.fen'), () => this.copy())),
      el('div', { class: 'place-moves card' }, el('div', { class: 'walk', role: 'group', 'aria-label': say('moves.walk') }, walk('first', () => 0), walk('back', () => this.here().parent ?? 0), walk('next', () => this.here().children[0] ?? this.node), walk('last', () => this.end())), this.tree.element, this.edit && el('div', { class: 'row' }, this.mark, this.remark)),
      el('div', { class: 'place-talk' }, this.judged, el('p', { class: 'foot' }, el('b', {}, variantTitle(tree.variant)), ' · ', el('a', { href: `/a/${this.id}/pdn`, download: `${this.id}.pdn` }, 'PDN'))),
    );
    this.lines.clear();
  }

  status(text) {
    fill(this.said, text);
  }

  render() {
    const left = possible(this.legal, this.taps);
    const choosing = isChoice(left, this.taps, this.complete);
    const names = choosing ? offered(left, this.taps) : [];
    this.board.mark({
      selected: this.taps[0] ?? null,
      targets: this.taps.length ? targets(left) : [],
      rings: this.taps.length ? jumped(left, this.variant) : [],
      at: this.taps.length > 1 ? this.taps[this.taps.length - 1] : null,
      last: this.here().path ?? [],
    });
    this.board.arrows(choosing ? names.slice(0, 4).map(({ ways, captured }, n) => ({ path: ways[0][0], captured, text: String(n + 1), kind: `choice${n || ''}` })) : this.lines.arrows(this.node));
    fill(this.choices, names.map(({ move }, n) => button(`${n + 1} ${move}`, () => this.add(this.node, [move]))));
  }

  // What is done.

  here() {
    return this.nodes.get(this.node);
  }

  end() {
    let node = this.here();
    while (this.nodes.has(node.children[0])) node = this.nodes.get(node.children[0]);
    return node.id;
  }

  look(id) {
    const node = this.nodes.get(id);
    const forward = node.parent === this.node && id !== this.node;
    this.node = id;
    this.awaited = null;
    Object.assign(this, { taps: [], legal: [], complete: true });
    this.board.show(node.cells, forward ? node : null);
    this.tree.at(id);
    this.remark.value = node.comment;
    this.mark.value = node.nags[0] in MARKS ? node.nags[0] : '';
    if (id) speak(node.move);
    this.line.send('look', { node: id }).catch(failed);
    if (!this.lines.locked) this.search();
    this.render();
  }

  search() {
    if (!this.lines.locked || !this.lines.found) this.lines.clear();
    const { on, number, threat } = this.lines;
    (on ? this.line.send('search', { node: this.node, lines: number, threat }) : this.line.send('stop')).catch(failed);
    this.render();
  }

  async add(node, moves) {
    if (!this.edit) return toast(say('analysis.read-only'), 'bad');
    this.taps = [];
    await this.line.send('add', { node, moves }).then((ok) => (this.nodes.has(ok.node) ? this.look(ok.node) : (this.awaited = ok.node)), failed);
  }

  send(type, fields = {}) {
    this.line.send(type, { node: this.node, ...fields }).catch(failed);
  }

  removeLine() {
    if (!this.node) return;
    const { id, parent } = this.here();
    this.node = parent;
    this.line.send('remove', { node: id }).catch(failed);
  }

  async copy() {
    await navigator.clipboard?.writeText(this.fen ?? '').then(() => toast(this.fen), () => toast(this.fen));
  }

  tapped(square) {
    const { cells, side } = this.here();
    const found = tap(this.legal, this.taps, square, { cells, side, incomplete: !this.complete });
    if (found.play) return void this.add(this.node, [found.play.move]);
    this.taps = found.taps ?? [];
    this.render();
  }

  dragged(from, to) {
    if (this.taps[0] !== from) {
      this.taps = [];
      this.tapped(from);
    }
    if (to !== null && this.taps.length) this.tapped(to);
  }

  key(event) {
    if (!this.board || event.target.closest?.('input, textarea, select, dialog') || event.ctrlKey || event.altKey || event.metaKey) return;
    if (this.board.element.contains(event.target) && event.key.startsWith('Arrow')) return; // they move on the board
    const node = this.here();
    const to = { ArrowLeft: node.parent ?? 0, ArrowRight: node.children[0] ?? node.id, Home: 0, End: this.end() }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.look(to);
  }
}
