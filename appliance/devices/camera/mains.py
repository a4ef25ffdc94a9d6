"""How often lamps on the mains flicker where this computer is.

Lamps brighten twice in each period. An exposure of whole half periods gets the same light in every
picture and every row; a shorter or other one shows bands, which move. Source of the frequencies:
IEC, World Plugs (https://www.iec.ch/world-plugs).
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

_SIXTY = re.compile(
    r"(America|US|Canada|Mexico|Brazil)/"
    r"|Asia/(Seoul|Taipei|Manila|Riyadh)$"
    r"|Pacific/(Honolulu|Guam|Saipan|Pago_Pago|Palau|Majuro|Kwajalein|Chuuk|Pohnpei|Kosrae)$"
)
_FIFTY_IN_AMERICA = re.compile(
    r"America/(Argentina/.*|Buenos_Aires|Cordoba|Mendoza|Santiago|Punta_Arenas|Coyhaique|La_Paz"
    r"|Asuncion|Montevideo|Jamaica|Martinique|Guadeloupe|Cayenne|Barbados|Dominica|Grenada"
    r"|St_Lucia|St_Vincent|Curacao|Nuuk|Godthab|Danmarkshavn|Scoresbysund|Thule)$"
)
LINK = Path("/etc/localtime")
"""A link into the database of time zones (localtime(5))."""


def mains_hz(environment: Mapping[str, str] = os.environ, link: Path = LINK) -> int:
    """50 or 60, by the time zone; 50, which most of the world has, where it is not known.

    In Japan both are used, west and east of Fuji: there it is 50.
    """
    zone = environment.get("TZ", "").removeprefix(":")
    if not zone:
        try:
            zone = str(link.readlink()).rpartition("zoneinfo/")[2]
        except OSError:
            zone = ""
    return 60 if _SIXTY.match(zone) and not _FIFTY_IN_AMERICA.match(zone) else 50


def whole_half_periods(exposure: float, hz: int) -> float:
    """An exposure that gets all lamps' light, in units of 100 microseconds, as near as possible.

    One shorter than a half period stays as it is: there is so much light that no lamp matters.
    """
    half = 10_000 / (2 * hz)
    return exposure if exposure < 0.75 * half else max(1, round(exposure / half)) * half
