// Elements without innerHTML: text of people can never become markup.

const SVG = 'http://www.w3.org/2000/svg';

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'selected') node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element: `el('p', {class: 'x', onclick: f}, 'text', other)`; null and false children are left out. */
export const el = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);

/** An element of a drawing. */
export const svg = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

/** Put these children in the place of those there. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A button with a text; `more` are further attributes. */
export const button = (text, onclick, more = {}) => el('button', { type: 'button', onclick, ...more }, text);

/** A drawing of 24 units for buttons, by its path. */
export const icon = (d) =>
  svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, svg('path', { d }));

/** A button that shows a drawing and is read by its name. */
export const iconButton = (d, name, onclick, more = {}) =>
  el('button', { type: 'button', class: 'plain', 'aria-label': name, title: name, onclick, ...more }, icon(d));

export const ICONS = {
  first: 'M18 6l-7 6 7 6zM7 6v12',
  back: 'M16 6l-8 6 8 6z',
  next: 'M8 6l8 6-8 6z',
  last: 'M6 6l7 6-7 6zM17 6v12',
  flip: 'M8 4v15M8 4L4 8M8 4l4 4M16 20V5M16 20l-4-4M16 20l4-4',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v7h14v-7',
  save: 'M12 4v11M8 11l4 4 4-4M5 16v4h14v-4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  close: 'M6 6l12 12M18 6L6 18',
};

/** Remembered in this browser, where it lets us; `usual` where nothing is. */
export function remembered(name, usual = '') {
  try {
    return localStorage.getItem(name) ?? usual;
  } catch {
    return usual; // storage is switched off: nothing is remembered
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    /* storage is switched off or full: it holds for this page only */
  }
}
