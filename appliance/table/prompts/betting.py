"""Prompts of games in which dice have colours and players bet."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from appliance.guidance import SHOW_OTHERS, Guidance, guidance
from appliance.table.prompts.prompt import (
    Prompt,
    to_confirm_choice,
    to_confirm_die,
    to_throw,
    told_of_list,
    told_place,
)
from appliance.table.prompts.wording import (
    count_of_dice,
    die_in_words,
    name_in_words,
    shown_in_words,
)
from appliance.words import Label, Verbatim, say, say_aloud, write
from games.computers import strength_of
from games.values import DieKind, Face, ShownDie
from vision.reading import TrayState

OpenDice = tuple[ShownDie, ...]
News = tuple[tuple[str, str], ...]
"""What was done before, as pages of two lines: who, and what."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The chips in front of a player who is still in the game.

    Attributes:
        deals: whether the player is the dealer.
        all_in: whether all of the player's chips are in the pots.
        folded: whether the player has left the hand.
    """

    name: str
    chips: int
    deals: bool = False
    all_in: bool = False
    folded: bool = False


def _told_news(news: News) -> Iterator[str]:
    """What was done before, in the voice's words."""
    for name, action in news:
        yield f"{name_in_words(name)}: {say_aloud(action)}"


def _told_stack(stack: Stack) -> str:
    """A player's chips in the voice's words, and what else is known of the player."""
    marks = (stack.deals and "dealer", stack.all_in and "all-in", stack.folded and "folded")
    said = (say_aloud(Label(mark)) for mark in marks if mark)
    return ", ".join((f"{name_in_words(stack.name)} {stack.chips}", *said))


@dataclass(frozen=True, slots=True)
class BetPrompt(Prompt):
    """Shows one action open to a player in a round of betting; waits for OK, LEFT or RIGHT.

    Attributes:
        cost: the chips that it puts in.
        pot: the chips in all pots together.
        stage: a word for the round, such as "FLOP".
        index: its position in the list.
        dealer: who deals, as a hand begins and everyone is to draw two dice; otherwise empty.
        news: what was done before; empty if it is no longer news.
        possible: whether the action can be taken now: each keeps its place in the list.
        confirm: whether OK was pressed to fold and must be pressed again.
        stacks: the chips of all who are still in the game, in the order in which they speak, those
            of the player first.
    """

    player: str
    label: str
    cost: int
    chips: int
    pot: int
    stage: str
    index: int
    count: int
    dice: OpenDice
    dealer: str = ""
    news: News = ()
    remark: str = ""
    possible: bool = True
    confirm: bool = False
    stacks: tuple[Stack, ...] = ()

    fills_time = True

    def can_do(self, hands: bool = True) -> Guidance:
        """The action is taken, or another is looked at."""
        if self.confirm:
            return to_confirm_choice(self.player, self.label)
        label = write(self.label)
        if not self.possible:
            no = "{player}: {label} is not possible now"
            return guidance(no, SHOW_OTHERS, player=self.player, label=label)
        keys = ("ENTER|chooses {label}", SHOW_OTHERS, hands and "p|shows your own dice")
        return guidance(Verbatim(self.player), *keys, label=label)

    def told(self) -> Iterator[str]:
        """The action before, the dice that lie open, the pot, and the action now."""
        yield from self.told_news()
        if self.confirm:
            asked = {"player": name_in_words(self.player), "label": say_aloud(self.label)}
            yield say("{player}: really {label}?", **asked)
            return
        if not self.possible:
            asked = {"player": name_in_words(self.player), "label": say_aloud(self.label)}
            yield say("{player}: {label} is not possible now", **asked)
            return
        yield from self.told_table()
        # A call or bet names its chips; a raise puts in more than it names.
        named = not self.cost or self.label.endswith(f" {self.cost}")
        yield say_aloud(self.label) if named else f"{say_aloud(self.label)}, {self.cost}"

    def told_besides(self) -> Iterator[str]:
        """The pot, everybody's chips, the stage and the dice, and the place of the action."""
        yield say("{pot} in the pot, you have {chips}.", pot=self.pot, chips=self.chips)
        if self.stacks:
            yield from map(_told_stack, self.stacks)
        if self.confirm or not self.possible:
            yield from self.told_table()
        yield told_place(self.index, self.count)

    def told_news(self) -> Iterator[str]:
        """What was done before."""
        yield from _told_news(self.news)
        if self.remark:
            yield say(self.remark)

    def told_table(self) -> Iterator[str]:
        """Who deals, who is asked in which round, and the dice that lie open."""
        if self.dealer:
            yield say("{player} deals.", player=name_in_words(self.dealer))
            yield say("Everybody draws two dice and hides them.")
        yield f"{name_in_words(self.player)}, {say_aloud(self.stage)}"
        if self.dice:
            yield shown_in_words(self.dice)

    def told_keys(self) -> Iterator[str]:
        """How it is taken, or confirmed."""
        if self.confirm or not self.possible:
            yield from Prompt.told_keys(self)
        else:
            yield told_of_list(self.count)

    @property
    def occasion(self) -> tuple[object, ...]:
        """An action of the round: another bet makes another one."""
        return type(self), self.player, self.stage, self.pot

    def without_what_changes(self) -> "BetPrompt":
        """It without the news and the remark on a press."""
        return replace(self, news=(), remark="")


@dataclass(frozen=True, slots=True)
class DealPrompt(Prompt):
    """Waits until the dealer has thrown dice from the bag.

    `purpose` is "FLOP", "FLOP AGAIN", "TURN" or "RIVER", `count` the number of dice to draw and
    throw. A `surplus` in the tray is to be taken out first; `dice` are those already lying there,
    and `news` is as in `BetPrompt`. `unbet` if a hand begins in which nobody can bet, as all but
    one are all-in with the ante: then everybody draws two dice before this throw.
    """

    player: str
    purpose: str
    count: int
    tray: TrayState
    surplus: int
    dice: OpenDice
    news: News = ()
    unbet: bool = False

    def can_do(self, hands: bool = True) -> Guidance:
        """The dealer throws dice for all."""
        stage = write(self.purpose, begins=False)
        dice = say("{dice} for the {stage}", dice=count_of_dice(self.count), stage=stage)
        return to_throw(self.player, dice, hands)

    def told(self) -> Iterator[str]:
        """The action before, that there are no bets, where so, and who throws what for all."""
        yield from _told_news(self.news)
        if self.unbet:
            yield f"{say('ALL IN')}, {say('NO BETS')}"
            yield say("{player} deals.", player=name_in_words(self.player))
            yield say("Everybody draws two dice and hides them.")
        if self.surplus:
            yield say("Take {dice} out.", dice=count_of_dice(self.surplus))
        yield self.can_do(hands=False).says

    def told_besides(self) -> Iterator[str]:
        """The dice that lie there."""
        if self.dice:
            yield shown_in_words(self.dice)

    @property
    def thrower(self) -> str:
        """The dealer."""
        return self.player

    def without_what_changes(self) -> "DealPrompt":
        """It without the tray and the news."""
        return replace(self, tray=TrayState.STILL, news=())


@dataclass(frozen=True, slots=True)
class ShowPrompt(Prompt):
    """Waits until a player has laid the pocket dice into the tray.

    `remark` says why dice that were shown do not count; `news` is as in `BetPrompt`.
    """

    player: str
    tray: TrayState
    dice: OpenDice
    remark: str = ""
    news: News = ()

    def can_do(self, hands: bool = True) -> Guidance:
        """The player's own dice are laid down."""
        if hands:
            return guidance(Verbatim(self.player), "s|puts your own dice in the tray")
        return guidance("{player}: put your own dice in the tray", player=self.player)

    def told(self) -> Iterator[str]:
        """The action before, why dice do not count, and who shows."""
        yield from _told_news(self.news)
        if self.remark:
            yield say(self.remark)
        yield self.can_do(hands=False).says

    def told_besides(self) -> Iterator[str]:
        """The dice that lie there."""
        if self.dice:
            yield shown_in_words(self.dice)

    def without_what_changes(self) -> "ShowPrompt":
        """It without the tray, the news and the remark."""
        return replace(self, tray=TrayState.STILL, news=(), remark="")


@dataclass(frozen=True, slots=True)
class HandPrompt(Prompt):
    """Names the best hand of the player who shows, and the five dice that make it."""

    player: str
    label: str
    dice: OpenDice

    def can_do(self, hands: bool = True) -> Guidance:
        """The hand counts as what it is."""
        label = write(self.label)
        return guidance(Verbatim(self.player), "ENTER|counts it as {label}", label=label)

    def told(self) -> Iterator[str]:
        """Who shows what, and the dice that make it."""
        yield f"{name_in_words(self.player)}: {say_aloud(self.label)}"
        yield shown_in_words(self.dice)

    def told_keys(self) -> Iterator[str]:
        """It is taken as what it is."""
        yield told_of_list(1)

    @property
    def awaits_computer(self) -> bool:
        """If a computer shows."""
        return strength_of(self.player) is not None


@dataclass(frozen=True, slots=True)
class PotPrompt(Prompt):
    """Says who wins the pots, each with the chips that each winner gets; OK pays them out.

    `label` is the best hand; empty when all others have folded.
    """

    pots: tuple[tuple[tuple[str, int], ...], ...]
    label: str

    def can_do(self, hands: bool = True) -> Guidance:
        """The chips are paid out."""
        return guidance(Verbatim(write("ALL")), "ENTER|pays out the pot")

    def told(self) -> Iterator[str]:
        """The best hand, and what each winner gets of each pot."""
        if self.label:
            yield say_aloud(self.label)
        for pot in self.pots:
            yield ", ".join(f"{name_in_words(name)} +{chips}" for name, chips in pot)


@dataclass(frozen=True, slots=True)
class ColourPrompt(Prompt):
    """Asks which colour a die has: LEFT and RIGHT change it, OK accepts.

    `kind` is the one proposed, None where nobody has proposed one. If `pending`, a throw is waiting
    for it; otherwise a die on the table is being corrected.
    """

    name: str
    face: Face
    kind: DieKind | None
    pending: bool

    def can_do(self, hands: bool = True) -> Guidance:
        """The colour of the die is entered."""
        return to_confirm_die(die_in_words(self.name, begins=True), self.kind, say("which colour?"))


BettingPrompt = BetPrompt | DealPrompt | ShowPrompt | HandPrompt | PotPrompt | ColourPrompt
