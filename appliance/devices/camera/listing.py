"""Which USB cameras Linux has, by the names that people know them by.

A number such as that of /dev/video2 changes with the order of plugging in; the links in
/dev/v4l/by-id, which udev makes (its rules 60-persistent-v4l.rules), stay with the camera.
"""

import re
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_QUERY_CAPABILITIES = 0x80685600  # VIDIOC_QUERYCAP, include/uapi/linux/videodev2.h
_CAPABILITY = struct.Struct("16s32s32sIII12x")
"""`struct v4l2_capability`: driver, card, bus, version, capabilities, those of this device."""
_CAPTURES = 0x1  # V4L2_CAP_VIDEO_CAPTURE

_CLASSES = Path("/sys/class/video4linux")

_BUILT_IN = re.compile(
    r"integrated|built-?in|facetime|easycamera|truevision|user facing|front camera|laptop", re.I
)
"""Names of cameras in lids of laptops, where the kernel does not know where a device sits."""


@dataclass(frozen=True, slots=True)
class ListedCamera:
    """A camera that is there.

    Attributes:
        spec: what `open_camera` takes, by an unchanging name if there is one.
        name: as its maker calls it.
        built_in: whether it is part of the computer, and so looks at a face.
        number: of its device, which may change.
    """

    spec: str
    name: str
    built_in: bool = False
    number: int | None = None


def can_capture(device: Path) -> bool:
    """Whether a device gives pictures: most cameras have a second one for metadata."""
    try:
        from fcntl import ioctl
    except ModuleNotFoundError:  # only Linux has these devices
        return False
    answer = bytearray(_CAPABILITY.size)
    try:
        with device.open("rb", buffering=0) as file:
            ioctl(file, _QUERY_CAPABILITIES, answer)
    except OSError:
        # One that may not be opened is listed: opening it says why.
        return device.exists()
    return bool(_CAPABILITY.unpack(answer)[5] & _CAPTURES)


def list_cameras(
    dev: Path = Path("/dev"),
    classes: Path = _CLASSES,
    captures: Callable[[Path], bool] = can_capture,
) -> tuple[ListedCamera, ...]:
    """The cameras that are plugged in, those of the computer itself last.

    The camera of a Raspberry Pi and its processors of pictures, which have devices too, are left
    out: they hang on no USB and are not virtual.
    """
    links = _links(dev / "v4l" / "by-id")
    found = []
    for entry in sorted(classes.glob("video[0-9]*"), key=lambda path: (len(path.name), path.name)):
        device, where = dev / entry.name, str(entry.resolve())
        if ("/usb" not in where and "/virtual/" not in where) or not captures(device):
            continue
        name = _read(entry / "name").partition(": ")[0] or entry.name
        number = entry.name.removeprefix("video")
        spec = f"v4l2:{links.get(entry.name, number)}"
        found.append(ListedCamera(spec, name, _is_built_in(entry, name), int(number)))
    return tuple(sorted(found, key=lambda camera: camera.built_in))


def usb_id_of(device: Path, classes: Path = _CLASSES) -> str:
    """The numbers of maker and product of a USB device's camera, such as `046d:0825`.

    Empty where they are not known, as for a camera that hangs on no USB and on other systems.
    """
    with suppress(OSError):
        interface = (classes / device.resolve().name / "device").resolve(strict=True)
        maker, product = (_read(interface.parent / name) for name in ("idVendor", "idProduct"))
        if maker and product:
            return f"{maker}:{product}".lower()
    return ""


def _links(folder: Path) -> dict[str, Path]:
    """The unchanging path of each device by its name, such as `video0`."""
    with suppress(OSError):
        return {link.resolve().name: link for link in sorted(folder.iterdir(), reverse=True)}
    return {}


def _is_built_in(entry: Path, name: str) -> bool:
    """By what the firmware says of the USB port, else by the name.

    `removable` is "fixed" for what cannot be unplugged; the kernel infers it from hubs and ACPI
    (Documentation/ABI/testing/sysfs-devices-removable).
    """
    with suppress(OSError):
        interface = (entry / "device").resolve(strict=True)
        removable = _read(interface.parent / "removable")
        if removable in ("fixed", "removable"):
            return removable == "fixed"
    return bool(_BUILT_IN.search(name))


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
