"""`dicetray flash`: puts the scoreboard's firmware on a Pico."""

import argparse
import sys
from pathlib import Path

from appliance.config import Config, load
from appliance.devices.flash.layouts import DEFAULT_LAYOUT, LAYOUTS
from appliance.errors import FirmwareError, printable
from vision.files.ordinary import ordinary_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    parser.description = (
        "Puts the scoreboard's firmware on a Pico that runs MicroPython, through its "
        "USB port, verifies every file by its hash, and waits until the board says HELLO with the "
        "new build. Stop the service first: systemctl stop dicetray."
    )
    add = parser.add_argument
    add("--port", help="serial port; default: the configured one, or the only Pico")
    add("--config", type=ordinary_path, help="configuration file (TOML)")
    add(
        "--package",
        type=ordinary_path,
        help="firmware package (zip); default: this program's own firmware",
    )
    add(
        "--layout",
        choices=LAYOUTS,
        help="how the scoreboard's modules are mounted (docs/scoreboard.md); default: the layout "
        f"that the Pico was given before, or {DEFAULT_LAYOUT}",
    )
    add(
        "--local-config",
        type=ordinary_path,
        metavar="FILE",
        help="your own settings of the firmware, for local_config.py on the Pico; the earlier ones "
        "are kept beside it",
    )
    add("--dry-run", action="store_true", help="only check the package and look for the Pico")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Flashes; 0 when the board has said HELLO with the new build."""
    from appliance.devices.flash.package import Package, local_config
    from appliance.devices.flash.pico import flash

    package = Package.from_zip(args.package) if args.package else Package.shipped()
    print(f"firmware {package.version:s} build {package.build:s}, {len(package.files):d} files")
    local = local_config(args.local_config) if args.local_config else None
    layout = LAYOUTS[args.layout] if args.layout else None
    config = load(args.config) if args.config else Config()
    if sys.platform == "win32" and not args.dry_run:
        raise FirmwareError("the firmware is put on a Pico from Linux or macOS, found Windows")
    port = args.port or find_port(config.scoreboard.port)
    if args.dry_run:
        print(f"would flash {printable(port)}")
        return 0
    flashed = flash(
        port,
        package,
        layout=layout,
        local=local,
        report=lambda line: print(line, flush=True),
    )
    print(
        f"the board {flashed.unique_id} runs firmware {flashed.version:s} build {flashed.build:s}, "
        f"{flashed.files} files verified; its layout is {flashed.layout}"
    )
    print("the self-test shows 1 to 8 and 9 to G upright and in order; if not: docs/scoreboard.md")
    return 0


def find_port(configured: str) -> str:
    """The configured port if it is there, else that of the only Pico with MicroPython.

    FirmwareError if there is none, or there are several.
    """
    from appliance.devices.scoreboard.usb import devices, missing_port

    if Path(configured).exists():
        return configured
    found = devices()
    ports = [port for device in found if device.is_micropython for port in device.ports]
    if len(ports) == 1:
        return ports[0]
    if ports:
        raise FirmwareError(f"expected one Pico, found {', '.join(ports)}; name one with --port")
    raise FirmwareError(*missing_port(configured))
