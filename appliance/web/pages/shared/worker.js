// One stream for all pages of a browser that want the same: what comes is passed on to each of them.

import { listen } from "./stream.js";

const AGAIN_MS = 1000;
const streams = new Map();

// What a page gets that comes later: the newest of each kind, and how old it is.
class Stream {
  constructor({ path, headers }) {
    Object.assign(this, { path, headers, ports: new Set(), newest: new Map(), state: "" });
  }

  tell(message) {
    for (const port of this.ports) port.postMessage(message);
  }

  add(port) {
    if (this.ports.has(port)) return;
    this.ports.add(port);
    if (this.abort) {
      if (this.state) port.postMessage({ state: this.state });
      for (const [kind, { text, came }] of this.newest) port.postMessage({ kind, text, age: (performance.now() - came) / 1000 });
    } else this.run();
  }

  remove(port) {
    this.ports.delete(port);
    if (this.ports.size) return;
    this.abort?.abort();
    this.abort = null;
  }

  async run() {
    const abort = this.abort = new AbortController();
    while (!abort.signal.aborted) {
      this.newest.clear();
      await listen(this.path, { headers: this.headers, signal: abort.signal }, ({ kind, text }) => {
        if (abort.signal.aborted) return;
        this.newest.set(kind, { text, came: performance.now() });
        this.tell({ kind, text, age: 0 });
      }, (state) => {
        if (abort.signal.aborted) return;
        this.state = state;
        this.tell({ state });
      });
      if (this.state === "refused") {
        // Until a page asks again.
        this.ports.clear();
        break;
      }
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
    if (this.abort === abort) this.abort = null;
  }
}

self.addEventListener("connect", ({ ports: [port] }) => {
  let stream = null;
  port.onmessage = ({ data: { path, headers, wanted } }) => {
    const key = JSON.stringify([path, headers]);
    if (!streams.has(key)) streams.set(key, new Stream({ path, headers }));
    stream = streams.get(key);
    if (wanted) stream.add(port);
    else stream.remove(port);
  };
});
