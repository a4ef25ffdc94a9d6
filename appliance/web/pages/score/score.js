// The page for the room: draws what the appliance tells. It changes nothing there.

import { dieDrawing } from "/shared/dice.js";
import { signed, worth } from "/shared/event.js";
import { follow } from "/shared/follow.js";
import { Lights } from "/shared/lights.js";
import { drawn, make } from "/shared/make.js";
import { goalCell, rowOf, rowsOf, slotsOf, UPPER } from "/shared/rows.js";
import { inWords, isZero } from "/shared/texts.js";
import { say, speak } from "/shared/words.js";
import { report } from "./report.js";
import { story } from "./story.js";
import { TEXTS } from "./texts.js";

const at = (id) => document.getElementById(id);

const state = { snapshot: null, last: null, picture: null, events: new Map(), told: 0, lost: 0 };
let due = false;

// Text of an element, changed only where it differs, so that a screen reader says it once.
function write(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

const lights = new Lights(at("board"));

function heard({ kind, text, age }) {
  const value = JSON.parse(text);
  if (kind === "clock") return lights.clock(value, age);
  if (kind === "board") return lights.shows(value);
  if (kind.startsWith("event-")) {
    state.events.set(value.number, value);
    if (value.over) records();
  } else if (kind === "hello") state.told = value;
  else if (kind in state) state[kind] = value;
  if (!due) {
    due = true;
    requestAnimationFrame(draw);
  }
}

function draw() {
  due = false;
  const now = state.snapshot;
  write("link", state.lost > state.told ? TEXTS.link.lost : TEXTS.link.open);
  if (!now) return;
  speak(now.language);
  const names = now.sheets.map((sheet) => sheet.player);
  write("title", now.title ? inWords(now.title) : "dicetray");
  write("round", TEXTS.round(now.round, now.rounds));
  const over = now.winners.length ? TEXTS.over(now.winners.map((seat) => names[seat])) : "";
  const line = over || now.line || (now.game === null ? TEXTS.none : "");
  write("line", line);
  at("line").classList.toggle("asked", Boolean(now.question));
  at("board").setAttribute("aria-label", `${TEXTS.names.board}: ${line}`);
  write("alerts", now.alerts.map(TEXTS.alert).join("; "));
  drawDice(now);
  drawTable(now, names);
  // Between games, the last one.
  const idle = now.game === null || now.winners.length > 0, last = now.game === null ? state.last : null;
  at("room").classList.toggle("idle", idle);
  at("room").classList.toggle("empty", now.game === null && !last);
  drawSheets(last ?? now, last ? `${TEXTS.names.last}: ${inWords(last.title)}` : TEXTS.names.scores);
  drawPicture(now);
  const told = last ?? now;
  const events = [...state.events.values()].filter((event) => event.game === told.game).sort((a, b) => a.number - b.number);
  const lines = story(events, told.sheets.map((sheet) => sheet.player)).map((one) => ({ ...one, points: worth(one.points, now.table.shared_dice) })), move = lines.filter(({ taken, points }) => !taken && points !== null).at(-1);
  write("move", move ? `${move.who} ${move.says} ${signed(move.points)}` : "");
  drawStory(lines);
  drawTotals(told);
}

// Everybody's points as they are read from the other end of the room.
function drawTotals(now) {
  at("totals").style.setProperty("--players", now.sheets.length);
  at("totals").replaceChildren(...now.sheets.map((sheet) => make("li", { class: sheet.turn ? "turn" : null },
    make("span", {}, sheet.player), make("b", {}, String(sheet.total)))));
}

function drawDice(now) {
  const dice = now.dice.map(([face, kind, held]) => ({ face, kind, held })).filter((die) => die.face !== null);
  at("dice").replaceChildren(...dice.map((die) =>
    make("li", {}, dieDrawing(die.face, die.kind, die.held), make("span", { class: "unseen" }, TEXTS.die(die)))));
}

function drawTable(now, names) {
  const told = [...now.table.places, ...now.table.beside].map((place) => {
    const who = [place.owner, ...place.pawns].filter((seat) => seat !== null).map((seat) => names[seat]);
    const says = [place.points ?? "", say(place.note), who.join(", ")].filter((part) => part !== "").join(" · ");
    return { ...place, says };
  });
  // Of a ring only what lies or stands on it is worth a line.
  const places = now.table.ring ? told.filter(({ says }) => says) : told;
  at("table-name").hidden = !places.length;
  at("table").replaceChildren(...places.map(({ label, aim, says }) =>
    make("div", { class: aim ? "aim" : null }, make("dt", {}, inWords(label)), make("dd", {}, says || "–"))));
}

function heading(now, sheet, seat) {
  const mark = now.winners.includes(seat) ? TEXTS.won : sheet.turn ? TEXTS.turn : "";
  const inside = mark ? [sheet.player, make("small", {}, mark)] : [sheet.player];
  return make("th", { scope: "col", class: sheet.turn ? "turn" : null }, ...inside);
}

// What a slot would give now stands in its cell, in the column of whoever is on turn.
function slot(now, sheet, points, offer) {
  if (points !== "-") return [points];
  if (!sheet.turn || !offer || offer[1] === null) return [];
  return [make("i", { "aria-hidden": "true", title: say(offer[2]) }, String(offer[1])),
    make("span", { class: "unseen" }, TEXTS.would(offer[1]))];
}

// Of slots of a kind the first that is open is filled next.
function cell(now, sheet, name) {
  const slots = slotsOf(now.shared_rows, sheet, name), next = slots.find(([, points]) => points === "-");
  const offer = now.offers.find(([label]) => rowOf(now.shared_rows, label) === name);
  const inside = slots.map((one) => slot(now, sheet, one[1], one === next ? offer : null));
  return make("td", { class: sheet.turn ? "turn" : null }, ...(slots.length < 2 ? inside.flat()
    : [make("div", { class: "slots" }, ...inside.map((one) => make("span", {}, ...one)))]));
}

// Where players bet, the dice and the pots are everybody's, and stand once.
const common = (now, label, cells) => now.table.shared_dice && cells.length > 1 && !now.table.left_on_sheets.includes(label)
  && cells[0] !== "-" && cells.every((points) => points === cells[0]);

function row(now, label) {
  const cells = now.sheets.map((sheet) => sheet.rows.find(([name]) => name === label)?.[1] ?? "");
  const inside = common(now, label, cells) ? [make("td", { class: "all", colspan: cells.length }, cells[0])]
    : now.sheets.map((sheet) => cell(now, sheet, label));
  return make("tr", {}, make("th", { scope: "row" }, inWords(label)), ...inside);
}

let turn = null;

function drawSheets(now, title) {
  write("scores-name", title);
  const labels = rowsOf(now.shared_rows, now.sheets);
  at("sheets").style.setProperty("--players", now.sheets.length);
  at("sheets").style.setProperty("--rows", labels.length + (now.goals?.[0]?.length ?? 0));
  const first = now.goals?.[0] ?? [];
  const goals = first.map(({ needed, bonus }, k) => make("tr", { class: "goal" }, make("th", { scope: "row" }, TEXTS.goal(needed, bonus)),
    ...now.sheets.map((sheet, seat) => make("td", { class: sheet.turn ? "turn" : null }, ...goalCell({ ...now.goals[seat][k], needed, bonus }, now.winners.length > 0)))));
  const upper = goals.length ? labels.filter((label) => UPPER.includes(label)) : [];
  const inside = now.sheets.length ? [make("table", {},
    make("thead", {}, make("tr", {}, make("td"), ...now.sheets.map((sheet, seat) => heading(now, sheet, seat))),
      make("tr", { class: "total" }, make("th", { scope: "row" }, TEXTS.total),
        ...now.sheets.map((sheet) => make("td", { class: sheet.turn ? "turn" : null }, String(sheet.total))))),
    make("tbody", {}, ...upper.map((label) => row(now, label)), ...goals, ...labels.filter((label) => !upper.includes(label)).map((label) => row(now, label))))] : [];
  // To score nothing in a row is no choice worth a line.
  const others = now.offers.filter(([name]) => !labels.includes(rowOf(now.shared_rows, name)) && !isZero(name));
  if (others.length) {
    inside.push(make("h3", {}, TEXTS.offers), make("ul", { class: "offers" }, ...others.map(([name, points, reason]) =>
      make("li", {}, points === null ? inWords(name) : `${inWords(name)}: ${TEXTS.now(points, reason)}`))));
  }
  at("sheets").replaceChildren(...inside);
  if (turn !== now.turn) showTurn();
  turn = now.turn;
}

// Moves the column of whoever is on turn into view, beside the labels that stay.
function showTurn() {
  const box = at("sheets"), column = box.querySelector("th.turn"), labels = box.querySelector("tr :first-child");
  if (!column) return;
  const left = column.offsetLeft - labels.offsetWidth, right = column.offsetLeft + column.offsetWidth - box.clientWidth;
  if (box.scrollLeft > left) box.scrollLeft = left;
  else if (box.scrollLeft < right) box.scrollLeft = right;
}
new ResizeObserver(showTurn).observe(at("sheets"));

let shown = null;

function drawPicture(now) {
  const picture = state.picture?.game === now.game ? state.picture : null;
  at("throw").hidden = !picture;
  if (picture === shown) return;
  shown = picture;
  URL.revokeObjectURL(at("picture").src);
  at("throw").querySelector("svg")?.remove();
  if (!picture) return;
  const bytes = Uint8Array.from(atob(picture.jpeg), (character) => character.charCodeAt(0));
  at("picture").src = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
  const [width, height] = picture.size;
  at("picture").width = width;
  at("picture").height = height;
  const outlines = picture.dice.flatMap(([, face, corners]) => {
    const points = corners.map(([x, y]) => [x * width, y * height]);
    const x = points.reduce((sum, [each]) => sum + each / points.length, 0);
    const high = points.map(([, y]) => y), size = width / 20, above = Math.min(...high) - size / 4;
    const y = above > size ? above : Math.max(...high) + size;
    const label = drawn("text", { x, y, "font-size": size, "text-anchor": "middle" });
    label.textContent = face;
    return [drawn("polygon", { points: points.map((point) => point.join(",")).join(" ") }), label];
  });
  at("throw").insertBefore(drawn("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...outlines), at("caption"));
  write("caption", TEXTS.throw(picture.dice.map(([, face]) => face)));
}

function drawStory(lines) {
  const list = at("story");
  const old = new Map([...list.children].map((item) => [item.dataset.line, item]));
  const items = lines.reverse().map((line) => {
    const key = JSON.stringify(line);
    if (old.has(key)) return old.get(key);
    const item = make("li", { class: `${line.taken ? "taken" : ""} ${line.celebrated ? "great" : ""}` }, make("b", {}, line.who), ` ${line.says} `);
    if (line.points !== null) item.append(make("span", { class: "points" }, signed(line.points)));
    if (line.taken) item.append(make("span", { class: "unseen" }, TEXTS.taken));
    item.dataset.line = key;
    return item;
  });
  if (items.length !== list.children.length || items.some((item, n) => item !== list.children[n])) list.replaceChildren(...items);
}

async function records() {
  const answer = await fetch("/records");
  const text = answer.ok ? await answer.text() : "";
  at("records").hidden = !text.trim();
  const { rows, faces } = report(text);
  const [first, ...others] = rows;
  const inside = [];
  if (first) {
    inside.push(make("table", {}, make("thead", {}, make("tr", {}, ...first.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...others.map((row) => make("tr", {}, ...row.map((text) => make("td", {}, text)))))));
  }
  for (const die of faces) {
    const most = Math.max(1, ...die.counts.map(([, count]) => count));
    const bars = die.counts.map(([face, count]) => make("div", {}, make("dt", {}, face), make("dd", {},
      make("meter", { min: 0, max: most, value: count, "aria-label": `${face}: ${count}` }), ` ${count}`)));
    inside.push(make("h3", {}, die.title), make("dl", { class: "faces" }, ...bars), make("p", {}, die.says));
  }
  at("report").replaceChildren(...inside);
}

function open(id) {
  for (const name of ["door", "room"]) at(name).hidden = name !== id;
  if (id === "door") at("pin").focus();
}

const again = follow("/events", {}, heard, (now) => {
  if (now === "open") {
    // Times of a clock that begins anew when the appliance is switched on.
    state.told = state.lost = 0;
    write("link", TEXTS.link.open);
    open("room");
    records();
  } else if (now === "refused") open("door");
  else write("link", TEXTS.link.gone);
});

at("pin-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  write("refused", "");
  const answer = await fetch("/pin", { method: "POST", body: at("pin").value }).catch(() => null);
  if (answer?.ok) again();
  else write("refused", !answer ? TEXTS.link.gone : answer.status === 429 ? TEXTS.tooMany : TEXTS.refused);
  at("pin").value = "";
});

const LIGHTS = ["auto", "light", "dark"];

// Light and type are this browser's own business.
function dress() {
  const light = localStorage.light ?? "auto", large = localStorage.large === "yes";
  document.documentElement.style.colorScheme = light === "auto" ? "" : light;
  document.documentElement.classList.toggle("large", large);
  at("light").textContent = TEXTS.light[light];
  at("large").setAttribute("aria-pressed", large);
}

at("light").addEventListener("click", () => {
  localStorage.light = LIGHTS[(LIGHTS.indexOf(localStorage.light ?? "auto") + 1) % LIGHTS.length];
  dress();
});
at("large").addEventListener("click", () => {
  localStorage.large = localStorage.large === "yes" ? "no" : "yes";
  dress();
});

document.querySelector('label[for="pin"]').textContent = TEXTS.pin;
document.querySelector("#pin-form button").textContent = TEXTS.enter;
at("large").textContent = TEXTS.large;
for (const name of ["now", "scores", "story", "records", "table"]) at(`${name}-name`).textContent = TEXTS.names[name];
dress();
