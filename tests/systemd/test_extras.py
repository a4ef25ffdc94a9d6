"""Score page and publisher are installed on request, kept by upgrades, and removed again."""

from pathlib import Path

from tests.systemd.machine import Machine, bundle

UNITS = "usr/local/lib/systemd/system"
WANTED = "etc/systemd/system/multi-user.target.wants/dicetray-web.path"


def units(machine: Machine) -> set[str]:
    """The units installed besides the player's service."""
    return {
        path.name
        for path in (machine.root / UNITS).iterdir()
        if path.name.startswith(("dicetray-web", "dicetray-records", "dicetray-network"))
    }


def test_the_page_comes_and_goes_as_it_is_asked_for(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "machine")
    done = machine.install(bundle(tmp_path, "1.0", None), "--unsigned")
    assert done.returncode == 0, done.stderr
    assert units(machine) == set()
    done = machine.install(bundle(tmp_path, "1.1", None), "--unsigned", "--web")
    assert done.returncode == 0, done.stderr
    there = units(machine)
    assert {"dicetray-web.service", "dicetray-web.path", "dicetray-records.timer"} <= there
    assert (machine.root / WANTED).is_symlink()
    packages = machine.root / "opt/dicetray/current/web.txt"
    assert packages.exists()
    done = machine.install(bundle(tmp_path, "1.2", None), "--unsigned")
    assert done.returncode == 0, done.stderr
    assert (machine.version, units(machine)) == ("1.2", there)
    done = machine.install(bundle(tmp_path, "1.3", None), "--unsigned", "--without-web")
    assert done.returncode == 0, done.stderr
    assert (machine.version, units(machine)) == ("1.3", set())
    assert not (machine.root / WANTED).is_symlink()
    assert not packages.exists()
    assert (machine.root / UNITS / "dicetray.service").is_symlink()


def test_what_the_publisher_needs_comes_and_goes_as_it_is_asked_for(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "machine")
    packages = machine.root / "opt/dicetray/current/mqtt.txt"
    wanted = ((), False), (("--mqtt",), True), ((), True), (("--without-mqtt",), False)
    for number, (options, there) in enumerate(wanted):
        done = machine.install(bundle(tmp_path, f"1.{number}", None), "--unsigned", *options)
        assert done.returncode == 0, done.stderr
        assert (machine.version, packages.exists()) == (f"1.{number}", there)
    assert units(machine) == set()


def test_an_engine_that_crashes_as_it_is_loaded_is_taken_out_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "machine")
    python, said = machine.bin / "python3", machine.folder / "said"
    usual = python.read_text()
    for number, how in enumerate(("exit 0", "kill -SEGV $$")):
        crash = f'*"import onnxruntime"*) {how} ;;\n*uninstall*) echo "$*" >"$WORLD/said" ;;\n'
        python.write_text(usual.replace('case "$*" in\n', f'case "$*" in\n{crash}'))
        done = machine.install(bundle(tmp_path, f"1.{number}", None), "--unsigned")
        assert done.returncode == 0, done.stderr
        assert said.exists() == (number == 1)
    assert said.read_text().endswith("uninstall --yes onnxruntime\n")
