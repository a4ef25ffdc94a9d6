#!/bin/sh
# From one version to another, and back. Sourced by install.sh; every trial has a copy of it, so that
# what goes back is not part of the version on trial:
#
#   sh /opt/dicetray/trial/switching.sh --return      what dicetray-return.service runs at a start
#
# A version is on trial from the switch until it has been healthy twice and has read the games. While
# the folder `trial` is there, the previous version and its games are too, and whatever finds it goes back.
# Each step is on disk before the next one begins, and can be repeated.
set -eu
[ -n "${HOME_DIR:-}" ] || . "$(dirname "$0")/layout.sh"
TRIAL=$HOME_DIR/trial
BEFORE=$STATE_DIR.before

flush() { sync -f "$HOME_DIR" "$(dirname "$STATE_DIR")" "$ROOT/etc"; }

# place_link PLACE TARGET: in one step, whatever was there.
place_link() {
    ln -sfn "$2" "$1.new"
    mv -T "$1.new" "$1"
}
place_links() {
    systemd=$(systemctl --version 2>/dev/null | sed -n '1s/systemd \([0-9]*\).*/\1/p')
    links | while read -r place target; do
        [ "$place" != "$BACKOFF" ] || [ "${systemd:-0}" -ge 254 ] || continue
        [ "$(readlink "$place")" = "$target" ] || place_link "$place" "$target"
    done
    flush
    # Only now, as the link that it hid is in place.
    [ ! -f "$FORMER_UNIT" ] || rm -f "$FORMER_UNIT"
}

# point_to VERSION: the one step.
point_to() {
    ln -sfn "versions/$1" "$HOME_DIR/current.new"
    flush
    mv -T "$HOME_DIR/current.new" "$HOME_DIR/current"
    flush
}

# settle: makes everything that has read a version's files read them again.
settle() {
    live || return 0
    systemctl daemon-reload
    # polkit watches its folder, not what the link points to.
    place_link "$POLKIT" "$(readlink "$POLKIT")"
    udevadm control --reload &&
        udevadm trigger --subsystem-match=tty --subsystem-match=video4linux --subsystem-match=gpio || true
    systemctl restart systemd-journald || true
}

# games_read VERSION: how many games that version can read.
games_read() {
    # Not as root, whose files beside the games the service could not write.
    as=
    ! live || as="setpriv --reuid=dicetray --regid=dicetray --init-groups"
    # The appliance's games only: a user's own do not count, which later versions list too.
    # shellcheck disable=SC2086
    HOME=/nonexistent XDG_STATE_HOME='' $as "$HOME_DIR/versions/$1/bin/dicetray" games list --config "$CONFIG" 2>/dev/null |
        grep -E '^ *[0-9]+ ' | grep -vc 'cannot be read' || true
}

# begin_trial NEW OLD: keeps everything that is needed to go back.
begin_trial() {
    rm -rf "$TRIAL.new" "$BEFORE.new" "$BEFORE"
    mkdir "$TRIAL.new"
    echo "$1" >"$TRIAL.new/new"
    echo "$2" >"$TRIAL.new/old"
    games_read "$2" >"$TRIAL.new/games"
    cp "$HERE/layout.sh" "$HERE/switching.sh" "$TRIAL.new"
    if [ -d "$STATE_DIR" ]; then
        cp -a "$STATE_DIR" "$BEFORE.new"
        flush
        mv -T "$BEFORE.new" "$BEFORE"
    fi
    flush
    mv -T "$TRIAL.new" "$TRIAL"
    flush
}

end_trial() {
    rm -rf "$TRIAL.over"
    mv -T "$TRIAL" "$TRIAL.over"
    flush
    rm -rf "$TRIAL.over" "$BEFORE"
}

free_name() {
    name=$1
    number=1
    while [ -e "$name" ]; do
        number=$((number + 1))
        name=$1.$number
    done
    echo "$name"
}

# go_back: to the previous version, with the games as they are if it can read them all, else as they were.
go_back() {
    new=$(cat "$TRIAL/new")
    old=$(cat "$TRIAL/old")
    KEPT=
    if [ -d "$BEFORE" ] && { [ ! -d "$STATE_DIR" ] || [ "$(games_read "$old")" -lt "$(cat "$TRIAL/games")" ]; }; then
        if [ -d "$STATE_DIR" ]; then
            KEPT=$(free_name "$STATE_DIR.$new")
            mv -T "$STATE_DIR" "$KEPT"
        fi
        flush
        mv -T "$BEFORE" "$STATE_DIR"
    fi
    point_to "$old"
    settle
    end_trial
    rm -rf "$HOME_DIR/versions/$new"
    complain "version $new is not in use: back to $old with its games"
    [ -z "$KEPT" ] || complain "what $new had written is in $KEPT"
}

if [ "${1:-}" = --return ]; then
    [ ! -d "$TRIAL" ] || go_back
fi
