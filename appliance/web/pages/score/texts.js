// All that this page says by itself; the rest comes from the appliance.

import { say, told } from "/shared/words.js";

export const TEXTS = told({
  pin: "PIN, as the scoreboard says it (MENU, NETWORK)",
  enter: "Open the page",
  refused: "This is not the PIN.",
  tooMany: "Too many tries. Wait a minute, then try again.",
  link: {
    open: "",
    gone: "No connection. This page tries again by itself.",
    lost: "The tray is off, or is being restarted. This page goes on by itself.",
  },
  light: { auto: "Light: as the device", light: "Light: bright", dark: "Light: dark" },
  large: "Large type",
  round: (n) => (n ? say("Round {n}", { n }) : ""),
  none: "No game is being played.",
  names: { now: "Now", board: "The scoreboard", scores: "Scores", story: "The story", records: "Records and dice", table: "On the table" },
  alert: (text) => text.split(" - ").map((line) => say(line.toUpperCase())).join(": "),
  throw: (faces) => say("The last throw: {faces}", { faces: faces.join(", ") }),
  die: ({ kind, face, held }) => `${kind ? `${say(kind)} ` : ""}${face === null ? say("not thrown") : say(String(face))}${held ? `, ${say("held")}` : ""}`,
  total: "TOTAL",
  turn: "on turn",
  won: "has won",
  would: (points) => say("would give {points}", { points }),
  now: (points, reason) => say("now {points}", { points }) + (reason ? ` ${say(reason)}` : ""),
  offers: "To choose from",
  nobody: "ALL",
  taken: "taken back",
  points: (points) => `${points > 0 ? "+" : ""}${points}`,
  over: (names) => (names.length > 1
    ? say("The game is over. {names} share the win.", { names: names.join(", ") })
    : say("The game is over. {name} has won.", { name: names[0] })),
});
