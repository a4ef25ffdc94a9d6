// The scoreboard as lights: 64 x 16, row by row, eight a byte, the leftmost in the highest bit.

const WIDTH = 64, HEIGHT = 16, CELL = 12;

// Draws the picture's bytes, in hexadecimal; null is a dark board.
export function drawLights(canvas, hex) {
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
