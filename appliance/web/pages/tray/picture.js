// The tray's picture: frames as they come, what was read drawn over them, throws and corners pointed at.

import { TEXTS } from "./texts.js";

const THROW_PX = 40, NEAR = 12;
const COLOURS = { kept: getComputedStyle(document.documentElement).getPropertyValue("--kept").trim(), sure: "#3cd264", doubt: "#ffa500", asked: "#ff4fd8" };

// Whether a place lies in an outline: a line from it to the right crosses an odd number of sides.
const inside = (outline, [x, y]) => outline.reduce((odd, [x1, y1], k) => {
  const [x2, y2] = outline.at(k - 1);
  return (y1 > y) !== (y2 > y) && x < x1 + (x2 - x1) * (y - y1) / (y2 - y1) ? !odd : odd;
}, false);

export class Picture {
  // Args: the canvas of the tray and of the loupe, the headers of requests, and what sends an action.
  constructor(canvas, loupe, headers, send) {
    Object.assign(this, { canvas, loupe, headers, send, readings: false, view: null, image: null });
    this.pen = canvas.getContext("2d");
    new ResizeObserver(() => this.draw()).observe(canvas);
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", () => { this.from = this.to = null; this.draw(); });
    canvas.addEventListener("pointerleave", () => { loupe.hidden = true; });
  }

  shows(view) {
    view.dice = view.dice.map(([number, face, sure, kept, outline]) => ({ number, face, sure, kept, outline }));
    this.view = view;
    this.throws = view.guidance.keys.some(({ key }) => key === "space");
    this.canvas.classList.toggle("throws", this.throws);
    this.canvas.classList.toggle("points", view.pointing);
    if (!view.pointing) this.loupe.hidden = true;
    const named = view.looking ? TEXTS.seen : TEXTS.tray;
    this.canvas.setAttribute("aria-label", named(view.dice.map(TEXTS.die)));
    this.draw();
  }

  // Fetches the newest frame; while one is on its way others are left out.
  async fetch() {
    if (this.busy) { this.stale = true; return; }
    this.busy = true;
    try {
      const response = await fetch("/tray.jpg", { headers: this.headers });
      if (response.status === 200) {
        const image = await createImageBitmap(await response.blob());
        this.image?.close();
        this.image = image;
        this.draw();
      }
    } catch {
      // The stream of events says what is wrong.
    }
    this.busy = false;
    if (this.stale) { this.stale = false; this.fetch(); }
  }

  draw() {
    const { canvas, pen, image, view } = this;
    if (!image || !view) return;
    canvas.style.setProperty("--ratio", image.width / image.height);
    const width = Math.round(canvas.clientWidth * devicePixelRatio);
    const height = Math.round(canvas.clientHeight * devicePixelRatio);
    if (!width) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    pen.imageSmoothingQuality = "high";
    pen.drawImage(image, 0, 0, width, height);
    for (const die of view.still ? view.dice : []) if (this.readings || view.looking || die.kept || this.isAsked(die)) this.outline(die);
    if (this.from && this.to) this.arrow();
  }

  // Whether a question is about this die.
  isAsked({ number }) {
    return number !== null && number === (this.view.table?.question?.slot ?? NaN) + 1;
  }

  outline(die) {
    const { face, number, kept, sure, outline } = die, asked = this.isAsked(die);
    if (!outline.length) return;
    const { pen, canvas: { width, height } } = this, unit = width / 100;
    const corners = outline.map(([x, y]) => [x * width, y * height]);
    pen.strokeStyle = asked ? COLOURS.asked : kept ? COLOURS.kept : sure ? COLOURS.sure : COLOURS.doubt;
    pen.lineWidth = asked ? Math.max(4, unit) : Math.max(2, unit * .4);
    pen.beginPath();
    corners.forEach(([x, y]) => pen.lineTo(x, y));
    pen.closePath();
    pen.stroke();
    if (!this.readings && !this.view.looking && !asked) return;
    const text = asked ? "?" : number ? `${number}: ${face}` : face;
    pen.font = `600 ${Math.max(13, 2.2 * unit)}px system-ui, sans-serif`;
    const x = Math.min(...corners.map((c) => c[0])), y = Math.min(...corners.map((c) => c[1]));
    const wide = pen.measureText(text).width + unit, high = Math.max(17, 3 * unit);
    pen.fillStyle = "rgb(0 0 0 / .8)";
    pen.fillRect(x, Math.max(0, y - high), wide, high);
    pen.fillStyle = "#fff";
    pen.textBaseline = "middle";
    pen.fillText(text, x + unit / 2, Math.max(0, y - high) + high / 2);
  }

  arrow() {
    const { pen, from, to, canvas } = this, unit = canvas.width / 100;
    pen.lineCap = "round";
    pen.lineWidth = unit;
    pen.strokeStyle = "rgb(255 255 255 / .8)";
    pen.beginPath();
    pen.moveTo(from[0] * canvas.width, from[1] * canvas.height);
    pen.lineTo(to[0] * canvas.width, to[1] * canvas.height);
    pen.stroke();
    pen.fillStyle = pen.strokeStyle;
    pen.beginPath();
    pen.arc(to[0] * canvas.width, to[1] * canvas.height, 1.6 * unit, 0, 2 * Math.PI);
    pen.fill();
  }

  // Where the pointer is, shares of the picture.
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  down(event) {
    if (!this.view) return;
    // A finger scrolls the page, until it turns out to be a tap.
    if (event.pointerType === "mouse" && !this.view.pointing) this.canvas.setPointerCapture(event.pointerId);
    this.from = this.at(event);
  }

  move(event) {
    if (this.view?.pointing) this.magnify(event);
    if (!this.from || event.pointerType !== "mouse" || this.view.pointing) return;
    this.to = this.at(event);
    this.draw();
  }

  up(event) {
    const { from } = this, to = this.at(event), mouse = event.pointerType === "mouse";
    this.from = this.to = null;
    if (!from) return;
    const { clientWidth, clientHeight } = this.canvas;
    const far = Math.hypot((to[0] - from[0]) * clientWidth, (to[1] - from[1]) * clientHeight);
    const die = far < NEAR && this.view.still && this.view.dice.find(({ outline }) => inside(outline, to));
    if (this.view.pointing) {
      if (mouse || far < NEAR) this.send(`point:${to.map((share) => share.toFixed(5)).join(",")}`);
    } else if (mouse && far > THROW_PX && this.throws) this.send("throw");
    else if (die?.number) this.send(die.number < 6 ? `hold${die.number}` : "holdp");
    this.draw();
  }

  // What lies under the pointer, large, with a cross in its middle.
  magnify(event) {
    const { loupe, image } = this, [x, y] = this.at(event), side = loupe.width, pen = loupe.getContext("2d");
    if (!image) return;
    loupe.hidden = false;
    pen.fillRect(0, 0, side, side);
    pen.drawImage(image, x * image.width - NEAR, y * image.height - NEAR, 2 * NEAR, 2 * NEAR, 0, 0, side, side);
    pen.strokeStyle = "#ff3c3c";
    pen.strokeRect(side / 2, 0, 0, side);
    pen.strokeRect(0, side / 2, side, 0);
    const box = this.canvas.getBoundingClientRect();
    // On the other side of the picture, so that it never lies under the pointer.
    loupe.style.left = x < .5 ? `${box.width - side - 8}px` : "8px";
  }
}
