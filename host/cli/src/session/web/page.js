// The page of a session or a record: events bring its progress; other decisions are fetched by number.
"use strict";

const get = id => document.getElementById(id);
const format = n => n.toLocaleString("en");
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = 250; // Milliseconds for a decision of a record.
const CALM = 1000; // Least milliseconds between two pictures if motion is to be reduced.
const MOST = 5000; // Most decisions that are kept.
const kept = new Map(); // Decisions by number.
const rates = []; // Times and numbers of decisions in the last two seconds.
let about = null; // The latest event.
let divergent = []; // Numbers of the divergences, ascending.
let at = 0; // Number of the decision that is shown; 0 for none.
let wanted = 0; // Number of the decision to show.
let isPlaying = true; // A live session: the latest decision is shown.
let isLost = false; // The server is gone.
let missing = 0; // Number of a decision that the server does not keep.
let isFetching = false;
let announced = 0;
let drawn = 0;

function make(name, attributes, ...children) {
  const isSvg = ["svg", "rect", "path", "text"].includes(name);
  const made = isSvg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const marked = ({ name, differs }) => differs ? `≠\u00a0${name}` : name;
const differing = differs => differs ? { class: "differs" } : {};

function board({ name, picture, differs }, fields) {
  const { columns, signs, colours, marked: chosen, bottom_up } = picture;
  const rows = colours.length / columns || 0;
  const place = index => [index % columns, Math.floor(index / columns)];
  const named = index => {
    const [x, y] = place(index);
    return `column ${x} row ${bottom_up ? rows - 1 - y : y}`;
  };
  const label = `board of ${name}, ${[...colours].filter(c => c !== ".").length} cells in use, chosen: `
    + (chosen.map(named).join(", ") || "none") + (differs ? `; differs in ${fields.join(", ")}` : "");
  const svg = make("svg", { class: "board", viewBox: `-12 -1 ${10 * columns + 13} ${10 * rows + 13}`, role: "img", "aria-label": label });
  svg.append(make("rect", { class: "field", width: 10 * columns, height: 10 * rows }));
  let lines = "";
  for (let x = 0; x <= columns; x++) lines += `M${10 * x} 0v${10 * rows}`;
  for (let y = 0; y <= rows; y++) lines += `M0 ${10 * y}h${10 * columns}`;
  svg.append(make("path", { class: "grid", d: lines }));
  for (let x = 0; x < columns; x++) svg.append(make("text", { class: "axis", x: 10 * x + 5, y: 10 * rows + 9 }, x));
  for (let y = 0; y < rows; y++) svg.append(make("text", { class: "axis row", x: -3, y: 10 * y + 7 }, bottom_up ? rows - 1 - y : y));
  const used = [...colours].flatMap((colour, index) => colour === "." ? [] : [[colour, index, ...place(index)]]);
  for (const [colour, , x, y] of used) svg.append(make("rect", { class: colour, x: 10 * x, y: 10 * y, width: 10, height: 10 }));
  const marks = chosen.map(place).map(([x, y]) => `M${10 * x + 1} ${10 * y + 1}h8v8h-8z`);
  for (const name of ["mark under", "mark"]) svg.append(make("path", { class: name, d: marks.join("") }));
  // Grey, black and white differ without letters.
  for (const [colour, index, x, y] of columns > 40 ? [] : used) {
    if (!"akw".includes(colour)) svg.append(make("text", { class: "letter", x: 10 * x + 5, y: 10 * y + 6.5 }, [...signs][index]));
  }
  return make("figure", differing(differs), make("figcaption", {}, marked({ name, differs })), svg);
}

function draw(shown) {
  const { boards, rows, head, number } = shown;
  at = number;
  get("head").textContent = head.join(", ");
  const fields = index => rows.filter(({ values }) => values[index]?.[1]).map(({ name }) => name);
  const size = { "--columns": Math.min(boards[0]?.picture.columns || 10, 24), "--boards": boards.length };
  for (const [name, value] of Object.entries(size)) get("boards").style.setProperty(name, value);
  get("boards").replaceChildren(...boards.map((one, index) => board(one, fields(index))));
  get("notes").textContent = (boards[0]?.picture.notes || []).join(", ");
  const cells = ([value, differs]) => make("td", differing(differs), differs ? `≠\u00a0${value}` : value);
  const known = rows.filter(({ values }) => values.some(([value]) => value !== "-"));
  const lines = known.map(({ name, values }) =>
    make("tr", {}, make("th", { scope: "row" }, name.replaceAll("_", " ")), ...values.map(cells)));
  const names = boards.map(one => make("th", { scope: "col", class: "n" }, marked(one)));
  get("fields").replaceChildren(...(lines.length ? [make("tr", {}, make("th", { scope: "col" }, "field"), ...names)] : []), ...lines);
}

function state() {
  const { progress, is_recorded } = about;
  if (wanted === missing) return `decision ${format(wanted)} is not kept any more`;
  if (is_recorded) return isPlaying ? "playing" : "record";
  if (progress.is_over) return "ended";
  if (isLost) return "connection lost, trying again";
  return isPlaying ? ["live", progress.searching].filter(Boolean).join(", ") : "paused here";
}

const link = n => make("a", { href: `#d${n}` }, `decision ${format(n)}`);

// Shows progress, and which buttons have an effect.
function status() {
  if (!about) return;
  const { progress: { decisions, divergences, first, is_over }, is_recorded, title } = about;
  get("state").textContent = state();
  get("title").textContent = document.title = `lockstep ${title}`;
  const [[then, before], [now, latest]] = [rates[0], rates.at(-1)];
  const rate = now > then ? Math.round(1000 * (latest - before) / (now - then)) : 0;
  const count = make("strong", divergences ? { class: "bad" } : {}, divergences ? `≠ ${format(divergences)} diverged` : "none diverged");
  // A link that has the focus stays.
  if (!get("counts").contains(document.activeElement)) {
    get("counts").replaceChildren(...(at ? [link(at), ` of ${format(decisions)}`] : []),
      is_over ? ", " : `, ${format(rate)} a second, `, count,
      ...(divergent.length ? [", the last at ", link(divergent.at(-1))] : []));
  }
  Object.assign(get("scrub"), { min: first, max: decisions, value: wanted });
  get("scrub").setAttribute("aria-valuetext", `${wanted} of ${decisions}`);
  get("play").textContent = isPlaying ? "Pause" : "Play";
  get("play").disabled = is_over && !is_recorded;
  get("back").disabled = wanted <= first;
  get("step").disabled = wanted >= decisions;
  get("before").disabled = !divergent.some(n => n < wanted);
  get("next").disabled = !divergent.some(n => n > wanted);
  // Decisions that come by themselves are announced every three seconds.
  if (at && (!isPlaying || Date.now() - announced > 3000)) {
    announced = Date.now();
    get("live").textContent = get("head").textContent + (divergent.includes(at) ? ", diverged" : "");
  }
}

function keep(shown) {
  kept.set(shown.number, shown);
  if (kept.size > MOST) kept.delete(kept.keys().next().value);
}

// Shows the wanted decision as soon as it is there.
async function show() {
  if (wanted && wanted !== missing && !kept.has(wanted) && !isFetching) {
    const asked = wanted;
    isFetching = true;
    const got = await fetch(`/decision/${asked}`).then(got => got.ok ? got.json() : null, () => null);
    isFetching = false;
    if (got) keep(got);
    else missing = asked;
    if (wanted !== asked) return show();
  }
  if (wanted !== at && kept.has(wanted)) draw(kept.get(wanted));
  status();
}

function go(n, isOn = false) {
  if (!about) return;
  isPlaying = isOn;
  wanted = Math.min(Math.max(n, about.progress.first), about.progress.decisions);
  show();
  history.replaceState(null, "", isOn && !about.is_recorded ? location.pathname : `#d${wanted}`);
}

function toggle() {
  const { progress: { first, decisions, is_over }, is_recorded } = about;
  if (isPlaying) go(wanted);
  else if (is_recorded) go(wanted < decisions ? wanted : first, true);
  else if (!is_over) go(decisions, true);
}

function fromLink() {
  const number = /^#d(\d+)$/.exec(location.hash)?.[1];
  if (number) go(Number(number));
  return number;
}

const actions = {
  " ": toggle,
  ArrowLeft: () => go(wanted - 1),
  ArrowRight: () => go(wanted + 1),
  d: () => go(divergent.find(n => n > wanted) ?? wanted),
  D: () => go(divergent.findLast(n => n < wanted) ?? wanted),
  // The first ones of a long session may be gone before they are fetched.
  Home: () => go(about.progress.first > 1 ? about.progress.first + 1000 : 1),
  End: () => go(Infinity, !about.is_recorded && !about.progress.is_over),
  "?": () => get("help").showModal(),
};
const buttons = { play: " ", back: "ArrowLeft", step: "ArrowRight", before: "D", next: "d", keys: "?" };
for (const [id, key] of Object.entries(buttons)) {
  get(id).title = `key: ${{ " ": "space", ArrowLeft: "←", ArrowRight: "→" }[key] || key}`;
  get(id).addEventListener("click", () => about && actions[key]());
}
addEventListener("keydown", event => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  // The slider has keys of its own, and a space presses a button.
  const isOther = target.closest("dialog") || (key === " " ? target.closest("button") : key.length > 1 && target.closest("input"));
  if (!about || ctrlKey || altKey || metaKey || isOther || !actions[key]) return;
  event.preventDefault();
  actions[key]();
});
get("scrub").addEventListener("input", event => go(Number(event.target.value)));
addEventListener("hashchange", fromLink);

const events = new EventSource("/events");
events.onmessage = ({ data }) => {
  const [event, isFirst, now] = [JSON.parse(data), !about, Date.now()];
  about = event.about;
  isLost = false;
  divergent = [...new Set([...divergent, ...about.divergent])];
  event.decisions.forEach(keep);
  rates.push([now, about.progress.decisions]);
  while (now - rates[0][0] > 2000 && rates.length > 2) rates.shift();
  // After the last event a live session's server ends.
  if (about.progress.is_over) events.close();
  if (isFirst && fromLink()) return;
  if (isFirst && about.is_recorded) return go(0);
  if (isCalm.matches && now - drawn < CALM && !about.progress.is_over) return;
  drawn = now;
  if (isPlaying) wanted = about.progress.decisions;
  show();
};
events.onerror = () => {
  isLost = true;
  status();
};

function play() {
  if (about?.is_recorded && isPlaying && wanted === at) go(wanted + 1, wanted + 1 < about.progress.decisions);
  setTimeout(play, isCalm.matches ? CALM : PACE);
}
play();
