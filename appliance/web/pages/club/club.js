// A club's tables, as /events tells them: "state NAME", "available NAME", "log NAME", "league".
const SHOWN = 4;
const FACES = ["", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];
const COLUMNS = ["game", "player", "games", "wins", "mean", "best"];
const tables = new Map();
let league = [];

const $ = (id) => document.getElementById(id);

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function happened(event, players) {
  const who = event.seat === null ? "" : `${players[event.seat] ?? ""}: `;
  const points = event.points === null ? "" : `, ${event.points} points`;
  return who + (event.label || event.text).toLowerCase() + points;
}

function draw(name) {
  const { card, online, state, whole, last } = tables.get(name);
  const title = element("h2", name);
  title.append(element("span", online ? state?.title ?? "" : "off"));
  card.className = online ? "" : "off";
  card.replaceChildren(title);
  if (!state) return;
  const winners = state.winners.map((seat) => state.players[seat]).join(" and ");
  const now = winners ? `${winners} won` : state.board || `round ${state.round}`;
  const players = document.createElement("ol");
  state.players.forEach((player, seat) => {
    const row = element("li", player, seat === state.turn ? "turn" : "");
    if (seat === state.turn) row.setAttribute("aria-current", "true");
    row.append(element("span", String(state.totals[seat])));
    players.append(row);
  });
  const dice = element("p", state.dice.map((face) => (face === null ? "·" : FACES[face] ?? face)).join(" "), "dice");
  dice.setAttribute("aria-label", `dice ${state.dice.map((face) => face ?? "none").join(" ")}`);
  dice.setAttribute("role", "img");
  const story = document.createElement("ul");
  story.append(...last.filter((event) => event.game === state.game)
    .map((event) => element("li", happened(event, state.players))).reverse());
  card.append(element("p", now, "now"), dice, players, story);
  const missing = state.events - whole;
  if (missing > 0) card.append(element("p", `${missing} events are still to come`, "now"));
  if (state.alerts.length) card.append(element("p", state.alerts.join("; "), "trouble"));
}

// Many tables tell much in a second; the page is drawn once a frame.
const changed = new Set();
function later(name) {
  if (!changed.size) requestAnimationFrame(() => {
    changed.forEach(draw);
    changed.clear();
    const there = [...tables.values()].filter((table) => table.online).length;
    $("sum").textContent = `${there} of ${tables.size} tables are there`;
  });
  changed.add(name);
}

function follow(name) {
  const card = document.createElement("article");
  tables.set(name, { card, online: false, state: null, whole: 0, last: [] });
  [...tables.keys()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .forEach((key) => $("tables").append(tables.get(key).card));
  const table = tables.get(name);
  stream.addEventListener(`available ${name}`, (told) => {
    table.online = told.data === "online";
    later(name);
  });
  stream.addEventListener(`state ${name}`, (told) => {
    table.state = JSON.parse(told.data);
    later(name);
  });
  stream.addEventListener(`log ${name}`, (told) => {
    const event = JSON.parse(told.data);
    const others = table.last.filter((one) => one.game === event.game && one.number !== event.number);
    table.last = [...others, event].sort((one, other) => one.number - other.number).slice(-SHOWN);
    later(name);
  });
  stream.addEventListener(`whole ${name}`, (told) => {
    table.whole = Number(told.data);
    later(name);
  });
}

function save(file, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

const quoted = (value) => `"${String(value).replace(/^[=+@-]/, "'$&").replaceAll('"', '""')}"`;
const csv = () => [COLUMNS, ...league.map((row) => COLUMNS.map((key) => row[key]))]
  .map((row) => row.map(quoted).join(",")).join("\r\n");

const stream = new EventSource("events");
stream.addEventListener("tables", (told) => {
  JSON.parse(told.data).filter((name) => !tables.has(name)).forEach(follow);
});
stream.addEventListener("league", (told) => {
  league = JSON.parse(told.data);
  $("league").tBodies[0].replaceChildren(...league.map((row) => {
    const line = document.createElement("tr");
    line.append(...COLUMNS.map((key) => element("td", key === "mean" ? row[key].toFixed(1) : row[key])));
    return line;
  }));
});
stream.onerror = () => { $("sum").textContent = "The page's program is gone; it is looked for …"; };
$("csv").addEventListener("click", () => save("league.csv", csv(), "text/csv"));
$("json").addEventListener("click", () => save("league.json", JSON.stringify(league, null, 1), "application/json"));
