"""Long work that is stopped says so and leaves no traceback."""

import os
import signal
from collections.abc import Iterator

import pytest

from scripts.campaign.stopping import STOPPED, run


@pytest.fixture(autouse=True)
def usual_signals() -> Iterator[None]:
    """Puts back what answers to `kill`."""
    signals = (signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(one) for one in signals]
    yield
    for one, handler in zip(signals, before, strict=True):
        signal.signal(one, handler)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_what_is_stopped_ends_in_a_sentence(
    stop: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(lambda: signal.raise_signal(stop)) == STOPPED
    assert capsys.readouterr().err.startswith("stopped;")


def test_what_ends_by_itself_keeps_its_exit_code() -> None:
    assert [run(lambda: 2), run(lambda: None)] == [2, 0]


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_worker_that_was_just_forked_ends_at_once(stop: signal.Signals) -> None:
    def main() -> int:
        child = os.fork()
        if child == 0:
            try:
                signal.raise_signal(stop)
            finally:
                # Not reached: what stands on the program's stack is the program's.
                os._exit(99)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)

    assert run(main) == STOPPED
