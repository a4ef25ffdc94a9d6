"""A connection to a broker that sends what no broker should."""

import socket
import time
from threading import Event, Thread
from typing import Any

import pytest
from paho.mqtt.client import Client

from appliance.config.settings import MqttConfig
from appliance.mqtt import broker
from tests.proofs.soak.hostile import length_of, published

PATIENCE_S = 30.0


class Seen(Exception):
    """Ends what would go on for ever."""


@pytest.mark.parametrize("excess", [-1, 0, 1, 200_000_000])
def test_a_broker_is_left_when_it_begins_to_send_too_much(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, excess: int
) -> None:
    monkeypatch.setattr(broker, "RETRY_AFTER_S", 0.0)
    announced = broker.MAX_ANSWER_BYTES + excess
    connections, lost = list[broker.BoundedClient](), Event()

    def send() -> None:
        """Accepts, and sends no more than the beginning of a packet."""
        connection, _ = listening.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(bytes((0x20, 2, 0, 0)))
            connection.sendall(bytes((0x30,)) + length_of(announced) + b"\0\1t" + b"x" * 500)

    def make(**options: Any) -> broker.BoundedClient:
        if connections:
            raise Seen
        connections.append(broker.make_client(settings, **options))
        connections[0].on_disconnect = lambda *_: lost.set()
        return connections[0]

    def work(_: Client) -> None:
        assert lost.wait(PATIENCE_S)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        sending = Thread(target=send)
        sending.start()
        settings = MqttConfig(broker=f"mqtt://127.0.0.1:{listening.getsockname()[1]}")
        with pytest.raises(Seen):
            broker.keep_connected(settings, make, work)
        sending.join()
    too_much = excess > 0
    assert connections[0].refused_bytes == (announced if too_much else 0)
    said = f"expected packets of at most 65,536 bytes, found one of {announced:,}"
    assert (said in caplog.text) is too_much
    assert ("connection lost" in caplog.text) is not too_much


WELCOME = bytes((0x20, 2, 0, 0))


def speaks(
    listening: socket.socket, data: bytes, over: Event, *, subscribed: bool = False
) -> Thread:
    """A broker that welcomes one, sends this, and never hangs up until all is over.

    It may wait until somebody subscribes.
    """

    def speak() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(WELCOME)
            if subscribed:
                connection.recv(1000)
            connection.sendall(data)
            over.wait()

    thread = Thread(target=speak)
    thread.start()
    return thread


@pytest.mark.parametrize(
    "packet",
    [
        pytest.param(bytes((0x00, 0)), id="no such packet"),
        pytest.param(bytes((0x30, 2, 0, 9)), id="a topic that is cut"),
        pytest.param(bytes((0x40, 1, 0)), id="an acknowledgement that is cut"),
    ],
)
def test_a_broker_that_breaks_the_protocol_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, packet: bytes
) -> None:
    monkeypatch.setattr(broker, "RETRY_AFTER_S", 0.0)
    tried, over = list[Client](), Event()

    def make(**options: Any) -> broker.BoundedClient:
        if tried:
            raise Seen
        made = broker.make_client(settings, **options)
        tried.append(made)
        return made

    def work(client: Client) -> None:
        """As those do that publish or listen."""
        until_s = time.monotonic() + PATIENCE_S
        while client.is_connected():
            assert time.monotonic() < until_s
            time.sleep(0.01)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        settings = MqttConfig(broker=f"mqtt://127.0.0.1:{listening.getsockname()[1]}")
        thread = speaks(listening, packet, over)
        try:
            with pytest.raises(Seen):
                broker.keep_connected(settings, make, work)
        finally:
            over.set()
            thread.join()


def test_a_topic_that_is_no_text_does_not_end_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    over, heard = Event(), list[str]()

    class Listening(broker.Bridge):
        def _tell_anew(self) -> None:
            heard.append("online")
            over.set()

    def come_again(**options: Any) -> broker.BoundedClient:
        if heard:
            raise Seen
        return broker.make_client(settings, **options)

    monkeypatch.setattr(broker, "RETRY_AFTER_S", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        settings = MqttConfig(
            broker=f"mqtt://127.0.0.1:{listening.getsockname()[1]}", discovery="homeassistant"
        )
        data = published(b"\xff\xfe", b"online") + published(b"homeassistant/status", b"online")
        thread = speaks(listening, data, over, subscribed=True)
        try:
            with pytest.raises(Seen):
                broker.keep_connected(settings, come_again, Listening(settings)._publish_all)
        finally:
            over.set()
            thread.join()
