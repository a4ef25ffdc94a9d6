"""`dicetray doctor`: each check says OK, or what is wrong and what to do."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from appliance.cli.doctor import CHECK_SUBJECTS, checks, read_config
from appliance.cli.main import main
from appliance.config import Config, ScoreboardConfig
from appliance.devices.camera import Camera
from appliance.devices.camera.listing import ListedCamera
from appliance.devices.camera.mode import Mode
from appliance.diagnostics import Finding, Level
from appliance.diagnostics.camera import check_camera, lasting_name
from appliance.diagnostics.machine import (
    VoltageWatch,
    check_clock,
    check_disk,
    check_memory,
    check_service,
    check_supply,
    check_temperature,
    senses_voltage,
    throttled_word,
)
from appliance.diagnostics.pins import check_pins
from appliance.diagnostics.profile import check_profile
from appliance.diagnostics.saved_games import check_journal
from appliance.errors import CameraError
from appliance.inputs import Button
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from appliance.journal.packs import PackedGame
from appliance.journal.saved_game import SavedGame
from tests.calibration.wizard.test_wizard import draft
from tests.rigs.programs import answers, path_with, stand_in
from vision.errors import ProfileError
from vision.files.system import Disk
from vision.frame import Frame
from vision.geometry.profile import Profile
from vision.geometry.sight import Sight, webcam_sight


def only(found: Iterator[Finding]) -> Finding:
    (finding,) = found
    return finding


@pytest.mark.parametrize(
    ("text", "level", "said"),
    [
        ("45277\n", Level.OK, "45 °C"),
        ("76000\n", Level.NOTE, "76 °C, warm"),
        ("82000\n", Level.WRONG, "slows down"),
        ("hot\n", Level.NOTE, "does not report"),
        (None, Level.NOTE, "does not report"),
    ],
)
def test_temperature(tmp_path: Path, text: str | None, level: Level, said: str) -> None:
    zone = tmp_path / "class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    if text is not None:
        (zone / "temp").write_text(text)
    finding = only(check_temperature(tmp_path))
    assert (finding.level, said in finding.text) == (level, True)


@pytest.mark.parametrize(
    ("word", "level", "said"),
    [
        (0, Level.OK, "good since start"),
        (0x50005, Level.WRONG, "too low now"),
        (0x10000, Level.WRONG, "was too low since start"),
        (0x80000, Level.NOTE, "slowed down"),
        (0x40000, Level.NOTE, "slowed down"),
        (0x20000, Level.NOTE, "slowed down"),
        (0x4, Level.NOTE, "slowed down"),
        (None, Level.NOTE, "does not report"),
    ],
)
def test_supply(word: int | None, level: Level, said: str) -> None:
    finding = only(check_supply(lambda: word, lambda: True))
    assert (finding.level, said in finding.text) == (level, True)


@pytest.mark.parametrize(
    ("word", "level"),
    [(0, Level.NOTE), (0x80000, Level.NOTE), (0x50005, Level.WRONG), (None, Level.NOTE)],
)
def test_a_zero_claims_no_good_voltage(tmp_path: Path, word: int | None, level: Level) -> None:
    """It lacks the circuit that would notice a low one."""
    model = tmp_path / "firmware/devicetree/base/model"
    model.parent.mkdir(parents=True)
    for name, senses in (("Pi Zero 2 W Rev 1.0", False), ("Pi 4 Model B Rev 1.4", True)):
        model.write_text(f"Raspberry {name}\0")
        assert senses_voltage(tmp_path) is senses
    model.write_text("Raspberry Pi Zero 2 W Rev 1.0\0")
    finding = only(check_supply(lambda: word, lambda: senses_voltage(tmp_path)))
    assert finding.level is level
    assert "good" not in finding.text


def test_the_firmwares_word_is_found_where_pis_have_it(tmp_path: Path) -> None:
    assert throttled_word(tmp_path) is None
    folder = tmp_path / "devices/platform/soc/soc:firmware"
    folder.mkdir(parents=True)
    (folder / "get_throttled").write_text("50005\n")
    assert throttled_word(tmp_path) == 0x50005


def test_a_low_voltage_is_noticed_also_between_two_looks() -> None:
    words = iter([0x10000, 0x10000, 0x10001, 0x10000, None])
    watch = VoltageWatch(lambda: next(words))
    # The first word only tells of the time before.
    assert [watch.is_low() for _ in range(4)] == [False, True, False, False]
    words = iter([0x0, 0x0, 0x10000, 0x10000, 0x20002])
    watch = VoltageWatch(lambda: next(words))
    assert [watch.is_low() for _ in range(4)] == [False, True, False, False]


@pytest.mark.parametrize(
    ("meminfo", "level", "said"),
    [
        # A Zero 2 W with Raspberry Pi OS as it comes (raspberrypi/picamera2 issue 1358).
        ("MemTotal: 426068 kB\nMemAvailable: 233696 kB\nCmaTotal: 262144 kB", Level.NOTE, "268 MB"),
        (
            "MemTotal: 426068 kB\nMemAvailable: 233696 kB\nCmaTotal: 131072 kB",
            Level.OK,
            "239 of 436",
        ),
        (
            "MemTotal: 3884000 kB\nMemAvailable: 3000000 kB\nCmaTotal: 524288 kB",
            Level.OK,
            "3072 of",
        ),
        ("MemTotal: 426068 kB\nMemAvailable: 20000 kB\nCmaTotal: 262144 kB", Level.WRONG, "20 of"),
        ("nothing", Level.NOTE, "does not report"),
        ("", Level.NOTE, "does not report"),
    ],
)
def test_memory(tmp_path: Path, meminfo: str, level: Level, said: str) -> None:
    file = tmp_path / "meminfo"
    file.write_text(f"{meminfo}\nHugePages_Total: 0\n")
    finding = only(check_memory(file))
    assert finding.level is level
    assert said in finding.text


def test_a_machine_without_such_a_file_does_not_report_its_memory(tmp_path: Path) -> None:
    assert only(check_memory(tmp_path / "none")).level is Level.NOTE


def test_clock() -> None:
    assert only(check_clock(lambda: date(1970, 1, 1))).level is Level.NOTE
    assert only(check_clock(lambda: date(2027, 5, 1))).level is Level.OK


def disk(free_mb: int, read_only: bool = False) -> Callable[[Path], Disk]:
    return lambda _: Disk(free_mb * 1_000_000, read_only)


@pytest.mark.parametrize(
    ("free", "read_only", "level", "said"),
    [
        (5000, False, Level.OK, "5000 MB are free"),
        (100, False, Level.NOTE, "100 MB are free"),
        (3, False, Level.WRONG, "too few to save games"),
        (5000, True, Level.WRONG, "can only be read"),
    ],
)
def test_disk(tmp_path: Path, free: int, read_only: bool, level: Level, said: str) -> None:
    finding = only(check_disk(tmp_path, disk(free, read_only)))
    assert (finding.level, said in finding.text) == (level, True)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    finding = only(check_disk(tmp_path / "none"))
    assert finding.level is Level.WRONG
    assert "No such file" in finding.text


def spoil(path: Path, number: int, lines: slice, places: str = "**") -> None:
    """Overwrites lines of a game going on, in both of its places or in one."""
    for file in folder_of(path).glob(f"{places}/going/*-{number:06}-*.game"):
        data = file.read_bytes().splitlines(keepends=True)
        data[lines] = [b"?" * (len(line) - 1) + b"\n" for line in data[lines]]
        file.write_bytes(b"".join(data))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A journal with two games; the second one goes on."""
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        for _ in range(2):
            number = journal.begin("classic", "2009", ["ANNA"], (), "0.1.0")
            journal.append(number, 0, ["roll 1 2 3 4 5", "holding 1", "holding 1 2"])
    return path


def test_the_games_are_checked(games: Path, tmp_path: Path) -> None:
    assert only(check_journal(tmp_path / "none.sqlite3")).level is Level.NOTE
    assert "2 games, all whole" in only(check_journal(games)).text
    old = tmp_path / "old.sqlite3"
    old.write_bytes(b"no database at all" * 400)
    finding = only(check_journal(old))
    assert finding.level is Level.WRONG
    assert finding.advice


@pytest.mark.parametrize(
    ("lines", "places", "level", "said"),
    [
        (slice(-2, -1), "**", Level.WRONG, "damaged in both places; 1 lines behind do not count"),
        (slice(-2, -1), "second", Level.NOTE, "damaged in one place, and whole in the other"),
        (slice(-2, -1), ".", Level.NOTE, "damaged in one place, and whole in the other"),
    ],
)
def test_damage_is_said_and_nothing_is_mended(
    games: Path, lines: slice, places: str, level: Level, said: str
) -> None:
    spoil(games, 1, lines, places)
    before = {file: file.read_bytes() for file in games.parent.rglob("*") if file.is_file()}
    finding = only(check_journal(games))
    assert (finding.level, said in finding.text) == (level, True)
    assert before == {f: f.read_bytes() for f in games.parent.rglob("*") if f.is_file()}


def test_a_line_that_was_cut_off_is_said(games: Path) -> None:
    (file,) = (folder_of(games) / "going").glob("*-000002-*.game")
    file.write_bytes(file.read_bytes() + b"roll 1 2")
    finding = only(check_journal(games))
    assert (finding.level, "its last line was cut off" in finding.text) == (Level.NOTE, True)


def test_what_is_kept_and_what_nobody_has_read_is_said(games: Path) -> None:
    spoil(games, 2, slice(-2, -1))
    open_and_mend(games)[0].close()
    games.with_name("games.sqlite3.before-1").touch()
    damaged, untold, kept = check_journal(games)
    assert damaged.text == "game 2: 1 lines behind a loss do not count"
    assert untold.text.startswith("game 2: damaged; 1 lines do not count any more, 1 are left")
    assert "000002-000002-000002.game.damaged-1, " in kept.text
    assert kept.text.endswith("games.sqlite3.before-1")


def test_no_more_than_the_latest_finished_games_are_read(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = tuple(f"undo {n}" for n in range(1, 9))
    saved = [
        SavedGame(n, "my-game", "1", ("ANNA",), (), "1.0.0", True, lines) for n in range(3, 303)
    ]
    with Journal(games) as journal:
        journal.bring_in([(game.id, game) for game in saved])
    read: list[int] = []
    real: property = vars(PackedGame)["lines"]

    def lines_of(game: PackedGame) -> object:
        read.append(game.number)
        return real.__get__(game)

    monkeypatch.setattr(PackedGame, "lines", property(lines_of))
    list(check_journal(games))
    assert read == list(range(302, 102, -1))


@pytest.mark.parametrize(
    ("case", "level", "text"),
    [
        ("show without systemd", Level.NOTE, "no systemd"),
        ("not installed", Level.NOTE, "not installed"),
        ("runs", Level.OK, "runs, restarted 0 times"),
        ("restarted often", Level.NOTE, "restarted 5 times"),
        ("not enabled", Level.NOTE, "will not start with the machine"),
        ("not running", Level.NOTE, "is not running (inactive dead)"),
        ("failed", Level.WRONG, "has failed (exit-code)"),
        ("killed by its watchdog", Level.WRONG, "has failed (watchdog)"),
    ],
)
def test_service(
    case: str, level: Level, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_with(tmp_path))
    for said in answers("systemctl", case):
        stand_in(tmp_path, "systemctl", {"'show dicetray.service --property='*": said})
        finding = only(check_service())
        assert (finding.level, text in finding.text) == (level, True), finding


class Pictures:
    """A camera that delivers given pictures."""

    name = "test"

    def __init__(
        self, greys: list[int], error: CameraError | None = None, sight: Sight | None = None
    ) -> None:
        self._greys, self._error, self._sight = greys, error, sight

    def frames(self) -> Iterator[Frame]:
        for index, grey in enumerate(self._greys):
            image = np.full((18, 32, 3), grey, np.uint8)
            yield Frame(image, index / 30, index, sight=self._sight)
        if self._error:
            raise self._error

    def close(self) -> None:
        pass


UNPLUGGED = CameraError("v4l2:0: no picture came", "check its cable")
TAKEN = CameraError("/dev/video0: found one that is busy", "close it", busy=True)


@pytest.mark.parametrize(
    ("greys", "error", "level", "said"),
    [
        ([100, 101, 100], None, Level.OK, "32x18 pictures, mean 100"),
        ([100], None, Level.OK, "32x18 pictures, mean 100"),
        ([100, 100, 100], None, Level.WRONG, "always the same"),
        ([3, 4, 3], None, Level.WRONG, "almost black"),
        ([250, 251, 250], None, Level.WRONG, "almost white"),
        ([], None, Level.WRONG, "no picture"),
        ([], UNPLUGGED, Level.WRONG, "no picture came"),
        ([], TAKEN, Level.NOTE, "another program"),
    ],
)
def test_camera(greys: list[int], error: CameraError | None, level: Level, said: str) -> None:
    finding = only(check_camera("test", lambda _: Pictures(greys, error)))
    assert (finding.level, said in finding.text) == (level, True)
    assert finding.advice or finding.level is Level.OK


WHOLE = Sight("imx708", (4608, 2592), (0, 0, 4608, 2592))


@pytest.mark.parametrize(
    ("sight", "said"),
    [
        (WHOLE, ["OK     camera: Camera Module 3 sees 66 × 41 degrees"]),
        (
            replace(WHOLE, model="imx708_wide_noir"),
            ["OK     camera: Camera Module 3 Wide sees 102 × 67 degrees"],
        ),
        (
            Sight("imx219", (3280, 2464), (0, 310, 3280, 1844)),
            ["OK     camera: Camera Module 2 sees 62 × 38 degrees"],
        ),
        (
            replace(WHOLE, part=(768, 432, 3072, 1728)),
            [
                "OK     camera: Camera Module 3 sees 47 × 28 degrees",
                "WRONG  camera: pictures show only a part: imx708, 3072x1728 of 4608x2592 pixels",
            ],
        ),
        (
            Sight("imx477", (4056, 3040), (0, 380, 4056, 2280)),
            ["NOTE   camera: the lens of imx477 is not known"],
        ),
        (
            webcam_sight("046d:082d", (1280, 720)),
            ["OK     camera: it is a Logitech C920, whose lens is known"],
        ),
        (
            webcam_sight("046d:082d", (1280, 720), 70.0),
            ["OK     camera: it sees 70 degrees, as ?view= says"],
        ),
        (
            webcam_sight("1234:5678", (1280, 720)),
            ["NOTE   camera: the lens of usb 1234:5678 is not known"],
        ),
        (
            Sight("ov5647", (2592, 1944), (0, 244, 2592, 1458)),
            ["WRONG  camera: Camera Module 1 sees 54 × 32 degrees, but not sharply so near"],
        ),
    ],
)
def test_what_the_camera_sees(sight: Sight, said: list[str]) -> None:
    found = list(check_camera("pi", lambda _: Pictures([100, 101, 100], sight=sight)))[1:]
    lines = [next(finding.lines()) for finding in found]
    assert [line[: len(start)] for line, start in zip(lines, said, strict=True)] == said
    assert all(finding.advice or finding.level is Level.OK for finding in found)


def test_pictures_that_are_not_as_the_profiles_are_named() -> None:
    profile = replace(draft().profile, size=(32, 18), sight=WHOLE)

    def findings(sight: Sight) -> list[Finding]:
        return list(check_camera("pi", lambda _: Pictures([100, 101], sight=sight), profile))

    assert [finding.level for finding in findings(WHOLE)] == [Level.OK, Level.OK]
    other = findings(replace(WHOLE, model="imx708_wide"))[-1]
    assert (other.subject, other.level) == ("profile", Level.WRONG)
    assert "from imx708," in other.text and "from imx708_wide," in other.text
    assert "calibrate" in other.advice


def test_profile(tmp_path: Path) -> None:
    def refuse(path: Path) -> Profile:
        raise ProfileError(f"{path}: is damaged", "calibrate again")

    path = tmp_path / "tray.profile"
    finding = only(check_profile(path, refuse))
    assert finding.level is Level.NOTE
    assert "hold OK, CALIBRATE" in finding.advice
    path.write_text("x")
    finding = only(check_profile(path, refuse))
    assert (finding.level, finding.text, finding.advice) == (
        Level.WRONG,
        f"{path}: is damaged",
        "calibrate again",
    )


def test_a_profile_made_from_the_menu_is_looked_at_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is beside the games when the configuration names no profile."""
    file = tmp_path / "dicetray.toml"
    file.write_text(f'[games]\njournal = "{tmp_path}/games.sqlite3"\n')
    (tmp_path / "tray.profile").write_text("nonsense")
    assert main(["doctor", "--config", str(file), "--only", "profile"]) == 1
    assert f"WRONG  profile: {tmp_path}/tray.profile" in capsys.readouterr().out


class Grounded(MockPin):  # type: ignore[misc]
    """A pin whose wire touches ground: no pull-up lifts it."""

    def _set_pull(self, value: str) -> None:
        self._pull = value
        self._change_state(False)


def test_a_pressed_button_is_named() -> None:
    pins = {Button.OK: 4, Button.BACK: 25}
    factory = MockFactory()
    assert only(check_pins(pins, lambda: factory)).level is Level.OK
    factory = MockFactory()
    factory.pin(4, pin_class=Grounded)
    finding = only(check_pins(pins, lambda: factory))
    assert finding.level is Level.WRONG
    assert "ok (pin 4)" in finding.text
    assert "back" not in finding.text


def test_a_machine_without_pins() -> None:
    def none() -> MockFactory:
        raise OSError("no chip")

    finding = only(check_pins({Button.OK: 4}, none))
    assert finding.level is Level.WRONG
    assert "no chip" in finding.text


def test_every_subject_has_its_check() -> None:
    assert {"config", *checks(Config(), "")} == set(CHECK_SUBJECTS)


def test_what_is_right_in_a_wrong_configuration_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text('[web]\nprot = 1\nserve = 3\n[scoreboard]\nport = "/dev/ttyUSB9"\n')
    config, found = read_config(file)
    assert config == Config(scoreboard=ScoreboardConfig(port="/dev/ttyUSB9"))
    assert [finding.level for finding in found] == [Level.WRONG, Level.WRONG]


def test_a_wrong_configuration_is_a_finding_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text("[camera]\nsauce = 3\n")
    config, (finding,) = read_config(file)
    assert config == Config()
    assert finding.level is Level.WRONG
    status = main(["doctor", "--config", str(file), "--only", "config", "clock"])
    assert status == 1
    printed = capsys.readouterr().out
    assert "line 2: [camera] sauce" in printed
    assert "clock" in printed


class Webcam:
    """A USB camera that says how it delivers its pictures, once it has locked itself."""

    name = "webcam"

    def __init__(self, mode: Mode) -> None:
        self._mode, self.mode = mode, replace(mode, exposure_locked=False, rate=None)

    def frames(self) -> Iterator[Frame]:
        noise = np.random.default_rng(0)
        for k in range(300):
            if k > 75:
                self.mode = self._mode
            yield Frame(noise.integers(90, 110, (90, 160, 3), np.uint8), k / 30, k)

    def close(self) -> None:
        pass


def test_a_webcam_is_described_once_it_has_locked_itself() -> None:
    mode = Mode((1280, 720), "MJPG", 29.2, True, True, (1280, 720), 30.0)
    found = list(check_camera("v4l2:0", lambda _: Webcam(mode), listed=tuple))
    text = "1280x720 MJPG, 29 fps, exposure locked, focus fixed"
    assert (found[1].level, found[1].text) == (Level.OK, text)


def test_what_a_webcam_does_not_give_is_a_note() -> None:
    mode = Mode((640, 480), "YUYV", 10.0, True, True, (1280, 720), 30.0)
    found = list(check_camera("v4l2:0", lambda _: Webcam(mode), listed=tuple))
    assert found[1].level is Level.NOTE
    assert "YUYV in place of MJPG" in found[1].advice


def test_a_camera_named_by_a_number_has_a_name_that_lasts() -> None:
    there = (ListedCamera("v4l2:/dev/v4l/by-id/usb-C920", "C920", number=2),)
    for source in ("v4l2:/dev/video2?size=640x480", "v4l2:2?size=640x480", "usb:2?size=640x480"):
        (found,) = lasting_name(source, there)
        assert 'source = "v4l2:/dev/v4l/by-id/usb-C920?size=640x480"' in found.advice
    (found,) = lasting_name("usb:2", there)
    assert 'source = "v4l2:/dev/v4l/by-id/usb-C920"' in found.advice
    for source in ("v4l2:0", "v4l2:/dev/v4l/by-id/usb-C920", "pi", "phone", "http://2"):
        assert list(lasting_name(source, there)) == []
    assert list(lasting_name("v4l2:2", (ListedCamera("v4l2:2", "C920", number=2),))) == []


def test_in_place_of_a_camera_that_gives_nothing_the_others_are_offered() -> None:
    there = (
        ListedCamera("v4l2:/dev/v4l/by-id/usb-C920", "C920", number=2),
        ListedCamera("v4l2:0", "Integrated Camera", built_in=True, number=0),
    )

    def fails(source: str) -> Camera:
        raise CameraError("no camera was found")

    def offered(source: str) -> list[str]:
        _, *others = check_camera(source, fails, listed=lambda: there)
        return [f"{finding.text}: {finding.advice}" for finding in others]

    first, second = offered("pi")
    assert first == (
        'C920 is there: name it source = "v4l2:/dev/v4l/by-id/usb-C920" under [camera]'
    )
    assert second.startswith("Integrated Camera is there in the lid: ")
    for source in ("v4l2:2?fps=15", "usb:2", "v4l2:/dev/v4l/by-id/usb-C920"):
        assert len(offered(source)) == 1


def test_a_low_voltage_for_a_moment_is_told_once() -> None:
    words = [0, 1 << 16, 1 << 16]
    watch = VoltageWatch(lambda: words.pop(0))
    assert (watch.is_low(), watch.is_low()) == (True, False)
