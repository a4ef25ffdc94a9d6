// All that this page says by itself; the rest comes from the tables.

import { say, told } from "/shared/words.js";

export const TEXTS = told({
  title: "The tables",
  waits: "Waiting for the tables …",
  there: (there, all) => say("{there} of {all} tables connected", { there, all }),
  away: (halls) => (halls.length ? say("No connection to {halls}.", { halls: halls.join(", ") }) : ""),
  gone: "No connection. Trying again.",
  off: "is offline",
  unreadable: "Cannot be read (another version?)",
  round: (n) => (n ? say("Round {n}", { n }) : ""),
  missing: (count) => say(count === 1 ? "waiting for 1 event" : "waiting for {count} events", { count }),
  dice: (dice) => say("Dice in the tray: {dice}", { dice: dice.join(", ") }),
  won: (names) => (names.length > 1
    ? say("The game is over. {names} share the win.", { names: names.join(", ") })
    : say("The game is over. {name} has won.", { name: names[0] })),
  league: "The league",
  place: "Place",
  rank: (n) => `${n}.`,
  print: "Print the league",
  csv: "Save as CSV",
  json: "Save as JSON",
});
