// Taps of people in a hurry: two in a row are one, and what scores is shown before it is taken.

export const TWICE_MS = 600;
const NEAR_PX = 40;

let pointer = "";
document.addEventListener("pointerdown", ({ pointerType }) => { pointer = pointerType; }, true);
document.addEventListener("keydown", () => { pointer = ""; }, true);

// Whether a click was made with a mouse; browsers that do not say it in the click have said it before.
export const byMouse = (event) => (event.pointerType ?? pointer) === "mouse";
const byFinger = (event) => ["touch", "pen"].includes(event.pointerType ?? pointer);

export class Taps {
  constructor() {
    Object.assign(this, { at: -Infinity, x: 0, y: 0, armed: "" });
  }

  // Whether a click is the second of a double one, at the same place; the time runs from the first.
  isSecond(event) {
    if (byMouse(event)) return event.detail > 1;
    if (!byFinger(event)) return false;
    const { timeStamp, clientX: x, clientY: y } = event;
    if (timeStamp - this.at < TWICE_MS && Math.hypot(x - this.x, y - this.y) < NEAR_PX) return true;
    Object.assign(this, { at: timeStamp, x, y });
    return false;
  }

  // Another press came in between: what was shown has to be shown again before it is taken.
  disarm() {
    this.armed = "";
  }

  // Whether a choice is only shown: the first time, unless a mouse points at it.
  shows(event, pick) {
    if (byMouse(event) || this.armed === pick) return false;
    this.armed = pick;
    return true;
  }
}
