// The rows of sheets: several slots of a kind share one.

const NUMBERED = /^(.+) (\d)$/;

// What stands beside a number is written shorter than by itself.
const SHORT = { "SMALL STR": "SM STR", "LARGE STR": "LG STR", "FIVE ALIKE": "5 ALIKE" };

// Power has up to three slots of a kind, and a number in the name of its choice once that is filled.
export function rowOf(game, label) {
  if (game !== "power") return label;
  const kind = NUMBERED.exec(label)?.[1] ?? label;
  return SHORT[kind] ?? kind;
}
export const numberOf = (game, label) => (game === "power" ? NUMBERED.exec(label)?.[2] : null) ?? null;

// All rows in their order: what only some players have stands where these have it.
export function rowsOf(game, sheets, only) {
  const names = [];
  for (const { rows } of sheets) {
    rows.map(([label]) => rowOf(game, label)).forEach((name, n, all) => {
      if ((only && !only.includes(name)) || names.includes(name)) return;
      names.splice(n ? names.indexOf(all[n - 1]) + 1 : 0, 0, name);
    });
  }
  return names;
}

// The slots of a row on a player's sheet, label and points.
export const slotsOf = (game, sheet, name) => sheet.rows.filter(([label]) => rowOf(game, label) === name);

// A card's place in its label, such as C1 or 2A, is for the board alone.
export const withoutPlace = (label) => label.replace(/^([A-Z]\d|\d[A-Z]) /, "");
