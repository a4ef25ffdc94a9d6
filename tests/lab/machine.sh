# shellcheck shell=bash disable=SC2034
# Sourced by run_owner.sh and check_card.sh: the virtual machine in the folder LAB, and what is recorded of it.
#
# LAB holds a virtual machine with Debian 13 and a network device: boot.sh starts it, vm.sh runs a
# command in it as root, power_cut.sh pulls its plug, demos/ has its pins, USB serial device and
# camera. WORK is a folder for bundles, films and results; the machine sees it as /mnt/lab.
#
# The machine's clock counts instructions (QEMU's icount, a nanosecond each), so how long something
# takes by it does not depend on how fast or busy the computer outside is, and the product's own
# limits hold. Nothing else about speed is judged.
RUN=$WORK/run
RESULTS=$WORK/results.tsv
STAGE=
FAILED=0
mkdir -p "$RUN"

# A busy machine may not answer at once.
vm() {
    local status
    for _ in 1 2 3; do
        timeout "${PATIENCE:-1800}" "$LAB/vm.sh" "$@" </dev/null
        status=$?
        [ $status = 255 ] || break
    done
    return $status
}
in_vm() { vm "/opt/lab/bin/python /mnt/lab/owner_in_vm.py $*"; }
running() { [ -f "$LAB/vm/pid" ] && kill -0 "$(cat "$LAB/vm/pid")" 2>/dev/null; }
# switch_on [fresh]: returns when it has power.
switch_on() {
    rm -f "$LAB/vm/pid"
    (
        export SHARE=$WORK SMP=1 CPU=Nehalem ACCEL="tcg,thread=single -icount shift=0,sleep=on"
        export APPEND="systemd.mask=e2scrub_reap.service ${KERNEL:-systemd.mask=systemd-networkd-wait-online.service}"
        timeout 3600 "$LAB/boot.sh" "$@"
    ) >"$WORK/boot.log" 2>&1 &
    BOOT=$!
    until running || ! kill -0 "$BOOT" 2>/dev/null; do sleep 0.2; done
    # The scheduler must not give the machine just one share among everything the computer does.
    echo "${PRIORITY:-0}" >"/proc/$(cat "$LAB/vm/pid")/autogroup" 2>/dev/null || true
}
# power_on [fresh]: returns when one can log in.
power_on() { switch_on "$@" && wait "$BOOT"; }
power_off() { running && "$LAB/power_cut.sh" >/dev/null; true; }
# monitor NAME ARGUMENTS...: gives QEMU's monitor commands, each with its arguments in JSON.
monitor() {
    python3 - "$LAB/vm/qmp" "$@" <<'QMP'
import json, socket, sys

line = socket.socket(socket.AF_UNIX)
line.connect(sys.argv[1])
both = line.makefile("rw")
both.readline()
asked = ["qmp_capabilities", "{}", *sys.argv[2:]]
for name, arguments in zip(asked[::2], asked[1::2], strict=True):
    both.write(json.dumps({"execute": name, "arguments": json.loads(arguments)}) + "\n")
    both.flush()
    while "event" in (answer := json.loads(both.readline())):
        pass
    assert "error" not in answer, answer
QMP
}

say() { echo "$(date +%T) $*"; }
note() { # OK|FAILED NAME TEXT
    local text
    text=$(echo "$3" | tr '\t\n' '  ' | sed 's/  */ /g; s/ $//')
    [ "$1" = OK ] || FAILED=$((FAILED + 1))
    say "$1 $STAGE: $2: $text"
    printf '%s\t%s\t%s\t%s\n' "$STAGE" "$1" "$2" "$text" >>"$RESULTS"
}
# check NAME COMMAND: runs it; its status must be 0, its output not empty.
check() {
    local name=$1 found
    shift
    if found=$("$@" 2>&1) && [ -n "$found" ]; then note OK "$name" "$found"; else
        note FAILED "$name" "${found:-nothing}"
        return 1
    fi
}
# until_true SECONDS COMMAND: polls for what nothing reports, by this computer's clock.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 3
    done
}
status() { vm "systemctl show -p StatusText --value dicetray"; }
says() { status | grep -i "$1"; }
active() { vm "systemctl is-active dicetray"; }
up() { until_true 900 says "${1:-.}"; }
log_of() { vm "journalctl -u dicetray --no-pager -n 40 -o cat" >"$WORK/$STAGE.service.log" 2>&1; }
fingerprint() { openssl pkey -in "$RELEASE_KEY" -pubout | sha256sum | cut -c 1-64; }
# next_bundle VERSION [ends]: WORK/bundles/next-VERSION.tar.gz, as the release there but of that version, made from
# WORK/source; with `ends`, of a program that ends at once.
next_bundle() {
    local folder
    folder=$(mktemp -d)
    mkdir "$folder/bundle"
    cp -r "$WORK/source" "$folder/source"
    sed -i "s/^version = .*/version = \"$1\"/" "$folder/source/pyproject.toml"
    if [ -n "${2:-}" ]; then
        sed -i -E 's/^( *)config = with_deck/\1raise SystemExit(3)\n&/' "$folder/source/appliance/cli/run.py"
        grep -q 'raise SystemExit(3)' "$folder/source/appliance/cli/run.py" || return
    fi
    tar -xzf "$WORK"/bundles/dicetray-*.tar.gz -C "$folder/bundle" --strip-components=1
    rm "$folder"/bundle/wheels/dicetray-*.whl
    "$TOP/.venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
        --no-build-isolation --wheel-dir "$folder/bundle/wheels" "$folder/source" || return
    rm "$folder/bundle/SHA256SUMS" "$folder/bundle/SHA256SUMS.sig"
    (. "$TOP/scripts/packing.sh" && list_sums "$folder/bundle" && sign "$folder/bundle" "$RELEASE_KEY")
    mv "$folder/bundle" "$folder/dicetray-$1"
    tar -C "$folder" -cf - "dicetray-$1" | gzip -1 >"$WORK/bundles/next-$1.tar.gz"
    rm -rf "$folder"
}
# stages NAME...: runs them; each replaces its part of the results.
stages() {
    for STAGE in "$@"; do
        say "== $STAGE"
        [ ! -f "$RESULTS" ] || [ "$STAGE" = table ] || [ -n "${FIRST:-}" ] || sed -i "/^$STAGE\t/d" "$RESULTS"
        "stage_$STAGE" || true
    done
    say "$FAILED failed"
    [ "$FAILED" = 0 ]
}
