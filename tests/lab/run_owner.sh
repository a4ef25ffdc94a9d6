#!/bin/bash
# The product's life on an owner's machine, here a virtual one; not part of the test run.
#
#   tests/lab/run_owner.sh LAB WORK [STAGE...]
#
# machine.sh says what LAB and WORK are.
#
# Without a name, all stages run in the order of STAGES; each can be run again alone, and replaces
# its part of the results. `table` writes tests/lab/lab-run.md. CUTS=10 says how often the power is cut;
# FIRST=4 resumes with the fourth.
# shellcheck disable=SC2317  # the stages are called by their names
set -uo pipefail
STAGES=(bundles rehearse boot wire missing install settings service doctor begin pull hang cuts
    reboot upgrade finish holdem rollback off keep delete table)
LAB=$(cd "$1" && pwd)
mkdir -p "$2"
WORK=$(cd "$2" && pwd)
shift 2
HERE=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$HERE/../.." && pwd)
CUTS=${CUTS:-10}
export RELEASE_KEY=$WORK/release.key
. "$HERE/machine.sh"

# ---- stages ----------------------------------------------------------------------------------

# A release, one of a higher version, and one whose program ends at once.
stage_bundles() {
    rm -rf "$WORK/bundles" "$WORK/source"
    mkdir -p "$WORK/bundles" "$WORK/source"
    (cd "$TOP" && git archive HEAD) | tar -x -C "$WORK/source"
    # A key of the lab's own; the machine is told its fingerprint.
    [ -f "$RELEASE_KEY" ] || openssl genpkey -algorithm ed25519 -out "$RELEASE_KEY"
    (cd "$TOP" && scripts/make_release --unproved x86_64) || return
    cp "$TOP"/dist/dicetray-*.tar.gz "$TOP/dist/SHA256SUMS" "$WORK/bundles/"
    next_bundle 1.98.0 && next_bundle 1.99.0 ends || return
    note OK "made from the commit $(cd "$TOP" && git rev-parse --short HEAD)" "$(cd "$WORK/bundles" && du -h ./*.tar.gz | tr '\t\n' ' ,')"
}

stage_rehearse() {
    # What was bundled, not what is being worked on.
    PYTHONPATH=$WORK/source "$TOP/.venv/bin/python" "$HERE/owner_rehearsal.py" "$WORK" classic \
        holdem >"$WORK/rehearsal.log" 2>&1
    check "games rehearsed outside" grep -E '^(classic|holdem):' "$WORK/rehearsal.log"
}

stage_boot() {
    power_off
    rm -rf "$RUN"
    mkdir -p "$RUN" "$WORK/debs"
    cp -r "$LAB/demos" "$HERE/owner_in_vm.py" "$WORK/"
    # What Raspberry Pi OS has and this plain Debian lacks.
    [ -n "$(ls "$WORK/debs")" ] || (cd "$WORK/debs" && "$LAB/apt-trixie.sh" apt-get -q download \
        polkitd libduktape207 libpam-systemd libpolkit-agent-1-0 libpolkit-gobject-1-0 \
        sgml-base xml-core)
    power_on fresh
    vm "mkdir -p /mnt/lab && echo 'share /mnt/lab 9p trans=virtio,version=9p2000.L,msize=262144 0 0' \
        >>/etc/fstab && systemctl daemon-reload && mount /mnt/lab"
    check "started" vm ". /etc/os-release; echo \$PRETTY_NAME, \$(uname -r), systemd \$(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p')"
}

# Camera, Pico and pins; they are there whenever the machine starts, as real ones would be.
stage_wire() {
    vm "cat >/etc/systemd/system/lab@.service <<'UNIT'
[Unit]
RequiresMountsFor=/mnt/lab
Before=dicetray.service
[Service]
ExecStart=/opt/lab/bin/python -B /mnt/lab/owner_in_vm.py %i
Restart=on-failure
[Install]
WantedBy=multi-user.target
UNIT
cat >/etc/systemd/system/lab-pins.service <<'UNIT'
[Unit]
RequiresMountsFor=/mnt/lab
Before=dicetray.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/opt/lab/bin/python -B /mnt/lab/owner_in_vm.py pins
[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload; systemctl enable --now -q lab-pins lab@camera lab@board
cp /opt/lab/lib/python3.13/site-packages/*lgpio* /usr/lib/python3/dist-packages/ 2>/dev/null"
    until_true 600 vm "test -e /dev/ttyACM0 && test -e /dev/video10"
    check "camera, Pico and pins are there" vm "ls /dev/video10 /dev/ttyACM0 /dev/gpiochip0 && lsusb | grep -o 2e8a:0005"
}

unpack() { # BUNDLE
    vm "rm -rf /root/dicetray-* && cd /root && tar -xzf /mnt/lab/bundles/$1 && ls -d /root/dicetray-*"
}
installer() { vm "/root/dicetray-*/systemd/install.sh --fingerprint $(fingerprint) $*"; }

stage_missing() {
    check "the bundle is whole" vm "cd /mnt/lab/bundles && sha256sum --ignore-missing -c SHA256SUMS"
    check "unpacked" unpack "$(cd "$WORK/bundles" && ls dicetray-*.tar.gz)"
    files >"$WORK/files.clean"
    check "what is missing is named" vm "/root/dicetray-*/systemd/install.sh --fingerprint $(fingerprint) 2>&1; test \$? = 2"
    files >"$WORK/files.refused"
    check "nothing was changed" same_files "$WORK/files.clean" "$WORK/files.refused"
}

stage_install() {
    vm "dpkg -i /mnt/lab/debs/*.deb" >"$WORK/dpkg.log" 2>&1
    files >"$WORK/files.before"
    check "could be installed" installer --check
    check "installed from the bundle alone" vm "ip route del default; /root/dicetray-*/systemd/install.sh --fingerprint $(fingerprint) 2>&1; status=\$?; systemctl restart systemd-networkd; exit \$status"
    check "its place" vm "readlink /opt/dicetray/current; dicetray --version"
}
files() { vm "find / -xdev -not -path '/root/*' -not -path '/tmp/*' -not -path '/var/tmp/*' \
    -not -path '/var/log/*' -not -path '/var/cache/*' -not -path '/var/backups/*' \
    -not -name __pycache__ -not -name '*.pyc' | sort"; }

same_files() { diff "$1" "$2" && echo "$(wc -l <"$2") files and folders as before"; }

stage_settings() {
    vm "sed -i 's|^source = .*|source = \"v4l2:/dev/video10?size=800x450\"|
        s|^profile = .*|profile = \"/var/lib/dicetray/lab.profile\"|' /etc/dicetray.toml
        install -o dicetray -g dicetray /mnt/lab/profile.json /var/lib/dicetray/lab.profile"
    check "a slip in the configuration is named" vm "sed 's/^brightness = 3/brightness = 33/' /etc/dicetray.toml >/tmp/c.toml; dicetray config check /tmp/c.toml 2>&1; test \$? = 2"
    check "the configuration" vm "dicetray config check /etc/dicetray.toml"
    vm "systemctl restart dicetray"
    up "all is well"
    check "restarted" says "all is well"
    log_of
}

stage_service() {
    check "active" active
    check "the Pico's link" vm "readlink -f /dev/dicetray-board; stat -L -c '%G %a' /dev/dicetray-board"
    check "the pins' group" vm "stat -c '%G %a' /dev/gpiochip0"
    check "exposure" vm "systemd-analyze security dicetray --no-pager | tail -1 | grep -o '[01]\.[0-9] [A-Z]*'"
    check "devices open" vm "ls -l /proc/\$(systemctl show -p MainPID --value dicetray)/fd | grep -oE '/dev/(video|gpiochip|ttyACM)[0-9]*' | sort -u | tr '\n' ' '"
    check "no listening socket" vm "! ss -lntup | grep dicetray && echo none"
    check "runs as" vm "ps -o user= -p \$(systemctl show -p MainPID --value dicetray)"
    check "the machine's own watchdog" vm "systemctl show -p RuntimeWatchdogUSec"
}

stage_doctor() {
    vm "dicetray doctor" >"$WORK/doctor.txt" 2>&1
    check "doctor" grep -c -E '^OK' "$WORK/doctor.txt"
    grep -v '^OK' "$WORK/doctor.txt"
    check "a support archive" vm "cd /tmp && dicetray doctor --bundle /tmp/bundle.tar.gz >/dev/null 2>&1; tar -tzf /tmp/bundle.tar.gz | tr '\n' ' '"
}

play() { in_vm play "$@" 2>&1 | tee -a "$WORK/play.log" | tail -40; return "${PIPESTATUS[0]}"; }

stage_begin() {
    check "a game set up by presses, the first throws read by the camera" play classic 0 8
    check "what is saved is what was rehearsed" in_vm saved classic
}

stage_pull() {
    local before
    before=$(in_vm saved classic)
    vm "systemctl stop lab@camera"
    check "camera stopped" until_says camera
    log_of
    vm "systemctl start lab@camera"
    check "camera back" until_says "all is well"
    echo out >"$RUN/cable"
    until_true 300 vm "! test -e /dev/dicetray-board"
    check "Pico pulled, the service goes on" vm "! test -e /dev/ttyACM0 && systemctl is-active dicetray && systemctl show -p NRestarts dicetray"
    echo in >"$RUN/cable"
    until_true 300 vm "test -e /dev/dicetray-board"
    check "Pico back, the board shows the game" play classic back 0
    check "the game is as before ($before lines)" same_lines "$before"
    check "and goes on" play classic back $((before + 3))
}
until_says() { until_true 600 says "$1"; says "$1"; }
same_lines() { [ "$(in_vm saved classic)" = "$1" ] && echo "$1 lines"; }

restarts() { vm "systemctl show -p NRestarts --value dicetray"; }
stage_hang() {
    local before
    before=$(restarts)
    vm "systemctl kill -s STOP --kill-whom=main dicetray"
    until_true 600 vm "test \$(systemctl show -p NRestarts --value dicetray) -gt $before"
    up "all is well"
    check "a process that hangs" vm "journalctl -u dicetray --no-pager -o cat | grep -o 'Watchdog timeout ([^)]*)' | tail -1; systemctl is-active dicetray"
    vm "systemctl kill -s KILL --kill-whom=main dicetray"
    until_true 600 vm "test \$(systemctl show -p NRestarts --value dicetray) -gt $((before + 1))"
    up "all is well"
    check "a process that was killed" vm "systemctl show -p NRestarts dicetray; systemctl is-active dicetray"
    check "the game goes on" play classic back 0
}

done_acts() { wc -l <"$RUN/done.log"; }
# Resumes the game, in the background, until this many more acts are done.
go_on() { # ACTS
    local start
    start=$(done_acts)
    in_vm play classic back 100000 >>"$WORK/play.log" 2>&1 &
    game=$!
    until [ "$(done_acts)" -ge $((start + $1)) ]; do
        kill -0 $game 2>/dev/null || return 1
        sleep 0.5
    done
}
stage_cuts() {
    local number shown back game
    go_on $((3 + RANDOM % 4)) || note FAILED "the game stands still" "$(tail -20 "$WORK/play.log")"
    for number in $(seq "${FIRST:-1}" "$CUTS"); do
        # At any moment of a press, a throw or a reading.
        sleep $((RANDOM % 20)).$((RANDOM % 10))
        "$LAB/power_cut.sh" >/dev/null
        wait $game
        shown=$("$TOP/.venv/bin/python" "$WORK/owner_in_vm.py" shown classic)
        mv "$RUN/board.log" "$RUN/board.$number.log"
        power_on
        # Its first act is to check that all lines are there and the board shows them.
        go_on $((3 + RANDOM % 4))
        back=$(grep ' back ' "$RUN/done.log" | tail -1 | cut -d ' ' -f 3)
        if kill -0 $game 2>/dev/null && [ "$back" -ge "$shown" ]; then
            note OK "power cut $number" "$shown lines shown, $back there, integrity ok; the game went on with: $(tail -1 "$RUN/done.log" | cut -d ' ' -f 6- | cut -c 1-60)"
        else
            note FAILED "power cut $number" "$shown lines shown, $back there; $(tail -20 "$WORK/play.log")"
            log_of
        fi
    done
    vm "pkill -f '[o]wner_in_vm.py play'" || true
    kill $game 2>/dev/null
}

stage_reboot() {
    local before id
    before=$(in_vm saved classic)
    id=$(vm "cat /proc/sys/kernel/random/boot_id")
    vm "systemctl reboot" || true
    until_true 900 other_boot "$id"
    up "all is well"
    check "started anew in order, the game is there" same_or_more "$before"
    check "the board shows it" play classic back 0
}
other_boot() { local now; now=$(vm "cat /proc/sys/kernel/random/boot_id") && [ "$now" != "$1" ]; }
same_or_more() { local now; now=$(in_vm saved classic) && [ "$now" -ge "$1" ] && echo "$1 lines before, $now after"; }

# install_over NAME BUNDLE STATUS: installs it; games must be the same afterwards.
install_over() {
    local before after
    before=$(in_vm sum)
    vm "cp /etc/dicetray.toml /root/config.before"
    unpack "$2" >/dev/null
    check "$1" vm "/root/dicetray-*/systemd/install.sh --fingerprint $(fingerprint) 2>&1; test \$? = $3"
    log_of
    after=$(in_vm sum)
    if [ "$before" = "$after" ]; then note OK "games the same" "$after"; else
        note FAILED "games the same" "before $before, after $after"
    fi
    check "configuration the same, version" vm "cmp /etc/dicetray.toml /root/config.before && dicetray --version && systemctl is-active dicetray"
}

# A USB stick, plugged in and pulled out through QEMU's monitor.
usb_stick() { # in|out
    if [ "$1" = in ]; then
        monitor blockdev-add '{"driver": "raw", "node-name": "stick", "file": {"driver": "file", "filename": "'"$WORK/stick.img"'"}}' \
            device_add '{"driver": "usb-storage", "drive": "stick", "id": "stick", "removable": true}'
    else
        monitor device_del '{"id": "stick"}'
        sleep 3
        monitor blockdev-del '{"node-name": "stick"}'
    fi
}

# Needs fdisk, dosfstools and mtools on this computer. The games are saved and the release is installed
# with the board's buttons, as an owner would do it: OK on SAVE GAMES, OK, then STICK in the menu, RIGHT, OK.
stage_upgrade() {
    local before
    before=$(in_vm saved classic)
    rm -f "$WORK/stick.img"
    truncate -s 420M "$WORK/stick.img"
    printf 'label: dos\nstart=2048, type=c\n' | /usr/sbin/sfdisk -q "$WORK/stick.img"
    /usr/sbin/mkfs.vfat -F 32 -n GAMES --offset 2048 "$WORK/stick.img" >/dev/null
    mcopy -i "$WORK/stick.img@@1M" "$WORK/bundles/next-1.98.0.tar.gz" ::dicetray-1.98.0.tar.gz
    usb_stick in
    until_true 300 vm "grep -q UPDATE /run/dicetray/offer"
    check "a stick is mounted and offered" vm "findmnt -n -o FSTYPE,OPTIONS /run/dicetray-stick/sda1; cat /run/dicetray/offer"
    in_vm press ok
    check "the games saved by a press" until_saved
    in_vm press ok
    in_vm press ok long
    # In the menu of a game STICK is the sixth from the end.
    for _ in 1 2 3 4 5 6; do in_vm press left; done
    in_vm press ok
    in_vm press right
    in_vm press ok
    check "upgraded from the stick" until_version 1.98.0
    until_true 900 vm "! systemctl is-active -q dicetray-update && systemctl is-active -q dicetray"
    check "the game is as before" same_lines "$before"
    usb_stick out
    until_true 120 vm "! test -e /run/dicetray-stick/sda1"
    check "the stick is gone" vm "! test -e /run/dicetray-stick/sda1 && echo nothing is mounted"
    check "the game goes on" play classic back 0
}
until_saved() { until_true 300 vm "ls /run/dicetray-stick/sda1/dicetray/*/going~*" && vm "cd /run/dicetray-stick/sda1/dicetray && find . -type f"; }
until_version() { until_true 1800 vm "dicetray --version | grep -q $1" && vm "dicetray --version"; }

stage_finish() {
    check "the game played to its end" play classic back 100000
    check "all is saved as rehearsed" in_vm saved classic
    check "listed" vm "dicetray games list --journal /var/lib/dicetray/games.sqlite3"
    in_vm drawing | tee "$WORK/finish.board"
}

stage_holdem() {
    echo start >"$RUN/show"
    vm "systemctl restart dicetray"
    up "all is well"
    check "a second game, with coloured dice and bets, to its end" play holdem 0 100000
    check "all is saved as rehearsed" in_vm saved holdem
    in_vm drawing | tee "$WORK/holdem.board"
}

stage_rollback() {
    install_over "a version that ends at once goes back" next-1.99.0.tar.gz 2
    check "the games are where they were" vm "! ls -d /var/lib/dicetray.* 2>/dev/null && ls /var/lib/dicetray"
}

stage_off() {
    in_vm press left right long
    sleep 5
    in_vm press ok
    until_true 300 gone
    if running; then note FAILED "switched off by the buttons" "still runs: $(status)"; else
        note OK "switched off by the buttons" "left and right together, then OK: the machine is off"
    fi
    power_off
    power_on
    up "all is well"
    check "on again" vm "systemctl is-active dicetray; journalctl -b -1 -u dicetray -o cat --no-pager | grep -o 'stopped.*' | tail -1"
}
gone() { ! running; }

# Without the lab's own units, which are not part of the product.
stage_keep() {
    in_vm sum >"$WORK/sum.kept"
    check "removed, games kept" vm "/root/dicetray-*/systemd/uninstall.sh --keep-games && ls /var/lib/dicetray && ! test -e /opt/dicetray"
    check "no user is left" vm "getent passwd dicetray || echo none"
    check "the games" vm "chown -R root /var/lib/dicetray; test \"\$(/opt/lab/bin/python /mnt/lab/owner_in_vm.py sum)\" = '$(cat "$WORK/sum.kept")' && echo the same"
}

stage_delete() {
    unpack "$(cd "$WORK/bundles" && ls dicetray-*.tar.gz)"
    check "installed again, the kept games are found" vm "/root/dicetray-*/systemd/install.sh --fingerprint $(fingerprint) 2>&1 && test \"\$(/opt/lab/bin/python /mnt/lab/owner_in_vm.py sum)\" = '$(cat "$WORK/sum.kept")'"
    check "removed with the games" vm "/root/dicetray-*/systemd/uninstall.sh --delete-games"
    files >"$WORK/files.after"
    check "nothing is left" same_files "$WORK/files.before" "$WORK/files.after"
}

# For maintaining this script: removes all games, so that `begin` can begin.
stage_anew() {
    echo start >"$RUN/show"
    rm -f "$RUN/done.log" "$RUN/board.log"
    vm "systemctl stop dicetray; rm -rf /var/lib/dicetray/games /var/lib/dicetray/games.sqlite3*; systemctl start dicetray"
    up "all is well"
    check "no game is there" says "all is well"
}

# For maintaining this script: starts the machine again as it was left.
stage_on() { power_off; power_on; up "all is well"; check "on" says "all is well"; }

stage_table() { "$TOP/.venv/bin/python" "$HERE/owner_table.py" "$RESULTS" "$HERE/lab-run.md"; }

[ $# -gt 0 ] || set -- "${STAGES[@]}"
stages "$@"
