"""Which cameras are listed, by a tree like the kernel's /sys and udev's links."""

from pathlib import Path

import pytest

from appliance.devices.camera.listing import ListedCamera, can_capture, list_cameras, usb_id_of
from appliance.terminal.looking import named_camera


class Machine:
    """A /dev and a /sys with cameras."""

    def __init__(self, folder: Path) -> None:
        self.dev, self.classes = folder / "dev", folder / "class"
        self._devices = folder / "devices"
        self.dumb = set[str]()
        for path in (self.dev / "v4l/by-id", self.dev / "v4l/by-path", self.classes):
            path.mkdir(parents=True)

    def plug(
        self, number: int, name: str, bus: str = "pci/usb1/1-2", removable: str = "", link: str = ""
    ) -> None:
        device = self._devices / bus
        interface = device / f"{device.name}:1.{number}"
        node = interface / f"video4linux/video{number}"
        node.mkdir(parents=True)
        (node / "name").write_text(f"{name}\n")
        (node / "device").symlink_to(interface)
        if removable:
            (device / "removable").write_text(f"{removable}\n")
        (self.classes / node.name).symlink_to(node)
        (self.dev / node.name).touch()
        if link:
            (self.dev / "v4l/by-id" / link).symlink_to(self.dev / node.name)

    def cameras(self) -> tuple[ListedCamera, ...]:
        return list_cameras(self.dev, self.classes, lambda path: path.name not in self.dumb)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_camera_has_its_makers_name_and_a_path_that_stays(machine: Machine) -> None:
    machine.plug(2, "HD Pro Webcam C920: HD Pro Webc", link="usb-046d_C920-video-index0")
    path = machine.dev / "v4l/by-id/usb-046d_C920-video-index0"
    assert machine.cameras() == (ListedCamera(f"v4l2:{path}", "HD Pro Webcam C920", number=2),)


def test_without_a_link_the_number_has_to_do(machine: Machine) -> None:
    machine.plug(3, "USB Camera")
    assert machine.cameras() == (ListedCamera("v4l2:3", "USB Camera", number=3),)


def test_two_of_one_kind_are_told_apart_by_their_ports(machine: Machine) -> None:
    # Their common link stays with the one that was plugged in last.
    machine.plug(0, "HD USB Camera: HD USB Camera", "pci/usb1/1-2")
    machine.plug(2, "HD USB Camera: HD USB Camera", "pci/usb1/1-3", link="usb-HD-video-index0")
    ports = machine.dev / "v4l/by-path"
    for number, port in ((0, "usb-0:2:1.0"), (2, "usb-0:3:1.0")):
        (ports / port).symlink_to(machine.dev / f"video{number}")
    assert [camera.spec for camera in machine.cameras()] == [
        f"v4l2:{ports / 'usb-0:2:1.0'}",
        f"v4l2:{ports / 'usb-0:3:1.0'}",
    ]


def test_a_camera_for_infrared_light_says_so_and_is_taken_by_nobody_unasked(
    machine: Machine,
) -> None:
    machine.plug(0, "BRIO: Infrared")
    machine.plug(2, "FHD WebCam: FHD WebCam")
    machine.plug(4, "FHD WebCam: IR Camera")
    shown = [(camera.name, camera.doubtful) for camera in machine.cameras()]
    assert shown == [
        ("FHD WebCam", False),
        ("BRIO Infrared", True),
        ("FHD WebCam IR Camera", True),
    ]


def test_a_camera_that_a_program_makes_comes_after_the_others(machine: Machine) -> None:
    machine.plug(0, "OBS Virtual Camera", "virtual")
    assert named_camera(machine.cameras()) is None
    machine.plug(2, "HD Pro Webcam C920")
    assert [camera.number for camera in machine.cameras()] == [2, 0]
    assert named_camera(machine.cameras()) is None


def test_the_second_device_of_a_camera_has_no_pictures(machine: Machine) -> None:
    machine.plug(0, "C270 HD WEBCAM")
    machine.plug(1, "C270 HD WEBCAM")
    machine.dumb.add("video1")
    assert [camera.spec for camera in machine.cameras()] == ["v4l2:0"]


@pytest.mark.parametrize(
    ("name", "removable", "built_in"),
    [
        ("Integrated Camera: Integrated C", "", True),
        ("HP TrueVision HD Camera", "unknown", True),
        ("Sonix 2M", "fixed", True),
        ("Integrated Camera", "removable", False),
        ("HD Pro Webcam C920", "", False),
    ],
)
def test_the_camera_in_a_lid_is_known_by_its_port_or_else_by_its_name(
    machine: Machine, name: str, removable: str, built_in: bool
) -> None:
    machine.plug(0, name, removable=removable)
    assert [camera.built_in for camera in machine.cameras()] == [built_in]


def test_the_camera_in_a_lid_comes_last_and_devices_are_in_order(machine: Machine) -> None:
    machine.plug(0, "Integrated Camera", "pci/usb1/1-8")
    machine.plug(10, "Second", "pci/usb1/1-3")
    machine.plug(2, "First", "pci/usb1/1-2")
    assert [camera.name for camera in machine.cameras()] == [
        *("First", "Second", "Integrated Camera")
    ]


def test_processors_of_pictures_are_no_cameras_but_virtual_cameras_are(machine: Machine) -> None:
    machine.plug(19, "pispbe-input", "platform/axi/pisp")
    machine.plug(20, "OBS Virtual Camera", "virtual")
    assert [camera.name for camera in machine.cameras()] == ["OBS Virtual Camera"]


def test_a_machine_without_any(tmp_path: Path) -> None:
    assert list_cameras(tmp_path / "dev", tmp_path / "class") == ()


def test_what_cannot_be_asked_is_listed_if_it_is_there(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    assert can_capture(tmp_path / "video0")
    assert not can_capture(tmp_path / "video1")


def test_a_camera_has_the_numbers_of_its_plug(machine: Machine) -> None:
    machine.plug(2, "HD Pro Webcam C920", link="usb-046d_C920-video-index0")
    plug = (machine.classes / "video2").resolve().parents[2]
    (plug / "idVendor").write_text("046D\n")
    (plug / "idProduct").write_text("082d\n")
    for name in ("video2", "v4l/by-id/usb-046d_C920-video-index0"):
        assert usb_id_of(machine.dev / name, machine.classes) == "046d:082d"


def test_a_camera_on_no_usb_has_no_numbers(machine: Machine) -> None:
    machine.plug(0, "loopback", bus="virtual/loop")
    assert usb_id_of(machine.dev / "video0", machine.classes) == ""
    assert usb_id_of(machine.dev / "video7", machine.classes) == ""
