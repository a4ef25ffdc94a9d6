"""Devices in this machine's USB ports, as Linux lists them in /sys.

USB IDs: vendor 2e8a is Raspberry Pi; its products are listed in
https://github.com/raspberrypi/usb-pid (README). Picos with MicroPython report 0005.
"""

from dataclasses import dataclass
from pathlib import Path

SYSFS = Path("/sys/bus/usb/devices")

_RASPBERRY_PI_VENDOR = "2e8a"
_MICROPYTHON_PRODUCT = "0005"
_BOOT_LOADER_PRODUCTS = {"0003": "RP2040", "000f": "RP2350"}
_BUILDS = {
    "RP2040": "RPI_PICO or RPI_PICO_W",
    "RP2350": "RPI_PICO2 or RPI_PICO2_W",
}
"""MicroPython's names of the boards with each chip: a chip takes no other's file."""


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """One device.

    Attributes:
        vendor: four hexadecimal digits.
        product: four hexadecimal digits.
        name: what it calls itself.
        ports: its serial ports, such as "/dev/ttyACM0".
    """

    vendor: str
    product: str
    name: str = ""
    ports: tuple[str, ...] = ()

    @property
    def is_micropython(self) -> bool:
        """True for a Pico that runs MicroPython."""
        return (self.vendor, self.product) == (_RASPBERRY_PI_VENDOR, _MICROPYTHON_PRODUCT)

    @property
    def boot_loader(self) -> str:
        """The chip whose boot loader it is; empty if it is not one."""
        return (
            _BOOT_LOADER_PRODUCTS.get(self.product, "")
            if self.vendor == _RASPBERRY_PI_VENDOR
            else ""
        )

    @property
    def is_other_program(self) -> bool:
        """True for a Pico that runs something else: it calls itself one, or its USB ID does."""
        pico = self.vendor == _RASPBERRY_PI_VENDOR or "pico" in self.name.lower()
        return pico and not (self.is_micropython or self.boot_loader)

    def __str__(self) -> str:
        """For people to read."""
        return f"{self.name or 'a device without a name'} ({self.vendor}:{self.product})"


def devices(root: Path = SYSFS) -> tuple[UsbDevice, ...]:
    """All devices; none where there is no /sys, as in many containers."""
    folders = (path.parent for path in sorted(root.glob("*/idVendor")) if path.is_file())
    return tuple(_read_usb_device(folder) for folder in folders)


def _read_usb_device(folder: Path) -> UsbDevice:
    files = ("idVendor", "idProduct", "manufacturer", "product")
    vendor, product, maker, name = (_read_attribute(folder / file) for file in files)
    ports = sorted({path.name for path in folder.glob("*:*/tty/*")})
    names = " ".join(filter(None, (maker, name)))
    return UsbDevice(vendor, product, names, tuple(f"/dev/{port}" for port in ports))


def usb_device_behind(port: str, root: Path = SYSFS) -> UsbDevice | None:
    """The device behind a serial port or a link to one; None if it is not on USB."""
    real = str(Path(port).resolve())
    return next((device for device in devices(root) if real in device.ports), None)


def missing_port(port: str, root: Path = SYSFS) -> tuple[str, str]:
    """Why a serial port may be missing, and what to do, by what there is on USB.

    A Pico in its boot loader comes first, then one with another program, one at another port, and
    one without any; where there is none at all, its cable may carry no data.
    """
    found = devices(root)
    gone = f"there is no port {port}"
    for device in found:
        if chip := device.boot_loader:
            return (
                f"{gone}, a Pico is in its boot loader ({chip})",
                "plug it in again without BOOTSEL; if it stays there, it has no MicroPython, or "
                f"that of another board: copy MicroPython 1.25 or later for {_BUILDS[chip]} (.uf2) "
                "onto its drive and run `dicetray flash`",
            )
    for device in found:
        if device.is_other_program:
            return (
                f"{gone}, a Pico runs another program than MicroPython: {device}",
                "hold BOOTSEL while plugging it in, copy MicroPython 1.25 or later (.uf2) onto the "
                "drive that appears, and run `dicetray flash`",
            )
    for device in found:
        if device.is_micropython and device.ports:
            return (
                f"{gone}, but a Pico is at {', '.join(device.ports)}",
                "set `port` in the configuration, or install the udev rules",
            )
    if any(device.is_micropython for device in found):
        return (
            f"{gone}, a Pico with MicroPython is there, but has no port",
            "plug it in again; if that does not help, load the kernel's module: "
            "`sudo modprobe cdc_acm`",
        )
    return (
        f"{gone}, and no Pico on USB",
        "put the scoreboard's cable in, one that carries data: many only charge, and a board on "
        "such a cable lights up all the same, with NO LINK",
    )


def _read_attribute(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
