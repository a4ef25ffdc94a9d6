// All that this page says by itself; the rest comes from the program.

import { say, told } from "/shared/words.js";

export const TEXTS = told({
  pin: "PIN shown on the computer",
  enter: "Open the page",
  refused: "Wrong PIN.",
  tooMany: "Too many tries. Wait a minute, then try again.",
  seen: "What this camera sees",
  stay: "Leave this page in front and the phone charging.",
  dark: "This browser lets the screen go dark: turn that off in the settings of the phone.",
  lens: "Lens",
  torch: "Torch",
  nameless: (number) => say("camera {number}", { number }),
  again: "Try again",
  takeOver: "Use this phone",
  starts: "Waiting for the computer ...",
  trouble: {
    "": "",
    gone: "No connection. Trying again.",
    refused: "The browser is not allowed to use the camera: allow it, then reload this page.",
    none: "There is no camera here, or another app uses it.",
    insecure: "A page may only use the camera if its address begins with https.",
    other: "Another phone is the camera. Take this one instead?",
    slow: "The Wi-Fi is slow: bring phone and computer nearer to the router.",
    front: "This is the front camera: turn the phone over.",
    turned: "The picture has turned: lock the phone's rotation.",
    paused: "The phone has paused its camera: close other apps that use it.",
  },
  how: (width, height, rate, late) => say("{width}x{height}, {rate} fps, {late} s delay", { width, height, rate, late }),
});
