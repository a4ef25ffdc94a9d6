"""Counting across games, and the fairness test of the dice."""

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.cli.main import main
from appliance.journal.journal import Journal
from appliance.journal.saved_game import SavedGame
from appliance.journal.summary import count_game, record_of, throws
from appliance.journal.totals import Group
from appliance.stats.chart import svg
from appliance.stats.fairness import (
    chance_to_notice,
    chi_square,
    chi_square_tail,
    critical_statistic,
    fairness,
    smallest_noticeable_chance,
)
from appliance.stats.tally import standings
from appliance.words import Label
from games import classic, holdem, power, showdown
from games.chance import random_game
from games.notation.events import event_to_text
from games.record import Record
from games.registry import GAMES
from games.values import Corrected, DieKind, Keep, Rolled
from tests.builders import record_for
from tests.rigs.examples import examples

PLAYERS = ("ANNA", "BOB")


def played(name: str, seed: int = 1) -> Record:
    events, _ = random_game(GAMES[name], PLAYERS, {}, Random(seed))
    return record_for(GAMES[name], PLAYERS, {}, events, "0.1.0")


def lines_of(record: Record) -> tuple[str, ...]:
    return tuple(event_to_text(GAMES[record.game], event) for event in record.events)


def counted(*records: Record) -> Group:
    """The counts of games on disk."""
    group = Group()
    for record in records:
        group.count(count_game(saved(record), 1))
    return group


def saved(record: Record) -> SavedGame:
    return SavedGame(
        *(1, record.game, record.edition, record.players, record.options, record.version),
        ended=False,
        lines=lines_of(record),
    )


def save(journal: Journal, record: Record) -> int:
    number = journal.begin(
        record.game, record.edition, record.players, record.options, record.version
    )
    journal.append(number, 0, lines_of(record), ended=bool(counted(record).players))
    return number


@pytest.mark.parametrize(
    ("degrees", "x", "chance"),
    # Tables of chi-square: Abramowitz and Stegun, table 26.8.
    [(1, 3.84146, 0.05), (3, 7.81473, 0.05), (5, 11.0705, 0.05), (5, 15.0863, 0.01), (5, 0, 1)],
)
def test_the_tail_is_that_of_the_tables(degrees: int, x: float, chance: float) -> None:
    assert chi_square_tail(x, degrees) == pytest.approx(chance, abs=1e-6)


def test_the_critical_value_is_that_of_the_tables() -> None:
    assert critical_statistic() == pytest.approx(11.0705, abs=1e-4)


def test_the_power_without_a_bias_is_the_level_and_grows_with_the_throws() -> None:
    assert chance_to_notice(1000, [1 / 6] * 6) == pytest.approx(0.05, abs=0.01)
    chances = [0.22, 0.156, 0.156, 0.156, 0.156, 0.156]
    grown = [chance_to_notice(throws, chances) for throws in (50, 200, 800, 3200)]
    assert grown == sorted(grown)
    # Cohen, Statistical Power Analysis (1988), tables for u = 5: w = 0.3 (half of the faces
    # favoured), N = 140: 0.79.
    assert chance_to_notice(140, [1.3 / 6] * 3 + [0.7 / 6] * 3) == pytest.approx(0.79, abs=0.02)


def test_fair_dice_are_called_unlike_fair_as_often_as_the_level_says() -> None:
    draw = np.random.default_rng(11)
    samples = draw.multinomial(600, [1 / 6] * 6, size=4000)
    alarms = np.mean(
        [chi_square([int(n) for n in sample]) > critical_statistic() for sample in samples]
    )
    assert alarms == pytest.approx(0.05, abs=0.012)


def test_what_would_be_noticed_shrinks_with_the_throws() -> None:
    assert smallest_noticeable_chance(29) is None
    shares = [smallest_noticeable_chance(throws) for throws in (60, 600, 6000, 60_000)]
    assert shares == sorted((s for s in shares if s is not None), reverse=True)
    assert shares[1] == pytest.approx(0.225, abs=0.005)


@settings(max_examples=examples(5, 20))
@given(st.lists(st.integers(0, 10_000), min_size=6, max_size=6))
def test_any_counts_give_a_report_and_a_picture(counts: list[int]) -> None:
    report = fairness({DieKind.BLACK: Counter(dict(enumerate(counts, start=1)))})
    assert 0 <= report[0].chance <= 1
    assert report[0].verdict()
    ET.fromstring(svg(report))


def test_the_verdict_claims_no_more_than_the_throws_allow() -> None:
    few = fairness({DieKind.RED: Counter({1: 9, 2: 9})})[0]
    assert few.verdict() == "too few throws to tell: 12 more are needed"
    loaded = fairness({DieKind.RED: Counter({1: 90, 2: 10, 3: 10, 4: 10, 5: 10, 6: 10})})[0]
    assert loaded.verdict().startswith("These dice do not look fair. Fair dice come out this")
    assert loaded.verdict().endswith("in under 0.1 % of such series.")
    even = fairness({DieKind.RED: Counter(dict.fromkeys(range(1, 7), 100))})[0]
    assert even.verdict().startswith("These dice look fair. With this many throws, a face that")
    assert "comes up 22 % of the time instead of 17 %" in even.verdict()


def test_every_die_of_every_roll_is_counted_once() -> None:
    state = classic.GAME.start(["ANNA"], {})
    events = [Rolled((1, 2, 3, 4, 5)), Corrected(0, 6)]
    for event in events:
        state = classic.GAME.apply(state, event)
    keep = next(c for c in classic.GAME.choices(state) if Label(c.key) == "HOLD 12")
    record = record_for(classic.GAME, ["ANNA"], {}, [*events, keep, Rolled((4, 4, 4))])
    assert Counter(face for _, face in throws(record)) == {6: 1, 2: 1, 3: 1, 4: 4, 5: 1}


def test_dice_corrected_after_others_were_thrown_count_as_corrected() -> None:
    options = {"first": 0}
    red = [Rolled((5,)), Rolled((1, 1, 1, 3, 4)), Corrected(5, 6)]
    record = record_for(showdown.GAME, PLAYERS, options, red)
    assert (DieKind.RED, 6) in [*throws(record)]
    kept = [Rolled((1, 2, 3, 4, 5)), Keep((0, 1)), Rolled((4, 4, 4)), Corrected(0, 6)]
    record = record_for(classic.GAME, PLAYERS, options, kept)
    assert Counter(face for _, face in throws(record)) == {6: 1, 2: 1, 3: 1, 4: 4, 5: 1}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_games_are_counted_with_the_kinds_of_their_dice(name: str) -> None:
    record = played(name)
    kinds = {kind for kind, _ in throws(record)}
    wanted = {
        power.GAME.name: {DieKind.BLACK, DieKind.POWER},
        showdown.GAME.name: {DieKind.BLACK, DieKind.RED},
        holdem.GAME.name: {DieKind.BLACK, DieKind.RED, DieKind.WHITE, DieKind.YELLOW},
    }
    assert kinds == wanted.get(name, {DieKind.BLACK})
    rolled = sum(len(e.faces) for e in record.events if isinstance(e, Rolled))
    if name != holdem.GAME.name:
        assert sum(1 for _ in throws(record)) == rolled


def test_random_dice_pass_as_fair() -> None:
    report = fairness(counted(*(played("power", seed) for seed in range(4))).faces)
    assert [f.kind for f in report] == [DieKind.BLACK, DieKind.POWER]
    assert all(f.chance > 0.001 for f in report)


def test_standings_count_wins_and_average() -> None:
    group = Group()
    group.player("classic", "BOB").add(1, 1, 200, 200)
    group.player("classic", "ANNA").add(1, 1, 200, 200)
    group.player("classic", "ANNA").add(1, 0, 100, 100)
    anna, bob = standings(group.players)
    assert (anna.games, anna.wins, anna.mean, anna.best) == (2, 1, 150.0, 200)
    assert (bob.games, bob.wins) == (1, 1)


def test_a_game_that_is_not_over_has_no_results() -> None:
    begun = record_for(classic.GAME, ["ANNA"], {}, [Rolled((1, 2, 3, 4, 5))])
    assert counted(begun).players == {}


def test_a_saved_game_gives_back_its_record() -> None:
    record = played("classic")
    with Journal(":memory:") as journal:
        number = save(journal, record)
        assert record_of(journal.load(number)) == record


def test_the_command_prints_wins_and_dice_and_draws_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.sqlite3"
    record = played("classic")
    with Journal(path) as journal:
        save(journal, record)
        broken = save(journal, record_for(classic.GAME, ["ANNA"], {}))
        journal.append(broken, 0, ["no such line"])
    picture = tmp_path / "dice.svg"
    assert main(["stats", "--journal", str(path), "--picture", str(picture)]) == 1
    printed = capsys.readouterr()
    for (_, player), fared in counted(record).players.items():
        line = next(line for line in printed.out.splitlines() if player in line)
        assert str(fared.best) in line
    assert "black dice (appliance), " in printed.out
    assert "chi-square" in printed.out
    assert f"left out: game {broken}" in printed.err
    ET.parse(picture)


def test_the_command_says_that_there_are_no_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", "--journal", str(tmp_path / "none")]) == 2
    assert "play one first" in capsys.readouterr().err
    with Journal(tmp_path / "games.sqlite3") as journal:
        journal.delete(save(journal, played("classic")))
    assert main(["stats", "--journal", str(tmp_path / "games.sqlite3")]) == 0
    assert capsys.readouterr().out == "no game finished yet\n\nno dice thrown yet\n"
