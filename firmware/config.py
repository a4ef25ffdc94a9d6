"""How this board is wired: the defaults, then two files on the Pico that may set the names below.

layout.py says how the modules are mounted; the page MODULES at the board writes it, and
`dicetray flash --layout NAME`.
local_config.py holds the owner's own settings, such as ``CURRENT_LIMIT_MA = 3500``, and has the
last word; `dicetray flash --local-config FILE` writes it. Other flashing touches neither.
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
# The default is four FC-16 strips of four: the chain begins at the upper right, runs left and comes
# back through the lower strips, which are upside down.
COLUMNS = 8
ROWS = 2
# "rows": every row runs from the same side; "snake": every second row runs back; or a list of
# (column, row, quarter turns clockwise), one for each module from the Pico on.
ORDER = "snake"
# Modules that the chain passes before it goes to the next row; 0 is the whole width. With 4 the
# board is made of four rows of four: both rows of the half where the chain begins, then the others.
STRIP = 0
START = "top-right"  # where the chain begins; or "top-left", "bottom-left", "bottom-right"
ROTATION = 0  # how far each module is turned clockwise: 0, 90, 180, 270
SNAKE_TURNS = True  # in a snake, the modules of rows that run back are turned by 180 more
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


# Who says how the modules are mounted: the defaults above, layout.py or local_config.py.
LAYOUT_DEFAULT = 0
LAYOUT_STORED = 1
LAYOUT_OWN = 2


def _apply_settings_in(module: str) -> bool:
    """Applies the settings of a file, if it is there; whether it says how modules are mounted."""
    try:
        settings = __import__(module)
    except ImportError:
        return False
    says_layout = False
    for name in dir(settings):
        if name in globals() and name.isupper():
            globals()[name] = getattr(settings, name)
            if name in ("START", "ORDER", "SNAKE_TURNS", "STRIP", "ROTATION", "MIRRORED"):
                says_layout = True
    return says_layout


LAYOUT_FROM = LAYOUT_DEFAULT
if _apply_settings_in("layout"):
    LAYOUT_FROM = LAYOUT_STORED
if _apply_settings_in("local_config"):
    LAYOUT_FROM = LAYOUT_OWN
