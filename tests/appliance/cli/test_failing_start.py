"""`dicetray run` as systemd starts it, with a fault in one phase of its start."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path

import pytest

from appliance.cli.shared.boards import TextBoard
from appliance.screens.drawing import two_lines
from appliance.service.phase import Phase
from appliance.service.starts import STARTS_FILE, Failed
from tests.paths import ROOT
from tests.rigs.unit_file import result_of, stop_post
from tests.rigs.warm import Warm

PATIENCE_S = 60.0
"""For two busy cores; nothing waits for so long."""
NEEDED = (Phase.PROGRAM, Phase.PROMPT)

pytestmark = pytest.mark.slow


class Service:
    """The service of a machine, whose folders are in one that is given."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.record = folder / STARTS_FILE
        config = folder / "dicetray.toml"
        config.write_text(f'[camera]\nsource = "v4l2:{folder}/none"\n')
        self._arguments = ("run", "--config", str(config), "--board", "text")

    @contextmanager
    def started(self, phase: str, fault: str) -> Iterator["Start"]:
        """A start that is killed in the end, if it has not ended."""
        notify = self._folder / f"notify-{time.monotonic_ns()}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
            heard.bind(str(notify))
            heard.settimeout(0.2)
            environment = os.environ | {
                "NOTIFY_SOCKET": str(notify),
                "RUNTIME_DIRECTORY": str(self._folder),
                "STATE_DIRECTORY": str(self._folder),
                "PYTHONPATH": str(ROOT),
                "GPIOZERO_PIN_FACTORY": "mock",
            }
            with self._process(phase, (phase, fault, *self._arguments), environment) as process:
                try:
                    yield Start(process, heard)
                finally:
                    process.kill()

    def _process(
        self, phase: str, words: Sequence[str], environment: Mapping[str, str]
    ) -> "subprocess.Popen[str] | Warm":
        if phase == Phase.PLUG_INS.key:
            # Then nothing is imported yet.
            return subprocess.Popen(
                (sys.executable, "-m", "tests.rigs.start_faults", *words),
                env=environment,
                cwd=self._folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        function = "tests.rigs.start_faults:main"
        return Warm(words, environment, self._folder, function, stderr=subprocess.STDOUT)


class Start:
    """A start that goes on."""

    def __init__(self, process: "subprocess.Popen[str] | Warm", heard: socket.socket) -> None:
        self._process, self._heard = process, heard
        self.said: list[str] = []

    def until(self, line: str) -> bool:
        """True if systemd hears this before the process ends."""
        end_s = time.monotonic() + PATIENCE_S
        while line not in self.said and time.monotonic() < end_s:
            with suppress(TimeoutError):
                self.said.append(self._heard.recv(4096).decode())
                continue
            if self._process.poll() is not None:
                break
        return line in self.said

    def end(self, how: signal.Signals) -> tuple[int, str]:
        """Its exit status and what it has printed, after a signal."""
        self._process.send_signal(how)
        printed, _ = self._process.communicate(timeout=PATIENCE_S)
        return self._process.wait(), printed


def picture(*lines: str) -> str:
    """The board's printed form of two lines."""
    out = StringIO()
    TextBoard(out).show(two_lines(*lines))
    return out.getvalue()


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


def fail(service: Service, phase: Phase, fault: str) -> Failed:
    """A start that is ended as systemd does in what the fault makes of it; its record."""
    with service.started(phase.key, fault) as start:
        if fault == "crashes":
            assert not start.until("READY=1")
            assert start.end(signal.SIGCONT)[0] == -signal.SIGABRT
            result = "core-dump"
        else:
            assert start.until(f"STATUS={phase.sentence}")
            assert "READY=1" not in start.said
            assert start.end(signal.SIGKILL)[0] == -signal.SIGKILL
            result = "timeout"
    stop_post(service.record.parent, result)
    last = service.record.read_text().splitlines()[-1]
    return Failed(*last.split(" "))


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in NEEDED])
@pytest.mark.parametrize("fault", ["hangs", "crashes"])
def test_the_fourth_start_leaves_out_what_the_third_did_not_get_past(
    service: Service, phase: Phase, fault: str
) -> None:
    result = "timeout" if fault == "hangs" else "core-dump"
    version = str(Path(sys.prefix).resolve())
    service.record.write_text(f"2 {version}\n{phase.key} {result}\n{phase.key} {result}\n")
    assert fail(service, phase, "holds" if phase is Phase.CAMERA and fault == "hangs" else fault)
    with service.started(phase.key, fault) as start:
        assert start.until("READY=1"), start.end(signal.SIGKILL)
        assert start.until("STATUS=safe mode - run doctor")
        status, printed = start.end(signal.SIGTERM)
    assert status == 0
    assert "3 starts have failed" in printed
    if phase is not Phase.BOARD:
        line = "START HANGS:" if fault == "hangs" else "START FAILED:"
        assert picture(line, phase.word) in printed
    assert service.record.exists(), "only systemd knows that this was an end in order"
    stop_post(service.record.parent, "success")
    assert not service.record.exists()


@pytest.mark.parametrize(("phase", "ends_with"), [(Phase.PLUG_INS, 143), (Phase.GAMES, 0)])
def test_only_systemd_takes_the_count_back_of_a_start_that_was_told_to_end(
    service: Service, phase: Phase, ends_with: int
) -> None:
    """A service that hangs gets the same signal."""
    with service.started(phase.key, "hangs") as start:
        assert start.until(f"STATUS={phase.sentence}")
        status, printed = start.end(signal.SIGTERM)
    assert status == ends_with, printed
    assert service.record.read_text().endswith(f"\n{phase.key}")
    stop_post(service.record.parent, result_of(status))
    assert not service.record.exists()
