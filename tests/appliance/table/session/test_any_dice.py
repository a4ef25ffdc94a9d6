"""Games are played with any five dice; the red die and the Power die are known by what they do."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

from appliance.inputs import Button, Pressed
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.session.matching import Why
from appliance.table.session.modes import Clashing, Miscounted, Playing
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import Input, step
from games.values import DieKind, Face
from tests.appliance.table.session.test_all_games import People, Tray
from tests.builders import die, roll
from vision.events import Roll, TrackedDie
from vision.reading import DieState, Kind

WHITE, RED, BLUE, BLACK, YELLOW = Kind.WHITE, Kind.RED, Kind.OTHER, Kind.BLACK, Kind.YELLOW
"""The reader knows no blue."""
SETS = {
    "white": (WHITE,) * 5,
    "red": (RED,) * 5,
    "blue": (BLUE,) * 5,
    "mixed": (WHITE, RED, BLUE, BLACK, YELLOW),
    "two and three": (BLACK, BLACK, WHITE, WHITE, WHITE),
    "one red": (BLACK, BLACK, BLACK, BLACK, RED),
}
EVENTS = 60


class ColouredTray(Tray):
    """A tray with a set of five dice in any colours, and odd ones."""

    def __init__(self, tray: Tray, colours: Sequence[Kind], odd: Kind | None) -> None:
        super().__init__(tray.rng)
        self._colours, self._odd = tuple(colours), odd

    def throw(self, dice: dict[int, tuple[DieKind, Face]], doubt: float) -> Roll:
        """The dice as they are read, whatever the game calls them."""
        super().throw(dice, doubt)
        for number, one in self.lying.items():
            kind = (*self._colours, one.reading.kind)[min(number, 5)]
            if number == 5 and self._odd is not None and kind is not Kind.POWER:
                kind = self._odd
            self.lying[number] = replace(one, reading=replace(one.reading, kind=kind))
        lying = sorted(self.lying.values(), key=lambda d: d.track_id)
        return Roll(0, 0.0, tuple(lying), 0)


class Players(People):
    """Those who play with such a set; every die is sure, so nothing needs to be asked."""

    def __init__(self, game: str, seed: int, colours: Sequence[Kind], odd: Kind | None) -> None:
        super().__init__(game, seed)
        self.tray = ColouredTray(self.tray, colours, odd)

    def do(self, happened: Input) -> Session:
        """A throw is only asked about where it shows the same faces as before."""
        self.session = step(self.session, happened)
        mode = self.session.mode
        if isinstance(happened, Roll) and not isinstance(mode, Playing):
            assert isinstance(mode, Clashing), (happened.dice, mode)
            assert mode.clash.why is Why.SAME, (happened.dice, mode)
        return self.session


PLAYED = [
    (name, odd)
    for name, colours in SETS.items()
    for odd in (None, BLUE)
    # A red die that lies there and another that was thrown: nobody knows which is meant.
    if odd is None or RED not in colours
]


@pytest.mark.parametrize(("name", "odd"), PLAYED)
@pytest.mark.parametrize("game", ["classic", "power", "showdown", "free-for-all"])
def test_any_five_dice_play_any_game_without_a_question(
    game: str, name: str, odd: Kind | None
) -> None:
    people = Players(game, 3, SETS[name], odd)
    while people.session.record.ask and len(people.session.record.log) < EVENTS:
        people.turn()


def of(*kinds: Kind, thrown: Collection[int] | None = None) -> tuple[TrackedDie, ...]:
    """Sure dice of these kinds by the tracker's numbers, showing 1 and up."""
    return tuple(
        die(n, 1 + n % 6, kind, thrown=thrown is None or n in thrown)
        for n, kind in enumerate(kinds)
    )


def first_throw(game: str, dice: tuple[TrackedDie, ...]) -> Session:
    return step(new_session(Setup(game, ("ANNA", "BEN"), (("first", 0),))), roll(*dice))


@pytest.mark.parametrize("name", SETS)
def test_a_sixth_die_that_nobody_threw_does_not_count(name: str) -> None:
    for sixth in Kind:
        dice = of(*SETS[name], sixth, thrown=range(5))
        after = first_throw("classic", dice)
        if SETS[name].count(BLACK) == 4 and sixth is BLACK:
            # It may be the red one that does not belong to the others.
            assert isinstance(after.mode, Miscounted)
        else:
            assert after.record.dice == (1, 2, 3, 4, 5), (name, sixth)


def test_five_alike_are_meant_when_a_sixth_was_thrown_with_them() -> None:
    for kind in (WHITE, RED, BLUE, BLACK):
        after = first_throw("classic", of(*(kind,) * 5, YELLOW))
        assert after.record.dice == (1, 2, 3, 4, 5)
    mixed = first_throw("classic", of(*SETS["mixed"], WHITE))
    assert isinstance(mixed.mode, Miscounted), "nobody knows which of the white ones is meant"
    with_power = first_throw("classic", of(*SETS["mixed"], Kind.POWER))
    assert with_power.record.dice == (1, 2, 3, 4, 5)


def test_the_one_die_that_shows_no_number_is_the_power_die() -> None:
    """Its print may not be learnt yet, or its colour not be seen."""
    dice = list(of(*(BLUE,) * 6))
    doubtful = replace(dice[2].reading, state=DieState.UNSURE, value=None)
    dice[2] = replace(dice[2], reading=doubtful)
    asked = first_throw("power", tuple(dice))
    shown = prompt(asked)
    assert isinstance(shown, FacePrompt)
    assert (shown.name, shown.face) == ("POWER DIE", None)
    assert asked.mode.faces == ((0, 1), (1, 2), (2, 4), (3, 5), (4, 6))  # type: ignore[union-attr]


def test_of_two_dice_that_look_like_it_the_one_that_was_read_is_the_power_die() -> None:
    dice = list(of(*(BLUE,) * 4, Kind.POWER, Kind.POWER))
    doubtful = replace(dice[4].reading, state=DieState.UNSURE, value=None, confidence=0.0)
    dice[4] = replace(dice[4], reading=doubtful)
    dice[5] = replace(dice[5], reading=replace(dice[5].reading, value="freeze"))
    shown = prompt(first_throw("power", tuple(dice)))
    assert isinstance(shown, FacePrompt)
    assert shown.name == "5TH DIE"


def test_dice_of_the_set_that_were_not_thrown_are_asked_about() -> None:
    session = first_throw("classic", of(*SETS["two and three"]))
    session = step(step(session, Pressed(Button.OK)), Pressed(Button.OK))
    lazy = step(session, roll(*of(*SETS["two and three"], thrown=(0, 1))))
    assert isinstance(lazy.mode, Clashing), lazy.mode
    assert lazy.mode.clash.why is Why.LAZY
