"""Runs the simulated board on the real chip's MicroPython, in an emulator.

It needs a folder in which MicroPython for the RP2040 was built and the emulator installed:
``pico/firmware.uf2``, ``pico/bootrom.json``, ``npm/node_modules/rp2040js``, and a Python with
littlefs (``cache/lfsv/bin/python``); and Node.js.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.devices.flash.package import Package
from simulator.pico.micropython import Interpreter

HERE = Path(__file__).parent
_IMAGE = "flash.img"
# An empty Pico sends nothing by itself; the simulated board waits for its first output.
_MAIN = b"import time\nfor n in range(6):\n    time.sleep_ms(500)\n    print('MicroPython is up')\n"
# The board RPI_PICO: 1408 KiB of files in blocks of 4096 bytes; littlefs 2.0 as in MicroPython.
_MAKE_IMAGE = """
import sys
from pathlib import Path
from littlefs import LittleFS
fs = LittleFS(block_size=4096, block_count=352, disk_version=0x20000)
for name in sys.argv[2:]:
    with fs.open(Path(name).name, "wb") as f:
        f.write(Path(name).read_bytes())
Path(sys.argv[1]).write_bytes(fs.context.buffer)
"""


@dataclass(frozen=True, slots=True)
class Emulator(Interpreter):
    """Runs the firmware on an emulated RP2040.

    Attributes:
        lab: the folder with MicroPython and the emulator.
        empty: start without the firmware's files.
    """

    lab: Path = Path()
    empty: bool = False

    @classmethod
    def at(cls, lab: Path, *, empty: bool = False) -> "Emulator":
        """The emulator in a folder.

        Raises:
            FileNotFoundError: something is missing there.
        """
        for name in ("pico/firmware.uf2", "pico/bootrom.json", "npm/node_modules/rp2040js"):
            if not (lab / name).exists():
                raise FileNotFoundError(f"{lab / name} is missing")
        return cls(Path("node"), True, "MicroPython on an emulated RP2040", lab, empty)

    def command(self, firmware: Path, state: Path) -> Sequence[str]:
        """Makes the flash image if there is none yet, and returns the emulator's command."""
        image = state / _IMAGE
        if not image.exists():
            staged = state / "staged"
            staged.mkdir(exist_ok=True)
            files = {"main.py": _MAIN} if self.empty else dict(Package.from_folder(firmware).files)
            files["local_config.py"] = (state / "local_config.py").read_bytes()
            for name, content in files.items():
                (staged / name).write_bytes(content)
            python = str(self.lab / "cache" / "lfsv" / "bin" / "python")
            paths = [str(staged / name) for name in files]
            subprocess.run([python, "-c", _MAKE_IMAGE, str(image), *paths], check=True)
        lab = self.lab
        return [
            "node",
            str(HERE / "pico_emu.mjs"),
            str(lab / "npm" / "node_modules"),
            str(lab / "pico" / "firmware.uf2"),
            str(lab / "pico" / "bootrom.json"),
            str(image),
        ]

    def environment(self, firmware: Path, state: Path) -> dict[str, str]:
        """None: the firmware is in the image."""
        return {}
