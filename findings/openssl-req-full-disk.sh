#!/bin/sh
# One would guess: "openssl req" that cannot write its key and certificate, as on a full disk, fails. It ends
# with status 0 and says nothing.
# Seen with OpenSSL 3.0.22, 3.5.9 and 3.6.5 of Debian on x86-64. Needs apt.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
version=${OPENSSL:-3.0.22-1~deb12u2}
apt-get download --quiet "openssl=$version" "libssl3=$version" >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(find "$PWD/root" -name 'libssl.so.3' -printf '%h')
export LD_LIBRARY_PATH
status=0
root/usr/bin/openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=x -keyout /dev/full -out /dev/full \
    >said 2>&1 || status=$?
complaint=$(grep -ci 'space\|error\|fail' said || true)
echo "$(root/usr/bin/openssl version): status $status, $complaint complaints"
[ "$status" = 0 ] && [ "$complaint" = 0 ]
