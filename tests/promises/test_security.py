"""What SECURITY.md promises: each test is one of its sentences."""

import os
import re
import stat
import tarfile
from pathlib import Path

import pytest

from appliance.config import load
from appliance.config.password import read_password
from appliance.diagnostics.bundle import Asked, write_bundle
from appliance.web.phone import MAX_PICTURE_BYTES, PhonePage
from tests.appliance.web.test_phone import Room
from tests.paths import ROOT
from tests.systemd.machine import Machine, bundle, make_key, write
from tests.systemd.test_signed import offer, packed, revocation, upgrade

UNITS = ROOT / "systemd"


def test_five_tries_a_minute_from_one_address() -> None:
    """no more than five tries a minute from one address"""
    room = Room()
    assert [room.enter(f"00000{number}") for number in range(5)] == [403] * 5
    assert room.enter() == 429
    room.now_s += 59.0
    assert room.enter() == 429
    room.now_s += 2.0
    assert room.enter() == 204


def test_the_pin_has_six_digits(tmp_path: Path) -> None:
    """a PIN of six digits"""
    page = PhonePage(tmp_path, 0)
    try:
        assert re.fullmatch("[0-9]{6}", page.link.invitation.pin)
    finally:
        page.close()


def test_nothing_but_pictures_of_limited_size_and_rate_is_taken() -> None:
    """of whoever has it, nothing is taken but JPEG pictures of limited size and rate"""
    room = Room()
    room.enter()
    assert room.post("/picture?page=a", b"\xff\xd8\xff" + bytes(MAX_PICTURE_BYTES)) == 413
    assert room.link.take(0) is None
    before = room.now_s
    assert room.post("/picture?page=a") == 200
    assert room.now_s - before >= 1 / 20
    assert room.post("/secret", b"") in (404, 405)


def test_certificate_key_and_pin_are_for_their_owner_only(tmp_path: Path) -> None:
    """Certificate, key and PIN are in `~/.local/state/dicetray/phone`, for their owner only."""
    before = os.umask(0)
    try:
        folder = tmp_path / "phone"
        PhonePage(folder, 0).close()
    finally:
        os.umask(before)
    rights = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    assert rights["key.pem"] == rights["secret"] == 0o600
    # A certificate is there to be shown, but nobody else gets into the folder.
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "certificate.pem" in rights


@pytest.mark.parametrize("rights", [0o640, 0o604, 0o660, 0o777])
def test_passwords_are_in_files_that_only_their_owner_may_read(tmp_path: Path, rights: int) -> None:
    """in files that only their owner may read"""
    file = tmp_path / "password"
    file.write_text("secret\n")
    file.chmod(0o600)
    assert read_password("mqtt-password", str(file)) == "secret"
    file.chmod(rights)
    with pytest.raises(ValueError, match="chmod 600"):
        read_password("mqtt-password", str(file))


def test_nothing_on_a_stick_is_executed() -> None:
    """nothing on a stick is executed"""
    mounts = re.findall(r"mount -t \S+ -o (\S+)", (UNITS / "stick.sh").read_text())
    assert mounts
    assert all({"noexec", "nosuid", "nodev"} <= set(options.split(",")) for options in mounts)


def test_python_runs_isolated() -> None:
    """Python runs isolated from them (`-I`)."""
    started = [
        line
        for unit in UNITS.glob("*.service")
        for line in re.findall(r"^Exec\w+=(.*)$", unit.read_text(), re.MULTILINE)
        if "python" in line
    ]
    assert len(started) >= 4
    assert all("/python -I " in line for line in started)


def installed(folder: Path, key: Path) -> Machine:
    """A machine with a version 1.0 that knows the release key."""
    machine = Machine(folder)
    machine.install_former(key)
    share = machine.root / "opt/dicetray/versions/1.0/share/systemd"
    for name in ("upgrade.sh", "layout.sh", "signature.sh"):
        write(share / name, (UNITS / name).read_text())
    return machine


def test_the_installed_version_checks_before_anything_runs(tmp_path: Path) -> None:
    """the installed version checks the signature and every file's SHA-256 before anything runs."""
    key = make_key(tmp_path)
    machine = installed(tmp_path / "machine", key)
    trace = tmp_path / "trace"
    changed = bundle(tmp_path, "2.0", key)
    (changed / "systemd/install.sh").write_text(f"touch {trace}\n")
    assert upgrade(machine, packed(changed)).returncode
    (tmp_path / "other").mkdir()
    unsigned = bundle(tmp_path / "other", "2.0", make_key(tmp_path / "other"))
    assert upgrade(machine, packed(unsigned)).returncode
    assert (machine.version, trace.exists()) == ("1.0", False)


def test_upgrades_from_a_stick_are_signed_newer_and_not_revoked(tmp_path: Path) -> None:
    """upgrades must be signed, newer and not revoked"""
    key = make_key(tmp_path)
    machine = installed(tmp_path / "machine", key)
    folders = [tmp_path / name for name in ("a", "b", "c")]
    for folder in folders:
        folder.mkdir()
    unsigned = bundle(folders[0], "2.0", make_key(folders[0]))
    older = bundle(folders[1], "0.9", key)
    revoked = bundle(folders[2], "2.0", key)
    listed = revocation(tmp_path, key, "revoked=2.0")
    assert offer(machine, packed(unsigned), "dicetray-2.0.tar.gz")[-1] == "NOT SIGNED"
    stick = machine.root / "run/dicetray-stick/sda1"
    for name, top, why in (("9.9", older, "NOT NEWER"), ("2.0", revoked, "REVOKED")):
        for file in stick.iterdir():
            file.unlink()
        stick.rmdir()
        if why == "REVOKED":
            assert upgrade(machine, "--revoke", listed).returncode == 0
        assert offer(machine, packed(top), f"dicetray-{name}.tar.gz")[-1] == why
    assert machine.version == "1.0"


def test_unsigned_releases_are_installed_and_said(tmp_path: Path) -> None:
    """`install.sh --unsigned` and `dicetray-upgrade --unsigned` install unsigned releases, and say
    so."""
    top = bundle(tmp_path, "2.0", None)
    for name in ("install", "upgrade"):
        machine = installed(tmp_path / name, make_key(tmp_path))
        done = (
            machine.install(top, "--unsigned")
            if name == "install"
            else upgrade(machine, "--unsigned", packed(top))
        )
        assert (done.returncode, machine.version) == (0, "2.0"), done.stderr
        assert "nobody has signed this" in done.stdout


def lines_of(unit: str) -> dict[str, list[str]]:
    """The settings of a unit, with all their values."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", (UNITS / unit).read_text(), re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


ASKED_FOR = "dicetray-web", "dicetray-mqtt", "dicetray-network"
"""What is not there unless it was installed besides."""


def test_no_network_access_unless_page_or_publisher_are_installed() -> None:
    """dicetray has no network access, listening sockets or accounts unless you install the score
    page or the publisher"""
    units = [file.name for file in UNITS.glob("*.service") if not file.name.startswith(ASKED_FOR)]
    assert len(units) >= 5
    for unit in units:
        settings = lines_of(unit)
        assert settings["IPAddressDeny"] == ["any"], unit
        families = " ".join(settings["RestrictAddressFamilies"]).split()
        assert families, unit
        assert not {"AF_INET", "AF_INET6"} & {*families}, unit
    assert not list(UNITS.glob("*.socket"))


def test_a_sticks_service_can_only_access_the_stick_and_the_games() -> None:
    """their service can only access the stick and the games"""
    settings = lines_of("dicetray-stick@.service")
    assert settings["ProtectSystem"] == ["strict"]
    assert (
        settings["ProtectHome"] == settings["PrivateDevices"] == settings["PrivateTmp"] == ["yes"]
    )
    assert settings["User"] == settings["StateDirectory"] == ["dicetray"]
    assert settings["ReadWritePaths"] == ["/run/dicetray-stick"]
    assert settings["CapabilityBoundingSet"] == settings["AmbientCapabilities"] == [""]


def test_what_is_on_a_stick_is_read_in_at_most_100_mb() -> None:
    """in at most 100 MB"""
    assert lines_of("dicetray-stick@.service")["MemoryMax"] == ["100M"]


def test_what_is_sent_to_helpers_has_no_passwords(tmp_path: Path) -> None:
    """What is sent to helpers (`doctor --bundle`) has none"""
    secret, word = tmp_path / "secret-file", "Tr0ub4dor"
    secret.write_text(f"{word}\n")
    secret.chmod(0o600)
    file = tmp_path / "dicetray.toml"
    file.write_text(
        f'[games]\njournal = "{tmp_path}/games"\n'
        f'[mqtt]\nbroker = "mqtt://127.0.0.1"\nuser = "{word}-user"\npassword_file = "{secret}"\n'
    )
    target = tmp_path / "bundle.tar.gz"
    report = f"OK   broker: {word}\nWRONG camera: http://anna:{word}@camera/\n       -> {word}\n"
    write_bundle(target, report, file, load(file), Asked(True, True), lambda: f"x: {word}\n")
    with tarfile.open(target) as archive:
        parts = [archive.extractfile(member) for member in archive]
        texts = [part.read().decode() for part in parts if part is not None]
    assert len(texts) >= 4
    assert not [text for text in texts if word in text]


def test_all_packages_are_pinned_with_hashes() -> None:
    """all of them, including build tools, are pinned with hashes"""
    for file in (ROOT / "requirements").glob("*.txt"):
        text = re.sub(r"\\\n", " ", file.read_text())
        pins = [line for line in text.splitlines() if line and not line.startswith(("#", "-"))]
        assert pins, file
        assert all(re.fullmatch(r"\S+==\S+.*( +--hash=sha256:[0-9a-f]{64})+ *", p) for p in pins)
    script = re.sub(r"\\\n", " ", (UNITS / "install.sh").read_text())
    from_lists = [line for line in script.splitlines() if "--requirement" in line]
    assert len(from_lists) >= 3
    assert all("--require-hashes" in line for line in from_lists)


def test_a_bundle_needs_no_network() -> None:
    """a bundle needs no network"""
    script = (UNITS / "install.sh").read_text()
    parts = re.findall(r'^if \[ -d "\$TOP/wheels" \]; then\n(.*?)^(?:else|fi)', script, re.M | re.S)
    (bundled,) = (part for part in parts if "$PIP" in part)
    installs = [line for line in bundled.splitlines() if "$PIP" in line]
    assert len(installs) == 2
    assert all(" --no-index " in line for line in installs)
    (extras,) = re.findall(r"^ +(\[ .*) \|\| FROM=(.*)$", script, re.M)
    assert "wheels" in extras[0] and "--no-index" in extras[1]


def test_the_game_runs_without_capabilities_network_or_home_folders() -> None:
    """`dicetray.service`, as `dicetray`, without capabilities, network or home folders"""
    settings = lines_of("dicetray.service")
    assert settings["User"] == ["dicetray"]
    assert settings["CapabilityBoundingSet"] == [""]
    assert settings["PrivateNetwork"] == settings["ProtectHome"] == ["yes"]
