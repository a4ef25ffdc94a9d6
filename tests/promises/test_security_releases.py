"""What SECURITY.md promises of releases and services: each test is one of its sentences."""

import json
import re
import ssl
import subprocess
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from appliance.config.password import read_password
from appliance.web.phone import PhonePage
from tests.appliance.cli.test_stick import Plugged
from tests.paths import ROOT
from tests.promises.test_security import installed, lines_of
from tests.systemd.machine import bundle, make_key, public, write
from tests.systemd.test_files import needs, unit_for_here
from tests.systemd.test_signed import packed, upgrade

UNITS = ROOT / "systemd"
SECURITY = ROOT / "SECURITY.md"


def made_bundle(folder: Path, key: Path) -> Path:
    """A bundle as `make_release` lays it out, with wheels that are empty."""
    script = (ROOT / "scripts/make_release").read_text()
    (layout,) = re.findall(r"^make_bundle\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    work = folder / "work"
    write(work / "python/dicetray-2.0-py3-none-any.whl", "")
    public(key, work / "release.pub")
    write(folder / "python", "#!/bin/sh\necho python $*\n", 0o755)
    variables = {
        "WORK": work,
        "NAME": "dicetray-2.0",
        "SOURCE": ROOT,
        "PYTHON": folder / "python",
        "VERSION": "2.0",
        "SOURCE_DATE_EPOCH": 0,
        "PUBLIC_KEY": work / "release.pub",
        "KEY": key,
        "UNSIGNED": "",
    }
    given = "\n".join(f"{name}='{value}'" for name, value in variables.items())
    stubs = "fetch() { :; }; say() { :; }; pack() { :; }"
    packing = f". '{ROOT}/scripts/packing.sh'"
    calls = f"make_bundle '{folder}/out' aarch64 >'{folder}/said'"
    text = "\n".join((packing, given, stubs, layout, calls))
    subprocess.run(["sh", "-euc", text], cwd=ROOT, check=True)
    return folder / "out/dicetray-2.0"


def test_every_signed_bundle_contains_the_public_half(tmp_path: Path) -> None:
    """Every signed bundle contains the public half, `systemd/release.pub`."""
    key = make_key(tmp_path)
    top = made_bundle(tmp_path, key)
    public(key, tmp_path / "expected")
    assert (top / "systemd/release.pub").read_text() == (tmp_path / "expected").read_text()
    assert "./systemd/release.pub" in (top / "SHA256SUMS").read_text()


def test_what_does_not_affect_us_is_part_of_every_bundle(tmp_path: Path) -> None:
    """What doesn't affect us, and why, is in `requirements/vex.openvex.json` (OpenVEX), which is
    part of every bundle."""
    top = made_bundle(tmp_path, make_key(tmp_path))
    said = json.loads((top / "requirements/vex.openvex.json").read_text())
    assert said["@context"].startswith("https://openvex.dev/ns")
    for statement in said["statements"]:
        assert statement["vulnerability"]["name"]
        if statement["status"] == "not_affected":
            assert statement.get("justification") or statement.get("impact_statement")


def test_everything_is_listed_with_its_licence(tmp_path: Path) -> None:
    """`sbom.cdx.json` lists everything (CycloneDX), including the shared libraries inside wheels
    and their licences."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    named = {"dicetray": "MIT", "opencv": "Apache-2.0", "starlette": "BSD-3-Clause"}
    for name, licence in named.items():
        with zipfile.ZipFile(wheels / f"{name}-2.0-py3-none-any.whl", "w") as archive:
            said = f"Metadata-Version: 2.4\nName: {name}\nVersion: 2.0\n"
            said += f"License-Expression: {licence}\n"
            archive.writestr(f"{name}-2.0.dist-info/METADATA", said)
            if name == "opencv":
                for library in ("libavcodec-59ffcd50.so.59.37.100", "libssl-28bef1ac.so.1.1"):
                    archive.writestr(f"opencv.libs/{library}", library)
    (tmp_path / "dicetray-firmware-1.2.zip").write_bytes(b"firmware")
    script = ROOT / "scripts/make_sbom.py"
    command = ["python3", "-I", str(script), str(tmp_path), "--version", "2.0", "--time", "0"]
    subprocess.run(command, check=True)
    bill = json.loads((tmp_path / "sbom.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    parts = {part["name"]: part for part in (bill["metadata"]["component"], *bill["components"])}
    assert parts.keys() >= {*named, "dicetray-firmware"}
    for name, licence in named.items():
        assert parts[name]["licenses"] == [{"expression": licence}]
    inside = {part["name"]: part["licenses"] for part in parts["opencv"]["components"]}
    assert inside.keys() == {"libavcodec", "libssl"}
    assert all(one for one in inside.values())


def test_each_exact_version_is_asked_about_once_a_week(tmp_path: Path) -> None:
    """once a week, and whenever versions change, the hosted checks ask OSV about each exact version
    (`scripts/audit_packages`)."""
    hosted = (ROOT / ".github/workflows/advisories.yml").read_text()
    (when,) = re.findall(r'- cron: "(.*)"', hosted)
    minute, hour, day, month, weekday = when.split()
    assert (day, month) == ("*", "*")
    assert minute.isdigit() and hour.isdigit() and weekday.isdigit()
    assert re.search(r'^  push:\n    paths: \["requirements/\*\*"\]$', hosted, re.MULTILINE)
    assert re.search(r"^ +- run: scripts/audit_packages$", hosted, re.MULTILINE)
    asked = tmp_path / "asked"
    write(tmp_path / "pip", "#!/bin/sh\n", 0o755)
    write(tmp_path / "pip-audit", f'#!/bin/sh\necho "$*" >>{asked}\n', 0o755)
    python = f"""#!/bin/sh
    case "$1" in -m) mkdir -p "$3/bin"; cp {tmp_path}/pip {tmp_path}/pip-audit "$3/bin" ;;
    *) exec /usr/bin/env -S PATH=/usr/bin:/bin python3 "$@" ;;
    esac
    """
    write(tmp_path / "bin/python3", python, 0o755)
    path = f"{tmp_path}/bin:/usr/bin:/bin"
    subprocess.run([ROOT / "scripts/audit_packages"], env={"PATH": path}, check=True)
    lines = asked.read_text().splitlines()
    assert all("--vulnerability-service osv" in line for line in lines)
    files = {line.partition("--requirement ")[2].split()[0] for line in lines}
    assert files == {f"requirements/{file.name}" for file in (ROOT / "requirements").glob("*.txt")}


def test_the_fingerprint_on_the_page_is_that_of_the_key() -> None:
    """There is no release yet, and so there is no key."""
    (printed,) = re.findall(r"fingerprint will be here:\n\n    (.*)\n", SECURITY.read_text())
    key = UNITS / "release.pub"
    known = subprocess.run(["git", "ls-files", key], cwd=ROOT, capture_output=True, text=True)
    assert (printed, known.stdout, key.exists()) == ("(none yet)", "", False)


def test_the_key_is_made_once_and_kept_outside(tmp_path: Path) -> None:
    """`scripts/make_key` creates it once and keeps the private half outside the project"""
    project = tmp_path / "project"
    (project / "systemd").mkdir(parents=True)
    script = project / "scripts/make_key"
    write(script, (ROOT / "scripts/make_key").read_text(), 0o755)

    def make(*words: str) -> int:
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path / "home")}
        return subprocess.run(
            [script, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True
        ).returncode

    assert make("release.key") == make("systemd/release.key") == 2
    assert make() == 0
    (key,) = (tmp_path / "home").rglob("*.key")
    before = key.read_bytes()
    assert make() == 2
    assert key.read_bytes() == before
    inside = [file for file in project.rglob("*") if file.is_file() and file != script]
    assert inside == [project / "systemd/release.pub"]
    assert b"PRIVATE" not in inside[0].read_bytes()


def test_a_new_key_comes_with_a_release_of_the_old_one(tmp_path: Path) -> None:
    """To change the key, sign the release that contains the new one with the old one."""
    old, new = (make_key(folder) for folder in folders(tmp_path, "old", "new"))
    machine = installed(tmp_path / "machine", old)
    changing, later = folders(tmp_path, "changing", "later")
    top = bundle(changing, "2.0", None)
    public(new, top / "systemd/release.pub")
    script = f". '{ROOT}/scripts/packing.sh'; list_sums '{top}'; sign '{top}' '{old}'"
    subprocess.run(["sh", "-euc", script], check=True)
    assert upgrade(machine, packed(top)).returncode == 0
    done = upgrade(machine, packed(bundle(later, "3.0", new)))
    assert (done.returncode, machine.version) == (0, "3.0"), done.stderr


def folders(folder: Path, *names: str) -> list[Path]:
    """New folders in one."""
    made = [folder / name for name in names]
    for one in made:
        one.mkdir()
    return made


def test_what_is_on_a_stick_is_read_up_to_a_limit(tmp_path: Path) -> None:
    """files, games and names on it are read up to a limit each"""
    plugged = Plugged(tmp_path)
    plugged.play("ANNA", "BOB")
    plugged.do("SAVE GAMES")
    plugged.put_in("another card")
    (file,) = plugged.stick.rglob("*.pack")
    whole = file.read_bytes()
    assert "2 GAMES" in " ".join(plugged.offered())
    # More bytes, and more games, than any of ours has.
    for more in (bytes(10_000_000), 10_001 * b"[Packed "):
        file.write_bytes(whole + more)
        assert plugged.offered() == ()
    file.write_bytes(whole)
    assert "2 GAMES" in " ".join(plugged.offered())


def test_a_phones_page_has_a_certificate_of_its_own(tmp_path: Path) -> None:
    """HTTPS with a certificate of the machine's own, which says nothing about who it is"""
    page = PhonePage(tmp_path / "phone", 0)
    try:
        file = tmp_path / "phone/certificate.pem"
        told = subprocess.run(
            ["openssl", "x509", "-in", file, "-noout", "-issuer", "-subject"],
            capture_output=True,
            text=True,
            check=True,
        )
        issuer, subject = (line.partition("=")[2] for line in told.stdout.splitlines())
        assert issuer == subject
        address = urlsplit(page.link.invitation.address)
        assert address.scheme == "https"
        served = ssl.get_server_certificate(("127.0.0.1", address.port or 0), timeout=10)
        assert served == file.read_text()
    finally:
        page.close()


@pytest.mark.parametrize("unit", ["dicetray", "dicetray-mqtt"])
def test_systemd_hands_passwords_to_the_services(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unit: str
) -> None:
    """systemd hands them to the services."""
    (credential,) = lines_of(f"{unit}.service")["LoadCredential"]
    assert credential == {"dicetray": "camera-password", "dicetray-mqtt": "mqtt-password"}[unit]
    # As systemd lays it out: a folder for the service alone.
    write(tmp_path / "credentials" / credential, "secret\n", 0o440)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    assert read_password(credential, "") == "secret"


def is_open(unit: str) -> dict[str, str]:
    """What a unit leaves open, as one text for each setting."""
    return {name: " ".join(values).strip() for name, values in lines_of(unit).items()}


def test_what_is_open_to_the_game() -> None:
    """Open: cameras, media, dma_heap, pins, serial ports, sound (`DevicePolicy=closed`); `AF_UNIX`
    for systemd, `AF_NETLINK` for libcamera; its part of `/proc`, for gpiozero; memory that is
    written, then executed, for camera bindings"""
    said = is_open("dicetray.service")
    assert said["DevicePolicy"] == "closed"
    devices = {line.split()[0] for line in lines_of("dicetray.service")["DeviceAllow"]}
    serial = {"char-ttyACM", "char-ttyUSB", "char-ttyAMA", "char-ttyS"}
    pins = {"char-gpiochip", "/dev/gpiomem"}
    cameras = {"char-video4linux", "char-media", "char-dma_heap"}
    assert devices == {*cameras, *pins, *serial, "char-alsa"}
    assert said["RestrictAddressFamilies"] == "AF_UNIX AF_NETLINK"
    assert said["ProtectProc"] == "invisible"
    assert said["ProtectSystem"] == "strict"
    assert "ReadWritePaths" not in said and "BindPaths" not in said


def test_what_is_open_to_a_sticks_service() -> None:
    """Open: the stick's folder, the games, `/run/dicetray`"""
    said = is_open("dicetray-stick@.service")
    assert said["ReadWritePaths"] == "/run/dicetray-stick"
    assert said["StateDirectory"] == said["RuntimeDirectory"] == "dicetray"
    assert said["RestrictAddressFamilies"] == "none"
    assert "DeviceAllow" not in said


def test_what_is_open_to_the_mount() -> None:
    """Open: `CAP_SYS_ADMIN` and `CAP_DAC_OVERRIDE`, to mount; a script of thirty lines."""
    said = is_open("dicetray-mount@.service")
    assert said["CapabilityBoundingSet"].split() == ["CAP_SYS_ADMIN", "CAP_DAC_OVERRIDE"]
    assert said["DeviceAllow"] == "block-sd rw"
    assert len((UNITS / "stick.sh").read_text().splitlines()) <= 30


def test_what_is_open_after_an_upgrade_was_cut_off() -> None:
    """Open: links in `/etc`, `/opt/dicetray`, folders in `/var/lib`"""
    said = is_open("dicetray-return.service")
    # `full` makes /etc, /usr and /boot read-only.
    assert said["ProtectSystem"] == "full"
    assert said["ReadWritePaths"] == "-/etc/polkit-1/rules.d"
    assert said["PrivateNetwork"] == said["ProtectHome"] == said["PrivateDevices"] == "yes"


def test_what_is_open_to_an_upgrade_from_a_stick() -> None:
    """Open: the same, and `/usr/local`; no network"""
    said = is_open("dicetray-update.service")
    assert said["ProtectSystem"] == "yes"
    assert said["ReadWritePaths"] == "/usr/local"
    assert said["PrivateNetwork"] == "yes"
    assert said["IPAddressDeny"] == "any"
    assert said["RestrictAddressFamilies"] == "AF_UNIX"


def test_what_is_open_to_the_page() -> None:
    """Open: the home network"""
    said = is_open("dicetray-web.service")
    assert said["User"] == "dicetray-web"
    assert said["IPAddressDeny"] == "any"
    allowed = {*said["IPAddressAllow"].split()} - {"localhost", "link-local"}
    assert allowed == {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"}
    assert said["ProtectSystem"] == "strict"
    assert not {"ReadWritePaths", "StateDirectory", "DeviceAllow"} & said.keys()
    assert said["InaccessiblePaths"] == "-/var/lib/dicetray"


def test_what_is_open_to_the_records() -> None:
    """Open: reading the games"""
    said = is_open("dicetray-records.service")
    assert said["User"] == "dicetray"
    assert said["ReadOnlyPaths"] == "-/var/lib/dicetray"
    assert said["PrivateNetwork"] == "yes"
    assert not {"ReadWritePaths", "StateDirectory", "DeviceAllow"} & said.keys()


def test_what_is_open_to_who_joins_a_network() -> None:
    """Open: a file with a network's name; NetworkManager's bus"""
    for unit, place in (("", "-/boot/firmware"), ("@", "/run/dicetray-stick")):
        said = is_open(f"dicetray-network{unit}.service")
        assert said["ReadWritePaths"] == place
        assert said["RestrictAddressFamilies"] == "AF_UNIX"
        assert said["PrivateNetwork"] == said["ProtectHome"] == "yes"
        assert "StateDirectory" not in said


def test_what_is_open_to_the_publisher() -> None:
    """Open: any network, to reach the broker; nobody reaches it"""
    said = is_open("dicetray-mqtt.service")
    assert said["User"] == "dicetray-mqtt"
    assert said["SocketBindDeny"] == "any"
    assert said["ProtectSystem"] == "strict"
    assert said["InaccessiblePaths"] == "-/var/lib/dicetray"
    assert not {"ReadWritePaths", "StateDirectory", "DeviceAllow"} & said.keys()


@needs("systemd-analyze")
def test_each_unit_has_the_rating_that_is_said(tmp_path: Path) -> None:
    """`systemd-analyze security --offline=true` by systemd 252 rates each unit out of 10"""
    version = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True)
    if not version.stdout.startswith("systemd 252 "):
        pytest.skip("another systemd counts otherwise")
    rated = dict(re.findall(r"^- `([\w@-]+\.service)`.*?: (\d\.\d)", SECURITY.read_text(), re.M))
    units = {file.name for file in UNITS.glob("*.service")}
    assert {*rated} | {"dicetray-network@.service"} == units
    for name, rating in rated.items():
        command = ["systemd-analyze", "security", "--offline=true", "--no-pager"]
        done = subprocess.run(
            [*command, str(unit_for_here(tmp_path, name))], capture_output=True, text=True
        )
        (found,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
        assert found == rating, name
