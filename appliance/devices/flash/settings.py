"""The settings on a Pico, asked of the firmware's own code there."""

import ast
import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from appliance.devices.flash import layouts
from appliance.devices.flash.layouts import Layout, Wiring
from appliance.devices.flash.package import LOCAL_CONFIG_FILE
from appliance.errors import FirmwareError

# Modules that an earlier program of the same session has loaded are loaded anew.
PROGRAM = f"""
import sys
for n in ('config', 'layout', 'local_config', 'max7219'):
    sys.modules.pop(n, None)
try:
    import local_config as m
    own = {{n: getattr(m, n) for n in dir(m) if n.isupper()}}
    plain = (int, str, list, tuple)
    print('dicetray own', {{n: v for n, v in own.items() if isinstance(v, plain)}})
except ImportError:
    pass
except Exception as e:
    print('dicetray error {LOCAL_CONFIG_FILE}:', repr(e))
try:
    import config as m, max7219
    print('dicetray settings', {{n: getattr(m, n) for n in {layouts.LAYOUT_SETTINGS!r}}})
    print('dicetray wiring', (max7219.chain_places(m), bool(m.MIRRORED)))
except Exception as e:
    print('dicetray error', repr(e))
"""
"""For MicroPython on the Pico; prints what `Settings.from_output` reads."""

_MAX_SAID = 60
"""Letters of what a Pico says that an error quotes."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings on a Pico.

    Attributes:
        own: what the owner's local_config.py sets.
        layout: the settings that make a layout, wherever they come from; empty without a firmware.
        wiring: what the firmware makes of them; None if it cannot, or there is no firmware.
        error: why not.
    """

    own: Mapping[str, object] = field(default_factory=dict)
    layout: Mapping[str, object] = field(default_factory=dict)
    wiring: Wiring | None = None
    error: str = ""

    @classmethod
    def from_output(cls, said: str) -> "Settings":
        """Reads what `PROGRAM` printed."""
        lines = dict(re.findall(r"^dicetray (own|settings|wiring) (.*?)\s*$", said, re.MULTILINE))
        errors = re.findall(r"^dicetray error (.*?)\s*$", said, re.MULTILINE)
        values = {name: _literal(line) for name, line in lines.items()}
        wiring = _wiring(values.get("wiring"))
        if wiring is None and "wiring" in lines and not errors:
            errors = [f"of its wiring {lines['wiring'][:_MAX_SAID]}"]
        return cls(
            own=_settings(values.get("own")),
            layout=_settings(values.get("settings")),
            wiring=wiring,
            error=errors[0] if errors else "",
        )

    def check_room_for(self, layout: Layout) -> None:
        """Checks that the owner's own settings do not overrule a layout.

        Raises:
            FirmwareError: they do.
        """
        wanted = layout.settings()
        if all(self.own.get(name, value) == value for name, value in wanted.items()):
            return
        raise FirmwareError(
            f"expected a Pico on which nothing overrules the layout {layout.name}, its "
            f"{LOCAL_CONFIG_FILE} sets {as_text(self.own)}",
            "nothing was changed: put the lines that are to stay into a file and give it, too: "
            "--local-config FILE",
        )

    def check(self, layout: Layout | None) -> Wiring:
        """The wiring that the board will make of its settings.

        Raises:
            FirmwareError: the firmware cannot use them, or they are not those of `layout`.
        """
        if self.wiring is None:
            raise FirmwareError(
                f"expected settings that the firmware can use, the Pico says {self.error}",
                "the scoreboard waits to be flashed again, with --layout NAME, or with "
                f"--local-config FILE for another {LOCAL_CONFIG_FILE}",
            )
        if layout is not None and self.wiring != layout.wiring():
            raise FirmwareError(
                f"expected the layout {layout.name}, the Pico's settings make {self.name()}",
                f"flash again with a {LOCAL_CONFIG_FILE} that leaves "
                f"{', '.join(layouts.LAYOUT_SETTINGS)} out (--local-config FILE); firmware before "
                "1.0.0 knows no --layout",
            )
        return self.wiring

    def name(self) -> str:
        """The layout's name, or the settings that make it."""
        name = layouts.name_of(self.wiring) if self.wiring else ""
        return name or as_text(self.layout)


def as_text(settings: Mapping[str, object]) -> str:
    """Settings as they stand in a file, in one line."""
    return "; ".join(f"{name} = {value!r}" for name, value in sorted(settings.items()))


def _literal(text: str) -> object:
    """The value of a literal of Python; None for anything else, as an owner's list may hold."""
    with contextlib.suppress(ValueError, SyntaxError, MemoryError, RecursionError):
        return ast.literal_eval(text)
    return None


def _settings(value: object) -> Mapping[str, object]:
    """Values by name; empty for anything else."""
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        return {}
    return value


def _wiring(value: object) -> Wiring | None:
    """What the firmware makes of its settings; None where that is no wiring, or an empty one."""
    found = list[tuple[int, int, int]]()
    match value:
        case ([*places], bool(mirrored)):
            for place in places:
                match place:
                    case (int(column), int(row), int(turns)):
                        found.append((column, row, turns))
                    case _:
                        return None
            return Wiring(tuple(found), mirrored) if found else None
    return None
