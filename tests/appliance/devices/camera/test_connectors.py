"""Which of the cameras on a Pi's connectors is used, on a fake libcamera."""

import logging
from itertools import islice

import pytest

from appliance.devices.camera.connectors import Connectors
from appliance.devices.camera.open import open_camera
from appliance.devices.camera.pi import PiCamera
from appliance.errors import CameraError
from tests.appliance.devices.camera.test_threaded import FakeLibcamera, FakePicamera2, loader
from tests.rigs.on_demand import on_demand

TWO = ["imx708", "imx477"]


def opened(models: list[str], configured: str = "", chosen: str = "") -> tuple[int, Connectors]:
    """The number of the camera that is opened among these, and what is known afterwards."""
    libcamera, connectors = FakeLibcamera(), Connectors(chosen=chosen)
    libcamera.models = models
    camera = on_demand(
        PiCamera(
            load=loader(FakePicamera2(), libcamera),
            wait=lambda _: None,
            camera=configured,
            connectors=connectors,
        )
    )
    assert len(list(islice(camera.frames(), 1))) == 1
    camera.close()
    (number,) = libcamera.opened
    return number, connectors


@pytest.mark.parametrize(
    ("models", "configured", "chosen", "number"),
    [
        (TWO, "", "", 0),
        (TWO, "1", "", 1),
        (TWO, "imx477", "", 1),
        (TWO, "1", "imx708", 0),
        (["imx708", "imx708"], "", "imx708 1", 1),
        (["imx708", "imx708"], "imx708", "", 0),
        (["USB Camera", "imx708"], "", "", 1),
        (["USB Camera", "imx708", "imx219"], "1", "", 2),
    ],
)
def test_the_one_that_was_chosen_is_used(
    models: list[str], configured: str, chosen: str, number: int
) -> None:
    """At the board before the settings; what hangs on USB is never counted."""
    assert opened(models, configured, chosen)[0] == number


def test_the_first_of_two_is_said_to_be_a_guess(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        _, connectors = opened(TWO)
    assert connectors.there == ("imx708", "imx477")
    assert "nobody has chosen: imx708, imx477" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        opened(TWO, configured="0")
        opened(["imx708"])
    assert caplog.text == ""


def test_other_cameras_are_said_to_be_a_guess_anew(caplog: pytest.LogCaptureFixture) -> None:
    libcamera = FakeLibcamera()
    camera = on_demand(PiCamera(load=loader(FakePicamera2(), libcamera), wait=lambda _: None))
    for models in (TWO, TWO, ["imx477", "imx219"]):
        libcamera.models = models
        with caplog.at_level(logging.WARNING):
            assert len(list(islice(camera.frames(), 1))) == 1
    camera.close()
    guesses = [record.getMessage() for record in caplog.records]
    assert [said.rpartition(": ")[2] for said in guesses] == ["imx708, imx477", "imx477, imx219"]


def test_one_that_is_not_there_is_not_replaced_by_another() -> None:
    with pytest.raises(CameraError, match=r"expected the camera imx477, found 0 \(imx708\); look"):
        opened(["imx708"], configured="imx477")


def test_a_webcam_is_no_camera_of_the_connectors() -> None:
    with pytest.raises(CameraError, match="no camera was found"):
        opened(["USB Camera"])


@pytest.mark.parametrize(
    "wrong", ["pi:?camera=IMX708", "pi:?camera=", "pi:?lens=0", "pi:?lens=6cm", "v4l2:0?lens=6"]
)
def test_a_wrong_option_is_refused(wrong: str) -> None:
    with pytest.raises(CameraError, match="expected"):
        open_camera(wrong)
