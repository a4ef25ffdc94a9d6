#!/bin/sh
# One would guess: a message with QoS 1 over MQTT 3.1.1 that is larger than mosquitto's message_size_limit
# ends the connection, or is never acknowledged. It is acknowledged, and nobody gets it.
# Seen with mosquitto 2.0.11 of Debian 12 and paho-mqtt 2.2.0. Needs apt.
set -eu
folder=$(mktemp -d)
trap 'kill "$broker" 2>/dev/null; rm -rf "$folder"' EXIT
broker=
chmod 755 "$folder"
cd "$folder"
apt-get download --quiet "mosquitto=${MOSQUITTO:-2.0.11-1.2+deb12u2}" libwebsockets17 libcjson1 libdlt2 libev4 \
    libuv1 libwrap0 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(find "$PWD/root" -name 'lib*.so.*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
printf 'listener 18923 127.0.0.1\nallow_anonymous true\nmessage_size_limit 1000\n' >broker.conf
root/usr/sbin/mosquitto -c broker.conf >log 2>&1 &
broker=$!
python3 -m venv venv
venv/bin/pip install --quiet "paho-mqtt==${PAHO:-2.2.0}"
venv/bin/python - <<'PYTHON'
import sys
import time

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

got, ends = [], []
client = Client(CallbackAPIVersion.VERSION2)
client.on_message = lambda _, __, message: got.append(len(message.payload))
client.on_disconnect = lambda *_: ends.append("ended")
client.connect("127.0.0.1", 18923)
client.loop_start()
client.subscribe("#", 1)
time.sleep(1)
sent = [client.publish("topic", b"x" * size, 1) for size in (5000, 10)]
time.sleep(2)
print("acknowledged", [one.is_published() for one in sent], "received", got, *ends)
sys.exit(([one.is_published() for one in sent], got, ends) != ([True, True], [10], []))
PYTHON
