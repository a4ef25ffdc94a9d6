// The end of a game: who won and by how much, a celebration, and how well everybody played.

import { dieDrawing } from "/shared/dice.js";
import { make } from "/shared/make.js";
import { inWords } from "/shared/texts.js";
import { TEXTS } from "./texts.js";

const CONFETTI = 36;

function decision(one) {
  const dice = one.dice.split(" ").map((face) => dieDrawing(face === "-" ? null : Number(face) || face, Number(face) || face === "-" ? "white" : "power"));
  return make("li", {}, make("span", { class: "row" }, ...dice),
    make("span", {}, TEXTS.decision(one.turn, inWords(one.chosen), inWords(one.best), one.cost.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }), one.reason && inWords(one.reason)), make("span", { class: "unseen" }, ` ${TEXTS.tray(one.dice.split(" "))}`)));
}

function player(one) {
  const luck = one.par === null || one.luck === null ? [] : [make("p", {}, TEXTS.luck(one.par, one.luck, one.cost))];
  const worst = one.worst.length ? make("ol", {}, ...one.worst.map(decision)) : make("p", {}, TEXTS.noMistake);
  return make("section", {}, make("h3", {}, `${one.player}: ${TEXTS.points(one.points)}`), ...luck, worst);
}

export class Ending {
  // Args: where it stands, and the headers of requests.
  constructor(place, headers) {
    Object.assign(this, { place, headers, shown: "" });
    place.querySelector("#ask-review").addEventListener("click", () => this.review());
  }

  shows(sheets, table) {
    const text = table?.end ? JSON.stringify([table.serial, table.end, sheets.map(({ total }) => total)]) : "";
    if (text === this.shown) return;
    this.shown = text;
    this.place.hidden = !text;
    if (!text) return;
    const names = table.end.winners.map((seat) => sheets[seat].player);
    this.place.querySelector("#won").textContent = TEXTS.over(names, sheets.length > 1 ? table.end.margin : 0);
    this.place.querySelector("#saved").textContent = TEXTS.saved;
    this.place.querySelector("#review").replaceChildren();
    this.place.querySelector("#ask-review").hidden = false;
    this.place.querySelector("#confetti").replaceChildren(...Array.from({ length: CONFETTI }, (_, n) => {
      const piece = make("i", { class: `c${n % 4}` });
      piece.style.left = `${(n * 61) % 100}%`;
      piece.style.animationDelay = `${(n * 37) % 90 / 60}s`;
      return piece;
    }));
  }

  async review() {
    const asks = this.place.querySelector("#ask-review"), into = this.place.querySelector("#review"), shown = this.shown;
    asks.hidden = true;
    into.replaceChildren(make("p", { role: "status" }, TEXTS.thinking));
    const answer = await fetch("/review", { headers: this.headers }).catch(() => null);
    const players = answer?.ok ? await answer.json() : null;
    if (shown !== this.shown) return;
    asks.hidden = Boolean(players);
    into.replaceChildren(...(players ?? []).map(player));
  }
}
