// Unfolds a game with a board to click through: buttons, arrow keys, the list of moves, the course of the game.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
let active = null; // the game that the keys are for

function unfold(game) {
  const data = JSON.parse(game.querySelector("script").textContent);
  const cells = [[...data.cells]];
  for (const move of data.moves) {
    const next = [...cells[cells.length - 1]];
    for (let i = 0; i < move.c.length; i += 2) next[move.c[i]] = move.c[i + 1];
    cells.push(next);
  }
  const viewer = game.querySelector(".viewer");
  const board = document.createElement("div");
  const nav = document.createElement("nav");
  const said = document.createElement("div");
  said.className = "said";
  viewer.append(board, nav, said);
  const course = game.querySelector(".course");
  const state = { ply: 0, flipped: false, last: data.moves.length };

  function draw() {
    const kind = state.flipped ? "flipped" : "usual";
    const template = document.querySelector(`template[data-board="${game.dataset.variant} ${kind}"]`);
    const places = JSON.parse(template.dataset.places);
    const drawing = template.content.firstElementChild.cloneNode(true);
    const move = data.moves[state.ply - 1];
    for (const square of move ? [move.f, move.t] : []) {
      const [x, y] = places[square];
      const mark = document.createElementNS(SVG, "rect");
      for (const [name, value] of Object.entries({ class: "tk-last", x: x - 20, y: y - 20, width: 40, height: 40 }))
        mark.setAttribute(name, value);
      drawing.append(mark);
    }
    cells[state.ply].forEach((letter, square) => {
      if (letter === "e") return;
      const piece = document.createElementNS(SVG, "use");
      piece.setAttribute("href", `#tk-${letter}`);
      piece.setAttribute("transform", `translate(${places[square].join(" ")})`);
      drawing.append(piece);
    });
    board.replaceChildren(drawing);
  }

  function tell() {
    const move = data.moves[state.ply - 1], next = data.moves[state.ply];
    const title = document.createElement("b");
    title.textContent = move ? `${move.n}  ${move.e}` : `Start  ${data.start}`;
    const rest = document.createElement("span");
    const parts = [];
    if (move) parts.push(` White wins ${move.w[0]} %, draw ${move.w[1]} %, loses ${move.w[2]} %.`);
    if (move && move.r) parts.push(` ${move.r}.`);
    if (next && next.b) parts.push(` Best now: ${next.b}` + (next.d ? ` (depth ${next.d})` : ""));
    rest.textContent = parts.join("");
    said.replaceChildren(title, rest);
  }

  function go(ply) {
    state.ply = Math.max(0, Math.min(ply, state.last));
    active = { go, state };
    draw();
    tell();
    for (const item of game.querySelectorAll(".m.now")) item.classList.remove("now");
    const item = game.querySelector(`.m[data-ply="${state.ply}"]`);
    if (item) {
      item.classList.add("now");
      const list = item.parentElement;
      const top = item.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30)
        list.scrollTop = top - list.clientHeight / 2;
    }
    if (course) {
      const x = state.ply ? ((state.ply - 0.5) * 600) / state.last : 0;
      const here = course.querySelector(".here");
      here.setAttribute("x1", x);
      here.setAttribute("x2", x);
    }
  }

  const buttons = [
    ["«", "to the start", () => go(0)],
    ["‹", "back", () => go(state.ply - 1)],
    ["›", "on", () => go(state.ply + 1)],
    ["»", "to the end", () => go(state.last)],
    ["↻", "turn the board", () => { state.flipped = !state.flipped; draw(); }],
  ];
  for (const [sign, title, act] of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = title;
    button.setAttribute("aria-label", title);
    button.addEventListener("click", act);
    nav.append(button);
  }
  game.addEventListener("click", (event) => {
    const told = event.target.closest(".m, figure");
    if (told) {
      go(Number(told.dataset.ply) - (told.tagName === "FIGURE" ? 1 : 0));
      if (told.tagName === "FIGURE") viewer.scrollIntoView({ behavior: "smooth", block: "nearest" });
    } else if (course && course.contains(event.target)) {
      const box = course.getBoundingClientRect();
      go(Math.ceil(((event.clientX - box.left) / box.width) * state.last) || 1);
    }
  });
  go(0);
}

for (const game of document.querySelectorAll("details.game")) {
  const once = () => {
    if (game.open && !game.dataset.unfolded) {
      game.dataset.unfolded = "yes";
      unfold(game);
    }
  };
  game.addEventListener("toggle", once);
  once();
}
document.addEventListener("keydown", (event) => {
  if (!active || event.altKey || event.ctrlKey || event.metaKey) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 };
  if (event.key in steps) {
    active.go(active.state.ply + steps[event.key]);
    event.preventDefault();
  }
});
function openAddressed() {
  const game = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (game && game.tagName === "DETAILS") game.open = true;
}
window.addEventListener("hashchange", openAddressed);
openAddressed();
