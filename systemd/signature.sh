# shellcheck shell=sh
# Sourced by install.sh, upgrade.sh and first-boot.sh: whether a bundle is what the owner of the release key made.

# fingerprint KEY: as `sha256sum` prints it.
fingerprint() { sha256sum <"$1" | cut -c 1-64; }

# check_bundle FOLDER KEY: says what is wrong with it. Nothing in the bundle is run.
check_bundle() {
    if ! openssl pkeyutl -verify -rawin -pubin -inkey "$2" -sigfile "$1/SHA256SUMS.sig" \
        -in "$1/SHA256SUMS" >/dev/null 2>&1; then
        echo "it was not signed by the key with the fingerprint $(fingerprint "$2")"
    elif ! (cd "$1" && sha256sum --quiet --strict --check SHA256SUMS >/dev/null 2>&1); then
        echo "files differ from SHA256SUMS; get it again"
    elif [ -n "$(find "$1" ! -type d ! -type f)" ] ||
        [ "$(sed 's/^[0-9a-f]*  //' "$1/SHA256SUMS" | LC_ALL=C sort)" != \
            "$(cd "$1" && find . -type f ! -path ./SHA256SUMS ! -path ./SHA256SUMS.sig | LC_ALL=C sort)" ]; then
        echo "it has files that are not in SHA256SUMS"
    fi
}
