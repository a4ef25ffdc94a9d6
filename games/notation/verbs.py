"""Verbs: how the events of a game are written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from games.dice import Pattern
from games.notation.words import Words
from games.values import Event

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Verb(Generic[E]):
    """How one class of events is written.

    Attributes:
        word: the first word of its text, unique among the verbs of the game.
        event: the exact class.
        write: writes the words after the verb.
        read: reads the event from the words after the verb; takes only the words it needs.
        actions: for choices of a player, what may follow the verb in the name of an action, in an
            order that never changes; empty for events that no player chooses.
        action: what follows the verb in the name of this choice's action; left out, all the words
            that `write` writes.
    """

    word: str
    event: type[E]
    write: Callable[[E], str]
    read: Callable[[Words], E]
    actions: Sequence[str] = ()
    action: Callable[[E], str] | None = None


def plain_verb(word: str, event: type[Event]) -> Verb[Any]:
    """How choices without fields are written."""
    return Verb(word, event, lambda _: "", lambda _: event(), actions=("",))


def pattern_verb(
    word: str, event: Any, field: str, patterns: type[Pattern], expected: str = ""
) -> Verb[Any]:
    """How events whose only field is a pattern, such as a box, are written."""
    table = {pattern.word: pattern for pattern in patterns}
    return Verb(
        word,
        event,
        lambda event: patterns(getattr(event, field)).word,
        lambda words: event(words.one_of(table, expected or f"a {field}")),
        actions=tuple(table),
    )


@dataclass(frozen=True, slots=True)
class NamedHand:
    """The best hand that dice make, in a game that does not score throws.

    Attributes:
        word: its name in records, which is its key.
        dice: those that make it, as they are written.
        reason: what decides between two such hands.
    """

    word: str
    dice: tuple[str, ...]
    reason: str
