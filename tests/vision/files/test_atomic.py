"""Files that are written whole or not at all."""

import os
from pathlib import Path

import pytest

from vision.files.atomic import write_atomically


def test_the_old_file_is_kept_aside_when_asked(tmp_path: Path) -> None:
    path, aside = tmp_path / "new", tmp_path / "old"
    write_atomically(path, b"1")
    write_atomically(path, b"2", keep=aside)
    write_atomically(path, b"3")
    assert (path.read_bytes(), aside.read_bytes()) == (b"3", b"1")
    assert sorted(tmp_path.iterdir()) == [path, aside]


def test_a_full_disk_leaves_both_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, aside = tmp_path / "new", tmp_path / "old"
    write_atomically(path, b"1")
    write_atomically(path, b"2", keep=aside)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"3", keep=aside)
    assert (path.read_bytes(), aside.read_bytes()) == (b"2", b"1")
