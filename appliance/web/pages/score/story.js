// The game as people tell it: a line an event, what was taken back marked.

import { happened } from "/shared/event.js";
import { TEXTS } from "./texts.js";

const NO_EVENTS = new Set(["holding", "seed", "undo"]);

// The lines of a game's events, oldest first: {number, who, says, points, taken, celebrated}.
export function story(events, names) {
  const lines = [], standing = [];
  for (const event of events) {
    if (event.verb === "holding" || event.verb === "seed") continue;
    if (event.verb === "undo") {
      const count = Number(event.text.slice(5));
      for (const line of standing.splice(Math.max(0, standing.length - count))) line.taken = true;
    }
    const line = {
      number: event.number,
      who: names[event.seat] ?? TEXTS.nobody,
      says: happened(event),
      points: event.points,
      taken: false,
      celebrated: event.celebrated,
    };
    lines.push(line);
    if (!NO_EVENTS.has(event.verb)) standing.push(line);
  }
  return lines;
}
