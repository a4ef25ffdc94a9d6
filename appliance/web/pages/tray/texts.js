// All that this page says by itself; the rest comes from the appliance.

import { say, told } from "/shared/words.js";

export const TEXTS = told({
  asks: "What would you like to do?",
  choices: {
    human: ["Play", "alone or with friends at this keyboard; an unfinished game resumes"],
    look: ["Your own dice", "a webcam looks at them: see what it reads, then play"],
    tutorial: ["Learn it", "one turn, explained in two minutes"],
    watch: ["Watch", "a game that plays itself"],
  },
  begins: "Drawing the tray …",
  link: {
    open: "",
    gone: "The program has stopped or is restarting. This page will reconnect.",
    refused: "This address is no longer valid. Open the one that the program printed.",
    busy: "These buttons do nothing right now.",
  },
  pointing: "Click the corner in the picture.",
  readings: "What was read",
  help: "Keys",
  leave: "Leave",
  close: "Close",
  names: { view: "The tray", says: "What you can do", board: "The scoreboard", buttons: "Buttons", sheets: "Scores", keys: "Keys", leaving: "Leave the game?" },
  total: "TOTAL",
  scored: (player, label, points) => say("{player}: {label}, points: {points}.", { player, label, points }),
  emptied: (player, label) => say("{player}: {label} is open again.", { player, label }),
  stands: (player, total) => say("{player} has {total}.", { player, total }),
  letters: "Letters and digits as keys",
  stay: "Stay",
  tray: (dice) => dice.length ? say("Dice in the tray: {dice}", { dice: dice.join(", ") }) : say("No dice in the tray"),
  seen: (seen) => say("What the camera sees: {seen}", { seen: seen.join(", ") }),
  die: (die) => `${die.number ? `${die.number}: ` : ""}${die.face}${die.kept ? ` ${say("held")}` : ""}`,
  holds: "HOLD",
  // By action: the label, the key that does the same, and a name where the label is only a sign.
  others: { left: ["◀", "←", "LEFT"], right: ["▶", "→", "RIGHT"], ok: ["OK", "ENTER"], back: ["BACK", "B"], hint: ["HINT", "H"] },
  more: {
    throw: ["Throw", "SPACE"],
    "long:back": ["Undo", "U"],
    "long:ok": ["Menu", "M"],
    peek: ["Own dice: hold down", "P"],
    show: ["Show own dice", "S"],
  },
});
