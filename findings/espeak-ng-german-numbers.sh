#!/bin/sh
# One would guess: espeak-ng says the numbers of "12 100" one after the other, as it does in
# English. In German it takes a space for a separator of thousands, and says 12,100; and "1." in
# "das 1. Feld" is no ordinal but ends the sentence.
# Seen with espeak-ng 1.51 of Debian 12 on x86-64; the packages are unpacked, not installed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=${ESPEAK:-1.51+dfsg-10+deb12u2}
cd "$folder"
apt-get download -q "espeak-ng=$version" "libespeak-ng1=$version" "espeak-ng-data=$version" \
    libpcaudio0 libsonic0 >&2
for package in *.deb; do dpkg -x "$package" .; done
libraries=$(dirname "$(find "$folder/usr/lib" -name 'libespeak-ng.so.1')")
phonemes() {
    LD_LIBRARY_PATH="$libraries" usr/bin/espeak-ng --path="$libraries" -q -x -v "$1" "$2" |
        tr -s '\n ' ' '
}
for voice in en de; do
    for text in "12 100" "12, 100" "das 1. Feld"; do
        echo "$voice: $text:$(phonemes "$voice" "$text")"
    done
done
# t'aUz@nt is "tausend", thousand.
case "$(phonemes de '12 100')" in *"t'aUz@nt"*) ;; *) exit 1 ;; esac
case "$(phonemes de '12, 100')" in *"t'aUz@nt"*) exit 1 ;; esac
case "$(phonemes en '12 100')" in *"T'aUz"*) exit 1 ;; esac
case "$(phonemes de 'das 1. Feld')" in *"'e:rst"*) exit 1 ;; esac
