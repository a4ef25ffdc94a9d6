// All that this page says by itself; the rest comes from the appliance.

import { inWords } from "/shared/texts.js";
import { say, told } from "/shared/words.js";

export const TEXTS = told({
  pin: "PIN (on the scoreboard: MENU, NETWORK)",
  enter: "Open the page",
  refused: "Wrong PIN.",
  tooMany: "Too many tries. Wait a minute, then try again.",
  link: {
    open: "",
    gone: "No connection. Trying again.",
    lost: "The tray is off or restarting. This page will reconnect.",
  },
  light: { auto: "Theme: automatic", light: "Theme: light", dark: "Theme: dark" },
  large: "Large text",
  round: (n, rounds) => (!n ? "" : rounds ? say("Round {n} of {rounds}", { n, rounds }) : say("Round {n}", { n })),
  goal: (needed, bonus) => say("Bonus +{bonus} from {needed}", { needed, bonus }),
  none: "No game is being played.",
  names: { now: "Now", board: "The scoreboard", scores: "Scores", last: "The last game", story: "The game so far", records: "Records and dice", table: "On the table" },
  alert: (text) => text.split(" - ").map((line) => say(line.toUpperCase())).join(": "),
  throw: (faces) => say("The last throw: {faces}", { faces: faces.join(", ") }),
  die: ({ kind, face, held }) => `${kind ? `${say(kind)} ` : ""}${face === null ? say("not thrown") : say(String(face))}${held ? `, ${say("held")}` : ""}`,
  total: "Total",
  turn: "playing now",
  won: "has won",
  would: (points) => say("worth {points}", { points }),
  now: (points, reason) => say("now {points}", { points }) + (reason ? ` ${inWords(reason)}` : ""),
  offers: "Choices",
  nobody: "Everybody",
  taken: "was undone",
  over: (names) => (names.length > 1
    ? say("The game is over. {names} share the win.", { names: names.join(", ") })
    : say("The game is over. {name} has won.", { name: names[0] })),
});
