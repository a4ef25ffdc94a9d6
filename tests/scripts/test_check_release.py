"""A release that lacks something, or in which something was changed, is not published."""

import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import check_release
from scripts.check_release import digest, faults
from tests.paths import ROOT
from tests.systemd.machine import make_key, public, write

VERSION = "9.8.7rc1"
SORTED_VERSION = "9.8.7~rc1"
OWN = f"dicetray-{VERSION}-py3-none-any.whl"
PINNED = "numpy-2.1.0-cp311-cp311-linux_aarch64.whl", "numpy-2.1.0-cp313-cp313-linux_aarch64.whl"
ZIPPED = {
    "parts": ("rim.stl", "rim.step", "rim.3mf", "rim.svg"),
    "docs": ("index.html", "site.css", "search.js", "one.png", "print.pdf"),
    "image": ("layer.yaml", "pyproject.toml", "icon.svg", "make_imager_list.py"),
}


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

    def sign(self, folder: Path | None = None) -> None:
        top = folder or self.top
        (top / "SHA256SUMS.sig").unlink(missing_ok=True)
        script = f". '{ROOT}/scripts/packing.sh'; list_sums '{top}'; sign '{top}' '{self.key}'"
        subprocess.run(["sh", "-euc", script], check=True)

    def packages(self) -> None:
        """The bundle for both machines, as Debian packages."""
        for machine, architecture in check_release.ARCHITECTURES.items():
            root = self.dist.parent / architecture
            top = root / "usr/lib/dicetray/release"
            shutil.rmtree(root, ignore_errors=True)
            shutil.copytree(self.top, top)
            for wheel in top.glob("wheels/numpy-*"):
                wheel.rename(wheel.with_name(wheel.name.replace("aarch64", machine)))
            self.sign(top)
            write(
                root / "DEBIAN/control",
                f"Package: dicetray\nVersion: {SORTED_VERSION}\nArchitecture: {architecture}\n"
                "Maintainer: Ann <ann@owner.net>\nDescription: dice\n",
            )
            made = self.dist / f"dicetray_{VERSION}_{architecture}.deb"
            build = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", root, made]
            subprocess.run(list(map(str, build)), check=True, capture_output=True)

    def publish(self) -> None:
        bundle = self.dist / f"{self.top.name}.tar.gz"
        subprocess.run(["tar", "-C", self.top.parent, "-czf", bundle, self.top.name], check=True)
        for name in (OWN, f"dicetray_{VERSION}_source.tar.gz", "NOTES.md"):
            (self.dist / name).write_text(name)
        (self.dist / f"{self.top.name}.sbom.cdx.json").write_text("{}")
        for kind, names in ZIPPED.items():
            with zipfile.ZipFile(self.dist / f"{self.top.name}-{kind}.zip", "w") as archive:
                for name in names:
                    archive.writestr(name, name)
        self.packages()
        script = f". '{ROOT}/scripts/packing.sh'; make_card '{ROOT}/systemd' '{self.key}'"
        card = subprocess.check_output(["sh", "-euc", script])
        (self.dist / "vendor-data").write_bytes(card)
        self.sign(self.dist)

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


def test_the_bundle_of_one_machine_is_checked_alone(release: Release) -> None:
    release.publish()
    for path in release.dist.iterdir():
        if path.name not in {f"{release.top.name}.tar.gz", "vendor-data"}:
            path.unlink()
    release.sign(release.dist)
    assert list(faults(release.dist, unsigned=False, machine="aarch64")) == []
    found = list(faults(release.dist, unsigned=False, machine="x86_64"))
    assert [fault for fault in found if "for cp313, x86_64" in fault]


def test_the_file_for_the_card_belongs_to_the_key(release: Release, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    release.key = make_key(tmp_path / "other")
    found = "\n".join(release.faults())
    assert "vendor-data: another key's than systemd/release.pub" in found


def test_every_file_that_is_published_is_missed(release: Release) -> None:
    release.publish()
    names = sorted(check_release.published(VERSION, unsigned=False))
    assert len(names) == 12
    for name in names:
        kept = (release.dist / name).read_bytes()
        (release.dist / name).unlink()
        assert f"expected {name}" in list(faults(release.dist, unsigned=False))
        (release.dist / name).write_bytes(kept)


def test_what_was_changed_after_it_was_published_is_named(release: Release, tmp_path: Path) -> None:
    release.publish()
    (release.dist / OWN).write_text("evil")
    with zipfile.ZipFile(release.dist / f"dicetray-{VERSION}-parts.zip", "w") as archive:
        archive.writestr("rim.stl", "")
    (tmp_path / "CHANGELOG.md").write_text("nothing\n")
    found = "\n".join(faults(release.dist, unsigned=False))
    assert f"expected a section [{VERSION}]" in found
    assert f"{OWN}: SHA256SUMS has another hash" in found
    assert "expected also .3mf, .step, .svg" in found
    # A list that fits was not made by the owner of the key.
    script = f". '{ROOT}/scripts/packing.sh'; list_sums '{release.dist}'"
    (release.dist / "SHA256SUMS.sig").rename(tmp_path / "kept")
    subprocess.run(["sh", "-euc", script], check=True)
    (tmp_path / "kept").rename(release.dist / "SHA256SUMS.sig")
    found = "\n".join(faults(release.dist, unsigned=False))
    assert "SHA256SUMS.sig: not made by the key of systemd/release.pub" in found


def test_a_package_of_another_version_or_with_another_release_is_named(release: Release) -> None:
    release.publish()
    arm, pc = (release.dist / f"dicetray_{VERSION}_{name}.deb" for name in ("arm64", "amd64"))
    shutil.copy(pc, arm)
    release.sign(release.dist)
    found = "\n".join(faults(release.dist, unsigned=False))
    expected = f"expected dicetray {SORTED_VERSION} arm64, found dicetray {SORTED_VERSION} amd64"
    assert f"{arm.name}: {expected}" in found
    assert f"{arm.name}: requirements/base.txt: no wheel of numpy 2.1.0 for cp313" in found
    assert pc.name not in found


@pytest.mark.parametrize("kept", [0, 100, 1000])
def test_a_package_that_was_cut_off_is_named(release: Release, kept: int) -> None:
    release.publish()
    arm = release.dist / f"dicetray_{VERSION}_arm64.deb"
    arm.write_bytes(arm.read_bytes()[:kept])
    release.sign(release.dist)
    found = list(faults(release.dist, unsigned=False))
    assert found
    assert all(fault.startswith(f"{arm.name}: ") for fault in found)


def test_a_candidate_is_older_than_its_release_to_dpkg() -> None:
    assert [check_release.debian(of) for of in ("1.0.0rc1", "1.1b2", "1.0.0")] == [
        *("1.0.0~rc1", "1.1~b2", "1.0.0")
    ]


def test_a_folder_that_nothing_signed_names_is_a_fault(release: Release) -> None:
    (release.top / "wheels/dicetray-9.9.9-py3-none-any.whl").mkdir()
    assert any("expected files in it" in fault for fault in release.faults())


def test_installing_says_what_failed_and_goes_on(
    release: Release, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Stand-ins: pipx installs a program that runs, uv is brought by pipx and fails, apt works."""
    programs = tmp_path / "bin"
    pipx = (
        "#!/bin/sh\n[ $1 = install ] || { echo no uv >&2; exit 1; }\n"
        'mkdir -p "$PIPX_BIN_DIR"\necho "#!/bin/sh\necho dicetray" >"$PIPX_BIN_DIR/dicetray"\n'
        'chmod +x "$PIPX_BIN_DIR/dicetray"\n'
    )
    write(programs / "pipx", pipx, 0o755)
    write(programs / "apt-get", "#!/bin/sh\n", 0o755)
    write(programs / "dpkg-query", f"#!/bin/sh\necho 'ii {SORTED_VERSION}'\n", 0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setattr("shutil.which", lambda _: None)
    (found,) = check_release.install(release.dist)
    assert found.startswith("pipx run uv tool install dicetray-") and found.endswith("no uv")
    write(programs / "dpkg-query", "#!/bin/sh\necho 'iF 1.0'\n", 0o755)
    assert f"apt-get install: expected ii {SORTED_VERSION}, found iF 1.0\n" in list(
        check_release.install(release.dist)
    )
