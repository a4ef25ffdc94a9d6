#!/usr/bin/env python3
"""Writes what a release bundle is made of: a bill of materials, CycloneDX 1.6 in JSON.

    .venv/bin/python scripts/make_sbom.py dist/dicetray-1.0.0 --version 1.0.0 --time 1700000000

Each wheel is a component, with its hash and the licence that it names; so is the firmware's
package. Shared libraries that a wheel brings along, such as OpenSSL and FFmpeg inside OpenCV's, are
components of that wheel, and so is what its own bill of materials names (PEP 770). System packages
are listed without a version, as the bundle does not contain them. The same bundle gives the same
bytes.
"""

import argparse
import email
import hashlib
import json
import re
import sys
import uuid
import zipfile
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from typing import Any

SBOM_FILE = "sbom.cdx.json"
FROM_SYSTEM = ("python3", "python3-picamera2", "python3-lgpio", "polkitd", "openssl")
OWN_PACKAGE = "dicetray"

LICENCES = {
    "aom": "BSD-2-Clause",
    "avcodec": "LGPL-2.1-or-later",
    "avformat": "LGPL-2.1-or-later",
    "avif": "BSD-2-Clause",
    "avutil": "LGPL-2.1-or-later",
    "crypto": "OpenSSL",
    "dav1d": "BSD-2-Clause",
    "drm": "MIT",
    "gfortran": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "openblas": "BSD-3-Clause",
    "png16": "libpng-2.0",
    "quadmath": "LGPL-2.1-or-later",
    "ssl": "OpenSSL",
    "swresample": "LGPL-2.1-or-later",
    "swscale": "LGPL-2.1-or-later",
    "vpx": "BSD-3-Clause",
}
"""SPDX licences of the shared libraries in wheels, by name without `lib`.

From `LICENSE-3RD-PARTY.txt` of opencv-python, `licenses/LICENSE.txt` of NumPy, and the libraries'
own `COPYING` (libaom, libavif, dav1d, libdrm). FFmpeg is built by opencv-python without its GPL
parts. OpenSSL before 3.0 has a licence of its own.
"""

SHARED_LIBRARY = re.compile(
    rf"[^/]+\.libs/lib(?:scipy_)?(?P<name>{'|'.join(LICENCES)})\w*(?:-r(?P<major>\d+))?(?:-[0-9a-f]{{8}})+"
    r"(?P<before>(?:\.\w+)*)\.so(?:\.(?P<after>[\w.]+))?"
)
"""How auditwheel names what it copies into a wheel: `PACKAGE.libs/libNAME-HASH.so.VERSION`.

OpenBLAS puts how it was built behind its name, and its version around the hash: `p-r0-HASH.3.15`.
"""


def sha256(data: bytes) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}]


def digest(file: Path) -> list[dict[str, str]]:
    return sha256(file.read_bytes())


def metadata(wheel: Path) -> Message:
    """The metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def licences(said: Message) -> list[dict[str, Any]]:
    if expression := said["License-Expression"]:
        return [{"expression": str(expression)}]
    if named := str(said["License"] or "").strip():
        return [{"license": {"name": named.splitlines()[0]}}]
    return []


def shared_libraries(wheel: Path) -> list[dict[str, Any]]:
    """The shared libraries that a wheel brings along.

    Raises:
        ValueError: one has a name, or a licence, that is not known here.
    """
    parts = []
    with zipfile.ZipFile(wheel) as archive:
        for file in sorted(archive.namelist()):
            if ".libs/" not in file or file.endswith("/"):
                continue
            named = SHARED_LIBRARY.fullmatch(file)
            if named is None:
                raise ValueError(f"{wheel.name}: {file}: expected a library of known licence")
            version = named["after"] or ((named["major"] or "") + named["before"]).lstrip(".")
            part: dict[str, Any] = {
                "type": "library",
                "bom-ref": f"{wheel.name}!{file}",
                "name": f"lib{named['name']}",
            }
            if version:
                part["version"] = version
            part["hashes"] = sha256(archive.read(file))
            part["licenses"] = [{"expression": LICENCES[named["name"]]}]
            parts.append(part)
    return parts


def named_inside(wheel: Path) -> list[dict[str, Any]]:
    """The components in a wheel's own bills of materials (PEP 770), but for the wheel itself."""
    parts = {}
    with zipfile.ZipFile(wheel) as archive:
        for file in sorted(archive.namelist()):
            if re.fullmatch(r"[^/]+\.dist-info/sboms/[^/]+\.json", file) is None:
                continue
            for entry in json.loads(archive.read(file)).get("components", []):
                purl = str(entry.get("purl", ""))
                if purl and not purl.startswith("pkg:pypi/"):
                    named = {key: entry[key] for key in ("name", "version", "purl") if key in entry}
                    reference = f"{wheel.name}!{purl}"
                    parts[reference] = {"type": "library", "bom-ref": reference, **named}
    return [parts[reference] for reference in sorted(parts)]


def of_wheel(wheel: Path) -> dict[str, Any]:
    said = metadata(wheel)
    name, version = str(said["Name"]), str(said["Version"])
    purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}?file_name={wheel.name}"
    inside = shared_libraries(wheel) + named_inside(wheel)
    return {
        "type": "application" if name == OWN_PACKAGE else "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "hashes": digest(wheel),
        "licenses": licences(said),
        "purl": purl,
        **({"components": inside} if inside else {}),
    }


def bill(bundle: Path, version: str, made: int) -> dict[str, Any]:
    """The whole document.

    Raises:
        ValueError: the bundle lacks our wheel of this version, or has several.
    """
    wheels = sorted((bundle / "wheels").glob("*.whl"))
    components = [of_wheel(wheel) for wheel in wheels]
    own = [entry for entry in components if entry["name"] == OWN_PACKAGE]
    if [entry["version"] for entry in own] != [version]:
        found = ", ".join(entry["version"] for entry in own) or "none"
        raise ValueError(
            f"{bundle}/wheels: expected one wheel of {OWN_PACKAGE}, of {version}, found {found}"
        )
    others = [entry for entry in components if entry is not own[0]]
    for package in sorted(bundle.glob("dicetray-firmware-*.zip")):
        number = package.stem.removeprefix("dicetray-firmware-")
        others.append(
            {
                "type": "firmware",
                "bom-ref": package.name,
                "name": "dicetray-firmware",
                "version": number,
                "hashes": digest(package),
            }
        )
    for name in FROM_SYSTEM:
        others.append(
            {
                "type": "library",
                "bom-ref": f"pkg:deb/debian/{name}",
                "name": name,
                "purl": f"pkg:deb/debian/{name}",
            }
        )
    content = json.dumps([own, others], sort_keys=True)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(made, UTC).isoformat(),
            "component": own[0],
        },
        "components": others,
        "dependencies": [
            {"ref": own[0]["bom-ref"], "dependsOn": [entry["bom-ref"] for entry in others]}
        ],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bundle", type=Path, help="folder of the bundle")
    parser.add_argument("--version", required=True, help="the release's")
    parser.add_argument("--time", type=int, required=True, help="seconds since 1970")
    options = parser.parse_args()
    try:
        document = bill(options.bundle, options.version, options.time)
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        (options.bundle / SBOM_FILE).write_text(text, encoding="utf-8")
    except (OSError, ValueError, StopIteration, zipfile.BadZipFile) as error:
        print(f"make_sbom: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
