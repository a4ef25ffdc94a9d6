"""`dicetray mqtt`: tells a message broker how the game stands."""

import argparse
import sys
from functools import partial
from pathlib import Path
from socket import gethostname
from threading import Event

from appliance.config import load
from appliance.config.paths import DEFAULT_FILE, runtime_folder
from appliance.devices.supervised import supervised
from appliance.errors import ApplianceError
from appliance.journal.origin import own_version
from appliance.service.broadcast import NO_STREAM, SOCKET_FILE
from appliance.words import set_language


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = "Publishes the game to the broker in [mqtt] of the configuration."
    command.add_argument("--config", type=Path, default=DEFAULT_FILE, metavar="FILE")
    command.set_defaults(func=main, ends_when_told=True)


def main(args: argparse.Namespace) -> int:
    """Publishes until a signal comes."""
    if sys.platform == "win32":
        raise ApplianceError(NO_STREAM, "publish it from the Pi, or from Linux or macOS")
    # An extra that only this process uses.
    from appliance.mqtt.broker import Bridge

    config = load(args.config)
    set_language(config.scoreboard.language)
    bridge, stop = Bridge(config.mqtt), Event()
    page = f"http://{gethostname()}.local:{config.web.port}/"
    follow = partial(
        bridge.follow,
        runtime_folder() / SOCKET_FILE,
        own_version(),
        stop,
        page if config.web.serve == "network" else "",
    )
    supervised("tray", follow, stop).start()
    try:
        bridge.keep_connected()
    finally:
        stop.set()
    return 0
