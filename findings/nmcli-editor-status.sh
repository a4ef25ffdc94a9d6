#!/bin/sh
# One would guess: nmcli's editor, fed by a pipe, fails when "save persistent" is refused. It says
# that the property is invalid, keeps the connection as it was, and ends with status 0.
# Seen with nmcli and NetworkManager 1.42.4-1+deb12u1 of Debian 12 on x86-64, as root, on a system bus and
# in a network of their own. Needs dbus-daemon.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download --quiet "network-manager=${NETWORK_MANAGER:-1.42.4-1+deb12u1}" \
    "libnm0=${NETWORK_MANAGER:-1.42.4-1+deb12u1}" libndp0 libteamdctl0 libjansson4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
cat >bus.conf <<'BUS'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
BUS
printf '[main]\nplugins=keyfile\nauth-polkit=false\ndns=none\n' >nm.conf
cat >inside.sh <<'INSIDE'
set -eu
mount -t tmpfs none /run
mkdir -p /run/dbus /run/NetworkManager /var/lib/NetworkManager /etc/NetworkManager
mount -t tmpfs none /var/lib/NetworkManager
mount -t tmpfs none /etc/NetworkManager
mkdir /etc/NetworkManager/system-connections
LD_LIBRARY_PATH=$(find "$PWD/root" -name 'lib*.so.*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
dbus-daemon --config-file="$PWD/bus.conf" --nofork &
bus=$!
sleep 1
root/usr/sbin/NetworkManager --config "$PWD/nm.conf" --no-daemon >/dev/null 2>&1 &
manager=$!
trap 'kill $manager $bus' EXIT
nmcli=root/usr/bin/nmcli
for _ in 1 2 3 4 5 6 7 8 9 10; do $nmcli general >/dev/null 2>&1 && break || sleep 1; done
$nmcli connection add type wifi con-name it ssid 'Home: 5G' >/dev/null
status=0
printf '%s\n' "set 802-11-wireless-security.key-mgmt wpa-psk" "set 802-11-wireless-security.psk 1234567" \
    "save persistent" quit | $nmcli connection edit it >said 2>&1 || status=$?
kept=$($nmcli -g 802-11-wireless-security.key-mgmt connection show it)
echo "$($nmcli --version): status $status, kept '$kept': $(grep -o 'property is invalid' said)"
[ "$status" = 0 ] && [ -z "$kept" ] && grep -q 'property is invalid' said
INSIDE
unshare --mount --net sh inside.sh
