"""Starts the scoreboard; the Pico runs this file after boot."""

import boots
import config
import micropython
from machine import SPI, WDT, Pin, unique_id


def main() -> None:
    """Runs the scoreboard, or returns to the REPL when that was asked for."""
    if not Pin(config.PIN_SERVICE, Pin.IN, Pin.PULL_UP).value() or boots.service_asked():
        print("dicetray: service, main.py is not running")
        return
    # From here on a byte 0x03 is data. The host sends nothing before it has heard HELLO.
    micropython.kbd_intr(-1)
    import board
    import line
    import max7219

    spi = SPI(
        config.SPI_ID,
        baudrate=config.BAUDRATE,
        sck=Pin(config.PIN_SCK),
        mosi=Pin(config.PIN_MOSI),
        miso=Pin(config.PIN_MISO),
    )
    chain = max7219.Chain(spi, Pin(config.PIN_CS, Pin.OUT, value=1), config)
    boot = boots.count_boot()
    watchdog = WDT(timeout=config.WATCHDOG_MS) if config.WATCHDOG_MS else None
    board.Board(line.Line(), chain, watchdog, config, boot, unique_id()).run()


main()
