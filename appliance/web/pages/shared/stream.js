// Server-sent events by fetch, as EventSource sends no headers (WHATWG HTML, 9.2).

const QUIET_MS = 15000;

// Calls `heard` with each event, {kind, text}, of a stream until it ends, and `state` with "open",
// then with "gone" or "refused". What is silent for too long has ended.
export async function listen(path, options, heard, state) {
  const abort = new AbortController();
  options.signal?.addEventListener("abort", () => abort.abort());
  try {
    const response = await fetch(path, { ...options, signal: abort.signal });
    if (!response.ok) {
      state(response.status === 403 ? "refused" : "gone");
      return;
    }
    state("open");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const timer = setTimeout(() => abort.abort(), QUIET_MS);
      const { value, done } = await reader.read();
      clearTimeout(timer);
      if (done) break;
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const lines = part.split("\n");
        const kind = lines.find((line) => line.startsWith("event: "))?.slice(7);
        const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
        if (kind) heard({ kind, text: data.join("\n") });
      }
    }
  } catch (error) {
    if (!abort.signal.aborted && !(error instanceof TypeError)) console.error(error);
  }
  state("gone");
}
