#!/bin/sh
# Mounts sticks for dicetray-mount@.service:
#
#   stick.sh free sda1        whether the system does not use it itself, as a Pi that boots from USB would
#   stick.sh mount sda1
#   stick.sh unmount sda1
set -eu
STICKS=/run/dicetray-stick
case ${2:-} in
    "" | *[!a-z0-9]*) echo "dicetray: expected the name of a partition, found ${2:-none}" >&2 && exit 2 ;;
esac
case $1 in
    free) ! findmnt --source "/dev/$2" >/dev/null && ! findmnt --fstab --source "/dev/$2" >/dev/null ;;
    mount)
        mkdir -p "$STICKS/$2"
        chmod 755 "$STICKS" "$STICKS/$2"
        # Only file systems without owners and devices; nothing on them can be run.
        mount -t vfat,exfat -o nosuid,nodev,noexec,noatime,uid=dicetray,gid=dicetray,fmask=0177,dmask=0077 \
            "/dev/$2" "$STICKS/$2"
        ;;
    unmount)
        umount --lazy "$STICKS/$2" 2>/dev/null || true
        rmdir "$STICKS/$2" 2>/dev/null || true
        ;;
    *) echo "dicetray: expected free, mount or unmount, found $1" >&2 && exit 2 ;;
esac
