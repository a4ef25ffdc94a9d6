#cloud-boothook
#!/bin/sh
# Installs dicetray when a card is first started: no network, keyboard or screen is needed.
#
# `scripts/make_release` makes it into the file vendor-data, which the owner copies onto the boot partition
# beside dicetray-VERSION.tar.gz and, if the system lacks packages, the folder dicetray-debs/. An empty file
# dicetray-usb-camera says that the camera is a USB camera.
#
# cloud-init runs it at every start, before the services, and Raspberry Pi Imager never writes a file of
# that name: Imager's settings are in user-data, meta-data and network-config, and stay as they are. This
# script then only leaves a copy of itself and a service, which tries at every start until it succeeds.
# Nothing from the bundle runs before its signature has been checked against this fingerprint:
FINGERPRINT=none
set -u
umask 022
ROOT=${ROOT:-}
BOOT=$ROOT/boot/firmware
LOG=$BOOT/dicetray-install.log
DEBS=$BOOT/dicetray-debs
CURRENT=$ROOT/opt/dicetray/current
WORK=$ROOT/var/lib/dicetray-first-boot
DONE=$ROOT/var/lib/dicetray-first-boot.done
SELF=$ROOT/usr/local/sbin/dicetray-first-boot
UNIT=$ROOT/etc/systemd/system/dicetray-first-boot.service
WANTED=$ROOT/etc/systemd/system/multi-user.target.wants/dicetray-first-boot.service
# Filled in by make_release.
# <signature.sh>
. "$(dirname "$0")/signature.sh"
# </signature.sh>

say() { printf "dicetray: %s\n" "$*"; }

# ---- at every start, by cloud-init: short, and whatever happens the system starts -----------------

tidy() { rm -rf "$WORK" "$WANTED" "$UNIT" "$SELF"; }
prepare() {
    # Also if it was cut off while tidying up.
    if [ -e "$DONE" ]; then
        tidy
        return 0
    fi
    mkdir -p "$(dirname "$SELF")" "$(dirname "$WANTED")"
    # The link comes last: until it is there, the next start does all of this again.
    cp "$0" "$SELF.new" && chmod 755 "$SELF.new" && mv -T "$SELF.new" "$SELF" &&
        cat >"$UNIT.new" <<SERVICE && mv -T "$UNIT.new" "$UNIT" && sync &&
[Unit]
Description=dicetray: installs itself on a new card
RequiresMountsFor=/boot/firmware
ConditionPathExists=!/var/lib/dicetray-first-boot.done

[Service]
# Nothing waits for it.
Type=exec
ExecStart=/bin/sh /usr/local/sbin/dicetray-first-boot --install
SERVICE
        ln -sfn ../dicetray-first-boot.service "$WANTED" &&
        systemctl daemon-reload &&
        # A link that is made now takes effect only from the next start on.
        systemctl start --no-block dicetray-first-boot.service
    return 0
}

# ---- the service ----------------------------------------------------------------------------------

# board LINE LINE: becomes a program that shows these on the scoreboard until dicetray itself is there, if
# there is a scoreboard with its firmware. In a subshell only.
board() {
    [ -d "$WORK/board" ] || return 0
    exec python3 -I - "$WORK/board" "$CURRENT" "$@" 2>/dev/null <<'BOARD'
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from appliance.devices.scoreboard.serial_port import SerialScoreboard
from appliance.devices.scoreboard.usb import devices
from appliance.screens.drawing.layout import two_lines
current = Path(sys.argv[2])
while not current.is_symlink():
    ports = [port for device in devices() if device.is_micropython for port in device.ports]
    if not ports:
        time.sleep(2)
        continue
    lights = SerialScoreboard(ports[0])
    lights.show(two_lines(*sys.argv[3:5]))
    while not current.is_symlink() and Path(ports[0]).exists():
        time.sleep(0.5)
    lights.close()
BOARD
}
BOARD_PID=
quiet() {
    [ -z "$BOARD_PID" ] || kill "$BOARD_PID" 2>/dev/null
    BOARD_PID=
}
# Ends this attempt; the board keeps saying why, as nothing else talks to it. Until the bundle is trusted,
# nothing can talk to the board.
give_up() { # what to do; two lines for the board
    say "$1"
    say "not installed; the next start tries again"
    sync
    quiet
    [ $# = 1 ] || (board "$2" "$3")
    exit 1
}
finish() {
    # Never again on this card, even if dicetray is removed.
    say "$1"
    date >"$DONE" && sync && tidy
    sync
    exit 0
}

# unpack BUNDLE: into TOP, if it can be trusted; else WRONG says what is wrong with it.
WRONG=
unpack() {
    # What a power cut has left behind.
    if ! { rm -rf "$WORK" && mkdir -p "$WORK/bundle" &&
        tar -xzf "$1" --no-same-owner --no-same-permissions -C "$WORK/bundle"; }; then
        WRONG="cannot be unpacked; is it whole, and is there room on the card?"
        return
    fi
    TOP=$(find "$WORK/bundle" -mindepth 1 -maxdepth 1 -type d -name 'dicetray-[0-9]*')
    FOUND=
    [ ! -f "$TOP/systemd/release.pub" ] || FOUND=$(fingerprint "$TOP/systemd/release.pub")
    if [ -z "$FOUND" ]; then
        WRONG="expected a signed release, found none"
    elif [ "$FOUND" != "$FINGERPRINT" ]; then
        WRONG="expected the key $FINGERPRINT, found $FOUND; take both files of one release"
    else
        WRONG=$(check_bundle "$TOP" "$TOP/systemd/release.pub")
        [ -z "$WRONG" ] || WRONG="cannot be trusted: $WRONG"
    fi
}
unpack_board() {
    for wheel in "$TOP"/wheels/dicetray-*.whl "$TOP"/wheels/pyserial-*.whl; do
        python3 -I -m zipfile -e "$wheel" "$WORK/board.new" 2>/dev/null || return 0
    done
    mv -T "$WORK/board.new" "$WORK/board"
}

add_debs() {
    ls "$DEBS"/*.deb >/dev/null 2>&1 || return 0
    say "packages of dicetray-debs:"
    # First what was cut off, then what is not yet installed in that version or a newer one. The installer
    # names what is still missing after that.
    DEBIAN_FRONTEND=noninteractive dpkg --configure --pending || true
    DEBIAN_FRONTEND=noninteractive dpkg --install --skip-same-version --refuse-downgrade "$DEBS"/*.deb || true
}

install() {
    say "begins, $(date)"
    # The newest first; where one is refused, and the log says why, the next one may be good.
    TOP=
    while IFS='	' read -r _ bundle; do
        [ -n "$bundle" ] || give_up "expected dicetray-VERSION.tar.gz on the boot partition, found none"
        unpack "$bundle" </dev/null
        [ -n "$WRONG" ] || break
        say "$bundle: $WRONG"
    done <<BUNDLES
$(releases_in "$BOOT")
BUNDLES
    [ -z "$WRONG" ] || give_up "expected a release that can be trusted on the boot partition, found none"
    unpack_board
    board "INSTALLING" "WAIT" &
    BOARD_PID=$!
    add_debs
    # shellcheck disable=SC2046
    sh "$TOP/systemd/install.sh" --fingerprint "$FINGERPRINT" \
        $([ ! -e "$BOOT/dicetray-usb-camera" ] || echo --usb-camera) </dev/null >"$WORK/said" 2>&1
    status=$?
    cat "$WORK/said"
    quiet
    [ "$status" != 0 ] || finish "installed; the boot partition's dicetray-* files are no longer needed"
    # It was laid out and can be examined; doing so again at every start would fix nothing.
    [ ! -L "$CURRENT" ] || finish "installed, but not healthy: sudo dicetray doctor"
    # Packages that apt does not know, and those that it knows but would have to fetch.
    LACKS=
    ! grep -q 'expected the package\|apt could not fetch' "$WORK/said" ||
        LACKS=$(sed -n -e 's/.*expected the package \([^,]*\),.*/\1/p' \
            -e 's/.*fetched from the network: //p' "$WORK/said" | tr '\n' ' ')
    [ -z "$LACKS" ] || give_up "put these packages, and what they need, into dicetray-debs: $LACKS" "MISSING" \
        "$(echo "$LACKS" | cut -d ' ' -f 1 | sed 's/^python3-//' | tr a-z A-Z)"
    give_up "the lines above say what is wrong" "NO INSTALL" "SEE THE LOG"
}

case ${1:-} in
    # The log is on a partition that any computer can read; if it cannot be written, the journal has it all.
    --install)
        [ -e "$DONE" ] || install 2>&1 | tee -a "$LOG"
        [ -e "$DONE" ]
        ;;
    *) prepare ;;
esac
