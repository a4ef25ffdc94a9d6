"""A real broker and the real `dicetray mqtt` beside the appliance; the broker may go and return."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import takewhile
from operator import eq
from pathlib import Path

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.paths import ROOT
from tests.rigs.mosquitto import Mosquitto


class Broker:
    """Mosquitto, what tells it of the appliance, and somebody who listens.

    Args:
        folder: where the appliance's event stream is.
    """

    def __init__(self, folder: Path) -> None:
        own = folder / "mqtt"
        own.mkdir(exist_ok=True)
        self._mosquitto = Mosquitto(own)
        file = own / "dicetray.toml"
        file.write_text(f'[mqtt]\nbroker = "{self._mosquitto.url}"\n', encoding="utf-8")
        self._said = own / "bridge.log"
        command = (sys.executable, "-m", "appliance.cli.program", "mqtt", "--config", str(file))
        with self._said.open("wb") as said:
            self._bridge = subprocess.Popen(
                command,
                stderr=said,
                env=os.environ | {"RUNTIME_DIRECTORY": str(folder)},
                cwd=ROOT,
            )
        self._kept: dict[str, str] = {}
        self._listener: Client | None = None

    def stop(self, *, kill: bool) -> None:
        """Stops the broker, cleanly or not."""
        self._hang_up()
        self._mosquitto.stop(kill=kill)

    def start(self) -> None:
        """Starts it again, and listens anew."""
        self._mosquitto.start()
        self._kept.clear()
        self._listener = Client(CallbackAPIVersion.VERSION2)
        self._listener.on_message = self._hear
        self._listener.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._listener.connect("127.0.0.1", self._mosquitto.port)
        self._listener.loop_start()

    @property
    def runs(self) -> bool:
        """True while what tells it of the appliance is alive."""
        return self._bridge.poll() is None

    def lacks(self, game: int, lines: Sequence[str]) -> str:
        """What of a game's log it does not keep; empty if nothing.

        What is left of earlier games does not count.
        """
        kept = [self._kept.get(f"dicetray/tray-1/log/{n}") for n in range(1, len(lines) + 2)]
        told = [json.loads(text) for text in kept if text]
        known = [event["text"] for event in told if event["game"] == game]
        if known == list(lines):
            return ""
        same = sum(1 for _ in takewhile(bool, map(eq, known, lines)))
        return (
            f"of game {game} it has {len(known)} of {len(lines)} lines, {same} of them right, in "
            f"{len(self._kept)} topics; {'alive' if self.runs else 'dead'}: {self._last_words()}"
        )

    def _last_words(self) -> str:
        return " ".join(self._said.read_text("utf-8", "replace").splitlines()[-2:])

    def close(self) -> None:
        """Ends all three."""
        self._bridge.kill()
        self._bridge.wait()
        self.stop(kill=True)

    def _hear(self, _: Client, __: object, message: MQTTMessage) -> None:
        self._kept[message.topic] = message.payload.decode()

    def _hang_up(self) -> None:
        if self._listener is not None:
            self._listener.disconnect()
            self._listener.loop_stop()
            self._listener = None
