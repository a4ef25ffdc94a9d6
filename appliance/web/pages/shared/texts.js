// What the board's labels say where there is room.

import { nouns, say, told } from "/shared/words.js";

const WORDS = told({
  'ACES': "Aces", 'ONES': "Ones", 'TWOS': "Twos", 'THREES': "Threes", 'FOURS': "Fours", 'FIVES': "Fives", 'SIXES': "Sixes",
  '1 PAIR': "One pair", '2 PAIRS': "Two pairs", 'ONE PAIR': "One pair", 'TWO PAIRS': "Two pairs",
  '3 ALIKE': "Three alike", '4 ALIKE': "Four alike", '5 ALIKE': "Five alike", 'FIVE ALIKE': "Five alike",
  'FULL H': "Full house", 'FULL HOUSE': "Full house", 'SM STR': "Small straight", 'SMALL STR': "Small straight",
  'LG STR': "Large straight", 'LARGE STR': "Large straight", 'CHANCE': "Chance", 'CHOICE': "Choice", 'UPPER': "Upper boxes",
  'ALL IN': "All in", 'ROLL ALL': "Roll all", 'TAKE POT': "Take the pot", 'STRAIGHT': "Straight", 'STR FLUSH': "Straight flush", 'FIVE FLUSH': "Five flush",
  'MOVE PAWN': "Move the pawn", 'RAISE CARD': "Raise the card",
});
const small = (word) => (/\p{Lu}{2}/u.test(word) ? word[0] + word.slice(1).toLowerCase() : word);

// Whether a label is that of a choice to score nothing in a box.
export const isZero = (label) => /^[0X] /.test(label);

// A label in words, also where it is made of others: a zero in a box, a place and its card, a box and a number.
export function inWords(label) {
  if (isZero(label)) return say("Zero: {label}", { label: inWords(label.slice(2)) });
  if (/^[A-Z] /.test(label)) return `${label[0]}: ${inWords(label.slice(2))}`;
  const [, name, number] = /^(.+) (\d+)$/.exec(label) ?? [];
  if (Object.hasOwn(WORDS, name)) return `${WORDS[name]} ${number}`;
  return Object.hasOwn(WORDS, label) ? WORDS[label] : inSmall(label);
}

// What is not known here is written as the board has it, but not in capitals.
function inSmall(label) {
  // Capitals do not tell whether their SS is an ß: where the catalogue also has the word in small letters, it does.
  const low = label.toLowerCase(), whole = told(low);
  if (whole !== low) return whole[0].toUpperCase() + whole.slice(1);
  return say(label).split(" ").map((word, n) => (n && !nouns ? word.toLowerCase() : small(word))).join(" ");
}
