"""The line of plain words on what people can do now, with the keys for it, for screens with text.

from appliance.guidance import guidance

print(guidance("{player}", "SPACE|rolls again", player="ANNA").line)
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from appliance.inputs import Key
from appliance.words import say


@dataclass(frozen=True, slots=True)
class KeyAction:
    """A key and what it does now, such as `Key.SPACE`, "SPACE", "rolls again".

    Programs compare `key`, which is None for what no key does. The name and what it does are in the
    chosen language, as is `label`: what a button says that does the same.
    """

    key: Key | None
    name: str
    does: str
    label: str = ""


KEY_BY_NAME: Mapping[str, Key] = {
    "SPACE": Key.SPACE,
    "ENTER": Key.ENTER,
    "BACKSPACE": Key.BACKSPACE,
    "← →": Key.ARROWS,
    "← → ↑ ↓": Key.ARROWS,
    "1 2": Key.NUMBERS,
    "1-6": Key.NUMBERS,
    "1-{count}": Key.NUMBERS,
    "letters": Key.LETTERS,
    "b": Key.BACK,
    "h": Key.HINT,
    "m": Key.MENU,
    "p": Key.PEEK,
    "q": Key.QUIT,
    "s": Key.SHOW,
}
"""The keys by the names that they have in the English texts."""
BUTTON_BY_KEY: Mapping[Key, str] = {
    Key.ENTER: "OK",
    Key.BACKSPACE: "BACK",
    Key.BACK: "BACK",
    Key.ARROWS: "LEFT RIGHT",
}
"""The button that replaces a key where there are buttons."""
LABEL_BY_KEY_TEXT: Mapping[str, str] = {
    "SPACE|throws {dice}": "Roll {dice}",
    "SPACE|throws a die": "Roll a die",
    "SPACE|throws again": "Roll again",
    "SPACE|rolls again": "Roll all again",
    "SPACE|throws": "Roll",
    "SPACE|throws all dice": "Roll all dice",
    "SPACE|empties the tray": "Empty the tray",
    "SPACE|puts it in the tray": "Put it in the tray",
    "SPACE|puts dice in the holder": "Put dice in the holder",
    "SPACE|puts the card there, or takes it away": "Put the card there, or take it away",
    "ENTER|asks for another": "Another game",
    "ENTER|begins a game": "Begin a game",
    "ENTER|chooses": "Choose",
    "ENTER|chooses {label}": "{label}",
    "ENTER|continues": "Continue",
    "ENTER|counts it as {label}": "Count it as {label}",
    "ENTER|enters what they show": "Enter what they show",
    "ENTER|finishes": "Finish",
    "ENTER|follows the hint": "Follow the hint",
    "ENTER|goes back": "Go back",
    "ENTER|goes on, and asks what is missing": "Go on",
    "ENTER|looks closer": "Look closer",
    "ENTER|next": "Next",
    "ENTER|ok": "OK",
    "ENTER|OK": "OK",
    "ENTER|passes": "Pass",
    "ENTER|pays out the pot": "Pay out the pot",
    "ENTER|scores": "See all boxes",
    "ENTER|skips the wait": "Skip the wait",
    "ENTER|takes it": "Take it",
    "ENTER|takes the name": "Save the name",
    "ENTER|takes {letter}": "Take {letter}",
    "ENTER|yes": "Yes",
    "BACKSPACE|deletes": "Delete",
    "b|another camera": "Another camera",
    "b|ends it": "End it",
    "b|goes back": "Go back",
    "b|looks again": "Look again",
    "b|no": "No",
    "b|takes the throw back": "Take the throw back",
    "h|points at the floor's corners": "Point at the floor's corners",
    "m|games and names": "Games and names",
    "m|menu": "Menu",
    "p|shows your own dice": "Own dice",
    "q|leaves": "Close",
    "s|puts your own dice in the tray": "Put your own dice in the tray",
}
"""What a button says that does what a key does, by the English text of the key."""
_KEYS_WITHOUT_BUTTON = frozenset({Key.MENU, Key.QUIT, Key.LETTERS})


@dataclass(frozen=True, slots=True)
class Guidance:
    """Guidance for the moment: whose turn it is, or what is asked, and the keys for it."""

    says: str = ""
    keys: tuple[KeyAction, ...] = ()

    @property
    def line(self) -> str:
        """All of it in a line: "ANNA: 1-5 hold, SPACE rolls again, ENTER scores"."""
        does = ", ".join(f"{key.name} {key.does}" for key in self.keys)
        between = ". " if ": " in self.says else ": "
        if self.says.endswith(("?", ".", " ")):
            between = " "
        return between.join(part for part in (self.says.rstrip(), does) if part)

    @property
    def aloud(self) -> str:
        """The keys and what they do in a sentence, for a voice; empty if there are none."""
        arrows = say("LEFT and RIGHT")
        named = ((arrows if key.key is Key.ARROWS else key.name, key.does) for key in self.keys)
        return ", ".join(f"{name} {does}" for name, does in named)

    @property
    def at_buttons(self) -> "Guidance":
        """Guidance for where there are buttons and no keyboard."""
        named = {key: say(button) for key, button in BUTTON_BY_KEY.items()}
        keys = (
            replace(k, name=k.name if k.key is None else named.get(k.key, k.name))
            for k in self.keys
            if k.key not in _KEYS_WITHOUT_BUTTON
        )
        return Guidance(self.says, tuple(keys))

    @property
    def under_a_notice(self) -> "Guidance":
        """Guidance while a notice lies over it: dice can be thrown, a button takes that away."""
        buttons = {*BUTTON_BY_KEY, Key.NUMBERS}
        kept = (key for key in self.keys if key.key not in buttons)
        return Guidance(self.says, (*kept, *guidance("", "ENTER|continues").keys))


GO_BACK = "b|goes back"
SHOW_OTHERS = "← →|show others"
YES_NO = ("ENTER|yes", "b|no")
YES_ANOTHER = ("ENTER|yes", "← →|another")
"""Keys with what they do, as `guidance` takes them."""


def guidance(says: str, *keys: str | bool, **values: object) -> Guidance:
    """The guidance, with keys such as "SPACE|rolls again"; False leaves one out.

    Texts are in the chosen language, their placeholders filled with the values. Which key is meant
    follows from its name in English.
    """
    done = []
    for text in keys:
        if isinstance(text, str):
            name, does = say(text, **values).split("|")
            key = KEY_BY_NAME.get(text.partition("|")[0])
            label = say(LABEL_BY_KEY_TEXT.get(text, ""), **values)
            done.append(KeyAction(key, name, does, label))
    return Guidance(say(says, **values).lstrip(), tuple(done))
