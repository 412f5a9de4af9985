// Where one begins: a game in one click with what was chosen last, and the games that can be watched.

import { miniature } from './drawing.js';
import { button, el, fill, remember, remembered } from './dom.js';
import { listedName } from './players.js';
import { go, refusalText, server, toast, variantNamed } from './shell.js';
import { ask } from './socket.js';
import { keepInvitations } from './status.js';
import { say, variantTitle } from './words.js';

const EVERY = 5000; // ms between two looks at the list
const USUAL = { variant: 'turkish', opponent: 'engine', level: 2, colour: 'W', time: '', irregular: 'refuse' };
const TIMES = ['', '1:00+1', '3:00+2', '5:00+3', '10:00+5', '30:00+20'];
const MANY = 6; // games; more are shown in two rows that scroll
const NAMED_LEVELS = [0, 4, 8, 12, 16]; // from which level on a word holds

export function open(page) {
  const chosen = { ...USUAL, ...JSON.parse(remembered('new', '{}')) };
  if (!variantNamed(chosen.variant)) chosen.variant = server.variants[0].name;
  const list = el('div', { class: 'games' });
  page.className = 'home';
  fill(page, form(chosen), el('section', { class: 'others', 'aria-label': say('home.games') }, list));
  const look = () => document.hidden || refresh(list);
  look();
  const timer = setInterval(look, EVERY);
  return () => clearInterval(timer);
}

// A new game.

function form(chosen) {
  const begin = button(say('home.begin'), null, { type: 'submit', class: 'main begin' });
  const level = el('fieldset', { class: 'level' });
  const name = el('input', { value: remembered('name'), maxlength: 40, autocomplete: 'nickname' });
  const fen = el('input', { autocomplete: 'off', spellcheck: 'false', placeholder: say('home.fen-usual') });
  const show = () => {
    level.hidden = chosen.opponent !== 'engine';
    colour.hidden = chosen.opponent === 'here';
  };
  const set = (key) => (value) => {
    chosen[key] = value;
    show();
  };
  const colour = group('colour', say('home.colour'), chosen.colour, ['W', 'B', '?'].map((side) => [side, say(`home.colour.${side}`)]), set('colour'));
  fill(level, levels(chosen));
  show();
  const submit = async (event) => {
    event.preventDefault();
    remember('new', JSON.stringify(chosen));
    remember('name', name.value.trim());
    begin.disabled = true;
    try {
      const made = await ask('/api/games', order(chosen, name.value.trim(), fen.value.trim()));
      if (Object.keys(made.links).length) keepInvitations(made.game, made.links);
      go(made.address);
    } catch (error) {
      toast(refusalText(error), 'bad');
    } finally {
      begin.disabled = false;
    }
  };
  return el(
    'form',
    { class: 'card new', onsubmit: submit },
    el('h1', {}, say('home.title')),
    variants(chosen),
    group('opponent', say('home.opponent'), chosen.opponent, ['engine', 'here', 'link'].map((kind) => [kind, say(`home.opponent.${kind}`)]), set('opponent')),
    level,
    colour,
    el(
      'details',
      {},
      el('summary', {}, say('home.more')),
      el(
        'div',
        { class: 'more' },
        field(say('home.clock'), select(TIMES.map((time) => [time, time ? clockName(time) : say('home.no-clock')]), chosen.time, set('time'))),
        field(say('home.irregular'), select(['refuse', 'rectify', 'ask'].map((one) => [one, say(`home.irregular.${one}`)]), chosen.irregular, set('irregular'))),
        field(say('home.name'), name),
        field(say('home.fen'), fen),
      ),
    ),
    begin,
  );
}

function order(chosen, name, fen) {
  const side = chosen.opponent === 'here' ? 'W' : chosen.colour === '?' ? (Math.random() < 0.5 ? 'W' : 'B') : chosen.colour;
  const own = { kind: 'here', name: chosen.opponent === 'here' ? '' : name };
  const other = chosen.opponent === 'engine' ? { kind: 'engine', level: chosen.level } : { kind: chosen.opponent };
  const [white, black] = side === 'W' ? [own, other] : [other, own];
  return { variant: chosen.variant, white, black, time: chosen.time, fen, irregular: chosen.irregular };
}

function clockName(time) {
  const [minutes, added] = time.split(':00+');
  return say('home.clock-of', { minutes, added });
}

function variants(chosen) {
  const one = (variant) =>
    el(
      'label',
      { class: 'variant' },
      el('input', { type: 'radio', name: 'variant', value: variant.name, checked: variant.name === chosen.variant, onchange: () => (chosen.variant = variant.name) }),
      el('span', { class: 'picture', 'aria-hidden': 'true' }, miniature(variant, variant.start)),
      el('span', {}, variantTitle(variant)),
    );
  const order = [...server.variants].sort((a, b) => (b.name === USUAL.variant) - (a.name === USUAL.variant));
  const cards = order.map(one);
  requestAnimationFrame(() => cards.find((card) => card.firstChild.checked)?.scrollIntoView({ block: 'nearest', inline: 'center' }));
  return el('fieldset', {}, el('legend', {}, say('home.game')), el('div', { class: `variants${cards.length > MANY ? ' many' : ''}` }, cards));
}

function group(name, legend, value, choices, changed) {
  const one = ([key, text]) =>
    el('label', {}, el('input', { type: 'radio', name, value: key, checked: key === value, onchange: () => changed(key) }), el('span', {}, text));
  return el('fieldset', { class: 'choice' }, el('legend', {}, legend), el('div', {}, choices.map(one)));
}

function levels(chosen) {
  const [least, most] = server.levels;
  const text = () => say('home.level-of', { level: chosen.level, word: say(`home.level.${NAMED_LEVELS.filter((from) => from <= chosen.level).length - 1}`) });
  const shown = el('output', {}, text());
  const slider = el('input', {
    type: 'range',
    min: least,
    max: most,
    value: chosen.level,
    'aria-valuetext': text(),
    oninput: () => {
      chosen.level = Number(slider.value);
      shown.textContent = text();
      slider.setAttribute('aria-valuetext', text());
    },
  });
  slider.value = chosen.level; // after its limits are known
  return el('label', {}, el('span', {}, say('home.level'), ' ', shown), slider);
}

const field = (label, input) => el('label', { class: 'field' }, label, input);

const select = (choices, value, changed) =>
  el('select', { onchange: (event) => changed(event.target.value) }, choices.map(([key, text]) => el('option', { value: key, selected: key === value }, text)));

// What is played.

async function refresh(list) {
  let games;
  try {
    ({ games } = await ask('/api/games'));
  } catch (error) {
    return void fill(list, el('p', { class: 'quiet' }, refusalText(error)));
  }
  const shape = JSON.stringify(games);
  if (list.dataset.shape === shape) return;
  list.dataset.shape = shape;
  const own = new Set(remembered('games').split(' '));
  const parts = [
    ['home.own', games.filter(({ game, over }) => own.has(game) && !over)],
    ['home.watch', games.filter(({ game, over }) => !own.has(game) && !over)],
    ['home.over', games.filter(({ over }) => over).slice(0, 12)],
  ];
  const focused = document.activeElement?.getAttribute?.('href');
  fill(
    list,
    parts.map(([word, some]) => some.length > 0 && [el('h2', {}, say(word)), el('ul', { class: 'cards' }, some.map(entry))]),
    !games.length && [el('h2', {}, say('home.watch')), el('p', { class: 'quiet' }, say('home.none'))],
    server.addresses.length > 0 && el('p', { class: 'quiet' }, say('home.lan'), ' ', server.addresses.map((address) => el('code', {}, address))),
  );
  if (focused) list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

function entry({ game, variant: name, white, black, ply, cells, over, result, watchers }) {
  const variant = variantNamed(name);
  const about = [over ? result : say('home.moves', { n: ply }), watchers > 0 && say('game.watchers', { n: watchers })].filter(Boolean).join(' · ');
  return el(
    'li',
    {},
    el(
      'a',
      { class: 'card entry', href: `/g/${game}` },
      el('span', { class: 'picture', 'aria-hidden': 'true' }, miniature(variant, cells)),
      el('span', { class: 'texts' }, el('b', {}, el('bdi', {}, listedName(white, 'W')), ' – ', el('bdi', {}, listedName(black, 'B'))), el('span', { class: 'quiet' }, variantTitle(variant)), el('span', { class: 'quiet' }, about)),
    ),
  );
}
