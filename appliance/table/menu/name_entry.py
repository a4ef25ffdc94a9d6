"""Entering a name with three buttons: a ring of letters, one of them in the middle.

Letters with accents lie behind their plain ones: a hold button goes through them.
"""

from dataclasses import dataclass, replace

from appliance.table.names import BASES, LETTERS, LONGEST, PLAIN, capitals

END = ""
"""Stands in the ring where the name is finished, one step to the left of A."""

RING: tuple[str, ...] = (END, *PLAIN)

LEAP = 6
"""Places that a long press goes on."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that is being entered.

    After the letters so far comes the one that OK takes now, or `END`.
    """

    text: str = ""
    letter: str = RING[1]

    @property
    def full(self) -> bool:
        """Whether no letter fits any more."""
        return len(self.text) >= LONGEST

    @property
    def name(self) -> str:
        """The name as it is: without blanks around it; empty if it is none yet."""
        return self.text.strip()


def turn(entry: Entry, steps: int) -> Entry:
    """The ring turned by so many places; of a full name only the end is left."""
    if entry.full:
        return replace(entry, letter=END)
    place = RING.index(BASES.get(entry.letter, entry.letter))
    return replace(entry, letter=RING[(place + steps) % len(RING)])


def take(entry: Entry) -> Entry:
    """The letter in the middle put behind the name; a name does not begin with a blank."""
    if entry.letter == END or entry.full or (entry.letter == " " and not entry.text):
        return entry
    longer = Entry(entry.text + entry.letter, BASES.get(entry.letter, entry.letter))
    return replace(longer, letter=END) if longer.full else longer


def accents(letter: str) -> tuple[str, ...]:
    """A letter of the ring and those with accents that lie behind it."""
    plain = BASES.get(letter, letter)
    return (plain, *(accented for accented, base in BASES.items() if base == plain))


def accent(entry: Entry) -> Entry:
    """The next of the accents of the letter in the middle."""
    found = accents(entry.letter)
    return replace(entry, letter=found[(found.index(entry.letter) + 1) % len(found)])


def write(entry: Entry, letters: str) -> Entry:
    """Letters put behind the name as they were typed; what a name cannot have is left out."""
    for letter in capitals(letters):
        if letter in LETTERS:
            entry = take(replace(entry, letter=letter))
    return entry


def erase(entry: Entry) -> Entry:
    """The last letter taken back: it is in the middle of the ring again."""
    return Entry(entry.text[:-1], entry.text[-1]) if entry.text else entry
