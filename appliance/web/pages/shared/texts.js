// What the board's labels say where there is room.

import { written } from "/shared/words.js";

// Whether a label is that of a choice to score nothing in a box.
export const isZero = (label) => /^[0X] /.test(label);

const begun = (text) => text.replace(/(^|: )\p{Ll}/gu, (found) => found.toUpperCase());

// A label in words, as `write` of `appliance/words.py` makes it: a zero in a box, a card at its owner's and where, a box and
// a number. A card's place at the beginning of others, such as C1 or 2A, is for the board alone.
export function inWords(label) {
  if (isZero(label)) return begun(`${written(label[0])} ${written(label.slice(2))}`);
  const said = label.replace(/^(?:C\d|\d[A-C]) /, ""), place = /^[A-Z] (?=.)/.exec(said)?.[0] ?? "";
  return begun(place && `${place[0]}: `) + begun(written(said.slice(place.length)));
}
