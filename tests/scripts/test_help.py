"""Every script that makes something, or checks it in a lab, says what it does with --help."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

MAKERS = sorted(
    path
    for folder in ("scripts", "scripts/hardware")
    for path in (ROOT / folder).glob("make_*")
    if path.is_file()
)
SHELL = [path for path in MAKERS if path.suffix != ".py"]
LAB = [
    path
    for path in (ROOT / "tests/lab").glob("*.py")
    if re.match(r"#!(.*\n)+import argparse", path.read_text("utf-8"))
]
PYTHON = [*(path for path in MAKERS if path.suffix == ".py"), *sorted(LAB)]


def first_sentence(path: Path) -> str:
    """The line in which a script says what it does."""
    text = re.sub(r"\A#!.*\n", "", path.read_text("utf-8"))
    return text.split("\n")[0].removeprefix('"""').removeprefix("# ")


def helped(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("path", SHELL, ids=lambda path: path.name)
def test_a_shell_script_prints_its_head(path: Path, option: str) -> None:
    said = helped(str(path), option)
    assert said.startswith(first_sentence(path))
    assert f"scripts/{path.name}" in said
    assert "set -eu" not in said


@pytest.mark.slow
@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.name)
def test_a_script_in_python_prints_its_first_line(path: Path) -> None:
    said = helped(sys.executable, str(path), "--help")
    assert said.startswith(f"usage: {path.name}")
    # Lines are broken elsewhere.
    assert first_sentence(path) in re.sub(r"-\n", "-", said).replace("\n", " ")
