// Server-sent events by fetch, as EventSource sends no headers (WHATWG HTML, 9.2).

const QUIET_MS = 15000;

// Yields {kind, text} until the stream ends; what is silent for too long has ended.
async function* events(response, give_up) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const timer = setTimeout(give_up, QUIET_MS);
    const { value, done } = await reader.read();
    clearTimeout(timer);
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const lines = part.split("\n");
      const kind = lines.find((line) => line.startsWith("event: "))?.slice(7);
      const data = lines.filter((line) => line.startsWith("data: "));
      if (kind) yield { kind, text: data.map((line) => line.slice(6)).join("\n") };
    }
  }
}

// Calls `heard` with each event of `path`, `state` with "open", "gone" or "refused"; begins anew when
// the stream has ended, at once and then every `again_ms`.
export async function listen(path, headers, heard, state, again_ms = 1000) {
  for (;;) {
    const abort = new AbortController();
    try {
      const response = await fetch(path, { headers, signal: abort.signal });
      if (response.ok) {
        state("open");
        for await (const event of events(response, () => abort.abort())) heard(event);
        state("gone");
      } else {
        state(response.status === 403 ? "refused" : "gone");
      }
    } catch {
      state("gone");
    }
    await new Promise((done) => setTimeout(done, again_ms));
  }
}
