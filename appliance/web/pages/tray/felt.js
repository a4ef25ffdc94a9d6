// What lies on the table for all: a ring and cards, a centre and homes, or the pot and dice that are bet on.

import { dieDrawing } from "/shared/dice.js";
import { make } from "/shared/make.js";
import { inWords } from "/shared/texts.js";
import { say } from "/shared/words.js";
import { offerButton, question } from "./sheet.js";
import { TEXTS } from "./texts.js";

const MOST_CHIPS_DRAWN = 12;

// Two letters of a name; of names that begin alike the first and the last one.
function marked(seat, names) {
  const short = names[seat].slice(0, 2), alike = names.filter((name) => name.slice(0, 2) === short);
  return alike.length < 2 ? short : names[seat][0] + names[seat].slice(1).trim().slice(-1);
}
const seatMark = (seat, names) => make("b", { class: `seat s${seat}`, title: names[seat] }, marked(seat, names));

function chips(count) {
  const drawn = Array.from({ length: Math.min(count, MOST_CHIPS_DRAWN) }, () => make("i", { class: "chip", "aria-hidden": "true" }));
  return make("span", { class: "chips" }, ...drawn, make("span", {}, String(count)));
}

// A card or a space; a button where the roll may be used for it.
function card(item, view, shown, extra = []) {
  const { table, names } = view;
  const index = table.offers.findIndex(({ label }) => label === item.label);
  const inside = [make("span", { class: "name" }, shown)];
  if (item.points !== null) inside.push(make("span", { class: "worth" }, String(item.points)));
  if (item.note) inside.push(make("small", {}, inWords(item.note)));
  inside.push(...extra);
  if (index >= 0 && table.confirm && table.chosen === index) inside.push(question(table));
  else if (index >= 0) {
    const offer = table.offers[index];
    inside.push(offerButton(offer, index, table, offer.points === null ? TEXTS.take : `+${offer.points}`, shown));
  }
  const owner = item.owner === null ? "" : `owned s${item.owner}`;
  return make("li", { class: `place ${owner} ${item.aim ? "aim" : ""}` }, ...inside);
}

// Sixteen spaces round a square, the cards that nobody has yet inside.
function ring(view) {
  const { table: { table: { places, beside } }, names } = view;
  const side = Math.ceil(places.length / 4), spaces = places.map((item, n) => {
    const [x, y] = n < side ? [n, 0] : n < 2 * side ? [side, n - side] : n < 3 * side ? [3 * side - n, side] : [0, 4 * side - n];
    const who = [...item.pawns.map((seat) => seatMark(seat, names)), ...(item.owner === null ? [] : [make("span", { class: "unseen" }, TEXTS.owner(names[item.owner]))])];
    const space = card(item, view, item.label === "EMPTY" ? "" : inWords(item.label), who);
    space.style.gridArea = `${y + 1} / ${x + 1}`;
    if (item.label === "WILD") space.classList.add("wild");
    return space;
  });
  const middle = make("li", { class: "middle" }, make("ul", { class: "cards" }, ...beside.map((item) => card(item, view, inWords(item.label)))));
  middle.style.gridArea = `2 / 2 / ${side + 1} / ${side + 1}`;
  const all = make("ul", { class: "ring" }, ...spaces, middle);
  all.style.setProperty("--side", side + 1);
  return [all];
}

function centreAndHomes(view) {
  const { table: { table: { places, beside } }, names, sheets } = view;
  const cards = (items) => make("ul", { class: "cards" }, ...items.map((item) => card(item, view, inWords(item.label))));
  const left = beside.map(({ label, points }) => make("span", {}, `${inWords(label)} ${points}`));
  return [
    make("section", { class: "centre", "aria-label": TEXTS.centre }, make("h3", {}, TEXTS.centre), cards(places.filter(({ owner }) => owner === null)),
      make("p", { class: "left" }, ...left)),
    make("div", { class: "homes" }, ...names.map((name, seat) => make("section", { class: `home ${sheets[seat].turn ? "turn" : ""}`, "aria-label": name },
      make("h3", {}, seatMark(seat, names), " ", name, " ", chips(Number(sheets[seat].rows.find(([label]) => label === "CHIPS")?.[1] ?? 0) || 0)),
      cards(places.filter(({ owner }) => owner === seat))))),
  ];
}

// A die by its row's label, such as 1 YELLOW or P1 RED.
const KIND = { YELLOW: "yellow", WHITE: "white", RED: "red", BLACK: "black" };

function ownDice(sheet, shared) {
  return sheet.rows.slice(4 + shared, 6 + shared).map(([label, face]) => {
    const kind = Object.entries(KIND).find(([word]) => label.endsWith(word))?.[1] ?? "";
    const die = dieDrawing(face === "-" ? null : Number(face), kind);
    if (face === "-") die.classList.add("cup");
    die.append(make("span", { class: "unseen" }, face === "-" ? TEXTS.hidden : TEXTS.die({ face: say(`${kind} ${face}`), number: null, kept: false })));
    return die;
  });
}

function poker(view) {
  const { table, names, sheets } = view, { places } = table.table;
  const pots = places.filter(({ label }) => label.includes("POT")), dealer = places.find(({ label }) => label === "DEALER")?.owner;
  const dice = table.dice.slice(0, table.table.shared_dice).map(({ face, kind }) => {
    const die = dieDrawing(face, kind);
    die.append(make("span", { class: "unseen" }, face === null ? TEXTS.hidden : `${say(kind ?? "")} ${face}`));
    return die;
  });
  return [
    make("section", { class: "pot", "aria-label": TEXTS.pot }, ...pots.map(({ label, points, note }) =>
      make("p", {}, make("span", { class: "name" }, inWords(label)), " ", make("b", {}, String(points ?? 0)), " ", make("small", {}, inWords(note)))),
    make("div", { class: "common" }, ...dice)),
    make("div", { class: "homes" }, ...places.filter(({ label }) => label === "CHIPS").map(({ points, note, owner: seat }) =>
      make("section", { class: `home ${sheets[seat].turn ? "turn" : ""} ${["FOLDED", "OUT"].includes(note) ? "out" : ""}`, "aria-label": names[seat] },
        make("h3", {}, names[seat], ...(seat === dealer ? [" ", make("b", { class: "dealer" }, TEXTS.dealer)] : [])),
        make("p", {}, make("i", { class: "chip", "aria-hidden": "true" }), ` ${points} `, make("small", {}, inWords(note))),
        make("div", { class: "own" }, ...ownDice(sheets[seat], table.table.shared_dice)))))]
  ;
}

export class Felt {
  constructor(place) {
    Object.assign(this, { place, drawn: "" });
  }

  shows(sheets, table) {
    const view = { table, sheets, names: sheets.map(({ player }) => player) };
    const text = JSON.stringify([sheets, table]);
    if (text === this.drawn) return;
    this.drawn = text;
    const draw = !table || !table.table.places.length ? () => [] : table.table.ring ? ring : table.table.shared_dice ? poker : centreAndHomes;
    const inside = draw(view);
    this.place.hidden = !inside.length;
    this.place.className = `card ${table?.game ?? ""}`;
    this.place.querySelector("div").replaceChildren(...inside);
  }
}
