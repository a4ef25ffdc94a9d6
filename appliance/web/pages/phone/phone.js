// A phone's browser as the camera: takes pictures and sends them one after the other.

import { speak } from "/shared/words.js";
import { TEXTS } from "./texts.js";
import { drawTurned, quartersBack, screenAngle } from "./turning.js";

const LONG_SIDE_PX = 1280;
const QUALITY = 0.85;
// After so long exposure and focus are left as they are.
const ADJUSTS_MS = 2000;
const ANSWER_MS = 5000;
const AGAIN_MS = 1000;
const RATE_OVER = 20;
const LATE_S = 0.5;
const SIZE = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };

const $ = (id) => document.getElementById(id);

function write(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

const newName = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
// A name for this page, which a reload keeps; another tab has another.
sessionStorage.page ??= newName();
// What is sent last may come first, so each message says which it is.
let load = newName(), count = 0;
const sender = () => new URLSearchParams({ page: sessionStorage.page, load, count: ++count });

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const leave = (why) => navigator.sendBeacon(`/away?${sender()}`, why);

// The PIN may stand behind # in the address, from a QR code: it is in no request and not in the history.
async function enter() {
  const pin = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (pin) await fetch("/pin", { method: "POST", body: pin }).catch(() => null);
  const known = await fetch("/known").catch(() => null);
  $("door").hidden = Boolean(known?.ok);
  $("camera").hidden = !known?.ok;
  if (known?.ok) run();
}

$("pin-form").onsubmit = async (event) => {
  event.preventDefault();
  const answer = await fetch("/pin", { method: "POST", body: $("pin").value }).catch(() => null);
  write("refused", answer?.ok ? "" : !answer ? TEXTS.trouble.gone : answer.status === 429 ? TEXTS.tooMany : TEXTS.refused);
  if (answer?.ok) enter();
};

const video = $("seen"), canvas = document.createElement("canvas");
let track = null, locked = {}, first = null, over = "", closed = false;

const unseen = () => closed || document.visibilityState === "hidden";
const front = () => track?.getSettings().facingMode === "user";

const media = async (wanted) => (await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted })).getVideoTracks()[0];

const openLens = (id) => media({ deviceId: { exact: id }, ...SIZE });

const keptLens = () => JSON.parse(localStorage.lens ?? "null");
function keepLens(id, label) { localStorage.lens = JSON.stringify({ id, label }); }

// The lens that was used before, or the one that the browser takes for the main one: asked for together with a size,
// some take another one that has exactly that size. Some give a lens another id each time, but not another label, which
// they tell only while a camera is open.
async function openKept() {
  const kept = keptLens(), lacks = (error) => { if (!["OverconstrainedError", "NotFoundError"].includes(error.name)) throw error; };
  const known = kept && await openLens(kept.id).catch(lacks);
  if (known) return known;
  const found = await media({ facingMode: { ideal: "environment" } });
  const same = kept && (await lensesHere()).find((lens) => lens.label && lens.label === kept.label);
  found.stop();
  return openLens((same ?? found.getSettings()).deviceId);
}

async function open() {
  if (!navigator.mediaDevices) return "insecure";
  try {
    track = await openKept();
    const { deviceId } = track.getSettings();
    if (!keptLens()) keepLens(deviceId, track.label);
    await listLenses();
    video.srcObject = new MediaStream([track]);
    await video.play();
  } catch (error) {
    const refused = error.name === "NotAllowedError";
    leave(refused ? "refused" : "no camera");
    return refused ? "refused" : "none";
  }
  locked = {};
  first = null;
  const mine = track;
  setTimeout(() => lock(mine), ADJUSTS_MS);
  shine();
  return "";
}

const lensesHere = async () => (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === "videoinput");
let lenses = [];
async function listLenses() {
  lenses = await lensesHere();
  $("lens").replaceChildren(...lenses.map((lens, k) => new Option(lens.label || TEXTS.nameless(k + 1), lens.deviceId)));
  $("lens").value = track.getSettings().deviceId;
  for (const part of [$("lens"), $("lens").labels[0]]) part.hidden = lenses.length < 2;
}

$("lens").onchange = () => {
  const { deviceId, label } = lenses[$("lens").selectedIndex];
  keepLens(deviceId, label);
  track?.stop();
};
navigator.mediaDevices?.addEventListener("devicechange", () => { if (track) listLenses(); });

let shines = false;
// Some browsers tell only after a while whether there is a torch.
async function shine() {
  $("torch").hidden = !track.getCapabilities?.().torch;
  if (!$("torch").hidden && shines !== Boolean(track.getSettings().torch)) await track.applyConstraints({ advanced: [{ torch: shines }] }).catch(() => { shines = false; });
  $("torch").setAttribute("aria-pressed", shines);
}
$("torch").onclick = () => { shines = !shines; shine(); };

// Leaves exposure, white balance and focus as they have become, where the browser can (W3C, MediaStream Image
// Capture, 9): dice are read against pictures of the same tray. What it cannot lock is left out.
async function lock(mine) {
  const able = mine.getCapabilities?.() ?? {}, now = mine.getSettings();
  const values = { exposureMode: ["exposureTime", "iso"], whiteBalanceMode: ["colorTemperature"], focusMode: ["focusDistance"] };
  for (const [mode, names] of Object.entries(values)) {
    if (!able[mode]?.includes("manual")) continue;
    const wanted = { [mode]: "manual" };
    for (const name of names) if (name in able && typeof now[name] === "number") wanted[name] = now[name];
    await mine.applyConstraints({ advanced: [wanted] }).catch(() => null);
  }
  if (mine !== track) return;
  const after = mine.getSettings(), state = (mode) => (able[mode]?.length ? after[mode] === "manual" : null);
  shine();
  locked = { exposure: state("exposureMode"), focus: state("focusMode") };
}

// The next picture of the camera, and when it was taken, in the milliseconds of performance.now().
function nextPicture() {
  return new Promise((done) => {
    const late = setTimeout(() => done(null), AGAIN_MS);
    const taken = (now, about) => { clearTimeout(late); done(about?.captureTime ?? now); };
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(taken);
    else requestAnimationFrame(taken);
  });
}

async function picture() {
  const wide = video.videoWidth, high = video.videoHeight, scale = Math.min(1, LONG_SIDE_PX / Math.max(wide, high));
  drawTurned(canvas, video, Math.round(wide * scale), Math.round(high * scale), back().quarters);
  return new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
}

async function send(data, takenMs) {
  const about = sender();
  about.set("age", Math.max(0, Math.round(performance.now() - takenMs)));
  for (const [name, is] of Object.entries(locked)) if (is !== null) about.set(name, is ? 1 : 0);
  if (front()) about.set("front", 1);
  if (!back().sure) about.set("turned", 1);
  if (over) about.set("takes", over);
  over = "";
  return fetch(`/picture?${about}`, { method: "POST", body: data, signal: AbortSignal.timeout(ANSWER_MS) }).catch((error) => ({ slow: error.name === "TimeoutError" }));
}

function back() {
  const now = { width: video.videoWidth, height: video.videoHeight, angle: screenAngle() };
  return quartersBack(first ??= now, now);
}

const times = [];
function tell(trouble, late) {
  write("trouble", TEXTS.trouble[trouble]);
  $("again").hidden = !["other", "refused", "none"].includes(trouble);
  write("again", trouble === "other" ? TEXTS.takeOver : TEXTS.again);
  if (late === undefined) {
    if (trouble) write("how", "");
    return;
  }
  times.push(performance.now());
  while (times.length > RATE_OVER) times.shift();
  const rate = times.length > 1 ? Math.round(1000 * (times.length - 1) / (times.at(-1) - times[0])) : 0;
  write("how", TEXTS.how(canvas.width, canvas.height, rate, late.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })));
}

let pressed = null;
$("again").onclick = () => pressed?.();
const press = () => new Promise((done) => { pressed = done; });

async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  write("stay", await navigator.wakeLock?.request("screen").catch(() => null) ? TEXTS.stay : TEXTS.dark);
}
// Some browsers let a page that was away stay awake only after a touch.
addEventListener("click", stayAwake);

let running = false;
async function run() {
  if (running) return;
  running = true;
  write("says", TEXTS.starts);
  stayAwake();
  for (;;) {
    if (!track || track.readyState === "ended") {
      const trouble = await open();
      tell(trouble);
      if (trouble) { await press(); continue; }
    }
    const takenMs = await nextPicture();
    if (unseen()) { await pause(AGAIN_MS / 4); continue; }
    if (takenMs === null || track.muted) {
      tell("paused");
      leave("no camera");
      await pause(AGAIN_MS);
      continue;
    }
    const data = await picture();
    if (unseen()) continue;
    const answer = data && await send(data, takenMs);
    if (answer?.status === 403) { location.reload(); return; }
    if (answer?.status === 409) {
      tell("other");
      await press();
      over = "over";
      continue;
    }
    if (!answer?.ok) { tell(answer?.slow || answer?.status === 408 ? "slow" : "gone"); await pause(AGAIN_MS); continue; }
    const { advice, language, late } = await answer.json();
    speak(language);
    write("says", advice || TEXTS.starts);
    tell(front() ? "front" : !back().sure ? "turned" : late > LATE_S ? "slow" : "", late);
  }
}

// Browsers differ in whether a page that is closed is hidden before or after.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "hidden") stayAwake();
  else if (!closed) leave("hidden");
});
addEventListener("pagehide", () => { closed = true; leave("left"); });
addEventListener("pageshow", () => {
  // One that comes back as it was left is another, for what the one before still sends.
  if (closed) load = newName();
  closed = false;
});

document.querySelector("#pin-form label").textContent = TEXTS.pin;
document.querySelector("#pin-form button").textContent = TEXTS.enter;
video.setAttribute("aria-label", TEXTS.seen);
document.querySelector("#settings label").textContent = TEXTS.lens;
write("torch", TEXTS.torch);
enter();
