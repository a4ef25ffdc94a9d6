"""Fixtures that the appliance's tests share."""

from collections.abc import Iterator

import pytest

from tests.rigs.strict_drawing import strict_drawing


@pytest.fixture(autouse=True, scope="session")
def _nothing_is_drawn_off_the_board() -> Iterator[None]:
    """At the table a light outside the board is ignored; here it is an error."""
    with strict_drawing():
        yield
