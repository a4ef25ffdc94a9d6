// An event of a game, as people tell it.

import { inWords } from "/shared/texts.js";
import { say } from "/shared/words.js";

const VERBS = {
  roll: (dice) => say("threw {dice}", { dice }),
  show: (dice) => say("showed {dice}", { dice }),
  fix: (dice) => say("corrected: die {dice}", { dice }),
  recolour: (dice) => say("corrected: die {dice}", { dice }),
  hold: (dice) => (dice === "none" ? say("throws all again") : say("kept dice {dice}", { dice })),
  undo: (count) => say("undid {count}", { count }),
  leave: () => say("left the game"),
};

export function happened({ verb, text, label, reason }) {
  const says = VERBS[verb]?.(text.slice(verb.length + 1)) ?? (label ? inWords(label) : text);
  return reason ? `${says}, ${say(reason)}` : says;
}
