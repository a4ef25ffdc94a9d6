"""Prompts of a turn, from the first throw to the end of the game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.guidance import SHOW_OTHERS, Guidance, guidance
from appliance.table.prompts.betting import BetPrompt
from appliance.table.prompts.looking import TableSpots
from appliance.table.prompts.prompt import (
    Prompt,
    to_confirm_choice,
    to_throw,
    to_throw_unseen,
    told_of_list,
    told_place,
)
from appliance.table.prompts.wording import (
    card_in_words,
    count_of_dice,
    held_in_words,
    label_in_words,
    name_in_words,
    places_in_words,
    points_in_words,
    row_in_words,
    totals_in_words,
)
from appliance.table.session.session import Scored
from appliance.words import Label, Verbatim, say, say_aloud, write
from games.computers import strength_of
from games.values import DieKind, Face, Pass, Points
from vision.reading import TrayState

Dice = tuple[Face | None, ...]
_THE_HIGHEST = {"WHO BEGINS": "THE HIGHEST BEGINS", "WHO DEALS": "THE HIGHEST DEALS"}
"""What a throw decides before a game, by its purpose."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the game stands as a turn begins.

    Attributes:
        totals: everybody's points in seat order; empty where only one plays.
        closing: what is announced as the end comes near, such as "LAST ROUND"; empty before that.
        banked: the points of the card that was banked as the turn began; 0 for none.
        round: which round of the game it is, from 1; 0 where the next is.
        rounds: how many the game has; 0 where that is not known.
    """

    totals: tuple[tuple[str, int], ...]
    closing: str = ""
    banked: int = 0
    round: int = 0
    rounds: int = 0

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the most points; empty while nobody has any."""
        most = max((total for _, total in self.totals), default=0)
        return tuple(seat for seat, (_, total) in enumerate(self.totals) if total == most > 0)

    def told(self) -> Iterator[str]:
        """The news in the words of the voice, for whom the turn begins."""
        if self.closing:
            yield say_aloud(self.closing)
        if self.banked:
            yield say("Banked: {points}.", points=points_in_words(self.banked))

    def told_totals(self) -> Iterator[str]:
        """Everybody's points in the words of the voice."""
        if self.totals:
            yield totals_in_words(self.totals)


def _told_scored(scored: Scored, scorer: str, players: Sequence[str]) -> str:
    """The score that the turn before has brought, in words; why not, where it brought none."""
    choice = Label(scored.choice.key)
    label = card_in_words(choice)
    if scored.taken_from is not None and players:
        owner = name_in_words(players[scored.taken_from])
        label = say("{card} of {player}", card=label, player=owner)
    if scored.won and players:
        won = (f"{name_in_words(players[seat])} +{chips}" for seat, chips in scored.won)
        return ", ".join(won)
    # A card that counts once it is banked brings nothing yet.
    points = points_in_words(scored.points) if scored.points or scored.is_zero else ""
    failed = scored.reason and not (points or scored.later)
    reason = say_aloud(scored.reason) if failed else ""
    return ", ".join(filter(None, (f"{name_in_words(scorer)}: {label}", points, reason)))


@dataclass(frozen=True, slots=True)
class ThrowPrompt(Prompt):
    """Waits for a throw.

    Attributes:
        roll: which roll of the turn is next, from 1.
        rolls: how many rolls the turn may have.
        slots: the dice to throw, by slot.
        kind: their kind, if they are all of the same one.
        take: dice of an earlier turn still lie in the tray.
        scored: the result of the previous turn, while it is news.
        odd: the kind of the last die, if it alone differs from the others.
        blind: the camera cannot see the tray; OK lets the players enter the throw.
        standing: how the game stands, as a turn begins.
    """

    player: str
    roll: int
    rolls: int
    purpose: str
    slots: tuple[int, ...]
    kind: DieKind | None
    tray: TrayState
    take: bool
    scored: Scored | None = None
    scorer: str = ""
    table: TableSpots | None = None
    odd: DieKind | None = None
    blind: bool = False
    standing: Standing | None = None

    fills_time = True

    def can_do(self, hands: bool = True) -> Guidance:
        """The dice are thrown; those that the camera cannot see are entered."""
        if self.blind:
            return to_throw_unseen(self.player)
        if self.take and not hands:
            return guidance(
                "{player}: take the dice out, then throw {dice}",
                player=self.player,
                dice=self._dice,
            )
        return to_throw(self.player, self._dice, hands)

    def told(self) -> Iterator[str]:
        """The score of the turn before, what is announced, and who throws."""
        if self.scored is not None:
            players = [name for name, _ in self.standing.totals] if self.standing else []
            yield _told_scored(self.scored, self.scorer, players)
        if self.standing is not None:
            yield from self.standing.told()
        if self.purpose in _THE_HIGHEST:
            yield say(_THE_HIGHEST[self.purpose])
        throws = "{player}: enter {dice}." if self.blind else "{player}: throw {dice}."
        yield say(throws, player=name_in_words(self.player), dice=self._dice)
        if self.table is not None and len(self.slots) > 1:
            yield from self.table.told_pawn()

    def told_besides(self) -> Iterator[str]:
        """How the game stands, and what there is to win."""
        if self.standing is not None:
            yield from self.standing.told_totals()
        if self.take:
            yield say("Take the dice out.")
        if self.standing is not None and self.standing.rounds:
            rounds = {"round": self.standing.round, "rounds": self.standing.rounds}
            yield say("Round {round} of {rounds}.", **rounds)
        if self.scored is not None and self.scored.reason:
            yield say_aloud(self.scored.reason)
        if self.table is not None:
            yield from self.table.told_pawn()
            yield from (self.table.told_map() if self.table.ring else self.table.told_aims())
        if self.rolls > 1:
            yield say("Roll {roll} of {rolls}.", roll=self.roll, rolls=self.rolls)
        elif self.purpose not in ("", "ROLL", *_THE_HIGHEST):
            yield say_aloud(self.purpose)

    def told_keys(self) -> Iterator[str]:
        """What else there is to do than to throw."""
        if self.blind:
            yield from Prompt.told_keys(self)

    @property
    def _dice(self) -> str:
        """The dice to throw in words."""
        if len(self.slots) == 1 and self.kind not in (None, DieKind.BLACK):
            return say(f"the {self.kind} die")
        return count_of_dice(len(self.slots))

    @property
    def occasion(self) -> tuple[object, ...]:
        """A roll of a turn."""
        return type(self), self.player, self.roll, self.purpose

    @property
    def thrower(self) -> str:
        """The player."""
        return self.player

    def without_what_changes(self) -> "ThrowPrompt":
        """It without the tray and the news."""
        return replace(self, tray=TrayState.STILL, take=False, scored=None, scorer="")


@dataclass(frozen=True, slots=True)
class DicePrompt(Prompt):
    """Shows the dice and waits for holds, another throw, or OK for the choices.

    Attributes:
        roll: which roll lies on the table.
        rolls: how many rolls the turn may have; 0 for as many as the player dares.
        held: slots held by buttons.
        purpose: what OK is for; "PASS" where it passes at once, as nothing else is possible; empty
            where dice must be thrown again, and OK is for nothing.
        may_roll: whether another throw is allowed.
        may_throw: whether it is with what is held now: some games ask for more, or others, first.
        remark: a short remark on the last press or throw.
        blind: the camera cannot see the tray; RIGHT lets the players enter another throw.
        decided: whether a computer has decided which dice to hold; None for a person.
    """

    player: str
    roll: int
    rolls: int
    dice: Dice
    held: tuple[int, ...]
    purpose: str
    may_roll: bool
    tray: TrayState
    remark: str = ""
    table: TableSpots | None = None
    blind: bool = False
    decided: bool | None = None
    may_throw: bool = True

    def can_do(self, hands: bool = True) -> Guidance:
        """Dice are held, others are thrown, or it is scored; a computer does so by itself."""
        if self.decided is False:
            return _to_wait_for_computer(self.player)
        if self.decided and hands:
            return guidance("{player} throws the others", player=self.player)
        if self.decided:
            return guidance("{player}: throw the others into the tray", player=self.player)
        ends = {"SCORE": "ENTER|scores", "PASS": "ENTER|passes"}.get(self.purpose, "ENTER|chooses")
        says = self.player if not self.remark else f"{self.player}: {write(self.remark)}"
        if not self.may_roll:
            return guidance(Verbatim(says), ends)
        kept = " ".join(str(slot + 1) for slot in self.held)
        hold = "1-{count}|hold (now {kept})" if kept else "1-{count}|hold"
        again = "SPACE|rolls again" if hands else "throw|the others"
        keys = (hold, *((again,) if self.may_throw else ()), *((ends,) if self.purpose else ()))
        return guidance(Verbatim(says), *keys, count=len(self.dice), kept=kept)

    def told(self) -> Iterator[str]:
        """The dice in order, what they are for or make, and which are held, by place and face."""
        if self.remark:
            yield say(self.remark)
        row = {"player": name_in_words(self.player), "dice": row_in_words(self.dice)}
        if self.rolls > 1 and self.roll == self.rolls:
            yield say("{player}, last roll: {dice}.", **row)
        elif self.rolls > 1:
            yield say("{player}, roll {roll}: {dice}.", roll=self.roll, **row)
        else:
            yield f"{row['player']}: {row['dice']}"
        if self.table is not None:
            yield from self.table.told_made(with_points=not self.held)
        if self.held:
            yield held_in_words(self.dice, self.held, asked=False)
        if self.decided is not None:
            yield self.can_do(hands=False).says

    def told_besides(self) -> Iterator[str]:
        """That no dice are held, and what else there is to win."""
        if not self.held and self.may_roll and self.decided is None:
            yield say("None held.")
        if self.table is not None:
            yield from self.table.told_all_made()
            yield from self.table.told_aims()
        if self.rolls > 1:
            yield say("Roll {roll} of {rolls}.", roll=self.roll, rolls=self.rolls)

    def told_keys(self) -> Iterator[str]:
        """How the dice are used."""
        if self.decided is not None:
            return
        if self.may_roll and not self.may_throw:
            yield say("Hold what fits, then throw the others.")
        throws = self.may_roll and self.may_throw
        if self.purpose:
            ready = "Throw the others, or OK: {todo}." if throws else "OK: {todo}"
            yield say(ready, todo=say_aloud(self.purpose))
        elif throws:
            yield say("Throw the others.")
        if self.blind and self.may_roll:
            yield say("RIGHT enters another throw.")

    @property
    def occasion(self) -> tuple[object, ...]:
        """A throw, whichever of its dice are held."""
        return type(self), self.player, self.roll, self.dice

    @property
    def thrower(self) -> str:
        """A computer that has decided."""
        return self.player if self.decided else ""

    @property
    def awaits_computer(self) -> bool:
        """Until a computer has decided."""
        return not self.decided and strength_of(self.player) is not None

    def without_what_changes(self) -> "DicePrompt":
        """It without the tray, the holds and the remark on them."""
        return replace(self, tray=TrayState.STILL, held=(), remark="")


@dataclass(frozen=True, slots=True)
class ThinkingPrompt(Prompt):
    """A computer player is about to decide, or to show its dice.

    In a round of betting, `bet` is what a person would be shown.
    """

    player: str
    bet: BetPrompt | None = None

    def can_do(self, hands: bool = True) -> Guidance:
        """Only the wait is cut short."""
        return _to_wait_for_computer(self.player)

    def told(self) -> Iterator[str]:
        """What was done before, and who decides."""
        if self.bet is not None:
            yield from self.bet.told_news()
        yield self.can_do(hands=False).says

    def told_besides(self) -> Iterator[str]:
        """What a person would be told."""
        if self.bet is not None:
            yield from self.bet.told_table()
            yield from self.bet.told_besides()

    @property
    def awaits_computer(self) -> bool:
        """Always."""
        return True


def _to_wait_for_computer(player: str) -> Guidance:
    return guidance("{player} is thinking", "ENTER|skips the wait", player=player)


OTHER_CHOICES = "other-choices"
"""The key of the last entry of a list, which opens those that score less in the same boxes."""


@dataclass(frozen=True, slots=True)
class ChoicePrompt(Prompt):
    """Shows one choice of the list and waits for OK, LEFT, RIGHT or BACK.

    Attributes:
        points: what it scores, and why; of the entry that opens choices that score less, what the
            best one scores.
        dice: the dice it concerns; empty if there are none.
        confirm: whether OK was pressed for a zero and must be pressed again.
        boxes: of each box of the sheet, whether it is open; empty where there are none.
        box: which of them it fills; None for none of them.
    """

    player: str
    label: str
    points: Points
    index: int
    count: int
    dice: Dice
    confirm: bool = False
    table: TableSpots | None = None
    purpose: str = ""
    boxes: tuple[bool, ...] = ()
    box: int | None = None

    def can_do(self, hands: bool = True) -> Guidance:
        """The choice is taken, or another is looked at."""
        if self.confirm:
            # Whoever passes writes a zero nowhere.
            zero = not self.points.points and self.label != Label(Pass().key)
            return to_confirm_choice(self.player, self.label, zero=zero)
        label = write(self.label)
        if self._owner:
            owner = name_in_words(self._owner)
            label = say("{card} of {player}", card=label, player=owner)
        return guidance(Verbatim(self.player), "ENTER|chooses {label}", SHOW_OTHERS, label=label)

    def told(self) -> Iterator[str]:
        """The worth of the choice and its reason, and its place in the list."""
        points = self.points
        nothing = points.points == 0 and (points.reason or self.label == Label(Pass().key))
        worth = "" if nothing else points_in_words(points.points)
        if self.confirm:
            label = ", ".join(filter(None, (self._name, worth)))
            player = name_in_words(self.player)
            yield say("{player}: really {label}?", player=player, label=label)
            return
        reason = say_aloud(Label(points.reason)) if points.reason else ""
        if self.label == Label(OTHER_CHOICES):
            yield self._name
            yield say("The best brings {points}.", points=worth)
        else:
            yield ", ".join(filter(None, (self._name, worth, reason)))
        yield told_place(self.index, self.count)

    def told_besides(self) -> Iterator[str]:
        """Who chooses, for what, and which box of the sheet is filled."""
        purpose = "" if self.purpose in ("", "SCORE") else say_aloud(self.purpose)
        yield ", ".join(filter(None, (name_in_words(self.player), purpose)))
        if self.confirm:
            yield say_aloud(Label(self.points.reason)) if self.points.reason else ""
            yield told_place(self.index, self.count)
        if self.box is not None:
            yield say("Box {number}.", number=self.box + 1)
        if self.boxes:
            still = places_in_words(at for at, is_open in enumerate(self.boxes) if is_open)
            yield say("Open boxes: {numbers}.", numbers=still)

    def told_keys(self) -> Iterator[str]:
        """How it is taken, or confirmed."""
        if self.confirm:
            yield from Prompt.told_keys(self)
        else:
            yield told_of_list(self.count)

    @property
    def _name(self) -> str:
        """The choice in whole words, of a card with whose it is."""
        if self._owner:
            card, name = card_in_words(self.label), name_in_words(self._owner)
            return say("{card} of {player}", card=card, player=name)
        return label_in_words(self.label)

    @property
    def _owner(self) -> str:
        """Who has the card that is chosen; empty for nobody."""
        spots = self.table.spots if self.table is not None else ()
        return next((spot.owner for spot in spots if spot.label == self.label), "")


@dataclass(frozen=True, slots=True)
class OverPrompt(Prompt):
    """The game is over: who won, and all totals, best first.

    `scored` is what the last move of all has brought, while it is news; `players` are all by seat.
    """

    winners: tuple[str, ...]
    totals: tuple[tuple[str, int], ...]
    scored: Scored | None = None
    players: tuple[str, ...] = ()

    def can_do(self, hands: bool = True) -> Guidance:
        """Another game is begun, or they leave."""
        return guidance("The game is over", "ENTER|asks for another", "m|menu", "q|leaves")

    def told(self) -> Iterator[str]:
        """The last move, who has won, and all totals."""
        if self.scored is not None:
            yield _told_scored(self.scored, self.players[self.scored.seat], self.players)
        yield say("GAME OVER")
        names = ", ".join(map(name_in_words, self.winners))
        if len(self.totals) > 1:
            yield f"{names} {say('WINS')}" if len(self.winners) == 1 else f"{say('A TIE')}: {names}"
        yield totals_in_words(self.totals)

    def told_keys(self) -> Iterator[str]:
        """Another game is begun."""
        yield say("OK: AGAIN")
