"""A connection to a broker, retried for ever, and everything that it should have of a tray."""

import errno
import logging
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from appliance.config.password import read_password
from appliance.config.settings import MqttConfig
from appliance.errors import ConfigError, printable
from appliance.mqtt.messages import LEAST_SEATS, Composer, Message, discovery, message_of
from appliance.service.broadcast import listen
from vision.files.bounded import read_bounded

log = logging.getLogger(__name__)

CREDENTIAL = "mqtt-password"
"""The unit's name for the broker's password."""

MAX_CERTIFICATES_BYTES = 1_000_000
"""Of all trusted certificates; Debian's have a fifth of that."""

KEEP_ALIVE_S = 30
CONNECT_TIMEOUT_S = 10.0
RETRY_AFTER_S = 2.0
MAX_QUEUED_MESSAGES = 10_000
"""A broker that lets more messages wait counts as gone."""
MAX_ANSWER_BYTES = 65_536
"""Of a packet for who only publishes: brokers answer with a few bytes."""


class BoundedClient(Client):
    """A client that gives up a broker which begins to send a larger packet than it takes.

    paho-mqtt 2.2.0 has no limit: it collects whatever length a broker announces, up to 268 MB.

    Attributes:
        max_packet_bytes: the largest packet that it takes.
        refused_bytes: how much of a larger one was announced; 0 if none was.
    """

    def __init__(self, max_packet_bytes: int, name: str, version: MQTTProtocolVersion) -> None:
        super().__init__(
            CallbackAPIVersion.VERSION2, name, protocol=version, reconnect_on_failure=False
        )
        self.max_packet_bytes, self.refused_bytes = max_packet_bytes, 0
        self._ended = False

    def loop_forever(
        self, timeout: float = 1.0, retry_first_connection: bool = False
    ) -> MQTTErrorCode:
        """Works in a thread of its own until the connection ends, however it does."""
        try:
            return super().loop_forever(timeout, retry_first_connection)
        finally:
            self._ended = True

    def is_connected(self) -> bool:
        """True while it works; paho-mqtt 2.2.0 says so also after what breaks the protocol."""
        return super().is_connected() and not self._ended

    def _sock_recv(self, bufsize: int) -> bytes:
        """What paho-mqtt reads with: it asks for all that is left of a packet."""
        if bufsize > self.max_packet_bytes:
            self.refused_bytes = bufsize
            raise OSError(errno.EMSGSIZE, "packet too large")
        return super()._sock_recv(bufsize)


def make_client(
    settings: MqttConfig,
    name: str = "",
    *will: Message,
    version: MQTTProtocolVersion = MQTTProtocolVersion.MQTTv311,
    max_packet_bytes: int = MAX_ANSWER_BYTES,
) -> BoundedClient:
    """A client with everything that brokers ask for; raises ConfigError."""
    client = BoundedClient(max_packet_bytes, name, version)
    client.max_queued_messages_set(MAX_QUEUED_MESSAGES)
    for message in will:
        client.will_set(*message)
    try:
        client.username_pw_set(
            settings.user or None, read_password(CREDENTIAL, settings.password_file)
        )
        if any(tls for _, _, tls in settings.addresses or ()):
            trusted = None
            if settings.ca_file:
                trusted = read_bounded(Path(settings.ca_file), MAX_CERTIFICATES_BYTES).decode()
            client.tls_set_context(ssl.create_default_context(cadata=trusted))
    except (OSError, ValueError) as error:
        expected = "expected a password_file with rights 0600 and a ca_file in PEM, if any"
        raise ConfigError(f"[mqtt]: {expected}, found: {error}") from error
    return client


def keep_connected(
    settings: MqttConfig,
    make: Callable[..., BoundedClient],
    work: Callable[[Client], None],
    max_packet_bytes: int = 0,
) -> None:
    """Lets each new client do its work while it is connected; logs each problem once.

    With `max_packet_bytes` brokers are asked to drop larger packets instead of sending them
    (MQTT 5, 3.1.2.11.4, Maximum Packet Size). Those that refuse MQTT 5 are spoken to in 3.1.1,
    which cannot ask for that: there a larger packet ends the connection.
    """
    if not settings.addresses:
        raise ConfigError("[mqtt]: no broker is set", "see docs/mqtt.md")
    logged, refuse_mqtt5 = set[str](), set[str]()
    for host, port, _ in cycle(settings.addresses):
        limited = max_packet_bytes > 0 and host not in refuse_mqtt5
        version = MQTTProtocolVersion.MQTTv5 if limited else MQTTProtocolVersion.MQTTv311
        largest = max_packet_bytes or MAX_ANSWER_BYTES
        client, answers = make(version=version, max_packet_bytes=largest), SimpleQueue[Any]()
        client.on_connect = lambda *message_of, put=answers.put: put(message_of[3])
        try:
            limit = None
            if limited:
                limit = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
                limit.MaximumPacketSize = max_packet_bytes
            client.connect(host, port, KEEP_ALIVE_S, properties=limit)
            client.loop_start()
            if (code := answers.get(timeout=CONNECT_TIMEOUT_S)).is_failure:
                if limited and code == "Unsupported protocol version":
                    refuse_mqtt5.add(host)
                raise ConnectionRefusedError(f"refuses us: {code}")
            log.info("broker %s:%d: connected", host, port)
            logged.clear()
            work(client)
            now = "connection lost"
            if client.refused_bytes:
                now = (
                    f"expected packets of at most {client.max_packet_bytes:,} bytes, found one of "
                    f"{client.refused_bytes:,}; see message_size_limit in docs/club.md"
                )
        except (Empty, OSError) as error:
            now = getattr(error, "strerror", None) or str(error) or "no answer"
        client.loop_stop()
        now = printable(f"broker {host}:{port}: {now}; tries again")
        if now not in logged:
            log.warning("%s", now)
        logged.add(now)
        time.sleep(RETRY_AFTER_S)


class Bridge:
    """The messages that a broker should have of a tray: the newest of each topic, some 500."""

    def __init__(self, settings: MqttConfig) -> None:
        self._settings = settings
        self._client: Client | None = None
        self._retained: dict[str, Message] = {}
        self._lock = Lock()

    def publish(self, *messages: Message) -> None:
        """Publishes messages now, or, if they are retained, once a broker is there."""
        with self._lock:
            for message in messages:
                self._retained |= {message[0]: message} if message[3] else {}
                # It may become None meanwhile.
                if (client := self._client) is not None and client.publish(*message).rc:
                    client.disconnect()

    def keep_connected(self) -> None:
        """Runs until a signal; then the last will at the broker says that the tray is gone."""
        settings, will = self._settings, message_of(self._settings, "offline", "available")
        make = partial(make_client, settings, f"{settings.prefix}-{settings.tray}", will)
        keep_connected(settings, make, self._publish_all)

    def _publish_all(self, client: Client) -> None:
        birth = f"{self._settings.discovery}/status"
        if self._settings.discovery:
            client.on_message = lambda _, __, message: self._hear(message)
            client.subscribe(birth, 1)
        with self._lock:
            for message in self._retained.values():
                client.publish(*message)
            self._client = client
        while client.is_connected():
            time.sleep(RETRY_AFTER_S / 10)
        self._client = None

    def _hear(self, message: MQTTMessage) -> None:
        """Home Assistant has started: it gets the tray anew, even if it was deleted there.

        Its birth message: https://www.home-assistant.io/integrations/mqtt/#birth-and-last-will-messages
        """
        born = f"{self._settings.discovery}/status", b"online"
        # Some brokers pass on topics that are not in UTF-8.
        with suppress(UnicodeDecodeError):
            if (message.topic, bytes(message.payload)) == born:
                self._tell_anew()

    def _tell_anew(self) -> None:
        with self._lock:
            known = [m for t, m in self._retained.items() if t.endswith("/config")]
        self.publish(*known)

    def follow(self, path: Path, version: str, stop: Event, page: str = "") -> None:
        """Publishes what an appliance sends on a socket, until told to stop between two tries.

        Args:
            path: the socket.
            version: the program's.
            stop: whether that is told.
            page: address of the score page; empty for none.
        """
        settings, logged, seats = self._settings, "", LEAST_SEATS
        self.publish(*([discovery(settings, version, seats, page)] if settings.discovery else ()))
        while not stop.is_set():
            maker, now = Composer(settings, time.time), "nothing more"
            try:
                for line in listen(path):
                    self.publish(*maker.messages(line))
                    if settings.discovery and maker.seats > seats:
                        seats = maker.seats
                        self.publish(discovery(settings, version, seats, page))
            except (OSError, ValueError) as error:
                now = str(error)
            if now != logged:
                log.warning("%s: cannot read the event stream: %s; trying again", path, now)
                self.publish(message_of(settings, "offline", "available"))
            logged = now
            stop.wait(RETRY_AFTER_S)
