// Follows what the program tells, by one stream for all pages of a browser; a page that nobody sees gives its part back.

import { listen } from "./stream.js";

const AGAIN_MS = 1000;

// Calls `heard` with each event, {kind, text, age}, and `state` with "open", "gone" or "refused"; after
// the last it waits until `again` is called. `always`: also while the page is hidden.
export function follow(path, headers, heard, state, { always = false } = {}) {
  const wanted = () => always || !document.hidden;
  const change = globalThis.SharedWorker ? shared(path, headers, heard, state) : alone(path, headers, heard, state);
  let refused = false;
  const again = () => { refused = false; change(wanted()); };
  document.addEventListener("visibilitychange", () => refused || change(wanted()));
  addEventListener("pagehide", () => change(false));
  addEventListener("pageshow", ({ persisted }) => persisted && again());
  again();
  return again;
}

function shared(path, headers, heard, state) {
  const { port } = new SharedWorker(new URL("./worker.js", import.meta.url), { type: "module", name: "dicetray" });
  port.onmessage = ({ data }) => (data.state ? state(data.state) : heard(data));
  return (wanted) => port.postMessage({ path, headers, wanted });
}

// A browser without shared workers, such as one of a phone, which shows one page at a time.
function alone(path, headers, heard, state) {
  let abort = null;
  const run = async ({ signal }) => {
    let last = "";
    while (!signal.aborted && last !== "refused") {
      await listen(path, { headers, signal }, (event) => signal.aborted || heard({ ...event, age: 0 }), (now) => {
        last = now;
        if (!signal.aborted) state(now);
      });
      if (!signal.aborted) await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  };
  return (wanted) => {
    abort?.abort();
    abort = wanted ? new AbortController() : null;
    if (abort) run(abort);
  };
}
