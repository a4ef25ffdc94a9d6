"""A connection to a broker, retried for ever, and everything that it should have of a tray."""

import logging
import os
import ssl
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from appliance.config.settings import MqttConfig
from appliance.errors import ConfigError, printable
from appliance.mqtt.messages import Composer, Message, discovery, message_of
from appliance.service.broadcast import listen
from vision.bounded import read_bounded

log = logging.getLogger(__name__)

MOST_BYTES = 1_000_000
"""Of a password or of all trusted certificates; Debian's have a fifth of that."""

ALIVE_S, ANSWER_S, AGAIN_S = 30, 10.0, 2.0
"""Seconds between two keep-alives; to wait for an answer; between two tries."""


def password(settings: MqttConfig) -> str | None:
    """The password from systemd's credential or else the file; OSError, ValueError if unusable."""
    handed = Path(os.environ.get("CREDENTIALS_DIRECTORY", "/nonexistent"), "mqtt-password")
    file = handed if handed.exists() else Path(settings.password_file)
    if file == Path():
        return None
    rights = file.stat().st_mode & 0o777
    # What systemd hands over is out of others' reach, whatever its permissions look like.
    if file != handed and rights & 0o077:
        raise ValueError(f"{file} with rights {rights:04o}; chmod 600 {file}")
    return read_bounded(file, MOST_BYTES).decode().rstrip("\r\n")


def client_of(settings: MqttConfig, name: str = "", *will: Message) -> Client:
    """A client with everything that brokers ask for; raises ConfigError."""
    client = Client(CallbackAPIVersion.VERSION2, name, reconnect_on_failure=False)
    # A broker that lets more messages wait counts as gone.
    client.max_queued_messages_set(10_000)
    for message in will:
        client.will_set(*message)
    try:
        client.username_pw_set(settings.user or None, password(settings))
        if any(tls for _, _, tls in settings.addresses or ()):
            trusted = None
            if settings.ca_file:
                trusted = read_bounded(Path(settings.ca_file), MOST_BYTES).decode()
            client.tls_set_context(ssl.create_default_context(cadata=trusted))
    except (OSError, ValueError) as error:
        expected = "expected a password_file with rights 0600 and a ca_file in PEM, if any"
        raise ConfigError(f"[mqtt]: {expected}, found: {error}") from error
    return client


def keep_connected(
    settings: MqttConfig, make: Callable[[], Client], work: Callable[[Client], None]
) -> None:
    """Lets each new client do its work while it is connected; logs each problem once."""
    if not settings.addresses:
        raise ConfigError("[mqtt]: expected a broker, found none", "see docs/mqtt.md")
    logged = set[str]()
    for host, port, _ in cycle(settings.addresses):
        client, answers = make(), SimpleQueue[Any]()
        client.on_connect = lambda *message_of, put=answers.put: put(message_of[3])
        try:
            client.connect(host, port, ALIVE_S)
            client.loop_start()
            if (code := answers.get(timeout=ANSWER_S)).is_failure:
                raise ConnectionRefusedError(f"refuses us: {code}")
            log.info("broker %s:%d: connected", host, port)
            logged.clear()
            work(client)
            now = "connection lost"
        except (Empty, OSError) as error:
            now = getattr(error, "strerror", None) or str(error) or "no answer"
        client.loop_stop()
        now = printable(f"broker {host}:{port}: {now}; tries again")
        if now not in logged:
            log.warning("%s", now)
        logged.add(now)
        time.sleep(AGAIN_S)


class Bridge:
    """What a broker should have of a tray: the newest of each topic, some 500 messages."""

    def __init__(self, settings: MqttConfig) -> None:
        self._settings = settings
        self._client: Client | None = None
        self._kept: dict[str, Message] = {}
        self._lock = Lock()

    def publish(self, *messages: Message) -> None:
        """Publishes messages now, or, if they are retained, once a broker is there."""
        with self._lock:
            for message in messages:
                self._kept |= {message[0]: message} if message[3] else {}
                # It may become None meanwhile.
                if (client := self._client) is not None and client.publish(*message).rc:
                    client.disconnect()

    def keep_connected(self) -> None:
        """Runs until a signal; then the last will at the broker says that the tray is gone."""
        settings, will = self._settings, message_of(self._settings, "offline", "available")
        made = partial(client_of, settings, f"{settings.prefix}-{settings.tray}", will)
        keep_connected(settings, made, self._publish_all)

    def _publish_all(self, client: Client) -> None:
        with self._lock:
            for message in self._kept.values():
                client.publish(*message)
            self._client = client
        while client.is_connected():
            time.sleep(AGAIN_S / 10)
        self._client = None

    def follow(self, path: Path, version: str) -> None:
        """Publishes what an appliance sends on a socket, for ever."""
        settings, logged = self._settings, ""
        self.publish(*([discovery(settings, version)] if settings.discovery else ()))
        while True:
            maker, now = Composer(settings, time.time), "nothing more"
            try:
                for line in listen(path):
                    self.publish(*maker.messages(line))
            except (OSError, ValueError) as error:
                now = str(error)
            if now != logged:
                log.warning("%s: expected a running appliance, found: %s; tries again", path, now)
                self.publish(message_of(settings, "offline", "available"))
            logged = now
            time.sleep(AGAIN_S)
