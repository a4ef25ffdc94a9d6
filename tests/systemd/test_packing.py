"""The same content gives the same release, byte for byte."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.paths import ROOT

SCRIPTS = ROOT / "scripts"
CONTENT = {
    "b.txt": b"one",
    "A.txt": b"two",
    "wheels/c 1.whl": bytes(5000),
    "systemd/install.sh": b"#!/bin/sh\n",
}


def release(
    folder: Path, names: Sequence[str], umask: int, when: int, environment: dict[str, str]
) -> bytes:
    """The packed bytes of a release of these files, written in this order at that time."""
    top = folder / "dicetray-1.2.3"
    before = os.umask(umask)
    try:
        for name in names:
            file = top / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(CONTENT[name])
            if file.suffix == ".sh":
                file.chmod(0o777 & ~umask)
            os.utime(file, (when, when))
        script = f". '{SCRIPTS}/packing.sh'; list_sums '{top}'; pack '{top}' 1700000000"
        subprocess.run(["sh", "-euc", script], check=True, env=os.environ | environment)
    finally:
        os.umask(before)
    return (folder / "dicetray-1.2.3.tar.gz").read_bytes()


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    names = list(CONTENT)
    (tmp_path / "other place").mkdir()
    first = release(tmp_path, names, 0o022, 1_600_000_000, {"TZ": "UTC", "LC_ALL": "C"})
    elsewhere = {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"}
    second = release(tmp_path / "other place", names[::-1], 0o077, 1_650_000_000, elsewhere)
    assert first == second


def test_what_was_packed_is_whole_and_the_same_for_everybody(tmp_path: Path) -> None:
    release(tmp_path, list(CONTENT), 0o077, 1_600_000_000, {})
    top = tmp_path / "dicetray-1.2.3"
    shutil.rmtree(top)
    subprocess.run(["tar", "-xzpf", f"{top}.tar.gz"], cwd=tmp_path, check=True)
    subprocess.run(["sha256sum", "--quiet", "--strict", "-c", "SHA256SUMS"], cwd=top, check=True)
    listed = (top / "SHA256SUMS").read_text().splitlines()
    names = [line.split("  ./")[1] for line in listed]
    assert names == sorted(CONTENT)
    modes = {name: (top / name).stat().st_mode & 0o777 for name in names}
    assert modes == {name: 0o755 if name.endswith(".sh") else 0o644 for name in names}
    assert {(top / name).stat().st_mtime for name in names} == {1_700_000_000}


def test_a_version_that_is_not_committed_is_refused(tmp_path: Path) -> None:
    """The wheel would have the committed one, and everything else this one."""
    for name in ("make_release", "environment.sh", "packing.sh"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy2(SCRIPTS / name, tmp_path / "scripts" / name)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.0.0"\n')
    git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@owner.net"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.0.1"\n')
    command = ["sh", str(tmp_path / "scripts/make_release"), "--unsigned", "x86_64"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "with the version 1.0.0, found 1.0.1: commit it first" in done.stderr
    assert not (tmp_path / "dist").exists()
    assert not (tmp_path / ".venv").exists()
