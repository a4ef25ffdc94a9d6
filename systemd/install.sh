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

has_package() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q "ok installed"; }
can_get() { apt-cache policy "$1" 2>/dev/null | grep -q "Candidate: [0-9]"; }

# ---- looks, changes nothing ------------------------------------------------------------------

[ "$(id -u)" = 0 ] || fail "expected root: sudo $0"
[ -d /run/systemd/system ] || ! live || fail "expected a machine that runs systemd, found none"
CODENAME=$(. "$ROOT/etc/os-release" && echo "${VERSION_CODENAME:-unknown}")
case $CODENAME in
    bookworm | trixie) ;;
    *) fail "expected Raspberry Pi OS or Debian, 12 (bookworm) or 13 (trixie), found $CODENAME" ;;
esac
MACHINE=$(uname -m)
case $MACHINE in
    aarch64 | x86_64) ;;
    *) fail "expected a 64-bit system (aarch64), found $MACHINE; install the 64-bit Raspberry Pi OS" ;;
esac
command -v python3 >/dev/null || fail "expected Python 3.11 or later, found none: apt install python3"
PYTHON=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "expected Python 3.11 or later, found $PYTHON"
PINS=$TOP/requirements.txt
[ "$CODENAME" = bookworm ] && PINS=$TOP/requirements-bookworm.txt
for file in "$PINS" "$TOP/LICENSE" "$HERE/dicetray.service"; do
    [ -f "$file" ] || fail "expected the file $file, found none; unpack the release again"
done
if [ -f "$TOP/SHA256SUMS" ]; then
    (cd "$TOP" && sha256sum --quiet --check SHA256SUMS) ||
        fail "files differ from SHA256SUMS: the release is damaged; get and unpack it again"
fi
mkdir -p "$ROOT/opt"
FREE=$(df --output=avail -m "$ROOT/opt" | tail -1 | tr -d ' ')
[ "$FREE" -ge $NEED_MB ] || fail "expected $NEED_MB MB free in /opt, found $FREE; delete something"
MISSING=
for package in $PACKAGES $PI_PACKAGES; do
    has_package "$package" && continue
    if can_get "$package"; then
        MISSING="$MISSING $package"
    else
        case " $PI_PACKAGES " in
            *" $package "*) say "note: this system has no package $package (Raspberry Pi OS has)" ;;
            *) fail "expected the package $package, found none to install: apt update, or a network" ;;
        esac
    fi
done
if [ -d "$TOP/wheels" ]; then
    VERSION=$(basename "$(ls "$TOP"/wheels/dicetray-*.whl)" | cut -d- -f2)
else
    VERSION=$(sed -n 's/^version = "\(.*\)"/\1/p' "$TOP/pyproject.toml")
fi
[ -n "$VERSION" ] || fail "expected a version in $TOP, found none; unpack the release again"
OLD=
[ -L "$HOME_DIR/current" ] && OLD=$(readlink "$HOME_DIR/current")

say "version $VERSION for $CODENAME, $MACHINE, Python $PYTHON; $FREE MB free"
[ -n "$OLD" ] && say "installed now: $(basename "$OLD")"
[ -n "$MISSING" ] && say "packages to be installed:$MISSING"
if [ "${1:-}" = --check ]; then
    say "could be installed; nothing was changed"
    exit 0
fi

# ---- the system's packages, the user ---------------------------------------------------------

if [ -n "$MISSING" ] && live; then
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $MISSING >/dev/null ||
        fail "apt could not install$MISSING; is there a network? nothing else was changed"
fi
install -D -m 644 "$HERE/sysusers.conf" "$SYSUSERS"
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

[ -f "$CONFIG" ] || "$NEW/bin/dicetray" config default >"$CONFIG"
"$NEW/bin/dicetray" config check "$CONFIG" >/dev/null || {
    rm -rf "$NEW"
    fail "correct $CONFIG, then run this again; the version before goes on"
}
install -D -m 644 "$HERE/udev.rules" "$UDEV"
install -D -m 644 "$HERE/polkit.rules" "$POLKIT"
install -D -m 644 "$HERE/watchdog.conf" "$WATCHDOG"
install -D -m 644 "$HERE/journald.conf" "$JOURNALD"
install -D -m 644 "$HERE/dicetray.service" "$UNIT"
SYSTEMD=$(systemctl --version 2>/dev/null | sed -n '1s/systemd \([0-9]*\).*/\1/p')
[ "${SYSTEMD:-0}" -ge 254 ] && install -D -m 644 "$HERE/backoff.conf" "$BACKOFF"
mkdir -p "$(dirname "$COMMAND")"
ln -sfn /opt/dicetray/current/bin/dicetray "$COMMAND"
if live; then
    udevadm control --reload && udevadm trigger --subsystem-match=tty \
        --subsystem-match=video4linux --subsystem-match=gpio || true
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
[ -d "$STATE_DIR" ] && [ -n "$OLD" ] && tar -C "$STATE_DIR" -cf "$BACKUP" .
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
        mv "$STATE_DIR" "$STATE_DIR.$VERSION" && install -d -o dicetray -g dicetray -m 750 "$STATE_DIR"
        tar -C "$STATE_DIR" -xpf "$BACKUP"
        install -m 644 "$HOME_DIR/current/share/systemd/dicetray.service" "$UNIT"
        systemctl daemon-reload
        healthy || say "the version before does not become healthy either"
        rm -rf "$NEW"
        fail "version $VERSION did not become healthy; back to $(basename "$OLD") with its games"
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
say "version $VERSION is installed and runs. Look at everything with: sudo dicetray doctor"
