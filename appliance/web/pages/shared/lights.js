// The scoreboard as lights: 64 x 16, row by row, eight a byte, the leftmost in the highest bit.

const WIDTH = 64, HEIGHT = 16, CELL = 12;

// Draws the picture's bytes, in hexadecimal; null is a dark board.
function drawLights(canvas, hex) {
  canvas.width = WIDTH * CELL;
  canvas.height = HEIGHT * CELL;
  const pen = canvas.getContext("2d");
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const byte = y * WIDTH / 8 + (x >> 3);
      const lit = hex && parseInt(hex.slice(2 * byte, 2 * byte + 2), 16) & (0x80 >> x % 8);
      pen.fillStyle = lit ? "#ff5a36" : "#33150f";
      pen.beginPath();
      pen.arc((x + .5) * CELL, (y + .5) * CELL, CELL * (lit ? .42 : .3), 0, 2 * Math.PI);
      pen.fill();
    }
  }
}

// A board that shows a picture, or pictures that come round again and again (appliance/web/pattern.py).
export class Lights {
  constructor(canvas) {
    Object.assign(this, { canvas, pattern: null, ahead: 0, timer: 0, drawn: undefined });
  }

  // Args: what the program's clock said, seconds, and how many seconds ago.
  clock(said, age = 0) {
    this.ahead = said + age - performance.now() / 1000;
  }

  shows(pattern) {
    this.pattern = pattern;
    this.turn();
  }

  turn() {
    clearTimeout(this.timer);
    const { loop, at, sent } = this.pattern, total = loop.reduce((sum, [, seconds]) => sum + seconds, 0);
    let passed = (at + Math.max(0, performance.now() / 1000 + this.ahead - sent)) % total;
    const [picture, seconds] = loop.find(([, each]) => (passed < each ? true : (passed -= each, false))) ?? loop.at(-1);
    if (picture !== this.drawn) drawLights(this.canvas, picture);
    this.drawn = picture;
    if (loop.length > 1) this.timer = setTimeout(() => this.turn(), Math.max(20, 1000 * (seconds - passed) + 5));
  }
}
