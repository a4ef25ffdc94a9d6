// All that this page says by itself; the rest comes from the appliance.

import { say, told } from "/shared/words.js";

const signed = (points) => `${points > 0 ? "+" : ""}${Math.round(points)}`;

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
  names: { view: "The tray", says: "What you can do", board: "The scoreboard", buttons: "Buttons", sheets: "Scores", felt: "On the table", acts: "Choices", keys: "Keys", leaving: "Leave the game?" },
  total: "TOTAL",
  goal: (label, needed, bonus) => say("{label}: {needed} for +{bonus}", { label, needed, bonus }),
  of: (now, needed) => say("{now} of {needed}", { now, needed }),
  turn: "playing now",
  won: "has won",
  leads: (points) => say("leads by {points}", { points }),
  offer: (name, { points, reason, possible, asks }, best, why) => [
    points === null ? name : say("{label}: worth {points}", { label: name, points }),
    reason && say(reason), asks && say("asks again"), !possible && say("not possible now"), best && [say("the hint's choice"), why && say(why)].filter(Boolean).join(": "),
  ].filter(Boolean).join(", "),
  really: "Really take a zero here?",
  yes: "Yes",
  no: "No",
  otherwise: "Take the zero elsewhere",
  take: "Take",
  centre: "The centre",
  owner: (name) => say("of {name}", { name }),
  pot: "The pot",
  dealer: "the dealer",
  hidden: "under the cup",
  throws: "The dice are thrown …",
  late: "Something happened meanwhile. Look at the dice, and press again.",
  real: "These dice are real: throw them yourself.",
  name: "Name",
  takes: "Save the name",
  review: "Review the game",
  thinking: "Looking at every choice …",
  noMistake: "No choice cost any points.",
  points: (points) => say("{points} points", { points }),
  luck: (par, luck, cost) => say("{par} expected, dice {luck}, choices {cost}", {
    par: Math.round(par), luck: signed(luck), cost: signed(-cost),
  }),
  decision: (turn, chosen, best, cost, why) =>
    say("Turn {turn}: {chosen}; {best} was worth {cost} more", { turn, chosen, best, cost }) + (why ? ` (${why})` : ""),
  over: (names, margin) => [
    names.length > 1 ? say("The game is over. {names} share the win.", { names: names.join(", ") })
      : say("The game is over. {name} has won.", { name: names[0] }),
    names.length === 1 && margin > 0 && say("{margin} points ahead.", { margin }),
  ].filter(Boolean).join(" "),
  scored: (player, label, points) => say("{player}: {label}, points: {points}.", { player, label, points }),
  emptied: (player, label) => say("{player}: {label} is open again.", { player, label }),
  stands: (player, total) => say("{player} has {total}.", { player, total }),
  roll: (roll, rolls) => say("roll {roll} of {rolls}", { roll, rolls }),
  bestHeld: (why) => [say("hold this one (hint)"), why && say(why)].filter(Boolean).join(": "),
  bestThrown: "the hint's choice",
  letters: "Keyboard shortcuts (letters and digits)",
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
