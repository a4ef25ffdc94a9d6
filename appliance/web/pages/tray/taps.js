// Taps of people in a hurry: two in a row are one, and what scores is shown before it is taken.

export const TWICE_MS = 600;

let pointer = "";
document.addEventListener("pointerdown", ({ pointerType }) => { pointer = pointerType; }, true);
document.addEventListener("keydown", () => { pointer = ""; }, true);

// Whether a click was made with a mouse; browsers that do not say it in the click have said it before.
export const byMouse = (event) => (event.pointerType ?? pointer) === "mouse";
const byFinger = (event) => ["touch", "pen"].includes(event.pointerType ?? pointer);

export class Taps {
  constructor() {
    Object.assign(this, { at: -Infinity, armed: "" });
  }

  // Whether a click is the second of a double one; the time runs from the first.
  isSecond(event) {
    if (byMouse(event)) return event.detail > 1;
    if (!byFinger(event)) return false;
    if (event.timeStamp - this.at < TWICE_MS) return true;
    this.at = event.timeStamp;
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
