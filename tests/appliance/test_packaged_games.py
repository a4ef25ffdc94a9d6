"""Two games that are not ours, in packages as `dicetray new-game` makes them: complete everywhere.

Kniffel is the German block: sums for Dreierpasch and Viererpasch, 25, 30, 40 and 50 points, 35 more
from 63 (rundschau-online.de, "Kniffel - die Regeln"; Schmidt Spiele's booklet of the anniversary
edition). Ten Thousand is played with six dice as in "Zehntausend" of the German Wikipedia and
Wikibooks and of zehntausend.damm-media.de; where these differ, it has an option.
"""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module, invalidate_caches
from pathlib import Path
from random import Random
from shutil import copy
from typing import Any

import pytest

from appliance.cli.main import main
from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.journal.files import MemoryFiles
from appliance.journal.journal import Journal
from appliance.journal.reader import MEMORY
from appliance.journal.saved_game import SavedGame
from appliance.journal.summary import resume_saved
from appliance.screens.draw import pages
from appliance.service.seen_table import seen_table
from appliance.service.snapshot import Snapshot, snapshot
from appliance.service.view import Viewer
from appliance.simulator.people.menu_user import Wishes
from appliance.table.menu.console import Console
from appliance.table.menu.options import option_title, options_offered
from appliance.table.menu.preferences import HouseRules
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.listing import listed_choices
from appliance.table.session.modes import Browsing
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import undo_count
from appliance.table.session.session import Setup, new_session
from appliance.table.session.step import step
from appliance.web.page import public_fields
from appliance.web.serving import to_json
from appliance.words import Label, read_language, say
from games import plugins, registry
from games.chance import random_game
from games.record import Record, read_record, replay, write_record
from games.strategy import advice
from games.values import BadOptions, Choose, Keep, OptionValue, Pass, Points, Rolled
from scripts.count_letters import (
    ALERT,
    LONG_NAMES,
    MOST_CYCLE_S,
    MOST_LETTERS_A_SECOND,
    SHORT_NAMES,
    cycle_s,
    met,
    pages_read,
)
from tests.appliance.journal.crash_disk import Disk, RecordingFiles
from tests.appliance.test_languages import met_in
from tests.builders import die, roll, throw
from tests.docs.conftest import forget_labels
from tests.docs.test_new_game import set_up
from tests.paths import ROOT
from tests.rigs.at_table import AtTable
from tests.rigs.by_ear import play_by_ear
from tests.rigs.listener import AdvisedListener, Listener
from tests.rigs.proof.games import play_unpictured
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing
from vision.reading import TrayState

PLAYERS = ("ANNA", "BEN")
QUICK: dict[str, tuple[tuple[str, OptionValue], ...]] = {
    "kniffel": (),
    "ten-thousand": (("target", 2000),),
}
"""Options for a short game."""
MOST_STEPS = 2000


def package(made: Path, name: str) -> None:
    """Makes a package as the guide says, puts the game into it, and installs it where it is."""
    assert main(["new-game", name]) == 0
    folder, module = made / name, name.replace("-", "_")
    copy(ROOT / f"tests/games/plugins/{module}.py", folder / f"{module}.py")
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    (info := folder / f"{module}-{project['version']}.dist-info").mkdir()
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    points = project["entry-points"]["dicetray.games"].items()
    lines = "".join(f"{key} = {value}\n" for key, value in points)
    (info / "entry_points.txt").write_text(f"[dicetray.games]\n{lines}")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the two packages are."""
    folder, before = tmp_path_factory.mktemp("packages"), Path.cwd()
    os.chdir(folder)
    try:
        for name in QUICK:
            package(folder, name)
    finally:
        os.chdir(before)
    return folder


@pytest.fixture(params=QUICK)
def game(
    request: pytest.FixtureRequest, made: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """A game of a package, found by the entry point of what is installed."""
    name: str = request.param
    monkeypatch.syspath_prepend(str(made / name))
    monkeypatch.setattr(plugins, "_loaded", {})
    monkeypatch.setattr(registry._GAMES, "_others", {})
    invalidate_caches()
    forget_labels()
    (found,) = [found for found in registry.load_others() if found.name == name]
    assert found.problem == ""
    yield registry.find_game(name)
    monkeypatch.undo()
    forget_labels()


def quick(game: Any) -> Setup:
    return Setup(game.name, PLAYERS, tuple(sorted((("first", 0), *QUICK[game.name]))))


def run(made: Path, name: str, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(made / name)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "dice", "expected"),
    [("kniffel", "33355", "FULL HOUSE   25"), ("ten-thousand", "111523", "BANK       1050")],
)
def test_the_package_is_found_and_scores(made: Path, name: str, dice: str, expected: str) -> None:
    doctor = run(made, name, "-m", "appliance.cli.program", "doctor", "--only", "games")
    assert f"OK     game {name}: brought by {name} 0.1" in doctor.stdout
    scored = run(made, name, "-m", "appliance.cli.program", "score", name, dice)
    assert expected in scored.stdout, scored.stderr


@pytest.mark.slow
def test_the_test_that_comes_with_the_template_holds_for_kniffel(made: Path) -> None:
    test = str(made / "kniffel" / "test_kniffel.py")
    done = run(made, "kniffel", "-m", "pytest", "-q", "-p", "no:cacheprovider", test)
    assert "3 passed" in done.stdout, done.stdout


def go_on(table: AtTable) -> bool:
    """Makes the next step; where dice must be thrown again, it holds those of the hint."""
    session = table.session
    if isinstance(session.record.ask, Choose) and not listed_choices(session):
        best = advice.hint(session.record.rules, session.record.state)
        assert best is not None
        assert isinstance(best.choice, Keep)
        for slot in sorted({*best.choice.slots} ^ session.record.holds):
            while HOLD_BUTTONS[slot] not in table.board.picture.offers:
                # Dice are held while they are in sight.
                table.wait(step_s=0.2)
            table.press(HOLD_BUTTONS[slot])
        throw_others(table, best.choice.slots)
        return True
    return table.go_on()


def steps(table: AtTable) -> Iterator[None]:
    """The steps of a game to its end."""
    for _ in range(MOST_STEPS):
        if not go_on(table):
            return
        yield
    raise AssertionError(f"no end, the board shows {table.appliance.prompt}")


def throw_others(table: AtTable, kept: Sequence[int]) -> None:
    """Throws all dice but these."""
    faces = table.session.record.dice
    random = table.random
    table.watcher.events = [
        roll(
            *(
                die(slot, face or 1, thrown=False)
                if slot in kept
                else die(slot, random.randint(1, 6))
                for slot, face in enumerate(faces)
            )
        )
    ]
    table.wait()


# Board.


@pytest.mark.slow
def test_simulated_people_come_to_an_end(game: Any) -> None:
    played = play_unpictured(quick(game), 3, clumsy=0.0, look=lambda shown: pages(shown))
    assert played.fault == ""
    assert max(played.scores) > 0


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_board(game: Any, language: str) -> None:
    with spoken(language), strict_drawing():
        table = AtTable(":memory:", quick(game), chance=3)
        seen = set[type]()
        for _ in steps(table):
            assert pages(table.appliance.prompt)
            seen.add(type(table.appliance.prompt))
    assert {ThrowPrompt, ChoicePrompt, OverPrompt} <= seen
    # Both languages have all that it names.
    catalogue = read_language(ROOT / f"appliance/languages/{language}.toml")
    keys = met_in(game) | {game.name, *game.rarest}
    for words in game.option_words.values():
        keys |= {words.title, *words.values.values()}
    for key in keys:
        assert catalogue.label(key)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("names", [SHORT_NAMES, LONG_NAMES])
def test_its_pages_can_be_read_and_come_round_soon(
    game: Any, language: str, names: tuple[str, ...]
) -> None:
    shown = 0
    with spoken(language), strict_drawing():
        for prompt in met(game.name, names[: game.max_players], 5, 60):
            assert cycle_s(prompt) <= MOST_CYCLE_S + 0.01, prompt
            for read in (*pages_read(prompt), *pages_read(prompt, ALERT)):
                assert read.rate <= MOST_LETTERS_A_SECOND, read
            shown += 1
    assert shown > 10


def test_board_tells_how_it_goes_and_what_is_celebrated(game: Any) -> None:
    assert len(game.telling) == 5
    with spoken("de"):
        german = [say(line) for page in game.telling for line in page]
    assert german == [line for page in game.wording["de"].telling for line in page]
    best = {"kniffel": (6,) * 5, "ten-thousand": (1, 2, 3, 4, 5, 6)}[game.name]
    state = game.apply(game.start(PLAYERS, {"first": 0}), Rolled(best))
    worth = [(c.key, game.preview(state, c)) for c in game.choices(state)]
    told = {word for key, points in worth if points for word in (key, points.reason)}
    assert told & {*game.rarest}


# Page.


def test_page(game: Any) -> None:
    faces = {"kniffel": (3, 3, 3, 5, 5), "ten-thousand": (1, 1, 1, 5, 2, 3)}[game.name]
    session = step(new_session(quick(game)), throw(*faces))
    seen = seen_table(session, TrayState.STILL)
    offers = {offer.label: (offer.points, offer.row) for offer in seen.offers}
    expected = {"kniffel": ("FULL HOUSE", (25, "FULL HOUSE")), "ten-thousand": ("BANK", (1050, ""))}
    label, worth = expected[game.name]
    assert offers[label] == worth
    assert len(seen.dice) == len(faces)


def test_page_and_score_page_show_its_sheet(game: Any) -> None:
    table = AtTable(":memory:", quick(game))
    table.throw()
    view = Viewer(lambda: None).view(table.appliance)
    told = to_json(public_fields(view))
    now = snapshot(table.appliance, view)
    assert isinstance(now, Snapshot)
    assert now.title == Label(game.name)
    rows = [Label(row.key) for row in game.sheet(table.session.record.state, 0).rows]
    assert [label for label, _ in now.sheets[0].rows][: len(rows)] == rows
    assert all(json.dumps(label) in told for label in rows)


# Voice.

VOICES = {"kniffel": Listener, "ten-thousand": AdvisedListener}


@pytest.mark.slow
def test_voice(game: Any) -> None:
    played = play_by_ear(game.name, QUICK[game.name], VOICES[game.name])
    assert isinstance(played.table.appliance.prompt, OverPrompt)
    totals = played.points
    heard = [sentence for said in played.ear.heard for sentence in said]
    last = next(line for line in reversed(heard) if "Anna" in line and "Ben" in line)
    assert {*last.rstrip(".").split(", ")} == {f"Anna {totals[0]}", f"Ben {totals[1]}"}


# Menu.


def test_menu(game: Any) -> None:
    rules = {"kniffel": {}, "ten-thousand": {"TARGET": "2000", "FIRST TURN": "NONE"}}[game.name]
    wishes = Wishes(Label(game.name), PLAYERS, first="BEN", rules=rules)
    setup, asked = set_up(game, wishes)
    options = {"kniffel": {}, "ten-thousand": {"target": 2000, "entry": 0}}[game.name]
    assert setup == Setup(game.name, PLAYERS, tuple(sorted({"first": 1, **options}.items())))
    assert [title for title in asked if title.strip("?") in rules] == [f"{r}?" for r in rules]
    # What nobody is asked about is among the house rules.
    console = Console(new_session(setup))
    shown = [row.title for row in HouseRules().rows(console)]
    assert shown == [option_title(game.name, name) for name in game.options]
    assert {"kniffel": "order", "ten-thousand": "straight"}[game.name] in options_offered(game.name)


# Statistics.


@pytest.mark.slow
def test_statistics_and_reviews(
    game: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.sqlite3"
    table = AtTable(path, quick(game), chance=5)
    assert len([*steps(table)]) > 20
    totals = game.scores(table.session.record.state)
    table.wait(3)
    table.journal.close()
    assert main(["stats", "--journal", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    mine = {row["player"]: row for row in told["players"] if row["game"] == game.name}
    assert sorted(mine) == sorted(PLAYERS)
    assert [mine[name]["best"] for name in PLAYERS] == list(totals)
    assert main(["review", "--journal", str(path)]) == 0
    assert f"{Label(game.name)}, played to its end" in capsys.readouterr().out


# Undo.


@pytest.mark.slow
def test_undo(game: Any) -> None:
    table = AtTable(":memory:", Setup(game.name, PLAYERS, (("first", 0),)), chance=9)
    for _ in range(40):
        assert go_on(table)
    for _ in range(10):
        # No news lies over what it is about.
        table.wait(3)
        if isinstance(table.session.mode, Browsing):
            table.press(Button.BACK)
        before = table.session.record
        gone = undo_count(table.session, 1)
        table.press(Button.BACK, Button.OK)
        after = table.session.record
        assert after.events == before.events[: len(before.events) - gone]
        assert replay(record_of(game, after.setup, after.events)) == after.state
        assert pages(prompt(table.session))


def record_of(game: Any, setup: Setup, events: Sequence[Any]) -> Record:
    return Record(game.name, game.edition, setup.players, setup.options, tuple(events))


# Power cut.


@dataclass(frozen=True, slots=True)
class Promised:
    """What stood on the board after so many steps of the disk: the lines of the game."""

    steps: int
    lines: tuple[str, ...]


@pytest.mark.slow
def test_power_cut(game: Any, tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path / "games")
    table = AtTable(Journal(MEMORY, files=files), quick(game), chance=2)
    shown = list[Promised]()
    for _ in range(40):
        go_on(table)
        shown.append(Promised(len(files.tape), lines_of(table.journal)))
    random, disk, cuts = Random(1), Disk(), 0
    for done, operation in enumerate(files.tape, 1):
        disk.do(operation)
        promised = [one.lines for one in shown if one.steps <= done][-1:]
        if not promised or random.random() < 0.8:
            continue
        for left in disk.states(4, random):
            journal = Journal(MEMORY, files=MemoryFiles(left))
            journal.finish_what_was_cut()
            journal.mend_last()
            found = last_of(journal)
            assert found.lines[: len(promised[0])] == promised[0]
            session = resume_saved(found)
            assert session.record.rules is game
            assert pages(prompt(session))
            cuts += 1
    assert cuts > 20


def last_of(journal: Journal) -> SavedGame:
    found = journal.last()
    assert found is not None
    return found


def lines_of(journal: Journal) -> tuple[str, ...]:
    return last_of(journal).lines


# The rules of each.


def only(name: str) -> Callable[[Any], Any]:
    return pytest.mark.parametrize("game", [name], indirect=True)


def offered(game: Any, options: dict[str, Any], *throws: Sequence[int]) -> dict[str, int | None]:
    """The choices after some throws of turns that kept nothing, with their points."""
    state = game.start(["ANNA"], options)
    for faces in throws:
        state = game.apply(state, Rolled(tuple(faces)))
    worth = {choice.key: game.preview(state, choice) for choice in game.choices(state)}
    return {key: points and points.points for key, points in worth.items()}


@only("kniffel")
def test_the_german_block_scores(game: Any) -> None:
    def worth(*dice: int) -> dict[str, int | None]:
        return offered(game, {}, dice)

    assert worth(4, 4, 4, 2, 1)["three-alike"] == 15
    assert worth(4, 4, 4, 4, 1)["four-alike"] == 17
    assert worth(3, 3, 3, 5, 5)["full-house"] == 25
    assert worth(1, 2, 3, 4, 6)["small-straight"] == 30
    assert worth(2, 3, 4, 5, 6)["large-straight"] == 40
    assert worth(2, 2, 2, 2, 2)["kniffel"] == 50
    assert worth(2, 2, 2, 2, 2)["full-house"] == 0
    with spoken("de"):
        rows = [say(Label(row.key)) for row in game.sheet(game.start(["A"], {}), 0).rows]
    assert rows[6:] == [
        *("DREIERPASCH", "VIERERPASCH", "FULL HOUSE", "KL STRASSE", "GR STRASSE", "KNIFFEL"),
        "CHANCE",
    ]


@only("kniffel")
def test_a_second_kniffel_is_no_joker_and_its_order_can_be_forced(game: Any) -> None:
    state = game.start(["ANNA"], {})
    rolled = game.apply(state, Rolled((6,) * 5))
    kniffel = next(c for c in game.choices(rolled) if c.key == "kniffel")
    state = game.apply(rolled, kniffel)
    again = game.apply(state, Rolled((6,) * 5))
    worth = {c.key: game.preview(again, c) for c in game.choices(again)}
    assert (worth["sixes"], worth["large-straight"]) == (Points(30), Points(0))
    assert next(iter(offered(game, {"order": "top-down"}, (6,) * 5))) == "ones"


@only("ten-thousand")
@pytest.mark.parametrize(
    ("options", "faces", "points"),
    [
        ({}, (1, 1, 1, 2, 3, 4), 1000),
        ({}, (1, 1, 1, 1, 3, 4), 2000),
        ({"more": "add"}, (1, 1, 1, 1, 3, 4), 2000),
        ({"more": "add"}, (1, 1, 1, 1, 1, 4), 3000),
        ({}, (1, 1, 1, 1, 1, 4), 4000),
        ({}, (1, 2, 3, 4, 5, 6), 2000),
        ({"straight": 1500}, (1, 2, 3, 4, 5, 6), 1500),
        ({}, (2, 2, 3, 3, 6, 6), 1000),
        ({"entry": 0}, (1, 5, 2, 3, 4, 4), 150),
    ],
)
def test_dice_score(game: Any, options: dict[str, Any], faces: Sequence[int], points: int) -> None:
    assert offered(game, options, faces)["bank"] == points


@only("ten-thousand")
def test_nothing_is_written_down_below_what_a_turn_needs(game: Any) -> None:
    assert "bank" not in offered(game, {}, (1, 5, 2, 3, 4, 4))
    state = game.start(["ANNA"], {})
    bank = next(c for c in game.choices(thrown(game, state, 1, 1, 1, 2, 3, 4)) if c.key == "bank")
    state = game.apply(thrown(game, state, 1, 1, 1, 2, 3, 4), bank)
    assert bank not in game.choices(thrown(game, state, 1, 1, 1 + 1, 3, 3, 4))
    assert bank in game.choices(thrown(game, state, 4, 4, 4, 2, 3, 6))
    assert game.choices(thrown(game, state, 2, 2, 3, 3, 4, 6)) == (Pass(),)
    with pytest.raises(BadOptions, match="option target: expected 10000 or 5000 or 2000, got 77"):
        game.start(["ANNA"], {"target": 77})


def thrown(game: Any, state: Any, *faces: int) -> Any:
    return game.apply(state, Rolled(faces))


@only("ten-thousand")
def test_where_nothing_is_left_but_to_throw_on_it_is_said(game: Any) -> None:
    session = step(new_session(quick(game)), throw(1, 5, 2, 3, 4, 4))
    shown = prompt(session)
    assert isinstance(shown, DicePrompt)
    assert (shown.purpose, shown.may_throw) == ("", False)
    told = [*shown.told(), *shown.told_keys()]
    assert told == ["Anna: 1 5 2 3 4 4", "Hold what fits, then throw the others."]
    assert "OK" not in " ".join(told) + shown.can_do().line
    for button in (Button.OK, Button.RIGHT, Button.LEFT):
        pressed = prompt(step(session, Pressed(button)))
        assert isinstance(pressed, DicePrompt)
        assert pressed.remark == "ROLL ON"
    held = prompt(step(session, Pressed(Button.HOLD1)))
    assert [*held.told(), *held.told_keys()] == [
        "Anna: 1 5 2 3 4 4",
        "Die 1 held: 1.",
        "Throw the others.",
    ]
    for language in ("en", "de"):
        with spoken(language), strict_drawing():
            assert all(map(pages, (shown, pressed, held)))


@only("ten-thousand")
def test_all_six_are_thrown_again_and_the_others_have_one_more_turn(game: Any) -> None:
    state = game.start(PLAYERS, {"target": 2000})
    hot = game.apply(thrown(game, state, 1, 1, 1, 5, 5, 5), Keep(()))
    assert len(game.ask(hot).dice) == 6
    straight = thrown(game, state, 1, 2, 3, 4, 5, 6)
    bank = game.choices(straight)[0]
    after = game.apply(straight, bank)
    assert (game.closing(after, 1), game.ask(after).seat) == ("last-round", 1)
    over = game.apply(thrown(game, after, 2, 2, 3, 3, 4, 6), Pass())
    assert game.ask(over) is None
    assert game.outcome(over).winners == (0,)


@pytest.mark.slow
def test_every_combination_of_options_is_played_and_written_down(game: Any) -> None:
    random = Random(8)
    for _ in range(12):
        options = {n: random.choice(v) for n, v in game.options.items() if n != "first"}
        options |= {name: value for name, value in options.items() if name != "target"}
        options |= dict(QUICK[game.name])
        events, state = random_game(game, PLAYERS, options, random)
        kept = Record(game.name, "1", PLAYERS, tuple(sorted(options.items())), tuple(events))
        assert read_record(write_record(kept)) == kept
        assert replay(kept) == state
        for cut in random.sample(range(len(events)), 5):
            part = replay(Record(game.name, "1", PLAYERS, kept.options, tuple(events[:cut])))
            line = game.position_to_text(part)
            assert registry_position(f"{game.name} {line}") == (game, part)
            hint = advice.hint(game, part)
            assert hint is None or hint.choice in game.choices(part)


def registry_position(line: str) -> tuple[Any, Any]:
    return import_module("games.record").position_from_text(line)  # type: ignore[no-any-return]
