"""Words for people who cannot see the board: names, dice, labels and points as they are spoken."""

import re
from collections.abc import Iterator, Sequence

from appliance.words import Verbatim, say
from games.values import Face

CARD_PLACE = re.compile(r"(?:C([1-3])|([1-6])([ABC])) ")
"""Where a card lies, at the beginning of its label."""
ABBREVIATED_LABELS = {
    "FULL H": "FULL HOUSE",
    "SM STR": "SMALL STRAIGHT",
    "LG STR": "LARGE STRAIGHT",
}
"""The words that short labels stand for."""
ONE_DIE = ("", "a one", "a two", "a three", "a four", "a five", "a six")
SEVERAL_DICE = ("", "ones", "twos", "threes", "fours", "fives", "sixes")
COUNTS = ("", "", "two", "three", "four", "five", "six", "seven")
"""How one die is called by its face, several alike by theirs, and how many they are."""


def name_in_words(name: str) -> str:
    """A player's name, no longer in capitals."""
    return Verbatim(name.title())


def totals_in_words(totals: Sequence[tuple[str, int]]) -> str:
    """Everybody's points, such as "Anna 12, Ben 7"."""
    return ", ".join(f"{name_in_words(name)} {total}" for name, total in totals)


def points_in_words(points: int) -> str:
    """A number of points."""
    return say("1 point" if points == 1 else "{points} points", points=points)


def count_of_dice(count: int) -> str:
    """A number of dice."""
    return say("{count} die" if count == 1 else "{count} dice", count=count)


def label_in_words(label: str) -> str:
    """A label of the board, without its abbreviations."""
    where = ""
    if at := CARD_PLACE.match(label):
        space, seat, home = at.groups()
        where = f"{say('CENTRE')} {space}" if space else f"{say('PLAYER')} {seat} {home}"
        label = label[at.end() :]
    return f"{where} {say(ABBREVIATED_LABELS.get(label, label))}".strip()


def dice_in_words(faces: Sequence[Face | None]) -> str:
    """The faces of dice, those alike together and the most first, such as "three sixes, a two"."""
    known = [face for face in faces if face is not None]
    by_face = {face: known.count(face) for face in known}
    said = []
    for face, count in sorted(by_face.items(), key=lambda item: (-item[1], -_order(item[0]))):
        if isinstance(face, str):
            said.append(_power_face(face))
        elif count == 1:
            said.append(say(ONE_DIE[face]))
        else:
            said.append(f"{say(COUNTS[count])} {say(SEVERAL_DICE[face])}")
    return ", ".join(said)


def told_pages(pages: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of pages, a sentence for each page."""
    for page in pages:
        yield " ".join(say(line) for line in page if line)


def row_in_words(faces: Sequence[Face | None]) -> str:
    """The faces of dice in the order of their places, by which buttons hold them."""
    return ", ".join(map(_face, faces))


def _face(face: Face | None) -> str:
    return "?" if face is None else _power_face(face) if isinstance(face, str) else str(face)


def _power_face(face: str) -> str:
    """The face of the Power die in words; its figures multiply."""
    return say("times {face}", face=face) if face.isdecimal() else say(face)


def _order(face: Face) -> int:
    return face if isinstance(face, int) else 0
