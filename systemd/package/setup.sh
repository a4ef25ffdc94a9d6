#!/bin/sh
# Installs the release that came with the Debian package: run by its postinst, and at the first start by
# dicetray-package.service where the package was unpacked into a card's image, in which nothing runs.
#
# dpkg holds apt's lock meanwhile, so the installer asks apt for nothing: what it needs is in the
# package's Depends, and what only Raspberry Pi OS has, not Debian (python3-lgpio, python3-picamera2),
# in its Recommends, which apt takes unless it is told not to. On a Pi the installer insists on the
# first; without the second it is set up for a USB camera.
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
if [ -n "$INSTALLED" ] && dpkg --compare-versions "$INSTALLED" gt "$VERSION"; then
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
[ -f "$CONFIG" ] || python3 -I -c 'import picamera2' 2>/dev/null || set -- "$@" --usb-camera
exec sh "$RELEASE/systemd/install.sh" "$@" </dev/null
