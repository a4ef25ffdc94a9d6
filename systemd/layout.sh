# shellcheck shell=sh disable=SC2034
# Sourced by install.sh and uninstall.sh: where everything lies. ROOT is empty but in tests.
ROOT=${ROOT:-}
HOME_DIR=$ROOT/opt/dicetray
STATE_DIR=$ROOT/var/lib/dicetray
CONFIG=$ROOT/etc/dicetray.toml
COMMAND=$ROOT/usr/local/bin/dicetray
UNIT=$ROOT/etc/systemd/system/dicetray.service
BACKOFF=$ROOT/etc/systemd/system/dicetray.service.d/backoff.conf
WATCHDOG=$ROOT/etc/systemd/system.conf.d/dicetray.conf
JOURNALD=$ROOT/etc/systemd/journald.conf.d/dicetray.conf
SYSUSERS=$ROOT/etc/sysusers.d/dicetray.conf
# After 60-serial.rules and 60-persistent-v4l.rules, which tell what device it is.
UDEV=$ROOT/etc/udev/rules.d/70-dicetray.rules
POLKIT=$ROOT/etc/polkit-1/rules.d/60-dicetray.rules
# What installation made besides its own files: one line each, `folder PATH` or `group NAME`.
MADE=$HOME_DIR/made

folders() {
    for file in "$UNIT" "$BACKOFF" "$WATCHDOG" "$JOURNALD" "$SYSUSERS" "$UDEV" "$POLKIT" "$COMMAND"; do
        dirname "$file"
    done
}
say() { echo "dicetray: $*"; }
fail() {
    echo "dicetray: $*" >&2
    exit 2
}
live() { [ -z "$ROOT" ]; }
