"""Counts of the benchmark of polished dice."""

from collections import Counter

import numpy as np
import pytest

from scripts.bench_glare import Counts, count, main
from scripts.campaign.polished import polished
from simulator.render.dice_model import STANDARD_STYLES, flat_die
from tests.rigs.rendering.truth import DieTruth
from vision.reading import DieReading, DieState, Face, Kind

CORNERS = ((90.0, 90.0), (110.0, 90.0), (110.0, 110.0), (90.0, 110.0))


def true(value: Face, kind: Kind = Kind.BLACK, glare: float = 0.0) -> DieTruth:
    pose = flat_die(Kind.BLACK, 3, (0.0, 0.0), 0.0, STANDARD_STYLES[Kind.BLACK])
    return DieTruth(
        kind,
        value,
        value,
        DieState.OK,
        0.0,
        (100.0, 100.0),
        CORNERS,
        CORNERS,
        (0.0, 0.0),
        pose,
        0.0,
        glare,
    )


def seen(value: Face, x: float = 101.0, state: DieState = DieState.OK) -> DieReading:
    return DieReading(Kind.BLACK, value, state, (), 0.9, (x, 100.0), CORNERS)


@pytest.mark.parametrize(
    ("readings", "right", "wrong"),
    [
        ((seen(3),), 1, 0),
        ((seen(4),), 0, 1),
        ((seen(3, state=DieState.UNSURE),), 0, 0),
        ((seen(3, x=140.0),), 0, 0),
        ((), 0, 0),
    ],
)
def test_a_die_counts_once(readings: tuple[DieReading, ...], right: int, wrong: int) -> None:
    counts: Counts = Counter()
    count(counts, "lit", true(3), readings)
    row = "numbered dice, lit"
    assert [counts[row, what] for what in ("dice", "right", "wrong")] == [1, right, wrong]


def test_power_dice_and_those_with_glare_have_rows_of_their_own() -> None:
    counts: Counts = Counter()
    count(counts, "lit", true("freeze", Kind.POWER, 0.5), (seen("freeze"),))
    assert {row for row, _ in counts} == {"Power dice, lit", "of all, glare on top, lit"}
    assert all(counts[row, "right"] == 1 for row, _ in counts)


def test_the_dice_are_polished_and_have_a_lamp_above() -> None:
    one = polished(900000, np.random.default_rng(1))
    assert all(style.roughness <= 0.16 for style in one.styles.values())
    assert one.scene.lighting.lights[-1].position[2] < -600


def test_an_installation_is_read_with_and_without_darker_frames(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--sites", "1", "--throws", "1", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "| Power dice, lit | 1 |" in out
    assert "| numbered dice, with darker frames | 6 |" in out
