"""How this board is wired. Put what differs into a file local_config.py on the Pico.

That file is not touched by flashing; it may set any of the names below, e.g. ``ROTATION = 180``.
"""

# Pins (GP numbers) and speed of the bus; a MAX7219 takes 10 MHz, long flat cables less.
SPI_ID = 0
PIN_SCK = 18
PIN_MOSI = 19
PIN_MISO = 16
PIN_CS = 17
BAUDRATE = 2_000_000
# Connected to ground while the Pico starts: stay at the REPL, without watchdog.
PIN_SERVICE = 22

# Geometry: modules of 8x8 lights, and the order in which the Pico's data line runs through them.
COLUMNS = 8
ROWS = 2
# "rows": every row runs from the same side; "snake": every second row runs back; or a list of
# (column, row, quarter turns clockwise), one for each module from the Pico on.
ORDER = "rows"
# Modules that the chain passes before it goes to the next row; 0 is the whole width. With 4 the
# board is made of four rows of four: upper left, lower left, upper right, lower right.
STRIP = 0
START = "top-left"  # where the chain begins; or "top-right", "bottom-left", "bottom-right"
ROTATION = 0  # how far each module is turned clockwise: 0, 90, 180, 270
SNAKE_TURNS = False  # in a snake, the modules of rows that run back are turned by 180 more
MIRRORED = False  # segment lines run the other way round on the module

# Brightness 0 to 15 and what the supply can give; docs/scoreboard.md has the calculation.
BRIGHTNESS = 3
BRIGHTNESS_LIMIT = 10
CURRENT_LIMIT_MA = 320
SEGMENT_MA = 40  # peak current of a segment, set by the module's resistor
FADE_MS = 40  # the brightness rises by one step in this time

LINK_TIMEOUT_MS = 2000
REFRESH_MS = 800  # control registers and lights are written again this often
HELLO_MS = 200  # HELLO is repeated this often while nobody answers
PING_MS = 400  # PING after sending nothing for this long
SELF_TEST_MS = 300  # each picture of the self-test
BOOT_TEST_MS = 60  # the same while starting
WATCHDOG_MS = 5000  # 0: none


def _take_local() -> None:
    try:
        import local_config  # type: ignore[import-not-found]
    except ImportError:
        return
    for name in dir(local_config):
        if name in globals() and name.isupper():
            globals()[name] = getattr(local_config, name)


_take_local()
