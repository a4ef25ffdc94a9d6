// The tray page: draws what it is told, sends what is pressed.

import { follow } from "/shared/follow.js";
import { Lights } from "/shared/lights.js";
import { listen } from "/shared/stream.js";
import { Announcer } from "./announcer.js";
import { Buttons } from "./buttons.js";
import { Ending } from "./ending.js";
import { Felt } from "./felt.js";
import { Picture } from "./picture.js";
import { isRollOff, Sheet } from "./sheet.js";
import { inWords } from "/shared/texts.js";
import { speak } from "/shared/words.js";
import { TEXTS } from "./texts.js";

const $ = (id) => document.getElementById(id);

// The token of the address that was opened stays with this tab, out of the history.
if (/^#[\w-]{20,}$/.test(location.hash)) sessionStorage.setItem("token", location.hash.slice(1));
history.replaceState(null, "", location.pathname);
addEventListener("hashchange", () => location.reload());
const headers = { "X-Token": sessionStorage.getItem("token") ?? "" };

const AGAIN_MS = 1000, SIGN_MS = 3000;

// Letters of a line beside which there is no room for the round.
const LONG = 18;

// Whether dice are real: nobody can throw them here.
let real = false;

// What is pressed is meant for what is shown: its number goes along.
let occasion = null, lates = null;

const send = async (action) => {
  if (action === "throw") signal(real ? TEXTS.real : TEXTS.throws);
  const seen = occasion === null ? {} : { "X-Seen": occasion };
  const answer = await fetch("/press", { method: "POST", headers: { ...headers, ...seen }, body: action }).catch(() => null);
  say(!answer ? "gone" : answer.ok ? "open" : answer.status === 403 ? "refused" : "busy");
};

// While it is held down, this connection is open and brings the own dice; it ends with the page, too.
let holding = null;
async function hold(down) {
  if (down === Boolean(holding)) return;
  holding?.abort();
  holding = down ? new AbortController() : null;
  show($("own"), "");
  const { signal } = holding ?? {};
  if (!signal) return;
  await listen("/own", { headers, method: "POST", signal }, ({ text }) => {
    if (!signal.aborted) show($("own"), JSON.parse(text));
  }, () => {});
}

const picture = new Picture($("tray"), $("loupe"), headers, send);
const buttons = new Buttons({ can: $("can"), holds: $("holds"), answers: $("answers"), tray: $("buttons").querySelector("div"), menu: $("menu") }, send, hold, {
  help: () => $("keys").showModal(),
  readings: () => $("readings").click(),
  quit: () => leave(),
});
const sheet = new Sheet($("sheets"), $("acts"), $("zeros"));
const felt = new Felt($("felt"));
const ending = new Ending($("ending"), headers);
const lights = new Lights($("lights"));
const announcer = new Announcer($("heard"));

function show(element, text) {
  element.hidden = !text;
  if (element.textContent !== text) element.textContent = text;
}

function say(state) {
  show($("link"), TEXTS.link[state]);
  document.body.classList.toggle("gone", state === "gone" || state === "refused");
}

// What is played is asked about; all else is closed at once.
let plays = false;
function leave() {
  if (plays) $("leaving").showModal();
  else send("quit");
}

// Whoever leaves a game goes on with it another time; a lesson begins anew.
function leaves(view) {
  plays = Boolean(view.table && !view.table.end && !view.looking);
  const kept = plays && !view.first;
  for (const button of [$("leave"), $("leaving").querySelector("[value=leave]")]) button.textContent = kept ? TEXTS.later : TEXTS.close;
  $("leave").title = kept || view.table?.end ? TEXTS.saved : "";
  $("leaving-name").textContent = kept ? TEXTS.kept : TEXTS.stops;
}

// A hint stays marked while these dice lie there, also once the first of them is held.
let hint = { about: "" };
function remember(table) {
  if (!table) return;
  const about = JSON.stringify([table.serial, table.turn, table.round, table.roll, table.dice.map(({ face }) => face)]);
  if (hint.about !== about || table.best) hint = { about, best: table.best, best_hold: table.best_hold, why: table.why };
  Object.assign(table, { best: hint.best, best_hold: hint.best_hold, why: hint.why });
}

function question(view) {
  show($("ended"), view.asks);
  for (const button of $("choices").children) button.disabled = false;
}

// Which die a question is about, as people find it: by its place and its colour.
function about({ dice, table: game }) {
  const question = game?.question;
  if (!question) return "";
  const corners = dice.find(({ number }) => number === question.slot + 1)?.outline ?? [];
  const middle = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis] / corners.length, 0));
  return TEXTS.about(question.kind, corners.length ? middle : null, question.answers.length);
}

// How far a turn is, and what must be done where nothing else can; rounds of betting are no rolls of a turn.
function told(game) {
  const shown = game && !game.end && !game.table.shared_dice, { roll = 0, rolls = 0, offers = [], question = null } = game ?? {};
  const must = shown && !question && rolls > 1 && roll >= rolls && offers.some(({ row }) => row) ? TEXTS.choose : "";
  const parts = !shown ? [] : isRollOff(game) ? [TEXTS.rollOff] : [TEXTS.round(game), must || TEXTS.roll(game)].filter(Boolean);
  $("roll").hidden = !parts.length;
  $("roll").classList.toggle("must", Boolean(must));
  const [first, second] = $("roll").children;
  first.textContent = [parts[0] ?? "", parts[1] && ", "].filter(Boolean).join("");
  second.textContent = parts[1] ?? "";
  return must;
}

// Whether somebody's dice lie there that count no more.
const isLeft = ({ still, thrown, dice, table }) => Boolean(still && !thrown && dice.length && table && !table.busy && table.left !== null);

function table(view) {
  speak(view.language);
  const looking = Boolean(view.looking);
  leaves(view);
  occasion = view.occasion;
  // Once dice are thrown anew, nothing is asked about those before.
  if (view.thrown && view.table) view.table.question = null;
  real = !view.has.includes("space");
  $("table").classList.toggle("looking", looking);
  $("table").classList.toggle("good", view.good);
  for (const name of ["foot", "board"]) $(name).hidden = looking;
  show($("camera"), view.looking.trim());
  show($("lesson"), view.first || (view.pointing ? TEXTS.pointing : ""));
  show($("who"), view.guidance.says);
  const { length } = view.guidance.says;
  $("now").classList.toggle("long", !view.thrown && length > LONG);
  $("now").classList.toggle("two", view.thrown && length > 2 * LONG);
  remember(view.table);
  const must = told(view.table);
  show($("left"), isLeft(view) ? TEXTS.left(view.sheets[view.table.left].player) : "");
  $("tray").classList.toggle("left", isLeft(view));
  picture.shows(view);
  show($("about"), about(view));
  buttons.shows(view);
  // A screen reader says the line once it has changed; where nobody has keys, it names none.
  const said = keyless.matches && view.has.includes("enter") ? [view.guidance.says.trim(), must, ...buttons.labels].filter(Boolean).join(": ") : view.guidance.line;
  const line = [said, $("about").textContent].filter(Boolean).join(" ");
  if ($("line").textContent !== line) $("line").textContent = line;
  announcer.shows(view);
  if (!real || view.table?.busy || !view.still) show($("sent"), "");
  show($("title"), view.table ? inWords(view.table.title) : "dicetray");
  document.body.dataset.game = view.table?.game ?? "";
  document.body.classList.toggle("busy", Boolean(view.table?.busy));
  felt.shows(view.sheets, view.table);
  sheet.shows(view.sheets, view.table);
  ending.shows(view.sheets, view.table);
  const asks = naming.hidden && view.typing;
  naming.hidden = !view.typing;
  if (asks) $("name").focus();
  $("keys").querySelector("pre").textContent = view.help.join("\n");
}

const naming = $("naming");
naming.onsubmit = async (event) => {
  event.preventDefault();
  const name = $("name").value.trim();
  $("name").value = "";
  if (name) await send(`typed:${name}`);
  await send("ok");
};

// What was pressed has arrived: a sign at once, until the picture says so.
let sent = 0;
function signal(text) {
  show($("sent"), text);
  clearTimeout(sent);
  sent = setTimeout(() => show($("sent"), ""), SIGN_MS);
}

// A click on what is offered: the buttons come and go, the place stays. What no mouse points at is
// shown first; what asks by itself asks.
$("side").addEventListener("click", (event) => {
  const button = event.target.closest("button[data-pick], button[data-act], button[data-seat]") ?? sheet.boxOf(event.target);
  if (!button || button.disabled) return;
  const { pick, act, seat } = button.dataset;
  if (seat) return sheet.turnTo(Number(seat));
  if (buttons.taps.isSecond(event)) return;
  if (button.matches(".offer:not(.zero)") && buttons.taps.shows(event, pick)) {
    for (const other of $("side").querySelectorAll(".armed")) other.classList.remove("armed");
    button.classList.add("armed");
    const says = TEXTS.again(button.getAttribute("aria-label"));
    signal(says);
    announcer.says(says);
    return;
  }
  button.classList.add("down");
  send(pick ?? act);
});

// A choice that was shown is taken by the very next press, or not at all.
function disarm() {
  buttons.taps.disarm();
  sheet.disarm();
}
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("button[data-pick]") ?? sheet.boxOf(target);
  if (button?.dataset.pick !== buttons.taps.armed) disarm();
}, true);
document.addEventListener("keydown", ({ key }) => {
  if (!["Enter", " ", "Tab", "Shift"].includes(key)) disarm();
}, true);

// Where nobody has a keyboard, nothing names keys.
const keyless = matchMedia("(hover: none) and (pointer: coarse)");

// The screen stays on while a game is shown, where the browser can do that.
let awake = null;
async function stayAwake(wanted) {
  if (!wanted || document.hidden || !keyless.matches) return;
  if (awake && !awake.released) return;
  awake = await navigator.wakeLock?.request("screen").catch(() => null) ?? null;
  show($("awake"), awake ? "" : TEXTS.sleeps);
}
document.addEventListener("visibilitychange", () => stayAwake(!$("table").hidden));

// An ornament, where there is room for it.
const roomy = matchMedia("(min-width: 901px) and (min-height: 700px)").matches;
$("board").open = (localStorage.board ?? (roomy ? "open" : "folded")) === "open";
$("board").ontoggle = () => { localStorage.board = $("board").open ? "open" : "folded"; };

// The words that never change.
for (const [name, text] of Object.entries(TEXTS.names)) if ($(`${name}-name`)) $(`${name}-name`).textContent = text;
for (const name of ["help", "menu"]) $(name).textContent = TEXTS[name];
[$("readings").textContent, $("readings").title] = TEXTS.readings;
$("buttons-name").title = TEXTS.device;
$("holds").setAttribute("aria-label", TEXTS.names.holds);
$("asks").querySelector("h2").textContent = TEXTS.asks;
$("acts").setAttribute("aria-label", TEXTS.names.acts);
naming.querySelector("label").textContent = TEXTS.name;
naming.querySelector("button").textContent = TEXTS.takes;
$("ask-review").textContent = TEXTS.review;
$("keys").querySelector("form button").textContent = TEXTS.close;
$("leaving").querySelector("[value=stay]").textContent = TEXTS.stay;
for (const [choice, [name, what]] of Object.entries(TEXTS.choices)) {
  const button = document.createElement("button");
  const strong = document.createElement("strong");
  strong.textContent = name;
  button.append(strong, ` ${what}`);
  button.dataset.choice = choice;
  button.onclick = () => {
    for (const other of $("choices").children) other.disabled = true;
    show($("ended"), TEXTS.begins);
    send(choice);
  };
  $("choices").append(button);
}

$("readings").onclick = () => {
  picture.readings = !picture.readings;
  $("readings").setAttribute("aria-pressed", picture.readings);
  picture.draw();
};
$("help").onclick = () => $("keys").showModal();
$("leave").onclick = () => leave();
$("leaving").onclose = () => {
  if ($("leaving").returnValue === "leave") send("quit");
  $("leaving").returnValue = "";
};

// Whoever dictates or hits keys by mistake can do without them (WCAG 2.1.4).
$("letters").textContent = TEXTS.letters;
$("letters").onclick = () => {
  localStorage.letters = localStorage.letters === "off" ? "on" : "off";
  letters();
};
function letters() {
  buttons.letters = localStorage.letters !== "off";
  $("letters").setAttribute("aria-pressed", buttons.letters);
}
letters();

const heard = {
  clock: (text, age) => lights.clock(Number(text), age),
  board: (text) => lights.shows(JSON.parse(text)),
  frame: () => picture.fetch(),
  late: (count) => { if (lates !== null && count !== lates) signal(TEXTS.late); lates = count; },
  view: (text) => {
    const view = JSON.parse(text), asks = "asks" in view;
    if ($("asks").hidden !== !asks || $("table").hidden !== asks) {
      $("asks").hidden = !asks;
      $("table").hidden = asks;
      if (asks) hold(false);
    }
    $("leave").hidden = asks;
    if (asks) $("menu").hidden = true;
    stayAwake(!asks);
    if (asks) [plays, occasion] = [false, null];
    (asks ? question : table)(view);
  },
};
const again = follow("/events", headers, ({ kind, text, age }) => heard[kind]?.(text, age), (state) => {
  say(state);
  if (state !== "open") hold(false);
  // The program may be back with the same token.
  if (state === "refused") setTimeout(() => again(), AGAIN_MS);
});
