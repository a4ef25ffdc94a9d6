#!/bin/sh
# Installs a newer release from its one file. The installed version checks it first, so nothing in it
# runs that the owner of the release key has not signed.
#
#   sudo dicetray-upgrade dicetray-VERSION.tar.gz
#   sudo dicetray-upgrade --unsigned dicetray-VERSION.tar.gz     whoever made it
#   sudo dicetray-upgrade --revoke dicetray-releases             takes in a signed list of what is taken no more
#   dicetray-upgrade --offered                                   what the stick has, when the board asked for it
#   dicetray-upgrade --newer dicetray-VERSION.tar.gz             only what is newer than the installed version
#
# Exit status 3 for what the key has not signed, 2 for everything else that is wrong. With --newer also 4 for a file
# that is damaged or no release, 5 for a release that was revoked, 6 for one that is not newer.
set -eu
umask 022
HERE=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
. "$HERE/layout.sh"
. "$HERE/signature.sh"
LIMIT_MB=1000
UNSIGNED=
OFFERED=
NEWER=
REVOKE=
case ${1:-} in
    --unsigned) UNSIGNED=--unsigned && shift ;;
    --revoke) REVOKE=yes && shift ;;
    --offered) OFFERED=yes && shift ;;
    --newer) NEWER=yes && shift ;;
esac
DESK=$ROOT/run/dicetray
STICKS=$ROOT/run/dicetray-stick

! live || [ "$(id -u)" = 0 ] || fail "expected root: sudo dicetray-upgrade FILE"
WORK=
installed() { "$HOME_DIR/current/bin/dicetray" --version | cut -d ' ' -f 2; }
# refuse STATUS REASON
refuse() {
    complain "$2"
    [ -n "$NEWER" ] || [ "$1" = 3 ] || exit 2
    exit "$1"
}
# What the board shows of what was refused: two lines each, at most three of them.
REFUSALS=
note() { # what, why
    [ "$(printf '%s' "$REFUSALS" | wc -l)" -ge 6 ] || REFUSALS="$REFUSALS$1
$2
"
}
# The board shows the outcome. Written as the user who owns the folder, who could have put a link there.
answer() {
    [ -z "$OFFERED" ] || setpriv --reuid=dicetray --regid=dicetray --clear-groups \
        sh -c 'printf "UPDATE\n%s\n%s" "$2" "$3" >"$1/answer.new" && mv -T "$1/answer.new" "$1/answer"' - \
        "$DESK" "$1" "$REFUSALS"
}
ended() {
    status=$?
    trap - EXIT
    [ -z "$WORK" ] || rm -rf "$WORK"
    case $status in
        0) answer "DONE" ;;
        *) answer "NOT DONE" ;;
    esac
    exit "$status"
}
trap ended EXIT
trap '' HUP PIPE
KEY=$HERE/release.pub
if [ -n "$REVOKE" ]; then
    [ $# = 1 ] || fail "expected the file dicetray-releases, found $# arguments"
    [ -f "$KEY" ] || fail "the installed version was not signed and has no key"
    WRONG=$(add_revocations "$HOME_DIR" "$1" "$KEY")
    [ -z "$WRONG" ] || fail "$1: $WRONG"
    say "from now on refused: $(tr '\n' ',' <"$HOME_DIR/releases")"
    exit 0
fi
if [ -n "$OFFERED" ]; then
    # Asked for once; the path unit would start this again.
    rm -f "$DESK/update"
    INSTALLED=$(installed)
    # A list beside it is taken in first; one that is not signed changes nothing.
    for list in "$STICKS"/*/dicetray-releases; do
        [ -f "$list" ] && [ -f "$KEY" ] || continue
        WRONG=$(add_revocations "$HOME_DIR" "$list" "$KEY")
        [ -z "$WRONG" ] || {
            complain "$list: $WRONG"
            note "RELEASES" "REFUSED"
        }
    done
    # The newest first; where one is refused, and says why, the next one may be good.
    status=
    while IFS='	' read -r version file; do
        [ -n "$version" ] && is_older "$INSTALLED" "$version" || break
        status=0
        sh "$HERE/upgrade.sh" --newer "$file" </dev/null || status=$?
        case $status in
            0) exit 0 ;;
            3) note "$version" "NOT SIGNED" ;;
            4) note "$version" "DAMAGED" ;;
            5) note "$version" "REVOKED" ;;
            6) note "$version" "NOT NEWER" ;;
            *) note "$version" "NOT DONE" ;;
        esac
    done <<OFFERED
$(releases_in "$STICKS"/*)
OFFERED
    [ -n "$status" ] || fail "expected a stick with dicetray-VERSION.tar.gz, newer than $INSTALLED, found none"
    fail "no release on the stick could be installed"
fi
[ $# = 1 ] || fail "expected the file of a release, found $# arguments"
FILE=$1
[ -f "$FILE" ] || fail "$FILE: expected the file of a release, found none"
[ -n "$UNSIGNED" ] || [ -f "$KEY" ] ||
    fail "the installed version was not signed and has no key; see docs/installing.md"

# What a power cut has left behind.
rm -rf "$HOME_DIR"/incoming.*
WORK=$(mktemp -d "$HOME_DIR/incoming.XXXXXX")
# No more than a release has.
gzip -dc <"$FILE" | head -c "${LIMIT_MB}000000" |
    tar -x --no-same-owner --no-same-permissions -C "$WORK" ||
    refuse 4 "$FILE: cannot be unpacked; get it again"
TOP=$(find "$WORK" -mindepth 1 -maxdepth 1 -type d -name 'dicetray-[0-9]*')
[ -f "$TOP/systemd/install.sh" ] || refuse 4 "$FILE: expected a release of dicetray, found none"
if [ -z "$UNSIGNED" ]; then
    WRONG=$(check_bundle "$TOP" "$KEY")
    [ -z "$WRONG" ] || refuse 3 "$FILE cannot be trusted: $WRONG"
    # Before anything of it runs: of a revoked one the signature is as good as ever.
    REFUSED=$(refusal "$HOME_DIR" "$(bundle_version "$TOP")")
    [ -z "$REFUSED" ] || refuse 5 "$FILE: $REFUSED"
fi
if [ -n "$NEWER" ]; then
    # A signature holds for ever, also on old releases: a stick only upgrades; going back is only by hand.
    VERSION=$(bundle_version "$TOP")
    [ -n "$VERSION" ] || fail "$FILE: expected one version of dicetray in SHA256SUMS, found none or more"
    INSTALLED=$(installed)
    is_older "$INSTALLED" "$VERSION" || refuse 6 "$FILE: expected a release after $INSTALLED, found $VERSION"
fi
# Its own statuses mean other things.
# shellcheck disable=SC2086
sh "$TOP/systemd/install.sh" $UNSIGNED </dev/null || exit 2
