#!/usr/bin/env python3
"""Sends the scoreboard's Pico to its REPL or boot loader, for flashing.

    .venv/bin/python scripts/hardware/board_service.py /dev/ttyACM0 repl|bootloader

Stop the dicetray service first: it holds the port.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from appliance.devices.scoreboard.serial_port import ask_firmware_to_exit
from appliance.errors import ScoreboardError
from firmware import framing

_WORDS = {"repl": framing.SERVICE_REPL, "bootloader": framing.SERVICE_BOOTLOADER}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("port", help="serial port of the scoreboard")
    parser.add_argument("where", choices=sorted(_WORDS))
    options = parser.parse_args()
    try:
        heard = ask_firmware_to_exit(options.port, _WORDS[options.where])
    except ScoreboardError as error:
        print(f"board_service: {error}", file=sys.stderr)
        return 2
    if not heard:
        print(
            f"board_service: expected a scoreboard's firmware on {options.port}, heard none; "
            "hold GP22 to GND or BOOTSEL while plugging in instead",
            file=sys.stderr,
        )
        return 2
    print(f"asked the scoreboard for its {options.where}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
