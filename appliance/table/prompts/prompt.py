"""The base of all prompts, and what several of them ask in the same way."""

from collections.abc import Iterator
from typing import ClassVar

from appliance.guidance import GO_BACK, SHOW_OTHERS, YES_ANOTHER, YES_NO, Guidance, guidance
from appliance.words import Label, Verbatim, say, write
from games.computers import strength_of
from games.values import Face


class Prompt:
    """A question to people: who is asked, what it is about, and what can be done.

    A kind of prompt says all of that once. The line of help, the voice and the pages of a browser
    take it from here; only what the board draws has a function for each kind, in
    `appliance.screens`.

    Attributes:
        at_leisure: whether its pages are read at leisure; others come round fast.
        only_looked_at: whether the game's own question waits behind it.
        fills_time: whether the voice says what it shows besides unasked, if there is time.
    """

    __slots__ = ()
    at_leisure: ClassVar[bool] = False
    only_looked_at: ClassVar[bool] = False
    fills_time: ClassVar[bool] = False

    def can_do(self, hands: bool = True) -> Guidance:
        """The possible acts; with `hands` SPACE throws dice; else people throw real ones."""
        return guidance("", GO_BACK)

    def told(self) -> Iterator[str]:
        """The voice's sentences on what one must know to decide, the news first."""
        yield self.can_do(hands=False).says.rstrip(" :")

    def told_besides(self) -> Iterator[str]:
        """Its sentences on all else that is shown, the most important first."""
        return iter(())

    def told_keys(self) -> Iterator[str]:
        """Its sentences on what can be done, which people soon know."""
        yield self.can_do(hands=False).at_buttons.aloud

    @property
    def occasion(self) -> tuple[object, ...]:
        """The subject: at the same one, the voice says only what has changed."""
        return (type(self),)

    @property
    def thrower(self) -> str:
        """For whom dice are to be thrown, with nothing to decide before; empty for nobody."""
        return ""

    @property
    def awaits_computer(self) -> bool:
        """True if a computer is about to go on by itself."""
        return False

    def without_what_changes(self) -> "Prompt":
        """It without what changes while the players do what it asks: the tray, news, holds."""
        return self

    @property
    def list_walked(self) -> tuple[object, ...]:
        """The list behind LEFT and RIGHT: another one has another kind, player, or title."""
        return type(self), *(getattr(self, name, "") for name in ("player", "title", "name"))

    @property
    def line_at_buttons(self) -> str:
        """The guidance in one line where dice are real, and there are buttons."""
        return self.can_do(hands=False).at_buttons.line


_ZEROS = ("zero ", "cross ")
"""How the keys of choices begin that score nothing in a box."""
TO_TURN_PAGES = ("← →|turn pages", "ENTER|next", GO_BACK)


def to_throw(player: str, dice: str, hands: bool) -> Guidance:
    """A player is to throw dice, as these are called; computers throw theirs themselves."""
    if hands and strength_of(player) is not None:
        return guidance("{player} throws {dice}", player=player, dice=dice)
    if hands:
        return guidance(Verbatim(player), "SPACE|throws {dice}", dice=dice)
    return guidance("{player}: throw {dice} into the tray", player=player, dice=dice)


def to_throw_unseen(player: str) -> Guidance:
    """A player is to throw dice that the camera cannot see."""
    return guidance("{player}: throw your dice", "ENTER|enters what they show", player=player)


def to_confirm_choice(player: str, label: str, *, zero: bool = False) -> Guidance:
    """A player has chosen what is seldom meant, such as a `zero` in a box."""
    if isinstance(label, Label) and label.key.startswith(_ZEROS):
        zero, label = True, Label(label.key.partition(" ")[2])
    asks = "{player}: really a zero for {label}?" if zero else "{player}: really {label}?"
    return guidance(asks, *YES_NO, player=player, label=write(label))


def to_confirm_die(
    die: str, proposed: Face | None, open_question: str, *keys: str | bool
) -> Guidance:
    """Asks whether a die is what is proposed or, where nothing is, what it is."""
    if proposed is None:
        return guidance(Verbatim(f"{die}: {open_question}"), SHOW_OTHERS, *keys)
    text = "is it a {face}?" if isinstance(proposed, int) else "is it {face}?"
    asks = say(text, face=say(str(proposed)))
    return guidance(Verbatim(f"{die}: {asks}"), *YES_ANOTHER, *keys)


def told_of_list(count: int) -> str:
    """The voice's sentence on what can be done in a list of this many."""
    return say("OK takes it, LEFT and RIGHT show others." if count > 1 else "OK takes it.")


def told_place(index: int, count: int) -> str:
    """The voice's sentence on the place in a list, from 0; empty in a list of one."""
    return say("{place} of {count}.", place=index + 1, count=count) if count > 1 else ""
