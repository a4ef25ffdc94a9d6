#!/bin/bash
# A card that installs itself, in a virtual machine; not part of the test run.
#
#   tests/lab/check_card.sh LAB WORK [STAGE...]
#
# machine.sh says what LAB and WORK are. The card is Debian 13 with those of Raspberry Pi OS's additions that
# are needed: cloud-init, set up as there (NoCloud, its files on the boot partition, the instance named on
# the kernel's command line as Imager does), NetworkManager, polkitd, package lists, lgpio. Its network
# cable is pulled before the kernel runs and plugged in to look at the result.
#
# Needs root, mtools, dosfstools and fdisk. Without a name, all stages run in the order of STAGES.
# shellcheck disable=SC2317  # the stages are called by their names
set -uo pipefail
STAGES=(release old image alone starts missing cut upgrade)
LAB=$(cd "$1" && pwd)
mkdir -p "$2"
WORK=$(cd "$2" && pwd)
shift 2
HERE=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$HERE/../.." && pwd)
export RELEASE_KEY=$WORK/release.key KERNEL="root=/dev/vda2 ds=nocloud;i=rpi-imager-1"
OLD=8708561
. "$HERE/machine.sh"

check_release() { "$TOP/.venv/bin/python" "$TOP/scripts/check_release.py" --machine x86_64 "$1"; }
refused() { ! check_release "$1"; }

# A release with a key of its own, checked; then one whose bundle has a changed file and a matching hash.
stage_release() {
    local changed=$WORK/changed/dist
    rm -rf "$WORK/source" "$WORK/changed" "$WORK/dist"
    mkdir -p "$WORK/source" "$changed"
    (cd "$TOP" && git archive HEAD) | tar -x -C "$WORK/source"
    [ -f "$RELEASE_KEY" ] || "$WORK/source/scripts/make_key" "$RELEASE_KEY" </dev/null || return
    (cd "$TOP" && scripts/make_release --unproved x86_64 && cp -r dist "$WORK/dist") || return
    check "made from the commit $(cd "$TOP" && git rev-parse --short HEAD)" check_release "$WORK/dist"
    cp "$WORK"/dist/* "$changed"
    tar -C "$WORK/changed" -xzf "$changed"/dicetray-*.tar.gz
    echo "# changed" >>"$(echo "$WORK"/changed/dicetray-*/systemd/install.sh)"
    (cd "$WORK/changed" && tar -czf dist/dicetray-*.tar.gz dicetray-* && . "$TOP/scripts/packing.sh" &&
        list_sums dist)
    check "one changed file is found" refused "$changed"
}

# 0.1.0, and a game played with it.
stage_old() {
    rm -rf "$WORK/old"
    git clone -q "$TOP" "$WORK/old" && git -C "$WORK/old" checkout -q $OLD || return
    (cd "$WORK/old" && scripts/make_release --unproved x86_64) || return
    PYTHONPATH=$WORK/old "$WORK/old/.venv/bin/python" "$WORK/old/tests/lab/owner_rehearsal.py" "$WORK" \
        classic >"$WORK/rehearsal.log" 2>&1
    check "0.1.0 made, a game rehearsed with it" grep '^classic:' "$WORK/rehearsal.log"
}

# ---- the card --------------------------------------------------------------------------------

FAT=$((8192 * 512)) ROOTFS=$((1056768 * 512))
mounted() { # IMAGE COMMAND...: with the card's root file system at WORK/root
    mkdir -p "$WORK/root"
    mount -o "loop,offset=$ROOTFS" "$1" "$WORK/root" && mount -t proc proc "$WORK/root/proc" || return
    "${@:2}"
    local status=$?
    umount "$WORK/root/proc" "$WORK/root"
    return $status
}
in_root() { chroot "$WORK/root" sh -euc "export DEBIAN_FRONTEND=noninteractive; $1"; }

# What Raspberry Pi OS has and the lab's Debian lacks; then the lab's pins, Pico and camera.
furnish() {
    local root=$WORK/root unit
    rm -f "$root/etc/resolv.conf" "$root/etc/systemd/network/lan.network"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    # The package lists stay, as in Raspberry Pi OS's image.
    in_root 'apt-get -qq update
        apt-get -qq -y --no-install-recommends install cloud-init network-manager netplan.io polkitd avahi-daemon sudo dosfstools >/dev/null
        apt-get clean
        systemctl -q disable systemd-networkd
        cp -r /opt/lab/lib/python3.13/site-packages/*lgpio* /usr/lib/python3/dist-packages/
        mkdir -p /boot/firmware /mnt/lab
        ln -sf /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
        : >/etc/machine-id' || return
    cat >"$root/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg" <<'CLOUD'
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
CLOUD
    printf 'network:\n  version: 2\n  renderer: NetworkManager\n' >"$root/usr/lib/netplan/00-network-manager-all.yaml"
    chmod 600 "$root/usr/lib/netplan/00-network-manager-all.yaml"
    cat >"$root/etc/fstab" <<'FSTAB'
/dev/vda2 / ext4 defaults,noatime 0 1
/dev/vda1 /boot/firmware vfat defaults 0 2
share /mnt/lab 9p trans=virtio,version=9p2000.L,msize=262144 0 0
FSTAB
    for unit in pins board camera; do
        cat >"$root/etc/systemd/system/lab-$unit.service" <<UNIT
[Unit]
DefaultDependencies=no
RequiresMountsFor=/mnt/lab
After=systemd-udevd.service
Before=dicetray.service
[Service]
ExecStart=/opt/lab/bin/python -B /mnt/lab/owner_in_vm.py $unit
Restart=on-failure
$([ $unit != pins ] || printf 'Type=oneshot\nRemainAfterExit=yes\n')
[Install]
WantedBy=sysinit.target
UNIT
    done
    # For watching from outside.
    cat >"$root/etc/systemd/system/lab-journal.service" <<'UNIT'
[Unit]
RequiresMountsFor=/mnt/lab
[Service]
ExecStart=/bin/sh -c 'exec journalctl -b -f -n all -o short-monotonic --no-hostname >/mnt/lab/run/journal.$$(cut -c 1-8 /proc/sys/kernel/random/boot_id)'
[Install]
WantedBy=multi-user.target
UNIT
    in_root 'systemctl -q enable lab-pins lab-board lab-journal'
}
# lgpio becomes a package that is in no list, polkitd one that could only be fetched.
take_away() {
    local deb=$WORK/lgpio
    mkdir -p "$deb/DEBIAN" "$deb/usr/lib/python3/dist-packages"
    mv "$WORK"/root/usr/lib/python3/dist-packages/*lgpio* "$deb/usr/lib/python3/dist-packages/"
    printf 'Package: python3-lgpio\nVersion: 0.2.2\nArchitecture: amd64\nMaintainer: lab\nDescription: pins\n' >"$deb/DEBIAN/control"
    dpkg-deb -b "$deb" "$WORK/debs/python3-lgpio.deb" >/dev/null
    (cd "$WORK/debs" && "$LAB/apt-trixie.sh" apt-get -q download polkitd >/dev/null)
    in_root 'dpkg --force-depends --purge polkitd'
}

# The system, what Imager writes, the two files of the release; a second card that lacks two packages.
stage_image() {
    local card=$WORK/card.raw boot=$WORK/boot
    rm -rf "$boot" "$card" "$WORK/debs" "$WORK/lgpio"
    mkdir -p "$boot" "$WORK/debs"
    truncate -s 9G "$card"
    printf 'label: dos\nstart=8192, size=1048576, type=c\nstart=1056768, type=83\n' | /usr/sbin/sfdisk -q "$card"
    dd if="$LAB/vm/base.raw" of="$card" bs=1M seek=$((ROOTFS / 1048576)) conv=notrunc,sparse status=none
    mounted "$card" furnish || return
    printf '#cloud-config\nhostname: den\nmanage_etc_hosts: true\nusers:\n- name: anna\n  shell: /bin/bash\n  lock_passwd: true\nssh_pwauth: false\n' >"$boot/user-data"
    echo 'instance-id: rpi-imager-1' >"$boot/meta-data"
    printf 'network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: true\n      optional: true\n' >"$boot/network-config"
    cp "$WORK"/dist/dicetray-[0-9]*.tar.gz "$WORK/dist/vendor-data" "$boot"
    /usr/sbin/mkfs.vfat -F 32 -s 4 -n BOOTFS --offset 8192 "$card" $((1048576 / 2)) >/dev/null
    mcopy -i "$card@@$FAT" "$boot"/* :: || return
    cp --sparse=always "$card" "$WORK/lacking.raw"
    mounted "$WORK/lacking.raw" take_away || return
    check "two cards" ls "$card" "$WORK/lacking.raw"
}

insert() { # IMAGE
    power_off
    rm -rf "$RUN" "$LAB/vm/disk.qcow2"
    mkdir -p "$RUN"
    cp -r "$LAB/demos" "$HERE/owner_in_vm.py" "$WORK/"
    qemu-img create -q -f qcow2 -b "$WORK/$1" -F raw "$LAB/vm/disk.qcow2"
}
cable() { monitor set_link '{"name": "n", "up": '"$1"'}'; }
# Power on, with the network cable out.
start_alone() {
    switch_on
    until [ -S "$LAB/vm/qmp" ] && cable false 2>/dev/null; do sleep 0.2; done
}
picture() { "$TOP/.venv/bin/python" -c 'import sys
from appliance.screens.drawing.layout import two_lines
print(two_lines(*sys.argv[1:]).data.hex())' "$@"; }
board_said() { grep -q "$(picture "$@")" "$RUN/board.log"; }
board_says() { [ "$(cat "$RUN/board")" = "$(picture "$@")" ]; }
drawing() { python3 "$WORK/owner_in_vm.py" drawing; }
journal() { grep -h "$1" "$RUN"/journal.*; }
install_log() { vm "cat /boot/firmware/dicetray-install.log"; }

# From power-on to the first prompt, unattended.
stage_alone() {
    insert card.raw
    start_alone
    check "the board says INSTALLING" saw 3600 INSTALLING WAIT
    until_true 5400 journal "dicetray: installed;"
    check "installed by itself, the cable out" journal "dicetray-first-boot.*: Deactivated\|dicetray: installed;"
    until_true 600 journal "Started dicetray.service"
    drawing >"$WORK/first-prompt.txt"
    cable true
    wait "$BOOT"
    install_log | tee "$WORK/alone.log"
    check "the service runs" vm "systemctl is-active dicetray; systemctl show -p StatusText --value dicetray"
    check "the board's first prompt" cat "$WORK/first-prompt.txt"
    check "Imager's settings are as they were" vm "hostname; id -un anna; cat /boot/firmware/user-data | head -2"
    check "nothing is left of it" vm "! systemctl cat dicetray-first-boot.service 2>/dev/null && ls -d /var/lib/dicetray-first-boot*"
    switch_off
    cp "$LAB/vm/disk.qcow2" "$WORK/installed.qcow2"
}
saw() { until_true "$1" board_said "${@:2}" && echo "${*:2}"; }
gone() { ! running; }

# Three starts of what is installed, the cable out. The lab's camera and Pico cost time that real ones do not.
stage_starts() {
    local number
    for number in 1 2 3; do
        insert card.raw
        cp "$WORK/installed.qcow2" "$LAB/vm/disk.qcow2"
        start_alone
        until_true 1800 journal "Started dicetray.service"
        sleep 60
        cable true
        wait "$BOOT"
        vm "systemd-analyze critical-chain --no-pager dicetray.service; systemd-analyze blame --no-pager | head -20" >"$WORK/start.$number.txt"
        check "start $number, power to prompt" journal "Started dicetray.service"
    done
}

# The same card, but its system lacks two packages.
stage_missing() {
    insert lacking.raw
    start_alone
    check "the board names what is missing" saw 3600 MISSING LGPIO
    cable true
    wait "$BOOT"
    check "the log names all" vm "grep dicetray-debs: /boot/firmware/dicetray-install.log"
    check "nothing was installed" vm "! test -e /opt/dicetray && echo nothing in /opt"
    # As the owner would do it with a card reader.
    check "dicetray-debs filled" vm "cp -r /mnt/lab/debs /boot/firmware/dicetray-debs && sync && ls /boot/firmware/dicetray-debs"
    switch_off
}
switch_off() {
    vm "systemctl poweroff" || true
    until_true 300 gone
    power_off
}

# With the packages beside it, and a power cut while it installs.
stage_cut() {
    rm -f "$RUN"/*
    start_alone
    until_true 3600 journal "preparing /opt/dicetray"
    sleep "${CUT_S:-60}"
    power_off
    check "power cut in mid-installation, at" tail -qn 1 "$RUN"/journal.*
    rm -f "$RUN"/*
    start_alone
    check "the next start installs it" finished
    cable true
    wait "$BOOT"
    install_log | tee "$WORK/cut.log"
    check "the service runs" vm "systemctl is-active dicetray; dpkg-query -W polkitd python3-lgpio"
}
finished() { until_true 5400 journal "dicetray: installed;" && journal "dicetray: installed;"; }

# 0.1.0 with a game under way is upgraded to this version.
stage_upgrade() {
    local before
    insert card.raw
    rm -rf "$WORK/source"
    cp -r "$WORK/old" "$WORK/source"
    cp "$WORK/old/tests/lab/owner_in_vm.py" "$WORK/"
    KERNEL="root=/dev/vda2 cloud-init=disabled" power_on
    vm "cd /root && tar -xzf /mnt/lab/old/dist/dicetray-0.1.0.tar.gz && dicetray-0.1.0/systemd/install.sh 2>&1
        sed -i 's|^source = .*|source = \"v4l2:/dev/video10?size=800x450\"|' /etc/dicetray.toml
        install -o dicetray -g dicetray /mnt/lab/profile.json /var/lib/dicetray/tray.profile
        systemctl enable --now lab-camera; systemctl restart dicetray" >"$WORK/old-install.log" 2>&1
    check "0.1.0 installed" vm "dicetray --version; systemctl is-active dicetray"
    check "a game begun with it" in_vm play classic 0 "$LINES_BEFORE"
    cp "$HERE/owner_in_vm.py" "$WORK/"
    before=$(in_vm sum)
    vm "sha256sum /var/lib/dicetray/tray.profile" >"$WORK/profile.sum"
    check "upgraded in mid-game" vm "cd /root && tar -xzf /boot/firmware/dicetray-1*.tar.gz && \
        dicetray-1*/systemd/install.sh --fingerprint $(fingerprint) 2>&1"
    check "the version" vm "dicetray --version; systemctl is-active dicetray"
    check "the games are as before" same_sum "$before"
    check "the profile is as before" vm "sha256sum -c /mnt/lab/profile.sum"
    check "the game goes on" in_vm play classic back $((LINES_BEFORE + 3))
}
same_sum() { local now; now=$(in_vm sum) && [ "$now" = "$1" ] && echo "$1"; }
LINES_BEFORE=17

[ $# -gt 0 ] || set -- "${STAGES[@]}"
stages "$@"
