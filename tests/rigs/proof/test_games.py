"""The proof by play in short: whole games by people who make slips, and their true scores."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from appliance.screens.draw import pages
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.session.recording import play
from appliance.table.session.session import Setup, new_session
from appliance.words import Label
from games.boxes import Score
from games.classic import Box
from games.values import Rolled
from tests.rigs.examples import FULL
from tests.rigs.proof.cheap_camera import sights
from tests.rigs.proof.games import SETUPS, faults_of, play_unpictured
from tests.rigs.proof.pictured_games import PICTURED, Wired, play_pictures, tray_of
from tests.rigs.proof.referee import Referee, RefereeError


@pytest.fixture(scope="module")
def wired() -> Iterator[Wired]:
    with Wired() as hands:
        yield hands


CASES = [
    (setup, seed)
    for setups in SETUPS.values()
    for seed, setup in enumerate(setups)
    if FULL or seed == len(setups) - 1
]


@pytest.mark.parametrize(
    ("setup", "seed"), CASES, ids=lambda case: str(getattr(case, "game", case))
)
def test_people_who_slip_get_their_true_scores(setup: Setup, seed: int) -> None:
    played = play_unpictured(setup, seed, clumsy=0.25, doubt=0.1, look=pages)
    assert played.fault == ""
    assert played.slips.total() > 3
    assert played.misread == 0


def test_a_held_die_that_was_turned_is_no_throw() -> None:
    """Nothing was thrown yet: the board asks to throw again, and a person who reads that does."""
    assert not play_unpictured(SETUPS["classic"][2], 8).fault


@pytest.mark.slow
@pytest.mark.parametrize("game", SETUPS)
def test_throws_through_pictures_and_buttons(game: str, wired: Wired) -> None:
    played = play_pictures(PICTURED[game][-1], 2, clumsy=0.1, throws=3, wired=wired)
    assert played.fault == ""
    assert played.throws >= 3
    assert played.misread == 0


def test_every_moment_of_an_act_that_is_looked_at_is_within_it() -> None:
    tray = tray_of(5, kinds_of_dice_in("power"))
    tray.throw({0: 1, 1: 2, 5: "freeze"})
    tray.wait(0.1)
    tray.rest_hand()
    tray.knock(1)
    tray.set_aside([0])
    tray.pick_up([0, 1])
    count = 0
    while (act := tray.act) is not None:
        times = (act.start_s, *sights(act), act.end_s)
        assert list(times) == sorted(times)
        count += len(times) - 2
        tray.advance(act.end_s - tray.time_s + 1e-6)
    assert count >= 10


def test_a_wrong_score_would_be_found() -> None:
    session = new_session(Setup("classic", ("ANNA",)))
    referee = Referee(session.record.setup)
    for box in Box:
        session = play(session, Rolled((1, 2, 3, 4, 6)), Score(box))
        referee.thrown(dict(enumerate((1, 2, 3, 4, 6))), range(5))
        referee.chosen(Label(Score(box).key))
    assert faults_of(session, referee) == ""
    wrong = replace(
        session, record=replace(session.record, state=session.record.rules.start(("ANNA",), {}))
    )
    assert "expected" in faults_of(wrong, referee)
    with pytest.raises(RefereeError):
        referee.chosen("CHANCE")
