// Boards to click through: buttons, arrow keys, the list of moves, the course of the game.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const KINDS = { w: "White men", W: "White kings", b: "Black men", B: "Black kings" };
let active = null; // the game that the keys are for

function element(name, attributes = {}, space = null) {
  const made = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function inWords(cells, names) {
  const found = {};
  cells.forEach((letter, square) => (found[letter] ||= []).push(names[square]));
  return Object.keys(KINDS).filter((letter) => found[letter])
    .map((letter) => `${KINDS[letter]} ${found[letter].join(" ")}`).join("; ");
}

function unfold(game) {
  const data = JSON.parse(game.querySelector("script").textContent);
  const cells = [[...data.cells]];
  for (const move of data.moves) {
    const next = [...cells[cells.length - 1]];
    for (let i = 0; i < move.c.length; i += 2) next[move.c[i]] = move.c[i + 1];
    cells.push(next);
  }
  const last = data.moves.length;
  const board = game.querySelector(".board");
  const course = game.querySelector(".course");
  const nav = element("nav", { "aria-label": "Moves" });
  const said = element("div", { class: "said", "aria-live": "polite" });
  game.querySelector(".controls").append(nav, said);
  let ply = 0, flipped = Boolean(data.flipped);

  function draw() {
    const key = `${game.dataset.variant} ${flipped ? "flipped" : "usual"}`;
    const empty = document.querySelector(`template[data-board="${key}"]`);
    const places = JSON.parse(empty.dataset.places);
    const drawing = empty.content.firstElementChild.cloneNode(true);
    drawing.setAttribute("aria-label", inWords(cells[ply], JSON.parse(empty.dataset.names)));
    const move = data.moves[ply - 1];
    for (const square of move ? [move.f, move.t] : []) {
      const [x, y] = places[square];
      drawing.append(element("rect", { class: "tk-last", x: x - 20, y: y - 20, width: 40, height: 40 }, SVG));
    }
    cells[ply].forEach((letter, square) => {
      if (letter === "e") return;
      const [x, y] = places[square];
      drawing.append(element("use", { href: `#tk-${letter}`, x, y }, SVG));
    });
    board.replaceChildren(drawing);
  }

  function describe() {
    const move = data.moves[ply - 1], next = data.moves[ply];
    const parts = [];
    if (move && move.w) parts.push(`White wins ${move.w[0]} %, draw ${move.w[1]} %, loses ${move.w[2]} %.`);
    if (move && move.r) parts.push(`${move.r}.`);
    if (next && next.b) parts.push(`Best now: ${next.b}` + (next.d ? ` (depth ${next.d})` : ""));
    const title = element("b"), rest = element("span");
    title.textContent = move ? [move.n, move.e].filter(Boolean).join("  ") : ["Start", data.start].filter(Boolean).join("  ");
    rest.textContent = parts.join(" ");
    said.replaceChildren(title, " ", rest);
    if (move && move.k) {
      const comment = element("q", { dir: "auto" });
      comment.textContent = move.k;
      said.append(" ", comment);
    }
  }

  function mark() {
    for (const item of game.querySelectorAll(".m.now")) {
      item.classList.remove("now");
      item.removeAttribute("aria-current");
    }
    const item = game.querySelector(`.m[data-ply="${ply}"]`);
    if (item) {
      item.classList.add("now");
      item.setAttribute("aria-current", "step");
      const list = item.parentElement;
      const top = item.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30)
        list.scrollTop = top - list.clientHeight / 2;
    }
    if (course) {
      const x = ply ? ((ply - 0.5) * course.viewBox.baseVal.width) / last : 0;
      for (const end of ["x1", "x2"]) course.querySelector(".here").setAttribute(end, x);
    }
  }

  const viewer = { go, by: (steps) => go(ply + steps), turn: () => { flipped = !flipped; draw(); } };
  function go(to) {
    ply = Math.max(0, Math.min(to, last));
    active = viewer;
    draw();
    describe();
    mark();
  }

  for (const [sign, title, act] of [
    ["«", "to the start (Home)", () => go(0)],
    ["‹", "back (left arrow)", () => go(ply - 1)],
    ["›", "forward (right arrow)", () => go(ply + 1)],
    ["»", "to the end (End)", () => go(last)],
    ["↻", "turn the board (F)", viewer.turn],
  ]) {
    const button = element("button", { type: "button", title, "aria-label": title });
    button.textContent = sign;
    button.addEventListener("click", act);
    nav.append(button);
  }
  game.addEventListener("click", (event) => {
    const item = event.target.closest(".m"), figure = event.target.closest("figure");
    if (item) go(Number(item.dataset.ply));
    else if (figure) {
      go(Number(figure.dataset.ply) - 1);
      board.scrollIntoView({ block: "nearest" });
    } else if (course && course.contains(event.target)) {
      const box = course.getBoundingClientRect();
      go(Math.ceil(((event.clientX - box.left) / box.width) * last) || 1);
    }
  });
  game.addEventListener("focusin", () => { active = viewer; });
  return viewer;
}

const viewers = new Map(); // of the games that have been unfolded

function show(game, ply) {
  const fold = game.matches("details") ? game : game.querySelector("details");
  fold.open = true;
  if (!viewers.has(game)) viewers.set(game, unfold(game));
  viewers.get(game).go(ply);
}

for (const game of document.querySelectorAll(".game")) {
  const fold = game.matches("details") ? game : game.querySelector("details");
  const toggled = () => {
    if (fold.open && !viewers.has(game)) show(game, 0);
    else if (!fold.open && fold !== game && viewers.has(game)) viewers.get(game).go(0); // a puzzle again
  };
  fold.addEventListener("toggle", toggled);
  toggled();
}

function openAddressed() { // #g2 is the second game, #g2.17 its position after 17 moves
  const [name, ply] = location.hash.slice(1).split(".");
  const game = name && document.getElementById(name);
  if (!game || (!ply && !game.matches("details"))) return;
  show(game, Number(ply) || 0);
  const box = game.querySelector(".board").getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) game.scrollIntoView();
}
window.addEventListener("hashchange", openAddressed);
openAddressed();

document.addEventListener("keydown", (event) => {
  if (!active || event.altKey || event.ctrlKey || event.metaKey || event.target.closest(".wide")) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 };
  if (event.key in steps) active.by(steps[event.key]);
  else if (event.key === "f" || event.key === "F") active.turn();
  else return;
  event.preventDefault();
});
