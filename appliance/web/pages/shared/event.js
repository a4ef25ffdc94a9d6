// An event of a game, as people tell it.

import { inWords } from "/shared/texts.js";
import { say } from "/shared/words.js";

// Colours and faces, each in the reader's words; numbers stay.
const inDice = (words) => words.split(" ").map((word) => say(word)).join(" ");
const VERBS = {
  roll: (dice) => say("threw {dice}", { dice }),
  show: (dice) => say("showed {dice}", { dice: inDice(dice) }),
  fix: (dice) => say("corrected: die {dice}", { dice }),
  recolour: (dice) => say("corrected: die {dice}", { dice: inDice(dice) }),
  hold: (dice) => (dice === "none" ? say("throws all again") : say("kept dice {dice}", { dice })),
  undo: (count) => say("undid {count}", { count }),
  leave: () => say("left the game"),
};

export function happened({ verb, text, label, reason }) {
  const says = VERBS[verb]?.(text.slice(verb.length + 1)) ?? (label ? inWords(label) : text);
  return reason ? `${says}, ${inWords(reason)}` : says;
}

// Points that came or went, as +30 or -5.
export const signed = (points) => `${points > 0 ? "+" : ""}${points}`;

// What an event was worth: in a game of bets a check or a hand that is shown scores nothing, not 0.
export const worth = (points, shared) => (shared && !points ? null : points);
