"""The header's GPIO chip among those of a machine; numbers and labels from public reports."""

import gc
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import gpiozero
import pytest

from appliance.alerts import Alert
from appliance.devices import header
from appliance.devices.buttons import Buttons
from appliance.devices.buzzer import Buzzer
from appliance.devices.header import header_factory, pins_error
from appliance.diagnostics import Level
from appliance.diagnostics.pins import check_pins
from appliance.errors import HeaderError, NoHeaderError, PinsError, PinsInUseError
from appliance.inputs import Button
from tests.appliance.devices import fake_lgpio

Labels = Mapping[int, str | None]

_SOC = (
    "gpio-brcmstb@107d508500",
    "gpio-brcmstb@107d508520",
    "gpio-brcmstb@107d517c00",
    "gpio-brcmstb@107d517c20",
)
PI_5 = 0xC04170
MACHINES: Mapping[str, tuple[int, Labels, int]] = {
    # raspberrypi/linux pull request 6144: before, and after.
    "Pi 5, 2023": (PI_5, {**dict(enumerate(_SOC)), 4: "pinctrl-rp1"}, 4),
    "Pi 5, 2024": (PI_5, {0: "pinctrl-rp1", **dict(enumerate(_SOC, 10))}, 0),
    # As seen in gpiozero's pull request 1216: /dev/gpiochip4 is a link to gpiochip0.
    "Pi 5, with a link": (
        PI_5,
        {0: "pinctrl-rp1", 4: "pinctrl-rp1", **dict(enumerate(_SOC, 10))},
        0,
    ),
    # adafruit/Adafruit_Blinka issue 1119; which of the five is the header's is not said there.
    "Pi 5, kernel 6.12.96": (PI_5, {**dict(enumerate(_SOC, 11)), 15: "pinctrl-rp1"}, 15),
    "Pi 5, kernel 6.12.96, first": (PI_5, {11: "pinctrl-rp1", **dict(enumerate(_SOC, 12))}, 11),
    "Pi 4": (0xC03114, {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
    "Pi 3B+": (0xA020D3, {0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"}, 0),
    "Pi Zero 2 W": (0x902120, {0: "pinctrl-bcm2835"}, 0),
}


@pytest.fixture
def machine(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[fake_lgpio.Chip]:
    """A Raspberry Pi with these chips, as far as gpiozero and the header's module see it."""
    revision, labels, number = request.param
    chip = fake_lgpio.Chip(number, labels)
    for each in labels:
        (tmp_path / f"gpiochip{each}").touch()
    (tmp_path / "gpiomem").touch()
    monkeypatch.setattr(header, "_DEV", tmp_path)
    monkeypatch.setitem(sys.modules, "lgpio", fake_lgpio.module(chip))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: revision)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    yield chip
    # Of a device that failed while it was made, gpiozero keeps the pin until it is collected.
    gc.collect()
    if gpiozero.Device.pin_factory is not None:
        gpiozero.Device.pin_factory.close()
    sys.modules.pop("gpiozero.pins.lgpio", None)


every_machine = pytest.mark.parametrize(
    "machine", MACHINES.values(), ids=MACHINES.keys(), indirect=True
)


@every_machine
def test_the_headers_chip_is_found_by_its_label(machine: fake_lgpio.Chip) -> None:
    factory = header_factory()
    assert factory.chip == machine.number
    assert machine.opened == [machine.number], "no other is left open"
    factory.close()


@every_machine
def test_buttons_lights_and_buzzer_are_on_it(machine: fake_lgpio.Chip) -> None:
    with Buttons({Button.OK: 4}, (12,)) as buttons:
        buttons.light({0})
        Buzzer(10).close()
        assert machine.flags[4] == fake_lgpio.SET_PULL_UP
    assert machine.opened == [machine.number], "one factory for all"


@every_machine
def test_doctor_looks_at_it(machine: fake_lgpio.Chip) -> None:
    (finding,) = check_pins({Button.OK: 4})
    assert finding.level is Level.OK
    assert finding.text.startswith("1 pins, none pressed; chips: gpiochip")
    assert all(f"gpiochip{each} (" in finding.text for each in machine.labels)
    assert f"gpiochip{machine.number} ({machine.labels[machine.number]}), the header's" in (
        finding.text
    )
    assert finding.text.count("the header's") == 1
    assert not machine.open


UNKNOWN = (PI_5, {0: "gpio-brcmstb@107d508500", 1: "pinctrl-rp2"}, 1)
LOCKED = (PI_5, {0: None, 10: None}, 0)


@pytest.mark.parametrize(
    ("machine", "found", "advice"),
    [
        (
            UNKNOWN,
            "found gpiochip0 (gpio-brcmstb@107d508500), gpiochip1 (pinctrl-rp2)",
            "report this line",
        ),
        (
            LOCKED,
            "found gpiochip0 (cannot be opened), gpiochip10 (cannot be opened)",
            "group gpio",
        ),
    ],
    indirect=["machine"],
)
def test_where_none_is_the_headers_the_chips_are_listed(
    machine: fake_lgpio.Chip, found: str, advice: str
) -> None:
    """Lines of another chip may switch anything on the board: none is tried."""
    with pytest.raises(HeaderError) as caught:
        Buttons({Button.OK: 4})
    assert "pinctrl-rp1, pinctrl-bcm2711, pinctrl-bcm2835" in caught.value.found
    assert found in caught.value.found and advice in caught.value.advice
    assert caught.value.alert is Alert.NO_HEADER
    (finding,) = check_pins({Button.OK: 4})
    assert (finding.level, finding.text) == (Level.WRONG, caught.value.found)
    assert finding.advice == caught.value.advice
    assert not machine.open


@pytest.mark.parametrize("machine", [(PI_5, {}, 0)], indirect=True)
def test_lgpio_is_to_be_installed_only_where_it_is_missing(
    machine: fake_lgpio.Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a chip gpiozero gives up whatever is installed."""

    def fail() -> None:
        raise gpiozero.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", fail)
    (finding,) = check_pins({Button.OK: 4})
    assert "found no GPIO chip" in finding.text
    assert "apt install" not in finding.advice
    with pytest.raises(PinsError) as caught:
        Buttons({Button.OK: 4})
    assert caught.value.alert is Alert.NO_HEADER, "nobody is using them"
    monkeypatch.setitem(sys.modules, "lgpio", None)
    (finding,) = check_pins({Button.OK: 4})
    assert "found no lgpio" in finding.text
    assert "apt install python3-lgpio" in finding.advice


@pytest.mark.parametrize("machine", [MACHINES["Pi 5, 2024"]], indirect=True)
def test_only_pins_in_use_are_said_to_be(
    machine: fake_lgpio.Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The errors are lgpio's (lgErr.c); the board says PINS IN USE? to the first alone."""
    for said, alert in (
        ("'GPIO busy'", Alert.NO_BUTTONS),
        ("'GPIO not allocated'", Alert.NO_HEADER),
        ("'bad GPIO number'", Alert.NO_HEADER),
    ):

        def claim(*_: object, said: str = said) -> int:
            raise fake_lgpio.error(said)

        for name in ("gpio_claim_input", "gpio_claim_alert", "gpio_claim_output"):
            monkeypatch.setattr(sys.modules["lgpio"], name, claim)
        for make in (lambda: Buttons({Button.OK: 4}), lambda: Buzzer(10)):
            with pytest.raises(PinsError) as caught:
                make()
            assert caught.value.alert is alert, said
        (finding,) = check_pins({Button.OK: 4})
        in_use = alert is Alert.NO_BUTTONS
        assert finding.level is (Level.NOTE if in_use else Level.WRONG)
    monkeypatch.undo()


@pytest.mark.parametrize("machine", [(PI_5, {}, 0)], indirect=True)
def test_without_chips_gpiozero_chooses(
    machine: fake_lgpio.Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a PC, where it says that it has found nothing."""
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", lambda: "gpiozero's own")
    assert header_factory() == "gpiozero's own"
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert header_factory() == "gpiozero's own"


@pytest.mark.parametrize("machine", [MACHINES["Pi 4"]], indirect=True)
def test_what_the_environment_names_is_used(
    machine: fake_lgpio.Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    factory = header_factory()
    assert type(factory) is import_module("gpiozero.pins.mock").MockFactory
    assert not machine.open


@pytest.mark.parametrize("raised", [ImportError("no lgpio"), HeaderError("found gpiochip0 (INTC)")])
def test_a_machine_that_is_no_pi_has_no_header(tmp_path: Path, raised: Exception) -> None:
    model = tmp_path / "model"
    missing = pins_error(raised, "GPIO pins", model)
    assert isinstance(missing, NoHeaderError)
    assert str(raised) in missing.found
    model.write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    assert not isinstance(pins_error(raised, "GPIO pins", model), NoHeaderError)
    in_use = pins_error(RuntimeError("pin GPIO4 is already in use"), "GPIO pins", tmp_path / "none")
    assert isinstance(in_use, PinsInUseError)
