"""The steps from the likeliest face of a die to what is claimed about it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.decide.detected import found, plain
from vision.classify.face import KINDS, LEANING, SYMBOL, Pyramid
from vision.decide import claim as claims
from vision.decide.claim import (
    ANY_POWER_FACE,
    MIN_SYMBOL_TO_CLAIM,
    MIN_SYMBOL_TO_COMPARE,
    NO_FACE_UP,
    Claim,
    likeliest_face,
    may_show_power_face,
    number_probabilities,
    with_power_face,
    with_rows_of_six,
    without_hidden_value,
)
from vision.detect.detection import Detection
from vision.power_die.faces import MIN_CLAIM_PROBABILITY, Match
from vision.reading import Candidate, DieState, Kind

GREY = np.full((80, 80, 3), 90, np.uint8)


def die(kind: Kind = Kind.BLACK, **faces: float) -> Detection:
    """A flat die, with the face classifier's probabilities of `n1` to `n6`, symbol and leaning."""
    says = np.zeros(10)
    says[SYMBOL], says[LEANING] = faces.pop("symbol", 0.0), faces.pop("leaning", 0.0)
    for name, probability in faces.items():
        says[int(name[1])] = probability
    kinds = np.zeros(len(KINDS))
    kinds[KINDS.index(kind)] = 1.0
    one = plain(found(5, 5, 0.99, 5))
    return replace(one, center=np.array([40.0, 40.0]), faces=says, kinds=kinds)


def claim(kind: Kind = Kind.BLACK, state: DieState = DieState.UNSURE) -> Claim:
    return Claim(kind, 5, 0.6, state, (Candidate(5, 0.6),))


def symbol(probability: float) -> Detection:
    """A die of which the posture classifier gives a symbol this probability."""
    one = die(n5=0.9)
    values = np.zeros_like(one.values)
    values[SYMBOL] = probability
    return replace(one, values=values)


def test_the_likeliest_number_comes_first_and_unlikely_ones_are_left_out() -> None:
    face = likeliest_face(GREY, die(n5=0.8, n6=0.15, n4=0.04, n2=0.005, n1=0.005))
    assert face.number == 5
    assert face.confidence == pytest.approx(0.8)
    assert [one.value for one in face.candidates] == [5, 6, 4]
    assert face.candidates[0].probability == pytest.approx(0.8)


def test_rows_are_searched_for_only_where_both_networks_find_a_large_value_likely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each search takes 2 ms, and a carpet has eighty places in doubt."""
    searched: list[Detection] = []
    monkeypatch.setattr(claims, "seen_as_six", lambda _, one: searched.append(one))
    blank = Pyramid(GREY)
    narrow = die(n4=0.4, n5=0.3)
    assert with_rows_of_six(blank, narrow) is narrow
    assert searched == [narrow]
    grain = np.zeros_like(narrow.faces)
    grain[0] = 0.5
    for other in (
        die(n5=0.99),
        die(n4=0.2, n5=0.1),
        replace(narrow, values=np.eye(8)[1]),
        replace(narrow, faces=narrow.faces + grain),
    ):
        assert with_rows_of_six(blank, other) is other
    assert len(searched) == 1


def test_a_symbol_is_one_of_a_power_die_whatever_its_colours_say() -> None:
    face = likeliest_face(GREY, die(Kind.RED, n5=0.3, symbol=0.4))
    assert (face.kind, face.number, face.confidence) == (Kind.POWER, None, 0.0)
    assert face.candidates == ANY_POWER_FACE


def test_a_number_is_none_of_a_power_die() -> None:
    assert likeliest_face(GREY, die(Kind.POWER, n5=0.5, symbol=0.4)).kind is Kind.OTHER


def test_how_a_die_lies_does_not_count_for_its_number() -> None:
    assert number_probabilities(die(n5=0.4, leaning=0.5))[4] == pytest.approx(0.8)
    assert number_probabilities(die(n5=0.01, leaning=0.99))[4] == pytest.approx(0.1)


@pytest.mark.parametrize("state", DieState)
def test_only_a_die_with_a_face_up_shows_a_value(state: DieState) -> None:
    shown = without_hidden_value(claim(state=state))
    assert (shown.value is None) == (shown.confidence == 0.0) == (state in NO_FACE_UP)


def test_a_die_in_doubt_is_compared_with_learnt_faces_if_it_may_show_a_symbol() -> None:
    suspect = symbol(MIN_SYMBOL_TO_COMPARE + 0.001)
    assert may_show_power_face(suspect, claim())
    assert not may_show_power_face(suspect, claim(state=DieState.OK))
    assert not may_show_power_face(symbol(MIN_SYMBOL_TO_COMPARE), claim())
    assert may_show_power_face(symbol(0.0), claim(Kind.POWER, DieState.LEANING))


def test_a_learnt_face_is_claimed_where_all_agree() -> None:
    sure = Match((("freeze", MIN_CLAIM_PROBABILITY), ("2", 0.02), ("3", 0.01)), 0.0, 0.9)
    shown = with_power_face(symbol(MIN_SYMBOL_TO_CLAIM), claim(), sure, flat=True)
    assert (shown.kind, shown.value, shown.state) == (Kind.POWER, "freeze", DieState.OK)
    assert [one.value for one in shown.candidates] == ["freeze", "2"]
    for one, flat in ((symbol(MIN_SYMBOL_TO_CLAIM - 0.01), True), (symbol(1.0), False)):
        assert with_power_face(one, claim(), sure, flat).state is DieState.UNSURE


def test_a_poor_match_tells_only_of_a_power_die() -> None:
    poor = Match((("freeze", MIN_CLAIM_PROBABILITY - 0.01), ("2", 0.05)), 0.0, 0.5)
    assert with_power_face(symbol(1.0), claim(), poor, flat=True) == claim()
    shown = with_power_face(symbol(1.0), claim(Kind.POWER), poor, flat=True)
    assert (shown.value, shown.state) == ("freeze", DieState.UNSURE)
    assert with_power_face(symbol(1.0), claim(Kind.POWER), None, flat=True) == claim(Kind.POWER)
