// All that this page says by itself; the rest comes from the appliance.

import { signed } from "/shared/event.js";
import { say, told } from "/shared/words.js";

export const TEXTS = told({
  title: "Game overlay for a stream",
  refused: "Add # and the PIN to the address: .../overlay/#123456",
  gone: "No connection. Trying again.",
  round: (n, rounds) => (!n ? "" : rounds ? say("Round {n} of {rounds}", { n, rounds }) : say("Round {n}", { n })),
  whose: (player) => (player ? [player, say("playing now")] : [say("On the table")]),
  chose: (player, label, points) => `${player}: ${label}${points === null ? "" : ` ${signed(points)}`}`,
  over: (names) => (names.length > 1
    ? say("The game is over. {names} share the win.", { names: names.join(", ") })
    : say("The game is over. {name} has won.", { name: names[0] })),
  die: ({ kind, face, held }) => `${kind ? `${say(kind)} ` : ""}${say(String(face))}${held ? `, ${say("held")}` : ""}`,
});
