"""Which USB cameras Linux has, by the names that people know them by.

A number such as that of /dev/video2 changes with the order of plugging in; the links in
/dev/v4l/by-id, which udev makes (its rules 60-persistent-v4l.rules), stay with the camera. Two of
one kind without serial numbers would share such a link, as would the colour and infrared parts of
one camera: each is named by the link in /dev/v4l/by-path, which stays with the USB port.
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


_INFRARED = re.compile(r"\bIR\b|infrared|hello", re.I)
"""Names of cameras that see in the dark to recognise faces, and no colours."""


@dataclass(frozen=True, slots=True)
class ListedCamera:
    """A camera that is there.

    Attributes:
        spec: what `open_camera` takes, by an unchanging name if there is one.
        name: as its maker calls it.
        built_in: whether it is part of the computer, and so looks at a face.
        number: of its device, which may change.
        doubtful: whether it may show something else than a table: one made by a program, or for
            infrared light. Nobody gets it unasked.
    """

    spec: str
    name: str
    built_in: bool = False
    number: int | None = None
    doubtful: bool = False


def can_capture(device: Path) -> bool:
    """True if a device gives pictures: most cameras have a second one for metadata."""
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
    found = dict[str, tuple[Path, str]]()
    for entry in sorted(classes.glob("video[0-9]*"), key=lambda path: (len(path.name), path.name)):
        where = str(entry.resolve())
        if ("/usb" in where or "/virtual/" in where) and captures(dev / entry.name):
            found[entry.name] = entry, where
    links = _links(dev / "v4l" / "by-id")
    makers = {node: _name(entry)[0] for node, (entry, _) in found.items()}
    shared = {maker for node, maker in makers.items() if node not in links}
    links = {node: link for node, link in links.items() if makers.get(node) not in shared}
    links = _links(dev / "v4l" / "by-path") | links
    listed = []
    for node, (entry, where) in found.items():
        name = " ".join(filter(None, _name(entry)))
        number = node.removeprefix("video")
        doubtful = "/virtual/" in where or bool(_INFRARED.search(name))
        spec = f"v4l2:{links.get(node, number)}"
        listed.append(
            ListedCamera(spec, name, _is_built_in(entry, name), int(number), doubtful=doubtful)
        )
    return tuple(sorted(listed, key=lambda camera: (camera.built_in, camera.doubtful)))


def _name(entry: Path) -> tuple[str, str]:
    """The name of a camera, and of its part where that says more than the name again."""
    name, _, part = _read(entry / "name").partition(": ")
    return name or entry.name, "" if name.startswith(part) else part


def usb_id_of(device: Path, classes: Path = _CLASSES) -> str:
    """The numbers of maker and product of a USB device's camera, such as `046d:0825`.

    Empty where they are not known, as for a camera that hangs on no USB and on other systems.
    """
    interface = (classes / device.resolve().name / "device").resolve()
    maker, product = (_read(interface.parent / name) for name in ("idVendor", "idProduct"))
    return f"{maker}:{product}".lower() if maker and product else ""


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
