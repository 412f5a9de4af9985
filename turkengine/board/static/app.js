// The page looks at its address and shows what is there. Links within are followed without loading the page anew.

import { el, fill, remember, remembered } from './dom.js';
import { LANGUAGES, choose, language, loadWords, say } from './words.js';
import { ask } from './socket.js';
import { go, refusalText, server } from './shell.js';

const PAGES = [
  [/^\/$/, () => import('./home.js')],
  [/^\/g\/([\w-]+)$/, () => import('./game.js')],
  [/^\/a(?:\/([\w-]+))?$/, () => import('./analysis.js')],
  [/^\/w$/, () => import('./watch.js')],
];
const page = document.getElementById('page');

let close = () => {};
let turn = 0;

async function show() {
  const own = ++turn;
  close();
  close = () => {};
  const found = PAGES.map(([pattern, load]) => [pattern.exec(location.pathname), load]).find(([match]) => match);
  drawTop();
  if (!found) return void fill(page, el('p', {}, say('error.no-page')));
  let module;
  try {
    module = await found[1]();
  } catch {
    return void fill(page, el('p', { class: 'error' }, say('error.no-script')));
  }
  if (own !== turn) return;
  page.className = '';
  fill(page);
  document.title = 'turkengine';
  const closing = await module.open(page, found[0][1] ?? '');
  if (own !== turn) closing?.();
  else close = closing ?? (() => {});
}

// The line at the top.

function drawTop() {
  document.getElementById('toasts').setAttribute('aria-label', say('top.notices'));
  const at = location.pathname;
  const link = (address, text, here) => el('a', { href: address, 'aria-current': here ? 'page' : null }, text);
  fill(
    document.getElementById('top'),
    el('a', { href: '/', class: 'brand' }, el('img', { src: '/static/icon.svg', alt: '', width: 24, height: 24 }), 'turkengine'),
    el(
      'nav',
      { 'aria-label': say('top.nav') },
      link('/', say('top.play'), at === '/' || at.startsWith('/g/')),
      link('/a', say('top.analyse'), at.startsWith('/a')),
      server.watch && link('/w', say('top.watch'), at === '/w'),
    ),
    el(
      'details',
      { class: 'menu', onkeydown: closeOnEscape },
      el('summary', {}, say('top.settings')),
      el(
        'div',
        {},
        selection(say('set.language'), LANGUAGES, language, async (code) => {
          choose(code);
          await loadWords(code);
          show();
        }),
        selection(say('set.theme'), named('theme', ['auto', 'light', 'dark']), remembered('theme', 'auto'), setTheme),
        selection(say('set.hand'), named('hand', ['right', 'left']), remembered('hand', 'right'), setHand),
        selection(say('set.sound'), named('sound', ['on', 'off']), remembered('sound', 'on'), (value) =>
          remember('sound', value),
        ),
      ),
    ),
  );
}

const named = (group, names) => Object.fromEntries(names.map((name) => [name, say(`set.${group}.${name}`)]));

function selection(label, options, chosen, changed) {
  const choices = Object.entries(options).map(([value, text]) => el('option', { value, selected: value === chosen }, text));
  return el('label', {}, label, el('select', { onchange: (event) => changed(event.target.value) }, choices));
}

function closeOnEscape(event) {
  if (event.key !== 'Escape') return;
  event.currentTarget.open = false;
  event.currentTarget.firstChild.focus();
}

function setTheme(value) {
  remember('theme', value);
  document.documentElement.dataset.theme = value;
}

function setHand(value) {
  remember('hand', value);
  document.documentElement.dataset.hand = value;
}

document.addEventListener('click', (event) => {
  const menu = document.querySelector('details.menu[open]');
  if (menu && !menu.contains(event.target)) menu.open = false;
  const link = event.target.closest?.('a[href]');
  const kept = !link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey;
  if (kept || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (!PAGES.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});
addEventListener('popstate', show);

async function start() {
  setTheme(remembered('theme', 'auto'));
  setHand(remembered('hand', 'right'));
  const variants = ask('/api/variants').catch((error) => error);
  await loadWords();
  const found = await variants;
  if (found instanceof Error) return void fill(page, el('p', { class: 'error' }, refusalText(found)));
  Object.assign(server, found);
  await show();
}

start();
