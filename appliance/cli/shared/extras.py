"""Packages that not everybody needs: which extra brings them, and how it is added here."""

import re
import sys
from pathlib import Path
from shlex import join

EXTRA_OF_PACKAGE = {"paho": "mqtt", "pillow_heif": "heic", "starlette": "web", "uvicorn": "web"}
"""Which extra provides a package."""

_APPLIANCE = Path("/opt/dicetray")
_EXTRA = re.compile(r"""^(.*?)\s*;\s*extra == ['"]([a-z]+)['"]$""")


def how_to_add(extra: str, prefix: Path | None = None) -> str:
    """The command that adds an extra to this installation, in the words of what installed it.

    `prefix` is the environment's folder, by default that of the running Python.
    """
    prefix = prefix or Path(sys.prefix)
    if prefix.is_relative_to(_APPLIANCE):
        return f"run the installer with --{extra}"
    # Each leaves such a file (pipx: pipx_metadata_file.py; uv: crates/uv-tool/src/lib.rs).
    if (prefix / "pipx_metadata.json").exists():
        return join(("pipx", "inject", "dicetray", *_packages(extra)))
    if (prefix / "uv-receipt.toml").exists():
        added = (word for package in _packages(extra) for word in ("--with", package))
        return join(("uv", "tool", "install", *added, "dicetray-VERSION-py3-none-any.whl"))
    pip = prefix / ("Scripts" if sys.platform == "win32" else "bin") / "pip"
    checkout = Path(__file__).parents[3]
    if not (checkout / "pyproject.toml").exists():
        return join((str(pip), "install", *_packages(extra)))
    if prefix == checkout / ".venv":
        return f".venv/bin/pip install '.[{extra}]'"
    return join((str(pip), "install", f"{checkout}[{extra}]"))


def _packages(extra: str) -> list[str]:
    from importlib.metadata import requires

    found = (_EXTRA.match(line) for line in requires("dicetray") or ())
    return [match[1].replace(" ", "") for match in found if match and match[2] == extra]
