// What the page says, in the language of whoever reads it. A key that a language lacks is said in English.

import { remember, remembered } from './dom.js';

/** The languages there are, by the names that their speakers give them. */
export const LANGUAGES = { en: 'English', tr: 'Türkçe', pt: 'Português', nl: 'Nederlands', ru: 'Русский' };

let words = {};
let plural = new Intl.PluralRules('en');
export let language = 'en';

/** The language that was chosen, else the first of the browser's that there is. */
export function preferred() {
  const chosen = remembered('language');
  const wanted = [chosen, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((code) => code in LANGUAGES) ?? 'en';
}

/** Load a language; `say` speaks it from then on. */
export async function loadWords(code = preferred()) {
  const read = async (name) => (await fetch(`/words/${name}.json`)).json();
  const [own, english] = await Promise.all([read(code), code === 'en' ? {} : read('en')]);
  words = { ...english, ...own };
  language = code;
  plural = new Intl.PluralRules(code);
  document.documentElement.lang = code;
}

export function choose(code) {
  remember('language', code);
}

/**
 * The words of a key; `{name}` stands for a value. `{n|one move|{n} moves}` chooses by the number n, with as many forms as the
 * language has (one, few, many, other; the last for all that are missing).
 */
export function say(key, values = {}) {
  const text = words[key];
  if (text === undefined) return key;
  return text
    .replace(/\{(\w+)\|((?:[^{}]|\{\w+\})*)\}/g, (_, name, forms) => form(forms.split('|'), values[name]))
    .replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/** Whether there are words for a key. */
export const known = (key) => key in words;

function form(forms, number) {
  const categories = plural.resolvedOptions().pluralCategories;
  const order = ['zero', 'one', 'two', 'few', 'many', 'other'].filter((name) => categories.includes(name));
  const place = order.indexOf(plural.select(Number(number)));
  return forms[Math.min(place < 0 ? forms.length - 1 : place, forms.length - 1)];
}

/** The name of a variant. */
export function variantTitle(variant) {
  const key = `variant.${variant.name}`;
  return known(key) ? say(key) : variant.title;
}

/** White or Black. */
export const sideName = (side) => say(side === 'W' ? 'side.white' : 'side.black');
