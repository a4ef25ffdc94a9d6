"""All examples of the tests of the rules of all games."""

import pytest

from tests.proofs.examples.rooms import try_all


@pytest.mark.slow
def test_all_examples_pass() -> None:
    try_all("rules")
