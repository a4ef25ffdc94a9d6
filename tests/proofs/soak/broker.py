"""A real broker and the real `dicetray mqtt` beside the appliance; the broker may go and return."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import takewhile
from operator import eq
from pathlib import Path
from random import Random
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.paths import ROOT
from tests.proofs.soak.hostile import HostileBroker
from tests.rigs.mosquitto import Mosquitto

_TRAY = "dicetray/tray-1"
_PATIENCE_S = 60.0


class Broker:
    """Mosquitto, what tells it of the appliance, and somebody who listens.

    Args:
        folder: where the appliance's event stream is. Beside it is a folder of their own: what a
            broker keeps is not the appliance's.
    """

    def __init__(self, folder: Path) -> None:
        own = folder.parent / "mqtt"
        own.mkdir(exist_ok=True)
        # What docs/club.md asks for: of more lines than a thousand it would drop the others.
        self._mosquitto = Mosquitto(own, "allow_anonymous true", "max_queued_messages 100000")
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
        self._heard = 0
        self._listener: Client | None = None
        self._hostile: HostileBroker | None = None

    def stop(self, *, kill: bool) -> None:
        """Stops the broker, cleanly or not."""
        self.hang_up()
        self._mosquitto.stop(kill=kill)

    def turn_hostile(self, chance: Random, game: int) -> None:
        """Puts a hostile broker in its place; the real one will come back with rubbish.

        Args:
            chance: draws what it sends.
            game: the one that is played.
        """
        self.hang_up()
        rubbish = json.dumps({"game": game, "number": 1, "text": "rubbish"}).encode()
        client = self._connect()
        for topic in ("log/1", "log/2", "state", "available", f"ended/{game}", "no/such/topic"):
            payload = chance.choice((rubbish, b"\xff{", b""))
            client.publish(f"{_TRAY}/{topic}", payload, 1, True).wait_for_publish(_PATIENCE_S)
        client.disconnect()
        client.loop_stop()
        self._mosquitto.stop()
        self._hostile = HostileBroker(self._mosquitto.port, chance)

    def _connect(self) -> Client:
        client = Client(CallbackAPIVersion.VERSION2)
        client.connect("127.0.0.1", self._mosquitto.port)
        client.loop_start()
        return client

    def start(self) -> None:
        """Starts it again, and listens anew."""
        if self._hostile is not None:
            self._hostile.close()
            self._hostile = None
        self._mosquitto.start()
        self._heard = 0
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
        kept = [self._kept.get(f"{_TRAY}/log/{n}") for n in range(1, len(lines) + 2)]
        told = [event for text in kept if text and (event := _event(text))]
        known = [event["text"] for event in told if event["game"] == game]
        if known == list(lines):
            return ""
        same = sum(1 for _ in takewhile(bool, map(eq, known, lines)))
        return (
            f"of game {game} it has {len(known)} of {len(lines)} lines, {same} of them right, then "
            f"{known[same : same + 2]} for {lines[same : same + 2]}, in {len(self._kept)} topics, "
            f"{self._heard} messages; {'alive' if self.runs else 'dead'}: {self._last_words()}"
        )

    def _last_words(self) -> str:
        return " ".join(self._said.read_text("utf-8", "replace").splitlines()[-2:])

    @property
    def harmed(self) -> int:
        """How often somebody came to the hostile broker that is in its place."""
        return self._hostile.met if self._hostile is not None else 0

    @property
    def most_bytes(self) -> int:
        """The most memory that what tells it of the appliance has had."""
        status = Path(f"/proc/{self._bridge.pid}/status").read_text("utf-8")
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])

    def close(self) -> None:
        """Ends all."""
        self._bridge.kill()
        self._bridge.wait()
        if self._hostile is not None:
            self._hostile.close()
        self.stop(kill=True)

    def _hear(self, _: Client, __: object, message: MQTTMessage) -> None:
        self._heard += 1
        self._kept[message.topic] = message.payload.decode("utf-8", "replace")

    def hang_up(self) -> None:
        """Listens no longer, and forgets what was heard: a game has thousands of lines."""
        if self._listener is not None:
            self._listener.disconnect()
            self._listener.loop_stop()
            self._listener = None
        self._kept.clear()


def _event(text: str) -> Any:
    """What a line says; None for rubbish."""
    try:
        return json.loads(text)
    except ValueError:
        return None
