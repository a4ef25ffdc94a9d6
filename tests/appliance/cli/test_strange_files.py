"""Nothing but an ordinary file is opened, locked, renamed or replaced, whatever option names it.

Every option of every command is known here: as one that names a file, with a command line to try it
by, or as one that does not. So whoever adds an option decides which it is.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli.main import main, parser
from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from calibration.calibration import Calibration
from calibration.errors import StoreError
from calibration.store import load, save
from tests.builders import copy_games
from tests.profiles import make_profile
from vision.files.atomic import write_atomically
from vision.files.ordinary import NotOrdinary, check_distinct, check_ordinary, open_to_write

TIMEOUT_S = 30


def calibrated() -> Calibration:
    return Calibration(make_profile())


FILES = {
    "play --journal": "play --human --no-view --speed 0 --journal {}",
    "play --profile": "play --human --no-view --speed 0 --profile {}",
    "play --config": "play --human --no-view --config {}",
    "play --deck": "play --human --no-view --game free-for-all --deck {}",
    "run --journal": "run --camera file:small.png --board none --journal {}",
    "run --profile": "run --camera file:small.png --board none --profile {}",
    "run --config": "run --camera file:small.png --board none --config {}",
    "run --deck": "run --camera file:small.png --board none --game free-for-all --deck {}",
    "run --camera": "run --board none --camera file:{}",
    "look --config": "look --board terminal --config {}",
    "look --deck": "look --board terminal --game free-for-all --deck {}",
    "calibrate --config": "calibrate --simulate --config {}",
    "calibrate --profile": "calibrate --simulate --profile {}",
    "read files": "read {}",
    "read --annotate": "read small.png --annotate {}",
    "read --profile": "read small.png --profile {}",
    "replay file": "replay {}",
    "games list --config": "games list --config {}",
    "games list --journal": "games list --journal {}",
    "games show --config": "games show 1 --config {}",
    "games show --journal": "games show 1 --journal {}",
    "games export --config": "games export --config {}",
    "games export --journal": "games export --journal {}",
    "games export --output": "games export --journal games --output {}",
    "games delete --config": "games delete 1 --yes --config {}",
    "games delete --journal": "games delete 1 --yes --journal {}",
    "review --config": "review --config {}",
    "review --journal": "review --journal {}",
    "review --picture": "review --journal games --picture {}",
    "stats --config": "stats --config {}",
    "stats --journal": "stats --journal {}",
    "stats --picture": "stats --journal games --picture {}",
    "mqtt --config": "mqtt --config {}",
    "club --config": "club --config {}",
    "club --games": "club --config club.toml --games {}",
    "flash --config": "flash --dry-run --config {}",
    "flash --package": "flash --dry-run --port none --package {}",
    "flash --local-config": "flash --dry-run --port none --local-config {}",
    "doctor --config": "doctor --only config --config {}",
    "doctor --bundle": "doctor --only config --bundle {}",
    "config check file": "config check {}",
    "config move-password file": "config move-password {}",
    "bench vision --data": "bench vision --data {}",
    "bench vision --markdown": "bench vision --data labelled --markdown {}",
    "dataset add picture": "dataset add {} --truth black:1 --to new",
    "dataset add --corrections": "dataset add --corrections {} --to new",
    "dataset add --profile": "dataset add small.png --truth black:1 --to new --profile {}",
    "dataset add --to": "dataset add --corrections labelled --to {}",
    "stick folder": "stick {}",
    "web --folder": "web --folder {}",
}
"""Options that name a file or folder; `run --camera dir:` is tried with the settings below."""

OTHERS = {
    "play --players": "play --human --no-view --speed 0 --players {}",
    "play --first": "play --human --no-view --speed 0 --new --game classic --first {}",
    "new-game name": "new-game {}",
    "play --seed": "play --human --no-view --speed 0 --seed {}",
    "play --speed": "play --human --no-view --speed {}",
    "play --clumsy": "play --no-view --speed 0 --clumsy {}",
    "run --players": "run --camera file:small.png --board none --players {}",
    "run --first": "run --camera file:small.png --board none --game classic --first {}",
    "look --camera": "look --board terminal --camera {}",
    "look --players": "look --board terminal --players {}",
    "look --first": "look --board terminal --first {}",
    "calibrate --corners": "calibrate --simulate --corners {}",
    "calibrate --floor": "calibrate --simulate --floor {}",
    "calibrate --seed": "calibrate --simulate --seed {}",
    "read --frames": "read small.png --frames {}",
    "score game": "score {} 1 2 3 4 5",
    "score dice": "score classic {}",
    "score --position": "score classic 1 2 3 4 5 --position {}",
    "games show number": "games show {} --journal games",
    "games export number": "games export {} --journal games",
    "games delete number": "games delete {} --yes --journal games",
    "review game": "review {} --journal games",
    "stats --within": "stats --journal games --within {}",
    "club --host": "club --config club.toml --host {}",
    "club --port": "club --config club.toml --port {}",
    "bench vision --only": "bench vision --data labelled --only {}",
    "dataset add --truth": "dataset add small.png --to new --truth {}",
    "dataset add --frame": "dataset add small.png --to new --truth black:1 --frame {}",
    "run --board": "run --camera file:small.png --board {}",
    "flash --port": "flash --dry-run --port {}",
    "doctor --port": "doctor --only scoreboard --port {}",
    "doctor --camera": "doctor --only camera --camera {}",
    "calibrate --camera": "calibrate --camera {}",
}
"""Names, numbers and the like, and ports and cameras, which are devices: opening one is what is
asked for. A file's name there may be wrong, or mean something else, but does no harm either."""

STATUS = {"doctor --config": 1, "web --folder": 0}
"""The right status where it is not 2: a wrong configuration is what the doctor finds, and no page
is wanted in what is not the appliance's folder."""

TAKES_FOLDER = {
    "read --annotate": 0,
    "dataset add --corrections": 0,
    "dataset add --to": 0,
    "web --folder": 0,
}
"""Status where a folder may be named; `stick` serves one until it is pulled out."""


def options(command: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
    """Every argument of every command that takes a free text."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield from options(inner, f"{name} {word}".strip())
        elif action.nargs != 0 and not action.choices:
            yield f"{name} {action.option_strings[-1] if action.option_strings else action.dest}"


def test_every_option_is_known_here() -> None:
    assert sorted(options(parser())) == sorted({*FILES, *OTHERS})


def device(path: Path) -> None:
    try:
        # As /dev/null, but in a folder where nothing is lost.
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root may make devices")


def unix_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        # Its name may have 107 bytes at most.
        before = Path.cwd()
        os.chdir(path.parent)
        try:
            listening.bind(path.name)
        finally:
            os.chdir(before)


def dangling(path: Path) -> None:
    path.symlink_to("nothing")


KINDS: dict[str, Callable[[Path], None]] = {
    "device": device,
    "pipe": lambda path: os.mkfifo(path),
    "socket": unix_socket,
    "folder": lambda path: path.mkdir(),
    "link to nothing": dangling,
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything else that the commands need."""
    work = tmp_path_factory.mktemp("prepared")
    noise = np.random.default_rng(1).integers(90, 160, (60, 80, 3)).astype(np.uint8)
    cv2.imwrite(str(work / "small.png"), noise)
    (work / "labelled").mkdir()
    cv2.imwrite(str(work / "labelled/a.png"), noise)
    line = {"file": "a.png", "source": "x", "view": "top", "partial": False, "dice": []}
    (work / "labelled/index.jsonl").write_text(json.dumps(line) + "\n")
    (work / "club.toml").write_text('[mqtt]\nbroker = "mqtt://127.0.0.1:1"\n')
    with Journal(work / "games") as journal:
        number = journal.begin("classic", "2009", ("ANNA", "BEN"), (("first", 0),), "0.1.0")
        journal.append(number, 0, ["roll 1 2 3 4 5"])
    return work


@pytest.fixture(autouse=True)
def work(tmp_path: Path, prepared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a copy of that."""
    shutil.copytree(prepared, work := tmp_path / "work")
    monkeypatch.chdir(work)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return work


@contextmanager
def in_time() -> Iterator[None]:
    """Fails instead of waiting for ever, as for a pipe that nobody writes to."""

    def late(number: int, frame: object) -> None:
        raise AssertionError(f"still running after {TIMEOUT_S} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(TIMEOUT_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def seen(folder: Path, *, deep: bool = False) -> dict[str, tuple[int, ...]]:
    """The entries of a folder: kind, number, time, size and owner by name; of its folders no times.

    Also what lies in those, if `deep`.
    """
    found: dict[str, tuple[int, ...]] = {}
    for path in folder.rglob("*") if deep else folder.iterdir():
        s = path.lstat()
        size, changed = (0, 0) if stat.S_ISDIR(s.st_mode) else (s.st_size, s.st_mtime_ns)
        name = str(path.relative_to(folder))
        found[name] = (s.st_mode, s.st_ino, s.st_rdev, size, changed, s.st_uid)
    return found


def named(folder: Path, kind: str, linked: bool) -> Path:
    """Something of this kind, or a link to it."""
    folder.mkdir()
    # A picture's suffix, which some options want.
    path = folder / "strange.png"
    KINDS[kind](path)
    if not linked:
        return path
    (folder / "link.png").symlink_to("strange.png")
    return folder / "link.png"


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "a link to it"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("option", FILES)
def test_what_is_no_ordinary_file_is_refused_and_left_as_it_is(
    tmp_path: Path, option: str, kind: str, linked: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    if kind == "folder" and option == "stick folder":
        pytest.skip("serves a folder until it is gone")
    path = named(tmp_path / "strange", kind, linked)
    expected = STATUS.get(option, 2)
    if kind == "folder":
        expected = TAKES_FOLDER.get(option, expected)
    before = seen(path.parent)
    with in_time():
        assert main(FILES[option].format(path).split()) == expected
    assert seen(path.parent) == before
    said = capsys.readouterr().err
    if expected == 2:
        # One line, which says what was found, or for a folder at least that it is none.
        assert said.count("\n") == 1
        assert "[Errno" not in said
        assert str(path) in said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("option", OTHERS)
def test_an_option_that_names_no_file_leaves_alone_what_has_that_name(
    tmp_path: Path, option: str, kind: str
) -> None:
    path = named(tmp_path / "strange", kind, linked=False)
    before = seen(path.parent)
    with in_time(), suppress(SystemExit):
        main(OTHERS[option].format(path).split())
    assert seen(path.parent) == before


BESIDE = (
    *("-wal", "-shm", "-journal", ".lock"),
    *(".games", ".games/going", ".games/packs", ".games/second", ".games/second/going"),
    *(".games/lock", ".games/settings", ".games/tray", ".games/deleted"),
)
"""The files that are opened, made or deleted by the name of a journal."""


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "folder"])
@pytest.mark.parametrize("suffix", BESIDE)
@pytest.mark.parametrize(
    "command",
    [
        "play --human --no-view --speed 0 --journal {}",
        "run --camera file:small.png --board none --journal {}",
        "games delete 1 --yes --journal {}",
        "games list --journal {}",
    ],
)
def test_what_lies_beside_the_games_under_the_names_of_their_parts_stays(
    tmp_path: Path, work: Path, command: str, suffix: str, kind: str
) -> None:
    path = named(tmp_path / "strange", kind, linked=False)
    games = path.with_name("g")
    copy_games(work / "games", games)
    part = Path(f"{games}{suffix}")
    if part.is_dir():
        shutil.rmtree(part)
    path = path.replace(part)
    before = seen(games.parent, deep=True)
    with in_time():
        assert main(command.format(games).split()) in ((0, 2) if "list" in command else (2,))
    assert seen(games.parent, deep=True) == before


@pytest.mark.parametrize(
    "command",
    [
        "play --human --no-view --speed 0 --journal {}",
        "run --camera file:small.png --board none --journal {}",
        "games delete 1 --yes --journal {}",
    ],
)
@pytest.mark.parametrize("name", ["games", "new"])
def test_root_does_not_play_with_the_games_of_others(
    tmp_path: Path, work: Path, command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if os.geteuid():
        pytest.skip("only root may give files away")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    copy_games(work / "games", theirs / "games")
    for path in (*theirs.rglob("*"), theirs):
        os.chown(path, 65534, 65534)
    before = seen(theirs, deep=True)
    assert main(command.format(theirs / name).split()) == 2
    assert seen(theirs, deep=True) == before
    if "delete" not in command or name == "games":
        assert "run it as their owner: sudo -u" in capsys.readouterr().err


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "a link to it"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("section", "command", "status"),
    [
        ("games]\njournal", "run --camera v4l2:77 --board none --buttons none --config c.toml", 2),
        ("games]\njournal", "games list --config c.toml", 2),
        ("games]\njournal", "doctor --only games --config c.toml", 1),
        ("games]\ndeck", "run --camera file:small.png --board none --config c.toml", 2),
        ("camera]\nprofile", "run --camera file:small.png --board none --config c.toml", 2),
        ("camera]\nprofile", "doctor --only profile --config c.toml", 1),
        ('mqtt]\nbroker = "mqtts://127.0.0.1:1"\nca_file', "mqtt --config c.toml", 2),
    ],
)
def test_the_same_holds_for_what_the_settings_name(
    tmp_path: Path, kind: str, linked: bool, section: str, command: str, status: int
) -> None:
    path = named(tmp_path / "strange", kind, linked)
    Path("c.toml").write_text(f'[{section} = "{path}"\n')
    before = seen(path.parent)
    with in_time():
        # Of what is not there, as behind a link to nothing, the doctor only takes note.
        assert main(command.split()) in {status, 0 if "doctor" in command else status}
    assert seen(path.parent) == before


@pytest.mark.parametrize(
    ("section", "camera"),
    [
        ("games]\njournal", "v4l2:77"),
        ("games]\ndeck", "file:small.png"),
        ("camera]\nprofile", "file:small.png"),
    ],
)
def test_a_name_that_no_file_can_have_is_bad_input(
    section: str, camera: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("c.toml").write_text(f'[{section} = "a\\u0000b"\n')
    command = f"run --camera {camera} --board none --buttons none --config c.toml"
    assert main(command.split()) == 2
    assert "a name that no file can have" in capsys.readouterr().err


def test_a_folder_of_games_that_may_not_be_entered_is_named(tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root may become somebody else")
    (tmp_path / "closed").mkdir(mode=0o700)
    tmp_path.chmod(0o755)
    try:
        os.seteuid(65534)
        with pytest.raises(JournalError, match="closed"):
            open_and_mend(tmp_path / "closed/games")
    finally:
        os.seteuid(0)


def test_a_service_that_is_stopped_before_it_could_open_the_games_ends_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("appliance.cli.shared.start.open_games", stopped)
    assert (
        main(
            ["run", "--camera", "v4l2:77", "--board", "none", "--buttons", "none", "--journal", "g"]
        )
        == 0
    )


def test_a_port_prints_no_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flash", "--dry-run", "--port", "a\x1b[31mb"]) == 0
    assert "would flash a\\x1b[31mb\n" in capsys.readouterr().out


@pytest.mark.parametrize("kind", KINDS)
def test_a_profile_never_replaces_what_is_no_file(tmp_path: Path, kind: str) -> None:
    path = named(tmp_path / "strange", kind, linked=False)
    before = seen(path.parent)
    with in_time(), pytest.raises(StoreError, match="expected an ordinary file"):
        save(path, calibrated())
    assert seen(path.parent) == before
    # Nor what is only beside it: the part that is written first, and the one before.
    profile = path.parent / "profile"
    path.rename(path.parent / "profile.part")
    with in_time(), pytest.raises(StoreError):
        save(profile, calibrated())
    assert not profile.exists()


def test_a_lock_that_is_no_file_is_not_locked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "g.lock")
    with in_time():
        assert main(["play", "--human", "--no-view", "--journal", str(tmp_path / "g")]) == 2
    assert "found a pipe" in capsys.readouterr().err
    assert not (tmp_path / "g").exists()


def linked_to(path: Path, name: str) -> Path:
    link = path.with_name(f"{name}{path.suffix}")
    link.symlink_to(path.name)
    return link


def hard_linked(path: Path) -> Path:
    link = path.with_name(f"hard{path.suffix}")
    link.hardlink_to(path)
    return link


SAME: dict[str, Callable[[Path], Path]] = {
    "the same": lambda path: path,
    "a link": lambda path: linked_to(path, "link"),
    "a hard link": hard_linked,
    "a relative path": lambda path: path.parent / ".." / path.parent.name / path.name,
}


GAME = "games.games/going/000001-000001-000001.game"


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize(
    ("source", "command"),
    [
        ("small.png", "read small.png --annotate {}"),
        ("small.png", "read labelled/a.png small.png --annotate ."),
        (GAME, "games export --journal games --output {}"),
        (GAME, "stats --journal games --picture {}"),
        (GAME, "review --journal games --picture {}"),
        ("labelled/index.jsonl", "bench vision --data labelled --markdown {}"),
        ("labelled/a.png", "bench vision --data labelled --markdown {}"),
        ("c.toml", "doctor --only config --config c.toml --bundle {}"),
    ],
)
def test_what_is_read_is_not_written_over(
    work: Path, name: str, source: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("c.toml").write_text("[games]\n")
    before = (work / source).read_bytes()
    written = SAME[name](work / source)
    assert main(command.format(written).split()) == 2
    assert "which is read from" in capsys.readouterr().err
    assert (work / source).read_bytes() == before


def test_an_ordinary_file_and_nothing_yet_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_ordinary(path)
    with open_to_write(path) as file:
        file.write(b"a longer text")
    link = linked_to(path, "link")
    check_ordinary(link)
    # Through the link, and shorter than before.
    with open_to_write(link) as file:
        file.write(b"text")
    assert path.read_bytes() == b"text"
    assert link.is_symlink()
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    check_ordinary(tmp_path, folder=True)
    check_distinct(tmp_path / "other", [path, tmp_path / "nothing"])


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(NotOrdinary, match="expected an ordinary file, found a link"):
        check_ordinary(tmp_path / "a")


def test_a_profile_is_read_through_a_link(tmp_path: Path) -> None:
    save(tmp_path / "profile", calibrated())
    assert load(linked_to(tmp_path / "profile", "link")).check == calibrated().check
