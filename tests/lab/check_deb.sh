#!/bin/bash
# The Debian package in a Debian 13 with systemd, from installing to purging; not part of the test run.
#
#   tests/lab/check_deb.sh LAB WORK [STAGE...]
#
# LAB holds cache/trixie.tar, a Debian 13 with systemd and python3-venv, and apt-trixie.sh, which fetches
# packages for it; WORK is a folder for packages and results. systemd runs in a container rather than in
# the virtual machine of run_owner.sh, where one installation takes a quarter of an hour: so the kernel
# is this computer's, and there is no udev, no camera and no scoreboard. Without a network, apt takes what the
# package depends on from WORK/debs.
#
# Needs root, systemd-nspawn (apt install systemd-container) and cgroup2. Without a name, all stages run in
# the order of STAGES.
# shellcheck disable=SC2317  # the stages are called by their names
set -uo pipefail
STAGES=(packages boot install play upgrade older broken repair remove again purge off)
[ -f "${1:-}/cache/trixie.tar" ] || { echo "skipped: expected LAB with cache/trixie.tar, found ${1:-nothing}"; exit 77; }
command -v systemd-nspawn >/dev/null || { echo "skipped: no systemd-nspawn here"; exit 77; }
LAB=$(cd "$1" && pwd)
mkdir -p "$2"
WORK=$(cd "$2" && pwd)
shift 2
HERE=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$HERE/../.." && pwd)
export RELEASE_KEY=$WORK/release.key DEBFULLNAME="Ann Owner" DEBEMAIL=ann@owner.net
. "$HERE/machine.sh"
GROUPS_V2=$(findmnt -n -t cgroup2 -o TARGET | head -1)
CONTAINER=$GROUPS_V2/dicetray-check-deb
FIRST=$(sed -n 's/^version = "\(.*\)"/\1/p' "$TOP/pyproject.toml")
# What a candidate is upgraded to is its release, which must sort after it.
NEXT=${FIRST%rc*}
[ "$NEXT" != "$FIRST" ] || NEXT=1.98.0

# ---- the container, instead of machine.sh's virtual machine -------------------------------------

leader() { pgrep -P "$(cat "$WORK/nspawn.pid")"; }
vm() {
    nsenter -t "$(leader)" -m -u -i -n -p -C -r -w env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -c "$*" </dev/null
}
stage_off() {
    [ -f "$WORK/nspawn.pid" ] || return 0
    # What systemd takes for "halt" when it is a container's first process: signal(7), SIGRTMIN+3.
    kill -s RTMIN+3 "$(leader)" 2>/dev/null
    until_true 60 container_gone || kill -s KILL "$(cat "$WORK/nspawn.pid")"
    rm -f "$WORK/nspawn.pid"
    rmdir "$CONTAINER" 2>/dev/null || true
}
container_gone() { ! kill -0 "$(cat "$WORK/nspawn.pid")" 2>/dev/null; }

stage_boot() {
    stage_off
    rm -rf "$WORK/root"
    mkdir -p "$WORK/root" "$WORK/debs" "$CONTAINER"
    tar -C "$WORK/root" -xf "$LAB/cache/trixie.tar" --exclude='./dev/*'
    [ -n "$(find "$WORK/debs" -name '*.deb')" ] || (cd "$WORK/debs" && "$LAB/apt-trixie.sh" apt-get -q download \
        polkitd libatomic1 libduktape207 libglib2.0-0t64 libpam-systemd libpolkit-agent-1-0 libpolkit-gobject-1-0 sgml-base xml-core)
    for file in "$WORK"/debs/*.deb; do
        dpkg-deb -f "$file"
        printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$(basename "$file")" \
            "$(stat -c %s "$file")" "$(sha256sum "$file" | cut -c 1-64)"
    done >"$WORK/debs/Packages"
    rm -f "$WORK"/root/etc/apt/sources.list.d/*
    # The lab leaves documentation out.
    sed -i '/^path-exclude/d' "$WORK"/root/etc/dpkg/dpkg.cfg.d/* 2>/dev/null
    echo 'deb [trusted=yes] file:/mnt/lab/debs ./' >"$WORK/root/etc/apt/sources.list"
    (
        echo "$BASHPID" >"$CONTAINER/cgroup.procs"
        exec env UNIFIED_CGROUP_HIERARCHY=1 systemd-nspawn --quiet --directory="$WORK/root" --boot --register=no \
            --keep-unit --private-network --machine=dicetray-check-deb --console=pipe \
            --bind-ro="$WORK/packages:/mnt/lab/packages" --bind-ro="$WORK/debs:/mnt/lab/debs"
    ) >"$WORK/boot.log" 2>&1 </dev/null &
    echo $! >"$WORK/nspawn.pid"
    until_true 120 vm "systemctl is-system-running --wait | grep -E 'running|degraded'"
    # Without it, nothing else means anything.
    check "started" vm ". /etc/os-release; echo \$PRETTY_NAME, systemd \$(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p'); systemctl is-system-running" || exit 1
    vm "apt-get -qq update && apt-get install -qq -y polkitd" >"$WORK/polkitd.log" 2>&1
    files >"$WORK/files.before"
}

# ---- stages ----------------------------------------------------------------------------------

# The release, one of a higher version, and one whose program ends at once, each as a package.
stage_packages() {
    local version
    rm -rf "$WORK/packages" "$WORK/source" "$WORK/bundles"
    mkdir -p "$WORK/packages" "$WORK/source" "$WORK/bundles"
    (cd "$TOP" && git archive HEAD) | tar -x -C "$WORK/source"
    [ -f "$RELEASE_KEY" ] || openssl genpkey -algorithm ed25519 -out "$RELEASE_KEY"
    (cd "$TOP" && scripts/make_release --unproved x86_64) || return
    cp "$TOP"/dist/dicetray-[0-9]*.tar.gz "$WORK/bundles/"
    for version in "$NEXT" 1.99.0; do
        next_bundle "$version" "$([ "$version" = "$NEXT" ] || echo ends)" || return
    done
    rm -f "$TOP"/dist/dicetray_*.deb
    for bundle in "$WORK"/bundles/*.tar.gz; do
        (cd "$TOP" && scripts/make_deb "$bundle") || return
    done
    mv "$TOP"/dist/dicetray_*.deb "$WORK/packages/"
    check "made from the commit $(cd "$TOP" && git rev-parse --short HEAD)" ls "$WORK/packages"
}

package() { echo "/mnt/lab/packages/dicetray_$1_amd64.deb"; }
# What apt says, without its own progress.
apt_install() { vm "apt-get install -y -q $*" 2>&1 | sed -n '/^Preparing to unpack .*dicetray/,$p'; return "${PIPESTATUS[0]}"; }
package_state() { vm "dpkg-query -W -f '\${db:Status-Abbrev} \${Version}' dicetray"; }
is_state() { package_state | grep "^$1 *${2:+$2\$}"; }
health() { vm "systemctl is-active dicetray && systemctl show -p StatusText -p NRestarts --value dicetray"; }
version_is() { vm "dicetray --version && readlink /opt/dicetray/current" | grep -A1 "^dicetray $1$"; }
# Games as text, settings and profile, each as a sum.
kept() { vm "cd /var/lib/dicetray/games
    lines=\$(find going packs -type f -exec cat {} + 2>/dev/null | grep -v '^dicetray pack \|^== game ' | sort -u)
    echo \"\$lines\" | wc -l; echo \"\$lines\" | sha256sum | cut -c 1-16
    cat /etc/dicetray.toml /var/lib/dicetray/lab.profile | sha256sum | cut -c 1-16"; }
kept_as_before() { local now; now=$(kept) && [ "$now" = "$(cat "$WORK/kept")" ] && echo "$now"; }
files() { vm "find / -xdev -not -path '/root/*' -not -path '/run/*' -not -path '/mnt/*' -not -path '/tmp/*' -not -path '/var/tmp/*' \
    -not -path '/var/log/*' -not -path '/var/cache/*' -not -path '/var/lib/apt/*' -not -name __pycache__ -not -name '*.pyc' \
    -not -path '*/dpkg/info/dicetray.*' | sort"; }
same_files() { diff "$1" "$2" && echo "$(wc -l <"$2") files and folders as before"; }

# On a machine without a Pi's header, as a PC is: it must end well all the same.
stage_install() {
    check "installed" apt_install "$(package "$FIRST")"
    check "installed by dpkg's word" is_state ii
    check "runs, and says what is missing" health
    check "its files are whole" vm "dpkg -V dicetray && echo dpkg -V finds nothing"
    check "the command" vm "readlink /opt/dicetray/current; dicetray --version"
    check "the configuration" vm "grep '^source' /etc/dicetray.toml; dicetray config check /etc/dicetray.toml"
    check "installed again, nothing happens to it" apt_install --reinstall "$(package "$FIRST")"
    check "runs again" health
}

# With buttons that gpiozero pretends, so that the games are opened; a game, a setting and a profile to keep.
stage_play() {
    # Not below /etc, where a folder that the lab had made would be left.
    vm "mkdir -p /run/systemd/system/dicetray.service.d
        printf '[Service]\nEnvironment=GPIOZERO_PIN_FACTORY=mock\n' >/run/systemd/system/dicetray.service.d/lab.conf
        systemctl daemon-reload; systemctl stop dicetray
        sed -i 's/^brightness = .*/brightness = 5/' /etc/dicetray.toml
        sed -i 's|^profile = .*|profile = \"/var/lib/dicetray/lab.profile\"|' /etc/dicetray.toml
        echo none >/var/lib/dicetray/lab.profile; chown dicetray: /var/lib/dicetray/lab.profile"
    # On a busy computer a whole game takes minutes; where it stops, it is saved.
    check "a game" vm "cd / && runuser -u dicetray -- timeout -s INT 60 dicetray play --game classic --players ANNA MEDIUM --speed 0 --no-view \
        --seed 1 --journal /var/lib/dicetray/games.sqlite3 2>&1 | tail -2"
    vm "systemctl start dicetray"
    check "the service has opened the games" vm "systemctl is-active dicetray; systemctl show -p StatusText --value dicetray; ls /var/lib/dicetray"
    kept >"$WORK/kept"
    check "what is to be kept" cat "$WORK/kept"
}

stage_upgrade() {
    check "upgraded by apt" apt_install "$(package "$NEXT")"
    check "installed by dpkg's word" is_state ii "$NEXT"
    check "the version" version_is "$NEXT"
    check "runs" health
    check "games, settings and profile as before" kept_as_before
}

stage_older() {
    check "an older package" apt_install --allow-downgrades "$(package "$FIRST")"
    check "leaves the newer version in use" version_is "$NEXT"
    check "games, settings and profile as before" kept_as_before
}

fails() { ! "$@"; }
stage_broken() {
    check "a version that ends at once is an error of apt" fails apt_install "$(package 1.99.0)"
    check "unpacked, not configured" is_state iF 1.99.0
    check "the version before is in use" version_is "$NEXT"
    check "and runs" health
    check "games, settings and profile as before" kept_as_before
}

# What an owner does next: the good package once more.
stage_repair() {
    check "the good package instead" apt_install --allow-downgrades "$(package "$NEXT")"
    check "installed by dpkg's word" is_state ii "$NEXT"
    check "runs" health
}

stage_remove() {
    check "removed" vm "apt-get remove -y -q dicetray 2>&1 | sed -n '/^Removing/,\$p'"
    check "removed by dpkg's word" is_state rc
    check "games, settings and profile as before" kept_as_before
    check "nothing runs, no user, no command" vm "! systemctl cat dicetray 2>/dev/null && ! getent passwd dicetray && ! command -v dicetray && ls -A /opt && echo none of them"
}

stage_again() {
    check "installed again" apt_install "$(package "$NEXT")"
    check "runs with the games that were kept" health
    check "games, settings and profile as before" kept_as_before
}

stage_purge() {
    check "purged" vm "apt-get purge -y -q dicetray 2>&1 | grep -E '^(Removing|Purging|dicetray:|dpkg:)'"
    check "unknown to dpkg" vm "! dpkg-query -W dicetray 2>&1"
    files >"$WORK/files.after"
    check "nothing is left" same_files "$WORK/files.before" "$WORK/files.after"
    check "nor a user, nor a unit that failed" vm "! getent passwd | grep dicetray && systemctl --failed --no-legend && echo none"
}

[ $# -gt 0 ] || set -- "${STAGES[@]}"
stages "$@"
