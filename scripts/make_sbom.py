#!/usr/bin/env python3
"""Writes what a release bundle is made of: a bill of materials, CycloneDX 1.6 in JSON.

    .venv/bin/python scripts/make_sbom.py dist/dicetray-1.0.0 --version 1.0.0 --time 1700000000

Each wheel is a component, with its hash and the licence that it names; so is the firmware's
package. System packages are listed without a version, as the bundle does not contain them. The
same bundle gives the same bytes.
"""

import argparse
import email
import hashlib
import json
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


def digest(file: Path) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}]


def metadata(wheel: Path) -> Message:
    """What a wheel says about itself."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def licences(said: Message) -> list[dict[str, Any]]:
    if expression := said["License-Expression"]:
        return [{"expression": str(expression)}]
    if named := str(said["License"] or "").strip():
        return [{"license": {"name": named.splitlines()[0]}}]
    return []


def of_wheel(wheel: Path) -> dict[str, Any]:
    said = metadata(wheel)
    name, version = str(said["Name"]), str(said["Version"])
    purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}?file_name={wheel.name}"
    return {
        "type": "application" if name == OWN_PACKAGE else "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "hashes": digest(wheel),
        "licenses": licences(said),
        "purl": purl,
    }


def bill(bundle: Path, version: str, made: int) -> dict[str, Any]:
    """The whole document.

    Raises:
        ValueError: the bundle lacks our wheel of this version, or has several.
    """
    wheels = sorted((bundle / "wheels").glob("*.whl"))
    components = [of_wheel(wheel) for wheel in wheels]
    own = [entry for entry in components if entry["name"] == OWN_PACKAGE]
    if len(own) != 1 or own[0]["version"] != version:
        raise ValueError(
            f"{bundle}/wheels: expected one wheel of {OWN_PACKAGE} {version}, found {len(own)}"
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
