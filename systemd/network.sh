#!/bin/sh
# Joins a network without keyboard and screen, through NetworkManager, and tells the board how it is.
#
#   network.sh join FOLDER     as dicetray-wifi.txt in FOLDER says, whose password is removed once it has worked
#   network.sh DEVICE ACTION   as NetworkManager's dispatcher calls it: says how the network is now
#
# The file has lines `name=...`, `password=...` and, if the Pi's country is not set, `country=DE`. It may be
# as Windows' Notepad writes it: "UTF-16 LE", "UTF-16 BE" or "UTF-8 with BOM", with CR LF.
# What was preset in another way, such as by Raspberry Pi Imager, is left alone.
set -eu
umask 022
ROOT=${ROOT:-}
SAID=$ROOT/run/dicetray-network
NAME=dicetray-wifi.txt
MOST=4096

# say LINE...: writes what the board says about the network, in one step.
say() {
    mkdir -p "$SAID"
    printf '%s\n' "$@" >"$SAID/said.new"
    mv "$SAID/said.new" "$SAID/said"
}
# odd: how many bytes of standard input are control characters, DEL included.
odd() { LC_ALL=C tr -d '\040-\176\200-\377' | wc -c; }
# decoded: the file as UTF-8 without a byte-order mark; what is neither that nor UTF-16 stays as it is.
decoded() {
    case $(head -c 3 "$FILE" | od -An -tx1 | tr -d ' \n') in
        efbbbf) tail -c +4 "$FILE" ;;
        fffe*) tail -c +3 "$FILE" | iconv -f UTF-16LE -t UTF-8 ;;
        feff*) tail -c +3 "$FILE" | iconv -f UTF-16BE -t UTF-8 ;;
        *) cat "$FILE" ;;
    esac
}
field() { printf '%s\n' "$TEXT" | sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" | tr -d '\r' | head -n 1; }
now() {
    # TYPE:DEVICE:UUID:NAME of the active connections, Wi-Fi first. Without -e no, nmcli writes a colon as \:.
    active=$(nmcli -e no -t -f TYPE,DEVICE,UUID,NAME connection show --active 2>/dev/null | grep -E '^(802-11-wireless|802-3-ethernet):' | sort | head -n 1)
    [ -n "$active" ] || return 1
    device=$(printf '%s\n' "$active" | cut -d: -f2)
    address=$(nmcli -t -g IP4.ADDRESS device show "$device" 2>/dev/null | head -n 1 | cut -d/ -f1)
    [ -n "$address" ] || return 1
    # A connection has a name of its own, such as dicetray-wifi or preconfigured; people know the Wi-Fi's.
    ssid=$(nmcli -e no -g 802-11-wireless.ssid connection show uuid "$(printf '%s\n' "$active" | cut -d: -f3)" 2>/dev/null) || ssid=
    [ -n "$ssid" ] || ssid=$(printf '%s\n' "$active" | cut -d: -f4-)
    say "NETWORK $ssid" "NUMBER $address"
}

if [ "${1:-}" != join ]; then
    # A network that has just gone is reported; one that comes up is reported with its address.
    now || say "NETWORK NONE"
    exit 0
fi

FILE=$2/$NAME
[ -f "$FILE" ] && [ ! -L "$FILE" ] || { now || true; exit 0; }
[ "$(wc -c <"$FILE")" -le $MOST ] || { say "NETWORK FAILED" "WHY FILE TOO LONG"; exit 0; }
# UTF-16 that is cut off is no text.
TEXT=$(decoded 2>/dev/null) || { say "NETWORK FAILED" "WHY ODD CHARACTERS"; exit 0; }
network=$(field name) password=$(field password) country=$(field country)
# nmcli's editor takes some of them for commands, as the keyboard would send them.
if [ "$(decoded | tr -d '\t\r\n' | odd)" != 0 ] || [ "$(printf '%s' "$network$password" | odd)" != 0 ]; then
    say "NETWORK FAILED" "WHY ODD CHARACTERS"
    exit 0
fi
if [ -z "$network" ]; then
    say "NETWORK FAILED" "WHY NO NAME= IN $NAME"
    exit 0
fi
case $country in
    "") ;;
    [A-Z][A-Z]) ! command -v raspi-config >/dev/null || raspi-config nonint do_wifi_country "$country" >/dev/null || true ;;
    *) say "NETWORK FAILED" "WHY COUNTRY= IS TWO CAPITALS" && exit 0 ;;
esac
nmcli -t radio wifi on 2>/dev/null || true
if [ "$password" = "(taken)" ]; then
    # It was joined at an earlier start, and NetworkManager has it.
    now || say "NETWORK $network" "WHY NO CONNECTION"
    exit 0
fi
# A password of WPA is 8 to 63 bytes, or 64 hexadecimal digits. NetworkManager takes another, or does not and says
# nothing, and it never connects.
length=$(printf '%s' "$password" | wc -c)
if [ "$length" != 0 ] && [ "$length" -lt 8 ]; then
    say "NETWORK $network" "WHY PASSWORD TOO SHORT"
    exit 0
fi
if [ "$length" -gt 63 ] && ! printf '%s' "$password" | LC_ALL=C grep -qE '^[0-9a-fA-F]{64}$'; then
    say "NETWORK $network" "WHY PASSWORD TOO LONG"
    exit 0
fi
nmcli connection delete id dicetray-wifi >/dev/null 2>&1 || true
# On standard input, as all users can read the arguments of commands.
add() {
    printf '%s\n' "set connection.autoconnect yes"
    if [ -n "$password" ]; then
        # Not echo: in dash that turns a password's \n into a new line, which would be a command.
        printf '%s\n' "set 802-11-wireless-security.key-mgmt wpa-psk" "set 802-11-wireless-security.psk $password"
    fi
    printf '%s\n' "save persistent" "quit"
}
# The editor ends with status 0 even if what it saves is refused: a password that is not there is seen by this.
has_password() { [ "$(nmcli -g 802-11-wireless-security.key-mgmt connection show dicetray-wifi 2>/dev/null)" = wpa-psk ]; }
if ! nmcli connection add type wifi con-name dicetray-wifi ssid "$network" >/dev/null 2>&1 ||
    ! add | nmcli connection edit dicetray-wifi >/dev/null 2>&1 ||
    { [ -n "$password" ] && ! has_password; }; then
    say "NETWORK $network" "WHY NOT ACCEPTED"
    exit 0
fi
if why=$(nmcli -w 45 connection up dicetray-wifi 2>&1); then
    # It is right, and known now: whoever reads the card or the stick must not learn it too. One that has not
    # worked stays, to be put right.
    {
        printf '%s\n' "$TEXT" | sed 's/^\([[:space:]]*password[[:space:]]*=\)[^\r]*/\1 (taken)/' >"$FILE.new" &&
            mv "$FILE.new" "$FILE"
    } 2>/dev/null || rm -f "$FILE.new"
    now || say "NETWORK $network" "NUMBER NONE YET"
else
    case $why in
        *[Ss]ecrets* | *password*) say "NETWORK $network" "WHY WRONG PASSWORD" ;;
        *"not be found"* | *"No network with SSID"*) say "NETWORK $network" "WHY OUT OF RANGE" ;;
        *) say "NETWORK $network" "WHY NO CONNECTION" ;;
    esac
fi
