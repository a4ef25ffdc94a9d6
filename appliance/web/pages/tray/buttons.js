// The buttons: to click, to hold down, and as keys.

import { dieDrawing } from "/shared/dice.js";
import { TEXTS } from "./texts.js";

const LONG_MS = 700, STEP_MS = 90;
const CHARACTERS = { ArrowLeft: "\x1b[D", ArrowRight: "\x1b[C", ArrowUp: "\x1b[A", ArrowDown: "\x1b[B", Enter: "\r", Backspace: "\x7f" };
const TAKES_BACK = ["back", "long:back"];
const IN_LISTS = ["left", "right", "up", "down"];
// What keys do that are one button, by what the program calls them (`Key` in appliance/inputs.py); their names are for people.
const ACTIONS = { space: "throw", enter: "ok", backspace: "back", b: "back", h: "hint", m: "long:ok", q: "quit", s: "show" };

// Marks a button as what a hint advises.
function marked(button, best, says) {
  button.classList.toggle("best", Boolean(best));
  if (best) button.title = says;
  else button.removeAttribute("title");
}

export class Buttons {
  // Args: where the buttons go, where those for what can be done go, what sends an action, what
  // is called when the own dice are wanted and no more, and what this page does by itself.
  constructor(place, can, send, hold, own) {
    Object.assign(this, { can, send, own, actions: {}, stepped: 0, said: "", held: false, letters: true });
    this.hold = (down) => { this.held = down; hold(down); };
    const fill = (id, items) => place.querySelector(id).replaceChildren(...items);
    this.holds = Array.from({ length: 6 }, (_, k) => this.button(k < 5 ? `hold${k + 1}` : "holdp", [`${TEXTS.holds} ${k + 1}`, `${k + 1}`]));
    const each = (words) => Object.entries(words).map(([action, said]) => this.button(action, said));
    this.more = each(TEXTS.more);
    fill("#holds", this.holds);
    fill("#others", each(TEXTS.others));
    fill("#more", this.more);
    this.place = place;
    document.addEventListener("keydown", (event) => this.down(event));
    document.addEventListener("keyup", (event) => this.up(event));
    window.addEventListener("pointerup", () => this.hold(false));
    window.addEventListener("blur", () => this.hold(false));
    document.addEventListener("visibilitychange", () => document.hidden && this.hold(false));
  }

  button(action, [label, key, name]) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.action = action;
    button.append(label);
    if (name) button.setAttribute("aria-label", name);
    if (key && !name) {
      const cap = document.createElement("kbd");
      cap.textContent = key;
      button.append(" ", cap);
    }
    this.press(button, action);
    return button;
  }

  // A button sends its action, another one when it is held down for long.
  press(button, action) {
    // Who clicks goes on with the keys of the game: the focus stays where it is.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    if (action === "peek") {
      const downs = ["pointerdown", "keydown"], ups = ["pointerleave", "pointercancel", "keyup", "blur"];
      const wanted = (event) => !event.key || event.key === " " || event.key === "Enter";
      for (const kind of downs) button.addEventListener(kind, (event) => wanted(event) && this.hold(true));
      for (const kind of ups) button.addEventListener(kind, () => this.hold(false));
      return;
    }
    let timer = 0, long = false;
    button.addEventListener("pointerdown", () => {
      long = false;
      clearTimeout(timer);
      timer = setTimeout(() => {
        long = !action.includes(":") && Object.values(this.actions).includes(`long:${action}`);
        if (long) this.send(`long:${action}`);
      }, LONG_MS);
    });
    for (const kind of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(kind, () => clearTimeout(timer));
    button.addEventListener("click", () => {
      if (!long) this.act(action);
      long = false;
    });
  }

  shows(view) {
    this.view = view;
    this.actions = view.actions;
    const kept = new Set(view.dice.filter((die) => die.kept).map((die) => die.number));
    const faces = view.table?.dice ?? [], best = view.table?.best_hold;
    // Without a sixth die there is nothing to hold there, unless the six buttons are the six faces.
    const six = view.guidance.keys.some(({ name }) => name.endsWith("-6"));
    this.holds[5].hidden = faces.length === 5 && !six;
    this.holds.forEach((button, k) => {
      button.setAttribute("aria-pressed", kept.has(k + 1));
      marked(button, best?.includes(k), TEXTS.bestHeld(view.table?.why));
      const { face = null, kind = null } = faces[k] ?? {}, drawn = `${face} ${kind}`;
      if (button.dataset.drawn === drawn) return;
      button.dataset.drawn = drawn;
      button.querySelector(".die")?.remove();
      if (face !== null) button.prepend(dieDrawing(face, kind));
    });
    const has = (key) => view.has.includes(key);
    this.place.hidden = !has("enter");
    const can = (wanted) => view.guidance.keys.some(({ key }) => key === wanted);
    const shown = { throw: has("space"), peek: can("p") || this.held, show: can("s"), "long:back": true, "long:ok": true };
    for (const button of this.more) button.hidden = !shown[button.dataset.action];
    this.offers(view.guidance.keys);
    // Until the dice are read a throw can only be taken back; whoever asks for more is told so.
    for (const button of this.place.querySelectorAll("button"))
      button.setAttribute("aria-disabled", view.thrown && !TAKES_BACK.includes(button.dataset.action));
    // All that is to be held is held: now the others are thrown.
    const ready = best && view.table.offers.length && faces.every((_, k) => best.includes(k) === kept.has(k + 1));
    for (const button of document.querySelectorAll("[data-action=throw]")) marked(button, ready, TEXTS.bestThrown);
  }

  // What can be done now: to click where it is one button.
  offers(keys) {
    const text = JSON.stringify(keys);
    if (text === this.said) return;
    this.said = text;
    this.can.replaceChildren(...keys.map(({ key, name, does }) => {
      const action = ACTIONS[key];
      const item = document.createElement(action && !this.place.hidden ? "button" : "span");
      const cap = document.createElement("kbd");
      cap.textContent = name;
      item.append(cap, ` ${does}`);
      if (item.tagName === "BUTTON") {
        item.type = "button";
        item.dataset.action = action;
        this.press(item, action);
      }
      return item;
    }));
  }

  down(event) {
    const { key, ctrlKey, altKey, metaKey, repeat } = event;
    if (!this.view || ctrlKey || altKey || metaKey || document.querySelector("dialog[open]")) return;
    const focused = document.activeElement;
    if (focused?.matches("input")) return;
    if ((key === " " || key === "Enter") && focused?.matches("button:focus-visible")) return;
    if (this.view.typing && key.length === 1) {
      event.preventDefault();
      this.send(`typed:${key}`);
      return;
    }
    // SPACE, ENTER and arrows are left to those who want no others.
    if (!this.letters && key.length === 1 && key !== " ") return;
    const action = this.actions[CHARACTERS[key] ?? key];
    if (!action || (focused?.id === "sheets" && ["up", "down"].includes(action))) return;
    event.preventDefault();
    if (IN_LISTS.includes(action)) {
      const now = performance.now();
      if (repeat && now - this.stepped < STEP_MS) return;
      this.stepped = now;
    } else if (repeat) {
      return;
    }
    if (action === "peek") this.hold(true);
    else this.act(action);
  }

  // Does what an action means here, or sends it.
  act(action) {
    if (this.own[action]) this.own[action]();
    else this.send(action);
  }

  up({ key }) {
    if (this.actions[key] === "peek") this.hold(false);
  }
}
