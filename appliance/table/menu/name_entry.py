"""Entering a name with three buttons: a ring of letters, one of them in the middle."""

from dataclasses import dataclass, replace

from appliance.table.names import LETTERS, LONGEST

END = ""
"""Stands in the ring where the name is finished, one step to the left of A."""

RING: tuple[str, ...] = (END, *LETTERS)

LEAP = 6
"""Places that a long press goes on."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that is being entered.

    Attributes:
        text: the letters so far.
        letter: what OK takes now: a letter, or `END`.
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
    place = RING.index(entry.letter)
    return replace(entry, letter=RING[(place + steps) % len(RING)])


def take(entry: Entry) -> Entry:
    """The letter in the middle put behind the name; a name does not begin with a blank."""
    if entry.letter == END or entry.full or (entry.letter == " " and not entry.text):
        return entry
    longer = Entry(entry.text + entry.letter)
    return replace(longer, letter=END) if longer.full else longer


def erase(entry: Entry) -> Entry:
    """The last letter taken back: it is in the middle of the ring again."""
    return Entry(entry.text[:-1], entry.text[-1]) if entry.text else entry
