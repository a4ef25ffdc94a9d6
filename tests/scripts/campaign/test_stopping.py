"""Long work that is stopped says so and leaves no traceback."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from scripts.campaign.stopping import STOPPED, run, workers


@pytest.fixture(autouse=True)
def usual_signals() -> Iterator[None]:
    """Restores the handlers of the signals that stop a program."""
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


BESIDE_THREADS = """
import cv2, numpy as np
from scripts.campaign.stopping import workers
if __name__ == "__main__":
    cv2.setNumThreads(2)
    cv2.GaussianBlur(np.zeros((2000, 2000, 3), np.uint8), (0, 0), 5)
    with workers(1) as pool:
        pool.map(cv2.setNumThreads, [1])
"""


def test_workers_work_beside_threads_of_opencv(tmp_path: Path) -> None:
    """They did not when they were forked: `setNumThreads` waited for threads that were not there.

    The timeout ends the test should that come back; it measures nothing.
    """
    program = tmp_path / "program.py"
    program.write_text(BESIDE_THREADS, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, program], env=environment, timeout=60).returncode == 0


def test_workers_use_one_core_each() -> None:
    with workers(1) as pool:
        assert pool.apply(cv2.getNumThreads) == 1


def interrupted(times: int) -> int:
    """A worker's task that is hit by Ctrl+C."""
    for _ in range(times):
        signal.raise_signal(signal.SIGINT)
    return times


def test_workers_leave_ctrl_c_to_the_program() -> None:
    own = signal.getsignal(signal.SIGINT)
    with workers(1) as pool:
        assert pool.map(interrupted, [3]) == [3]
    assert signal.getsignal(signal.SIGINT) == own
