"""The steps from the likeliest face of a die to what is claimed about it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.decide.detected import found, plain
from vision.classify.face import COVERED, KINDS, LEANING, SYMBOL, Pyramid
from vision.decide import claim as claims
from vision.decide.claim import (
    ANY_POWER_FACE,
    MIN_SYMBOL_TO_CLAIM,
    MIN_SYMBOL_TO_COMPARE,
    NO_FACE_UP,
    Claim,
    as_six,
    confirmed_without_geometry,
    likeliest_face,
    may_show_power_face,
    number_probabilities,
    with_power_face,
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
    face = likeliest_face(GREY, die(n5=0.8, n6=0.15, n4=0.04, n2=0.005, n1=0.005), known=True)
    assert face.number == 5
    assert face.confidence == pytest.approx(0.8)
    assert [one.value for one in face.candidates] == [5, 6, 4]
    assert face.candidates[0].probability == pytest.approx(0.8)


def test_a_symbol_is_one_of_a_power_die_whatever_its_colours_say() -> None:
    face = likeliest_face(GREY, die(Kind.RED, n5=0.3, symbol=0.4), known=True)
    assert (face.kind, face.number, face.confidence) == (Kind.POWER, None, 0.0)
    assert face.candidates == ANY_POWER_FACE


def test_a_strangers_symbol_is_none_of_a_power_die() -> None:
    face = likeliest_face(GREY, die(Kind.POWER, n5=0.3, symbol=0.4), known=False)
    assert (face.kind, face.number, face.candidates) == (Kind.OTHER, None, ())


def test_a_number_is_none_of_a_power_die() -> None:
    assert likeliest_face(GREY, die(Kind.POWER, n5=0.5, symbol=0.4), known=True).kind is Kind.OTHER


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


def test_the_faces_of_a_die_that_nobody_has_learnt_are_equally_likely() -> None:
    assert sum(one.probability for one in ANY_POWER_FACE) == pytest.approx(1.0)
    assert len({one.probability for one in ANY_POWER_FACE}) == 1


@pytest.mark.parametrize("kind", [Kind.BLACK, Kind.RED, Kind.WHITE, Kind.YELLOW])
def test_the_kind_of_a_die_with_a_number_is_checked_by_its_colours(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "checked_kind", lambda kind, *_: kind)
    assert likeliest_face(GREY, die(kind, n5=0.9), known=True).kind is kind


def test_at_most_three_numbers_are_offered_none_of_less_than_a_hundredth() -> None:
    many = likeliest_face(GREY, die(n1=0.3, n2=0.25, n3=0.2, n4=0.15, n5=0.1), known=True)
    assert [one.value for one in many.candidates] == [1, 2, 3]
    few = likeliest_face(GREY, die(n1=0.98, n2=0.011, n3=0.009), known=True)
    assert [one.value for one in few.candidates] == [1, 2]


def test_candidates_are_shares_of_what_a_die_with_a_face_up_may_show() -> None:
    one = die(n5=0.4, symbol=0.3)
    covered = replace(one, faces=one.faces + np.eye(10)[COVERED] * 0.1)
    assert likeliest_face(GREY, covered, known=True).candidates[0].probability == pytest.approx(0.5)


ROWS = np.array([0.1, 0.4, 0.3, 0.5, 0.45, 0.9])
"""How well the pips of each value fit a 6."""


@pytest.mark.parametrize(
    ("n5", "likely", "fits", "six"),
    [
        (0.4, 0.7, ROWS, True),
        (0.39, 0.7, ROWS, False),
        (0.4, 0.69, ROWS, False),
        (0.99, 1.0, ROWS, True),
        (0.99, 1.0, ROWS * (1, 1, 1, 1, 1, 0.7), False),
        (0.99, 1.0, np.zeros(6), False),
    ],
)
def test_what_the_pips_of_a_six_fit_is_one_if_both_networks_see_a_large_value(
    n5: float, likely: float, fits: np.ndarray, six: bool
) -> None:
    one = replace(die(n5=n5, n4=0.005), values=likely * np.eye(8)[5], fits=fits)
    assert (as_six(one) is not one) is six
    if six:
        assert as_six(one).faces[4:7] == pytest.approx([0.0, 0.0, n5 + 0.005])
        assert as_six(one).values[4:7] == pytest.approx([0.0, 0.0, likely])


def test_six_pips_found_one_by_one_need_not_fit_as_plainly() -> None:
    one = replace(die(n5=0.9), values=np.eye(8)[5], fits=ROWS * (1, 1, 1, 1, 1, 0.7))
    assert as_six(one) is one
    assert as_six(replace(one, plain_pips=np.zeros((6, 2)))) is not one
    ring = replace(one, plain_pips=np.zeros((6, 2)), fits=0.5 * np.ones(6))
    assert as_six(ring) is ring


class Looks:
    """Stand-ins for a second look at a die."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.again: Detection | None = None
        monkeypatch.setattr(claims, "take_second_look", lambda _, __: self.again)

    def confirm(self, one: Detection, said: Claim, *, alone: bool = True) -> Claim:
        return confirmed_without_geometry(Pyramid(GREY), one, said, 0.001, alone)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    return Looks(monkeypatch)


def test_a_second_look_confirms_the_number_that_was_seen_first(looks: Looks) -> None:
    one = die(n5=0.6, n4=0.3)
    looks.again = replace(die(n5=0.97, n4=0.02), values=np.eye(8)[5])
    said = looks.confirm(one, claim())
    assert (said.value, said.state) == (5, DieState.OK)
    assert said.confidence == pytest.approx(0.97)
    looks.again = replace(die(n4=0.97, n5=0.02), values=np.eye(8)[4])
    assert looks.confirm(one, claim()) == claim()


def test_pips_that_fit_plainly_confirm_a_number_of_a_die_that_stands_alone(looks: Looks) -> None:
    one = die(n5=0.6)
    assert looks.confirm(one, claim()) == claim()
    one = replace(one, fits=0.8 * np.eye(6)[4])
    said = looks.confirm(one, claim())
    assert said == replace(claim(), state=DieState.OK)
    assert looks.confirm(one, claim(), alone=False) == claim()
    # Too unlikely for the pips to decide.
    doubted = replace(claim(), confidence=0.49)
    assert looks.confirm(one, doubted) == doubted


def test_a_symbol_is_not_confirmed_by_pips(looks: Looks) -> None:
    drawn = replace(claim(Kind.POWER), value="freeze")
    assert looks.confirm(replace(die(symbol=0.9), fits=0.8 * np.eye(6)[4]), drawn) == drawn


def test_a_die_that_may_show_a_symbol_is_one_in_doubt_by_the_limits_that_were_measured() -> None:
    assert may_show_power_face(symbol(0.021), claim())
    assert not may_show_power_face(symbol(0.02), claim())
    face = die(n5=0.5, symbol=0.021)
    assert may_show_power_face(replace(face, values=np.zeros(8)), claim())
    sure = Match((("freeze", 0.99), ("2", 0.011), ("3", 0.009)), 0.0, 0.9)
    shown = with_power_face(symbol(0.5), claim(), sure, flat=True)
    assert shown.state is DieState.OK
    assert [one.value for one in shown.candidates] == ["freeze", "2"]
    assert with_power_face(symbol(0.49), claim(), sure, flat=True).state is DieState.UNSURE
    leaning = claim(Kind.POWER, DieState.LEANING)
    assert with_power_face(symbol(0.5), leaning, sure, flat=True).state is DieState.LEANING
