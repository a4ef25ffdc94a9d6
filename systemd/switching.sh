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

# games_read VERSION: how many games that version can read; -1 if there are none, or all are refused.
games_read() {
    # Not as root, whose files beside the games the service could not write.
    as=
    ! live || as="setpriv --reuid=dicetray --regid=dicetray --init-groups"
    # The appliance's games only: a user's own do not count, which later versions list too.
    # shellcheck disable=SC2086
    listed=$(HOME=/nonexistent XDG_STATE_HOME='' $as "$HOME_DIR/versions/$1/bin/dicetray" games list --config "$CONFIG" 2>/dev/null) ||
        [ $? = 1 ] || { echo -1 && return; }
    printf '%s\n' "$listed" | grep -E '^ *[0-9]+ ' | grep -vc 'cannot be read' || true
}
# reads_all VERSION: whether it can read as many games as there were, but for those deleted since.
reads_all() {
    gone=$(grep -sc . "$STATE_DIR/games/deleted" || true)
    [ $(($(games_read "$1") + ${gone:-0})) -ge "$(cat "$TRIAL/games")" ]
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

# put_back_games: where an upgrade could keep no second copy of the games, because they lie elsewhere, the file that the
# new version has put aside, and left as it was, gets its name again.
put_back_games() {
    journal=$(python3 -I -c 'import sys, tomllib
print(tomllib.load(open(sys.argv[1], "rb")).get("games", {}).get("journal", ""))' "$CONFIG" 2>/dev/null) || return 0
    number=0
    while [ -f "$journal.before-$((number + 1))" ]; do number=$((number + 1)); done
    [ "$number" = 0 ] || mv -T "$journal.before-$number" "$journal"
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
    if [ -d "$BEFORE" ] && { [ ! -d "$STATE_DIR" ] || [ "$(games_read "$old")" = -1 ] || ! reads_all "$old"; }; then
        if [ -d "$STATE_DIR" ]; then
            KEPT=$(free_name "$STATE_DIR.$new")
            mv -T "$STATE_DIR" "$KEPT"
        fi
        flush
        mv -T "$BEFORE" "$STATE_DIR"
    fi
    # An older version leaves this folder alone; the next upgrade unites what is in it with its games.
    for kept in "$STATE_DIR.$new" "$STATE_DIR.$new".*; do
        if [ -d "$kept/games" ] && [ ! -e "$STATE_DIR/games" ]; then
            mv -T "$kept/games" "$STATE_DIR/games"
            complain "games played with $new are kept, and come back with the next upgrade"
        fi
    done
    [ "$(games_read "$old")" != -1 ] || put_back_games
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
