// The words of the house's language, from the catalogue that board and terminal have: English is the key.

const { language, texts: TEXTS, labels: LABELS } = await fetch("/words").then((answer) => answer.json())
  .catch(() => ({ language: "en", texts: {}, labels: {} }));
document.documentElement.lang = language;

// Once the house speaks another language, so does the page.
export function speak(other) {
  if (other && other !== language) location.reload();
}

// A text whole, or put together from its longest phrases, as `appliance/words.py` does; its {places} filled.
export function say(text, values) {
  if (values) return (TEXTS[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name]);
  if (text in TEXTS || !Object.keys(TEXTS).length) return TEXTS[text] ?? text;
  return composed(text, TEXTS, (phrase) => phrase);
}

// A label of the board in words, also where it is made of others.
// A figure is one only at its beginning: that of a zero.
const PHRASES = Object.fromEntries(Object.entries(LABELS).filter(([label]) => label.length > 1));
export const written = (label) => (label.length === 1 ? LABELS[label] ?? label : composed(label, PHRASES, (word) => word.toLowerCase()));

function composed(text, texts, missing) {
  const words = text.split(" "), said = [];
  while (words.length) {
    let length = words.length;
    while (length > 1 && !Object.hasOwn(texts, words.slice(0, length).join(" "))) length -= 1;
    const whole = length === words.length && !said.length, phrase = words.splice(0, length).join(" ");
    said.push((!whole && texts[`... ${phrase}`]) || (Object.hasOwn(texts, phrase) ? texts[phrase] : missing(phrase)));
  }
  return said.filter(Boolean).join(" ");
}

// All texts of a page, said: strings in lists and objects; functions stay as they are.
export function told(texts) {
  if (typeof texts === "string") return TEXTS[texts] ?? texts;
  if (Array.isArray(texts)) return texts.map(told);
  if (!texts || typeof texts !== "object") return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, told(text)]));
}
