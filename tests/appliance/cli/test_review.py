"""`dicetray review`: costs, luck and skill, and what is refused."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from appliance.cli.main import main
from appliance.cli.review import review_lines
from appliance.journal.summary import record_of
from appliance.table.session.session import Setup
from games import classic
from games.chance import random_game
from games.record import Record, game_states
from games.registry import GAMES, find_game
from games.strategy import advice
from games.strategy.review import NO_LUCK, review_game, review_in_steps
from games.values import Choice
from tests.builders import play_text, record_for
from tests.rigs.at_table import AtTable
from tests.rigs.event_texts import events_from_text


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game of Classic, then an unfinished one of Free for All."""
    path = tmp_path_factory.mktemp("games") / "games"
    made = AtTable(path, Setup("classic", ("ROBO ***", "ROBO **"), (("first", 0),)), 4)
    made.play()
    made.journal.close()
    begun = AtTable(path, Setup("free-for-all", ("ANNA", "ROBO *")), 4)
    begun.play(30)
    begun.journal.close()
    return path


def record(path: Path, number: int) -> Record:
    with_journal = AtTable(path, None)
    saved = with_journal.journal.load(number)
    with_journal.journal.close()
    return record_of(saved)


def test_points_are_par_and_luck_less_what_decisions_cost(journal: Path) -> None:
    game = record(journal, 1)
    for player in review_game(game):
        assert player.par == pytest.approx(254.59, abs=0.1)
        assert player.luck is not None
        assert player.par is not None
        assert player.points == pytest.approx(player.par + player.luck - player.cost)
        assert list(player.worst) == sorted(player.worst, key=lambda d: -d.cost)


def test_a_decision_costs_what_the_best_was_worth_more() -> None:
    text = "roll 6 6 6 5 1; hold 1 2 3; roll 2 3; hold 1 2; roll 6 4 6; score sixes"
    events = events_from_text(classic.GAME, text)
    game = record_for(classic.GAME, ("ANNA",), {}, events)
    (player,) = review_game(game)
    chosen = [
        (event, advice.weigh(find_game("classic"), state)[0])
        for event, state in zip(events, game_states(game), strict=False)
        if isinstance(event, Choice)
    ]
    costs = sorted((max(worth.values()) - worth[event] for event, worth in chosen), reverse=True)
    assert len(costs) == 3
    assert player.cost == pytest.approx(sum(costs))
    assert [one.cost for one in player.worst] == pytest.approx([c for c in costs if c > 0])
    worst = player.worst[0]
    assert (worst.dice, worst.chosen, worst.best) == ("6 6 6 2 3", "hold 12", "hold 123")
    assert worst.reason == "sixes + bonus"


@pytest.mark.parametrize("name", GAMES)
def test_no_step_of_a_review_takes_more_than_an_event_or_a_hint(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = ("ANNA", "BOB")
    events, _ = random_game(GAMES[name], players, {}, Random(1))
    game, work = record_for(GAMES[name], players, {}, events[:80]), Counter[str]()

    def counted(of: Any, what: str) -> None:
        does = getattr(of, what)

        def does_and_counts(*given: Any) -> Any:
            work[what] += 1
            return does(*given)

        monkeypatch.setattr(of, what, does_and_counts)

    for of, what in ((type(GAMES[name]), "apply"), (advice, "weigh"), (advice, "bets")):
        counted(of, what)
    for _ in review_in_steps(game):
        hints = work["weigh"] + work["bets"]
        # A hint applies events itself as it plays on.
        assert hints == 1 or (hints, work["apply"]) in ((0, 0), (0, 1))
        work.clear()


def test_a_bad_choice_is_named_with_what_was_better() -> None:
    events = events_from_text(classic.GAME, "roll 6 6 6 6 6; score aces")
    game = record_for(classic.GAME, ("ANNA",), {}, events)
    (player,) = review_game(game)
    (worst,) = player.worst
    assert worst.cost > 40
    assert worst.best == "five-alike"
    assert play_text(classic.GAME, "roll 6 6 6 6 6; score aces").sheets[0].total == player.points


def test_the_last_game_is_taken_and_a_begun_one_goes_as_far_as_it_was_played(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", "--journal", str(journal)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("FREE FOR ALL, not over")
    assert NO_LUCK in said
    assert "dice +" not in said
    assert main(["review", "1", "--journal", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "CLASSIC, played to its end"
    costs = [float(line.split()[0]) for line in lines if "; better " in line]
    assert 3 <= len(costs) <= 6
    assert all(a <= b for a, b in pairwise(costs[-3:]))


def test_no_cost_has_no_minus() -> None:
    events = events_from_text(classic.GAME, "roll 6 6 6 6 6; score five-alike")
    game = record_for(classic.GAME, ("ANNA",), {}, events)
    assert "decisions +0.0, dice" in "\n".join(review_lines(game, review_game(game)))


def test_it_is_drawn(journal: Path, tmp_path: Path) -> None:
    file = tmp_path / "review.svg"
    assert main(["review", "1", "--journal", str(journal), "--picture", str(file)]) == 0
    drawn = ElementTree.parse(file).getroot()
    texts = {element.text for element in drawn.iter() if element.text and element.text.strip()}
    assert {"CLASSIC", "dice", "decisions"} <= texts


@pytest.mark.parametrize("number", ["99", "x", "-1"])
def test_what_is_no_game_is_refused(
    journal: Path, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["review", number, "--journal", str(journal)])
    except SystemExit as leaving:
        status = int(leaving.code or 0)
    assert status == 2
    assert number in capsys.readouterr().err


def test_a_picture_that_cannot_be_written_is_a_sentence(journal: Path) -> None:
    where = str(journal / "no" / "such.svg")
    assert main(["review", "1", "--journal", str(journal), "--picture", where]) == 2
