"""`dicetray doctor --bench`: its devices, real or simulated, and what stands in its way."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.cli.main import main
from appliance.cli.shared import first_build
from appliance.cli.shared.first_build import device_findings, typed_keys
from appliance.diagnostics import Level
from appliance.errors import ApplianceError
from appliance.terminal.keyboard import QUIT_ACTION, TYPED_PREFIX


class Keys:
    """A keyboard on which these keys are typed, one per poll, and after that only quit."""

    def __init__(self, *keys: str) -> None:
        self._keys = list(keys)
        self.closed = False

    def poll(self, *, naming: bool = False) -> list[str]:
        assert naming
        return [f"{TYPED_PREFIX}{self._keys.pop(0)}"] if self._keys else [QUIT_ACTION]

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(first_build, "state_folder", lambda: tmp_path)
    monkeypatch.setattr(first_build, "show", lambda: None)
    return tmp_path


def options(**changed: object) -> argparse.Namespace:
    start = {"config": None, "port": "", "camera": "sim", "buttons": "keyboard"}
    return argparse.Namespace(**start | changed)


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Keys]:
    keys = Keys("y", "y")
    monkeypatch.setattr(first_build, "Keyboard", lambda: keys)
    yield keys
    assert keys.closed


def test_a_simulated_camera_is_gone_through(state: Path, keyboard: Keys) -> None:
    found = list(device_findings(options(), ("lamp", "camera")))
    assert [f.subject for f in found] == [
        "lamp",
        "camera",
        "brightness",
        "banding",
        "focus",
        "view",
    ]
    assert {f.level for f in found} == {Level.OK}
    assert (state / first_build.BENCH_PICTURE).stat().st_size > 100_000


def test_the_lamp_warms_the_holder_while_the_camera_is_checked(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half an hour counts from the answer about the lamp on."""
    keys = Keys("y", *6 * "x", "y", "y")
    monkeypatch.setattr(first_build, "Keyboard", lambda: keys)
    looks = iter(range(0, 100_000, 300))
    found = list(device_findings(options(), ("lamp", "heat"), lambda: next(looks)))
    assert [(f.subject, f.level) for f in found] == [
        ("lamp", Level.OK),
        ("heat", Level.OK),
        ("heat", Level.OK),
    ]


def test_q_ends_it_and_gives_the_terminal_back(state: Path, keyboard: Keys) -> None:
    with pytest.raises(KeyboardInterrupt):
        list(device_findings(options(), ("lamp", "buttons")))


def test_a_machine_without_pins_is_a_finding(state: Path, keyboard: Keys) -> None:
    (finding,) = device_findings(options(buttons="gpio"), ("buttons",))
    assert (finding.subject, finding.level) == ("buttons", Level.WRONG)


def test_a_simulated_board_is_looked_at(state: Path, keyboard: Keys) -> None:
    found = list(device_findings(options(port="sim"), ("lights",)))
    assert [f.text for f in found][-1] == "all 16 modules"
    assert Level.WRONG not in {f.level for f in found}


def test_a_scoreboard_that_is_not_there_is_asked_no_more(state: Path, keyboard: Keys) -> None:
    found = list(device_findings(options(port=str(state / "none")), ("pico", "lights")))
    assert {f.level for f in found} == {Level.WRONG}


def test_a_running_service_has_the_devices(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_build, "show", lambda: {"ActiveState": "active"})
    with pytest.raises(ApplianceError, match="systemctl stop dicetray"):
        list(device_findings(options(), ("lamp",)))


def test_keys_that_are_typed_mean_characters_or_buttons() -> None:
    assert typed_keys([f"{TYPED_PREFIX}y", f"{TYPED_PREFIX}1", "left"]) == ["y", "hold1", "left"]


@pytest.mark.parametrize("words", [("--camera", "nonsense"), ("--config", "/nowhere"), ()])
def test_wrong_input_ends_in_a_line(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--bench", *words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("dicetray: ") and said.count("\n") == 1
