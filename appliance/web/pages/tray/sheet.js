// The sheet: everybody's rows, what the dice would give in each, and a click that scores it.

import { make } from "/shared/make.js";
import { goalCell, numberOf, rowsOf, slotsOf, UPPER } from "/shared/rows.js";
import { inWords } from "/shared/texts.js";
import { say } from "/shared/words.js";
import { TEXTS } from "./texts.js";

// What a click sends: what was shown is what is meant, as the session checks by these numbers.
export const pick = ({ serial, asked }, index, yes = false) => `pick:${serial}:${asked}:${index}${yes ? ":yes" : ""}`;

// What a bet costs or a pot holds is on the table, and nothing that is scored.
const worth = (table, offer) => (table.table.shared_dice ? { ...offer, points: null } : offer);

// Args: an offer, its place in the list, the table, and how it is written.
export function offerButton(offer, index, table, written, named = "") {
  const best = offer.label === table.best;
  const says = TEXTS.offer(named || inWords(offer.label), worth(table, offer), best, table.why);
  return make("button", {
    type: "button", class: `offer ${best ? "best" : ""} ${offer.asks ? "zero" : ""}`, "data-pick": pick(table, index),
    "aria-label": says, title: says, disabled: !offer.possible || table.busy,
  }, ...[written].flat());
}

// The question whether a zero is meant, beside what it is about.
export const question = (table) => make("span", { class: "really", role: "group", "aria-label": TEXTS.really },
  make("button", { type: "button", "data-pick": pick(table, table.chosen, true), disabled: table.busy }, TEXTS.yes),
  make("button", { type: "button", "data-act": "back", disabled: table.busy }, TEXTS.no));

// Points that a box would bring, not those that it has.
const gain = (points) => (points === null ? "" : points < 0 ? String(points) : `+${points}`);

const isAskedAbout = (table, index) => table.confirm && table.chosen === index;

// What a slot shows: its points, or what the dice would give there, by every number that may be chosen for it.
function slot(table, sheet, [label, points]) {
  if (points !== "-") {
    const number = label.startsWith("CHOICE ") && numberOf(table.shared_rows, label);
    return [...(number ? [make("small", {}, `${number}: `)] : []), points];
  }
  const all = sheet.turn ? [...table.offers.entries()].filter(([, { row }]) => row === label) : [];
  const asked = all.find(([index]) => isAskedAbout(table, index));
  if (asked) return [question(table)];
  const some = all.filter(([, { asks }]) => !asks);
  return (some.length ? some : all.slice(0, 1)).map(([index, offer]) => {
    const number = some.length > 1 && numberOf(table.shared_rows, offer.label);
    const written = number ? [make("small", {}, `${number}: `), gain(offer.points)] : [gain(offer.points)];
    return offerButton(offer, index, table, written, inWords(number ? offer.label : label));
  });
}

// Which columns stand out: of whoever is on turn, then of whoever has won.
const columnKind = (table, sheet, seat) => (sheet?.turn ? "turn" : table?.end?.winners.includes(seat) ? "won" : "");

function cell(table, sheet, seat, label, shown) {
  const slots = slotsOf(table.shared_rows, sheet, label).map((row) => slot(table, sheet, row));
  const open = slots.flat().some((one) => one instanceof Element && one.matches("button, .really"));
  const kind = [columnKind(table, sheet, seat), open && "open", shown && "shown"].filter(Boolean).join(" ") || null;
  if (slots.length < 2 && (!open || slots[0].length < 2)) return make("td", { role: "cell", class: kind }, ...slots.flat());
  return make("td", { role: "cell", class: kind }, make("div", { class: "slots" }, ...(slots.length < 2 ? slots[0].map((one) => [one]) : slots)
    .map((one) => make("span", {}, ...one))));
}

// Before the first round it is thrown for who begins; rounds of betting are counted otherwise.
export const isRollOff = ({ round, end, table }) => !round && !end && !table.shared_dice;

// Where only one sheet is in sight, a name turns to that player's.
function heading(table, sheet, seat, shown) {
  const mark = table.end?.winners.includes(seat) ? TEXTS.won : !sheet.turn ? "" : isRollOff(table) ? TEXTS.throws_first : TEXTS.turn;
  const leads = !table.end && table.leaders.includes(seat) ? TEXTS.leads(table.ahead) : "";
  const small = [mark, leads].filter(Boolean).join(", ");
  const inside = [make("span", {}, sheet.player), ...(small ? [make("small", {}, small)] : [])];
  const name = narrow.matches ? [make("button", { type: "button", "data-seat": String(seat), "aria-pressed": String(shown) }, ...inside, make("b", {}, String(sheet.total)))] : inside;
  return make("th", { scope: "col", role: "columnheader", class: columnKind(table, sheet, seat) || null }, ...name);
}

const row = (name, cells, className = null) => make("tr", { class: className, role: "row" }, make("th", { scope: "row", role: "rowheader" }, name), ...cells);

// Where the columns of all players have no room beside the tray: one player's boxes, in two columns.
const narrow = matchMedia("(max-width: 900px), (max-height: 500px)");

export class Sheet {
  // Args: where the table goes, where what fills no row of it, and where zeros in rows that would give more.
  constructor(place, acts, zeros) {
    Object.assign(this, { place, acts, zeros, drawn: "" });
    new ResizeObserver(() => this.showTurn()).observe(place);
    narrow.addEventListener("change", () => this.again());
  }

  // The box of a row whose label was tapped, where the whole row is the target.
  boxOf(element) {
    return narrow.matches ? element.closest("#sheets tbody tr")?.querySelector("td.shown:not(:has(.slots)) > .offer") : null;
  }

  again() {
    if (!this.last) return;
    this.drawn = "";
    this.shows(...this.last);
  }

  // Shows a player's sheet, until somebody else is on turn.
  turnTo(seat) {
    this.seat = seat;
    this.again();
  }

  // Moves the column of whoever is on turn into view, beside the labels that stay.
  showTurn() {
    const { place } = this, column = place.querySelector("th.turn"), labels = place.querySelector("tr :first-child");
    if (!column) return;
    const left = column.offsetLeft - labels.offsetWidth, right = column.offsetLeft + column.offsetWidth - place.clientWidth;
    place.scrollLeft = Math.min(Math.max(place.scrollLeft, right), left);
  }

  disarm() {
    this.armed = "";
    for (const button of this.place.querySelectorAll(".armed")) button.classList.remove("armed");
  }

  shows(sheets, table) {
    // Nothing here shows dice: holding one draws no box anew.
    const text = JSON.stringify([sheets, table && { ...table, dice: [] }]);
    if (text === this.drawn) return;
    this.drawn = text;
    this.last = [sheets, table];
    if (this.turn !== table?.turn) this.seat = null;
    this.place.hidden = !sheets.length;
    this.table(sheets, table);
    this.choices(table);
  }

  table(sheets, table) {
    const shown = this.seat ?? table?.end?.winners[0] ?? Math.max(0, sheets.findIndex(({ turn }) => turn));
    const kind = (seat, sheet) => [columnKind(table, sheet, seat), seat === shown && "shown"].filter(Boolean).join(" ") || null;
    // What is drawn on the table stands there, once.
    const labels = rowsOf(table?.shared_rows, sheets, table?.table.left_on_sheets), first = table?.goals[0] ?? [];
    const goals = first.map(({ needed, bonus }, k) => row(TEXTS.goal(needed, bonus), table.goals.map((of, seat) =>
      make("td", { role: "cell", class: kind(seat, sheets[seat]) }, ...(table.end || of[k].now >= needed ? [] : [make("meter", {
        min: 0, max: needed, value: of[k].now, "aria-label": TEXTS.of(of[k].now, needed),
      }), " "]), ...goalCell(of[k], table.end))), "goal"));
    const upper = goals.length ? labels.filter((label) => UPPER.includes(label)) : [];
    const lines = labels.map((label) => [label, row(inWords(label), sheets.map((sheet, seat) => cell(table, sheet, seat, label, seat === shown)))]);
    const before = lines.filter(([label]) => upper.includes(label)), after = lines.filter(([label]) => !upper.includes(label));
    const { pick: focus, seat: seated } = document.activeElement?.dataset ?? {};
    this.armed = this.place.querySelector(".armed")?.dataset.pick ?? this.armed;
    this.place.style.setProperty("--players", sheets.length);
    this.place.style.setProperty("--rows", labels.length + goals.length + 2);
    this.place.style.setProperty("--half", Math.ceil((labels.length + goals.length) / 2));
    this.place.querySelector("table").setAttribute("role", "table");
    this.place.querySelector("table").replaceChildren(...(sheets.length ? [
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, make("td", { role: "cell", id: "told-boxes" }, this.toldOf(sheets, table, shown)), ...sheets.map((sheet, seat) => heading(table, sheet, seat, seat === shown))),
        row(TEXTS.total, sheets.map((sheet, seat) => make("td", { role: "cell", class: kind(seat, sheet) }, String(sheet.total))), "total")),
      make("tbody", { role: "rowgroup" }, ...before.map(([, line]) => line), ...goals, ...after.map(([, line]) => line)),
    ] : []));
    if (focus) document.querySelector(`[data-pick="${focus}"]`)?.focus();
    if (seated) this.place.querySelector(`[data-seat="${seated}"]`)?.focus();
    if (this.armed) this.place.querySelector(`[data-pick="${this.armed}"]`)?.classList.add("armed");
    if (this.turn !== table?.turn) this.showTurn();
    this.turn = table?.turn;
  }

  // What the numbers in the boxes are, and whose where only one player's are in sight.
  toldOf(sheets, table, shown) {
    const offers = table?.offers.some(({ row }) => row);
    if (!narrow.matches) return offers ? TEXTS.framed : "";
    const whose = TEXTS.boxes(sheets[shown].player, !table?.table.places.length && !table?.table.shared_dice);
    return make("span", {}, make("b", {}, whose), ...(offers && sheets[shown].turn ? [`: ${TEXTS.offered}`] : []));
  }

  // What has no row: passing, bets, pots; and zeros in rows that the dice would fill.
  choices(table) {
    const seen = new Set(), acts = [], zeros = [];
    (table?.offers ?? []).forEach((offer, index) => {
      const again = offer.row && offer.asks && seen.has(offer.row);
      if (offer.row) seen.add(offer.row);
      if (onTable(table, offer) || (offer.row && !again)) return;
      const written = worth(table, offer).points === null || offer.asks || !offer.points ? inWords(offer.label) : `${inWords(offer.label)} ${offer.points}`;
      (again ? zeros : acts).push(isAskedAbout(table, index) ? question(table) : offerButton(offer, index, table, written));
    });
    const more = zeros.length ? [make("details", { open: this.open }, make("summary", {}, TEXTS.otherwise), ...zeros)] : [];
    more[0]?.addEventListener("toggle", () => { this.open = more[0].open; });
    this.acts.hidden = !acts.length;
    this.acts.replaceChildren(...acts);
    this.zeros.hidden = !zeros.length;
    this.zeros.replaceChildren(...more);
  }
}

// Whether an offer is a card that lies on the table.
export const onTable = ({ table: { places, beside } }, { label }) => [...places, ...beside].some((item) => item.label === label);
