# Sourced by make_release and make_deb: packs folders so that the same content gives the same bytes, whoever packs
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

# pack_zip FOLDER DIST: packs it into DIST, under its own name, for those whose systems open nothing else.
pack_zip() { (cd "$(dirname "$1")" && "$PYTHON" -I -m zipfile -c "$2/$(basename "$1").zip" "$(basename "$1")"); }

# answers_for_package: fails unless somebody is named who does (Debian Policy, 3.3).
answers_for_package() {
    [ -n "${DEBFULLNAME:-}" ] && [ -n "${DEBEMAIL:-}" ] ||
        fail "expected DEBFULLNAME and DEBEMAIL, who answers for the Debian package, found none"
}

# make_notes SOURCE VERSION DIST: prints what its page says: what is new, and what each file is for.
make_notes() {
    cat <<END
# dicetray $2

| file | for |
|---|---|
END
    for file in "$3"/*; do
        case $(basename "$file") in
            *_arm64.deb) for="a Raspberry Pi, with apt" ;;
            *_amd64.deb) for="a PC, with apt" ;;
            *.whl) for="any PC, with pipx or uv" ;;
            *_source.tar.gz) for="those who build it themselves" ;;
            *-parts.zip) for="builders: parts to print (STL, STEP, 3MF), templates to cut and drill by" ;;
            *-docs.zip) for="reading without a network: open index.html" ;;
            *-image.zip) for="building a card image" ;;
            *.sbom.cdx.json) for="audits: what the bundle is made of" ;;
            vendor-data) for="a card that installs itself" ;;
            *.tar.gz) for="a Raspberry Pi, and for upgrades from a stick" ;;
        esac
        echo "| \`$(basename "$file")\` | $for |"
    done
    [ ! -f "$PUBLIC_KEY" ] || printf '\nSigned with the key %s; SHA256SUMS lists every file.\n' "$(fingerprint "$PUBLIC_KEY")"
    awk -v head="## [$2]" 'index($0, head) == 1 { on = 1; print "\n## What is new"; next } /^## \[/ { on = 0 } on' \
        "$1/CHANGELOG.md"
}

# make_card SYSTEMD KEY: prints the file vendor-data that installs releases signed with that key.
make_card() {
    print=$(openssl pkey -in "$2" -pubout | sha256sum | cut -c 1-64)
    sed -e "s/^FINGERPRINT=.*/FINGERPRINT=$print/" \
        -e "/^# <signature.sh>/,/^# <\/signature.sh>/{/^\. /{r $1/signature.sh
d}}" "$1/first-boot.sh"
}
