#!/bin/bash
# The product's life on an owner's machine, in a virtual one; not part of the test run.
#
#   tests/lab/run_owner.sh LAB BUNDLE NEXT_BUNDLE BAD_BUNDLE [STEP...]
#
# LAB holds a virtual machine with Debian 13 and a network device: boot.sh starts it, vm.sh runs a
# command in it as root, power_cut.sh pulls its plug, demos/ has its pins, USB serial device and
# camera. The bundles are made by `scripts/make_release x86_64`, NEXT_BUNDLE of a higher version,
# BAD_BUNDLE of one whose program ends at once. python3-lgpio, which Raspberry Pi OS has and Debian
# has not, is taken from LAB's own environment; an emulated machine is slow, so the limits for
# starting and for the watchdog are longer there (a drop-in, noted in the output).
#
# Steps, in this order where none is named: boot install devices service play pull cuts upgrade
# rollback keep delete. CUTS=10 says how often the power is cut.
set -euo pipefail
LAB=$(cd "$1" && pwd)
NOW=$(realpath "$2")
NEXT=$(realpath "$3")
BAD=$(realpath "$4")
shift 4
HERE=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$HERE/../.." && pwd)
CUTS=${CUTS:-10}
# QEMU's emulation of AVX2 makes OpenCV's colour conversion crash; a real machine's does not.
SLOW='[Service]\nTimeoutStartSec=900\nWatchdogSec=300\nEnvironment=OPENCV_CPU_DISABLE=AVX512_SKX,AVX2,FP16\n'
PINS_OK=4
FAILED=0

vm() { timeout "${PATIENCE:-900}" "$LAB/vm.sh" "$@" </dev/null; }
say() { echo "$(date +%T) $*"; }
# check NAME COMMAND: runs it in the machine; its output must not be empty, its status 0.
check() {
    local name=$1 found
    shift
    if found=$(vm "$@" 2>&1) && [ -n "$found" ]; then
        say "OK      $name: $found"
    else
        FAILED=$((FAILED + 1))
        say "FAILED  $name: ${found:-nothing}"
    fi
}
# until_true SECONDS COMMAND: waits for what nobody tells.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until vm "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 3
    done
}
files() { vm "find / -xdev -not -path '/root/*' -not -path '/tmp/*' -not -path '/var/log/*' \
    -not -path '/var/cache/*' -not -name __pycache__ -not -name '*.pyc' | sort"; }
shown() { vm "python3 /root/lab/count.py"; }
press() { vm "/opt/lab/bin/python /root/lab/owner_in_vm.py press $1"; }
slow() {
    vm "mkdir -p /etc/systemd/system/dicetray.service.d; \
        printf '$SLOW' >/etc/systemd/system/dicetray.service.d/lab.conf; systemctl daemon-reload"
}
unpack() { # BUNDLE: into /root/bundle
    vm "rm -rf /root/bundle; mkdir /root/bundle"
    "$LAB/vm.sh" "tar -xz -C /root/bundle --strip-components=1" <"$1"
}
install_now() { vm "/root/bundle/systemd/install.sh" 2>&1 | sed 's/^/        /'; }

step_boot() {
    "$LAB/boot.sh" "${BOOT:-fresh}"
}

step_install() {
    vm "cp /opt/lab/lib/python3.13/site-packages/*lgpio* /usr/lib/python3/dist-packages/ 2>/dev/null" || true
    unpack "$NOW"
    check "what is missing is named" "/root/bundle/systemd/install.sh --check || true"
    vm "apt-get update -qq && apt-get install -y -qq --no-install-recommends polkitd" >/dev/null 2>&1 ||
        vm "dpkg -i /root/debs/*.deb" >/dev/null
    files >"$LAB/files.before"
    slow
    check "could be installed" "/root/bundle/systemd/install.sh --check"
    install_now
    check "installed" "readlink /opt/dicetray/current && dicetray --version"
}

step_devices() {
    local folder
    folder=$(mktemp -d)
    mkdir -p "$folder/repo"
    "$TOP/.venv/bin/python" "$HERE/owner_frames.py" "$folder/frames"
    cp -r "$LAB/demos" "$HERE/owner_in_vm.py" "$HERE/count.py" "$folder/"
    (cd "$TOP" && git ls-files appliance calibration firmware vision tests/lab) |
        grep -v -E '\.(npz|jpg|png)$' | tar -C "$TOP" -c -T - | tar -C "$folder/repo" -x
    tar -C "$folder" -c . | "$LAB/vm.sh" "mkdir -p /root/lab && tar -C /root/lab -x --no-same-owner"
    rm -rf "$folder"
    # They start with the machine, as real ones would.
    vm "cat >/etc/systemd/system/lab@.service <<'UNIT'
[Unit]
Before=dicetray.service
[Service]
ExecStartPre=mkdir -p /run/lab
ExecStart=/opt/lab/bin/python /root/lab/owner_in_vm.py %i
UNIT
cat >/etc/systemd/system/lab-pins.service <<'UNIT'
[Unit]
Before=dicetray.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/opt/lab/bin/python /root/lab/owner_in_vm.py pins
[Install]
WantedBy=multi-user.target
UNIT
printf '[Install]\nWantedBy=multi-user.target\n' >>/etc/systemd/system/lab@.service
systemctl daemon-reload; systemctl enable --now -q lab-pins lab@camera lab@board
sed -i 's|^source = .*|source = \"v4l2:/dev/video10?size=640x480\"|' /etc/dicetray.toml
sed -i 's|^profile = .*|profile = \"/var/lib/dicetray/lab.profile\"|' /etc/dicetray.toml
install -o dicetray -g dicetray /root/lab/frames/profile.json /var/lib/dicetray/lab.profile"
    until_true 300 "test -e /dev/dicetray-board" || true
    check "the link of the scoreboard" "readlink -f /dev/dicetray-board"
    check "the pins' group" "stat -c '%G %a' /dev/gpiochip*"
    vm "systemctl restart --no-block dicetray"
}

step_service() {
    until_true 300 "systemctl is-active --quiet dicetray" || true
    check "active" "systemctl show -p StatusText --value dicetray; systemctl is-active dicetray"
    check "exposure" "systemd-analyze security dicetray --no-pager | tail -1 | grep -o '[0-9.]* SAFE\|[0-9.]* OK'"
    check "devices open" "ls -l /proc/\$(systemctl show -p MainPID --value dicetray)/fd | grep -oE '/dev/(video|gpiochip|ttyACM)[0-9]*' | sort -u | tr '\n' ' '"
    check "no listening socket" "ss -lntup | grep dicetray || echo none"
    check "the board" "cat /run/lab/board"
}

step_play() {
    local before
    before=$(shown)
    for _ in 1 2 3 4; do press $PINS_OK; sleep 4; done
    until_true 60 "test \$(python3 /root/lab/count.py) -gt $before" || true
    check "a game begun by presses" "test \$(python3 /root/lab/count.py) -gt $before && python3 /root/lab/count.py --last"
    before=$(shown)
    vm "echo throw1 >/run/lab/show"
    until_true 90 "test \$(python3 /root/lab/count.py) -gt $before" || true
    check "a throw read by the camera" "test \$(python3 /root/lab/count.py) -gt $before && python3 /root/lab/count.py --last"
    check "the board" "cat /run/lab/board"
}

step_pull() {
    vm "systemctl stop lab@camera"
    until_true 60 "systemctl show -p StatusText dicetray | grep -q -i camera" || true
    check "camera pulled" "systemctl show -p StatusText --value dicetray | grep -i camera"
    vm "systemctl start lab@camera"
    until_true 200 "systemctl show -p StatusText dicetray | grep -q 'all is well'" || true
    check "camera back" "systemctl show -p StatusText --value dicetray | grep 'all is well'"
    vm "systemctl stop lab@board; /opt/lab/bin/python /root/lab/demos/usb_pico.py unplug"
    until_true 300 "! test -e /dev/dicetray-board" || true
    check "Pico pulled, the game goes on" "! test -e /dev/dicetray-board && systemctl is-active dicetray"
    vm "systemctl start lab@board"
    until_true 300 "test -s /run/lab/board" || true
    check "Pico back" "readlink -f /dev/dicetray-board; cat /run/lab/board"
}

step_cuts() {
    local number before after
    for number in $(seq "$CUTS"); do
        press $PINS_OK
        [ $((number % 2)) = 0 ] || press 25
        before=$(shown)
        "$LAB/power_cut.sh" >/dev/null
        "$LAB/boot.sh" >/dev/null
        until_true 600 "systemctl is-active --quiet dicetray" || true
        after=$(shown)
        check "power cut $number: events $before before, $after after" \
            "test $after -ge $before && python3 /root/lab/count.py --check && systemctl is-active dicetray"
    done
}

step_upgrade() {
    local before
    before=$(vm "python3 /root/lab/count.py --sum")
    unpack "$NEXT"
    install_now
    check "upgraded, games kept" "test '$before' = \"\$(python3 /root/lab/count.py --sum)\" && readlink /opt/dicetray/current && systemctl is-active dicetray"
    install_now
    check "installed twice" "systemctl is-active dicetray && ls /opt/dicetray/versions"
}

step_rollback() {
    local before was
    before=$(vm "python3 /root/lab/count.py --sum")
    was=$(vm "readlink /opt/dicetray/current")
    unpack "$BAD"
    install_now || true
    check "gone back, games kept" "test '$before' = \"\$(python3 /root/lab/count.py --sum)\" && test '$was' = \"\$(readlink /opt/dicetray/current)\" && systemctl is-active dicetray"
    unpack "$NOW"
}

# Without the lab's own units and drop-in, which are no part of the product.
clean() { vm "rm -f /etc/systemd/system/dicetray.service.d/lab.conf; systemctl disable --now -q lab@camera lab@board; systemctl disable -q lab-pins; rm -f /etc/systemd/system/lab*.service; systemctl daemon-reload" 2>/dev/null || true; }

step_keep() {
    clean
    check "removed, games kept" "/root/bundle/systemd/uninstall.sh --keep-games && ls /var/lib/dicetray && ! test -e /opt/dicetray && python3 /root/lab/count.py --check"
}

step_delete() {
    slow
    install_now
    check "the kept games are found again" "python3 /root/lab/count.py --check && systemctl is-active dicetray"
    clean
    check "removed with the games" "/root/bundle/systemd/uninstall.sh --delete-games"
    files >"$LAB/files.after"
    if diff "$LAB/files.before" "$LAB/files.after"; then
        say "OK      nothing is left: $(wc -l <"$LAB/files.after") files and folders as before"
    else
        FAILED=$((FAILED + 1))
        say "FAILED  something is left, or gone"
    fi
    check "no user is left" "getent passwd dicetray || echo none"
}

[ $# -gt 0 ] || set -- boot install devices service play pull cuts upgrade rollback keep delete
for step in "$@"; do
    say "== $step"
    "step_$step"
done
say "$FAILED failed"
[ "$FAILED" = 0 ]
