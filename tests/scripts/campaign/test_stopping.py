"""Long work that is stopped says so and leaves no traceback."""

import signal
from collections.abc import Iterator

import pytest

from scripts.campaign.stopping import STOPPED, run


@pytest.fixture(autouse=True)
def usual_signals() -> Iterator[None]:
    """Puts back what answers to `kill`."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_what_is_stopped_ends_in_a_sentence(
    stop: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(lambda: signal.raise_signal(stop)) == STOPPED
    assert capsys.readouterr().err.startswith("stopped;")


def test_what_ends_by_itself_keeps_its_exit_code() -> None:
    assert [run(lambda: 2), run(lambda: None)] == [2, 0]
