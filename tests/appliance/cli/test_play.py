"""The prints of `dicetray play` when it draws nothing."""

import os
import sys
import termios
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import Any

import pytest

from appliance.cli.main import main
from appliance.cli.play import UNSAID, ask_what_to_play
from appliance.cli.shared.extras import how_to_add
from appliance.cli.shared.launch import Launch
from appliance.cli.shared.simulated_game import print_calibration_steps
from appliance.config import Config
from appliance.errors import ConfigError
from appliance.journal.journal import Journal
from appliance.journal.origin import Origin
from appliance.journal.sessions import begin_session
from appliance.table.session.session import Session, Setup, new_session
from calibration.wizard.pages import Page
from games.computers import Strength, strength_of
from games.registry import GAMES
from tests.rigs.at_table import AtTable


def simulated(**how: Any) -> Launch:
    """The launch of a game in a rendered tray without any other option."""
    return replace(UNSAID, simulation=replace(UNSAID.simulation, **how))


def test_each_step_of_a_calibration_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    simulated: Any = SimpleNamespace(wizard=None, frames=7, time_s=0.5)
    show = print_calibration_steps(simulated, as_json=False)
    show()
    for page in (Page.TRAY, Page.TRAY, Page.POWER):
        simulated.wizard = SimpleNamespace(page=page, face="freeze")
        show()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == [
        "calibrating: TRAY",
        "calibrating: POWER DIE freeze",
    ]


def test_programs_get_nothing_but_events(capsys: pytest.CaptureFixture[str]) -> None:
    wizard = SimpleNamespace(page=Page.TRAY)
    simulated: Any = SimpleNamespace(wizard=wizard, frames=7, time_s=0.5)
    print_calibration_steps(simulated, as_json=True)()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (b"w", simulated(speed=0.0)),
        (b"x\x1b[AP", replace(UNSAID, buttons="keyboard")),
        (b"t", simulated(tutorial=True)),
        (b"B\n", replace(UNSAID, board="browser")),
        (b"c", replace(UNSAID, camera="")),
        (b"q", None),
        (b"x", None),
    ],
)
def test_who_names_nothing_is_asked_for_one_key(
    typed: bytes, wanted: Launch | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs) as terminal:
        before = termios.tcgetattr(terminal)
        monkeypatch.setattr("sys.stdin", terminal)
        os.write(ours, typed)
        if typed == b"x":
            os.close(ours)  # the terminal is gone
            assert ask_what_to_play(UNSAID) is None
            return
        assert ask_what_to_play(UNSAID) == wanted
        assert termios.tcgetattr(terminal) == before
        os.close(ours)


def test_plain_play_without_a_terminal_watches_as_fast_as_it_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[Launch] = []

    def note(options: Launch, _: Config) -> int:
        played.append(options)
        return 0

    monkeypatch.setattr("appliance.cli.play.play", note)
    assert main(["play"]) == 0
    assert main(["play", "--human"]) == 0
    watched = simulated(speed=0.0)
    assert played == [watched, replace(UNSAID, buttons="keyboard")]
    # How large pictures are says nothing about what is wanted.
    assert main(["play", "--picture", "small"]) == 0
    assert played[2:] == [simulated(speed=0.0, small=True)]


def test_what_is_asked_leaves_the_size_of_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    small = simulated(small=True)
    monkeypatch.setattr("appliance.terminal.console.read_key", lambda: "p")
    assert ask_what_to_play(small) == replace(small, buttons="keyboard")


@pytest.mark.parametrize(
    ("option", "value", "bounds"),
    [
        ("--clumsy", "7", "0 to 1"),
        ("--clumsy", "-0.1", "0 to 1"),
        ("--speed", "-3", "0 to 100"),
        ("--speed", "nan", "0 to 100"),
        ("--speed", "fast", "0 to 100"),
    ],
)
def test_numbers_out_of_bounds_are_refused(
    option: str, value: str, bounds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["play", option, value])
    assert f"expected a number from {bounds}, found '{value}'" in capsys.readouterr().err


def test_a_file_that_is_no_profile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    named = tmp_path / "bytes.profile"
    named.write_bytes(bytes(range(256)) * 9)
    assert main(["play", "--no-view", "--picture", "small", "--profile", str(named)]) == 2
    assert "bytes.profile: is not a profile of a tray" in capsys.readouterr().err


def test_missing_packages_for_pages_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "starlette.routing", None)
    monkeypatch.delitem(sys.modules, "appliance.web.page", raising=False)
    assert main(["play", "--browser"]) == 2
    said = capsys.readouterr().err
    assert f"pages is missing: starlette.routing; {how_to_add('web')}" in said
    assert said.count("\n") == 1


def test_on_a_page_one_game_follows_another_until_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked_for, games = ["tutorial", "human", "watch", ""], list[Launch]()
    said = list[str]()

    def ask(ended: str, _: object) -> str:
        said.append(ended)
        return asked_for.pop(0)

    def note(options: Launch, *_: object) -> str:
        games.append(options)
        return f"game {len(games)}"

    page = SimpleNamespace(ask=ask)
    monkeypatch.setattr("appliance.cli.shared.boards.open_page", lambda *_, **__: page)
    monkeypatch.setattr("appliance.cli.shared.simulated_game.play_to_end", note)
    assert main(["play", "--browser", "--game", "power", "--seed", "3"]) == 0
    assert [game.game.game for game in games] == ["power", None, None, None]
    assert [
        (s.tutorial, game.keyboard, s.seed) for game in games[1:] for s in (game.simulation,)
    ] == [
        (True, False, 3),
        (False, True, 3),
        (False, False, 3),
    ]
    assert said == ["game 1", "game 2", "game 3", "game 4"]
    assert capsys.readouterr().out == "game 4\n"


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Session | None]:
    """Which game `dicetray play` begins or resumes with some options, on one journal."""
    sessions: list[Session | None] = []

    def note(session: Session | None, *_: object, **__: object) -> None:
        sessions.append(session)
        raise ConfigError("expected nothing more")

    def call(*options: str) -> Session | None:
        assert main(["play", "--no-view", "--journal", str(tmp_path / "games"), *options]) == 2
        return sessions.pop()

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("appliance.cli.shared.simulated_game.SimulatedAppliance", note)
    keyboard = SimpleNamespace(close=lambda: None)
    monkeypatch.setattr("appliance.cli.shared.terminal.Keyboard", lambda: keyboard)
    return call


@pytest.mark.parametrize("game", GAMES)
def test_computers_that_play_well_are_watched(
    game: str, begin: Callable[..., Session | None]
) -> None:
    session = begin("--game", game)
    assert session is not None
    assert session.record.setup.game == game
    assert [strength_of(name) for name in session.record.setup.players] == [Strength.BEST] * 2


@pytest.mark.parametrize(
    ("options", "players"),
    [
        (("--clumsy", "0.3"), ("PLAYER 1", "PLAYER 2")),
        (("--players", "ANNA", "BEN"), ("ANNA", "BEN")),
        (("--clumsy", "0.3", "--players", "ANNA,computer:fun"), ("ANNA", "ROBO *")),
    ],
)
def test_people_are_simulated_who_are_named_or_clumsy(
    options: tuple[str, ...], players: tuple[str, ...], begin: Callable[..., Session | None]
) -> None:
    session = begin(*options)
    assert session is not None
    assert session.record.setup.players == players


def test_players_of_the_configuration_are_watched_too(
    tmp_path: Path, begin: Callable[..., Session | None]
) -> None:
    (tmp_path / "mine.toml").write_text('[games]\nplayers = ["ANNA", "BEN"]\n')
    session = begin("--config", str(tmp_path / "mine.toml"))
    assert session is not None
    assert session.record.setup.players == ("ANNA", "BEN")


def test_the_menu_is_for_people(begin: Callable[..., Session | None]) -> None:
    assert begin("--menu") is None
    assert begin("--human") is None


@pytest.mark.parametrize(
    ("players", "options", "resumed"),
    [
        (("ROBO ***", "BEEP ***"), (), True),
        (("ROBO ***", "BEEP ***"), ("--clumsy", "1"), False),
        (("PLAYER 1", "PLAYER 2"), (), False),
        (("PLAYER 1", "PLAYER 2"), ("--clumsy", "1"), True),
        (("ANNA", "BEN"), (), True),
        (("ANNA", "ROBO **"), ("--clumsy", "1"), True),
        (("PLAYER 1", "PLAYER 2"), ("--human",), True),
    ],
)
def test_a_game_is_resumed_unless_others_are_to_be_watched(
    players: tuple[str, ...],
    options: tuple[str, ...],
    resumed: bool,
    tmp_path: Path,
    begin: Callable[..., Session | None],
) -> None:
    origin = Origin.KEYBOARD if "--human" in options else Origin.DEMO
    with Journal(tmp_path / "games", origin=origin) as journal:
        serial = begin_session(journal, new_session(Setup("power", players))).record.serial
    session = begin(*options)
    assert session is not None
    assert (session.record.serial == serial) == resumed
    assert (session.record.setup.players == players) == resumed
    assert session.record.setup.game == ("power" if resumed else "classic")


def test_what_resumes_a_game_of_clumsy_people_lets_them_be_clumsy() -> None:
    assert simulated(clumsy=0.25).command.endswith("play --clumsy 0.25")
    assert UNSAID.command.endswith("play")


@pytest.mark.slow
def test_what_is_watched_is_played_well(begin: Callable[..., Session | None]) -> None:
    session = begin("--game", "classic")
    assert session is not None
    totals: list[int] = []
    for seed in range(4):
        made = AtTable(":memory:", session.record.setup, seed)
        made.play()
        totals += made.session.record.rules.scores(made.session.record.state)
    # Best play has 254 on average, the players by chance of earlier versions 88.
    assert mean(totals) > 200
    assert min(totals) > 130
