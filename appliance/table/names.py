"""Players' names as the board can show them."""

from collections.abc import Sequence

from appliance.errors import ConfigError

LONGEST = 8
"""Characters that fit on the board beside the roll."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .-'"
"""Characters that a name may have, in the order in which the buttons offer them."""


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names in capitals, without blanks around them.

    Raises:
        ConfigError: a name is empty, too long, doubled, or has letters that the board lacks.
    """
    checked: list[str] = []
    for name in names:
        shown = name.strip().upper()
        if not 1 <= len(shown) <= LONGEST:
            raise ConfigError(f"player {name!r}: expected 1 to {LONGEST} characters")
        wrong = sorted(set(shown) - set(LETTERS))
        if wrong:
            raise ConfigError(
                f"player {name!r}: the board cannot show {''.join(wrong)!r}; "
                "use A to Z, digits, blank, dot, dash, apostrophe"
            )
        if shown in checked:
            raise ConfigError(f"player {name!r} is named twice; give each a name of their own")
        checked.append(shown)
    return tuple(checked)
