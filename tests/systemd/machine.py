"""A machine in a folder, on which the scripts of systemd/ run.

Its commands count steps; those that would change the system are stand-ins, as is the program: a
shell script that reads a file of games. The scripts, and what changes files, are real.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.paths import ROOT
from tests.rigs.programs import Answer, answer, stand_in

SYSTEMD = ROOT / "systemd"
GAMES = "var/lib/dicetray/games"
SAVED = ["anna", "ben", "cleo"]
OUTSIDE = {
    "usr/local/lib/systemd/system/dicetray.service": "dicetray.service",
    "etc/udev/rules.d/70-dicetray.rules": "udev.rules",
    "etc/polkit-1/rules.d/60-dicetray.rules": "polkit.rules",
    "etc/systemd/system.conf.d/dicetray.conf": "watchdog.conf",
}
"""Files of a version that are outside its folder, with their names inside it."""

CHANGES = (
    *("mkdir", "mktemp", "mv", "cp", "rm", "ln", "rmdir", "install", "chown", "sync"),
    *("systemctl", "tar"),
)
"""Commands that change files, or what is running."""

PROGRAM = """#!/bin/sh
# A version that reads games up to FORMAT, and turns them into FORMAT when it starts.
games=$ROOT/var/lib/dicetray/games
case "$1 ${2:-}" in
"--version ") echo "dicetray VERSION" ;;
"config default") echo '[camera]' ;;
"config check") ;;
"games list")
    read -r format <"$games" && [ "$format" -le FORMAT ] || exit 2
    number=0
    sed 1d "$games" | while read -r name; do
        number=$((number + 1))
        echo "    $number  classic  begun  $name"
    done ;;
"run ")
    HEALTH
    [ -f "$games" ] || { echo FORMAT >"$games"; exit; }
    read -r format <"$games" && [ "$format" -le FORMAT ] || exit 1
    { echo FORMAT; sed 1d "$games"; } >"$games.new" && mv "$games.new" "$games" ;;
esac
"""

STEP = """#!/bin/sh
# A command that changes something: counts it, keeps the machine as it is now, may let it fail.
name=${0##*/}
export PATH=REAL
case "$*" in --version | show* | is-active*) unset STEPS ;; esac
if [ -n "${STEPS:-}" ]; then
    read -r count <"$STEPS/count"
    count=$((count + 1))
    echo $count >"$STEPS/count"
    echo "$name" $* >>"$STEPS/log"
    if [ -n "${KEEP:-}" ]; then
        cp -a "$ROOT" "$STEPS/$count"
        find "$ROOT" -type f -cnewer "$STEPS/synced" >"$STEPS/$count.unsynced"
    fi
    if [ "$count" = "${BREAK:-}" ]; then
        [ -n "${SIGNAL:-}" ] || { echo "$name: No space left on device" >&2; exit 1; }
        kill -"$SIGNAL" $PPID
    fi
fi
case $name in
chown) exit 0 ;;
sync) [ -z "${STEPS:-}" ] || touch "$STEPS/synced"; exit 0 ;;
systemctl) exec sh "$WORLD/systemctl" "$@" ;;
*) exec $name "$@" ;;
esac
"""

RESTART = """\
mkdir -p "$ROOT/var/lib/dicetray"
echo running >"$WORLD/service"
sh "$ROOT/opt/dicetray/current/bin/dicetray" run || {
    FAILS
    exit
}"""
STOPPED = 'echo stopped >"$WORLD/service"'


def systemctl(folder: Path, system: str = "trixie") -> Path:
    """A systemctl that answers as that of a system does; a service starts if its program does."""

    def said(case: str) -> Answer:
        return answer("systemctl", case, system)

    return stand_in(
        folder,
        "systemctl",
        {
            "--version": said("version"),
            '"restart dicetray"': (
                RESTART.replace("FAILS", said("start fails").lines),
                said("restarted"),
            ),
            '"show -p MainPID --value dicetray"': said("main process"),
            '"is-active --quiet dicetray"': said("is active"),
            # Several units, of which one is not there.
            '"disable --now "*" "* | "stop "*" "*': (
                STOPPED if said("is active after all").status else ":",
                said("disable two, one unknown"),
            ),
            '"stop dicetray" | "disable --now dicetray"': (STOPPED, said("stopped")),
            "stop* | disable*": said("stop unknown"),
            "try-restart*": said("try-restart of none"),
            "daemon-reload": said("reload"),
            "start* | restart* | enable* | reset-failed*": said("restarted"),
        },
    )


PYTHON = """#!/bin/sh
# The environment's own python, and the system's where it makes one.
case "$*" in
*"-m venv"*)
    for folder; do :; done
    PATH=REAL
    mkdir -p "$folder/bin"
    cp "$0" "$folder/bin/python" ;;
*"-m pip"*.whl | *"-m pip"*--no-build-isolation*)
    PATH=REAL
    cp "$WORLD/program" "${0%/*}/dicetray"
    chmod +x "${0%/*}/dicetray" ;;
*"-m pip"*) ;;
*"import picamera2"*) exit 1 ;;
"-I -") ;;
*) exec PYTHON3 "$@" ;;
esac
"""

QUIET = (
    *("id", "logger", "getent", "systemd-sysusers", "sleep", "apt-get", "userdel", "groupdel"),
)


def real_path() -> str:
    """Where the system's own commands are."""
    return "/usr/sbin:/usr/bin:/sbin:/bin"


def write(file: Path, text: str, mode: int = 0o644) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(mode)


def program(version: str, reads: int, health: str = "") -> str:
    return (
        PROGRAM.replace("VERSION", version).replace("FORMAT", str(reads)).replace("HEALTH", health)
    )


def make_key(folder: Path) -> Path:
    key = folder / "key"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
    return key


def public(key: Path, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", file], check=True)


def bundle(folder: Path, version: str, key: Path | None) -> Path:
    """A release of the scripts as they are here, with dummy wheels."""
    top = folder / f"dicetray-{version}"
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    machine = os.uname().machine
    for name in (f"dicetray-{version}-py3-none-any", f"numpy-1-{tag}-{tag}-manylinux_{machine}"):
        write(top / f"wheels/{name}.whl", name)
    pins = (f"requirements/{of}.txt" for of in ("base", "bookworm", "web", "mqtt"))
    for name in ("LICENSE", "docs/a.md", *pins):
        write(top / name, name)
    shutil.copytree(SYSTEMD, top / "systemd")
    for name in OUTSIDE.values():
        write(top / "systemd" / name, f"{name} of {version}\n")
    (top / "systemd/release.pub").unlink(missing_ok=True)
    script = f". '{ROOT}/scripts/packing.sh'; list_sums '{top}'"
    if key is not None:
        public(key, top / "systemd/release.pub")
        script += f"; sign '{top}' '{key}'"
    subprocess.run(["sh", "-euc", script], check=True)
    return top


@dataclass
class Machine:
    """A machine in a folder; `root` is its file system."""

    folder: Path
    root: Path = field(init=False)
    bin: Path = field(init=False)

    def __post_init__(self) -> None:
        self.root = self.folder / "root"
        self.bin = self.folder / "bin"
        write(self.root / "etc/os-release", "VERSION_CODENAME=trixie\n")
        for part in ("opt", "var/lib", "run/systemd/system", "usr/local/bin", "usr/local/sbin"):
            (self.root / part).mkdir(parents=True)
        for name in CHANGES:
            write(self.bin / name, STEP.replace("REAL", real_path()), 0o755)
        for name in QUIET:
            write(self.bin / name, "#!/bin/sh\necho 0\n" if name == "id" else "#!/bin/sh\n", 0o755)
        write(self.bin / "dpkg-query", "#!/bin/sh\necho installed\n", 0o755)
        write(self.bin / "setpriv", '#!/bin/sh\nshift 3\nexec "$@"\n', 0o755)
        text = PYTHON.replace("REAL", real_path()).replace("PYTHON3", sys.executable)
        write(self.bin / "python3", text, 0o755)
        systemctl(self.folder)
        reloaded, triggered = answer("udevadm", "reloaded"), answer("udevadm", "triggered")
        stand_in(self.bin, "udevadm", {'"control --reload"': reloaded, "trigger*": triggered})
        stand_in(self.bin, "journalctl", {'"-u dicetray "*': answer("journalctl", "no lines")})
        write(self.folder / "service", "running\n")

    def install_former(self, key: Path | None = None) -> None:
        """Installs 1.0 with games, laid out as 0.1.0 was: files outside its folder are copies."""
        home = self.root / "opt/dicetray/versions/1.0"
        write(home / "bin/dicetray", program("1.0", 1), 0o755)
        for name in OUTSIDE.values():
            write(home / "share/systemd" / name, f"{name} of 1.0\n")
        if key is not None:
            public(key, home / "share/systemd/release.pub")
        for place, name in OUTSIDE.items():
            write(self.root / place, f"{name} of 1.0\n")
        unit = self.root / "etc/systemd/system/dicetray.service"
        unit.parent.mkdir(parents=True)
        (self.root / "usr/local/lib/systemd/system/dicetray.service").rename(unit)
        (self.root / "opt/dicetray/current").symlink_to("versions/1.0")
        write(self.root / "etc/dicetray.toml", "[camera]\n")
        write(self.root / GAMES, "\n".join(["1", *SAVED, ""]))
        write(self.root / "var/lib/dicetray/tray.profile", "profile")

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": f"{self.bin}:{real_path()}",
            "ROOT": str(self.root),
            "WORLD": str(self.folder),
            "DICETRAY_PRETEND": "yes",
            "HEALTHY_S": "0",
            **more,
        }

    def run(self, *command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        # Tests that a script runs in the background would pass on their ignored Ctrl+C.
        return subprocess.run(
            ["env", "--default-signal=INT", "sh", *command],
            env=self.environment(**more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def install(
        self, top: Path, *words: str, text: str | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs a bundle's install.sh; `text` is the program in it."""
        version = top.name.removeprefix("dicetray-")
        write(self.folder / "program", text or program(version, 2))
        return self.run(top / "systemd/install.sh", *words, **more)

    def boot(self) -> None:
        """Starts as a machine does: undoes an upgrade that was cut off, then starts the service."""
        script = self.root / "opt/dicetray/trial/switching.sh"
        if script.parent.exists():
            done = self.run(script, "--return")
            assert done.returncode == 0, done.stderr
        done = self.run(self.folder / "systemctl", "restart", "dicetray")
        assert done.returncode == 0, done.stderr

    @property
    def version(self) -> str:
        return (self.root / "opt/dicetray/current").readlink().name

    @property
    def service(self) -> str:
        return (self.folder / "service").read_text().strip()

    def games(self) -> list[str]:
        """The games, as the version in use reads them."""
        done = self.run(self.root / "opt/dicetray/current/bin/dicetray", "games", "list")
        assert done.returncode == 0, "the version in use cannot read the games"
        return [line.split()[-1] for line in done.stdout.splitlines()]

    def seen(self, place: str) -> str:
        """The text of a file outside the versions, through its link."""
        path = self.root / place
        for _ in range(3):
            if not path.is_symlink():
                break
            target = str(path.readlink())
            path = (
                self.root / target.lstrip("/") if target.startswith("/") else path.parent / target
            )
            path = follow_current(self.root, path)
        return path.read_text()

    def files(self, version: str) -> dict[str, bytes]:
        """All files of a version, by their names in it."""
        top = self.root / "opt/dicetray/versions" / version
        return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*") if p.is_file()}

    def check_whole(self, version: str, files: dict[str, bytes]) -> None:
        """Checks that this version is in use, with everything that belongs to it and all games."""
        assert self.version == version
        assert self.files(version) == files
        for place, name in OUTSIDE.items():
            unit = "etc/systemd/system/dicetray.service"
            former = name == "dicetray.service" and (self.root / unit).exists()
            assert self.seen(unit if former else place) == f"{name} of {version}\n"
        assert self.games() == SAVED
        assert (self.root / "var/lib/dicetray/tray.profile").read_text() == "profile"


def follow_current(root: Path, path: Path) -> Path:
    """Resolves the relative link `current`."""
    current = root / "opt/dicetray/current"
    if path.is_relative_to(current):
        return current.parent / current.readlink() / path.relative_to(current)
    return path


def steps(folder: Path) -> list[tuple[int, str]]:
    """The counted commands, with their numbers."""
    return list(enumerate((folder / "log").read_text().splitlines(), start=1))


def counting(folder: Path) -> Path:
    """A new folder for the steps of a run."""
    folder.mkdir()
    write(folder / "count", "0\n")
    write(folder / "log", "")
    write(folder / "synced", "")
    return folder
