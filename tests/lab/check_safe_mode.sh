#!/bin/bash
# Safe mode under systemd: a start that hangs or crashes in each of its phases, in a Debian 13; not part of the
# test run.
#
#   tests/lab/check_safe_mode.sh LAB WORK [PHASE...]
#
# LAB holds cache/trixie.tar, as for check_deb.sh; WORK is a folder for the container. The unit is the real one with
# its own limits, and so is the program, run from this checkout with its .venv; only the fault is made up
# (tests/rigs/start_faults.py). Without PHASEs it takes half an hour. It prints a row for each phase and fault:
# the seconds from the first start to the safe one, and what that says.
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
ExecStart=/bin/sh -c 'exec $TOP/.venv/bin/python -u -m tests.rigs.start_faults \$(cat /etc/fault) run --config /etc/dicetray.toml'
Environment=GPIOZERO_PIN_FACTORY=mock PYTHONPATH=$TOP PYTHONDONTWRITEBYTECODE=1
ProtectHome=no
SupplementaryGroups=
END
cp "$TOP/systemd/backoff.conf" "$WORK/root/etc/systemd/system/dicetray.service.d/"
sed 's/^source = .*/source = "usb:0"/' "$TOP/appliance/config/default.toml" >"$WORK/root/etc/dicetray.toml"
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

RECORD=/run/dicetray/failed-starts
says() { vm "systemctl is-active dicetray; systemctl show -p StatusText dicetray" | tr '\n' ' ' | grep "^active .*$1"; }
log_has() { vm "journalctl _SYSTEMD_INVOCATION_ID=\$(systemctl show -p InvocationID --value dicetray) --no-pager" | grep -o "$1"; }
no_record() { vm "test ! -e $RECORD && echo no failed-starts"; }
# broken PHASE FAULT: what fails at the next starts.
broken() { echo "$1 $2" >"$WORK/root/etc/fault"; }
stop() { vm "systemctl stop dicetray; systemctl reset-failed dicetray 2>/dev/null" || true; }
# row PHASE FAULT RESULT: four starts with it, as a row of the table in docs/figures.md.
row() {
    local from=$EPOCHREALTIME took
    broken "$1" "$2"
    vm "systemctl start --no-block dicetray"
    if ! until_true 150 says 'safe mode'; then
        check "$1 $2: safe mode" says 'safe mode'
        stop
        return
    fi
    took=$(awk "BEGIN{printf \"%.0f\", $EPOCHREALTIME-$from}")
    # The first start opens the camera while it does the rest.
    check "$1 $2: the record" vm "sed -n 2,4p $RECORD | paste -sd, | grep -E '^[a-z_]+ $3,$1 $3,$1 $3$'"
    check "$1 $2: three starts, no more" vm "systemctl show -p NRestarts --value dicetray | grep -x 3"
    check "$1 $2: its log" log_has '3 starts have failed: .* safe mode, without .*'
    [ "$took" -le 100 ] || { FAILED=1; echo "FAILED: $1 $2: $took s"; }
    echo "| $1 | $2 | $took s | $(log_has 'safe mode, without .*') |"
    stop
    check "$1 $2: told to end, it takes the count back" no_record
}

shift 2
for phase in ${*:-plug_ins settings tray board buttons games voice}; do
    row "$phase" hangs timeout
    row "$phase" crashes signal
done
[ $# = 0 ] || exit $FAILED

# Hangs of other kinds.
row games spins timeout
row games raises exit-code
row camera holds timeout
row camera crashes signal

# A camera that leaves Python its lock hangs in a thread of its own, which holds up nothing.
broken camera hangs
vm "systemctl start --no-block dicetray"
until_true 60 says 'camera'
check "camera hangs: no safe mode" says 'camera'
stop

# A start that is slow, but gets on, takes its time.
broken games drags
vm "systemctl start --no-block dicetray"
until_true 90 says 'no camera'
check "games that take 40 s: it starts" vm "systemctl show -p NRestarts --value dicetray | grep -x 0"
check "and names them" log_has 'the start has not got past a phase for 10 s: opens the games'
stop

# Three starts told to end, each before it is ready, are no failed ones; a time-out is one.
broken games hangs
for _ in 1 2 3; do
    vm "systemctl start --no-block dicetray"
    until_true 30 vm "grep -q games $RECORD"
    stop
done
check "told to end three times before it was ready: nothing counts" no_record

# Settings that are wrong are no failed start, however long that lasts.
broken none none
sed -i '1i nonsense = 1' "$WORK/root/etc/dicetray.toml"
vm "systemctl start --no-block dicetray"
until_true 60 vm "systemctl show -p StatusText dicetray | grep -q wrong"
until_true 120 vm "systemctl show -p NRestarts --value dicetray | grep -x 1"
check "wrong settings are tried anew after 90 s" vm "systemctl show -p NRestarts --value dicetray | grep -x 1"
until_true 60 vm "systemctl show -p StatusText dicetray | grep -q wrong"
check "and are no failed start" no_record
sed -i 1d "$WORK/root/etc/dicetray.toml"
until_true 60 says 'no camera'
check "the settings are right: it goes on" says 'no camera'
vm "systemctl kill -s KILL dicetray"
until_true 60 says 'no camera'
check "killed within the minute after READY: it counts" vm "cat $RECORD"
sleep 65
check "a minute after READY nothing counts" no_record
stop
exit $FAILED
