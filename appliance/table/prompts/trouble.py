"""Prompts about what the appliance cannot make out, and about what contradicts the game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from appliance.guidance import GO_BACK, YES_NO, Guidance, guidance
from appliance.table.prompts.prompt import Prompt, to_confirm_die
from appliance.table.prompts.turn import Dice
from appliance.table.prompts.wording import (
    count_of_dice,
    die_in_words,
    name_in_words,
    row_in_words,
    told_dice,
)
from appliance.table.session.matching import Why
from appliance.words import Label, Verbatim, say
from games.values import Face
from vision.reading import DieState

_WHY_UNREAD: Mapping[DieState | None, str] = {
    DieState.UNSURE: "{name} is hard to read",
    DieState.LEANING: "{name} leans",
    DieState.STACKED: "{name} is stacked",
    DieState.COVERED: "{name} is hidden",
}
_WHY_ODD: Mapping[Why, str] = {
    Why.LAZY: "{name} was not thrown. Does this count as it lies?",
    Why.HELD: "{name} was held and is not where it lay. Does this count as it lies?",
    Why.CHANGED: "{name} shows another face than before. Does this count as it lies?",
}


@dataclass(frozen=True, slots=True)
class FacePrompt(Prompt):
    """Asks which face a die shows: LEFT and RIGHT change it, OK accepts, or it is thrown again.

    Attributes:
        name: the die, as the board calls it.
        index: its position in `dice`.
        face: the one proposed; None where nobody has proposed one.
        state: how it was read; None when a die on record is being corrected.
        dice: the other dice of the throw; None for those not known yet.
        aside: whether it lies outside the tray.
        turned: the face on record, if the die was turned by mistake; otherwise None.
    """

    name: str
    index: int
    face: Face | None
    state: DieState | None
    dice: Dice
    aside: bool = False
    turned: Face | None = None

    def can_do(self, hands: bool = True) -> Guidance:
        """Its number is entered or, if it was read badly, it is thrown again."""
        throws = (hands and self.state is not None) and "SPACE|throws again"
        why = _WHY_UNREAD.get(self.state, "{name}")
        if self.aside:
            why = "{name} lies outside"
        elif self.turned is not None:
            why = "{name} was turned"
        die = say(why, name=die_in_words(self.name, begins=True))
        return to_confirm_die(die, self.face, say("which number?"), throws)

    def told_besides(self) -> Iterator[str]:
        """What it showed before, and all dice."""
        if self.turned is not None:
            yield say("{die} WAS {face}", die=die_in_words(self.name), face=self.turned)
        dice = (*self.dice[: self.index], self.face, *self.dice[self.index + 1 :])
        yield from told_dice(dice)


@dataclass(frozen=True, slots=True)
class EntryPrompt(Prompt):
    """A throw that the camera cannot see is being entered.

    `dice` are those thrown, and those kept if there is room, None for one without a face yet;
    `index` says which of them is marked, and `name` what the board calls it.
    """

    player: str
    name: str
    dice: Dice
    index: int

    def can_do(self, hands: bool = True) -> Guidance:
        """The number of the die that is marked is entered."""
        keys = ("1-6|or ← → say what it shows", "ENTER|continues", GO_BACK)
        return guidance(Verbatim(f"{self.player}: {die_in_words(self.name)}"), *keys)

    def told(self) -> Iterator[str]:
        """Which die is marked, and what it is entered as."""
        yield f"{name_in_words(self.player)}: {die_in_words(self.name)}"
        yield row_in_words(self.dice[self.index : self.index + 1])

    def told_besides(self) -> Iterator[str]:
        """All dice."""
        yield from told_dice(self.dice)


@dataclass(frozen=True, slots=True)
class CountPrompt(Prompt):
    """Says that the number of dice in the tray is wrong, and which are missing if that is known.

    `again`: it was as wrong before they were thrown again.
    """

    player: str
    seen: int
    expected: int
    missing: tuple[str, ...] = ()
    again: bool = False

    def can_do(self, hands: bool = True) -> Guidance:
        """The dice are thrown again, or the players enter what cannot be seen."""
        counted = say(
            "{player}: {dice} seen, {expected} expected.",
            player=self.player,
            dice=count_of_dice(self.seen),
            expected=self.expected,
        )
        counted += "" if hands else f" {say('Throw again, or')} "
        goes_on = "ENTER|goes on, and asks what is missing"
        if self.seen > self.expected:
            goes_on = "ENTER|enters what they show"
        keys = (hands and "SPACE|throws again", goes_on)
        return guidance(Verbatim(counted), *(reversed(keys) if self.again else keys))

    def told(self) -> Iterator[str]:
        """How many there are and should be, and which are missing."""
        yield self.line_at_buttons
        if self.missing:
            yield say("Missing: {dice}.", dice=", ".join(map(die_in_words, self.missing)))

    def told_keys(self) -> Iterator[str]:
        """Nothing more: the sentence has it."""
        return iter(())


@dataclass(frozen=True, slots=True)
class ClashPrompt(Prompt):
    """Says that a throw contradicts the holds; OK counts it as it lies, BACK does not.

    If more dice must be thrown before anything counts, there is no way back (`back`). `idle`: only
    held dice were moved or turned. `was` is what the die showed before, `now` what it shows, None
    if that is not known. `again`: throwing again has not helped.
    """

    slot: int
    why: Why
    name: str = ""
    back: bool = True
    idle: bool = False
    was: Face | None = None
    now: Face | None = None
    again: bool = False

    def can_do(self, hands: bool = True) -> Guidance:
        """The question, with the answer first that is likelier to end it."""
        keys: tuple[str | bool, ...] = YES_NO
        if not self.back:
            keys = (hands and "SPACE|throws again", YES_NO[0])
            keys = keys[::-1] if self.again else keys
        if self.why is Why.SAME:
            return guidance("The dice show the same faces as before. Were they thrown?", *keys)
        name = die_in_words(self._die, begins=True)
        return guidance(_WHY_ODD[self.why], *keys, name=name)

    def told_besides(self) -> Iterator[str]:
        """What the die showed, and what it shows."""
        if self.was is not None:
            yield say("{die} WAS {face}", die=die_in_words(self._die), face=self.was)
        if self.now is not None:
            yield say("It shows {face}.", face=self.now)

    @property
    def _die(self) -> str:
        """The die as the board calls it."""
        return self.name or Label(f"die {self.slot + 1}")
