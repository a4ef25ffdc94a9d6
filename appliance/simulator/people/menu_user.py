"""A person who sets up a game at the board: reads what it shows and presses buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from appliance.inputs import Button
from appliance.simulator.people.ports import Pressing
from appliance.table.menu.name_entry import LETTER_RING, NAME_END, Entry, accents_of
from appliance.table.menu.new_game import NEW_NAME
from appliance.table.menu.prompting import ListPrompt, NamePrompt, QuestionPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.words import Label
from games.registry import GAMES


@dataclass(frozen=True, slots=True)
class Wishes:
    """This person's wishes, in the words of the board.

    Attributes:
        game: the game's title.
        names: the players in seat order.
        first: who begins, a name or ROLL-OFF.
        rules: the wanted value of each house rule, by its title; others stay as shown.
        menu: what is wanted in the menu.
    """

    game: str
    names: tuple[str, ...]
    first: str = "ROLL-OFF"
    rules: Mapping[str, str] = field(default_factory=dict)
    menu: str = "NEW GAME"


def next_menu_press(prompt: Prompt, wishes: Wishes) -> Button | None:
    """The button to press next for what the board shows; None if there is nothing to press."""
    match prompt:
        case ListPrompt(title=title, lines=lines):
            wanted = _wanted_line(title, wishes)
            shown = " ".join(lines)
            found = wanted in (None, shown) or (title.startswith("PLAYER") and shown == NEW_NAME)
            return Button.OK if found else Button.RIGHT
        case NamePrompt(seat=seat, entry=entry):
            return _press_towards_letter(entry, wishes.names[seat])
        case QuestionPrompt():
            return Button.OK
        case _:
            return None


def _wanted_line(title: str, wishes: Wishes) -> str | None:
    asked = title.removesuffix("?")
    options = (words for game in GAMES.values() for words in game.option_words.values())
    if asked in {Label(words.title) for words in options if words.seat}:
        return wishes.first
    if asked.startswith("PLAYER "):
        return wishes.names[int(asked.removeprefix("PLAYER ")) - 1]
    count = len(wishes.names)
    known = {
        "MENU": wishes.menu,
        "WHICH GAME": wishes.game,
        "WHO PLAYS": " ".join(wishes.names),
        # Whoever has wishes has names.
        "NO NAMES YET": NEW_NAME,
        "HOW MANY": f"{count} PLAYER{'S' if count > 1 else ''}",
    }
    return known.get(asked, wishes.rules.get(asked))


def _press_towards_letter(entry: Entry, name: str) -> Button:
    """The button on the shortest way to the next letter; BACK after a slip."""
    if not name.startswith(entry.text):
        return Button.BACK
    wanted = name[len(entry.text)] if len(entry.text) < len(name) else NAME_END
    place, turned = (LETTER_RING.index(accents_of(letter)[0]) for letter in (wanted, entry.letter))
    steps = (place - turned) % len(LETTER_RING)
    if not steps:
        return Button.OK if entry.letter == wanted else Button.HOLD1
    return Button.RIGHT if steps <= len(LETTER_RING) // 2 else Button.LEFT


class MenuUser:
    """Presses what `next_menu_press` says.

    Args:
        buttons: to be pressed.
        wishes: what the person wants.
        think_s: seconds between presses, in the frames' time.
        before: what is wanted in the menu before that, one after another.
    """

    def __init__(
        self, buttons: Pressing, wishes: Wishes, think_s: float = 0.3, before: Sequence[str] = ()
    ) -> None:
        self._buttons = buttons
        self._wishes = wishes
        self._think_s = think_s
        self._menu_wishes_before = list(before)
        self._next_s = 0.0

    def act(self, prompt: Prompt, time_s: float) -> bool:
        """Presses a button, if there is one to press and it is time; False if there is none."""
        first = self._menu_wishes_before[:1]
        wishes = replace(self._wishes, menu=first[0]) if first else self._wishes
        button = next_menu_press(prompt, wishes)
        if button is None:
            return False
        if time_s >= self._next_s:
            self._next_s = time_s + self._think_s
            self._buttons.press(button)
            if first and button is Button.OK:
                self._menu_wishes_before.pop(0)
        return True
