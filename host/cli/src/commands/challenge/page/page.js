// A game between a person and a backend: events bring what is shown, commands are posted.
"use strict";

const get = id => document.getElementById(id);
const token = location.hash.slice(1);
let shown = null; // The latest event.
let choice = null; // The legal move at which the person aims.
let place = null; // Its place, kept for the next move.
let since = 0; // When the opponent began to think.
let boards = []; // The cells of each board, as elements.

function make(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function post(command) {
  fetch("/command", { method: "POST", headers: { "x-lockstep-token": token }, body: JSON.stringify(command) })
    .then(async got => { if (!got.ok) get("note").textContent = await got.text(); }, () => {});
}

const falls = () => shown.aim === "piece";
const columnsOf = ({ cells }) => cells.map(cell => cell % shown.boards[0].picture.columns);

// The legal move nearest to a place.
function nearest([x, y]) {
  const weight = shown.aim === "cell" ? 1 : 1000;
  const far = ({ at }) => Math.abs(at[0] - x) + weight * Math.abs(at[1] - y);
  return shown.choices.toSorted((a, b) => far(a) - far(b))[0] || null;
}

// The legal move of a cell that is pressed: a piece lies with its middle there.
function choiceAt(index) {
  const { picture: { columns } } = shown.boards[0];
  const x = index % columns;
  if (shown.aim === "cell") return shown.choices.find(({ cells }) => cells.includes(index));
  if (shown.aim === "column") return shown.choices.find(({ at }) => at[0] === x);
  const far = one => Math.abs((Math.min(...columnsOf(one)) + Math.max(...columnsOf(one))) / 2 - x);
  return shown.choices.filter(({ at }) => at[1] === choice?.at[1]).toSorted((a, b) => far(a) - far(b))[0];
}

function aim(to, hasFocus = false) {
  if (!to) return;
  choice = to;
  paint();
  if (falls()) get("live").textContent = `columns ${Math.min(...columnsOf(to))} to ${Math.max(...columnsOf(to))}`;
  else if (hasFocus) boards[0][to.cells[0]].focus();
}

function step(key) {
  if (!choice) return;
  const [x, y] = choice.at;
  const ahead = {
    ArrowLeft: ({ at }) => at[1] === y ? x - at[0] : 0,
    ArrowRight: ({ at }) => at[1] === y ? at[0] - x : 0,
    ArrowUp: ({ at }) => falls()
      ? (at[1] !== y ? 1000 * ((at[1] - y + 4) % 4) + Math.abs(at[0] - x) : 0)
      : at[0] === x ? y - at[1] : 0,
    ArrowDown: ({ at }) => at[0] === x ? at[1] - y : 0,
  }[key];
  const all = shown.choices.filter(one => ahead(one) > 0);
  aim(all.toSorted((a, b) => ahead(a) - ahead(b))[0], true);
}

function play(one) {
  if (!one) return;
  place = one.at;
  post({ play: { at: one.at, moves: shown.moves } });
}

// A touch aims a piece first, and drops it when it is repeated.
function press(index) {
  if (!token) return;
  const at = choiceAt(index);
  if (falls() && at !== choice) aim(at);
  else play(at);
}

function newGame(first) {
  const isRunning = !shown.is_over && shown.moves > 1;
  if (!isRunning || confirm("The game is not over, and will not count. Leave it?")) post({ new: { first } });
}

// Makes the elements of the boards.
function build() {
  const { picture: { columns, colours } } = shown.boards[0];
  const wide = shown.boards.length > 1 ? 1.65 : 1;
  const size = { "--columns": columns, "--rows": colours.length / columns, "--wide": wide };
  for (const [name, value] of Object.entries(size)) get("boards").style.setProperty(name, value);
  const kind = { cell: "cells stones points", column: "cells stones columns", piece: "cells" }[shown.aim];
  boards = shown.boards.map((_, index) => [...colours].map((_, cell) => {
    const made = falls() ? make("span", {}) : make("button", {});
    if (index > 0) return made;
    made.addEventListener("click", () => press(cell));
    made.addEventListener("pointerenter", event => event.pointerType === "mouse" && aim(choiceAt(cell)));
    return made;
  }));
  // Each row has its number before it; those of the columns are below the last row.
  const number = text => make("span", { class: "number", "aria-hidden": true }, text);
  const numbers = [number(""), ...Array.from({ length: columns }, (_, x) => number(x))];
  const rows = cells => cells.flatMap((cell, index) =>
    index % columns ? [cell] : [number(rowOf(index, shown.boards[0].picture)), cell]);
  get("boards").replaceChildren(...boards.map(cells => make("figure", {}, make("figcaption", {}),
    make("div", { class: kind, role: falls() ? "img" : "group" }, ...rows(cells), ...numbers.map(one => one.cloneNode(true))))));
}

function rowOf(index, { columns, colours, bottom_up }) {
  const y = Math.floor(index / columns);
  return bottom_up ? colours.length / columns - 1 - y : y;
}

function labelOf(index, picture, isMarked) {
  const sign = [...picture.signs][index];
  const stone = shown.seats.find(seat => seat[0].toUpperCase() === sign) || "empty";
  const mark = shown.is_over ? ", in the line that wins" : ", last move";
  const advised = shown.advised.includes(index) ? ", advised" : "";
  return `column ${index % picture.columns}, row ${rowOf(index, picture)}, ${stone}${isMarked ? mark : ""}${advised}`;
}

// The heights of the columns of a board that is filled from its bottom.
function heights({ columns, colours }) {
  const rows = colours.length / columns;
  const height = x => rows - [...Array(rows).keys(), rows].find(y => y === rows || colours[y * columns + x] !== ".");
  return [...Array(columns).keys()].map(height).join(" ");
}

function paint() {
  shown.boards.forEach(({ name, picture }, index) => {
    const isOwn = index === 0;
    const open = new Set(isOwn && token ? shown.choices.flatMap(({ cells }) => cells) : []);
    const aimed = isOwn && token && choice ? choice.cells : [];
    const colour = { grey: "a", black: "k" }[shown.colour] || (shown.colour || ".")[0];
    boards[index].forEach((cell, at) => {
      const isMarked = picture.marked.includes(at);
      const classes = ["cell", aimed.includes(at) ? colour : picture.colours[at]];
      if (aimed.includes(at)) classes.push("aimed");
      if (isMarked && !falls()) classes.push("last");
      if (isOwn && shown.advised.includes(at)) classes.push("advised");
      if (open.has(at) || (isOwn && token && shown.choices.length && shown.aim !== "cell")) classes.push("open");
      cell.className = classes.join(" ");
      if (falls()) return;
      cell.setAttribute("aria-label", labelOf(at, picture, isMarked));
      cell.setAttribute("aria-disabled", !(choiceAt(at) && token));
      cell.tabIndex = at === (aimed[0] ?? 0) ? 0 : -1;
    });
    const grid = get("boards").children[index].lastChild;
    grid.setAttribute("aria-label", falls() ? `${name}, heights ${heights(picture)}` : "board");
    get("boards").children[index].firstChild.textContent = [falls() ? name : "", ...picture.notes].filter(Boolean).join(", ");
  });
}

function status() {
  const waited = Math.floor((Date.now() - since) / 1000);
  get("state").textContent = shown.state + (shown.is_thinking && waited > 0 ? ` (${waited} s)` : "");
}

function show(event) {
  const isNew = !shown || shown.moves !== event.moves || shown.boards.length !== event.boards.length;
  const had = boards[0]?.includes(document.activeElement);
  if (event.is_thinking && !shown?.is_thinking) since = Date.now();
  const turn = choice?.at;
  shown = event;
  if (!boards.length) build();
  if (isNew || !turn) {
    const { columns, colours } = shown.boards[0].picture;
    const middle = falls() ? [Math.floor((columns - 1) / 2), 0]
      : [Math.floor(columns / 2), shown.aim === "cell" ? Math.floor(colours.length / columns / 2) : 0];
    choice = nearest(falls() ? middle : place || middle);
  } else choice = nearest(turn);
  paint();
  if (had && choice) boards[0][choice.cells[0]].focus();
  status();
  document.title = get("title").textContent = shown.title;
  get("note").textContent = shown.note;
  get("rules").textContent = shown.rules;
  const plays = token && !shown.is_over;
  get("advice").hidden = !shown.adviser || !plays;
  get("advice").textContent = `Advice of ${shown.adviser}`;
  get("falling").hidden = !falls() || !plays;
  get("how").textContent = {
    cell: "Press a cell to put your stone there.",
    column: "Press a column to drop your stone there.",
    piece: matchMedia("(hover: hover)").matches ? "Click a column to drop the piece there."
      : "Tap a column to aim, and again to drop the piece there.",
  }[shown.aim];
  for (const id of ["back", "how"]) get(id).hidden = !plays;
  for (const id of ["first", "second"]) get(id).hidden = !token;
  get("watching").hidden = !!token;
  const [header, ...rows] = shown.statistics;
  get("record").hidden = !rows.length;
  const row = (cells, name) => make("tr", {}, ...cells.slice(2).map(cell => make(name, {}, cell)));
  get("statistics").replaceChildren(row(header, "th"), ...rows.map(cells => row(cells, "td")));
  if (shown.has_ended) {
    events.close();
    for (const button of document.querySelectorAll("#panel button")) button.disabled = true;
  }
}

const actions = {
  ArrowLeft: () => step("ArrowLeft"), ArrowRight: () => step("ArrowRight"), ArrowUp: () => step("ArrowUp"),
  ArrowDown: () => shown.aim === "cell" ? step("ArrowDown") : play(choice),
  Enter: () => play(choice), " ": () => play(choice),
  u: () => post("take_back"), a: () => post("advice"),
  1: () => newGame(true), 2: () => newGame(false),
  "?": () => get("help").showModal(),
};
const buttons = {
  left: "ArrowLeft", right: "ArrowRight", turn: "ArrowUp", drop: "Enter",
  back: "u", advice: "a", first: "1", second: "2", keys: "?",
};
for (const [id, key] of Object.entries(buttons)) get(id).addEventListener("click", () => shown && actions[key]());
// After a press with the mouse, Enter plays again.
addEventListener("click", ({ detail, target }) => detail > 0 && target.closest("button")?.blur());
addEventListener("keydown", event => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  // Enter and space press a button that has the focus.
  const isOther = target.closest("dialog") || ("Enter ".includes(key) && target.closest("button"));
  if (!shown || shown.has_ended || ctrlKey || altKey || metaKey || isOther || !actions[key]) return;
  if (!token && key !== "?") return;
  event.preventDefault();
  actions[key]();
});

const events = new EventSource("/events");
events.onmessage = ({ data }) => show(JSON.parse(data));
// The buttons of a board press keys.
events.addEventListener("press", ({ data }) => token && !shown.has_ended && actions[data]());
events.onerror = () => {
  get("state").textContent = "Connection lost, trying again";
};
setInterval(() => shown && !shown.has_ended && shown.is_thinking && events.readyState === 1 && status(), 1000);
show(JSON.parse(get("begin").textContent));
