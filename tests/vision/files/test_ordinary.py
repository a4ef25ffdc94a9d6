"""Files are opened, locked, renamed, replaced and deleted by name in one place only."""

import ast
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vision.files import ordinary
from vision.files.atomic import write_atomically

ROOT = Path(__file__).parents[3]
NOBODY = 65534

METHODS = {
    *("read_text", "read_bytes", "write_text", "write_bytes", "touch", "unlink", "rename"),
    *("symlink_to", "hardlink_to", "copyfile", "copy2", "copytree", "rmtree", "move"),
}
"""Methods of paths, and functions of `shutil`, that open or change what a name stands for."""

FUNCTIONS = {
    *("os.open", "os.rename", "os.replace", "os.remove", "os.unlink", "os.link", "os.truncate"),
    *("sqlite3.connect", "cv2.imread", "cv2.imwrite", "cv2.VideoCapture", "zipfile.ZipFile"),
    *("fcntl.flock", "np.save", "np.load", "open"),
}

JOURNAL_FILES = ("files", "self.files", "self._files")
"""`appliance.journal.files`, which does to each what `vision.files.ordinary` allows."""

ELSEWHERE = {
    "appliance/cli/main.py": "its own package, and the null device",
    "appliance/cli/shared/leaving.py": "the null device",
    "appliance/cli/config.py": "its own package",
    "appliance/diagnostics/own_words.py": "its own package",
    "appliance/config/parsing.py": "its own package",
    "appliance/words.py": "its own package",
    "appliance/mqtt/messages.py": "its own package",
    "appliance/screens/drawing/font.py": "its own package",
    "simulator/motion/perfect_profile.py": "its own package",
    "games/strategy/holdem/hint.py": "its own package",
    "games/strategy/power/values.py": "its own package",
    "games/strategy/boxes/values.py": "beside the module of the game",
    "vision/classify/network.py": "its own package",
    "vision/decide/certainty.py": "its own package",
    "appliance/devices/flash/package.py": "its own package, and what builds it",
    "appliance/devices/flash/pico.py": "a temporary folder, and a program for the Pico",
    "simulator/pico/board.py": "a temporary folder",
    "simulator/pico/cable.py": "a temporary folder",
    "simulator/pico/pico.py": "a temporary folder",
    "simulator/micropython_stubs/clock/time.py": "a program for the Pico",
    "simulator/micropython_stubs/cpython/run.py": "a program for the Pico",
    "simulator/micropython_stubs/machine.py": "a program for the Pico",
    "appliance/devices/scoreboard/usb.py": "what the kernel tells in /sys",
    "appliance/diagnostics/about.py": "what the network's script tells in /run",
    "appliance/diagnostics/machine.py": "what the kernel tells in /sys",
    "appliance/service/phases.py": "what the kernel tells in /proc",
    "appliance/service/stuck.py": "what the kernel tells in /proc",
    "appliance/web/serving.py": "the pages, which are part of the package",
    "appliance/devices/sound_cards.py": "what the kernel tells in /proc",
    "appliance/devices/header.py": "what the kernel tells in /proc",
    "appliance/devices/camera/listing.py": "what the kernel tells in /sys, and cameras",
    "appliance/devices/camera/controls.py": "the device of a camera",
    "appliance/service/broadcast.py": "a socket of the service, in its own folder",
    "vision/image/films.py": "OpenCV opens a film itself, after it was looked at",
    "appliance/journal/index.py": "SQLite opens the index itself, after it was looked at",
    "appliance/journal/old_journal.py": "SQLite opens old games itself, after they were looked at",
    "appliance/journal/taking_in.py": "SQLite opens old games itself, after they were looked at",
    "appliance/journal/reading.py": "files in memory",
    "appliance/devices/camera/webcams.py": "OpenCV opens a webcam itself",
    "vision/files/system.py": "what is opened already, and a folder, to sync it",
    "vision/files/ordinary.py": "the one place",
}
"""Modules that open by name nevertheless, and what."""


def calls_by_name(source: Path) -> Iterator[str]:
    """The calls in a module that open or change something by its name."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        whose, _, method = called.rpartition(".")
        if whose in JOURNAL_FILES:
            continue
        # `Path.open` has a mode or nothing, and `Path.replace` one argument where texts have two.
        modes = [a.value for a in node.args if isinstance(a, ast.Constant)]
        opens = method == "open" and "." in called and any(isinstance(m, str) for m in modes)
        replaces = method == "replace" and len(node.args) == 1 and not node.keywords
        if called in FUNCTIONS or (method in METHODS and "." in called) or opens or replaces:
            yield f"line {node.lineno}: {called}"


def test_nothing_is_opened_by_name_elsewhere() -> None:
    rooms = ("appliance", "calibration", "games", "simulator", "vision")
    sources = [path for room in rooms for path in ROOT.glob(f"{room}/**/*.py")]
    found = {str(p.relative_to(ROOT)): list(calls_by_name(p)) for p in sources}
    calls = {name: lines for name, lines in found.items() if lines}
    # One that no longer does is no exception any more.
    assert {n: calls.get(n) for n in {*calls} ^ {*ELSEWHERE}} == {}


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A folder of another user, with a file."""
    if os.geteuid():
        pytest.skip("only root may give files away")
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "file").write_bytes(b"old")
    for path in (folder / "file", folder):
        os.chown(path, NOBODY, NOBODY)
    return folder


def replace_whole(path: Path) -> None:
    write_atomically(path, b"new")


WRITERS: dict[str, Callable[[Path], object]] = {
    "write_all": lambda path: ordinary.write_all(path, b"new"),
    "open_to_append": lambda path: ordinary.open_to_append(path).close(),
    "make_file": ordinary.make_file,
    "write_atomically": replace_whole,
    "open_to_lock": lambda path: os.close(ordinary.open_to_lock(path) or 0),
}


@pytest.mark.parametrize("name", ["file", "another"])
@pytest.mark.parametrize("writer", WRITERS)
def test_what_root_writes_belongs_to_whom_the_folder_belongs(
    theirs: Path, writer: str, name: str
) -> None:
    WRITERS[writer](theirs / name)
    assert (theirs / name).stat().st_uid == NOBODY
    assert (theirs / name).stat().st_gid == NOBODY


@pytest.mark.parametrize("name", ["file", "another", "to/be/made"])
def test_root_is_refused_what_others_must_be_able_to_write(theirs: Path, name: str) -> None:
    with pytest.raises(ordinary.OwnedByOther, match="found one of"):
        ordinary.check_owner(theirs / name)
    ordinary.check_owner(theirs.parent / "of root")


def test_a_part_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"dear")
    (tmp_path / "profile.part").symlink_to("victim")
    with pytest.raises(ordinary.NotOrdinary, match="found a link"):
        write_atomically(tmp_path / "profile", b"new")
    assert (tmp_path / "victim").read_bytes() == b"dear"
    assert not (tmp_path / "profile").exists()


def test_a_file_left_behind_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "profile.part").write_bytes(b"half of a longer one")
    write_atomically(tmp_path / "profile", b"new")
    assert (tmp_path / "profile").read_bytes() == b"new"
    assert not (tmp_path / "profile.part").exists()


CHANGES: dict[str, Callable[[Path, Path], object]] = {
    "rename_file": lambda strange, other: ordinary.rename_file(strange, other),
    "rename_file to": lambda strange, other: ordinary.rename_file(other, strange),
    "copy_file": lambda strange, other: ordinary.copy_file(strange, other),
    "copy_file to": lambda strange, other: ordinary.copy_file(other, strange),
    "remove_file": lambda strange, _: ordinary.remove_file(strange),
    "open_new": lambda strange, _: ordinary.open_new(strange),
    "open_to_lock": lambda strange, _: ordinary.open_to_lock(strange),
    "make_file": lambda strange, _: ordinary.make_file(strange),
    "read_all": lambda strange, _: ordinary.read_all(strange),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_pipe_is_left_where_it_is(tmp_path: Path, change: str) -> None:
    pipe, other = tmp_path / "pipe", tmp_path / "other"
    os.mkfifo(pipe)
    other.write_bytes(b"dear")
    before = pipe.lstat()
    with pytest.raises(ordinary.NotOrdinary, match="found a pipe"):
        CHANGES[change](pipe, other)
    assert pipe.lstat() == before
    assert other.read_bytes() == b"dear"
