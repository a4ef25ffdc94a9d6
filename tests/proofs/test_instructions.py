"""Everyday commands execute no more instructions than in the last release."""

import shutil
import sys

import pytest

from scripts.count_costs import COMMANDS, COSTS_FILE, Release, count_instructions

RELEASE = Release.read(COSTS_FILE.read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
@pytest.mark.skipif(
    sys.version_info[:2] != RELEASE.python, reason="another Python counts otherwise"
)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_executes_no_more_than_in_the_last_release(name: str) -> None:
    assert list(RELEASE.faults({name: {"million_instructions": count_instructions(name)}})) == []
