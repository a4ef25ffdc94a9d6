#!/bin/sh
# The README's first block, pipx and uv in fresh systems, as an ordinary user; not part of the test run.
#
#   tests/lab/check_systems.sh WORK WHEEL bookworm trixie noble
#
# mmdebstrap makes each system in WORK, from Debian's archive or, for Ubuntu's names, from Ubuntu's. Debian's
# packages lack Ubuntu's key, so unless APT_TRUST has its file, Ubuntu's packages are not checked. WHEEL is what
# scripts/check_wheel.py makes. Needs root, mmdebstrap, and a network for apt and pip.
set -eu
[ $# -ge 3 ] || { echo "usage: $0 WORK WHEEL SYSTEM..." >&2; exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd) wheel=$2
shift 2
if [ -z "${IN_OWN_MOUNTS:-}" ]; then
    # What is mounted below goes with this process, and is seen by no other.
    exec env IN_OWN_MOUNTS=1 unshare --mount --propagation private "$0" "$work" "$wheel" "$@"
fi

make_root() {
    case $1 in
        bookworm | trixie) mirror=http://deb.debian.org/debian ;;
        *) mirror="deb [${APT_TRUST:+signed-by=}${APT_TRUST:-trusted=yes}] http://archive.ubuntu.com/ubuntu $1 main universe" ;;
    esac
    mmdebstrap --quiet --variant=apt --include=ca-certificates,sudo,passwd,login "$1" "$2" "$mirror"
    cp -L /etc/resolv.conf "$2/etc/resolv.conf"
    # A registry may be reached through certificates of this machine.
    cp -r /usr/local/share/ca-certificates/. "$2/usr/local/share/ca-certificates/"
    chroot "$2" update-ca-certificates >/dev/null 2>&1
    chroot "$2" useradd --create-home --shell /bin/bash me
    echo 'me ALL=(ALL) NOPASSWD: ALL' >"$2/etc/sudoers.d/me"
}

for system in "$@"; do
    root=$work/$system
    [ -d "$root/home/me" ] || make_root "$system" "$root"
    mount --bind /dev "$root/dev"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mount -t proc proc "$root/proc"
    rm -rf "$root/srv/dicetray" "$root/home/me/dicetray"
    git clone --quiet --bare "$top" "$root/srv/dicetray"
    chroot "$root" chown -R me: /srv/dicetray
    cp "$wheel" "$root/home/me/"
    cp "$top/tests/lab/press_keys.py" "$root/home/me/"
    cat >"$root/home/me/try.sh" <<'TRY'
set -eu
export DEBIAN_FRONTEND=noninteractive PIP_CERT=/etc/ssl/certs/ca-certificates.crt SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
PATH=$HOME/.local/bin:$PATH
. /etc/os-release
echo "== $PRETTY_NAME"
sudo -E apt-get update -qq
# The README's block; its address is a folder here.
sudo -E apt install -y git python3-venv >apt.log 2>&1
git clone --quiet /srv/dicetray dicetray
cd dicetray
python3 --version
python3 ../press_keys.py scripts/play
cd ~
sudo -E apt-get install -y -qq pipx >>apt.log 2>&1
pipx install ./dicetray-*.whl >pipx.log 2>&1
echo "pipx $(pipx --version): $(dicetray --version), $(dicetray score classic 3 3 5 3 5 | head -1)"
pipx uninstall dicetray >>pipx.log 2>&1
pipx install uv >>pipx.log 2>&1
uv tool install ./dicetray-*.whl >uv.log 2>&1
echo "$(uv --version): $(dicetray --version), $(dicetray score classic 3 3 5 3 5 | head -1)"
python3 press_keys.py dicetray play
uv tool uninstall dicetray >>uv.log 2>&1
TRY
    chroot "$root" su - me -c 'bash try.sh' || echo "$system: failed; the logs are in $root/home/me"
    umount "$root/dev/pts" "$root/dev/shm" "$root/dev" "$root/proc"
done
