"""All examples of the tests of the service and its simulator."""

import pytest

from tests.proofs.examples.rooms import try_all


@pytest.mark.slow
def test_all_examples_pass() -> None:
    try_all("service")
