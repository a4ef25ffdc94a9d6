"""The power budget, from the settings of the scoreboard's firmware."""

from types import ModuleType

from appliance.picture import HEIGHT, WIDTH

MAX7219_MA = 8.0
"""Supply current without lights: data sheet, table 1."""
PICO_MA = 30.0
BUTTON_LIGHT_MA = 4.0
USB_PORT_MA = 500.0
SUPPLY_MA = 4000.0
BRIGHT_LIMIT_MA = 3500
"""The value of `CURRENT_LIMIT_MA` with a 5 V supply of 4 A."""
USUAL_LIGHTS = 200


def lights_ma(lights: int, brightness: int, segment_ma: float) -> float:
    """Mean current of lights: one line of eight is lit at a time, with a duty in odd 32nds."""
    return lights * segment_ma / 8 * (2 * brightness + 1) / 32


def brightest(lights: int, limit_ma: float, segment_ma: float, highest: int) -> int:
    """The highest brightness at which lights stay within a limit; -1 if they never do."""
    fitting = [b for b in range(highest + 1) if lights_ma(lights, b, segment_ma) <= limit_ma]
    return max(fitting, default=-1)


def chips_ma() -> float:
    """Current of all MAX7219."""
    return MAX7219_MA * (WIDTH // 8) * (HEIGHT // 8)


def scoreboard_ma(limit_ma: float) -> float:
    """Maximum current of the scoreboard: lights, chips, Pico."""
    return limit_ma + chips_ma() + PICO_MA


def section(board: ModuleType, button_lights: int) -> str:
    """The budget, and two worked examples."""
    limit, segment, highest = board.CURRENT_LIMIT_MA, board.SEGMENT_MA, board.BRIGHTNESS_LIMIT
    every = WIDTH * HEIGHT
    usual, all_lit = (
        [brightest(lights, at, segment, highest) for at in (limit, BRIGHT_LIMIT_MA)]
        for lights in (USUAL_LIGHTS, every)
    )
    with_supply = BRIGHT_LIMIT_MA + chips_ma()
    amperes = f"{SUPPLY_MA / 1000:g} A"
    return f"""- **Standard: one supply for all but the ring.** The scoreboard takes
  {scoreboard_ma(limit):.0f} of the {USB_PORT_MA:.0f} mA of a USB port: lights {limit}
  (`CURRENT_LIMIT_MA`), chips {chips_ma():.0f}, Pico {PICO_MA:.0f}. The Pico's VBUS
  feeds the modules. A usual screen ({USUAL_LIGHTS} lights) gets
  brightness {usual[0]}, all {every} lights {all_lit[0]}. The Pi's own
  supply (Pi 4: 3 A, Pi 5: 5 A, Zero 2 W: 2.5 A) covers it all. The buttons'
  lights take {button_lights * BUTTON_LIGHT_MA:.0f} mA from the Pi's pins.
- **Best: a second supply of {amperes} for the modules**, `CURRENT_LIMIT_MA = {BRIGHT_LIMIT_MA}` in
  [your own settings](scoreboard.md#your-own-settings).
  Lights and chips take {with_supply:.0f} of {SUPPLY_MA:.0f} mA; the Pico stays on USB. A usual
  screen gets brightness {usual[1]} (the highest allowed), all lights {all_lit[1]}.
- **The ring**: a 12 V ring of 5 W takes 0.42 A, so a 1 A supply is enough; it shares no wire."""
