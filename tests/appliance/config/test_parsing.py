import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.cli.config import default_text, with_cameras
from appliance.cli.main import main
from appliance.config import Config, load, mistakes
from appliance.config.parsing import MOST_MISTAKES
from appliance.config.paths import journal_path
from appliance.devices.camera.listing import ListedCamera
from appliance.errors import ConfigError
from appliance.inputs import Button
from appliance.table.names import NAME_LETTERS, check_names, name_in_capitals
from tests.builders import config_of

SECTIONS = {f.name for f in fields(Config)}
KEYS = st.sampled_from(["source", "pins", "pins.ok", "lights", "pin", "port", "players", "x"])
VALUES = st.sampled_from(["1", "-1", "1.5", "true", "''", "[]", "[1]", "{}", "{ ok = [] }", "nan"])


def test_an_empty_file_gives_the_defaults() -> None:
    assert config_of("") == Config()


def test_settings_are_taken_over() -> None:
    config = config_of(
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
    ("text", "line", "message"),
    [
        ("[camera]\nsource = =\n[games]", 2, "this is not TOML"),
        (
            "\n[kamera]",
            2,
            r"\[kamera\]: unknown section; there are buttons, buzzer, camera, games, mqtt",
        ),
        ("camera = 3", 1, r"expected a section, written \[camera\]"),
        ("[camera]\n\nlens = 3", 3, "lens: unknown key; there are password_file, profile, source"),
        ("[camera]\nsource = 3", 2, r"\[camera\] source: expected a text in quotes, found 3"),
        ("[camera]\nsource = 'v4l2:0?size=0x0'", 2, "expected size as in 1280x720"),
        ("[camera]\nsource = 'webcam'", 2, "found the kind 'webcam'"),
        ("[scoreboard]\nport = 'a'\nbrightness = true", 3, "expected a whole number, found True"),
        ("[scoreboard]\nbrightness = 16", 2, "expected 0 to 15, found 16"),
        ("[scoreboard]\nport = ''", 2, "name a serial port"),
        ("[buttons]\npins = 3", 2, "expected a table"),
        ("[buttons]\npins = { up = 3 }", 2, "pins up: unknown button; there are back, hint"),
        ("[buttons]\npins = { ok = 'x' }", 2, "pins ok: expected a BCM pin number"),
        ("[buttons]\npins = { ok = 28 }", 2, "expected a BCM pin from 0 to 27, found 28"),
        ("[buttons]\npins = { ok = 5 }", 2, r"pin 5 is taken by \[buttons\] pins hold1"),
        ("[buttons.pins]\nleft = 1\nok = 1", 3, r"pin 1 is taken by \[buttons\] pins left"),
        ("[buttons]\npins.left = 1\npins.ok = 1", 3, "pin 1 is taken"),
        ("[buttons]\n# so\nlights = [5]", 3, r"pin 5 is taken by \[buttons\] pins hold1"),
        ("[buzzer]\nfitted = true\npin = 12", 3, r"pin 12 is taken by \[buttons\] lights 1"),
        ("[buttons]\nlights = [0, 1, 2, 3, 7, 8, 9]", 2, "expected at most 6 pins"),
        ("[buttons]\nlights = ['a']", 2, "expected a list of whole numbers"),
        ("[games]\nplayers = 'ANNA'", 2, "expected a list of texts in quotes"),
        ("[games]\nplayers = ['MAXIMILIANUS II']", 2, "1 to 12 characters"),
        ("[games]\nplayers = []", 2, "expected 1 to 6 names, found 0"),
        ("[games]\nplayers = ['A','B','C','D','E','F','G']", 2, "expected 1 to 6 names, found 7"),
        ("[camera]\nsource = 'pi:?size=1537x864'", 2, "expected even numbers"),
        ("[camera]\nsource = 'v4l2:0?size=640x481'", 2, "expected even numbers"),
        ("[camera]\nsource = 'v4l2:0?fps=0'", 2, "expected fps from 0.1 to 240"),
        ("[games]\ngame = 'chess'", 2, "expected one of classic, power"),
        ("[games]\njournal = ''", 2, "name a file"),
    ],
)
def test_bad_settings_are_named_with_file_and_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        config_of(text)
    assert "dicetray.toml" in str(caught.value)
    assert f"line {line}" in str(caught.value)


def test_the_default_file_has_every_setting_with_its_default() -> None:
    text = default_text()
    assert config_of(text) == Config()
    written = tomllib.loads(text)
    for section in fields(Config):
        names = {f.name for f in fields(getattr(Config(), section.name))}
        assert set(written[section.name]) == names
    assert list(written["buttons"]["pins"]) == [b.value for b in Button]


@given(
    st.text(st.sampled_from("[]=.#'\"{} \n\tabcameralightspins019-_"), max_size=80)
    | st.builds("[{}]\n{} = {}".format, st.sampled_from(sorted(SECTIONS)), KEYS, VALUES)
)
def test_any_text_is_taken_or_refused_with_an_error_of_ours(text: str) -> None:
    try:
        config_of(text)
    except ConfigError as error:
        assert "dicetray.toml" in str(error)


def test_config_check_says_yes_or_names_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text(default_text())
    assert main(["config", "check", str(file)]) == 0
    assert "all right" in capsys.readouterr().out
    file.write_text("[scoreboard]\nbrightness = 99\n")
    assert main(["config", "check", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{file}, line 2: [scoreboard] brightness: expected 0 to 15, found 99" in error


def test_config_check_names_all_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text(
        "[camera]\n"
        'sauce = "pi"\n'
        'source = "foo:1"\n'
        "[scoreboard]\n"
        "brightness = 22\n"
        'port = ""\n'
        "[buttons]\n"
        'pins = { ok = "five", hold9 = 3, left = 99 }\n'
        "[games]\n"
        'game = "chess"\n'
        'players = ["ANNA", "ANNA"]\n'
        "[disco]\n",
        encoding="utf-8",
    )
    assert main(["config", "check", str(file)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.splitlines()
    named = [line.removeprefix(f"dicetray: {file}, line ").partition(":")[0] for line in lines]
    assert sorted(map(int, named)) == [2, 3, 5, 6, 8, 8, 10, 11, 12]
    # The service reports the first of them.
    with pytest.raises(ConfigError, match="sauce: unknown key"):
        load(file)


def test_config_check_names_every_pin_that_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text("[buttons]\npins = { ok = 99, left = 5, right = 6 }\nlights = [5]\n", "utf-8")
    assert main(["config", "check", str(file)]) == 2
    found = [line.split("[buttons] ")[1] for line in capsys.readouterr().err.splitlines()]
    assert [line.split(":")[0] for line in found] == [
        "pins left",
        "pins right",
        "pins ok",
        "lights 1",
    ]


def test_thousands_of_mistakes_are_not_all_looked_for(tmp_path: Path) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text("[camera]\n" + "".join(f"x{n} = 1\n" for n in range(6000)), "utf-8")
    assert len(mistakes(file)) == MOST_MISTAKES


def test_config_default_prints_a_file_that_passes_the_check(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["config", "default"]) == 0
    assert config_of(capsys.readouterr().out) == Config()


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load(tmp_path / "dicetray.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        load(tmp_path / "bytes.toml")


def test_names_are_shown_in_capitals() -> None:
    assert check_names([" anna ", "Bob-2"]) == ("ANNA", "BOB-2")
    assert check_names(["Gründlicherr"]) == ("GRÜNDLICHERR",)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("łukasz", "ŁUKASZ"),
        ("A\u030ase-Marie", "ÅSE-MARIE"),
        ("Weiß", "WEISS"),
        ("ẞ", "SS"),
        ("ılgaz", "ILGAZ"),
        ("ŉamé", "'NAMÉ"),
        ("ĳsbrand", "IJSBRAND"),
        ("Ștefan", "ŞTEFAN"),
        ("gal·la", "GAL·LA"),
        ("ŀ", "L·"),
        ("O’Brien", "O'BRIEN"),
        ("Mª", "MA"),
    ],
)
def test_names_are_capitals_with_their_accents(typed: str, shown: str) -> None:
    assert check_names([typed]) == (shown,)
    assert name_in_capitals(shown) == shown


def test_every_letter_of_two_blocks_can_be_in_a_name() -> None:
    letters = [chr(code) for code in range(0xC0, 0x180) if chr(code).isalpha()]
    assert len(letters) == 190
    for letter in letters:
        (shown,) = check_names([letter])
        assert set(shown) <= set(NAME_LETTERS), letter
        assert check_names([letter.upper()]) == (shown,)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["MAXIMILIANUS II"], "1 to 12 characters"),
        (["  "], "1 to 12 characters"),
        (["ЗОЯ"], "cannot show 'ЗОЯ'"),
        (["ANN+"], "cannot show '\\+'"),
        (["µ²"], "cannot show 'Μ'"),
        (["Zoë", "ZOE\u0308"], "named twice"),
        (["ANNA", "anna"], "named twice"),
    ],
)
def test_names_that_do_not_fit_are_refused(names: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check_names(names)


def test_games_go_nowhere_else_when_the_place_that_was_named_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    stick = tmp_path / "stick" / "games.sqlite3"
    assert journal_path(config_of(f'[games]\njournal = "{stick}"')) == stick
    # Where nothing is installed, the default is the user's own folder.
    default = config_of("")
    if not Path(default.games.journal).parent.is_dir():
        assert journal_path(default) == tmp_path / "dicetray" / "games.sqlite3"


def test_the_default_file_names_the_cameras_that_are_there(tmp_path: Path) -> None:
    cameras = (ListedCamera("v4l2:/dev/v4l/by-id/usb-C920", "HD Pro Webcam C920", number=2),)
    text = with_cameras(default_text(), cameras)
    told = "# Here there are now:\n#     v4l2:/dev/v4l/by-id/usb-C920    HD Pro Webcam C920\nsource"
    assert told in text
    file = tmp_path / "dicetray.toml"
    file.write_text(text)
    assert load(file) == Config()
    assert with_cameras(default_text(), ()) == default_text()


@pytest.mark.slow
def test_settings_are_read_without_what_looks_at_pictures(tmp_path: Path) -> None:
    """They name a camera, which `dicetray mqtt` does not open: it takes half the memory so."""
    settings = tmp_path / "settings.toml"
    settings.write_text('[camera]\nsource = "v4l2:0?fps=30"\n[mqtt]\nbroker = "mqtt://nowhere"\n')
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, pathlib, appliance.cli.mqtt\n"
            "from appliance.config import load\n"
            "assert load(pathlib.Path(sys.argv[1])).mqtt.broker\n"
            "print(*{'cv2', 'numpy', 'onnxruntime', 'gpiozero'} & sys.modules.keys())",
            str(settings),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "\n"
