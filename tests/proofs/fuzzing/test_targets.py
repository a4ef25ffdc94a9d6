"""Examples and finds of `scripts/fuzz.py` are read or refused as documented."""

import pytest
import yaml

from scripts.fuzz import names
from tests.paths import ROOT
from tests.proofs.fuzzing.targets import FINDS, TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_examples_and_what_was_found_once_break_nothing(name: str) -> None:
    target = TARGETS[name]
    for example in target.examples(name):
        assert len(example) <= target.most_bytes or len(example) < 2 * target.most_bytes
        target.read(example)
        target.read(example[: len(example) // 2])


def test_each_find_belongs_to_a_target() -> None:
    assert {folder.name for folder in FINDS.glob("*")} <= TARGETS.keys()


def test_each_target_is_fuzzed_at_night() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/fuzz.yml").read_text("utf-8"))
    assert workflow["jobs"]["fuzz"]["strategy"]["matrix"]["target"] == list(TARGETS)
    assert names() == tuple(TARGETS)
