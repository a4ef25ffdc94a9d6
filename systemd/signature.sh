# shellcheck shell=sh
# Sourced by install.sh, upgrade.sh and first-boot.sh: whether a bundle is what the owner of the release key made.

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
