// What the board's labels say where there is room.

import { nouns, say, told } from "/shared/words.js";

const WORDS = told({
  'ACES': "Aces", 'ONES': "Ones", 'TWOS': "Twos", 'THREES': "Threes", 'FOURS': "Fours", 'FIVES': "Fives", 'SIXES': "Sixes",
  '1 PAIR': "One pair", '2 PAIRS': "Two pairs", 'ONE PAIR': "One pair", 'TWO PAIRS': "Two pairs",
  '3 ALIKE': "Three alike", '4 ALIKE': "Four alike", '5 ALIKE': "Five alike", 'FIVE ALIKE': "Five alike",
  'FULL H': "Full house", 'FULL HOUSE': "Full house", 'SM STR': "Small straight", 'SMALL STR': "Small straight",
  'LG STR': "Large straight", 'LARGE STR': "Large straight", 'CHANCE': "Chance", 'CHOICE': "Choice", 'UPPER': "Upper boxes",
});
const small = (word) => (/\p{Lu}{2}/u.test(word) ? word[0] + word.slice(1).toLowerCase() : word);

// A label in words; one that is not known here is written as the board has it, but not in capitals.
export function inWords(label) {
  if (Object.hasOwn(WORDS, label)) return WORDS[label];
  // Capitals do not tell whether their SS is an ß: where the catalogue also has the word in small letters, it does.
  const low = label.toLowerCase(), whole = told(low);
  if (whole !== low) return whole[0].toUpperCase() + whole.slice(1);
  return say(label).split(" ").map((word, n) => (n && !nouns ? word.toLowerCase() : small(word))).join(" ");
}
