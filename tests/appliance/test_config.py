from pathlib import Path

import pytest

from appliance.config import Config, load, parse
from appliance.errors import ConfigError
from appliance.names import check_names
from appliance.table.inputs import Button


def test_an_empty_file_gives_the_defaults() -> None:
    assert parse("") == Config()


def test_settings_are_taken_over() -> None:
    config = parse(
        """
        [camera]
        source = "v4l2:0"
        [buttons]
        pins = { ok = 9 }
        lights = []
        [games]
        players = ["ANNA"]
        """
    )
    assert config.camera.source == "v4l2:0"
    assert dict(config.buttons.pins)[Button.OK] == 9
    assert config.buttons.lights == ()
    assert config.games.players == ("ANNA",)
    assert config.scoreboard == Config().scoreboard


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[camera]\nsource = =\n[games]", "line 2"),
        ("[kamera]", "unknown section .kamera.; there are buttons, camera, games, scoreboard"),
        ("camera = 3", "camera must be a section"),
        ("[camera]\nlens = 3", "unknown key 'lens'; there are profile, source"),
        ("[camera]\nsource = 3", r"\[camera\] source: expected str, found 3"),
        ("[scoreboard]\nbrightness = true", "brightness: expected int, found True"),
        ("[scoreboard]\nbrightness = 16", "expected 0 to 15, found 16"),
        ("[buttons]\npins = 3", "pins: expected a table"),
        ("[buttons]\npins = { up = 3 }", "unknown button 'up'"),
        ("[buttons]\npins = { ok = 'x' }", "pins ok: expected a BCM pin number"),
        ("[buttons]\npins = { ok = 28 }", "expected a BCM pin from 0 to 27, found 28"),
        ("[buttons]\npins = { ok = 5 }", "pin 5 is taken by pins hold1"),
        ("[buttons]\nlights = [5]", "lights 1: pin 5 is taken by pins hold1"),
        ("[buttons]\nlights = [0, 1, 2, 3, 7, 8, 9]", "expected at most 6 pins, found 7"),
        ("[buttons]\nlights = ['a']", "expected a list of int"),
        ("[games]\nplayers = 'ANNA'", "expected a list of str"),
    ],
)
def test_bad_settings_are_named(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse(text, "dicetray.toml")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load(tmp_path / "dicetray.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        load(tmp_path / "bytes.toml")


def test_names_are_shown_in_capitals() -> None:
    assert check_names([" anna ", "Bob-2"]) == ("ANNA", "BOB-2")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["MAXIMILIAN"], "1 to 8 characters"),
        (["  "], "1 to 8 characters"),
        (["ZOË"], "cannot show 'Ë'"),
        (["ANNA", "anna"], "named twice"),
    ],
)
def test_names_that_do_not_fit_are_refused(names: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check_names(names)
