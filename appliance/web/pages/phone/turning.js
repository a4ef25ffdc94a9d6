// Undoes what a phone does to its pictures when it takes itself for turned. It lies flat above the dice, where nothing
// tells it which way is up; the dice stay where they are.

// How far the page is turned clockwise on the device, in degrees (W3C, Screen Orientation, `angle`).
export const screenAngle = () => screen.orientation?.angle ?? window.orientation ?? 0;

// By how many quarters clockwise a picture is to be turned to lie as the first one did, and whether that is certain.
// Args: width, height and screenAngle() of the first picture, and of this one.
export function quartersBack(first, now) {
  const quarters = ((((now.angle - first.angle) / 90) % 4) + 4) % 4;
  const turned = Math.sign(now.width - now.height) !== Math.sign(first.width - first.height);
  // An odd number of quarters changes the shape, except where the browser leaves its pictures as they are.
  if (turned === (quarters % 2 === 1)) return { quarters, sure: true };
  return turned ? { quarters: 1, sure: false } : { quarters: 0, sure: true };
}

// Draws a picture of this size onto a canvas, turned clockwise by so many quarters.
export function drawTurned(canvas, source, width, height, quarters) {
  [canvas.width, canvas.height] = quarters % 2 ? [height, width] : [width, height];
  const context = canvas.getContext("2d", { alpha: false });
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((quarters * Math.PI) / 2);
  context.drawImage(source, -width / 2, -height / 2, width, height);
}
