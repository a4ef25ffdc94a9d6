// What may be done now: one action that comes first, the others that are possible, dice to hold, answers to a question; and all of it by keys.

import { dieDrawing } from "/shared/dice.js";
import { make } from "/shared/make.js";
import { Taps } from "./taps.js";
import { TEXTS } from "./texts.js";

const LONG_MS = 700, STEP_MS = 90, SHOWN_MS = 3000, FRESH_MS = 300;
const CHARACTERS = { ArrowLeft: "\x1b[D", ArrowRight: "\x1b[C", ArrowUp: "\x1b[A", ArrowDown: "\x1b[B", Enter: "\r", Backspace: "\x7f" };
const TAKES_BACK = ["back", "long:back"];
const IN_LISTS = ["left", "right", "up", "down"];
// What keys do that are one button, by what the program calls them (`Key` in appliance/inputs.py); their names are for people.
const ACTIONS = { space: "throw", enter: "ok", backspace: "back", b: "back", h: "hint", m: "long:ok", q: "quit", s: "show", p: "peek" };
// Of these the first that is possible is what comes first.
const FIRST = ["space", "s", "enter"];

// Marks a button as what a hint advises.
function marked(button, best, says) {
  const was = button.classList.contains("best");
  button.classList.toggle("best", Boolean(best));
  if (best) button.title = says;
  else if (was) button.removeAttribute("title");
}

export class Buttons {
  // Args: where the actions, the dice, the answers and the tray's own buttons go, what sends an
  // action, what is called when the own dice are wanted and no more, and what this page does by itself.
  constructor({ can, holds, answers, tray, menu }, send, hold, own) {
    Object.assign(this, { can, answers, tray, menu, send, own, actions: {}, stepped: 0, held: false, letters: true, pressed: new Map(), timers: new Map(), taps: new Taps() });
    this.hold = (down) => { this.held = down; hold(down); };
    this.place = holds;
    this.others = new Map();
    this.primary = this.button("", "primary");
    this.primary.id = "primary";
    this.told = make("p", { id: "told" });
    this.rest = make("div", { id: "others" });
    can.replaceChildren(this.told, this.primary, this.rest);
    this.holds = Array.from({ length: 6 }, (_, k) => this.button(k < 5 ? `hold${k + 1}` : "holdp"));
    holds.replaceChildren(...this.holds);
    this.menu.dataset.action = "long:ok";
    this.press(this.menu);
    tray.replaceChildren(...Object.entries(TEXTS.tray_buttons).map(([action, [says, name]]) => {
      const button = this.button(action);
      button.textContent = says;
      if (name) button.setAttribute("aria-label", name);
      return button;
    }));
    document.addEventListener("keydown", (event) => this.down(event));
    document.addEventListener("keyup", (event) => this.up(event));
    window.addEventListener("pointerup", () => this.hold(false));
    window.addEventListener("blur", () => this.hold(false));
    document.addEventListener("visibilitychange", () => document.hidden && this.hold(false));
  }

  button(action, kind = null) {
    const button = make("button", { type: "button", "data-action": action, class: kind });
    this.press(button);
    return button;
  }

  // A button sends its action, another one when it is held down for long.
  press(button) {
    // Who clicks goes on with the keys of the game: the focus stays where it is.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    const downs = ["pointerdown", "keydown"], ups = ["pointerleave", "pointercancel", "keyup", "blur"];
    const peeks = (event) => button.dataset.action === "peek" && (!event.key || event.key === " " || event.key === "Enter");
    for (const kind of downs) button.addEventListener(kind, (event) => peeks(event) && this.hold(true));
    for (const kind of ups) button.addEventListener(kind, (event) => peeks(event) && this.hold(false));
    let timer = 0, long = false;
    button.addEventListener("pointerdown", () => {
      const { action } = button.dataset;
      long = false;
      clearTimeout(timer);
      timer = setTimeout(() => {
        long = !action.includes(":") && Object.values(this.actions).includes(`long:${action}`);
        if (long) this.send(`long:${action}`);
      }, LONG_MS);
    });
    for (const kind of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(kind, () => clearTimeout(timer));
    button.addEventListener("click", (event) => {
      const { action } = button.dataset;
      // Whoever goes through a list presses as often as it takes.
      const once = this.can.contains(button) && !IN_LISTS.includes(action);
      if (!long && action && action !== "peek" && (!once || (!this.taps.isSecond(event) && this.isNew(button, event)))) this.act(action);
      long = false;
    });
  }

  // Whether what a button does has been shown since it was pressed: another press is for what comes then.
  // Nobody has seen yet what has changed under the finger.
  isNew(button, { timeStamp, detail }) {
    if (timeStamp - this.pressed.get(button) < SHOWN_MS || (detail && button.classList.contains("fresh"))) return false;
    this.pressed.set(button, timeStamp);
    return true;
  }

  // What a button does, or where it stands, has just changed.
  changed(button) {
    button.classList.add("fresh");
    clearTimeout(this.timers.get(button));
    this.timers.set(button, setTimeout(() => button.classList.remove("fresh"), FRESH_MS));
  }

  shows(view) {
    const about = JSON.stringify([view.guidance, view.table, view.thrown, view.dice]);
    if (about !== this.about) this.pressed.clear();
    this.about = about;
    this.view = view;
    this.actions = view.actions;
    const { table, guidance: { keys } } = view, question = table?.question;
    const faces = table?.dice ?? [], best = table?.best_hold;
    const kept = new Set(view.dice.filter((die) => die.kept).map((die) => die.number));
    const numbers = keys.find(({ key }) => key === "numbers");
    // Dice are held where some lie; elsewhere the buttons are numbers.
    const lying = faces.some(({ face }) => face !== null) && !question;
    // A hint says which, and they are held while it stands.
    const holding = lying && (numbers ? table.offers.length || !numbers.name.startsWith("1-6") : Boolean(best));
    this.playing = view.has.includes("enter");
    this.place.hidden = !faces.length || !this.playing || Boolean(question?.answers.length) || Boolean(table.end);
    this.holds.forEach((button, k) => {
      const { face = null, kind = null } = faces[k] ?? {}, drawn = `${face} ${kind}`;
      button.hidden = k >= Math.max(5, Math.min(faces.length, 6));
      button.setAttribute("aria-pressed", kept.has(k + 1));
      button.setAttribute("aria-disabled", !holding || face === null);
      button.setAttribute("aria-label", TEXTS.dieButton(k + 1, kind, face));
      marked(button, best?.includes(k), TEXTS.bestHeld(table?.why));
      if (button.dataset.drawn === drawn) return;
      button.dataset.drawn = drawn;
      button.replaceChildren(dieDrawing(face, kind), make("kbd", { "aria-hidden": "true" }, k < 5 ? `${k + 1}` : "6"), make("small", { "aria-hidden": "true" }, TEXTS.kept_die));
    });
    this.offers(view, kept.size, faces);
    this.asks(question, numbers, holding);
    this.menu.hidden = !this.playing;
    // Until the dice are read a throw can only be taken back; whoever asks for more is told so.
    for (const button of [...this.can.querySelectorAll("button"), ...this.tray.children, this.menu])
      button.setAttribute("aria-disabled", view.thrown && !TAKES_BACK.includes(button.dataset.action));
    // All that is to be held is held: now the others are thrown.
    const ready = best && table.offers.length && faces.every((_, k) => best.includes(k) === kept.has(k + 1));
    for (const button of document.querySelectorAll("[data-action=throw]")) marked(button, ready, TEXTS.bestThrown);
  }

  // What can be done now: the first thing, then the others, whose buttons stay as long as they are possible.
  offers(view, held, faces) {
    const { table, guidance: { keys } } = view, question = table?.question;
    // What the head of the page does stands there.
    // What a label does not say: what is lost, and what is not.
    const beside = ({ key, label }) => (key === "space" && question ? TEXTS.instead : label === TEXTS.rollAll ? TEXTS.orKeep : label === TEXTS.list ? TEXTS.through : key === "p" ? TEXTS.pressed : "");
    const thrownAgain = question && TEXTS.rollsAgain(faces.filter((die) => !die.held).length);
    const acts = keys.filter(({ key, label }) => ACTIONS[key] && !(this.playing && (key === "q" || label === TEXTS.menu)));
    const chosen = table?.offers[table.chosen], others = table?.offers.some(({ asks, possible }) => possible && !asks);
    // A zero to which somebody has said no does not come first where something else pays; one that a hint is for does.
    const back = table?.chosen > 0 && chosen.asks && others && !table.confirm && chosen.label !== table.best && acts.find(({ key }) => TAKES_BACK.includes(ACTIONS[key]));
    const first = this.playing && (back || acts.find(({ key }) => FIRST.includes(key) && !(question && key === "enter" && question.answers.length && question.guess === null)));
    // What no key does is done with the hands.
    const told = keys.filter(({ key }) => !ACTIONS[key] && !["numbers", "arrows", "letters"].includes(key) && (key || !view.looking));
    const words = told.map(({ name, does }) => `${name} ${does}`).join(", ");
    this.told.hidden = !words;
    if (this.told.textContent !== words) this.told.textContent = words;
    this.primary.hidden = !first;
    this.can.classList.toggle("plays", this.playing);
    if (first) {
      const { key, label, does, name } = first, lying = faces.filter(({ face }) => face !== null).length;
      const again = key === "space" && held && table?.roll && held < lying;
      this.labelled(this.primary, ACTIONS[key], again ? TEXTS.rolls(lying - held) : key === "space" && question ? thrownAgain
        : key === "enter" && question?.answers.length ? TEXTS.itIs(question.answers[question.guess])
          : key === "enter" && chosen && !table.confirm ? TEXTS.takesOne(chosen) : label || does, name, again ? "" : beside(first));
    }
    const rest = acts.filter((act) => act !== first).map((act) => {
      const { key, name, label, does } = act;
      return [ACTIONS[key], key === "enter" && back ? TEXTS.takesOne(chosen) : key === "space" && question ? thrownAgain : label || does, name, null, beside(act)];
    });
    if (keys.some(({ key }) => key === "arrows") && !question) rest.push(["left", "◀", "←", TEXTS.before], ["right", "▶", "→", TEXTS.after]);
    const has = (action) => rest.some(([other]) => other === action);
    if (this.playing && table && !table.end && !question && table.offers.length && !has("hint")) rest.push(["hint", TEXTS.hint, "H"]);
    if (this.playing && table?.undo && !has("back")) rest.push(["long:back", table.undo.again ? TEXTS.putBack : TEXTS.undo, "U", null, TEXTS.undoes(table.undo)]);
    const buttons = rest.map(([action, label, key, name, what]) => {
      if (!this.others.has(action)) this.others.set(action, this.button(action));
      const button = this.others.get(action);
      this.labelled(button, action, label, key, what);
      if (name) button.setAttribute("aria-label", name);
      return button;
    });
    const moved = buttons.filter((button, k) => button !== this.rest.children[k]);
    if (buttons.length !== this.rest.children.length || moved.length) {
      const focused = document.activeElement;
      // Fewer or more of them are wider or narrower, too.
      for (const button of buttons.length === this.rest.children.length ? moved : buttons) this.changed(button);
      this.rest.replaceChildren(...buttons);
      if (buttons.includes(focused)) focused.focus();
    }
  }

  // What can be done, in the words of the buttons.
  get labels() {
    const shown = [this.told, this.primary, ...this.rest.children].filter(({ hidden }) => !hidden);
    return shown.map((one) => one.getAttribute("aria-label") ?? (one.querySelector("span") ?? one).textContent);
  }

  // Args: a button, what it sends, its label and key, and what it is about where the label does not say it.
  labelled(button, action, label, key, what = "") {
    const drawn = `${action} ${label} ${key} ${what}`;
    if (button.dataset.drawn === drawn) return;
    Object.assign(button.dataset, { drawn, action });
    this.changed(button);
    button.replaceChildren(make("span", {}, label), ...(what ? [make("small", { "aria-hidden": "true" }, what)] : []), make("kbd", { "aria-hidden": "true" }, key));
    const title = what ? `${label}: ${what}` : "";
    if (what) button.setAttribute("aria-label", title);
    else button.removeAttribute("aria-label");
    if (title) button.title = title;
    else button.removeAttribute("title");
  }

  // The answers to a question about a die, or numbers to enter.
  asks(question, numbers, holding) {
    const entered = !question && numbers && !holding && this.playing ? numbers : null;
    const drawn = JSON.stringify([question, entered, this.view.table?.asked]);
    this.answers.hidden = !question?.answers.length && !entered;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (entered) {
      const [from, to] = [Number(entered.name[0]), Number(entered.name.at(-1))];
      this.answers.setAttribute("aria-label", entered.does);
      this.answers.replaceChildren(...Array.from({ length: to - from + 1 || 0 }, (_, n) => {
        const button = this.button(from + n < 6 ? `hold${from + n}` : "holdp");
        button.append(String(from + n));
        return button;
      }));
    } else if (question) {
      const { serial, asked } = this.view.table;
      this.answers.setAttribute("aria-label", TEXTS.answers);
      this.answers.replaceChildren(...question.answers.map((answer, index) => {
        const name = TEXTS.answer(answer, index === question.guess);
        const button = make("button", { type: "button", class: index === question.guess ? "guess" : null, "aria-label": name, title: name });
        button.append(Number.isInteger(answer) || !Object.hasOwn(TEXTS.colours, answer) ? dieDrawing(answer, question.kind) : dieDrawing("", answer));
        button.addEventListener("mousedown", (event) => event.preventDefault());
        button.addEventListener("click", (event) => this.taps.isSecond(event) || this.send(`pick:${serial}:${asked}:${index}:die${question.slot}`));
        return button;
      }));
    }
  }

  down(event) {
    const { key, ctrlKey, altKey, metaKey, repeat } = event;
    if (!this.view || ctrlKey || altKey || metaKey || document.querySelector("dialog[open]")) return;
    const focused = document.activeElement;
    if (focused?.matches("input")) return;
    if ((key === " " || key === "Enter") && focused?.matches("button:focus-visible, summary:focus-visible")) return;
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
    // ENTER once more is for what stood there: nobody has seen yet what it would take now.
    const again = action === "ok" && this.typed === "ok" && this.primary.dataset.action === "ok" && this.primary.classList.contains("fresh");
    this.typed = action;
    if (again && !this.primary.hidden) return;
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
