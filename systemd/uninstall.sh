#!/bin/sh
# Removes dicetray and everything that its installation made.
#
#   sudo systemd/uninstall.sh --keep-games      leaves the games and the profile in /var/lib/dicetray
#   sudo systemd/uninstall.sh --delete-games    leaves nothing
#
# Without an argument it asks. The system's packages stay, as other programs may need them. After
# --keep-games, --keep-config leaves /etc/dicetray.toml, and the camera's password, too.
set -eu
GROUPS_MADE=
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/layout.sh"

! live || [ "$(id -u)" = 0 ] || fail "expected root: sudo $0"
KEEP_CONFIG=
case ${2:-} in
    "") ;;
    --keep-config) KEEP_CONFIG=yes ;;
    *) fail "expected --keep-config or nothing more, found $2" ;;
esac
case ${1:-ask} in
    --keep-games) KEEP=yes ;;
    --delete-games) KEEP=no ;;
    ask)
        [ -t 0 ] || fail "expected --keep-games or --delete-games"
        printf 'keep the games in %s? yes/no ' "$STATE_DIR"
        read -r KEEP
        ;;
    *) fail "expected --keep-games or --delete-games, found $1" ;;
esac
case $KEEP in
    yes | no) ;;
    *) fail "expected yes or no, found $KEEP; nothing was removed" ;;
esac

if live; then
    # One at a time: systemd 262 stops none of several if one of them is not there.
    for unit in dicetray-update.path dicetray-web.path 'dicetray-stick@*' dicetray-web dicetray-records.timer; do
        systemctl stop "$unit" 2>/dev/null || true
    done
    for unit in dicetray dicetray-mqtt; do systemctl disable --now "$unit" 2>/dev/null || true; done
    systemctl reset-failed dicetray 2>/dev/null || true
fi
# An upgrade that was cut off between two renames.
[ -d "$STATE_DIR" ] || [ ! -d "$STATE_DIR.before" ] || mv -T "$STATE_DIR.before" "$STATE_DIR"
links | while read -r place _; do rm -f "$place" "$place.new"; done
rm -f "$FORMER_UNIT" "$CONFIG.new"
[ -n "$KEEP_CONFIG" ] || rm -f "$CONFIG" "$CAMERA_PASSWORD"
# Folders that were made for this, unless something else is in them now; the innermost first.
if [ -f "$MADE" ]; then
    sort -r "$MADE" | sed -n 's/^folder //p' | while read -r folder; do
        rmdir "$folder" 2>/dev/null || true
    done
    GROUPS_MADE=$(sed -n 's/^group //p' "$MADE")
fi
rm -rf "$HOME_DIR"
if [ "$KEEP" = no ]; then
    rm -rf "$STATE_DIR" "$STATE_DIR".*
elif live && [ -d "$STATE_DIR" ]; then
    chown -R root:root "$STATE_DIR"
fi
if live; then
    for user in dicetray-web dicetray-mqtt dicetray; do userdel "$user" 2>/dev/null || true; done
    for group in dicetray-web dicetray-mqtt dicetray $GROUPS_MADE; do groupdel "$group" 2>/dev/null || true; done
    systemctl daemon-reload
    systemctl restart systemd-journald
    udevadm control --reload || true
fi
if [ "$KEEP" = yes ]; then say "removed; the games are in $STATE_DIR"; else say "removed"; fi
