"""A PC is no appliance with parts missing: what it has is checked, the rest is one line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.cli import doctor
from appliance.cli.main import main
from appliance.config import CameraConfig, Config, ScoreboardConfig
from appliance.devices.camera.listing import ListedCamera
from appliance.diagnostics import Finding, Level, pc

WEBCAM = ListedCamera("v4l2:/dev/v4l/by-id/usb-046d_C920", "C920", number=2)
LID = ListedCamera("v4l2:0", "Integrated Camera", built_in=True, number=0)


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """The cameras that are checked, on a PC without a service that has both cameras."""
    seen = list[str]()

    def check(config: Config, camera: str) -> Iterator[Finding]:
        seen.append(camera or config.camera.source)
        yield Finding("camera", Level.OK, "it gives pictures")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(doctor, "DEFAULT_FILE", tmp_path / "nofile.toml")
    monkeypatch.setattr(doctor, "_check_camera", check)
    monkeypatch.setattr("appliance.devices.header.is_raspberry_pi", lambda: False)
    monkeypatch.setattr("appliance.diagnostics.machine.show", lambda: None)
    monkeypatch.setattr("appliance.devices.camera.webcams.webcams_here", lambda: (WEBCAM, LID))
    yield seen


def test_on_a_healthy_pc_nothing_is_wrong(
    looked_at: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "WRONG" not in said
    assert looked_at == [WEBCAM.spec]
    (lacking,) = [line for line in said.splitlines() if "scoreboard" in line]
    assert lacking.startswith("NOTE   appliance: a PC has no buttons, scoreboard or service")


def test_a_pc_without_a_webcam_is_told_so_and_is_not_wrong(
    looked_at: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.devices.camera.webcams.webcams_here", lambda: ())
    assert main(["doctor"]) == 0
    assert "NOTE   camera: no webcam is there" in capsys.readouterr().out
    # Who asks for the camera wants one.
    assert main(["doctor", "--only", "camera"]) == 1
    assert looked_at == []


@pytest.mark.parametrize(
    ("words", "wanted"),
    [(("--only", "camera"), WEBCAM.spec), (("--camera", "v4l2:7"), "v4l2:7")],
)
def test_the_camera_that_is_named_comes_first(
    looked_at: list[str], words: tuple[str, ...], wanted: str
) -> None:
    assert main(["doctor", *words]) == 0
    assert looked_at == [wanted]


@pytest.mark.parametrize("subject", ["buttons", "scoreboard"])
def test_what_is_named_is_checked_on_a_pc_too(looked_at: list[str], subject: str) -> None:
    assert main(["doctor", "--only", subject]) == 1


def test_an_appliance_is_checked_whole(tmp_path: Path) -> None:
    def service(state: str) -> dict[str, str]:
        return {"LoadState": state}

    (tmp_path / "board").touch()
    there = Config(scoreboard=ScoreboardConfig(port=str(tmp_path / "board")))
    gone = Config(scoreboard=ScoreboardConfig(port="/dev/ttyUSB9"))
    assert pc.is_appliance(Config(), is_pi=lambda: True, show=lambda: None)
    assert pc.is_appliance(Config(), is_pi=lambda: False, show=lambda: service("loaded"))
    assert pc.is_appliance(there, is_pi=lambda: False, show=lambda: None)
    assert pc.is_appliance(gone, is_pi=lambda: False, show=lambda: None)
    assert not pc.is_appliance(Config(), is_pi=lambda: False, show=lambda: service("not-found"))


def test_a_configured_camera_stays(looked_at: list[str]) -> None:
    config = Config(camera=CameraConfig(source="v4l2:5"))
    assert pc.with_webcam(config, (WEBCAM,), asked=False) == (config, None)
