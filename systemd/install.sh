#!/bin/sh
# Installs dicetray on Raspberry Pi OS (Debian 12 or 13, 64 bit), or brings it to this version.
#
#   sudo systemd/install.sh            install or upgrade; can be run again at any time
#   sudo systemd/install.sh --check    look whether it could be installed; changes nothing
#
# From a release bundle everything but the system's own packages comes from its folder wheels/, so
# no network is needed where those packages are installed already. An upgrade keeps games, profile
# and configuration, and goes back to the version before if the new one does not become healthy.
set -eu
umask 022
HERE=$(cd "$(dirname "$0")" && pwd)
TOP=$(dirname "$HERE")
. "$HERE/layout.sh"

NEED_MB=700
PACKAGES="python3-venv polkitd udev"
PI_PACKAGES="python3-picamera2 python3-lgpio"
HEALTHY_S=${HEALTHY_S:-20}

case ${1:-} in
    "" | --check) ;;
    *) fail "expected no argument or --check, found $1" ;;
esac

PROBLEMS=0
problem() {
    echo "dicetray: $*" >&2
    PROBLEMS=$((PROBLEMS + 1))
}
has_package() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}
# Whether apt would find it and all that it needs; on standard input nothing is asked.
can_get() { apt-get install --simulate --no-install-recommends "$1" >/dev/null 2>&1 </dev/null; }

# ---- looks, changes nothing; says all that is wrong at once ----------------------------------

if live; then
    [ "$(id -u)" = 0 ] || fail "expected root: sudo $0"
    [ -d /run/systemd/system ] || problem "expected a machine that runs systemd, found none"
fi
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
# What the kernel of a 64-bit Pi says is no promise: the programs may still be 32-bit ones.
command -v python3 >/dev/null || fail "expected Python 3.11 or later, found none: apt install python3"
python3 -c 'import sys; sys.exit(sys.maxsize < 2**32)' ||
    problem "expected a 64-bit Python, found a 32-bit one; use the 64-bit Raspberry Pi OS"
PYTHON=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    problem "expected Python 3.11 or later, found $PYTHON"
PINS=$TOP/requirements.txt
[ "$CODENAME" = bookworm ] && PINS=$TOP/requirements-bookworm.txt
for file in "$PINS" "$TOP/LICENSE" "$HERE/dicetray.service"; do
    [ -f "$file" ] || fail "expected the file $file, found none; unpack the release again"
done
if [ -f "$TOP/SHA256SUMS" ]; then
    (cd "$TOP" && sha256sum --quiet --check SHA256SUMS >/dev/null 2>&1) ||
        fail "files differ from SHA256SUMS: the release is damaged; get and unpack it again"
fi
if [ -d "$TOP/wheels" ]; then
    VERSION=$(basename "$(ls "$TOP"/wheels/dicetray-*.whl)" | cut -d- -f2)
    # numpy stands for all: its wheels are made for one Python and one machine.
    ls "$TOP"/wheels/numpy-*-cp"$(echo "$PYTHON" | tr -d .)"-*"$MACHINE".whl >/dev/null 2>&1 ||
        problem "expected a bundle for Python $PYTHON on $MACHINE, found one for others; get that one"
else
    VERSION=$(sed -n 's/^version = "\(.*\)"/\1/p' "$TOP/pyproject.toml")
fi
[ -n "$VERSION" ] || fail "expected a version in $TOP, found none; unpack the release again"
FREE=$(df --output=avail -m "$ROOT/opt" 2>/dev/null || df --output=avail -m "$ROOT/")
FREE=$(echo "$FREE" | tail -1 | tr -d ' ')
[ "$FREE" -ge $NEED_MB ] ||
    problem "expected $NEED_MB MB free in /opt, found $FREE; delete something, or use a larger card"
MISSING=
for package in $PACKAGES; do
    ! live || has_package "$package" || MISSING="$MISSING $package"
done
# Either from Raspberry Pi OS's package, or in any other way that Python finds it.
for package in $PI_PACKAGES; do
    module=${package#python3-}
    ! live || has_package "$package" || python3 -c "import $module" 2>/dev/null ||
        MISSING="$MISSING $package"
done
WANTED=
for package in $MISSING; do
    if can_get "$package"; then
        WANTED="$WANTED $package"
    elif [ "$package" = python3-picamera2 ]; then
        say "note: no package python3-picamera2 here (Raspberry Pi OS has it): USB cameras only"
    else
        problem "expected the package $package, installed or in apt's lists, found neither;" \
            "with a network: sudo apt update && sudo apt install $package"
    fi
done
if [ -f "$CONFIG" ] && [ -x "$HOME_DIR/current/bin/dicetray" ]; then
    "$HOME_DIR/current/bin/dicetray" config check "$CONFIG" >/dev/null ||
        problem "correct $CONFIG first; docs/installing.md tells how"
fi
OLD=
[ -L "$HOME_DIR/current" ] && OLD=$(readlink "$HOME_DIR/current")

if [ "$PROBLEMS" -gt 0 ]; then
    echo "dicetray: $PROBLEMS things are missing; nothing was changed" >&2
    exit 2
fi
say "version $VERSION for $CODENAME, $MACHINE, Python $PYTHON; $FREE MB free"
[ -n "$OLD" ] && say "installed now: $(basename "$OLD")"
[ -n "$WANTED" ] && say "packages to be fetched from the network:$WANTED"
if [ "${1:-}" = --check ]; then
    say "could be installed; nothing was changed"
    exit 0
fi

# ---- the system's packages, the user ---------------------------------------------------------

if [ -n "$WANTED" ]; then
    # All are here before the first is installed.
    # shellcheck disable=SC2086
    apt-get install -qq -y --no-install-recommends --download-only $WANTED >/dev/null </dev/null ||
        fail "apt could not fetch$WANTED; is there a network? nothing was changed"
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends --no-download \
        $WANTED >/dev/null </dev/null || fail "apt could not install$WANTED; nothing else was changed"
fi
# What was made here and not by the system is noted, so that removal takes away that and no more.
mkdir -p "$HOME_DIR"
for folder in $(folders); do
    [ -d "$folder" ] && continue
    mkdir -p "$folder"
    echo "folder $folder" >>"$MADE"
done
for group in gpio video dialout; do
    ! live || getent group "$group" >/dev/null || echo "group $group" >>"$MADE"
done
install -m 644 "$HERE/sysusers.conf" "$SYSUSERS"
if live; then systemd-sysusers "$SYSUSERS"; fi

# ---- this version, beside the one before -----------------------------------------------------

mkdir -p "$HOME_DIR/versions"
NEW=$HOME_DIR/versions/$VERSION
[ "$OLD" = "versions/$VERSION" ] && NEW=$HOME_DIR/versions/$VERSION.$(date +%s)
rm -rf "$NEW"
trap 'rm -rf "$NEW"' EXIT
say "preparing $NEW ..."
# The system's packages are seen, because picamera2 and libcamera are nowhere else; what is pinned
# is installed over them.
python3 -m venv --system-site-packages "$NEW"
export PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
PIP="$NEW/bin/python -m pip --disable-pip-version-check --quiet install --no-deps --ignore-installed"
if [ -d "$TOP/wheels" ]; then
    $PIP --no-index --find-links "$TOP/wheels" --requirement "$PINS" "dicetray==$VERSION" ||
        fail "the bundle's wheels do not fit Python $PYTHON on $MACHINE"
else
    $PIP --requirement "$PINS" || fail "the pinned packages could not be installed; is there a network?"
    $PIP "$TOP" || fail "dicetray itself could not be built"
fi
mkdir -p "$NEW/share"
cp -r "$TOP/docs" "$NEW/share/docs"
cp "$TOP/LICENSE" "$NEW/share/"
cp -r "$HERE" "$NEW/share/systemd"
# A numpy of another generation breaks picamera2's JPEG library, so both are loaded together.
"$NEW/bin/python" - <<'PROOF' || fail "OpenCV and picamera2 do not work together; see docs/troubleshooting.md"
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
"$NEW/bin/dicetray" --version >/dev/null || fail "dicetray does not start"
trap - EXIT

# ---- settings --------------------------------------------------------------------------------

if [ ! -f "$CONFIG" ]; then
    "$NEW/bin/dicetray" config default >"$CONFIG"
    # Without picamera2 only a USB camera can be meant; the udev rules give it this name.
    "$NEW/bin/python" -c 'import picamera2' 2>/dev/null ||
        sed -i 's|^source = "pi"$|source = "v4l2:/dev/dicetray-camera"|' "$CONFIG"
fi
"$NEW/bin/dicetray" config check "$CONFIG" >/dev/null || {
    rm -rf "$NEW"
    fail "correct $CONFIG, then run this again; the version before goes on"
}
install -m 644 "$HERE/udev.rules" "$UDEV"
install -m 644 "$HERE/polkit.rules" "$POLKIT"
install -m 644 "$HERE/watchdog.conf" "$WATCHDOG"
install -m 644 "$HERE/journald.conf" "$JOURNALD"
install -m 644 "$HERE/dicetray.service" "$UNIT"
SYSTEMD=$(systemctl --version 2>/dev/null | sed -n '1s/systemd \([0-9]*\).*/\1/p')
if [ "${SYSTEMD:-0}" -ge 254 ]; then install -m 644 "$HERE/backoff.conf" "$BACKOFF"; fi
ln -sfn /opt/dicetray/current/bin/dicetray "$COMMAND"
if live; then
    if udevadm control --reload; then
        udevadm trigger --subsystem-match=tty --subsystem-match=video4linux \
            --subsystem-match=gpio || true
    fi
    systemctl restart systemd-journald
fi

# ---- over to this version, and back if it is not healthy -------------------------------------

switch() { ln -sfn "$1" "$HOME_DIR/current.new" && mv -T "$HOME_DIR/current.new" "$HOME_DIR/current"; }
pid() { systemctl show -p MainPID --value dicetray; }
healthy() {
    # `start` returns when the program has said READY.
    systemctl restart dicetray || return 1
    first=$(pid)
    sleep "$HEALTHY_S"
    systemctl is-active --quiet dicetray && [ "$(pid)" = "$first" ]
}

BACKUP=$HOME_DIR/before-$VERSION.tar
if live; then
    systemctl daemon-reload
    systemctl stop dicetray 2>/dev/null || true
fi
if [ -d "$STATE_DIR" ] && [ -n "$OLD" ]; then tar -C "$STATE_DIR" -cf "$BACKUP" .; fi
if live && [ -d "$STATE_DIR" ]; then chown -R dicetray:dicetray "$STATE_DIR"; fi
switch "versions/$(basename "$NEW")"
if live; then
    systemctl enable --quiet dicetray
    if ! healthy; then
        journalctl -u dicetray -n 20 --no-pager >&2 || true
        systemctl stop dicetray || true
        if [ -z "$OLD" ]; then
            fail "the service does not become healthy; look at: journalctl -u dicetray; dicetray doctor"
        fi
        switch "$OLD"
        # The version before must find its own games again.
        rm -rf "$STATE_DIR.$VERSION"
        mv "$STATE_DIR" "$STATE_DIR.$VERSION" && install -d -o dicetray -g dicetray -m 750 "$STATE_DIR"
        tar -C "$STATE_DIR" -xpf "$BACKUP"
        rm -f "$BACKUP"
        install -m 644 "$HOME_DIR/current/share/systemd/dicetray.service" "$UNIT"
        systemctl daemon-reload
        healthy || say "the version before does not become healthy either"
        rm -rf "$NEW"
        fail "version $VERSION did not become healthy; back to $(basename "$OLD") with its games;" \
            "what it had written is in $STATE_DIR.$VERSION"
    fi
fi
# This version and the one before stay.
for folder in "$HOME_DIR"/versions/*; do
    case versions/$(basename "$folder") in
        "versions/$(basename "$NEW")" | "$OLD") ;;
        *) rm -rf "$folder" ;;
    esac
done
rm -f "$BACKUP"
if live; then RUNS="is installed and runs"; else RUNS="is laid out in $ROOT"; fi
say "version $VERSION $RUNS. Look at everything with: sudo dicetray doctor"
