"""A connection to a broker that sends what no broker should."""

import socket
from threading import Event, Thread
from typing import Any

import pytest
from paho.mqtt.client import Client

from appliance.config.settings import MqttConfig
from appliance.mqtt import broker
from tests.proofs.soak.hostile import length_of

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
