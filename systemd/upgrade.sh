#!/bin/sh
# Installs a newer release from its one file. The installed version checks it first, so nothing in it
# runs that the owner of the release key has not signed.
#
#   sudo dicetray-upgrade dicetray-VERSION.tar.gz
#   sudo dicetray-upgrade --unsigned dicetray-VERSION.tar.gz     whoever made it
#   sudo dicetray-upgrade --revoke dicetray-releases             takes in a signed list of what is taken no more
#   dicetray-upgrade --offered                                   what the stick has, when the board asked for it
set -eu
umask 022
HERE=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
. "$HERE/layout.sh"
. "$HERE/signature.sh"
LIMIT_MB=1000
UNSIGNED=
OFFERED=
REVOKE=
case ${1:-} in
    --unsigned) UNSIGNED=--unsigned && shift ;;
    --revoke) REVOKE=yes && shift ;;
    --offered) OFFERED=yes && shift ;;
esac
DESK=$ROOT/run/dicetray
STICKS=$ROOT/run/dicetray-stick

! live || [ "$(id -u)" = 0 ] || fail "expected root: sudo dicetray-upgrade FILE"
WORK=
# The board shows the outcome. Written as the user who owns the folder, who could have put a link there.
answer() {
    [ -z "$OFFERED" ] || setpriv --reuid=dicetray --regid=dicetray --clear-groups \
        sh -c 'printf "UPDATE\n%s\n" "$2" >"$1/answer.new" && mv -T "$1/answer.new" "$1/answer"' - "$DESK" "$1"
}
ended() {
    status=$?
    trap - EXIT
    [ -z "$WORK" ] || rm -rf "$WORK"
    case $status in
        0) answer "DONE" ;;
        3) answer "NOT SIGNED" ;;
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
    # A list beside it is taken in first; one that is not signed changes nothing.
    for list in "$STICKS"/*/dicetray-releases; do
        [ ! -f "$list" ] || [ ! -f "$KEY" ] || add_revocations "$HOME_DIR" "$list" "$KEY" >/dev/null
    done
    # The highest version; a name with anything but digits in its version is not one of ours.
    FILE=$(find "$STICKS" -mindepth 2 -maxdepth 2 -type f -name 'dicetray-[0-9]*.tar.gz' 2>/dev/null |
        grep -E '/dicetray-[0-9]+(\.[0-9]+)*\.tar\.gz$' | sort -t - -k 3 -V | tail -1)
    [ -n "$FILE" ] || fail "expected a stick with dicetray-VERSION.tar.gz, found none"
else
    [ $# = 1 ] || fail "expected the file of a release, found $# arguments"
    FILE=$1
fi
[ -f "$FILE" ] || fail "$FILE: expected the file of a release, found none"
[ -n "$UNSIGNED" ] || [ -f "$KEY" ] ||
    fail "the installed version was not signed and has no key; see docs/installing.md"

# What a power cut has left behind.
rm -rf "$HOME_DIR"/incoming.*
WORK=$(mktemp -d "$HOME_DIR/incoming.XXXXXX")
# No more than a release has.
gzip -dc <"$FILE" | head -c "${LIMIT_MB}000000" |
    tar -x --no-same-owner --no-same-permissions -C "$WORK" ||
    fail "$FILE: cannot be unpacked; get it again"
TOP=$(find "$WORK" -mindepth 1 -maxdepth 1 -type d -name 'dicetray-[0-9]*')
[ -f "$TOP/systemd/install.sh" ] || fail "$FILE: expected a release of dicetray, found none"
if [ -z "$UNSIGNED" ]; then
    WRONG=$(check_bundle "$TOP" "$KEY")
    if [ -n "$WRONG" ]; then
        complain "$FILE cannot be trusted: $WRONG"
        exit 3
    fi
    # Before anything of it runs: of a revoked one the signature is as good as ever.
    REFUSED=$(refusal "$HOME_DIR" "$(bundle_version "$TOP")")
    [ -z "$REFUSED" ] || fail "$FILE: $REFUSED"
fi
if [ -n "$OFFERED" ]; then
    # A signature holds for ever, also on old releases: a stick only upgrades; going back is only by hand.
    VERSION=$(bundle_version "$TOP")
    [ -n "$VERSION" ] || fail "$FILE: expected one version of dicetray in SHA256SUMS, found none or more"
    INSTALLED=$("$HOME_DIR/current/bin/dicetray" --version | cut -d ' ' -f 2)
    [ "$VERSION" != "$INSTALLED" ] && [ "$(printf '%s\n' "$INSTALLED" "$VERSION" | sort -V | tail -1)" = "$VERSION" ] ||
        fail "expected a release after $INSTALLED, found $VERSION"
fi
# shellcheck disable=SC2086
sh "$TOP/systemd/install.sh" $UNSIGNED </dev/null
