"""The holder as it is learnt from where players put dice."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.holder import LEARNT_FROM_DICE, HolderPlaces, holder_around
from calibration.readers import CalibratedReader
from tests.calibration.wizard.test_wizard import draft
from vision.reading import Candidate, DieReading, DieState, Kind

PLACES = ((-20.0, 80.0), (0.0, 80.0), (22.0, 81.0))


def put(*places: tuple[float, float], sure: bool = True, held: bool = True) -> list[DieReading]:
    """Dice that were moved to these places, millimetres."""
    state = DieState.OK if sure else DieState.UNSURE
    one = DieReading(Kind.BLACK, 4, state, (Candidate(4, 1.0),), 1.0, (0.0, 0.0), (), held=held)
    return [replace(one, mm=place) for place in places]


def has_learnt(calibration: Calibration, *places: tuple[float, float]) -> list[bool]:
    """True for each place where dice are held."""
    profile = CalibratedReader(calibration).profile
    return [profile.held(np.array(place)) for place in places]


def test_dice_that_are_put_beside_the_tray_show_the_holder() -> None:
    seen = HolderPlaces()
    assert seen.see(draft(), put(*PLACES[:2])) is None
    found = seen.see(draft(), put(PLACES[2]))
    assert found is not None
    assert found.holder_learnt
    assert all(has_learnt(found, *PLACES))
    assert has_learnt(found, (0.0, 110.0), (100.0, 80.0)) == [False, False]
    profile = CalibratedReader(found).profile
    assert profile.held_anywhere, "dice may stand elsewhere, too"
    assert found.measured_anew(draft("again")).holder_learnt


def test_it_grows_with_the_next_die_that_is_put_beyond_it() -> None:
    seen = HolderPlaces()
    found = seen.see(draft(), put(*PLACES))
    assert found is not None
    assert seen.see(found, put(PLACES[0], (10.0, 80.5))) is None, "within it"
    larger = seen.see(found, put((70.0, 80.0)))
    assert larger is not None
    assert all(has_learnt(larger, *PLACES, (70.0, 80.0)))


@pytest.mark.parametrize(("sure", "held"), [(False, True), (True, False)])
def test_doubtful_dice_and_those_in_the_tray_show_nothing(sure: bool, held: bool) -> None:
    seen = HolderPlaces()
    for _ in range(LEARNT_FROM_DICE):
        assert seen.see(draft(), put(*PLACES, sure=sure, held=held)) is None


def test_what_somebody_has_shown_stays() -> None:
    shown = replace(draft(), holders=holder_around(PLACES[:1], 16.0))
    assert HolderPlaces().see(shown, put(*PLACES)) is None
    assert not CalibratedReader(shown).profile.held_anywhere
