// The game to lie over a stream's picture: dice, the last choice, points, totals; the PIN follows the # of the address.

import { dieDrawing } from "/shared/dice.js";
import { happened, worth } from "/shared/event.js";
import { make } from "/shared/make.js";
import { follow } from "/shared/follow.js";
import { speak } from "/shared/words.js";
import { TEXTS } from "./texts.js";

const at = (id) => document.getElementById(id);
let now = null, chosen = null;

function show(element, text) {
  element.hidden = !text;
  if (element.textContent !== text) element.textContent = text;
}

function draw() {
  if (!now) return;
  speak(now.language);
  const names = now.sheets.map(({ player }) => player);
  const dice = now.dice.map(([face, kind, held]) => ({ face, kind, held })).filter(({ face }) => face !== null);
  at("dice").replaceChildren(...dice.map((die) => make("li", {}, dieDrawing(die.face, die.kind, die.held), make("span", { class: "unseen" }, TEXTS.die(die)))));
  // The last choice is mostly somebody else's: the dice bear the name of who has them.
  at("whose").replaceChildren(...TEXTS.whose(now.table.shared_dice ? null : names[now.turn]).map((text, n) => make(n ? "small" : "b", {}, text)));
  at("throw").hidden = !dice.length;
  const last = chosen?.label && chosen.game === now.game ? chosen : null;
  const said = now.winners.length ? TEXTS.over(now.winners.map((seat) => names[seat]))
    : last ? TEXTS.chose(names[last.seat] ?? "", happened({ ...last, reason: "" }), worth(last.points, now.table.shared_dice)) : "";
  show(at("choice"), now.question ? "" : said);
  show(at("asked"), now.question ? now.line : "");
  show(at("round"), TEXTS.round(now.round, now.rounds));
  at("choice").classList.toggle("great", now.winners.length > 0 || Boolean(last?.celebrated));
  at("totals").replaceChildren(...now.sheets.map(({ player, total, turn }) =>
    make("li", { class: turn ? "turn" : null, "aria-current": turn ? "true" : null }, player, make("b", {}, String(total)))));
}

function heard({ kind, text }) {
  const value = JSON.parse(text);
  if (kind === "snapshot") now = value;
  // The newest choice; what was undone is no news.
  else if (kind.startsWith("event-") && (!chosen || chosen.game !== value.game || value.number > chosen.number)) {
    if (value.verb === "undo") chosen = { ...value, label: "" };
    else if (value.label && value.seat !== null) chosen = value;
  }
  draw();
}

window.addEventListener("hashchange", () => location.reload());
document.querySelector("h1").textContent = TEXTS.title;
const pin = location.hash.slice(1);
if (pin) await fetch("/pin", { method: "POST", body: pin }).catch(() => null);
// A stream's program hides this page from its screen, and shows it all the same.
follow("/events", {}, heard, (state) => {
  show(at("link"), state === "refused" ? TEXTS.refused : state === "gone" ? TEXTS.gone : "");
}, { always: true });
