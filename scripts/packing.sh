# Sourced by make_release: packs folders so that the same content gives the same bytes, whoever packs
# it, when, where, and in whatever order it was written.

# list_sums FOLDER: writes FOLDER/SHA256SUMS of all other files.
list_sums() {
    sums=$(cd "$1" && find . -type f ! -path ./SHA256SUMS -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
    printf '%s\n' "$sums" >"$1/SHA256SUMS"
}

# sign FOLDER KEY: writes FOLDER/SHA256SUMS.sig, an Ed25519 signature of everything listed.
sign() {
    openssl pkeyutl -sign -rawin -inkey "$2" -in "$1/SHA256SUMS" -out "$1/SHA256SUMS.sig"
}

# pack FOLDER SECONDS: packs it into FOLDER.tar.gz, all files with that time since 1970.
pack() {
    tar -C "$(dirname "$1")" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner \
        --mode=u+rw,go+rX,go-w --mtime="@$2" -cf - "$(basename "$1")" | gzip -n -6 >"$1.tar.gz"
}

# make_card SYSTEMD KEY: prints the file vendor-data that installs releases signed with that key.
make_card() {
    print=$(openssl pkey -in "$2" -pubout | sha256sum | cut -c 1-64)
    sed -e "s/^FINGERPRINT=.*/FINGERPRINT=$print/" \
        -e "/^# <signature.sh>/,/^# <\/signature.sh>/{/^\. /{r $1/signature.sh
d}}" "$1/first-boot.sh"
}
