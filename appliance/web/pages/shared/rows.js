// The rows of sheets: in some games several slots of a kind share one.

import { make } from "./make.js";

// The rows above a bonus.
export const UPPER = ["ACES", "ONES", "TWOS", "THREES", "FOURS", "FIVES", "SIXES"];

const NUMBERED = /^(.+) (\d)$/;

// What stands beside a number is written shorter than by itself.
const SHORT = { "SMALL STR": "SM STR", "LARGE STR": "LG STR", "FIVE ALIKE": "5 ALIKE" };

// Slots of a kind are numbered, or have a number in their name once they are filled.
export function rowOf(shared, label) {
  if (!shared) return label;
  const kind = NUMBERED.exec(label)?.[1] ?? label;
  return SHORT[kind] ?? kind;
}
export const numberOf = (shared, label) => (shared ? NUMBERED.exec(label)?.[2] : null) ?? null;

// What counts towards a bonus, and once it is paid, or will never be, its points.
export const goalCell = ({ now, needed, bonus }, over) => {
  const paid = now >= needed;
  return paid || over ? [make("small", {}, `${now} `), make("b", {}, paid ? `+${bonus}` : "0")] : [`${now} / ${needed}`];
};

// All rows in their order: what only some players have stands where these have it.
export function rowsOf(shared, sheets, only) {
  const names = [];
  for (const { rows } of sheets) {
    rows.map(([label]) => rowOf(shared, label)).forEach((name, n, all) => {
      if ((only && !only.includes(name)) || names.includes(name)) return;
      names.splice(n ? names.indexOf(all[n - 1]) + 1 : 0, 0, name);
    });
  }
  return names;
}

// The slots of a row on a player's sheet, label and points.
export const slotsOf = (shared, sheet, name) => sheet.rows.filter(([label]) => rowOf(shared, label) === name);
