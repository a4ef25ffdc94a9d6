"""Keeps the menu's list of the Pi's own cameras, and changes to the one that is chosen there."""

import logging
from dataclasses import replace

from appliance.service.devices import Devices
from appliance.service.saved_console import SavedConsole

log = logging.getLogger(__name__)


class CameraChoice:
    """Which of the Pi's own cameras is used, where several are connected."""

    def __init__(self, saved: SavedConsole, devices: Devices) -> None:
        self._saved = saved
        self._devices = devices

    def work(self) -> None:
        """Takes note of the cameras that are there, and of what was chosen in the menu."""
        connectors, console = self._devices.connectors, self._saved.console
        if connectors is None:
            return
        if connectors.there != console.equipment.cameras:
            equipment = replace(console.equipment, cameras=connectors.there)
            self._saved.console = replace(console, equipment=equipment)
        chosen = console.settings.camera
        if chosen and chosen != connectors.chosen:
            log.info("changes to the camera %s", chosen)
            connectors.chosen = chosen
            if self._devices.camera is not None:
                self._devices.camera.restart()
