// All that this page says by itself; the rest comes from the program.

import { say, told } from "/shared/words.js";

export const TEXTS = told({
  pin: "PIN, as the computer shows it",
  enter: "Open the page",
  refused: "This is not the PIN.",
  tooMany: "Too many tries. Wait a minute, then try again.",
  seen: "What this camera sees",
  stay: "Leave this page in front and the phone charging.",
  again: "Try again",
  takeOver: "Use this phone",
  starts: "Waiting for the computer ...",
  trouble: {
    "": "",
    gone: "No connection. Trying again.",
    refused: "The browser may not use the camera: allow it, then load this page again.",
    none: "There is no camera here, or another app uses it.",
    insecure: "This address does not let a page use the camera: it must begin with https.",
    other: "Another phone is the camera.",
    front: "This is the camera above the screen: turn the phone over.",
    turned: "The picture has turned: lock the phone's rotation.",
    paused: "The phone has paused its camera: close other apps that use it.",
  },
  how: (width, height, rate, late) => say("{width}x{height}, {rate} a second, {late} s late", { width, height, rate, late }),
});
