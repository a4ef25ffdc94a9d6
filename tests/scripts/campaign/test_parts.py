"""A long piece of work is divided into parts."""

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.campaign.parts import Part, part


@given(st.integers(0, 200), st.integers(1, 12))
def test_all_parts_together_are_the_work_and_nothing_is_done_twice(count: int, of: int) -> None:
    shares = [Part(k, of).share(range(count)) for k in range(1, of + 1)]
    assert sorted(unit for share in shares for unit in share) == list(range(count))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_without_a_part_all_is_done() -> None:
    assert Part().share("abc") == ["a", "b", "c"]


def test_a_part_is_written_with_a_slash() -> None:
    assert part("2/4") == Part(2, 4)


@pytest.mark.parametrize("text", ["", "2", "0/4", "5/4", "1/0", "-1/4", "a/b", "1/2/3", "1.5/2"])
def test_what_is_no_part_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="K/N"):
        part(text)
