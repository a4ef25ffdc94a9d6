"""Releases of equal content are equal, byte for byte."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.systemd.machine import make_key, public, real_path

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


class Checkout:
    """The part of a checkout that scripts/make_release needs until it begins to download."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        for name in (
            *("scripts/make_release", "scripts/environment.sh", "scripts/packing.sh"),
            *("scripts/hardware/building/extra.py", "systemd/signature.sh"),
        ):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self.folder / name)
        self.commit("1.0.0")

    def write(self, version: str, address: str = "https://example.org/ann/dicetray") -> None:
        urls = f'[project.urls]\nRepository = "{address}"\n' if address else ""
        text = f'[project]\nversion = "{version}"\n{urls}'
        (self.folder / "pyproject.toml").write_text(text)
        (self.folder / "CHANGELOG.md").write_text("## [1.0.0] - today\n")

    def commit(self, version: str, **more: str) -> None:
        self.write(version, **more)
        git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@owner.net"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
            subprocess.run([*git, *words], cwd=self.folder, check=True)

    def release(self, *words: str, proved: bool = False, **more: str) -> str:
        """The complaint; nothing may be made or downloaded until then."""
        words = words if proved else ("--unproved", *words)
        environment = {"HOME": str(self.folder), "PATH": real_path(), **more}
        command = ["/bin/sh", str(self.folder / "scripts/make_release"), *words]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 2, done.stderr
        assert not (self.folder / "dist").exists()
        assert not (self.folder / ".venv").exists()
        return done.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def python(folder: Path, text: str) -> str:
    """A stand-in for the system's Python, which has no say in what is tested."""
    file = folder / "python"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return str(file)


def test_a_version_that_is_not_committed_is_refused(checkout: Checkout) -> None:
    """The wheel would have the committed one, and everything else this one."""
    checkout.write("1.0.1")
    said = checkout.release("--unsigned", "x86_64")
    assert "with the version 1.0.0, found 1.0.1: commit it first" in said


def test_a_version_that_nothing_finds_on_a_stick_is_refused(checkout: Checkout) -> None:
    checkout.commit("1.1.0.dev1")
    assert "expected a version such as 1.1.0 or 1.1.0rc1" in checkout.release("--unsigned")


@pytest.mark.parametrize("words", [("--unsigned", "x86_64"), ("x86_64", "--unsigned")])
def test_unsigned_counts_wherever_it_is_said(
    checkout: Checkout, tmp_path: Path, words: tuple[str, ...]
) -> None:
    old = python(tmp_path, 'case "$*" in *print*) echo 3.9 ;; *ensurepip*) ;; *) exit 1 ;; esac')
    said = checkout.release(*words, PYTHON=old)
    assert "WARNING: nobody signs this release" in said
    assert "expected Python 3.11 or later, found 3.9" in said


@pytest.mark.parametrize("word", ["--unsinged", "arm64", "--help"])
def test_other_words_are_refused(checkout: Checkout, word: str) -> None:
    said = checkout.release("x86_64", word)
    expected = "expected --all, --unsigned, --unproved, aarch64 or x86_64"
    assert said == f"dicetray: {expected}, found {word}\n"


def test_a_release_that_nobody_could_sign_is_refused_at_once(
    checkout: Checkout, tmp_path: Path
) -> None:
    assert "expected the release key" in checkout.release()
    key = make_key(tmp_path)
    public(make_key(checkout.folder), checkout.folder / "systemd/release.pub")
    checkout.commit("1.0.0")
    said = checkout.release(RELEASE_KEY=str(key))
    assert "is not the key of systemd/release.pub, which owners know" in said
    key.write_text("no key")
    said = checkout.release(RELEASE_KEY=str(key))
    assert "expected a private key that openssl reads" in said


def test_packages_that_the_system_lacks_are_named_at_once_and_all_together(
    checkout: Checkout, tmp_path: Path
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("dirname", "sed", "tr"):
        (bare / name).symlink_to(f"/usr/bin/{name}")
    said = checkout.release("--unsigned", PATH=str(bare))
    names = "git openssl python3 python3-venv"
    assert (
        said == f"dicetray: expected the packages {names}, found none: sudo apt install {names}\n"
    )
    # What extra.py prints where there is no libGL.so.1, and where Debian has Python without venv.
    fresh = python(tmp_path, 'case "$*" in *extra.py) printf libgl1 ;; *ensurepip*) exit 1 ;; esac')
    said = checkout.release("--all", "--unsigned", PATH=str(bare), PYTHON=fresh)
    assert "sudo apt install git openssl dpkg python3-venv libgl1\n" in said
    # A bundle alone has no parts, and is no Debian package.
    said = checkout.release("--unsigned", PATH=str(bare), PYTHON=fresh)
    assert "sudo apt install git openssl python3-venv\n" in said


MAKER = {"DEBFULLNAME": "Ann Owner", "DEBEMAIL": "ann@owner.net"}


def test_what_only_a_whole_release_needs_is_asked_for_at_once(
    checkout: Checkout, tmp_path: Path
) -> None:
    fits = python(tmp_path, "")

    def said(*words: str, **more: str) -> str:
        environment = {**MAKER, **more, "PYTHON": fits}
        return checkout.release("--all", *words, proved=False, **environment)

    assert "or a machine, found both" in said("x86_64")
    assert "expected DEBFULLNAME and DEBEMAIL" in said("--unsigned", DEBEMAIL="")
    key = make_key(tmp_path)
    checkout.commit("1.0.0", address="")
    assert "expected the address of the repository, found none" in said(RELEASE_KEY=str(key))
    checkout.commit("1.0.1")
    expected = "CHANGELOG.md: expected a section [1.0.1], found none"
    assert expected in said(RELEASE_KEY=str(key))


def test_only_what_all_proofs_have_passed_with_is_released(
    checkout: Checkout, tmp_path: Path
) -> None:
    unproved = python(tmp_path, 'case "$1" in */choose_proofs.py) echo test_a; exit 1 ;; esac')
    said = checkout.release("--unsigned", proved=True, PYTHON=unproved)
    assert "expected every proof to have passed with what is committed" in said
    with (checkout.folder / "systemd/signature.sh").open("a") as signature:
        signature.write("# changed\n")
    said = checkout.release("--unsigned", proved=True, PYTHON=unproved)
    assert "expected nothing but what is committed" in said


def test_a_release_has_all_pins_that_are_installed() -> None:
    installer = (ROOT / "systemd/install.sh").read_text()
    (packed,) = re.findall(
        r"^ *for pins in (.*); do$", (ROOT / "scripts/make_release").read_text(), re.M
    )
    assert {*packed.split()} == {*re.findall(r"/requirements/(\w+)\.txt", installer)}
