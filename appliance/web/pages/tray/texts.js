// All that this page says by itself; the rest comes from the appliance.

import { signed } from "/shared/event.js";
import { inWords, isZero } from "/shared/texts.js";
import { say, told } from "/shared/words.js";

const PLACES = told([
  ["top left", "top middle", "top right"],
  ["middle left", "in the middle", "middle right"],
  ["bottom left", "bottom middle", "bottom right"],
]);

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
  readings: ["What the camera reads", "Writes on each die in the tray what was read"],
  help: "Keys",
  later: "Finish later",
  close: "Close",
  names: { view: "The tray", says: "What you can do", board: "The scoreboard", buttons: "Buttons on the device", holds: "Dice: click those to keep", sheets: "Scores", felt: "On the table", acts: "Choices", keys: "Keys" },
  stops: "Stop here?",
  kept: "Stop here? The game is kept.",
  saved: "The game is kept.",
  device: "A tray with a scoreboard has these buttons.",
  menu: "Menu",
  hint: "Hint",
  undo: "Undo",
  putBack: "Put back",
  undoes: ({ player, label, kept, computers }) => {
    const what = kept.length ? say("kept {dice}", { dice: kept.join(" ") }) : label ? inWords(label) : say("the last throw");
    return `${player}: ${what}${computers.length ? `, ${say("and {players}", { players: computers.join(", ") })}` : ""}`;
  },
  before: "The one before",
  after: "The one after",
  total: "Total",
  goal: (needed, bonus) => say("Bonus +{bonus} from {needed}", { needed, bonus }),
  of: (now, needed) => say("{now} of {needed}", { now, needed }),
  turn: "playing now",
  throws_first: "throws now",
  rollOff: "Who begins? The highest throw",
  left: (name) => say("{name}'s last throw", { name }),
  // Over one player's boxes; without a name over everybody's.
  boxes: (name, hasBoxes) => say(hasBoxes ? "{name}'s boxes" : "{name}'s sheet", { name }),
  offered: "press to score",
  framed: "Framed: what this throw pays. A click scores it.",
  choose: "no roll left: choose a box",
  list: "See all boxes",
  through: "scores nothing",
  rollAll: "Roll all again",
  orKeep: "or first press dice to keep",
  pressed: "while pressed",
  instead: "in place of this throw",
  kept_die: "kept",
  won: "has won",
  leads: (points) => say("leads by {points}", { points }),
  offer: (name, { points, reason, possible, asks }, best, why) => [
    points === null ? name : say("{label}: worth {points}", { label: name, points }),
    reason && inWords(reason), asks && say("asks again"), !possible && say("not possible now"), best && [say("the hint's choice"), why && inWords(why)].filter(Boolean).join(": "),
  ].filter(Boolean).join(", "),
  really: "Really take a zero here?",
  yes: "Yes",
  no: "No",
  otherwise: "Zero on purpose",
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
  points: (points) => say(points === 1 ? "1 point" : "{points} points", { points }),
  luck: (par, luck, cost) => say("{par} expected, dice {luck}, choices {cost}", {
    par: Math.round(par), luck: signed(Math.round(luck)), cost: signed(-Math.round(cost)),
  }),
  decision: (turn, chosen, best, cost, why) =>
    say("Turn {turn}: {chosen}; {best} was worth {cost} more", { turn, chosen, best, cost }) + (why ? ` (${why})` : ""),
  over: (names, margin) =>
    names.length > 1 ? say("The game is over. {names} share the win.", { names: names.join(", ") })
      : margin > 0 ? say(margin === 1 ? "{name} won by {margin} point." : "{name} won by {margin} points.", { name: names[0], margin })
        : say("The game is over. {name} has won.", { name: names[0] }),
  scored: (player, label, points) => say("{player}: {label}, points: {points}.", { player, label, points }),
  emptied: (player, label) => say("{player}: {label} is open again.", { player, label }),
  stands: (player, total) => say("{player} has {total}.", { player, total }),
  round: ({ round, rounds }) => (rounds ? say("Round {n} of {rounds}", { n: round, rounds }) : say("Round {n}", { n: round })),
  roll: ({ roll, rolls }) => (rolls > 1 && roll ? say("roll {roll} of {rolls}", { roll, rolls }) : ""),
  rollsAgain: (count) => say(count === 1 ? "Roll {count} die again" : "Roll {count} dice again", { count }),
  rolls: (count) => say(count === 1 ? "Roll {count} die" : "Roll {count} dice", { count }),
  again: (offer) => say("{offer}. Once more takes it.", { offer }),
  sleeps: "This browser lets the screen go dark: turn that off in the settings of the phone.",
  dieButton: (number, kind, face) => say("Die {number}", { number }) + (face === null ? "" : `: ${kind ? `${say(kind)} ` : ""}${say(String(face))}`),
  // Where a die lies in the picture, its colour, and what an answer does.
  about: (kind, at, answers) => [
    at && say("It is the one in the frame: {what}.", { what: [
      kind && say(kind), PLACES[Math.min(2, Math.floor(3 * at[1]))][Math.min(2, Math.floor(3 * at[0]))],
    ].filter(Boolean).join(", ") }), answers && say("Press what it shows: that counts."),
  ].filter(Boolean).join(" "),
  answers: "What it shows",
  answer: (answer, guessed) => say(String(answer)) + (guessed ? `, ${say("as read")}` : ""),
  takesOne: ({ label, points }) => (points === null || isZero(label) ? inWords(label) : say("Take {label}: {points}", { label: inWords(label), points })),
  itIs: (answer) => say("Yes, it is {answer}", { answer: say(String(answer)) }),
  colours: { black: "black", red: "red", white: "white", yellow: "yellow" },
  bestHeld: (why) => [say("hold this one (hint)"), why && inWords(why)].filter(Boolean).join(": "),
  bestThrown: "the hint's choice",
  letters: "Keyboard shortcuts (letters and digits)",
  stay: "Play on",
  tray: (dice) => dice.length ? say("Dice in the tray: {dice}", { dice: dice.join(", ") }) : say("No dice in the tray"),
  seen: (seen) => say("What the camera sees: {seen}", { seen: seen.join(", ") }),
  die: (die) => `${die.number ? `${die.number}: ` : ""}${die.face}${die.kept ? ` ${say("held")}` : ""}`,
  // The buttons of the hardware, by action: the label, and a name where the label is only a sign.
  tray_buttons: {
    hold1: ["HOLD 1"], hold2: ["HOLD 2"], hold3: ["HOLD 3"], hold4: ["HOLD 4"], hold5: ["HOLD 5"], holdp: ["HOLD P"],
    left: ["◀", "LEFT"], right: ["▶", "RIGHT"], ok: ["OK"], back: ["BACK"], hint: ["HINT"],
  },
});
