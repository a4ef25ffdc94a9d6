"""What a PC is asked: without an appliance's parts, and with its own webcam."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from appliance.config import CameraConfig, Config, ScoreboardConfig
from appliance.devices.camera.listing import ListedCamera
from appliance.diagnostics import machine
from appliance.diagnostics.base import Finding, Level

APPLIANCE_ONLY = frozenset({"service", "power", "supply", "temperature", "buttons", "scoreboard"})
"""The subjects that only an appliance has."""


def is_appliance(
    config: Config,
    *,
    is_pi: Callable[[], bool],
    show: Callable[[], Mapping[str, str] | None] | None = None,
) -> bool:
    """True for a Raspberry Pi, a machine with the service, and one with a scoreboard.

    Args:
        config: a scoreboard that it names is wanted, whether it is there or not.
        is_pi: whether this machine is a Raspberry Pi.
        show: the properties of the service; None to ask systemd.
    """
    port = config.scoreboard.port
    return (
        is_pi()
        or port != ScoreboardConfig().port
        or Path(port).exists()
        or ((show or machine.show)() or {}).get("LoadState") == "loaded"
    )


def what_a_pc_lacks() -> Finding:
    """The one line for all that is not checked on a PC."""
    text = "a PC has no buttons, scoreboard or service of its own; keys or a page take their place"
    return Finding("appliance", Level.NOTE, text)


def with_webcam(
    config: Config, cameras: Sequence[ListedCamera], *, asked: bool
) -> tuple[Config, Finding | None]:
    """The configuration with the camera that is there, unless it names one of its own.

    Returns it, and a finding where nothing is left that could be looked at, which is wrong only
    where somebody has `asked` for the camera.
    """
    if config.camera.source != CameraConfig().source:
        return config, None
    if not cameras:
        text, advice = "no webcam is there", "plug one in, or: dicetray look --camera phone"
        level = Level.WRONG if asked else Level.NOTE
        return config, Finding("camera", level, text, advice)
    return replace(config, camera=replace(config.camera, source=cameras[0].spec)), None
