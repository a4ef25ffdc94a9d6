#!/bin/sh
# Installs the release that came with the Debian package: run by its postinst, and at the first start by
# dicetray-package.service where the package was unpacked into a card's image, in which nothing runs.
#
# dpkg holds apt's lock meanwhile, so the installer asks apt for nothing: what it needs is in the
# package's Depends, and what only Raspberry Pi OS has, not Debian (python3-lgpio, python3-picamera2),
# in its Recommends. apt takes these unless it is told not to, or cannot find them, which it does not say.
# So on a Pi the installer insists on both, unless a file beside the Pi's firmware, as on a card that installs
# itself (first-boot.sh), says that the camera is a USB camera. A PC has no other.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
RELEASE=$HERE/release
. "$RELEASE/systemd/layout.sh"
. "$RELEASE/systemd/signature.sh"

VERSION=$(bundle_version "$RELEASE")
INSTALLED=
[ ! -x "$HOME_DIR/current/bin/dicetray" ] ||
    INSTALLED=$("$HOME_DIR/current/bin/dicetray" --version | cut -d ' ' -f 2)
# A stick may have brought a later one since.
if [ -n "$INSTALLED" ] && is_older "$VERSION" "$INSTALLED"; then
    say "version $INSTALLED is in use, which is newer than this package's $VERSION: it stays"
    exit 0
fi
set -- --no-apt
if [ -f "$RELEASE/SHA256SUMS.sig" ]; then
    # Whoever installs a package as root trusts all of it, this key too.
    set -- "$@" --fingerprint "$(fingerprint "$RELEASE/systemd/release.pub")"
else
    set -- "$@" --unsigned
fi
USB_CAMERA_FILE=/boot/firmware/dicetray-usb-camera
if [ ! -f "$CONFIG" ] && ! python3 -I -c 'import picamera2' 2>/dev/null; then
    if [ -e "$ROOT$USB_CAMERA_FILE" ] || ! grep -aqs '^Raspberry Pi' "$ROOT/proc/device-tree/model"; then
        set -- "$@" --usb-camera
    else
        complain "no python3-picamera2 here; for a USB camera only:" \
            "sudo touch $USB_CAMERA_FILE; sudo dpkg --configure -a"
    fi
fi
exec sh "$RELEASE/systemd/install.sh" "$@" </dev/null
