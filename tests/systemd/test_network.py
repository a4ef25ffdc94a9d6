"""Joining a network through a file, with a stand-in for NetworkManager's command."""

import subprocess
from pathlib import Path

import pytest

from appliance.diagnostics.about import network
from tests.paths import ROOT
from tests.rigs.programs import Answer, answer, answers, path_with, stand_in

NOBODY, JOINED = answer("nmcli", "no connection"), answer("nmcli", "joined")


class Pi:
    """A boot partition, and a network to join."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.boot = folder, folder / "boot"
        self.boot.mkdir()
        self.file = self.boot / "dicetray-wifi.txt"
        self.now, self.ssid, self.up = NOBODY, answer("nmcli", "a cable has no Wi-Fi"), JOINED
        self.refuses = False

    def run(self, *words: str | Path) -> tuple[tuple[str, str], ...]:
        self._install_nmcli()
        environment = {"PATH": path_with(self.folder / "bin"), "ROOT": str(self.folder)}
        command = ["sh", str(ROOT / "systemd/network.sh"), *map(str, words)]
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=30)
        return network(8080, self.folder / "run/dicetray-network/said")[2:]

    def _install_nmcli(self) -> None:
        """Puts a program of its name there, which answers as things are now."""
        typed = self.folder / "typed"
        edited = answer("nmcli", "password refused" if self.refuses else "password saved")
        has, has_not = answer("nmcli", "has password"), answer("nmcli", "no password")
        kept = f"if grep -q wpa-psk {typed}; then\n{has.lines}\nexit\nfi"
        cases: dict[str, Answer | tuple[str, Answer]] = {
            '"-t radio wifi on"': answer("nmcli", "radio on"),
            '"connection delete id dicetray-wifi"': answer("nmcli", "delete unknown"),
            '"connection add type wifi con-name dicetray-wifi ssid "*': answer("nmcli", "added"),
            '"connection edit dicetray-wifi"': (f"cat >{typed}", edited),
            "*key-mgmt*": has_not if self.refuses else (kept, has_not),
            '"-w 45 connection up dicetray-wifi"': self.up,
            '"-e no "*"connection show --active"': self.now,
            '"-e no -g 802-11-wireless.ssid connection show uuid "*': self.ssid,
            '"-t -g IP4.ADDRESS device show "*': answer("nmcli", "address"),
        }
        kept_call = f'printf "%s\\n" "$*" >>{self.folder}/calls'
        stand_in(self.folder / "bin", "nmcli", cases, kept_call)
        stand_in(
            self.folder / "bin",
            "raspi-config",
            {
                '"nonint do_wifi_country DE"': answer("raspi-config", "country set"),
                '"nonint do_wifi_country "*': answer("raspi-config", "unknown country"),
            },
            f'echo "$*" >>{self.folder}/country',
        )

    def join(self, text: str | None = None) -> tuple[tuple[str, str], ...]:
        if text is not None:
            self.file.write_text(text)
        return self.run("join", self.boot)

    def active(self, ssid: str = "Home", name: str = "dicetray-wifi") -> None:
        self.now = answer("nmcli", "active Wi-Fi").about("dicetray-wifi", name)
        self.ssid = answer("nmcli", "name as it is").about("Home: 5G", ssid)

    def text(self, name: str) -> str:
        file = self.folder / name
        return file.read_text() if file.exists() else ""


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_the_network_of_a_file_is_joined_and_its_password_taken_out(pi: Pi) -> None:
    pi.active()
    said = pi.join("name=Home\r\npassword=pass /& word$\r\n")
    assert said == (("NETWORK", "Home"), ("NUMBER", "192.168.1.20"))
    assert "psk pass /& word$\n" in pi.text("typed")
    assert "pass /& word$" not in pi.file.read_text() + pi.text("calls")
    assert "password= (taken)" in pi.file.read_text().replace("=(", "= (")
    assert "ssid Home" in pi.text("calls")


def test_a_file_that_was_used_is_not_used_again(pi: Pi) -> None:
    pi.active()
    pi.join("name=Home\npassword=secret1234\n")
    (pi.folder / "calls").unlink()
    assert pi.join() == (("NETWORK", "Home"), ("NUMBER", "192.168.1.20"))
    assert "connection add" not in pi.text("calls")


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("wrong password", "WRONG PASSWORD"),
        ("out of range", "OUT OF RANGE"),
        ("takes too long", "NO CONNECTION"),
        ("no adapter", "NO CONNECTION"),
        ("manager stopped", "NO CONNECTION"),
    ],
)
def test_the_board_says_what_failed(pi: Pi, case: str, said: str) -> None:
    pi.up = answer("nmcli", case)
    assert pi.join("name=Home\npassword=wrong123\n") == (("NETWORK", "Home"), ("WHY", said))
    # It stays, to be put right; then it is tried again, and taken out once it has worked.
    assert pi.file.read_text() == "name=Home\npassword=wrong123\n"
    pi.up = JOINED
    pi.active()
    assert pi.join("name=Home\npassword=right123\n")[1] == ("NUMBER", "192.168.1.20")
    assert pi.file.read_text() == "name=Home\npassword= (taken)\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_what_notepad_writes_is_read(pi: Pi, encoding: str) -> None:
    """Its encodings, of which the two of UTF-16 begin with a byte-order mark too."""
    pi.active()
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    text = f"{mark}name=Café\r\npassword=größer\\1\r\ncountry=DE"
    pi.file.write_bytes(text.encode(encoding))
    assert pi.join()[0] == ("NETWORK", "Home")
    assert "ssid Café\n" in pi.text("calls")
    assert "psk größer\\1\n" in pi.text("typed")
    # Each of its versions reads plain UTF-8.
    after = pi.file.read_bytes().decode()
    assert after == "name=Café\r\npassword= (taken)\r\ncountry=DE\n"
    (pi.folder / "calls").unlink()
    pi.join()
    assert "add" not in pi.text("calls")


@pytest.mark.parametrize(
    "data",
    ["\ufeffname=Ho\0me".encode("utf-16-le"), "\ufeffname=Home".encode("utf-16-le") + b"\n"],
    ids=["a control character", "cut off"],
)
def test_utf_16_commands_nobody_either(pi: Pi, data: bytes) -> None:
    pi.file.write_bytes(data)
    assert pi.join() == (("NETWORK", "FAILED"), ("WHY", "ODD CHARACTERS"))
    assert "add" not in pi.text("calls")


@pytest.mark.parametrize(
    "text", ["", "password=x\n", "name=\n", "x" * 5000, "name=Home\ncountry=Germany\n"]
)
def test_a_file_that_makes_no_sense_is_said_and_joins_nothing(pi: Pi, text: str) -> None:
    assert dict(pi.join(text))["NETWORK"] == "FAILED"
    assert "connection add" not in pi.text("calls")


@pytest.mark.parametrize("country", ["DE", "XX"])
def test_the_country_is_set_before_the_network_is_joined_whatever_comes_of_it(
    pi: Pi, country: str
) -> None:
    pi.active()
    said = pi.join(f"name=Home\npassword=secret1234\ncountry={country}\n")
    assert said == (("NETWORK", "Home"), ("NUMBER", "192.168.1.20"))
    assert pi.text("country") == f"nonint do_wifi_country {country}\n"


PASSWORD = r"back\slash\n\\ \c\0101 %s ' end"


def test_a_password_reaches_the_network_manager_as_it_is_written(pi: Pi) -> None:
    pi.join(f"name=Home\\n\npassword={PASSWORD}\n")
    assert pi.text("typed").splitlines() == [
        "set connection.autoconnect yes",
        "set 802-11-wireless-security.key-mgmt wpa-psk",
        f"set 802-11-wireless-security.psk {PASSWORD}",
        "save persistent",
        "quit",
    ]
    assert "ssid Home\\n\n" in pi.text("calls")


@pytest.mark.parametrize("odd", ["\x00", "\x03", "\t", "\x0b", "\x1b[A", "\x7f"])
@pytest.mark.parametrize(
    "text", ["name=Ho{}me\npassword=secret1\n", "name=Home\npassword=se{}cret\n"]
)
def test_control_characters_command_nobody(pi: Pi, text: str, odd: str) -> None:
    assert pi.join(text.format(odd)) == (("NETWORK", "FAILED"), ("WHY", "ODD CHARACTERS"))
    assert "add" not in pi.text("calls")
    assert pi.text("typed") == ""


def test_letters_of_any_language_and_spaces_around_are_no_control_characters(pi: Pi) -> None:
    pi.join("\tname\t=\tCafé Übermut 東京\r\npassword = größer als\r\n")
    assert "ssid Café Übermut 東京\n" in pi.text("calls")
    assert "psk größer als\n" in pi.text("typed")


def test_the_name_of_a_network_is_said_as_it_is(pi: Pi) -> None:
    pi.active(r"a\nb")
    assert pi.join()[0] == ("NETWORK", r"a\nb")


@pytest.mark.parametrize("ssid", ["Home: 5G", r"a\nb", r"\:"])
def test_the_name_of_the_wi_fi_is_said_without_nmclis_escapes(pi: Pi, ssid: str) -> None:
    pi.active(ssid)
    assert pi.join()[0] == ("NETWORK", ssid)


def test_a_cable_has_the_name_of_its_connection(pi: Pi) -> None:
    # The loopback device is listed too, before it or behind it.
    for said in answers("nmcli", "active"):
        pi.now = said
        assert pi.join()[0] == ("NETWORK", "Wired: one")


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("1234567", "PASSWORD TOO SHORT"),
        ("x" * 65, "PASSWORD TOO LONG"),
        ("z" * 64, "PASSWORD TOO LONG"),
        ("ä" * 32, "PASSWORD TOO LONG"),
    ],
)
def test_a_password_that_wpa_does_not_know_is_refused(pi: Pi, password: str, why: str) -> None:
    """Its bytes count."""
    said = pi.join(f"name=Home\npassword={password}\n")
    assert said == (("NETWORK", "Home"), ("WHY", why))
    assert "add" not in pi.text("calls")
    assert password in pi.file.read_text()


@pytest.mark.parametrize("password", ["12345678", "x" * 63, "0aF9" * 16, "ä" * 4])
def test_the_shortest_and_the_longest_are_taken(pi: Pi, password: str) -> None:
    pi.active()
    assert pi.join(f"name=Home\npassword={password}\n")[1] == ("NUMBER", "192.168.1.20")


def test_what_the_editor_does_not_save_is_not_taken_for_joined(pi: Pi) -> None:
    """It would go on to try the network without a password."""
    pi.active()
    pi.refuses = True
    said = pi.join("name=Home\npassword=12345678\n")
    assert said == (("NETWORK", "Home"), ("WHY", "NOT ACCEPTED"))
    assert "connection up" not in pi.text("calls")


def test_names_are_no_commands(pi: Pi) -> None:
    pi.join("name=$(touch bad); `touch bad` --help\npassword='; touch bad\n")
    assert not list(pi.folder.rglob("bad"))
    assert "ssid $(touch bad); `touch bad` --help" in pi.text("calls")


def test_what_was_preset_is_left_alone_and_said(pi: Pi) -> None:
    pi.active("Home", "preconfigured")
    assert pi.join() == (("NETWORK", "Home"), ("NUMBER", "192.168.1.20"))
    assert "add" not in pi.text("calls")
    assert "delete" not in pi.text("calls")


def test_a_link_in_place_of_the_file_is_not_followed(pi: Pi) -> None:
    (pi.folder / "secret").write_text("name=Home\n")
    pi.file.symlink_to(pi.folder / "secret")
    pi.join()
    assert "add" not in pi.text("calls")


def test_networks_that_come_and_go_are_said(pi: Pi) -> None:
    assert pi.run("wlan0", "down") == (("NETWORK", "NONE"),)
    pi.active()
    assert pi.run("wlan0", "up") == (("NETWORK", "Home"), ("NUMBER", "192.168.1.20"))
