"""Puts the firmware's checked package into every build; everything else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# A build has no packages but its own tools.
sys.path.insert(0, str(Path(__file__).parent))
from appliance.devices.flash.package import SHIPPED_PACKAGE, Package


class WithFirmware(build_py):
    """Writes firmware/package.zip from the firmware's sources, the same bytes every time."""

    def run(self) -> None:
        """Builds as usual; an editable install has the sources instead."""
        super().run()
        if not self.editable_mode:
            folder = Path(self.build_lib) / "firmware"
            Package.from_folder(folder).write_zip(folder / SHIPPED_PACKAGE)

    def get_outputs(self, include_bytecode: bool = True) -> "list[str]":
        """The files that `run` writes."""
        return [
            *super().get_outputs(include_bytecode),
            str(Path(self.build_lib) / "firmware" / SHIPPED_PACKAGE),
        ]


setup(cmdclass={"build_py": WithFirmware})
