"""Words for people who cannot see the board: names, dice, labels and points as they are spoken."""

import re
from collections.abc import Iterable, Iterator, Sequence

from appliance.words import Label, Verbatim, say, say_aloud, write
from games.computers import strength_of
from games.values import Face, ShownDie
from games.views import Goal

CARD_PLACE = re.compile(r"(?:C([1-3])|([1-6])([ABC])|[ABC]) ")
"""Where a card lies, at the beginning of its label: one's own has no seat."""
_NUMBER_KEYS = ("aces", "ones", "twos", "threes", "fours", "fives", "sixes")
_RAISED = "need "
"""How the note of a card begins whose owner may raise it."""
ONE_DIE = ("", "a one", "a two", "a three", "a four", "a five", "a six")
SEVERAL_DICE = ("", "ones", "twos", "threes", "fours", "fives", "sixes")
COUNTS = ("", "", "two", "three", "four", "five", "six", "seven")
"""How one die is called by its face, several alike by theirs, and how many they are."""


def name_in_words(name: str) -> str:
    """A player's name, no longer in capitals; a computer's with the number of its stars."""
    base, _, stars = name.partition(" ")
    if strength_of(name) is None:
        return Verbatim(name.title())
    count = len(stars)
    said = say("{count} star" if count == 1 else "{count} stars", count=count)
    return Verbatim(f"{base.title()} {said}")


def totals_in_words(totals: Sequence[tuple[str, int]]) -> str:
    """Everybody's points, such as "Anna 12, Ben 7"."""
    return ", ".join(f"{name_in_words(name)} {total}" for name, total in totals)


def points_in_words(points: int) -> str:
    """A number of points; none are a zero."""
    if not points:
        return say("a zero")
    return say("1 point" if points == 1 else "{points} points", points=points)


def count_of_dice(count: int) -> str:
    """A number of dice."""
    return say("{count} die" if count == 1 else "{count} dice", count=count)


def label_in_words(label: str) -> str:
    """A label of the board in whole words: of a card, then where it lies."""
    if not (found := CARD_PLACE.match(label)):
        return say_aloud(label)
    space, seat, _ = found.groups()
    card = card_in_words(label)
    if space:
        return f"{card}, {say('CENTRE')} {space}"
    return f"{card}, {say('PLAYER')} {seat}" if seat else card


def card_in_words(label: str) -> str:
    """A card in whole words, without where it lies."""
    if not CARD_PLACE.match(label):
        return say_aloud(label)
    if isinstance(label, Label):
        return say_aloud(Label(label.key.partition(" ")[2]))
    return say(CARD_PLACE.sub("", label))


def needs_in_words(label: str, note: str, mine: bool, needs: int = 0) -> str:
    """What a card takes, such as "two fives to take it".

    Args:
        label: the card.
        note: the board's short text, which is said of what needs nothing.
        mine: whether it is one's own: then one raises it, or others need that.
        needs: the least that a roll must have: dice of its number, or their total.
    """
    if not needs:
        return say_aloud(note) if note else ""
    card = label.key.rpartition(" ")[2] if isinstance(label, Label) else ""
    what = say("{total} or more", total=needs)
    if card in _NUMBER_KEYS:
        what = dice_in_words((max(1, _NUMBER_KEYS.index(card)),) * needs)
    if mine and isinstance(note, Label) and note.key.startswith(_RAISED):
        return say("{dice} to raise it", dice=what)
    return say("others need {dice}" if mine else "{dice} to take it", dice=what)


def told_goals(goals: Iterable[Goal]) -> Iterator[str]:
    """What is missing for each bonus that is still ahead."""
    for goal in goals:
        yield say(
            "{missing} for the bonus of {bonus}: {have} of {need}.",
            missing=max(0, goal.needed - goal.now),
            bonus=goal.bonus,
            have=goal.now,
            need=goal.needed,
        )


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


def die_in_words(name: str, *, begins: bool = False) -> str:
    """A die by its place in whole words, which may begin a sentence."""
    said = say_aloud(name) if isinstance(name, Label) else write(name)
    return said[:1].upper() + said[1:] if begins else said


def row_in_words(faces: Sequence[Face | None]) -> str:
    """The faces of dice in the order of their places, by which buttons hold them.

    Dice before the first and behind the last known one are not there yet, and left out.
    No commas: each would take a third of a second.
    """
    known = [place for place, face in enumerate(faces) if face is not None]
    said = ""
    for face in faces[known[0] : known[-1] + 1] if known else ():
        between = "," if isinstance(face, str) and said else ""
        said += f"{between} {_face(face)}"
    return said.strip()


def _face(face: Face | None) -> str:
    if face is None:
        return say("unknown")
    return _power_face(face) if isinstance(face, str) else str(face)


_HOLD = ("hold die {places}: {dice}", "hold dice {places}: {dice}")
_HELD = ("Die {places} held: {dice}.", "Dice {places} held: {dice}.")


def held_in_words(dice: Sequence[Face | None], held: Sequence[int], *, asked: bool = True) -> str:
    """Which dice are to be held, if that is `asked`, or are, by their places and their faces."""
    text = (_HOLD if asked else _HELD)[len(held) > 1]
    faces = row_in_words([dice[slot] for slot in held])
    return say(text, places=places_in_words(held), dice=faces)


def told_dice(faces: Sequence[Face | None]) -> Iterator[str]:
    """A sentence on the dice whose faces are known, in the order of their places."""
    if said := row_in_words(faces):
        yield say("Dice: {dice}.", dice=said)


def shown_in_words(dice: Iterable[ShownDie]) -> str:
    """Dice that are known by their colours, such as "white 6 red 1"."""
    return " ".join(f"{say(die.kind)} {die.face}" for die in dice)


def places_in_words(slots: Iterable[int]) -> str:
    """The places of dice, as their buttons count them."""
    return " ".join(str(slot + 1) for slot in slots)


def _power_face(face: str) -> str:
    """The face of the Power die in words; its figures multiply."""
    return say("times {face}", face=face) if face.isdecimal() else say(face)


def _order(face: Face) -> int:
    return face if isinstance(face, int) else 0
