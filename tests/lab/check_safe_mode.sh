#!/bin/bash
# Safe mode under systemd: a program that fails at each start, in a Debian 13; not part of the test run.
#
#   tests/lab/check_safe_mode.sh LAB WORK
#
# LAB holds cache/trixie.tar, as for check_deb.sh; WORK is a folder for the container. The unit is the real one,
# and so is the program, run from this checkout with its .venv; only what fails is made up: first the camera's
# thread cannot be made, then SQLite ends the process, then nothing fails any more.
#
# Needs root, systemd-nspawn (apt install systemd-container) and cgroup2.
set -uo pipefail
[ -f "${1:-}/cache/trixie.tar" ] || { echo "skipped: expected LAB with cache/trixie.tar, found ${1:-nothing}"; exit 77; }
command -v systemd-nspawn >/dev/null || { echo "skipped: no systemd-nspawn here"; exit 77; }
LAB=$(cd "$1" && pwd)
mkdir -p "$2"
WORK=$(cd "$2" && pwd)
TOP=$(cd "$(dirname "$0")/../.." && pwd)
PYTHON=$(dirname "$(dirname "$(readlink -f "$TOP/.venv/bin/python")")")
GROUPS_V2=$(findmnt -n -t cgroup2 -o TARGET | head -1)
CONTAINER=$GROUPS_V2/dicetray-check-safe-mode
FAILED=0

leader() { pgrep -P "$(cat "$WORK/nspawn.pid")"; }
vm() {
    nsenter -t "$(leader)" -m -u -i -n -p -C -r -w env -i HOME=/root LC_ALL=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -c "$*" </dev/null
}
check() {
    local name=$1 said
    shift
    if said=$("$@" 2>&1); then echo "passed: $name: $said"; else FAILED=1; echo "FAILED: $name: $said"; fi
}
# A condition that holds within so many seconds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 1
    done
}
off() {
    [ -f "$WORK/nspawn.pid" ] || return 0
    kill -s RTMIN+3 "$(leader)" 2>/dev/null
    until_true 60 gone || kill -s KILL "$(cat "$WORK/nspawn.pid")"
    rm -f "$WORK/nspawn.pid"
    rmdir "$CONTAINER" 2>/dev/null || true
}
gone() { ! kill -0 "$(cat "$WORK/nspawn.pid")" 2>/dev/null; }
trap off EXIT

[ -d "$WORK/root/usr" ] || { mkdir -p "$WORK/root" && tar -C "$WORK/root" -xf "$LAB/cache/trixie.tar" --exclude='./dev/*'; }
mkdir -p "$CONTAINER" "$WORK/root$TOP" "$WORK/root$PYTHON" "$WORK/root/etc/systemd/system/dicetray.service.d"
cp "$TOP/systemd/dicetray.service" "$WORK/root/etc/systemd/system/"
# The unit's own folder, devices and camera are not there; the program is this checkout's.
cat >"$WORK/root/etc/systemd/system/dicetray.service.d/lab.conf" <<END
[Service]
ExecStart=
ExecStart=$TOP/.venv/bin/python -u /etc/lab.py run --config /etc/dicetray.toml --board none
Environment=GPIOZERO_PIN_FACTORY=mock PYTHONPATH=$TOP PYTHONDONTWRITEBYTECODE=1
ProtectHome=no
SupplementaryGroups=
TimeoutStartSec=600
WatchdogSec=300
END
sed 's/^source = .*/source = "usb:0"/' "$TOP/appliance/config/default.toml" >"$WORK/root/etc/dicetray.toml"
cat >"$WORK/root/etc/lab.py" <<'END'
import os, sys
from pathlib import Path
from appliance.cli import main, shared
broken = Path("/etc/broken").read_text().split() if Path("/etc/broken").exists() else []
if "camera" in broken:
    from appliance.devices.camera.feed import Feed
    def fails(self): raise RuntimeError("can't start new thread")
    Feed.start = fails
if "games" in broken:
    from appliance.service import opening
    opening.open_or_salvage = lambda path: os.abort()
sys.exit(main.main())
END
chmod 755 "$WORK/root/root"
(
    echo "$BASHPID" >"$CONTAINER/cgroup.procs"
    exec env UNIFIED_CGROUP_HIERARCHY=1 systemd-nspawn --quiet --directory="$WORK/root" --boot --register=no \
        --keep-unit --private-network --machine=dicetray-check-safe-mode --console=pipe \
        --bind-ro="$TOP" --bind-ro="$PYTHON"
) >"$WORK/boot.log" 2>&1 </dev/null &
echo $! >"$WORK/nspawn.pid"
until_true 120 vm "systemctl is-system-running --wait | grep -E 'running|degraded'"
check "started" vm "systemctl --version | head -1"
vm "id dicetray 2>/dev/null || useradd --system --user-group dicetray" >/dev/null

# Active, and says so to whoever asks for its status.
says() { vm "systemctl is-active dicetray; systemctl show -p NRestarts,StatusText dicetray" | tr '\n' ' ' | grep "^active .*$1"; }
log_has() { vm "journalctl -u dicetray -n 300 --no-pager" | grep -m1 -o "$1"; }

echo camera >"$WORK/root/etc/broken"
vm "systemctl start --no-block dicetray"
until_true 900 says 'safe mode'
check "a camera that fails at each start: safe mode" says 'safe mode'
check "its log" log_has '3 starts have failed: safe mode, without camera and game'
check "the games are open" vm "ls -la /var/lib/dicetray/games.sqlite3"

echo camera games >"$WORK/root/etc/broken"
vm "systemctl kill -s KILL dicetray"
until_true 900 log_has 'without camera, game, buttons and saved games'
until_true 300 says 'safe mode'
check "SQLite that ends the process, too: nothing of it" says 'safe mode'
check "its log" log_has '[0-9]* starts have failed: safe mode, without camera, game, buttons and saved games'

rm "$WORK/root/etc/broken"
vm "systemctl restart --no-block dicetray"
until_true 600 says 'no camera'
check "told to start again, it tries everything" says 'no camera'
check "nothing counts any more after that" vm "systemctl stop dicetray; ls /run/dicetray; test ! -e /run/dicetray/failed-starts && echo no failed-starts"
exit $FAILED
