"""What docs/figures.md promises of reliability: each test is one of its sentences."""

import json
import math
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from appliance.cli.main import main
from appliance.cli.shared.starting import environment_from
from appliance.config import Config, load
from appliance.diagnostics.bundle import Asked, write_bundle
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.phase import Phase
from appliance.service.phases import Phases
from appliance.service.starts import Starts
from appliance.table.session.session import Setup
from calibration import store
from calibration.errors import StoreError
from tests.appliance.service.test_menu import PAIR, Bench
from tests.appliance.service.test_phases import Systemd
from tests.builders import throw
from tests.calibration.test_store import calibration
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.systemd.machine import SAVED, Machine, bundle, make_key, program


class SyncedFiles(Files):
    """Files that know what of them was synced."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.synced = b""

    def _sync(self, name: str, file: BinaryIO) -> None:
        super()._sync(name, file)
        self.synced += (self.folder / name).read_bytes()


def test_each_line_is_synced_before_its_picture_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line is synced before its picture is sent."""
    path = tmp_path / "games"
    files = SyncedFiles(folder_of(path))
    shown = list[int]()
    with Journal(path, files=files) as journal:
        table = Bench(journal, load_session(journal, PAIR), environment_from(Config()))
        show = table.board.show

        def watched(picture: Picture) -> None:
            record = table.appliance.session.record
            lines = [line_to_text(record.setup, line) for line in record.log]
            assert [line for line in lines if line.encode() not in files.synced] == []
            shown.append(len(lines))
            show(picture)

        monkeypatch.setattr(table.board, "show", watched)
        for faces in ((1, 2, 3, 4, 6), (1, 2, 3, 4, 5)):
            table.watcher.events = [throw(*faces)]
            table.feed(count=60)
    assert len(set(shown)) > 1


def test_after_three_failed_starts_the_next_is_in_safe_mode(tmp_path: Path) -> None:
    """After three failed starts the next is in safe mode"""
    safe = list[bool]()
    for _ in range(4):
        starts = Starts(tmp_path, "1.0.0")
        starts.begin()
        starts.enter("voice")
        safe.append(starts.safe)
    assert safe == [False, False, False, True]


def test_safe_mode_is_without_camera_profile_and_what_no_start_got_past(tmp_path: Path) -> None:
    """without camera, profile, the current game, and the phases that the last two did not get
    past."""
    for _ in range(3):
        starts = Starts(tmp_path, "1.0.0")
        starts.begin()
        starts.enter("voice")
    safe = Starts(tmp_path, "1.0.0")
    safe.begin()
    assert safe.left_out == {Phase.CAMERA, Phase.TRAY, Phase.VOICE}
    assert "VOICE" in {word for page in safe.pages for word in page}


def test_after_six_failed_starts_only_the_scoreboard_is_left(tmp_path: Path) -> None:
    """After six only the scoreboard is left, which says so."""
    for _ in range(6):
        starts = Starts(tmp_path, "1.0.0")
        starts.begin()
        starts.enter("camera")
    last = Starts(tmp_path, "1.0.0")
    last.begin()
    without = {Phase.CAMERA, Phase.TRAY, Phase.PLUG_INS, Phase.BUTTONS, Phase.GAMES, Phase.VOICE}
    assert last.left_out == without
    assert Phase.BOARD not in last.left_out
    assert last.pages


def game_on_disk(path: Path) -> tuple[int, tuple[str, ...]]:
    """A game of some turns, on the disk: its number and its lines."""
    lines = ("roll 1 2 3 4 6", "score chance", "roll 1 2 3 4 5", "score large-straight")
    with Journal(path) as journal:
        number = load_session(journal, PAIR).record.serial
        for at, line in enumerate(lines):
            journal.append(number, at, [line])
        journal.copy(sync=True)
    return number, lines


def test_everything_has_two_places(tmp_path: Path) -> None:
    """Everything has two places, each line a checksum of all before"""
    path = tmp_path / "games"
    number, lines = game_on_disk(path)
    files = [file for file in folder_of(path).rglob("*") if f"{number:06}" in file.name]
    assert len(files) == 2
    for file in files:
        whole = file.read_bytes()
        # One letter of a line is another: whoever reads it knows.
        file.write_bytes(whole.replace(b"roll 1 2 3 4", b"roll 1 2 3 5", 1))
        with Journal(path) as journal:
            assert journal.load(number).lines == lines
        file.write_bytes(whole)


def test_a_game_that_is_deleted_is_gone(tmp_path: Path) -> None:
    """`sudo -u dicetray dicetray games delete 12` deletes one"""
    path = tmp_path / "games"
    with Journal(path) as journal:
        # The last one is being played, and would have to end first.
        for _ in range(13):
            journal.begin("classic", "2009", ["ANNA"], (), "0")
    assert main(["games", "delete", "12", "--yes", "--journal", str(path)]) == 0
    with Journal(path) as journal:
        assert sorted(journal.identities().values()) == [*range(1, 12), 13]


def test_impossible_numbers_in_a_profile_are_refused() -> None:
    """impossible numbers in a profile: refused."""
    whole = json.loads(store.encode(calibration()).split(b"\n", 1)[1])
    assert store.decode(signed(whole)).rim_mm is not None
    places = [*numbers_in(whole)]
    assert len(places) > 60
    for place in places:
        *path, last = place
        inside = whole
        for name in path:
            inside = inside[name]
        before = inside[last]
        for none in (math.nan, math.inf, -math.inf):
            inside[last] = none
            with pytest.raises(StoreError):
                store.decode(signed(whole))
        inside[last] = before


def signed(values: object) -> bytes:
    """A profile with these values, as it lies on the disk."""
    body = json.dumps(values).encode()
    head = f"dicetray-profile 2 sha256={store._checksum(2, body)} bytes={len(body)}\n"
    return head.encode() + body


def numbers_in(values: Any, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """The ways to all numbers in some values."""
    if isinstance(values, dict | list):
        inside = values.items() if isinstance(values, dict) else enumerate(values)
        for name, value in inside:
            yield from numbers_in(value, *path, name)
    elif isinstance(values, int | float) and not isinstance(values, bool):
        yield path


@pytest.mark.parametrize("health", ["exit 3", ""])
def test_a_version_that_fails_at_once_gives_way_to_the_old_one(tmp_path: Path, health: str) -> None:
    """always the old version or the new, with all games. One that fails at once: the old one."""
    key = make_key(tmp_path)
    machine = Machine(tmp_path / "machine")
    machine.install_former(key)
    machine.install(bundle(tmp_path, "2.0", key), text=program("2.0", 2, health))
    assert machine.version == ("1.0" if health else "2.0")
    assert machine.games() == SAVED


def test_what_follows_a_loss_is_kept_and_shown_but_does_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """what follows a loss in both is kept and shown, but doesn't count."""
    path = tmp_path / "games"
    number, lines = game_on_disk(path)
    for file in folder_of(path).rglob("*"):
        if f"{number:06}" in file.name:
            file.write_bytes(file.read_bytes().replace(b"roll 1 2 3 4 5", b"roll 1 2 3 4 1"))
    with Journal(path) as journal:
        assert journal.load(number).lines == lines[:2]
    capsys.readouterr()
    main(["games", "show", str(number), "--journal", str(path)])
    counted, _, rest = capsys.readouterr().out.partition("not counted")
    assert "score chance" in counted and "score large-straight" not in counted
    assert "score large-straight" in rest


@pytest.mark.parametrize("names", [False, True])
def test_names_of_players_are_shared_only_if_one_asks(tmp_path: Path, names: bool) -> None:
    """Names, hosts, serial numbers in the support archive: none, but players' with
    `--with-names`."""
    with Journal(tmp_path / "games") as journal:
        setup = Setup("classic", ("ANNELIESE", "BARTHOLO"), (("first", 0),))
        number = load_session(journal, setup).record.serial
        journal.append(number, 0, ["roll 1 2 3 4 6"])
    file = tmp_path / "dicetray.toml"
    file.write_text(
        f'[games]\njournal = "{tmp_path}/games"\n'
        '[mqtt]\nbroker = "mqtt://broker.sonnenschein.example"\n'
    )
    target = tmp_path / "bundle.tar.gz"
    write_bundle(target, "OK   all\n", file, load(file), Asked(names, True), lambda: "")
    with tarfile.open(target) as archive:
        parts = [archive.extractfile(member) for member in archive]
        text = "".join(part.read().decode() for part in parts if part is not None)
    assert ("ANNELIESE" in text) is names
    assert "sonnenschein" not in text
    assert "roll 1 2 3 4 6" in text


def test_a_phase_that_does_not_get_on_is_named_and_ended(tmp_path: Path) -> None:
    """systemd ends a phase in which the program neither reads nor writes for 15 s; the scoreboard
    names it after 10."""
    systemd, board = Systemd(), MemoryScoreboard()
    systemd.begin()
    phases = Phases(systemd, age_s=systemd.age_s, progress=int)
    phases.show_on(board)
    # A start has 25 s in any case; this is one of its later phases.
    systemd.now_s += 12.0
    phases.begin(Phase.VOICE)
    named = list[int]()
    for second in range(1, 16):
        assert systemd.now_s < systemd.due_s
        systemd.now_s += 1.0
        phases.look()
        if "VOICE" in board.picture.words:
            named.append(second)
    assert named[0] == 10
    assert systemd.now_s >= systemd.due_s
