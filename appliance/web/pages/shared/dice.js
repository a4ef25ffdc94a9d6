// Dice as drawings: pips, or what else a face shows.

import { drawn, make } from "./make.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const SHORT = { double: "D", freeze: "❄", power: "⚡", "?": "?" };

// A face; null is a die that is still to be thrown. `kind` is its colour, by which style.css paints it.
export function dieDrawing(face, kind = "", held = false) {
  // Words are on the Power die only, whose 2 is no number of pips.
  if (typeof face === "string" && face !== "?") kind = "power";
  const pips = kind === "power" ? null : PIPS[face];
  const signs = pips
    ? pips.map((p) => drawn("circle", { cx: 22 + 28 * (p % 3), cy: 22 + 28 * Math.floor(p / 3), r: 9.5 }))
    : face === null ? []
      : [Object.assign(drawn("text", { x: 50, y: 66, "text-anchor": "middle" }), { textContent: SHORT[face] ?? String(face).replace(/^x?(\d)$/, "×$1") })];
  const picture = drawn("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, drawn("rect", { x: 4, y: 4, width: 92, height: 92, rx: 18 }), ...signs);
  return make("span", { class: `die ${kind ?? ""} ${held ? "held" : ""} ${face === null ? "blank" : ""}` }, picture);
}
