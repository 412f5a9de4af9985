// What every page uses of the frame around it: speech, short notices, the way to another page, what the server offers.

import { el } from './dom.js';
import { known, language, say } from './words.js';

const LINES_SPOKEN = 6;

/** What `/api/variants` says. */
export const server = { variants: [], levels: [0, 20], watch: false, addresses: [] };

export const variantNamed = (name) => server.variants.find((variant) => variant.name === name);

/** Say something to those who cannot see it. Every call is a line of its own, so the same text twice is read twice. */
export function speak(text) {
  if (!text) return;
  const spoken = document.getElementById('spoken');
  spoken.append(el('p', {}, text));
  while (spoken.children.length > LINES_SPOKEN) spoken.firstChild.remove();
}

/** Show one line for some seconds, and read it. */
export function toast(text, kind = '') {
  const toasts = document.getElementById('toasts');
  for (const old of [...toasts.children]) if (old.textContent === text) old.remove();
  const line = el('p', { class: `toast ${kind}`, onclick: () => line.remove() }, text);
  toasts.append(line);
  speak(text);
  setTimeout(() => line.remove(), Math.max(4000, text.length * 70));
}

/** The words for a refusal; what is no refusal is a fault of ours and goes on. The server's own words are English. */
export function refusalText(error) {
  if (error.code === undefined) throw error;
  const own = error.code === 'offline' || (language !== 'en' && known(`error.${error.code}`));
  return own ? say(`error.${error.code}`) : sentence(error.message);
}

/** With a capital at its beginning, and a full stop. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');

/** Go to an address of ours. */
export function go(address) {
  history.pushState(null, '', address);
  scrollTo(0, 0);
  dispatchEvent(new PopStateEvent('popstate'));
}
