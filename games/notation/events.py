"""Events as text: `roll 3 5 5 1 2`, `hold 2 3`, `score full-house`.

The text of an event is a verb and its words, on one line, without `;`, `|`, `#`, `[` and `]`.
Verbs that all games share are here; a game brings its own, so that a new game plugs in without
changes to this module or to `record`.
"""

from collections.abc import Mapping
from typing import Any

from games import values as rules
from games.game import Game
from games.notation.verbs import E, Verb
from games.notation.words import MAX_SEATS, Words

POWER_WORDS: Mapping[str, str] = {
    "x1": "1",
    "x2": "2",
    "x3": "3",
    "double": "double",
    "freeze": "freeze",
    "power": "power",
}
"""How the faces of the Power die are written, so that its 2 is not taken for a numbered die's."""


def face_to_text(face: rules.Face) -> str:
    """A face as it is written: 1 to 6, or a word of `POWER_WORDS`."""
    if isinstance(face, int):
        return str(face)
    return next(word for word, power in POWER_WORDS.items() if power == face)


_NUMBER_BY_WORD: Mapping[str, int] = {str(n): n for n in range(1, 7)}
_FACE_BY_WORD: Mapping[str, rules.Face] = {**_NUMBER_BY_WORD, **POWER_WORDS}


_KIND_BY_WORD = {kind.value: kind for kind in rules.DieKind}
_MAX_SLOTS = 20


def _read_rolled(words: Words) -> rules.Rolled:
    faces = [words.one_of(_FACE_BY_WORD, "a face")]
    while words:
        faces.append(words.one_of(_FACE_BY_WORD, "a face"))
    return rules.Rolled(tuple(faces))


def _read_corrected(words: Words) -> rules.Corrected:
    slot = words.number(1, _MAX_SLOTS, "a die") - 1
    words.literal("to")
    return rules.Corrected(slot, words.one_of(_FACE_BY_WORD, "a face"))


def _read_shown(words: Words) -> rules.Shown:
    dice: list[rules.ShownDie] = []
    while words or not dice:
        kind = words.one_of(_KIND_BY_WORD, "a colour")
        dice.append(rules.ShownDie(kind, words.one_of(_NUMBER_BY_WORD, "a face")))
    return rules.Shown(tuple(dice))


def _read_recoloured(words: Words) -> rules.Recoloured:
    slot = words.number(1, _MAX_SLOTS, "a die") - 1
    words.literal("to")
    return rules.Recoloured(slot, words.one_of(_KIND_BY_WORD, "a colour"))


def _read_keep(words: Words) -> rules.Keep:
    if words.peek() == "none":
        words.take("none")
        return rules.Keep(())
    slots = [words.number(1, _MAX_SLOTS, "a die or 'none',")]
    while words:
        slots.append(words.number(slots[-1] + 1, _MAX_SLOTS, "a later die"))
    return rules.Keep(tuple(slot - 1 for slot in slots))


KEEP_VERB = Verb(
    "hold", rules.Keep, lambda e: " ".join(str(s + 1) for s in e.slots) or "none", _read_keep
)
COMMON_VERBS: tuple[Verb[Any], ...] = (
    Verb("roll", rules.Rolled, lambda e: " ".join(map(face_to_text, e.faces)), _read_rolled),
    Verb(
        "fix", rules.Corrected, lambda e: f"{e.slot + 1} to {face_to_text(e.face)}", _read_corrected
    ),
    KEEP_VERB,
    Verb(
        "show", rules.Shown, lambda e: " ".join(f"{d.kind} {d.face}" for d in e.dice), _read_shown
    ),
    Verb("recolour", rules.Recoloured, lambda e: f"{e.slot + 1} to {e.kind}", _read_recoloured),
    Verb(
        "leave",
        rules.Left,
        lambda e: str(e.seat + 1),
        lambda words: rules.Left(words.number(1, MAX_SEATS, "a seat") - 1),
    ),
)
"""`roll 3 5 power`: faces in the order asked for. `fix 2 to 5`: die 2 shows 5. `hold 1 3`, `hold
none`: dice by their button numbers, from 1. `show red 3 black 5`: dice with their colours.
`recolour 2 to red`: die 2 is red. `leave 2`: the second player leaves the game."""


def event_to_text(game: Game[Any], event: rules.Event) -> str:
    """One event in one line.

    Raises:
        RulesError: for a class of events that the game has no verb for.
    """
    return verb_text(find_verb(game, event), event)


def verb_text(verb: Verb[E], event: E) -> str:
    """An event of the class that a verb is for, in one line."""
    return f"{verb.word} {verb.write(event)}".rstrip()


def find_verb(game: Game[Any], event: rules.Event) -> Verb[Any]:
    """The verb for an event.

    Raises:
        RulesError: for a class of events that the game has no verb for.
    """
    for verb in (*COMMON_VERBS, *game.verbs):
        if verb.event is type(event):
            return verb
    raise rules.RulesError(f"{game.name} has no verb for {event!r}; add one to its verbs")


def event_from_text(game: Game[Any], text: str) -> rules.Event:
    """The event that a text such as `roll 3 3 3 5 5` stands for; the inverse of `event_to_text`.

    Raises:
        RecordError: for a text that is not an event of this game.
    """
    return read_event(game, Words.of(text))


def read_event(game: Game[Any], words: Words) -> rules.Event:
    """The event that all of the words stand for.

    Raises:
        RecordError: for words that are not an event of this game.
    """
    verb = words.one_of({verb.word: verb for verb in (*COMMON_VERBS, *game.verbs)}, "a verb")
    event: rules.Event = verb.read(words)
    words.end("the end of the event")
    return event
