"""Entering a name with three buttons: a ring of letters, one of them in the middle.

Accented letters lie behind their plain ones: a hold button cycles through them.
"""

from dataclasses import dataclass, replace

from appliance.table.names import (
    MAX_NAME_LETTERS,
    NAME_LETTERS,
    PLAIN_LETTER_OF,
    PLAIN_LETTERS,
    name_in_capitals,
)

NAME_END = ""
"""Marks the end of the name in the ring, one step to the left of A."""

LETTER_RING: tuple[str, ...] = (NAME_END, *PLAIN_LETTERS)

LONG_PRESS_STEPS = 6
"""Places that a long press moves."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that is being entered.

    `text` holds the letters so far, `letter` the one that OK takes now, or `NAME_END`.
    """

    text: str = ""
    letter: str = LETTER_RING[1]

    @property
    def full(self) -> bool:
        """True if no further letter fits."""
        return len(self.text) >= MAX_NAME_LETTERS

    @property
    def name(self) -> str:
        """The name so far, without surrounding blanks; empty if there is none yet."""
        return self.text.strip()


def turn_ring(entry: Entry, steps: int) -> Entry:
    """Turns the ring by this many places; for a full name only the end is left."""
    if entry.full:
        return replace(entry, letter=NAME_END)
    place = LETTER_RING.index(PLAIN_LETTER_OF.get(entry.letter, entry.letter))
    return replace(entry, letter=LETTER_RING[(place + steps) % len(LETTER_RING)])


def take_letter(entry: Entry) -> Entry:
    """Appends the letter in the middle to the name; a name does not begin with a blank."""
    if entry.letter == NAME_END or entry.full or (entry.letter == " " and not entry.text):
        return entry
    longer = Entry(entry.text + entry.letter, PLAIN_LETTER_OF.get(entry.letter, entry.letter))
    return replace(longer, letter=NAME_END) if longer.full else longer


def accents_of(letter: str) -> tuple[str, ...]:
    """A letter of the ring and the accented ones behind it."""
    plain = PLAIN_LETTER_OF.get(letter, letter)
    return (plain, *(accented for accented, base in PLAIN_LETTER_OF.items() if base == plain))


def next_accent(entry: Entry) -> Entry:
    """Changes the letter in the middle to its next accent."""
    found = accents_of(entry.letter)
    return replace(entry, letter=found[(found.index(entry.letter) + 1) % len(found)])


def add_typed_letters(entry: Entry, letters: str) -> Entry:
    """Appends letters to the name as they were typed; what a name cannot have is left out."""
    for letter in name_in_capitals(letters):
        if letter in NAME_LETTERS:
            entry = take_letter(replace(entry, letter=letter))
    return entry


def erase_letter(entry: Entry) -> Entry:
    """Takes the last letter back: it is in the middle of the ring again."""
    return Entry(entry.text[:-1], entry.text[-1]) if entry.text else entry
