#!/bin/sh
# Installs dicetray on Raspberry Pi OS (Debian 12 or 13, 64 bit), or upgrades it to this version.
#
#   sudo systemd/install.sh            install or upgrade; can be run again at any time
#   sudo systemd/install.sh --check    check whether it could be installed; changes nothing
#
#   --fingerprint HEX    that of the release key, for a first installation without a terminal
#   --web                also the score page for the room (docs/score-page.md); upgrades keep it
#   --without-web        remove the score page
#   --mqtt               also what the publisher to a broker needs (docs/mqtt.md); upgrades keep it
#   --without-mqtt       remove the publisher
#   --unsigned           install what nobody has signed, such as a checkout
#   --usb-camera         the camera is a USB camera, so a Pi does without python3-picamera2
#   --no-apt             fetch no packages, but name those that are missing; the Debian package says this
#
# With a release bundle, everything except the system's own packages comes from its folder wheels/, so
# no network is needed if those packages are already installed. An upgrade keeps games, profile and
# configuration, and goes back to the previous version if the new one does not become healthy.
# Whenever it is cut off, the previous version or the new one is there, whole: see switching.sh.
set -eu
umask 022
HERE=$(cd "$(dirname "$0")" && pwd)
TOP=$(dirname "$HERE")
. "$HERE/layout.sh"
. "$HERE/signature.sh"

NEED_MB=700
PACKAGES="python3-venv polkitd udev"
PI_PACKAGES="python3-picamera2 python3-lgpio"
HEALTHY_S=${HEALTHY_S:-20}

CHECK= UNSIGNED= EXPECTED= USB_CAMERA= NO_APT=
WITH_WEB= WITH_MQTT=
[ ! -e "$WEB" ] || WITH_WEB=yes
[ ! -e "$MQTT" ] || WITH_MQTT=yes
while [ $# -gt 0 ]; do
    case $1 in
        --check) CHECK=yes ;;
        --unsigned) UNSIGNED=yes ;;
        --usb-camera) USB_CAMERA=yes ;;
        --no-apt) NO_APT=yes ;;
        --web) WITH_WEB=yes ;;
        --without-web) WITH_WEB= ;;
        --mqtt) WITH_MQTT=yes ;;
        --without-mqtt) WITH_MQTT= ;;
        --fingerprint)
            EXPECTED=$(echo "${2:-}" | tr -d ' ' | tr A-F a-f)
            [ ${#EXPECTED} = 64 ] || fail "expected --fingerprint and 64 digits, found ${2:-none}"
            shift
            ;;
        *) fail "expected --check, --web, --mqtt, --without-web, --without-mqtt, --unsigned, --usb-camera, --no-apt, --fingerprint or no argument, found $1" ;;
    esac
    shift
done
. "$HERE/switching.sh"

PROBLEMS=0
problem() {
    complain "$@"
    PROBLEMS=$((PROBLEMS + 1))
}
has_package() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}
# What is said if this ends before anything is installed.
UNCHANGED="nothing was changed"
# with_apt COMMAND WORD...: apt-get or apt-cache. For --check it leaves no file of its own; with a folder in
# LISTS it keeps its lists there and leaves the system's as they are.
LISTS=
with_apt() {
    command=$1
    shift
    [ -z "$CHECK$LISTS" ] ||
        set -- -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Dir::Log::Planner= "$@"
    [ -z "$LISTS" ] || set -- -o "Dir::State::Lists=$LISTS" "$@"
    "$command" "$@"
}
# apt_get WORD...: apt-get, which asks nothing. APT_SAID is what it said, or if it fails, why.
APT_SAID=
apt_get() {
    APT_SAID=$(with_apt apt-get "$@" 2>&1 </dev/null) && return 0
    APT_SAID=$(printf '%s\n' "$APT_SAID" | sed -n 's/^[EW]: *//p' | head -1)
    [ -n "$APT_SAID" ] || APT_SAID="apt-get gives no reason"
    return 1
}
# Without --error-on, apt takes a network that is not there for success.
refresh() { apt_get -qq --error-on=any update; }
# Whether apt would find them and everything they need.
can_get() { apt_get install --simulate --no-install-recommends "$@"; }
# apt_mb PACKAGE...: the MB that these and all that they need take, each as it is fetched and as it is unpacked,
# since apt keeps the first until the end. apt-get itself says so only in sentences.
apt_mb() {
    can_get "$@" || APT_SAID=
    # Inst NAME [INSTALLED] (VERSION ARCHIVE [ARCHITECTURE])
    chosen=$(printf '%s\n' "$APT_SAID" | sed -n 's/^Inst \([^ ]*\) \(\[[^]]*\] \)\{0,1\}(\([^ ]*\) .*/\1=\3/p')
    # Without a name, apt-cache would only complain.
    # shellcheck disable=SC2086
    with_apt apt-cache show ${chosen:-none} 2>/dev/null |
        awk '/^Installed-Size: / { kb += $2 } /^Size: / { kb += $2 / 1024 } END { printf "%.0f\n", kb / 1024 + 0.5 }'
}

# ---- only checks, changes nothing; reports everything that is wrong at once ------------------

if live; then
    [ "$(id -u)" = 0 ] || fail "expected root: sudo $0"
    [ -d "$ROOT/run/systemd/system" ] || problem "expected a machine that runs systemd, found none"
fi
# A terminal that hangs up must not end what is half done.
trap '' HUP PIPE
# shellcheck source=/dev/null
CODENAME=$(. "$ROOT/etc/os-release" && echo "${VERSION_CODENAME:-unknown}")
case $CODENAME in
    bookworm | trixie) ;;
    *) problem "expected Raspberry Pi OS or Debian, 12 (bookworm) or 13 (trixie), found $CODENAME" ;;
esac
MACHINE=$(uname -m)
case $MACHINE in
    aarch64 | x86_64) ;;
    *) problem "expected a 64-bit system (aarch64), found $MACHINE; use the 64-bit Raspberry Pi OS" ;;
esac
# A 64-bit kernel on a Pi is no guarantee: the programs may still be 32-bit.
command -v python3 >/dev/null || fail "expected Python 3.11 or later, found none: apt install python3"
python3 -I -c 'import sys; sys.exit(sys.maxsize < 2**32)' ||
    problem "expected a 64-bit Python, found a 32-bit one; use the 64-bit Raspberry Pi OS"
PYTHON=$(python3 -I -c 'import sys; print("%d.%d" % sys.version_info[:2])')
python3 -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    problem "expected Python 3.11 or later, found $PYTHON"
PINS=$TOP/requirements/base.txt
[ "$CODENAME" = bookworm ] && PINS=$TOP/requirements/bookworm.txt
WEB_PINS=$TOP/requirements/web.txt
MQTT_PINS=$TOP/requirements/mqtt.txt
# This answers to NAME.local.
[ -z "$WITH_WEB" ] || PACKAGES="$PACKAGES avahi-daemon"
for file in ${WITH_WEB:+"$WEB_PINS"} ${WITH_MQTT:+"$MQTT_PINS"} "$PINS" "$TOP/LICENSE" "$HERE/dicetray.service"; do
    [ -f "$file" ] || fail "expected the file $file, found none; unpack the release again"
done
# Checked before anything else in the release is looked at. The installed version's key counts, if it has one.
KEY=$HOME_DIR/current/share/systemd/release.pub
TRUSTED=yes
[ -f "$KEY" ] || { KEY=$HERE/release.pub TRUSTED=; }
if [ -n "$UNSIGNED" ]; then
    say "WARNING: nobody has signed this (--unsigned): whoever made it can do anything here"
elif [ ! -f "$TOP/SHA256SUMS.sig" ] || [ ! -f "$KEY" ]; then
    fail "expected a signed release, found no signature; get a release, or say --unsigned if you made it"
else
    command -v openssl >/dev/null || fail "expected openssl, found none: sudo apt install openssl"
    WRONG=$(check_bundle "$TOP" "$KEY")
    [ -z "$WRONG" ] || fail "this release cannot be trusted: $WRONG"
    # Of a revoked one the signature is as good as ever.
    REFUSED=$(refusal "$HOME_DIR" "$(bundle_version "$TOP")")
    [ -z "$REFUSED" ] || fail "$REFUSED"
    if [ -z "$TRUSTED" ]; then
        FOUND=$(fingerprint "$KEY")
        say "the release key has the fingerprint"
        say "$FOUND"
        if [ -n "$EXPECTED" ]; then
            [ "$EXPECTED" = "$FOUND" ] || fail "expected the fingerprint $EXPECTED, found another key"
        elif [ -z "$CHECK" ]; then
            [ -t 0 ] || fail "expected --fingerprint and the one that is printed with the release"
            printf 'is it the one that is printed with the release? yes/no '
            read -r ANSWER
            [ "$ANSWER" = yes ] || fail "expected yes, found $ANSWER; nothing was changed"
        fi
    fi
fi
if [ -d "$TOP/wheels" ]; then
    VERSION=
    [ ! -f "$TOP/SHA256SUMS" ] || VERSION=$(bundle_version "$TOP")
    # numpy stands for all: each of its wheels is for one Python and one machine.
    ls "$TOP"/wheels/numpy-*-cp"$(echo "$PYTHON" | tr -d .)"-*"$MACHINE".whl >/dev/null 2>&1 ||
        problem "expected wheels for Python $PYTHON on $MACHINE, found some for" \
            "$(find "$TOP/wheels" -name 'numpy-*' | sed -nE 's#.*-cp3([0-9]+)-.*_(x86_64|aarch64)\.whl$#3.\1 on \2#p' | sort -uV | paste -sd , | sed 's/,/, /g');" \
            "a PC can have the wheel of the same release instead, with pipx: docs/installing.md"
else
    VERSION=$(sed -n 's/^version = "\(.*\)"/\1/p' "$TOP/pyproject.toml")
fi
[ -n "$VERSION" ] || fail "expected a version in $TOP, found none; unpack the release again"
# Besides the program there must be room for a second copy of the saved data; what earlier versions left of games
# stays, and is written into files of their own, in two places each.
SAVED_MB=0
if [ -d "$STATE_DIR" ]; then
    SAVED_MB=$(du -sm "$STATE_DIR" | cut -f 1)
    [ -d "$STATE_DIR/games" ] ||
        SAVED_MB=$((SAVED_MB + 2 * $(find "$STATE_DIR" -name '*.sqlite3' -exec du -m {} + | awk '{ mb += $1 } END { print mb + 0 }')))
fi
free_mb() {
    found=$(df --output=avail -m "$1" 2>/dev/null || df --output=avail -m "$ROOT/")
    echo "$found" | tail -1 | tr -d ' '
}
FREE=$(free_mb "$ROOT/opt")
FOR_SAVED=
if [ -d "$STATE_DIR" ] && [ "$(stat -c %d "$STATE_DIR")" != "$(stat -c %d "$ROOT/opt" 2>/dev/null)" ]; then
    [ "$(free_mb "$STATE_DIR")" -ge "$SAVED_MB" ] ||
        problem "expected $SAVED_MB MB free beside $STATE_DIR, for a second copy of games and profile," \
            "found $(free_mb "$STATE_DIR"); delete something, or use a larger card"
elif [ "$SAVED_MB" -gt 0 ]; then
    NEED_MB=$((NEED_MB + SAVED_MB))
    FOR_SAVED=", $SAVED_MB of them for a second copy of games and profile"
fi
check_room() {
    [ "$FREE" -ge $NEED_MB ] ||
        problem "expected $NEED_MB MB free in /opt$1, found $FREE; delete something, or use a larger card"
}
check_room "$FOR_SAVED"
# Each Pi has this file; its camera needs python3-picamera2, unless the owner has chosen a USB camera.
IS_PI=
! grep -aqs '^Raspberry Pi' "$ROOT/proc/device-tree/model" || IS_PI=yes
SOURCE=
if [ -f "$CONFIG" ]; then
    SOURCE=$(python3 -I -c 'import sys, tomllib
print(tomllib.load(open(sys.argv[1], "rb")).get("camera", {}).get("source", "pi"))' "$CONFIG" 2>/dev/null) || SOURCE=pi
    if [ "$SOURCE" != pi ]; then
        USB_CAMERA=yes
    elif [ -n "$USB_CAMERA" ]; then
        problem "expected a camera other than \"pi\" in $CONFIG, as you say --usb-camera;" \
            'change its source to "v4l2:/dev/dicetray-camera", or leave --usb-camera out'
    fi
fi
NEEDS_PICAMERA2=$IS_PI
[ -z "$USB_CAMERA" ] || NEEDS_PICAMERA2=
MISSING=
for package in $PACKAGES; do
    ! live || has_package "$package" || MISSING="$MISSING $package"
done
# Either from Raspberry Pi OS's package, or from anywhere else that Python finds it.
for package in $PI_PACKAGES; do
    module=${package#python3-}
    ! live || has_package "$package" || python3 -I -c "import $module" 2>/dev/null ||
        MISSING="$MISSING $package"
done
case $MISSING in
    *python3-picamera2*)
        if [ -n "$IS_PI" ] && [ -n "$USB_CAMERA" ]; then
            MISSING=$(echo "$MISSING" | sed 's/ python3-picamera2//')
            say "note: without python3-picamera2, for a USB camera only; for a camera on the Pi's own" \
                "connector install it and set source = \"pi\" in $CONFIG"
        fi
        ;;
esac
# apt's lists are as old as the card's image, or are not there at all.
FRESH=
if [ -n "$MISSING" ] && [ -n "$NO_APT" ]; then
    APT_SAID="apt was not asked"
    LACKING="sudo apt install$MISSING"
elif [ -n "$MISSING" ]; then
    say "missing:$MISSING; asking apt for up-to-date lists"
    if [ -n "$CHECK" ] || [ "$PROBLEMS" -gt 0 ]; then
        LISTS=$(mktemp -d "${TMPDIR:-/var/tmp}/dicetray-lists.XXXXXX")
        trap 'rm -rf "$LISTS"' EXIT
        chmod 755 "$LISTS"
    else
        UNCHANGED="nothing but apt's lists was changed"
    fi
    if refresh; then
        FRESH=yes
        LACKING="apt's lists are up to date, so this system's archives lack it"
    else
        say "note: apt's lists could not be brought up to date: $APT_SAID"
        LACKING="apt's lists could not be brought up to date; with a network, run this again"
        [ -z "$LISTS" ] || rm -rf "$LISTS"
        LISTS=
    fi
fi
WANTED=
for package in $MISSING; do
    if [ -z "$NO_APT" ] && can_get "$package"; then
        WANTED="$WANTED $package"
    elif [ "$package" = python3-picamera2 ] && [ -z "$NEEDS_PICAMERA2" ]; then
        say "note: no package python3-picamera2 here (Raspberry Pi OS has it): USB cameras only"
    elif [ "$package" = python3-lgpio ] && [ -z "$IS_PI" ]; then
        say "note: no package python3-lgpio here (Raspberry Pi OS has it): no buttons at a Pi's pins"
    else
        problem "expected the package $package, installed or in apt's lists, found neither" \
            "($APT_SAID); $LACKING"
        [ "$package" != python3-picamera2 ] ||
            complain "the Pi's camera needs it; for a USB camera only: --usb-camera"
    fi
done
# What apt fetches and installs needs room besides; a Pi has one disk for all of it.
APT_MB=
if [ -n "$WANTED" ] && [ "$FREE" -ge $NEED_MB ]; then
    # shellcheck disable=SC2086
    APT_MB=$(apt_mb $WANTED)
    NEED_MB=$((NEED_MB + APT_MB))
    check_room ", $APT_MB of them for apt's packages"
fi
# What old lists name may be gone.
[ -z "$CHECK" ] || [ -z "$WANTED" ] || [ -n "$FRESH" ] ||
    problem "expected apt's lists up to date, found old ones: nobody knows whether$WANTED can be fetched"
if [ -f "$CONFIG" ] && [ -x "$HOME_DIR/current/bin/dicetray" ]; then
    "$HOME_DIR/current/bin/dicetray" config check "$CONFIG" >/dev/null ||
        problem "correct $CONFIG first; see docs/installing.md"
fi
OLD=
[ ! -L "$HOME_DIR/current" ] || OLD=$(basename "$(readlink "$HOME_DIR/current")")

[ -z "$WANTED" ] || say "packages to be fetched from the network:$WANTED"
[ -z "$APT_MB" ] || say "with all that they need, these take $APT_MB MB"
if [ "$PROBLEMS" -gt 0 ]; then
    fail "$PROBLEMS things are missing; $UNCHANGED"
fi
say "version $VERSION for $CODENAME, $MACHINE, Python $PYTHON; $FREE MB free"
[ -z "$OLD" ] || say "installed now: $OLD"
if [ -n "$CHECK" ]; then
    say "could be installed; nothing was changed"
    exit 0
fi

# ---- the system's packages, the user ---------------------------------------------------------

if [ -n "$WANTED" ]; then
    # All are downloaded before the first is installed.
    # shellcheck disable=SC2086
    fetch() { apt_get install -qq -y --no-install-recommends --download-only $WANTED; }
    if ! fetch; then
        say "apt could not fetch all of them ($APT_SAID); trying once more with new lists"
        refresh || true
        fetch || fail "apt could not fetch$WANTED: $APT_SAID; is there a network? $UNCHANGED"
    fi
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086
    apt_get install -qq -y --no-install-recommends --no-download $WANTED ||
        fail "apt could not install$WANTED: $APT_SAID; nothing else was changed"
fi
# ---- whatever ends this, what was there before is restored -----------------------------------

start() { ! live || systemctl restart dicetray; }
stop() { ! live || systemctl stop dicetray 2>/dev/null || true; }
PHASE=prepare
NEW=
ended() {
    status=$?
    trap - EXIT
    trap '' INT TERM
    set +e
    case $PHASE in
        prepare) [ -z "$NEW" ] || rm -rf "$NEW" ;;
        stopped)
            stop
            # If going back fails, the trial stays, and the next start or run of this does it.
            [ ! -d "$TRIAL" ] || sh "$TRIAL/switching.sh" --return
            if [ "$(readlink "$HOME_DIR/current")" = "versions/$NAME" ]; then
                [ -d "$TRIAL" ] || PHASE=done
            else
                rm -rf "$TRIAL.new" "$BEFORE.new" "$HOME_DIR/current.new" "$NEW"
            fi
            [ -z "$OLD" ] || start || complain "it does not start; look at: journalctl -u dicetray"
            ;;
    esac
    case $PHASE in
        done) [ "$status" = 0 ] || complain "version $VERSION runs; the next run deletes what was not tidied up" ;;
        first) complain "installed, but not healthy; fix that, then run this again" ;;
        *) complain "not installed${OLD:+; version $OLD is still in use}" ;;
    esac
    exit "$status"
}
trap ended EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir -p "$HOME_DIR/versions" "$(dirname "$STATE_DIR")"
exec 9>"$HOME_DIR/lock"
flock -n 9 || fail "another installation is running; nothing was changed"

if [ -d "$TRIAL" ]; then
    say "an installation was interrupted; going back to the previous version first"
    stop
    sh "$TRIAL/switching.sh" --return || fail "that failed; nothing else was changed"
    OLD=$(basename "$(readlink "$HOME_DIR/current")")
    start || true
fi
# What is made here and not by the system is noted, so that uninstalling removes that and no more.
make_folder() {
    [ ! -d "$1" ] || return 0
    make_folder "$(dirname "$1")"
    echo "folder $1" >>"$MADE"
    mkdir "$1"
}
for folder in $(folders); do make_folder "$folder"; done
for group in gpio video dialout; do
    ! live || getent group "$group" >/dev/null || echo "group $group" >>"$MADE"
done
if live; then systemd-sysusers "$HERE/sysusers.conf"; fi

# ---- this version, beside the previous one ---------------------------------------------------

NAME=$VERSION
[ "$OLD" != "$NAME" ] || NAME=$VERSION.$(date +%s)
NEW=$HOME_DIR/versions/$NAME
rm -rf "$NEW"
say "preparing $NEW ..."
# The system's packages are visible, because picamera2 and libcamera are nowhere else; what is pinned
# is installed over them.
python3 -I -m venv --system-site-packages "$NEW"
export PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
PIP="$NEW/bin/python -I -m pip --disable-pip-version-check --quiet install --no-deps --ignore-installed"
if [ -d "$TOP/wheels" ]; then
    $PIP --no-index --find-links "$TOP/wheels" --require-hashes --requirement "$PINS" ||
        fail "the bundle's wheels do not fit Python $PYTHON on $MACHINE"
    $PIP --no-index "$TOP/wheels/dicetray-$VERSION-py3-none-any.whl" ||
        fail "the bundle's own wheel does not fit Python $PYTHON"
else
    $PIP --require-hashes --requirement "$PINS" ||
        fail "the pinned packages could not be installed; is there a network?"
    $PIP --no-build-isolation "$TOP" || fail "dicetray itself could not be built"
fi
# On a processor where it crashes when loaded, OpenCV is left, which runs the networks too.
"$NEW/bin/python" -I -c "import onnxruntime" ||
    "$NEW/bin/python" -I -m pip --quiet uninstall --yes onnxruntime || fail "ONNX Runtime does not start here"
extra() {
    # What it builds on is already installed, in the versions for this system.
    sed '/^-r /d' "$1" >"$NEW/$2.txt"
    FROM=
    [ ! -d "$TOP/wheels" ] || FROM="--no-index --find-links $TOP/wheels"
    # shellcheck disable=SC2086
    $PIP $FROM --require-hashes --requirement "$NEW/$2.txt" ||
        fail "the packages for --$2 could not be installed; without them: --without-$2"
}
[ -z "$WITH_WEB" ] || extra "$WEB_PINS" web
[ -z "$WITH_MQTT" ] || extra "$MQTT_PINS" mqtt
# Whoever starts it, no folder or variable of theirs adds to what it imports.
sed -i '1s|^\(#!/.*/python[0-9.]*\)$|\1 -I|' "$NEW/bin/dicetray"
mkdir -p "$NEW/share"
cp -r "$TOP/docs" "$NEW/share/docs"
cp "$TOP/LICENSE" "$NEW/share/"
cp -r "$HERE" "$NEW/share/systemd"
# The wrong major version of numpy breaks picamera2's JPEG library, so both are loaded together.
"$NEW/bin/python" -I - <<'PROOF' || fail "OpenCV and picamera2 do not work together; see docs/troubleshooting.md"
import cv2, numpy, serial, gpiozero
from importlib.util import find_spec
cv2.dnn.readNetFromONNX
print("dicetray: OpenCV", cv2.__version__, "and numpy", numpy.__version__, end=" ")
if find_spec("picamera2"):
    import simplejpeg, picamera2
    simplejpeg.encode_jpeg(numpy.zeros((16, 16, 3), numpy.uint8))
    print("work with picamera2")
else:
    print("work; no picamera2 here")
PROOF
[ -z "$NEEDS_PICAMERA2" ] || "$NEW/bin/python" -I -c 'import picamera2' ||
    fail "expected python3-picamera2 to load on this Pi; for a USB camera only: --usb-camera"
"$NEW/bin/dicetray" --version >/dev/null || fail "dicetray does not start"

# ---- settings --------------------------------------------------------------------------------

if [ ! -f "$CONFIG" ]; then
    "$NEW/bin/dicetray" config default >"$CONFIG.new"
    # Elsewhere than on a Pi only a USB camera can be meant without picamera2; the udev rules give it
    # this name.
    if [ -n "$USB_CAMERA" ] || ! "$NEW/bin/python" -I -c 'import picamera2' 2>/dev/null; then
        sed -i 's|^source = "pi"$|source = "v4l2:/dev/dicetray-camera"|' "$CONFIG.new"
        say "the camera is a USB camera: source = \"v4l2:/dev/dicetray-camera\" in $CONFIG"
    fi
    flush
    mv -T "$CONFIG.new" "$CONFIG"
fi
ADVICE=$("$NEW/bin/dicetray" config check "$CONFIG") || fail "correct $CONFIG, then run this again"
# What is no mistake, such as a password that others can read.
printf '%s\n' "$ADVICE" | sed 1d
if [ -n "$WITH_WEB" ]; then
    touch "$WEB"
elif [ -e "$WEB" ]; then
    for unit in dicetray-web.path dicetray-web; do ! live || systemctl stop "$unit" 2>/dev/null || true; done
    links >"$NEW/before"
    rm "$WEB"
    links | grep -vxFf - "$NEW/before" | while read -r place _; do rm -f "$place"; done
fi
if [ -n "$WITH_MQTT" ]; then
    touch "$MQTT"
elif [ -e "$MQTT" ]; then
    ! live || systemctl disable --now dicetray-mqtt 2>/dev/null || true
    rm "$MQTT"
fi
for folder in $(folders); do make_folder "$folder"; done
place_links
say "this version is prepared; switching to it"

# ---- switch to this version, and back if it is not healthy -----------------------------------

pid() { systemctl show -p MainPID --value dicetray; }
# healthy: whether it starts, stays up, and can read as many games as the previous version.
healthy() {
    live || return 0
    # `start` returns when the program has said READY.
    start || return 1
    first=$(pid)
    sleep "$HEALTHY_S"
    systemctl is-active --quiet dicetray && [ "$(pid)" = "$first" ] || return 1
    [ ! -d "$TRIAL" ] || reads_all "$NAME"
}

PHASE=stopped
stop
if live && [ -d "$STATE_DIR" ]; then chown -R dicetray:dicetray "$STATE_DIR"; fi
[ -z "$OLD" ] || begin_trial "$NAME" "$OLD"
point_to "$NAME"
# From here on a first installation is not undone, so that it can be examined.
[ -n "$OLD" ] || PHASE=first
settle
! live || systemctl start dicetray-update.path || true
if live && [ -n "$WITH_WEB" ]; then
    for unit in dicetray-web.path dicetray-network; do systemctl start "$unit" || true; done
    systemctl try-restart dicetray-web || true
fi
! live || systemctl try-restart dicetray-mqtt || true
# Twice: the second start is like that after a night.
if ! healthy || ! healthy; then
    ! live || journalctl -u dicetray -n 20 --no-pager >&2 || true
    fail "version $VERSION does not become healthy; see: journalctl -u dicetray; dicetray doctor"
fi
[ -z "$OLD" ] || end_trial
PHASE=done
# This version and the previous one stay.
for folder in "$HOME_DIR"/versions/*; do
    case $(basename "$folder") in
        "$NAME" | "$OLD") ;;
        *) rm -rf "$folder" ;;
    esac
done
if live; then RUNS="is installed and runs"; else RUNS="is laid out in $ROOT"; fi
say "version $VERSION $RUNS. Check everything with: sudo dicetray doctor"
