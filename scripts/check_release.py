#!/usr/bin/env python3
"""Checks a release before it is published: dist/ as `scripts/make_release` left it.

    .venv/bin/python scripts/check_release.py [--dist dist] [--unsigned]

Exit status 1 if anything is missing, changed or of another version. The bundle is not run.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
SUMS_FILE = "SHA256SUMS"
SIGNATURE_FILE = "SHA256SUMS.sig"
KEY_FILE = "systemd/release.pub"
PINS = {"cp311": "requirements/bookworm.txt", "cp313": "requirements/base.txt"}
"""The pins for each Python that must have wheels."""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def version() -> str:
    found = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.M)
    assert found is not None
    return found[1]


def contents(bundle: Path, top: str) -> dict[str, bytes]:
    """The files of a bundle, by their names below its one folder.

    Raises:
        ValueError: something in it is not a file or folder within that folder, or is a folder
            without files, which nothing signed names.
    """
    files: dict[str, bytes] = {}
    folders: set[PurePosixPath] = set()
    with tarfile.open(bundle) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            inside = path.parts[:1] == (top,) and ".." not in path.parts
            if not inside or not (member.isfile() or member.isdir()):
                raise ValueError(f"{member.name}: expected files and folders of {top}")
            if (file := archive.extractfile(member)) is not None:
                files[str(PurePosixPath(*path.parts[1:]))] = file.read()
            elif path.parts[1:]:
                folders.add(PurePosixPath(*path.parts[1:]))
    for bare in sorted(folders.difference(*(PurePosixPath(name).parents for name in files))):
        raise ValueError(f"{bare}: expected files in it")
    return files


def sums_of(text: str) -> dict[str, str]:
    """File names and hashes as `sha256sum` writes them."""
    lines = (line.split("  ", 1) for line in text.splitlines())
    return {name.removeprefix("./"): sum_ for sum_, name in lines}


def beside(path: Path) -> Iterator[str]:
    """The faults of a published file and the hash beside it."""
    listed = path.with_name(f"{path.name}.sha256")
    if not path.is_file() or not listed.is_file():
        yield f"expected {path.name} and {listed.name}"
    elif sums_of(listed.read_text("utf-8")) != {path.name: digest(path.read_bytes())}:
        yield f"{listed.name}: another hash than that of {path.name}"


def listed_sums(files: dict[str, bytes]) -> Iterator[str]:
    if SUMS_FILE not in files:
        yield f"expected {SUMS_FILE}"
        return
    listed = sums_of(files[SUMS_FILE].decode())
    there = {n: digest(data) for n, data in files.items() if n not in (SUMS_FILE, SIGNATURE_FILE)}
    for name in sorted(listed.keys() | there.keys()):
        if listed.get(name) != there.get(name):
            yield f"{name}: {SUMS_FILE} has another hash, or one of the two lacks it"


def signed(files: dict[str, bytes]) -> Iterator[str]:
    missing = [name for name in (SUMS_FILE, SIGNATURE_FILE, KEY_FILE) if name not in files]
    if missing:
        yield f"expected {', '.join(missing)}"
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = [
            Path(folder, name.replace("/", "_")) for name in (SUMS_FILE, SIGNATURE_FILE, KEY_FILE)
        ]
        for path, name in zip(paths, (SUMS_FILE, SIGNATURE_FILE, KEY_FILE), strict=True):
            path.write_bytes(files[name])
        text, signature, key = map(str, paths)
        command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", key]
        command += ["-sigfile", signature, "-in", text]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            yield f"{SIGNATURE_FILE}: not made by the key of {KEY_FILE}"


def wheels(files: dict[str, bytes], wanted: str, machine: str) -> Iterator[str]:
    """The faults of the wheels, against the pins and the software bill of materials."""
    there = {PurePosixPath(name).name: data for name, data in files.items() if name[-4:] == ".whl"}
    own = f"dicetray-{wanted}-py3-none-any.whl"
    if own not in there:
        yield f"expected {own}"
    for tag, pins in PINS.items():
        for name, pinned in re.findall(r"^([\w.-]+)==(\S+)", files.get(pins, b"").decode(), re.M):
            begin = f"{re.sub('[-.]+', '_', name).lower()}-{pinned}-"
            fits = rf"-(?:py3|py2\.py3|{tag}|cp3\d+-abi3)[-.].*(?:any|{machine})\.whl$"
            if not any(w.lower().startswith(begin) and re.search(fits, w) for w in there):
                yield f"{pins}: no wheel of {name} {pinned} for {tag}, {machine}"
    if "sbom.cdx.json" not in files:
        yield "expected sbom.cdx.json"
        return
    listed = json.loads(files["sbom.cdx.json"])
    parts = [listed["metadata"]["component"], *listed["components"]]
    hashes = {entry["content"] for part in parts for entry in part.get("hashes", ())}
    for name, data in sorted(there.items()):
        if digest(data) not in hashes:
            yield f"{name}: not in sbom.cdx.json"


def card(path: Path, files: dict[str, bytes]) -> Iterator[str]:
    """The faults of the file that lets a card install the bundle by itself."""
    yield from beside(path)
    line = f"FINGERPRINT={digest(files.get(KEY_FILE, b''))}"
    if path.is_file() and line not in path.read_text("utf-8").splitlines():
        yield f"{path.name}: another key's than {KEY_FILE}"


def firmware(files: dict[str, bytes]) -> Iterator[str]:
    """Checks that there is one package for the Pico, which has its own version numbers."""
    count = sum(bool(re.fullmatch(r"dicetray-firmware-[\d.]+\.zip", name)) for name in files)
    if count != 1:
        yield f"expected one dicetray-firmware-VERSION.zip, found {count}"


def printed_parts(path: Path) -> Iterator[str]:
    yield from beside(path)
    if path.is_file():
        with zipfile.ZipFile(path) as archive:
            kinds = {Path(name).suffix for name in archive.namelist()}
        if lacks := {".stl", ".step", ".svg"} - kinds:
            yield f"{path.name}: expected also {', '.join(sorted(lacks))}"


def faults(dist: Path, unsigned: bool, machine: str = "aarch64") -> Iterator[str]:
    """Everything that is wrong with a release for that machine."""
    wanted = version()
    if f"## [{wanted}]" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        yield f"CHANGELOG.md: expected a section [{wanted}]"
    bundle = dist / f"dicetray-{wanted}.tar.gz"
    yield from printed_parts(dist / f"dicetray-{wanted}-parts.zip")
    if problems := list(beside(bundle)):
        yield from problems
        return
    try:
        files = contents(bundle, f"dicetray-{wanted}")
    except (ValueError, tarfile.TarError, OSError) as error:
        yield f"{bundle.name}: {error}"
        return
    yield from listed_sums(files)
    if not unsigned:
        yield from signed(files)
        yield from card(dist / "vendor-data", files)
    yield from wheels(files, wanted, machine)
    yield from firmware(files)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    parser.add_argument("--machine", default="aarch64", help="what it is for")
    parser.add_argument("--unsigned", action="store_true", help="nobody has signed it")
    options = parser.parse_args()
    found = list(faults(options.dist, options.unsigned, options.machine))
    for fault in found:
        print(fault)
    print(f"{version()}: {len(found) or 'nothing'} wrong")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
