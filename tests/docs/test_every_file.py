"""Every tracked file is looked at by the tools that should, or is named here with the reason."""

import subprocess
import sys
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatch

import pytest

from tests.docs.reading import commands, documents
from tests.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOOLS = PROJECT["tool"]
NOT_OURS_TO_SHIP = ("examples/*", "scripts/*", "setup.py", "tests/*")

EXCEPTIONS: dict[str, dict[str, str]] = {
    "ruff": {},
    "mypy": {
        "firmware/*": "MicroPython; what both ends of the link run is checked where it is imported",
        "setup.py": "three lines for setuptools, which has no types",
    },
    "contracts": {
        **dict.fromkeys(NOT_OURS_TO_SHIP, "no room of the house"),
        "dicetray.py": "names what is in the rooms, for those outside; no room imports it",
    },
    "coverage": dict.fromkeys(NOT_OURS_TO_SHIP, "is not shipped"),
    "wheel": dict.fromkeys(NOT_OURS_TO_SHIP, "what tests and builds is the checkout"),
}
"""Files that a tool leaves out, and why."""


def tracked(pattern: str) -> list[str]:
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", pattern], check=True, stdout=subprocess.PIPE, text=True
    )
    return listed.stdout.splitlines()


def below(names: Iterable[str]) -> set[str]:
    """The tracked files of these packages and modules of the top level."""
    wanted = tuple(f"{name}{end}" for name in names for end in ("/", ".py"))
    return {path for path in tracked("*.py") if path.startswith(wanted)}


def checked_by_ruff() -> set[str]:
    command = [sys.executable, "-m", "ruff", "check", "--show-files", str(ROOT)]
    shown = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    return {line.removeprefix(f"{ROOT}/") for line in shown.stdout.splitlines()}


def seen_by(tool: str) -> set[str]:
    match tool:
        case "ruff":
            return checked_by_ruff()
        case "mypy":
            return below([*TOOLS["mypy"]["packages"], *TOOLS["mypy"]["modules"]])
        case "contracts":
            return below(TOOLS["importlinter"]["root_packages"])
        case "coverage":
            return below(TOOLS["coverage"]["run"]["source"])
        case _:
            shipped = TOOLS["setuptools"]
            found = [
                pattern.removesuffix("*") for pattern in shipped["packages"]["find"]["include"]
            ]
            return below([*found, *shipped["py-modules"]])


@pytest.mark.parametrize("tool", EXCEPTIONS)
def test_each_tool_sees_every_file_but_those_named(tool: str) -> None:
    left_out = EXCEPTIONS[tool]
    unseen = set(tracked("*.py")) - seen_by(tool)
    named = {path for path in unseen if any(fnmatch(path, pattern) for pattern in left_out)}
    assert unseen == named
    # No exception outlives its file.
    assert all(any(fnmatch(path, pattern) for path in named) for pattern in left_out)


def test_every_document_is_read_for_its_commands() -> None:
    read = {path.relative_to(ROOT).as_posix() for path in documents()}
    assert set(tracked("*.md")) - read == UNTRIED.keys()


READ_BY_PYTHON = {"PYTHON", "PYTHONPATH"}
PRIVATE = b"PRIVATE " + b"KEY-----"
"""Every form of private key in PEM ends its first line with this."""


def is_read(variable: str) -> bool:
    """True if a program or a test names an environment variable."""
    places = ("*.py", "*.sh", "scripts")
    command = ["git", "-C", str(ROOT), "grep", "-qF", variable, "--", *places]
    return subprocess.run(command, check=False).returncode == 0


def test_every_variable_that_a_document_sets_is_read() -> None:
    given = {name for path in documents() for one in commands(path) for name in one.settings}
    assert given
    assert {name for name in given - READ_BY_PYTHON if not is_read(name)} == set()
    assert not is_read("DICETRAY_NON" + "SENSE")


def test_no_private_key_is_in_the_project() -> None:
    files = [ROOT / name for name in tracked(".")]
    assert len(files) > 100
    assert [f.name for f in files if f.is_file() and PRIVATE in f.read_bytes()] == []


UNTRIED: dict[str, str] = {}
"""Documents whose commands nobody tries, and why."""
