"""The repository's address is said once, and is the same wherever it is read."""

import re
import shutil
from pathlib import Path

import pytest

from scripts.set_address import DOCUMENTS, PLACEHOLDER, address, set_address
from tests.paths import ROOT

FIRST = "https://example.org/ann/dicetray"
SECOND = "https://git.example.net:8443/~ben/tray"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("pyproject.toml", *DOCUMENTS):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_one_command_fills_it_in_everywhere_and_again(project: Path) -> None:
    before = address(project) or PLACEHOLDER
    for new, old in ((FIRST, before), (SECOND, FIRST)):
        set_address(f"{new}.git" if new == FIRST else new, project)
        assert address(project) == new
        for name in DOCUMENTS:
            text = (project / name).read_text("utf-8")
            assert f"git clone {new} dicetray" in text
            assert old not in text
    assert (project / "pyproject.toml").read_text("utf-8").count("[project.urls]") == 1


@pytest.mark.parametrize("wrong", ["", "ann/dicetray", "http://example.org/a", "https://x.org/a b"])
def test_what_is_no_address_changes_nothing(project: Path, wrong: str) -> None:
    before = (project / "README.md").read_text("utf-8")
    with pytest.raises(ValueError, match="expected an address such as"):
        set_address(wrong, project)
    assert (project / "README.md").read_text("utf-8") == before


def test_the_documents_have_one_word_for_it() -> None:
    said = address(ROOT) or PLACEHOLDER
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for cloned in re.findall(r"git clone (\S+) dicetray\b", path.read_text("utf-8")):
            assert cloned == said, path
            assert path.relative_to(ROOT).as_posix() in DOCUMENTS
