"""What docs/figures.md promises of reliability: each test is one of its sentences."""

from pathlib import Path
from typing import BinaryIO

import pytest

from appliance.cli.shared.starting import environment_from
from appliance.config import Config
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.starts import Starts
from tests.appliance.service.test_menu import PAIR, Bench
from tests.builders import throw


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
