// A club's tables, as /events tells them, all in JSON: "state NAME", "available NAME", "log NAME", "league" and so on.

import { dieDrawing } from "/shared/dice.js";
import { happened, signed } from "/shared/event.js";
import { follow } from "/shared/follow.js";
import { inWords } from "/shared/texts.js";
import { say } from "/shared/words.js";
import { TEXTS } from "./texts.js";

const AGAIN_MS = 1000;
const SHOWN = 4;
const COLUMNS = ["game", "player", "games", "wins", "mean", "best"];
const ONE_PLACE = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const HEADINGS = { mean: "average" };
const SILENT = ["holding", "seed"];
const tables = new Map();
let league = [];
let connected = false;

const $ = (id) => document.getElementById(id);

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function line(event, players) {
  const who = event.seat === null ? "" : `${players[event.seat] ?? ""} `;
  const points = event.points === null ? "" : ` ${signed(event.points)}`;
  return who + happened(event) + points;
}

// The rank of each value, the highest first; equals share the better one.
const ranked = (values) => values.map((value) => 1 + values.filter((other) => other > value).length);

// What a table's card holds; an error if a value is not what it should be.
function inside(name) {
  const { online, state, unreadable, whole, last } = tables.get(name);
  const title = element("h2", name);
  title.append(element("span", online ? inWords(state?.title ?? "") : TEXTS.off));
  const trouble = unreadable.length ? [element("p", TEXTS.unreadable, "trouble")] : [];
  if (!state) return [title, ...trouble];
  const winners = state.winners.map((seat) => state.players[seat]);
  const now = winners.length ? TEXTS.won(winners) : state.board || TEXTS.round(state.round);
  const players = document.createElement("ol");
  const ranks = ranked(state.totals);
  players.style.setProperty("--players", ranks.length);
  for (const seat of [...ranks.keys()].sort((a, b) => ranks[a] - ranks[b])) {
    const row = element("li", "", seat === state.turn ? "turn" : "");
    if (seat === state.turn) row.setAttribute("aria-current", "true");
    row.append(element("span", TEXTS.rank(ranks[seat]), "rank"), element("span", state.players[seat], "who"), element("span", String(state.totals[seat])));
    players.append(row);
  }
  const dice = element("p", "", "dice");
  dice.append(...state.dice.map((face) => dieDrawing(face)));
  dice.setAttribute("aria-label", TEXTS.dice(state.dice.map((face) => face ?? "–")));
  dice.setAttribute("role", "img");
  const story = document.createElement("ul");
  story.append(...last.filter((event) => event.game === state.game)
    .map((event) => element("li", line(event, state.players))).reverse());
  const parts = [title, element("p", now, "now"), dice, players, story];
  const missing = state.events - whole;
  if (missing > 0) parts.push(element("p", TEXTS.missing(missing), "now"));
  if (state.alerts.length) parts.push(element("p", state.alerts.map((text) => text.split(" - ").map((part) => say(part.toUpperCase())).join(": ")).join("; "), "trouble"));
  return [...parts, ...trouble];
}

// A table that cannot be drawn is bad by itself, and nothing else is.
function draw(name) {
  const { card, online } = tables.get(name);
  card.className = online ? "" : "off";
  try {
    card.replaceChildren(...inside(name));
  } catch (error) {
    console.warn(name, error);
    card.replaceChildren(element("h2", name), element("p", TEXTS.unreadable, "trouble"));
  }
}

// Many tables tell much in a second; the page is drawn once a frame.
const changed = new Set();
function later(name) {
  if (!changed.size) requestAnimationFrame(() => {
    const names = [...changed];
    changed.clear();
    names.forEach(draw);
    count();
  });
  changed.add(name);
}

// How many tables are there, as far as this page can know.
function count() {
  const shown = [...tables.values()].filter(({ card }) => !card.hidden);
  $("tables").dataset.count = shown.length;
  const there = TEXTS.there(shown.filter(({ online }) => online).length, shown.length);
  $("sum").textContent = !connected ? TEXTS.gone : tables.size ? there : TEXTS.waits;
}

function add(name) {
  const card = document.createElement("article");
  tables.set(name, { card, online: false, state: null, unreadable: [], whole: 0, last: [] });
  [...tables.keys()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .forEach((key) => $("tables").append(tables.get(key).card));
}

// What is told of one table.
const taken = {
  available: (table, online) => { table.online = online; },
  state: (table, state) => { table.state = state; },
  unreadable: (table, kinds) => { table.unreadable = kinds; },
  whole: (table, whole) => { table.whole = whole; },
  log: (table, event) => {
    if (SILENT.includes(event.verb)) return;
    const others = table.last.filter((one) => one.game === event.game && one.number !== event.number);
    table.last = [...others, event].sort((one, other) => one.number - other.number).slice(-SHOWN);
  },
};

function save(file, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

const quoted = (value) => `"${String(value).replace(/^[=+@-]/, "'$&").replaceAll('"', '""')}"`;
const csv = () => [COLUMNS, ...league.map((row) => COLUMNS.map((key) => row[key]))]
  .map((row) => row.map(quoted).join(",")).join("\r\n");

// The words that never change.
for (const [id, text] of Object.entries({ title: TEXTS.title, sum: TEXTS.waits, "league-title": TEXTS.league, csv: TEXTS.csv, json: TEXTS.json, print: TEXTS.print })) $(id).textContent = text;
$("tables").setAttribute("aria-label", TEXTS.title);
const rankHeading = element("th", TEXTS.place);
rankHeading.scope = "col";
$("league").tHead.rows[0].append(rankHeading, ...COLUMNS.map((key) => {
  const cell = element("th", say(HEADINGS[key] ?? key));
  cell.scope = "col";
  return cell;
}));

function showTables(names) {
  names.filter((name) => !tables.has(name)).forEach(add);
  // What is known of a table that has gone is right again if it comes back.
  for (const [name, { card }] of tables) card.hidden = !names.includes(name);
  count();
}

// The halls whose tables cannot be heard at the moment.
function showAway(halls) {
  $("away").textContent = TEXTS.away(halls);
}

function showLeague(rows) {
  league = rows;
  // As they come, the best of each game first; equals share a place.
  const better = (one, row) => one.game === row.game && (one.wins > row.wins || (one.wins === row.wins && one.mean > row.mean));
  $("league").tBodies[0].replaceChildren(...league.map((row) => {
    const line = document.createElement("tr");
    line.append(element("td", TEXTS.rank(1 + league.filter((one) => better(one, row)).length)), ...COLUMNS.map((key) => element("td", key === "mean" ? row[key].toLocaleString(document.documentElement.lang, ONE_PLACE) : key === "game" ? inWords(row[key]) : row[key])));
    return line;
  }));
}

function heard({ kind, text }) {
  const [what, name] = kind.split(/ (.*)/s), value = JSON.parse(text);
  if (kind === "tables") showTables(value);
  else if (kind === "league") showLeague(value);
  else if (kind === "away") showAway(value);
  else if (tables.has(name)) {
    taken[what]?.(tables.get(name), value);
    later(name);
  }
}

$("print").addEventListener("click", () => print());
$("night").textContent = new Date().toLocaleDateString(document.documentElement.lang, { dateStyle: "full" });
$("csv").addEventListener("click", () => save("league.csv", csv(), "text/csv"));
$("json").addEventListener("click", () => save("league.json", JSON.stringify(league, null, 1), "application/json"));
const again = follow("/events", {}, heard, (state) => {
  connected = state === "open";
  count();
  if (state === "refused") setTimeout(() => again(), AGAIN_MS);
});
