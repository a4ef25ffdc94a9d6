#!/usr/bin/env python3
"""Tries dicetray on the newest release of everything that it stands on; not part of the test run.

    sudo .venv/bin/python tests/lab/check_newest.py FOLDER [--table]

makes a root of the newest Debian in FOLDER, unless it is there: its Python, systemd, libcamera and
mosquitto, and an environment of the packages that `newest.toml` beside this file names. There run
the quick tests with warnings as errors, and `check_picamera.py`; here the firmware on MicroPython
for WebAssembly, where npm is installed. A pin and a skip count as failures; each needs its reason
and date in `newest.toml`, as has all else that fails.

With `--table` the result is written to docs/hardware-tested.md. Exit status 1 if anything fails
without being listed, or is listed and does not.

Needs root and mmdebstrap.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
LISTED = Path(__file__).with_name("newest.toml")
PAGE = ROOT / "docs/hardware-tested.md"
BEGINS, ENDS = "<!-- newest: made by tests/lab/check_newest.py -->", "<!-- end of newest -->"
PACKAGES = (
    *("alsa-utils", "chromium", "dbus", "espeak-ng", "git", "network-manager", "openssh-client"),
    *("openssl", "polkitd", "systemd", "systemd-sysv", "udev", "mosquitto", "micropython"),
    *("libcamera-ipa", "libcamera-tools", "python3-libcamera", "python3-venv", "python3-dev"),
    *("gcc", "g++", "make", "libcap-dev", "libgl1", "ca-certificates"),
)
PARTS = {
    "Python": "python3",
    "systemd": "systemd",
    "libcamera": "libcamera-ipa",
    "mosquitto": "mosquitto",
    "MicroPython": "micropython",
}
"""Parts of Debian, and the packages that have their versions."""
NAMES = {"numpy": "NumPy", "opencv-python-headless": "OpenCV", "onnxruntime": "ONNX Runtime"}


@dataclass
class Result:
    """What was found: a part's failures, each with its reason."""

    versions: dict[str, str] = field(default_factory=dict)
    failures: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    passed: int = 0
    unlisted: list[str] = field(default_factory=list)


def listed() -> dict[str, Any]:
    return tomllib.loads(LISTED.read_text())


def make_root(folder: Path, system: str) -> Path:
    """A root with Debian's packages, made unless it is there."""
    root = folder / f"newest-{system}"
    if not (root / "usr/bin/chromium").exists():
        command = ["mmdebstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}"]
        command += ['--aptopt=APT::Install-Recommends "false"']
        # A mirror may be some weeks old; the signatures are checked all the same.
        command += ['--aptopt=Acquire::Check-Valid-Until "false"', system, str(root)]
        subprocess.run([*command, f"deb http://deb.debian.org/debian {system} main"], check=True)
    return root


def inside(root: Path, line: str, log: Path) -> int:
    """Runs a shell's line in a root with this machine's network; its exit status."""
    for name in ("resolv.conf", "ssl/certs/ca-certificates.crt"):
        (root / "etc" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "etc" / name).unlink(missing_ok=True)
        shutil.copy(Path("/etc") / name, root / "etc" / name)
    mounts = "; ".join(f"mount --rbind /{place} {root}/{place}" for place in ("proc", "dev", "sys"))
    certificates = "/etc/ssl/certs/ca-certificates.crt"
    clean = f"env -i HOME=/root LC_ALL=C.UTF-8 PIP_CERT={certificates} SSL_CERT_FILE={certificates}"
    clean += " OPENBLAS_NUM_THREADS=1 PATH=/newest/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    command = ["unshare", "--mount", "sh", "-ec"]
    command += [f'{mounts}; exec chroot {root} {clean} sh -c "$1"', "sh", line]
    with log.open("wb") as file:
        return subprocess.run(command, stdout=file, stderr=file, check=False).returncode


def lay_tree(root: Path) -> None:
    """Puts this checkout's files there, as they are committed."""
    tree = root / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--local", str(ROOT), str(tree)], check=True)


def install(root: Path, packages: Mapping[str, str], log: Path) -> None:
    """Makes the environment /newest with exactly these versions."""
    wanted = " ".join(f"{name}=={version}" for name, version in packages.items())
    line = "[ -d /newest ] || python3 -m venv --system-site-packages /newest; "
    line += f"/newest/bin/pip install --quiet --prefer-binary {wanted} && "
    line += "/newest/bin/pip install --quiet --no-deps --no-build-isolation --editable /tree"
    if inside(root, line, log):
        raise SystemExit(f"expected an environment of the newest packages; see {log}")


def run_tests(root: Path, log: Path) -> None:
    """Runs the quick tests; their results are in the root's junit.xml.

    All warnings are errors, also those that pyproject.toml lets pass.
    """
    line = "git config --global safe.directory '*'; cd /tree && rm -f /junit.xml; python -m pytest"
    inside(
        root,
        f"{line} -p no:randomly -q -n 2 -W error -m 'not slow' --proofs=none --tb=short"
        " --junitxml=/junit.xml",
        log,
    )


def outcomes(results: ElementTree.Element) -> Iterator[tuple[str, str, str]]:
    """Each test's name, what came of it, and why."""
    for case in results.iter("testcase"):
        name = ".".join(filter(None, (case.get("classname"), case.get("name"))))
        for kind in ("failure", "error", "skipped"):
            if (found := case.find(kind)) is not None:
                yield name, kind, found.get("message") or found.text or ""
                break
        else:
            yield name, "passed", ""


def of_the_camera(log: Path) -> Iterator[tuple[str, str, str]]:
    """The same of each check of `check_picamera.py`; a failure of its own where it made none."""
    found = re.findall(
        r"^(good|BAD) +(\S+): (.*)$", log.read_text("utf-8", "replace"), re.MULTILINE
    )
    for verdict, name, why in found or [("BAD", "start", "it has checked nothing")]:
        yield f"check_picamera.{name}", "passed" if verdict == "good" else "failure", why


def judge(tried: Iterable[tuple[str, str, str]], known: Mapping[str, Any], result: Result) -> None:
    """Sorts failures and skips by those that are listed."""
    counts: Counter[tuple[str, str]] = Counter()
    for name, kind, why in tried:
        if kind == "passed":
            result.passed += 1
            continue
        entries = known["skips" if kind == "skipped" else "fails"]
        for entry in entries:
            starts = tuple(entry.get("tests", ()))
            if (starts and name.startswith(starts)) or re.search(entry.get("message", r"\Z."), why):
                counts[entry["part"], _reason(entry)] += 1
                break
        else:
            result.unlisted.append(f"{name}: {kind}: {' '.join(why.split())[:150]}")
    for entry in (*known["fails"], *known["skips"]):
        if not counts[entry["part"], _reason(entry)]:
            result.unlisted.append(f"{_reason(entry)}: is listed, and does not fail")
    for (part, reason), count in counts.items():
        result.failures[part].append(f"{count} tests: {reason}")


def _reason(entry: Mapping[str, Any]) -> str:
    return f"{entry['reason']} ({entry['since']})"


def pins(known: Mapping[str, Any], result: Result) -> None:
    """Packages whose pinned version is older than the newest."""
    pinned = dict(
        re.findall(r"^([\w-]+)==(\S+)", (ROOT / "requirements/base.txt").read_text(), re.MULTILINE)
    )
    reasons = {entry["package"]: _reason(entry) for entry in known["pins"]}
    for name, version in (known["packages"] | known["tools"]).items():
        part = NAMES.get(name, name)
        result.versions[part] = version
        if pinned.get(name, version) != version:
            if name in reasons:
                result.failures[part].append(f"pinned to {pinned[name]}: {reasons[name]}")
            else:
                result.unlisted.append(f"{name} is pinned to {pinned[name]} without a reason")


def rows(result: Result, day: str, quiet: Collection[str] = ()) -> str:
    """The table of the page; of quiet parts only those that fail."""
    lines = ["| part | version | " + day + " |", "|---|---|---|"]
    for part, version in result.versions.items():
        fails = result.failures.get(part, [])
        if part in quiet and not fails:
            continue
        lines.append(
            f"| {part} | {version} | {'fails: ' + '; '.join(fails) if fails else 'passes'} |"
        )
    return "\n".join(lines)


def write_table(text: str) -> None:
    page = PAGE.read_text()
    start, end = page.index(BEGINS) + len(BEGINS), page.index(ENDS)
    PAGE.write_text(f"{page[:start]}\n{text}\n{page[end:]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the root is, or is made")
    parser.add_argument("--table", action="store_true", help="write docs/hardware-tested.md")
    parser.add_argument("--summary", type=Path, help="a file to which all of it is added")
    parser.add_argument("--again", action="store_true", help="judge the last run of the tests anew")
    options = parser.parse_args()
    if os.geteuid():
        print("expected root, which a root needs", file=sys.stderr)
        return 2
    folder, known, result = options.folder.resolve(), listed(), Result()
    folder.mkdir(parents=True, exist_ok=True)
    root = make_root(folder, known["system"])
    asked = ["chroot", str(root), "dpkg-query", "--showformat", "${Version}", "--show"]
    for part, package in PARTS.items():
        version = subprocess.run([*asked, package], capture_output=True, text=True, check=True)
        result.versions[part] = re.split(r"[+-]", version.stdout)[0]
    pins(known, result)
    if not options.again:
        lay_tree(root)
        install(root, known["packages"] | known["tools"], folder / "install.log")
        run_tests(root, folder / "tests.log")
        camera = "cd /tree && mkdir -p /pictures && python tests/lab/check_picamera.py /pictures"
        inside(root, camera, folder / "picamera.log")
    tests = outcomes(ElementTree.parse(root / "junit.xml").getroot())
    judge((*tests, *of_the_camera(folder / "picamera.log")), known, result)
    wasm = "@micropython/micropython-webassembly-pyscript"
    if shutil.which("npm") and shutil.which("node"):
        version = known["micropython_wasm"]
        at = str(folder / "npm")
        subprocess.run(["npm", "i", "--silent", "--prefix", at, f"{wasm}@{version}"], check=True)
        check = ["node", str(ROOT / "tests/lab/check_wasm.mjs"), f"{at}/node_modules"]
        result.versions["MicroPython for WebAssembly"] = version
        if subprocess.run(check, check=False).returncode:
            result.unlisted.append("tests/lab/check_wasm.mjs fails")
    table = rows(result, f"{datetime.now(UTC):%-d %B %Y}", known["tools"])
    text = "\n".join((table, f"\n{result.passed} tests passed\n", *result.unlisted, ""))
    print(text)
    if options.summary is not None:
        with options.summary.open("a") as file:
            file.write(text)
    if options.table:
        write_table(f"{table}\n\n{result.passed:,} tests passed.")
    return 1 if result.unlisted else 0


if __name__ == "__main__":
    raise SystemExit(main())
