# shellcheck shell=sh
# Sourced by install.sh, upgrade.sh and first-boot.sh: which files are releases, whether a bundle is what the owner
# of the release key made, and still one that is taken.

# Versions that a release may have; appliance/cli/stick.py knows the same ones, in the same order.
RELEASE_VERSION='(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*((a|b|rc)(0|[1-9][0-9]*))?'
# What browsers add to the name of a file that they download again.
COPY_NUMBER='( ?\([0-9]+\)|-[0-9]+)?'

# sortable VERSION...: one a line, so that `sort -V` and dpkg take candidates for older than what they become:
# nothing sorts before a tilde.
sortable() { printf '%s\n' "$@" | sed -E 's/(a|b|rc)[0-9]+$/~&/'; }

# is_older VERSION OTHER
is_older() { [ "$1" != "$2" ] && [ "$(sortable "$1" "$2" | LC_ALL=C sort -V | head -n 1)" = "$(sortable "$1")" ]; }

# releases_in FOLDER...: the files of releases in them, one a line as VERSION, tab, path: the newest first, and of
# several of one version those whose names have a copy's number last.
releases_in() {
    find "$@" -maxdepth 1 -type f -name 'dicetray-[0-9]*.tar.gz' ! -name '*[[:cntrl:]]*' 2>/dev/null |
        sed -nE "s#^.*/dicetray-($RELEASE_VERSION)$COPY_NUMBER\.tar\.gz\$#\1	&#p" |
        sed -E 's/^([0-9.]+)([a-z])/\1~\2/' | LC_ALL=C sort -t '	' -k 1,1Vr -k 2r | sed -E 's/^([0-9.]+)~/\1/'
}

# fingerprint KEY: as `sha256sum` prints it.
fingerprint() { sha256sum <"$1" | cut -c 1-64; }

# listed FOLDER: the files that its SHA256SUMS names, which is what was signed.
listed() { sed 's/^[0-9a-f]*  //' "$1/SHA256SUMS"; }

# listed_folders FOLDER: the folders that those files are in, up to the top.
listed_folders() { listed "$1" | sed -n ':up
s|/[^/]*$||p
t up'; }

# bundle_version FOLDER: of the one dicetray wheel that was signed, whatever else lies there.
bundle_version() {
    version=$(listed "$1" | sed -n 's|^\./wheels/dicetray-\([0-9][0-9A-Za-z.+!]*\)-py3-none-any\.whl$|\1|p')
    case $version in
        *"
"*) ;;
        *) echo "$version" ;;
    esac
}

# same_names LISTED FOUND: whether both texts have the same lines, in any order; LISTED may repeat some.
same_names() {
    [ "$(printf '%s\n' "$1" | LC_ALL=C sort -u)" = "$(printf '%s\n' "$2" | LC_ALL=C sort)" ]
}

# check_bundle FOLDER KEY: says what is wrong with it. Nothing in the bundle is run, and nothing in it that
# is not an ordinary file is opened: a pipe in place of a file would keep root waiting for ever.
check_bundle() {
    if [ -n "$(find "$1" ! -type d ! -type f)" ]; then
        echo "it has links, pipes or devices"
    elif ! openssl pkeyutl -verify -rawin -pubin -inkey "$2" -sigfile "$1/SHA256SUMS.sig" \
        -in "$1/SHA256SUMS" >/dev/null 2>&1; then
        echo "it was not signed by the key with the fingerprint $(fingerprint "$2")"
    elif ! (cd "$1" && sha256sum --quiet --strict --check SHA256SUMS >/dev/null 2>&1); then
        echo "files differ from SHA256SUMS; get it again"
    elif ! same_names "$(listed "$1")" \
        "$(cd "$1" && find . -type f ! -path ./SHA256SUMS ! -path ./SHA256SUMS.sig)"; then
        echo "it has files that are not in SHA256SUMS"
    elif ! same_names "$(listed_folders "$1")" "$(cd "$1" && find . -type d)"; then
        echo "it has folders that no file in SHA256SUMS is in"
    fi
}

# Lines of lists of releases, of which nothing else counts.
RELEASE_LINE='^(least|revoked) [0-9][0-9A-Za-z.+!]*$'

# lines_of LIST...: without the ends of lines that Windows adds, and without what is left empty or only explains.
lines_of() { cat "$@" 2>/dev/null | sed -e 's/\r$//' -e '/^#/d' -e '/^$/d'; }

# refusal HOME VERSION: why no such version is taken, going by the lists of the installed versions and by the
# one of --revoke, which no version can take back; nothing if it is taken.
refusal() {
    lines_of "$1"/releases "$1"/versions/*/share/systemd/releases | grep -E "$RELEASE_LINE" |
        while read -r word version; do
            case $word in
                revoked) [ "$version" != "$2" ] || echo "version $2 was revoked; get a newer one" ;;
                least)
                    ! is_older "$2" "$version" ||
                        echo "version $2 is older than $version, the oldest that is still taken" ;;
            esac
        done | head -n 1
}

# add_revocations HOME FILE KEY: adds the lines of a signed list to that of --revoke; says why it is refused, and
# complains of lines that it passes over.
add_revocations() {
    if [ ! -f "$2" ] || [ ! -f "$2.sig" ]; then
        echo "expected a list of releases and its signature, found none"
        return
    fi
    # What is checked is what is taken, also from a stick that says something else each time.
    head -c 65536 <"$2" >"$1/releases.got"
    head -c 4096 <"$2.sig" >"$1/releases.sig"
    if ! openssl pkeyutl -verify -rawin -pubin -inkey "$3" -sigfile "$1/releases.sig" \
        -in "$1/releases.got" >/dev/null 2>&1; then
        echo "it was not signed by the key with the fingerprint $(fingerprint "$3")"
    elif ! lines_of "$1/releases.got" | grep -qx "dicetray releases"; then
        # The same key signs other files.
        echo "it is no list of releases"
    else
        lines_of "$1/releases" "$1/releases.got" | grep -E "$RELEASE_LINE" | LC_ALL=C sort -u >"$1/releases.new"
        sync -f "$1"
        mv -T "$1/releases.new" "$1/releases"
        sync -f "$1"
        # A later version may know more words; what this one knows is taken in.
        lines_of "$1/releases.got" | grep -vxE "dicetray releases|$RELEASE_LINE" | while read -r line; do
            complain "$2: expected least VERSION or revoked VERSION, found $line"
        done
    fi
    rm -f "$1/releases.got" "$1/releases.sig"
}
