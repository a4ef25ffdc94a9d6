"""Two releases of the program beside the games, between which the real scripts switch.

Both are the program as it is here; what counts and copies the games, keeps the old release and goes
back is `systemd/switching.sh`. It may be cut off at any step, with half of a copy made.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

from tests.paths import ROOT
from tests.systemd.machine import CHANGES, STEP, counting, real_path, steps, write

OLD, NEW = "1.0", "2.0"

MOST_STEPS = 30
"""An upgrade has fewer."""

_UPGRADE = f"""
rm -rf "$HOME_DIR/versions/{NEW}" "$HOME_DIR/versions/{NEW}.new"
mkdir -p "$HOME_DIR/versions/{NEW}.new"
cp -a "$HOME_DIR/versions/{OLD}/." "$HOME_DIR/versions/{NEW}.new"
flush
mv -T "$HOME_DIR/versions/{NEW}.new" "$HOME_DIR/versions/{NEW}"
begin_trial {NEW} {OLD}
point_to {NEW}
"""
"""What install.sh does around the switch, without asking pip for packages."""


class Releases:
    """The releases in a file system of their own, whose games the appliance plays.

    Args:
        root: the file system.
    """

    def __init__(self, root: Path) -> None:
        self._root, self._home = root, root / "opt/dicetray"
        old = self._home / "versions" / OLD
        run = f"PYTHONPATH={ROOT} exec {sys.executable} -m appliance.cli.program"
        write(old / "bin/dicetray", f'#!/bin/sh\n{run} "$@"\n', 0o755)
        shutil.copytree(ROOT / "systemd", old / "share/systemd")
        (self._home / "current").symlink_to(f"versions/{OLD}")
        games = root / "var/lib/dicetray/games.sqlite3"
        write(root / "etc/dicetray.toml", f'[games]\njournal = "{games}"\n')
        self._bin = root / "bin"
        for name in CHANGES:
            write(self._bin / name, STEP.replace("REAL", real_path()), 0o755)
        self._files = _files(old)

    @property
    def version(self) -> str:
        """The release that is in use."""
        return (self._home / "current").readlink().name

    def upgrade(self) -> None:
        """Switches to the new release, which is on trial from then on."""
        done = self._run(_UPGRADE)
        assert done.returncode == 0, done.stderr

    def cut_upgrade(self, chance: Random) -> None:
        """The same, cut off at some step."""
        run = self._root / "steps"
        shutil.rmtree(run, ignore_errors=True)
        counting(run)
        number = chance.randrange(1, MOST_STEPS)
        done = self._run(_UPGRADE, STEPS=str(run), BREAK=str(number), SIGNAL="KILL")
        log = steps(run)
        if done.returncode and log and log[-1][1].startswith("cp -a "):
            _copy_half(*map(Path, log[-1][1].split()[-2:]))

    def boot(self) -> str:
        """Goes back if a trial is not over, as a unit does at each start; what is wrong then."""
        script = self._home / "trial/switching.sh"
        if script.exists():
            done = subprocess.run(
                ["sh", script, "--return"],
                env=self._environment(),
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                return f"the trial did not end: {done.stderr}"
        found = _files(self._home / "current/")
        shutil.rmtree(self._home / f"versions/{NEW}.new", ignore_errors=True)
        return "" if found == self._files else f"release {self.version} is not whole"

    def _run(self, text: str, **more: str) -> subprocess.CompletedProcess[str]:
        here = self._home / "versions" / OLD / "share/systemd"
        sourced = f"HERE={here}; . {here}/layout.sh; . {here}/switching.sh; {text}"
        return subprocess.run(
            ["sh", "-euc", sourced],
            env=self._environment(**more),
            capture_output=True,
            text=True,
            check=False,
        )

    def _environment(self, **more: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        path = f"{self._bin}:{real_path()}"
        return {**kept, "PATH": path, "ROOT": str(self._root), **more}


def _files(top: Path) -> dict[Path, bytes]:
    return {p.relative_to(top): p.read_bytes() for p in top.rglob("*") if p.is_file()}


def _copy_half(source: Path, target: Path) -> None:
    """Copies every other file of a folder, as a power cut leaves it."""
    for file in sorted(p for p in source.rglob("*") if p.is_file())[::2]:
        place = target / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, place)
