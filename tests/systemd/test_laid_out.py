"""The scripts on a system in a folder: what they check, and what they leave behind."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.rigs.programs import SYSTEMS
from tests.systemd.machine import SYSTEMD, Machine, systemctl

LAYOUT = "HOME_DIR STATE_DIR CONFIG CAMERA_PASSWORD MADE BACKOFF"


def run(root: Path, script: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / "systemd" / script), *words],
        env={**os.environ, "ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def system(folder: Path, codename: str = "trixie") -> Path:
    (folder / "etc").mkdir()
    (folder / "opt").mkdir()
    (folder / "etc/os-release").write_text(f"VERSION_CODENAME={codename}\n")
    return folder


def files(root: Path) -> set[Path]:
    return set(root.rglob("*"))


def places(root: Path) -> dict[str, Path]:
    ask = f'. "{ROOT}/systemd/layout.sh"; for name in {LAYOUT}; do eval "echo $name=\\$$name"; done'
    ask += "; links | sed 's/ /=/;s/^\\([^=]*\\)=.*/\\1=\\1/'"
    done = subprocess.run(
        ["sh", "-c", ask], env={"ROOT": str(root)}, capture_output=True, text=True, check=True
    )
    pairs = (line.split("=", 1) for line in done.stdout.splitlines())
    return {name: Path(value) for name, value in pairs}


def lay_out(root: Path) -> None:
    """Creates everything that installation makes, with a game."""
    for name, place in places(root).items():
        if name in ("HOME_DIR", "STATE_DIR"):
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("")
    found = places(root)
    found["MADE"].write_text(f"folder {found['BACKOFF'].parent}\n")
    (found["STATE_DIR"] / "games.sqlite3").write_text("games")


def test_a_look_changes_nothing(tmp_path: Path) -> None:
    root = system(tmp_path)
    before = files(root)
    done = run(root, "install.sh", "--check", "--unsigned")
    assert done.returncode == 0, done.stderr
    assert "nothing was changed" in done.stdout
    assert files(root) == before


def test_an_unknown_system_is_refused_and_left_alone(tmp_path: Path) -> None:
    root = system(tmp_path, "buster")
    before = files(root)
    done = run(root, "install.sh", "--unsigned")
    assert done.returncode == 2
    assert "found buster" in done.stderr
    assert files(root) == before


def test_removal_leaves_the_games_if_wished(tmp_path: Path) -> None:
    root = system(tmp_path)
    lay_out(root)
    assert run(root, "uninstall.sh", "--keep-games").returncode == 0
    assert (places(root)["STATE_DIR"] / "games.sqlite3").read_text() == "games"
    assert not places(root)["HOME_DIR"].exists()


def test_removal_leaves_no_file(tmp_path: Path) -> None:
    root = system(tmp_path)
    lay_out(root)
    assert run(root, "uninstall.sh", "--delete-games").returncode == 0
    assert {path for path in files(root) if path.is_file()} == {root / "etc/os-release"}
    found = places(root)
    assert not found["STATE_DIR"].exists()
    assert not found["BACKOFF"].parent.exists()


def test_removal_leaves_no_file_of_the_page_either(tmp_path: Path) -> None:
    root = system(tmp_path)
    without = places(root)
    (root / "opt/dicetray").mkdir()
    (root / "opt/dicetray/web").touch()
    lay_out(root)
    more = places(root).keys() - without.keys()
    assert any(name.endswith("dicetray-web.path") for name in more)
    assert all(Path(name).exists() for name in more)
    assert run(root, "uninstall.sh", "--delete-games").returncode == 0
    assert {path for path in files(root) if path.is_file()} == {root / "etc/os-release"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_removal_ends_the_service_whatever_else_is_installed(tmp_path: Path, system: str) -> None:
    """Since systemd 262 one unit that is not there keeps systemctl from stopping the others."""
    machine = Machine(tmp_path)
    systemctl(machine.folder, system)
    done = machine.run(SYSTEMD / "uninstall.sh", "--keep-games")
    assert done.returncode == 0, done.stderr
    assert machine.service == "stopped"
