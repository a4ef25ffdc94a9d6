// What a screen reader says of the game: the dice of each throw, then what was scored and the total.

import { inWords } from "/shared/texts.js";
import { TEXTS } from "./texts.js";

const KEPT_LINES = 20;

export class Announcer {
  // Args: a log, to which a line is added for each thing that happens.
  constructor(place) {
    Object.assign(this, { place, dice: "", sheets: [] });
  }

  shows(view) {
    const said = [...this.thrown(view), ...this.scored(view.sheets)];
    if (said.length) this.says(said.join(" "));
  }

  says(text) {
    const line = document.createElement("p");
    line.textContent = text;
    // A new element is announced even if it says the same as the one before.
    this.place.append(line);
    while (this.place.children.length > KEPT_LINES) this.place.firstChild.remove();
  }

  // Dice that lie elsewhere have been thrown, also if they show what they showed before.
  thrown({ still, dice, looking }) {
    if (!still || looking) return [];
    const lying = JSON.stringify(dice.map(({ number, face, outline }) => [number, face, outline]));
    if (lying === this.dice) return [];
    this.dice = lying;
    return dice.length ? [`${TEXTS.tray(dice.map(({ face }) => face))}.`] : [];
  }

  scored(sheets) {
    const before = this.sheets;
    this.sheets = sheets;
    const names = (all) => all.map(({ player }) => player).join();
    if (names(before) !== names(sheets)) return [];
    const news = sheets.map((sheet, seat) => filled(before[seat], sheet));
    // What is new for several at a time is everybody's, such as the dice in the middle.
    const own = (label) => news.filter((rows) => rows.some(([name]) => name === label)).length === 1;
    return sheets.flatMap((sheet, seat) => {
      const { player, total } = sheet;
      const boxes = news[seat].filter(([label]) => own(label))
        .map(([label, points]) => (points === "-" ? TEXTS.emptied(player, inWords(label)) : TEXTS.scored(player, inWords(label), points)));
      return boxes.length || total !== before[seat].total ? [...boxes, TEXTS.stands(player, total)] : [];
    });
  }
}

// The rows of a sheet that were filled or emptied.
function filled(before, now) {
  const old = new Map(before.rows);
  return now.rows.filter(([label, points]) => old.has(label) && (old.get(label) === "-") !== (points === "-"));
}
