"""Flashing with mpremote onto a board that runs real MicroPython, and what can go wrong."""

import hashlib
import importlib.util
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.cli.main import main
from appliance.devices.flash.layouts import DEFAULT_LAYOUT, LAYOUTS, Layout
from appliance.devices.flash.package import Package
from appliance.devices.flash.pico import failure, flash, mpremote
from appliance.devices.flash.settings import PROGRAM
from appliance.devices.scoreboard import SerialScoreboard
from appliance.diagnostics.scoreboard import look
from appliance.errors import FirmwareError, ScoreboardError
from appliance.picture import Picture
from simulator.pico import micropython
from simulator.pico.board import SimulatedBoard
from simulator.pico.max7219 import ChipChain
from tests.paths import ROOT
from tests.rigs.faulty_board import FaultyBoard
from tests.rigs.programs import answer as recorded
from tests.rigs.wiring import Wiring

REPL = ROOT / "tests/rigs/repl.py"

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
        self.settings = ""
        self.settings_after = answer(LAYOUTS[DEFAULT_LAYOUT])

    def __call__(self, arguments: Sequence[str]) -> str:
        if self.deaf:
            self.deaf -= 1
            heard = recorded("mpremote", "no REPL")
            raise failure(heard.out, heard.err)
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
            self.settings = self.settings_after
            for path in rest[:-1]:
                name = Path(path).name
                content = b"spoilt" if name == self.spoils else Path(path).read_bytes()
                self.files[name] = hashlib.sha256(content).hexdigest()
        elif verb == "exec" and "sys.implementation" in rest[0]:
            return f"dicetray {self.version}\n"
        elif verb == "exec" and rest[0] == PROGRAM:
            return self.settings
        elif verb == "exec" and "os.remove" in rest[0]:
            self.files.pop("main.py", None)
        elif verb == "exec":
            asked = re.findall(r"'([a-z0-9_]+\.py)'", rest[0])
            return "".join(f"dicetray {name} {self.files.get(name, '-')}\r\n" for name in asked)
        return ""


def answer(layout: Layout, own: str = "{}") -> str:
    """The answer of a Pico with these settings."""
    wiring = layout.wiring()
    lines = (
        f"own {own}",
        f"settings {layout.settings()}",
        f"wiring {(list(wiring.places), wiring.mirrored)}",
    )
    return "".join(f"dicetray {line}\r\n" for line in lines)


def put(
    pico: FakePico,
    heard: bool = False,
    sysfs: Path = Path("/nowhere"),
    layout: Layout | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> None:
    flash(
        "/nowhere/port",
        PACKAGE,
        layout=layout,
        remote=pico,
        report=report,
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
    assert pico.verbs == [*["exec"] * 3, "cp", "exec", "exec", "cp", "exec", "reset"]


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
        raise FirmwareError("mpremote is not installed")

    with pytest.raises(FirmwareError, match="not installed"):
        flash("/nowhere/port", PACKAGE, remote=missing, to_repl=lambda port, wanted: True)
    assert len(calls) == 1


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(ScoreboardError, match="there is no port"):
        flash("/nowhere/port", PACKAGE, remote=FakePico())


def test_a_layout_that_changes_unasked_is_said_with_the_way_back() -> None:
    pico = FakePico()
    pico.settings = answer(LAYOUTS["rows"])
    said: list[str] = []
    with pytest.raises(FirmwareError, match="said no HELLO"):
        put(pico, report=said.append)
    (note,) = (line for line in said if line.startswith("NOTE"))
    assert "until now this board's layout was rows" in note
    assert "dicetray flash --layout rows" in note


def test_settings_that_relied_on_the_earlier_default_are_named_whole() -> None:
    pico = FakePico()
    pico.settings = answer(replace(LAYOUTS["rows"], rotation=270), "{'ROTATION': 270}")
    pico.settings_after = answer(replace(LAYOUTS["fc16"], rotation=270), "{'ROTATION': 270}")
    said: list[str] = []
    with pytest.raises(FirmwareError, match="said no HELLO"):
        put(pico, report=said.append)
    (note,) = (line for line in said if line.startswith("NOTE"))
    assert "ORDER = 'rows'; ROTATION = 270; " in note
    assert "START = 'top-left'; STRIP = 0 in it" in note
    assert "--local-config FILE" in note


@pytest.mark.parametrize("before", ["", answer(LAYOUTS["fc16"])])
def test_nothing_is_said_of_a_layout_that_stays_or_is_the_first(before: str) -> None:
    pico = FakePico()
    pico.settings = before
    said: list[str] = []
    with pytest.raises(FirmwareError, match="said no HELLO"):
        put(pico, report=said.append)
    assert not any("NOTE" in line for line in said)


def test_the_owners_own_settings_are_not_overruled_and_the_pico_goes_on() -> None:
    pico = FakePico()
    pico.files["main.py"] = "something"
    pico.settings = answer(LAYOUTS["fc16"], "{'CURRENT_LIMIT_MA': 3500, 'START': 'top-right'}")
    with pytest.raises(
        FirmwareError,
        match=r"overrules the layout rows.*CURRENT_LIMIT_MA = 3500; START = 'top-right'"
        r".*nothing was changed.*--local-config FILE",
    ):
        put(pico, layout=LAYOUTS["rows"])
    assert pico.files == {"main.py": "something"}
    assert pico.verbs == ["exec", "exec", "reset"]


def test_settings_of_ones_own_that_agree_are_no_hindrance() -> None:
    pico = FakePico()
    pico.settings = answer(LAYOUTS["fc16"], "{'CURRENT_LIMIT_MA': 3500, 'START': 'top-right'}")
    with pytest.raises(FirmwareError, match="said no HELLO"):
        put(pico, layout=LAYOUTS["fc16"])
    assert set(pico.files) == {*NAMES, "layout.py"}


def test_a_firmware_that_does_not_do_what_was_asked_is_not_started() -> None:
    pico = FakePico()
    with pytest.raises(FirmwareError, match=r"expected the layout generic.*settings make fc16"):
        put(pico, layout=LAYOUTS["generic"])
    assert "main.py" not in pico.files
    assert "reset" not in pico.verbs


def test_settings_that_the_firmware_cannot_use_are_not_started() -> None:
    pico = FakePico()
    pico.settings_after = (
        "dicetray own {'ROTATION': 45}\r\ndicetray error ValueError('ROTATION',)\r\n"
    )
    with pytest.raises(
        FirmwareError, match=r"the Pico says ValueError\('ROTATION',\).*--layout NAME"
    ):
        put(pico)
    assert "main.py" not in pico.files


# From here on, with mpremote itself.


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def start(stack: ExitStack, tmp_path: Path) -> Callable[..., FaultyBoard]:
    found = micropython.find_interpreter()
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


def pico_with(folder: Path, modules: Wiring) -> SimulatedBoard:
    """An empty Pico with a REPL; its files are in this folder, its modules are wired like this."""
    found = micropython.find_interpreter()
    if not found.real:
        pytest.skip(f"skipped: {found.sentence}")
    repl = [str(found.path), str(REPL)]
    return SimulatedBoard(
        interpreter=found,
        firmware=folder,
        state=folder,
        layout=None,
        repl=repl,
        chain=ChipChain(modules.light),
    )


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
    board.wait(lambda lights: lights.data == A.data)


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
    assert f"OK     scoreboard's firmware: version {PACKAGE.version}" in capsys.readouterr().out


@pytest.mark.micropython
@pytest.mark.slow
def test_a_layout_is_chosen_once_and_stays(
    tmp_path: Path, stack: ExitStack, capsys: pytest.CaptureFixture[str]
) -> None:
    modules = Wiring(snake=False, rotation=90)
    board = stack.enter_context(pico_with(tmp_path, modules))
    command = ["flash", "--port", board.device]
    own = tmp_path / "mine.txt"
    own.write_text("BRIGHTNESS = 9\n")
    assert main([*command, "--layout", "generic", "--local-config", str(own)]) == 0
    assert "its layout is generic" in capsys.readouterr().out
    assert (tmp_path / "layout.py").read_bytes() == LAYOUTS["generic"].file()
    assert (tmp_path / "local_config.py").read_text() == "BRIGHTNESS = 9\n"
    assert (tmp_path / "local_config_before.py").read_text() == ""
    assert main(command) == 0
    assert "its layout is generic" in capsys.readouterr().out
    assert (tmp_path / "local_config.py").read_text() == "BRIGHTNESS = 9\n"
    with closing(SerialScoreboard(board.device)) as host:
        host.show(A)
        board.wait(lambda lights: lights.data == A.data)
        # One that is chosen at the board takes its place, and stays as well.
        host.store_layout(LAYOUTS["parola"].code())
    assert main(command) == 0
    assert "its layout is parola" in capsys.readouterr().out
    status = look(board.device, 20.0)
    assert status.hello is not None
    assert status.hello.layout == LAYOUTS["parola"].code()


@pytest.mark.micropython
@pytest.mark.slow
def test_settings_that_are_no_python_are_named_and_not_started(
    tmp_path: Path, stack: ExitStack, capsys: pytest.CaptureFixture[str]
) -> None:
    board = stack.enter_context(pico_with(tmp_path, Wiring()))
    (tmp_path / "local_config.py").write_text("ROTATION = 90 +\n")
    assert main(["flash", "--port", board.device]) == 2
    assert "the Pico says local_config.py: SyntaxError" in capsys.readouterr().err
    assert not (tmp_path / "main.py").exists()


def test_a_file_that_is_no_settings_is_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for content in (b"ROTATION = \n", b"\0", b"#" * 20_000):
        (tmp_path / "mine.py").write_bytes(content)
        assert main(["flash", "--local-config", str(tmp_path / "mine.py")]) == 2
        assert "mine.py: expected settings of the firmware" in capsys.readouterr().err
    assert main(["flash", "--local-config", str(tmp_path / "none.py")]) == 2


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("no REPL", "could not enter raw repl"),
        ("no port", "failed to access /dev/ttyNOWHERE (it may be in use by another program)"),
        ("no such file", "cp: No such file or directory: No such file or directory."),
        ("program fails", "ZeroDivisionError: divide by zero"),
    ],
)
def test_a_failure_of_mpremote_is_said_once(case: str, why: str) -> None:
    said = recorded("mpremote", case)
    assert said.status != 0
    assert str(failure(said.out, said.err)).startswith(f"mpremote failed: {why}")


def test_mpremote_that_fails_says_why(tmp_path: Path) -> None:
    if importlib.util.find_spec("mpremote") is None:
        with pytest.raises(FirmwareError, match="not installed"):
            mpremote(["version"])
        return
    with pytest.raises(FirmwareError, match="mpremote failed"):
        mpremote(["connect", str(tmp_path / "nothing"), "exec", "1"])
