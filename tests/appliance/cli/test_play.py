"""What `dicetray play` prints when it draws nothing."""

import os
import sys
import termios
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from appliance.cli.main import main
from appliance.cli.play import PLAIN, PlayOptions, asked, print_news
from appliance.config import Config
from calibration.wizard.stages import WizardStage, WizardStep


def test_each_step_of_a_calibration_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    simulated: Any = SimpleNamespace(firmware="", news=list, wizard=None, frames=7, time_s=0.5)
    show = print_news(simulated, as_json=False)
    show()
    for stage in (
        WizardStage(WizardStep.LIGHT),
        WizardStage(WizardStep.LIGHT),
        WizardStage(WizardStep.POWER, "freeze"),
    ):
        simulated.wizard = SimpleNamespace(stage=stage)
        show()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == [
        "calibrating: LIGHT",
        "calibrating: POWER DIE freeze",
    ]


def test_programs_get_nothing_but_events(capsys: pytest.CaptureFixture[str]) -> None:
    wizard = SimpleNamespace(stage=WizardStage(WizardStep.LIGHT))
    simulated: Any = SimpleNamespace(firmware="", news=list, wizard=wizard, frames=7, time_s=0.5)
    print_news(simulated, as_json=True)()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (b"w", replace(PLAIN, speed=0.0)),
        (b"x\x1b[AP", replace(PLAIN, human=True)),
        (b"t", replace(PLAIN, tutorial=True)),
        (b"B\n", replace(PLAIN, browser=True)),
        (b"q", None),
        (b"x", None),
    ],
)
def test_who_names_nothing_is_asked_for_one_key(
    typed: bytes, wanted: PlayOptions | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs) as terminal:
        before = termios.tcgetattr(terminal)
        monkeypatch.setattr("sys.stdin", terminal)
        os.write(ours, typed)
        if typed == b"x":
            os.close(ours)  # the terminal is gone
            assert asked() is None
            return
        assert asked() == wanted
        assert termios.tcgetattr(terminal) == before
        os.close(ours)


def test_plain_play_without_a_terminal_watches_as_fast_as_it_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[PlayOptions] = []

    def note(options: PlayOptions, _: Config) -> int:
        played.append(options)
        return 0

    monkeypatch.setattr("appliance.cli.play.play", note)
    assert main(["play"]) == 0
    assert main(["play", "--human"]) == 0
    assert played == [replace(PLAIN, speed=0.0), replace(PLAIN, human=True)]


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
    assert "bytes.profile: is no profile of a tray" in capsys.readouterr().err


def test_missing_packages_for_pages_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "starlette.routing", None)
    monkeypatch.delitem(sys.modules, "appliance.web.page", raising=False)
    assert main(["play", "--browser"]) == 2
    said = capsys.readouterr().err
    assert "found no starlette.routing; pip install '.[web]'" in said
    assert said.count("\n") == 1


def test_on_a_page_one_game_follows_another_until_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked_for, games = ["tutorial", "human", "watch", ""], list[PlayOptions]()
    said = list[str]()

    def ask(ended: str, _: object) -> str:
        said.append(ended)
        return asked_for.pop(0)

    def note(options: PlayOptions, *_: object) -> str:
        games.append(options)
        return f"game {len(games)}"

    page = SimpleNamespace(ask=ask)
    monkeypatch.setattr("appliance.cli.shared.boards.open_page", lambda *_, **__: page)
    monkeypatch.setattr("appliance.cli.play.played", note)
    assert main(["play", "--browser", "--game", "power", "--seed", "3"]) == 0
    assert [game.game.game for game in games] == ["power", None, None, None]
    assert [(game.tutorial, game.human, game.seed) for game in games[1:]] == [
        (True, False, 3),
        (False, True, 3),
        (False, False, 3),
    ]
    assert said == ["game 1", "game 2", "game 3", "game 4"]
    assert capsys.readouterr().out == "game 4\n"
