"""Whatever is left, in whatever way and at whatever moment: nothing of it stays."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from appliance.cli.shared.leaving import THREADS_HAVE_S
from tests.rigs.leaving import (
    CLOSED,
    GONE_WITHIN_S,
    HAMMERED,
    KEY,
    Trial,
    leave,
    stand_in_camera,
)

ENDS = """
import cv2, numpy as np
import threading, time
from appliance.cli.shared.leaving import leave
image = np.zeros((2000, 2000, 3), np.uint8)
sleeps = lambda: time.sleep(600)
in_native_code = lambda: [cv2.blur(image, (9, 9)) for _ in iter(int, 1)]
for daemon in (True, False):
    for work in (sleeps, in_native_code):
        threading.Thread(target=work, daemon=daemon).start()
print("said", end="")
leave(3)
"""


@pytest.mark.slow
def test_no_thread_keeps_the_process_or_changes_its_status() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "said", "")


@pytest.mark.slow
def test_a_thread_that_is_just_being_started_is_no_trouble() -> None:
    # As `Thread.start` leaves it until the thread runs: listed, and not to be joined.
    starting = """
import threading
from appliance.cli.shared.leaving import leave
late = threading.Thread(target=print)
threading._limbo[late] = late
assert late in threading.enumerate()
leave(3)
"""
    done = subprocess.run(
        [sys.executable, "-c", starting], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")


def test_threads_have_less_time_than_the_process() -> None:
    assert min(2.0, GONE_WITHIN_S / 2) >= THREADS_HAVE_S


@pytest.fixture(scope="module")
def camera() -> Iterator[str]:
    with stand_in_camera() as spec:
        yield spec


@pytest.mark.slow
@pytest.mark.parametrize(
    "trial",
    [
        Trial("menu", "SIGHUP", 0.2),
        Trial("W", KEY, 2.0),
        Trial("W", "Ctrl-C", 3.0),
        Trial("P", KEY, 0.3),
        Trial("P", "SIGTERM", 1.5),
        Trial("T", HAMMERED, 2.5),
        Trial("C", CLOSED, 1.5),
        Trial("B", "SIGTERM", 1.5),
        Trial("look", "SIGTERM", 2.0),
        Trial("run", HAMMERED, 3.0),
        Trial("service", "SIGHUP", 2.5),
        Trial("calibrate", "SIGTERM", 1.5),
    ],
    ids=lambda trial: f"{trial.program}-{trial.way}",
)
def test_nothing_stays_of_what_is_left(trial: Trial, camera: str) -> None:
    left = leave(trial, camera)
    assert not left.wrong, left.said
