"""A release that lacks something, or in which something was changed, is not published."""

import hashlib
import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import check_release
from scripts.check_release import digest, faults
from tests.paths import ROOT
from tests.systemd.machine import make_key, public

VERSION = "9.8.7"
OWN = f"dicetray-{VERSION}-py3-none-any.whl"
PINNED = "numpy-2.1.0-cp311-cp311-linux_aarch64.whl", "numpy-2.1.0-cp313-cp313-linux_aarch64.whl"


class Release:
    """A small one, complete and signed."""

    def __init__(self, folder: Path) -> None:
        self.dist, self.top = folder / "dist", folder / f"dicetray-{VERSION}"
        self.key = make_key(folder)
        (self.top / "wheels").mkdir(parents=True)
        (self.top / "systemd").mkdir()
        (self.top / "requirements").mkdir()
        self.dist.mkdir()
        public(self.key, self.top / "systemd/release.pub")
        for name in (OWN, *PINNED):
            (self.top / "wheels" / name).write_text(name)
        for name in ("requirements/base.txt", "requirements/bookworm.txt"):
            (self.top / name).write_text("numpy==2.1.0 \\\n    --hash=sha256:1\n")
        (self.top / "dicetray-firmware-0.4.0.zip").write_text("firmware")
        hashes = [
            {"hashes": [{"content": digest(wheel.read_bytes())}]}
            for wheel in sorted((self.top / "wheels").iterdir())
        ]
        bill = {"metadata": {"component": hashes[0]}, "components": hashes[1:]}
        (self.top / "sbom.cdx.json").write_text(json.dumps(bill))
        self.sign()

    def sign(self) -> None:
        script = (
            f". '{ROOT}/scripts/packing.sh'; list_sums '{self.top}'; sign '{self.top}' '{self.key}'"
        )
        subprocess.run(["sh", "-euc", script], check=True)

    def publish(self) -> None:
        bundle = self.dist / f"{self.top.name}.tar.gz"
        subprocess.run(["tar", "-C", self.top.parent, "-czf", bundle, self.top.name], check=True)
        parts = self.dist / f"{self.top.name}-parts.zip"
        with zipfile.ZipFile(parts, "w") as archive:
            for kind in ("stl", "step", "svg"):
                archive.writestr(f"rim.{kind}", kind)
        card = self.dist / "vendor-data"
        script = f". '{ROOT}/scripts/packing.sh'; make_card '{ROOT}/systemd' '{self.key}'"
        card.write_bytes(subprocess.check_output(["sh", "-euc", script]))
        for path in (bundle, parts, card):
            sum_ = hashlib.sha256(path.read_bytes()).hexdigest()
            path.with_name(f"{path.name}.sha256").write_text(f"{sum_}  {path.name}\n")

    def faults(self) -> list[str]:
        self.publish()
        return list(faults(self.dist, unsigned=False))


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    (tmp_path / "CHANGELOG.md").write_text(f"## [{VERSION}] - today\n")
    (tmp_path / "pyproject.toml").write_text(f'version = "{VERSION}"\n')
    monkeypatch.setattr(check_release, "ROOT", tmp_path)
    return Release(tmp_path)


def test_a_whole_release_has_no_fault(release: Release) -> None:
    assert release.faults() == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda top: (top / "wheels" / OWN).write_text("evil"), "has another hash"),
        (lambda top: (top / "more.sh").write_text("evil"), "has another hash"),
        (lambda top: (top / "requirements/base.txt").unlink(), "has another hash"),
        (lambda top: (top / "SHA256SUMS.sig").write_bytes(b"nobody"), "not made by the key"),
        (lambda top: (top / "SHA256SUMS.sig").unlink(), "expected SHA256SUMS.sig"),
        (lambda top: (top / "link").symlink_to("/etc/passwd"), "expected files and folders"),
    ],
)
def test_what_was_changed_after_signing_is_named(
    release: Release, change: Callable[[Path], object], expected: str
) -> None:
    change(release.top)
    assert any(expected in fault for fault in release.faults())


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (f"wheels/{OWN}", f"expected {OWN}"),
        (f"wheels/{PINNED[0]}", "no wheel of numpy 2.1.0 for cp311"),
        ("dicetray-firmware-0.4.0.zip", "expected one dicetray-firmware"),
        ("sbom.cdx.json", "expected sbom.cdx.json"),
    ],
)
def test_what_was_never_put_in_is_named(release: Release, missing: str, expected: str) -> None:
    (release.top / missing).unlink()
    release.sign()
    assert any(expected in fault for fault in release.faults())


def test_wheels_for_another_machine_are_no_release(release: Release) -> None:
    release.publish()
    found = list(faults(release.dist, unsigned=False, machine="x86_64"))
    assert [fault for fault in found if "for cp313, x86_64" in fault]


def test_the_file_for_the_card_belongs_to_the_key(release: Release, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    release.key = make_key(tmp_path / "other")
    found = "\n".join(release.faults())
    assert "vendor-data: another key's than systemd/release.pub" in found


def test_parts_hashes_and_changelog_are_looked_at(release: Release, tmp_path: Path) -> None:
    release.publish()
    for path in release.dist.iterdir():
        if path.name.endswith("parts.zip"):
            path.write_bytes(b"changed")
    with zipfile.ZipFile(release.dist / f"dicetray-{VERSION}-parts.zip", "w") as archive:
        archive.writestr("rim.stl", "")
    (tmp_path / "CHANGELOG.md").write_text("nothing\n")
    found = "\n".join(faults(release.dist, unsigned=False))
    assert "expected a section [9.8.7]" in found
    assert "another hash than that of dicetray-9.8.7-parts.zip" in found
    assert "expected also .step, .svg" in found


def test_a_folder_that_nothing_signed_names_is_a_fault(release: Release) -> None:
    (release.top / "wheels/dicetray-9.9.9-py3-none-any.whl").mkdir()
    assert any("expected files in it" in fault for fault in release.faults())
