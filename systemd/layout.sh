# shellcheck shell=sh disable=SC2034
# Sourced by all scripts here: where everything is. ROOT is empty except in tests.
ROOT=${ROOT:-}
HOME_DIR=$ROOT/opt/dicetray
STATE_DIR=$ROOT/var/lib/dicetray
CONFIG=$ROOT/etc/dicetray.toml
# What `dicetray config move-password` makes.
CAMERA_PASSWORD=$ROOT/etc/credstore/camera-password
COMMAND=$ROOT/usr/local/bin/dicetray
UPGRADE=$ROOT/usr/local/sbin/dicetray-upgrade
# Not below /etc: `systemctl disable` would delete the links there.
UNITS=$ROOT/usr/local/lib/systemd/system
WANTS=$ROOT/etc/systemd/system/multi-user.target.wants
UNIT=$UNITS/dicetray.service
BACKOFF=$ROOT/etc/systemd/system/dicetray.service.d/backoff.conf
WATCHDOG=$ROOT/etc/systemd/system.conf.d/dicetray.conf
JOURNALD=$ROOT/etc/systemd/journald.conf.d/dicetray.conf
SYSUSERS=$ROOT/etc/sysusers.d/dicetray.conf
# After 60-serial.rules and 60-persistent-v4l.rules, which identify the device.
UDEV=$ROOT/etc/udev/rules.d/70-dicetray.rules
POLKIT=$ROOT/etc/polkit-1/rules.d/60-dicetray.rules
# What installation made besides its own files: one line each, `folder PATH` or `group NAME`.
MADE=$HOME_DIR/made
# Where 0.1.0 had a copy of its unit; it would hide the link.
FORMER_UNIT=$ROOT/etc/systemd/system/dicetray.service

# Exists while the score page is installed too.
WEB=$HOME_DIR/web
# The same for the publisher to a broker.
MQTT=$HOME_DIR/mqtt
WEB_UDEV=$ROOT/etc/udev/rules.d/71-dicetray-web.rules
DISPATCHER=$ROOT/etc/NetworkManager/dispatcher.d/90-dicetray

CURRENT=/opt/dicetray/current
# What a version has outside its folder: a link each, into the version that `current` names. So changing
# that one link, in one step, changes them all.
links() {
    share=$CURRENT/share/systemd
    echo "$UNIT $share/dicetray.service"
    echo "$WANTS/dicetray.service $UNIT_PATH/dicetray.service"
    echo "$UNITS/dicetray-return.service $share/dicetray-return.service"
    echo "$WANTS/dicetray-return.service $UNIT_PATH/dicetray-return.service"
    echo "$UNITS/dicetray-mqtt.service $share/dicetray-mqtt.service"
    echo "$UNITS/dicetray-mount@.service $share/dicetray-mount@.service"
    echo "$UNITS/dicetray-stick@.service $share/dicetray-stick@.service"
    echo "$UNITS/dicetray-update.service $share/dicetray-update.service"
    echo "$UNITS/dicetray-update.path $share/dicetray-update.path"
    echo "$WANTS/dicetray-update.path $UNIT_PATH/dicetray-update.path"
    echo "$BACKOFF $share/backoff.conf"
    echo "$WATCHDOG $share/watchdog.conf"
    echo "$JOURNALD $share/journald.conf"
    echo "$SYSUSERS $share/sysusers.conf"
    echo "$UDEV $share/udev.rules"
    echo "$POLKIT $share/polkit.rules"
    echo "$COMMAND $CURRENT/bin/dicetray"
    echo "$UPGRADE $share/upgrade.sh"
    [ -e "$WEB" ] || return 0
    echo "$UNITS/dicetray-web.service $share/dicetray-web.service"
    echo "$UNITS/dicetray-web.path $share/dicetray-web.path"
    echo "$WANTS/dicetray-web.path $UNIT_PATH/dicetray-web.path"
    echo "$UNITS/dicetray-records.service $share/dicetray-records.service"
    echo "$UNITS/dicetray-records.timer $share/dicetray-records.timer"
    echo "$UNITS/dicetray-network.service $share/dicetray-network.service"
    echo "$WANTS/dicetray-network.service $UNIT_PATH/dicetray-network.service"
    echo "$UNITS/dicetray-network@.service $share/dicetray-network@.service"
    echo "$WEB_UDEV $share/web.rules"
    echo "$DISPATCHER $share/network.sh"
}
UNIT_PATH=${UNITS#"$ROOT"}
folders() { links | while read -r place _; do dirname "$place"; done; }

say() {
    # The terminal may be gone; the log has it too.
    printf "dicetray: %s\n" "$*" 2>/dev/null || true
    ! live || logger -t dicetray-install -- "$*" 2>/dev/null || true
}
complain() {
    printf "dicetray: %s\n" "$*" >&2 2>/dev/null || true
    ! live || logger -t dicetray-install -p user.err -- "$*" 2>/dev/null || true
}
fail() {
    complain "$@"
    exit 2
}
# Tests of the order of steps bring a `systemctl` of their own, and say so.
live() { [ -z "$ROOT" ] || [ -n "${DICETRAY_PRETEND:-}" ]; }
