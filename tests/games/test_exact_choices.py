"""What equals a legal choice is one only if its parts are of the same types, too."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest

from games import classic, power, yatzy
from games.boxes import Score, Zero
from games.chance import random_event
from games.registry import GAMES
from games.values import Choice, Choose, IllegalEvent, Keep, Left, Rolled

PATTERNS = (classic.Box, yatzy.Box, power.Kind, power.Slot)
GAMES_TRIED = 2
MOST_EVENTS = 60


def alike(value: Any) -> Iterator[Any]:
    """Values that equal this one, or a list in place of a tuple, but are of other types."""
    if isinstance(value, tuple):
        yield list(value)
        for at, part in enumerate(value):
            yield from ((*value[:at], other, *value[at + 1 :]) for other in alike(part))
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            for other in alike(getattr(value, field.name)):
                yield replace(value, **{field.name: other})
    elif isinstance(value, int):
        others = (int(value), float(value), *([bool(value)] if value in (0, 1) else ()))
        members = (p(int(value)) for p in PATTERNS if value in [int(member) for member in p])
        yield from (other for other in (*others, *members) if type(other) is not type(value))


def wrong(choices: dict[Any, Choice]) -> Iterator[Choice]:
    for choice in choices.values():
        for field in fields(choice):
            for other in alike(getattr(choice, field.name)):
                yield replace(choice, **{field.name: other})


@pytest.mark.parametrize("name", GAMES)
def test_apply_and_preview_take_no_choice_of_other_types(name: str) -> None:
    game, tried = GAMES[name], 0
    for seed in range(GAMES_TRIED):
        chance = Random(seed)
        state = game.start(("ANNA", "BEN", "CLEO")[: max(2, game.min_players)], {})
        for _ in range(MOST_EVENTS):
            if isinstance(game.ask(state), Choose):
                # One of each class: the others are checked by the same lines.
                for choice in wrong({type(c): c for c in reversed(game.choices(state))}):
                    tried += 1
                    for take in (game.apply, game.preview):
                        with pytest.raises(IllegalEvent):
                            take(state, choice)
            event = random_event(game, state, chance)
            if event is None:
                break
            state = game.apply(state, event)
    assert tried > 50


@pytest.mark.parametrize("name", GAMES)
def test_no_seat_of_another_type_leaves(name: str) -> None:
    game, chance = GAMES[name], Random(1)
    state = game.start(("ANNA", "BEN", "CLEO"), {})
    while game.turn(state) < 1:
        event = random_event(game, state, chance)
        assert event is not None
        state = game.apply(state, event)
    for seat in (True, 1.0, classic.Box.TWOS):
        with pytest.raises(IllegalEvent):
            game.apply(state, Left(seat))  # type: ignore[arg-type]
    assert game.apply(state, Left(1)).out == (1,)


def test_a_box_is_no_number_and_no_box_of_another_game() -> None:
    twos = Score(classic.Box.TWOS)
    for other in (1.0, 1, True, yatzy.Box.TWOS, power.Kind.TWOS):
        assert Score(other) != twos  # type: ignore[arg-type]
        assert Score(other) not in {twos: 1}  # type: ignore[arg-type]
    assert Score(classic.Box.TWOS) == twos
    assert Zero(classic.Box.TWOS) != twos


def test_a_state_is_never_left_with_a_keep_that_cannot_be_written() -> None:
    state = classic.GAME.start(["ANNA"], {})
    state = classic.GAME.apply(state, Rolled((1, 2, 3, 4, 5)))
    for slots in ([0], (0.0,), (True,), ([0],), "0"):
        with pytest.raises(IllegalEvent):
            classic.GAME.apply(state, Keep(slots))  # type: ignore[arg-type]
    assert classic.GAME.apply(state, Keep((0,))).held == (0,)
