"""Flashing with mpremote onto a board that runs real MicroPython, and what can go wrong."""

import importlib.util
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from appliance.cli.main import main
from appliance.devices.flash.package import Package
from appliance.devices.flash.pico import RemoteError, flash, mpremote
from appliance.devices.scoreboard import SerialScoreboard
from appliance.errors import FirmwareError, ScoreboardError
from appliance.picture import Picture
from appliance.simulator.pico import micropython
from tests.rigs.faulty_board import FaultyBoard

PACKAGE = Package.from_folder()
NAMES = list(PACKAGE.files)


class FakePico:
    """A Pico behind a fake mpremote: files, a version, and faults."""

    def __init__(self, version: str = "rp2 1 25") -> None:
        self.version = version
        self.files: dict[str, str] = {}
        self.verbs: list[str] = []
        self.deaf = 0
        self.spoils = ""

    def __call__(self, arguments: Sequence[str]) -> str:
        if self.deaf:
            self.deaf -= 1
            raise RemoteError("mpremote failed: could not enter raw repl")
        said = ""
        command: list[str] = []
        for word in (*arguments[2:], "+"):
            if word != "+":
                command.append(word)
                continue
            said += self.one(*command)
            command = []
        return said

    def one(self, verb: str, *rest: str) -> str:
        self.verbs.append(verb)
        if verb == "cp":
            for path in rest[:-1]:
                name = Path(path).name
                self.files[name] = "0" * 64 if name == self.spoils else PACKAGE.hashes()[name]
        elif verb == "exec" and "sys.implementation" in rest[0]:
            return f"dicetray {self.version}\n"
        elif verb == "exec" and "os.remove" in rest[0]:
            self.files.pop("main.py", None)
        elif verb == "exec":
            asked = re.findall(r"'([a-z0-9_]+\.py)'", rest[0])
            return "".join(f"dicetray {name} {self.files.get(name, '-')}\r\n" for name in asked)
        return ""


def put(pico: FakePico, heard: bool = False, sysfs: Path = Path("/nowhere")) -> None:
    flash(
        "/nowhere/port",
        PACKAGE,
        remote=pico,
        to_repl=lambda port, wanted: heard,
        sleep=lambda seconds: None,
        sysfs=sysfs,
        timeout=0.05,
    )


def test_main_comes_last_and_only_after_the_rest_was_compared() -> None:
    pico = FakePico()
    with pytest.raises(FirmwareError, match="said no HELLO"):
        put(pico)
    assert pico.files == PACKAGE.hashes()
    assert pico.verbs == ["exec", "exec", "cp", "exec", "cp", "exec", "reset"]


@pytest.mark.parametrize("spoilt", ["board.py", "main.py"])
def test_other_bytes_on_the_pico_are_named(spoilt: str) -> None:
    pico = FakePico()
    pico.spoils = spoilt
    with pytest.raises(FirmwareError, match=f"other bytes than were sent in {spoilt}"):
        put(pico)
    assert spoilt == "main.py" or "main.py" not in pico.files
    assert "reset" not in pico.verbs


def test_an_old_micropython_is_refused_untouched() -> None:
    pico = FakePico("rp2 1 19")
    pico.files["main.py"] = "something"
    with pytest.raises(FirmwareError, match=r"expected MicroPython 1\.25 or later.*found 1\.19"):
        put(pico)
    assert pico.files == {"main.py": "something"}


def test_a_pico_that_was_just_reset_gets_time() -> None:
    pico = FakePico()
    pico.deaf = 5
    with pytest.raises(FirmwareError, match="said no HELLO"):
        put(pico, heard=True)
    assert pico.files == PACKAGE.hashes()


def test_something_without_a_repl_is_named_with_what_to_do() -> None:
    pico = FakePico()
    pico.deaf = 99
    with pytest.raises(FirmwareError, match=r"REPL on /nowhere/port.*GP22.*copy MicroPython 1\.25"):
        put(pico)


def test_something_that_is_no_pico_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "1-1"
    (folder / "1-1:1.0" / "tty" / "port").mkdir(parents=True)
    for name, text in (("idVendor", "1546"), ("idProduct", "01a7"), ("product", "GPS")):
        (folder / name).write_text(text)
    pico = FakePico()
    pico.deaf = 99
    with pytest.raises(FirmwareError, match=r"/dev/port is GPS \(1546:01a7\).*--port"):
        flash(
            "/dev/port",
            PACKAGE,
            remote=pico,
            to_repl=lambda port, wanted: False,
            sleep=lambda seconds: None,
            sysfs=tmp_path,
        )


def test_without_mpremote_nothing_is_tried_again() -> None:
    calls = []

    def missing(arguments: Sequence[str]) -> str:
        calls.append(arguments)
        raise FirmwareError("expected the program mpremote, it is not installed")

    with pytest.raises(FirmwareError, match="not installed"):
        flash("/nowhere/port", PACKAGE, remote=missing, to_repl=lambda port, wanted: True)
    assert len(calls) == 1


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(ScoreboardError, match="there is no port"):
        flash("/nowhere/port", PACKAGE, remote=FakePico())


# From here on, with mpremote itself.


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def start(stack: ExitStack, tmp_path: Path) -> Callable[..., FaultyBoard]:
    found = micropython.find()
    if not found.real:
        pytest.skip(f"skipped: {found.sentence}")
    if importlib.util.find_spec("mpremote") is None:
        pytest.skip("skipped: mpremote is not installed")

    def start(package: Package | None) -> FaultyBoard:
        """A board whose file system holds this package."""
        for name, content in (package.files if package else {}).items():
            (tmp_path / name).write_bytes(content)
        board = FaultyBoard(interpreter=found, firmware=tmp_path, state=tmp_path, repl=True)
        return stack.enter_context(board)

    return start


A = Picture(bytes(range(128)))


@pytest.mark.micropython
@pytest.mark.slow
def test_an_old_firmware_is_replaced(
    start: Callable[..., FaultyBoard], tmp_path: Path, stack: ExitStack
) -> None:
    files = dict(PACKAGE.files)
    files["version.py"] = b'VERSION = (0, 0, 9)\nBUILD = b"old"\n'
    board = start(Package("0.0.9", "old", files))
    lines: list[str] = []
    flashed = flash(board.device, PACKAGE, report=lines.append)
    assert (flashed.version, flashed.build) == (PACKAGE.version, PACKAGE.build)
    assert flashed.files == len(NAMES)
    for name, content in PACKAGE.files.items():
        assert (tmp_path / name).read_bytes() == content
    assert "the firmware was asked to leave" in lines
    host = stack.enter_context(closing(SerialScoreboard(board.device)))
    host.show(A)
    board.wait(lambda lights: lights.picture == A)


@pytest.mark.micropython
@pytest.mark.slow
def test_an_empty_pico_gets_its_firmware_from_the_command(
    start: Callable[..., FaultyBoard], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = start(None)
    path = tmp_path / "firmware.zip"
    PACKAGE.write_zip(path)
    assert main(["flash", "--port", board.device, "--package", str(path)]) == 0
    said = capsys.readouterr().out
    assert "no firmware answers; trying the REPL" in said
    assert f"{len(NAMES)} files are there, all hashes are right" in said
    assert f"runs firmware {PACKAGE.version} build {PACKAGE.build}" in said
    assert main(["doctor", "--only", "scoreboard", "--port", board.device]) == 0
    assert f"OK     scoreboard's firmware: {PACKAGE.version}" in capsys.readouterr().out


def test_mpremote_that_fails_says_why(tmp_path: Path) -> None:
    if importlib.util.find_spec("mpremote") is None:
        with pytest.raises(FirmwareError, match="not installed"):
            mpremote(["version"])
        return
    with pytest.raises(FirmwareError, match="mpremote failed"):
        mpremote(["connect", str(tmp_path / "nothing"), "exec", "1"])
