#!/usr/bin/env python3
"""Checks a release before it is published: dist/ as `scripts/make_release --all` left it.

    .venv/bin/python scripts/check_release.py [dist] [--unsigned] [--install]

Exit status 1 if anything is missing, changed or of another version. With --machine, only the
bundle for that machine is looked at.

With --install, the wheel is installed by pipx and by uv, each into a folder of its own, and the
package for this machine by apt, which needs root and a machine that can be thrown away; the
commands of somebody who has just installed it are run.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
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
ARCHITECTURES = {"aarch64": "arm64", "x86_64": "amd64"}
"""Debian's names of the machines."""
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
    with tarfile.open(bundle) as archive:
        return _contents(archive, PurePosixPath(top), alone=True)


def packaged(package: Path) -> dict[str, bytes]:
    """The files of the bundle in a Debian package; ValueError as for `contents`."""
    command = ["dpkg-deb", "--fsys-tarfile", str(package)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as unpacking:
        if unpacking.stdout is None:
            raise RuntimeError("a program without output")
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
            return _contents(archive, PurePosixPath("usr/lib/dicetray/release"), alone=False)


def _contents(archive: tarfile.TarFile, top: PurePosixPath, *, alone: bool) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    folders: set[PurePosixPath] = set()
    for member in archive:
        path = PurePosixPath(member.name)
        inside = path.is_relative_to(top) and ".." not in path.parts
        if not inside and not alone:
            continue
        if not inside or not (member.isfile() or member.isdir()):
            raise ValueError(f"{member.name}: expected files and folders of {top}")
        if (file := archive.extractfile(member)) is not None:
            files[str(path.relative_to(top))] = file.read()
        elif path != top:
            folders.add(path.relative_to(top))
    for bare in sorted(folders.difference(*(PurePosixPath(name).parents for name in files))):
        raise ValueError(f"{bare}: expected files in it")
    return files


def sums_of(text: str) -> dict[str, str]:
    """File names and hashes as `sha256sum` writes them."""
    lines = (line.split("  ", 1) for line in text.splitlines())
    return {name.removeprefix("./"): sum_ for sum_, name in lines}


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
    line = f"FINGERPRINT={digest(files.get(KEY_FILE, b''))}"
    if path.is_file() and line not in path.read_text("utf-8").splitlines():
        yield f"{path.name}: another key's than {KEY_FILE}"


def firmware(files: dict[str, bytes]) -> Iterator[str]:
    """Checks that there is one package for the Pico, which has its own version numbers."""
    count = sum(bool(re.fullmatch(r"dicetray-firmware-[\d.]+\.zip", name)) for name in files)
    if count != 1:
        yield f"expected one dicetray-firmware-VERSION.zip, found {count}"


ZIPPED = {
    "parts": {".stl", ".step", ".3mf", ".svg"},
    "docs": {".html", ".css", ".js", ".png", ".pdf"},
    "image": {".yaml", ".toml", ".svg", ".py"},
}
"""What each zip file must have in it, by its name's last word."""


def zipped(path: Path, kinds: set[str]) -> Iterator[str]:
    """The faults of a zip file that must have files of these kinds."""
    if path.is_file():
        with zipfile.ZipFile(path) as archive:
            found = {Path(name).suffix for name in archive.namelist()}
        if lacks := kinds - found:
            yield f"{path.name}: expected also {', '.join(sorted(lacks))}"


def debian(version: str) -> str:
    """A version as dpkg orders it: a candidate before what it becomes."""
    return re.sub(r"(?=(?:a|b|rc)\d+$)", "~", version)


def published(wanted: str, unsigned: bool) -> set[str]:
    """The names of the files of a release."""
    name = f"dicetray-{wanted}"
    files = {f"{name}.tar.gz", f"{name}-py3-none-any.whl", f"dicetray_{wanted}_source.tar.gz"}
    files |= {f"{name}-{kind}.zip" for kind in ZIPPED} | {f"{name}.sbom.cdx.json", "NOTES.md"}
    files |= {f"dicetray_{wanted}_{machine}.deb" for machine in ARCHITECTURES.values()}
    return files if unsigned else files | {"vendor-data", SIGNATURE_FILE}


def package(path: Path, wanted: str, machine: str, unsigned: bool) -> Iterator[str]:
    """The faults of a Debian package."""
    shown = "--showformat=${Package} ${Version} ${Architecture}"
    command = ["dpkg-deb", "--show", shown, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"{path.name}: {done.stderr.strip()}"
        return
    expected = ["dicetray", debian(wanted), ARCHITECTURES[machine]]
    if done.stdout.split() != expected:
        yield f"{path.name}: expected {' '.join(expected)}, found {done.stdout.strip()}"
    try:
        files = packaged(path)
    except (ValueError, tarfile.TarError, OSError) as error:
        # Such as one that was cut off while it was written or copied.
        yield f"{path.name}: {error}"
        return
    for fault in bundled(files, wanted, machine, unsigned):
        yield f"{path.name}: {fault}"


def bundled(files: dict[str, bytes], wanted: str, machine: str, unsigned: bool) -> Iterator[str]:
    """The faults of a bundle's files."""
    yield from listed_sums(files)
    if not unsigned:
        yield from signed(files)
    yield from wheels(files, wanted, machine)
    yield from firmware(files)


def sums(dist: Path) -> Iterator[str]:
    """The faults of the list of all published files."""
    files = {path.name: path.read_bytes() for path in dist.iterdir() if path.is_file()}
    yield from listed_sums(files)


def faults(dist: Path, unsigned: bool, machine: str | None = None) -> Iterator[str]:
    """Everything that is wrong with a release; with a machine, with the bundle for it."""
    wanted = version()
    name = f"dicetray-{wanted}.tar.gz"
    needed = {name} | (set() if unsigned else {"vendor-data"})
    if machine is None:
        needed = published(wanted, unsigned)
        if f"## [{wanted}]" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
            yield f"CHANGELOG.md: expected a section [{wanted}]"
    for lacking in sorted(file for file in needed if not (dist / file).is_file()):
        yield f"expected {lacking}"
    yield from sums(dist)
    if (dist / name).is_file():
        try:
            files = contents(dist / name, f"dicetray-{wanted}")
        except (ValueError, tarfile.TarError, OSError) as error:
            yield f"{name}: {error}"
            return
        yield from bundled(files, wanted, machine or "aarch64", unsigned)
        if not unsigned:
            yield from card(dist / "vendor-data", files)
            # The list of what is published is signed by the same key.
            if machine is None and (dist / SIGNATURE_FILE).is_file():
                listed = {each: (dist / each).read_bytes() for each in (SUMS_FILE, SIGNATURE_FILE)}
                yield from signed({**listed, KEY_FILE: files.get(KEY_FILE, b"")})
    if machine is None:
        for kind, suffixes in ZIPPED.items():
            yield from zipped(dist / f"dicetray-{wanted}-{kind}.zip", suffixes)
        for each, architecture in ARCHITECTURES.items():
            path = dist / f"dicetray_{wanted}_{architecture}.deb"
            if path.is_file():
                yield from package(path, wanted, each, unsigned)


TRIED = (("--version",), ("score", "classic", "3", "3", "5", "3", "5"))
"""Commands that must work once it is installed."""


def install(dist: Path) -> Iterator[str]:
    """What fails when the wheel and the package are installed as people do it."""
    wanted = version()
    # With the page, as docs/installing.md says it.
    wheel = f"{(dist / f'dicetray-{wanted}-py3-none-any.whl').resolve()}[web]"
    machine = ARCHITECTURES[os.uname().machine]
    deb = str((dist / f"dicetray_{wanted}_{machine}.deb").resolve())
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        pipx = {"PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "pipx/bin")}
        uv = {"UV_TOOL_DIR": str(folder / "uv"), "UV_TOOL_BIN_DIR": str(folder / "uv/bin")}
        # Few systems have uv; pipx brings it.
        bring = ["pipx", "run", "uv"] if shutil.which("uv") is None else ["uv"]
        yield from try_installing(["pipx", "install", wheel], folder / "pipx/bin/dicetray", pipx)
        yield from try_installing(
            [*bring, "tool", "install", wheel], folder / "uv/bin/dicetray", uv
        )
    apt = ["apt-get", "install", "--yes", "--no-install-recommends", deb]
    yield from try_installing(apt, None, {"DEBIAN_FRONTEND": "noninteractive"})
    state = ["dpkg-query", "--show", "--showformat=${db:Status-Abbrev}${Version}", "dicetray"]
    found = subprocess.run(state, capture_output=True, text=True, check=False).stdout
    print(f"dpkg: {found}")
    if found.split() != ["ii", debian(wanted)]:
        yield f"apt-get install: expected ii {debian(wanted)}, found {found}"


def try_installing(command: list[str], program: Path | None, more: dict[str, str]) -> Iterator[str]:
    """Runs an installer, then what it has installed; yields what fails."""
    environment = {**os.environ, **more}
    tried = [[str(program), *words] for words in TRIED] if program else []
    for words in (command, *tried):
        shown = " ".join(Path(word).name for word in words)
        try:
            done = subprocess.run(
                words, env=environment, capture_output=True, text=True, check=False
            )
        except OSError as error:
            yield f"{shown}: {error.strerror}"
            return
        print(f"{shown}: {(done.stdout.splitlines() or [''])[0]}")
        if done.returncode:
            yield f"{shown}: exit status {done.returncode}: {done.stderr.strip()[-300:]}"
            return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dist", type=Path, nargs="?", default=ROOT / "dist", help="its folder")
    parser.add_argument("--machine", choices=ARCHITECTURES, help="only the bundle for this one")
    parser.add_argument("--unsigned", action="store_true", help="nobody has signed it")
    parser.add_argument("--install", action="store_true", help="also install it")
    options = parser.parse_args()
    found = list(faults(options.dist, options.unsigned, options.machine))
    if options.install and not found:
        found = list(install(options.dist))
    for fault in found:
        print(fault)
    print(f"{version()}: {len(found) or 'nothing'} wrong")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
