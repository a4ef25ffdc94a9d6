"""Runs on a Pico with the firmware's files: measures what a picture costs, in microseconds.

mpremote run tests/lab/bench_firmware.py
.venv/bin/python tests/lab/check_pico.py LAB --only bench        in the emulator
"""

import time
from time import ticks_diff, ticks_us  # type: ignore[attr-defined]

import config
import framing  # type: ignore[import-not-found]
import line  # type: ignore[import-not-found]
import max7219
from machine import SPI, Pin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def measure(name: str, function: "Callable[[], object]", count: int = 3) -> None:
    """Prints the mean time of a call."""
    start = ticks_us()
    for _ in range(count):
        function()
    print(name, ticks_diff(ticks_us(), start) / count, "us")


def main() -> None:
    """Measures everything."""
    picture = bytes([(i * 37) & 255 for i in range(framing.FRAME_BYTES)])
    frame = framing.encode(framing.FRAME, 1, picture)
    parser = framing.Parser()
    raw = bytearray(200)

    def parse() -> None:
        parser.feed(frame, 0, len(frame))

    spi = SPI(
        config.SPI_ID,
        baudrate=config.BAUDRATE,
        sck=Pin(config.PIN_SCK),
        mosi=Pin(config.PIN_MOSI),
        miso=Pin(config.PIN_MISO),
    )
    chain = max7219.Chain(spi, Pin(config.PIN_CS, Pin.OUT, value=1), config)
    port = line.Line()
    time.sleep_ms(500)  # type: ignore[attr-defined]
    measure("parse a picture's 138 bytes", parse)
    measure("CRC of 133 bytes", lambda: framing._seal(raw, 1, 134, True))
    measure("Chain.load", lambda: chain.load(picture))
    measure("Chain.show", chain.show)
    measure("Chain.refresh", chain.refresh)
    measure("Line.take, nothing there", lambda: port.take(0), 20)
    print("send bytes")
    time.sleep_ms(1500)  # type: ignore[attr-defined]
    start = ticks_us()
    count = port.take(0)
    took = ticks_diff(ticks_us(), start)
    if count:
        print("Line.take, each of", count, "bytes that are there", took / count, "us")
    print("done")


main()
