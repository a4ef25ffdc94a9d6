// The sheet: everybody's rows, what the dice would give in each, and a click that scores it.

import { make } from "/shared/make.js";
import { say } from "/shared/words.js";
import { TEXTS } from "./texts.js";

// Where cards, dice and pots are drawn on the table they stand there, once; of each player only these are left.
const OF_EACH = { holdem: ["CHIPS", "PUT IN", "TO CALL"], showdown: [], "free-for-all": ["CHIPS"] };
const UPPER = ["ACES", "ONES", "TWOS", "THREES", "FOURS", "FIVES", "SIXES"];

// What a click sends: what was shown is what is meant, as the session checks by these numbers.
export const pick = ({ serial, asked }, index, yes = false) => `pick:${serial}:${asked}:${index}${yes ? ":yes" : ""}`;

// What a bet costs or a pot holds is on the table, and nothing that is scored.
const worth = (table, offer) => (table.game === "holdem" ? { ...offer, points: null } : offer);

// Args: an offer, its place in the list, the table, and how it is written.
export function offerButton(offer, index, table, written, named = "") {
  const best = offer.label === table.best;
  const says = TEXTS.offer(named || say(offer.label), worth(table, offer), best);
  return make("button", {
    type: "button", class: `offer ${best ? "best" : ""} ${offer.asks ? "zero" : ""}`, "data-pick": pick(table, index),
    "aria-label": says, title: says, disabled: !offer.possible || table.busy,
  }, written);
}

// The question whether a zero is meant, beside what it is about.
export const question = (table) => make("span", { class: "really", role: "group", "aria-label": TEXTS.really },
  make("button", { type: "button", "data-pick": pick(table, table.chosen, true) }, TEXTS.yes),
  make("button", { type: "button", "data-act": "back" }, TEXTS.no));

const isAskedAbout = (table, index) => table.confirm && table.chosen === index;

function labelsOf(sheets, only) {
  const labels = [];
  for (const { rows } of sheets) {
    rows.forEach(([label], n) => {
      if ((only && !only.includes(label)) || labels.includes(label)) return;
      labels.splice(n ? labels.indexOf(rows[n - 1][0]) + 1 : 0, 0, label);
    });
  }
  return labels;
}

function cell(table, sheet, label) {
  const points = sheet.rows.find(([name]) => name === label)?.[1] ?? "";
  const turn = sheet.turn ? "turn" : null;
  const index = sheet.turn && points === "-" ? table.offers.findIndex(({ row }) => row === label) : -1;
  if (index < 0) return make("td", { class: turn }, points === "-" ? "" : points);
  if (isAskedAbout(table, index)) return make("td", { class: "turn open" }, question(table));
  const offer = table.offers[index];
  return make("td", { class: "turn open" }, offerButton(offer, index, table, String(offer.points), say(label)));
}

function heading(table, sheet, seat) {
  const mark = table.end?.winners.includes(seat) ? TEXTS.won : sheet.turn ? TEXTS.turn : "";
  const leads = !table.end && table.leaders.includes(seat) ? TEXTS.leads(table.ahead) : "";
  const small = [mark, leads].filter(Boolean).join(", ");
  return make("th", { scope: "col", class: sheet.turn ? "turn" : null }, make("span", {}, sheet.player), ...(small ? [make("small", {}, small)] : []));
}

const row = (name, cells, className = null) => make("tr", { class: className }, make("th", { scope: "row" }, name), ...cells);

export class Sheet {
  // Args: where the table goes, and where what fills no row of it.
  constructor(place, acts) {
    Object.assign(this, { place, acts, drawn: "" });
    new ResizeObserver(() => this.showTurn()).observe(place);
  }

  // Moves the column of whoever is on turn into view, beside the labels that stay.
  showTurn() {
    const { place } = this, column = place.querySelector("th.turn"), labels = place.querySelector("tr :first-child");
    if (!column) return;
    const left = column.offsetLeft - labels.offsetWidth, right = column.offsetLeft + column.offsetWidth - place.clientWidth;
    place.scrollLeft = Math.min(Math.max(place.scrollLeft, right), left);
  }

  shows(sheets, table) {
    const text = JSON.stringify([sheets, table]);
    if (text === this.drawn) return;
    this.drawn = text;
    this.place.hidden = !sheets.length;
    this.table(sheets, table);
    this.choices(table);
  }

  table(sheets, table) {
    const only = OF_EACH[table?.game], labels = labelsOf(sheets, only), first = table?.goals[0] ?? [];
    const goals = first.map(({ label, needed, bonus }, k) => row(TEXTS.goal(say(label), needed, bonus), table.goals.map((of, seat) =>
      make("td", { class: sheets[seat]?.turn ? "turn" : null }, make("meter", {
        min: 0, max: needed, value: Math.min(of[k].now, needed), "aria-label": TEXTS.of(of[k].now, needed),
      }), ` ${of[k].now}`)), "goal"));
    const upper = goals.length ? labels.filter((label) => UPPER.includes(label)) : [];
    const lines = labels.map((label) => [label, row(say(label), sheets.map((sheet) => cell(table, sheet, label)))]);
    const before = lines.filter(([label]) => upper.includes(label)), after = lines.filter(([label]) => !upper.includes(label));
    const focus = document.activeElement?.dataset?.pick;
    this.place.style.setProperty("--players", sheets.length);
    this.place.style.setProperty("--rows", labels.length + goals.length + 2);
    this.place.querySelector("table").replaceChildren(...(sheets.length ? [
      make("thead", {}, make("tr", {}, make("td"), ...sheets.map((sheet, seat) => heading(table, sheet, seat))),
        row(TEXTS.total, sheets.map((sheet) => make("td", { class: sheet.turn ? "turn" : null }, String(sheet.total))), "total")),
      make("tbody", {}, ...before.map(([, line]) => line), ...goals, ...after.map(([, line]) => line)),
    ] : []));
    if (focus) document.querySelector(`[data-pick="${focus}"]`)?.focus();
    if (this.turn !== table?.turn) this.showTurn();
    this.turn = table?.turn;
  }

  // What has no row: passing, bets, pots; and zeros in rows that the dice would fill.
  choices(table) {
    const seen = new Set(), acts = [], zeros = [];
    (table?.offers ?? []).forEach((offer, index) => {
      const again = offer.row && seen.has(offer.row);
      if (offer.row) seen.add(offer.row);
      if (onTable(table, offer) || (offer.row && !again)) return;
      const written = worth(table, offer).points === null || offer.asks || !offer.points ? say(offer.label) : `${say(offer.label)} ${offer.points}`;
      (again ? zeros : acts).push(isAskedAbout(table, index) ? question(table) : offerButton(offer, index, table, written));
    });
    const more = zeros.length ? [make("details", { open: this.open }, make("summary", {}, TEXTS.otherwise), ...zeros)] : [];
    more[0]?.addEventListener("toggle", () => { this.open = more[0].open; });
    this.acts.hidden = !acts.length && !zeros.length;
    this.acts.replaceChildren(...acts, ...more);
  }
}

// Whether an offer is a card that lies on the table.
export const onTable = ({ table: { places, beside } }, { label }) => [...places, ...beside].some((item) => item.label === label);
