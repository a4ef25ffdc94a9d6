// What `dicetray stats` prints, as tables: columns have two blanks or more between them.

export function report(text) {
  const [wins = "", dice = ""] = text.trimEnd().split(/\n\s*\n/);
  const rows = wins.split("\n").map((line) => line.trim().split(/\s{2,}|(?<=\S)\s(?=[\d.-]+(?:\s|$))/));
  const faces = [];
  for (const line of dice.split("\n")) {
    const counts = [...line.matchAll(/(\w+): (\d+)/g)];
    if (!line.startsWith(" ") && counts.length) {
      faces.push({ title: line.slice(0, line.indexOf(":")), counts: counts.map(([, face, n]) => [face, Number(n)]), says: "" });
    } else if (faces.length) {
      faces.at(-1).says += `${line.trim()} `;
    }
  }
  return { rows: rows.length > 1 ? rows : [], faces };
}
