"""Events read from text, as tests write them: one, or several in a line."""

from collections.abc import Iterable
from typing import Any

from games.game import Game
from games.notation.events import event_to_text, read_event
from games.notation.words import Words, split_words
from games.record import split_events
from games.values import Event


def event_from_text(game: Game[Any], text: str) -> Event:
    """The event that a text stands for; the inverse of `event_to_text`."""
    return read_event(game, Words.of(text))


def events_to_text(game: Game[Any], events: Iterable[Event]) -> str:
    """Events in one line."""
    return "; ".join(event_to_text(game, event) for event in events)


def events_from_text(game: Game[Any], text: str) -> tuple[Event, ...]:
    """The events of a line; the inverse of `events_to_text`."""
    found = split_events(split_words(text), 1, len(text) + 1) if text.strip() else []
    return tuple(read_event(game, words) for words in found)
