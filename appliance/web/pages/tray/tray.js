// The tray page: draws what it is told, sends what is pressed.

import { drawLights } from "/shared/lights.js";
import { listen } from "/shared/stream.js";
import { Announcer } from "./announcer.js";
import { Buttons } from "./buttons.js";
import { Picture } from "./picture.js";
import { say as spoken, speak } from "/shared/words.js";
import { TEXTS } from "./texts.js";

const $ = (id) => document.getElementById(id);

// The token stands in the address that was opened; it stays with this tab, and out of the history.
if (location.hash.length > 1) {
  sessionStorage.setItem("token", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}
const headers = { "X-Token": sessionStorage.getItem("token") ?? "" };

const send = async (action) => {
  const answer = await fetch("/press", { method: "POST", headers, body: action }).catch(() => null);
  if (answer && !answer.ok) say(answer.status === 403 ? "refused" : "busy");
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
const buttons = new Buttons($("buttons"), $("can"), send, hold, {
  help: () => $("keys").showModal(),
  readings: () => $("readings").click(),
  quit: () => leave(),
});
const announcer = new Announcer($("heard"));

function show(element, text) {
  element.hidden = !text;
  if (element.textContent !== text) element.textContent = text;
}

function say(state) {
  show($("link"), TEXTS.link[state]);
  document.body.classList.toggle("gone", state === "gone" || state === "refused");
}

// A game is asked about; a camera that is only tried is left at once.
let looking = false;
function leave() {
  if (looking) send("quit");
  else $("leaving").showModal();
}

function question(view) {
  show($("ended"), view.asks);
  for (const button of $("choices").children) button.disabled = false;
}

function table(view) {
  speak(view.language);
  looking = Boolean(view.looking);
  $("table").classList.toggle("looking", looking);
  $("table").classList.toggle("good", view.good);
  for (const name of ["readings", "help"]) $(name).hidden = looking;
  show($("camera"), view.looking.trim());
  show($("lesson"), view.first || (view.pointing ? TEXTS.pointing : ""));
  show($("who"), view.guidance.says);
  // A screen reader says the line once, when it has changed.
  if ($("line").textContent !== view.guidance.line) $("line").textContent = view.guidance.line;
  drawLights($("lights"), view.board);
  picture.shows(view);
  buttons.shows(view);
  announcer.shows(view);
  sheets(view.sheets);
  $("keys").querySelector("pre").textContent = view.help.join("\n");
}

let drawn = "";
function sheets(all) {
  const text = JSON.stringify(all);
  if (text === drawn) return;
  drawn = text;
  const row = (scope, cells) => {
    const line = document.createElement("tr");
    cells.forEach((cell, place) => {
      const box = document.createElement(scope === "col" || place === 0 ? "th" : "td");
      if (box.tagName === "TH") box.scope = place === 0 && scope !== "col" ? "row" : "col";
      box.textContent = cell;
      if (place && all[place - 1].turn) box.classList.add("turn");
      line.append(box);
    });
    return line;
  };
  const lines = all.length ? [
    row("col", [TEXTS.names.sheets, ...all.map((s) => s.player)]),
    row("row", [TEXTS.total, ...all.map((s) => s.total)]),
    ...all[0].rows.map(([label], k) => row("row", [spoken(label), ...all.map((s) => s.rows[k]?.[1] ?? "")])),
  ] : [];
  $("sheets").hidden = !all.length;
  $("sheets").querySelector("table").replaceChildren(...lines);
}

// The words that never change.
for (const [name, text] of Object.entries(TEXTS.names)) $(`${name}-name`).textContent = text;
for (const name of ["readings", "help", "leave"]) $(name).textContent = TEXTS[name];
$("asks").querySelector("h2").textContent = TEXTS.asks;
$("keys").querySelector("form button").textContent = TEXTS.close;
$("leaving").querySelector("[value=stay]").textContent = TEXTS.stay;
$("leaving").querySelector("[value=leave]").textContent = TEXTS.leave;
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
  frame: () => picture.fetch(),
  view: (text) => {
    const view = JSON.parse(text), asks = "asks" in view;
    if ($("asks").hidden !== !asks || $("table").hidden !== asks) {
      $("asks").hidden = !asks;
      $("table").hidden = asks;
      if (asks) hold(false);
    }
    for (const name of ["readings", "help", "leave"]) $(name).hidden = asks;
    if (asks) looking = false;
    (asks ? question : table)(view);
  },
};
for (;;) {
  await listen("/events", { headers }, ({ kind, text }) => heard[kind]?.(text), say);
  hold(false);
  await new Promise((done) => setTimeout(done, 1000));
}
