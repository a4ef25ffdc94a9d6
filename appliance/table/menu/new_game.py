"""Setting up a game step by step, and naming those who join one or had no name in it.

Each step is a page, so BACK leads to the one before. The last one may be that of `roll_off`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.table.menu import name_entry as naming
from appliance.table.menu.console import Console, SettingUp
from appliance.table.menu.draft import Draft, request_game
from appliance.table.menu.lesson import open_lesson
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.options import (
    option_in_force,
    option_title,
    option_value_words,
    option_values,
    options_asked,
    options_offered,
    seat_option,
)
from appliance.table.menu.pages import ListPage, ListRow, PlainList
from appliance.table.menu.prompting import NamePrompt
from appliance.table.menu.requests import BeginGame, NamePlayer
from appliance.table.menu.roll_off import RollOff
from appliance.table.menu.settings import number_of_unnamed, unnamed
from appliance.table.menu.telling import open_telling
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.recording import add_latecomer
from appliance.table.session.session import Setup
from appliance.words import Label, Verbatim
from games.computers import Strength, computer_name
from games.registry import find_game
from games.values import ROLL_OFF, RulesError

NEW_NAME = "NEW NAME"
TRY_A_TURN = "TRY A TURN"


def begin_setup(console: Console) -> Console:
    """The first step: which game? The one played last is shown first."""
    last, games = console.settings.last_setup(), console.equipment.games
    game = last.game if last is not None and last.game in games else games[0]
    return console.push(PickGame(games.index(game)))


def play_again(console: Console) -> Console:
    """Begins the same game with the same players at once, with the options for the next game.

    Who begins is rolled for if it was before, else it is the next player's turn.
    """
    if console.session is None:
        return begin_setup(console)
    setup = console.session.record.setup
    offered = options_offered(setup.game)
    options = {name: value for name, value in setup.options if name not in offered}
    options |= console.settings.house_rules(setup.game)
    options |= {
        name: console.settings.option(setup.game, name) for name in options_asked(setup.game)
    }
    if seat := seat_option(setup.game):
        first = option_in_force(setup, seat)
        options[seat] = (first + 1) % len(setup.players) if isinstance(first, int) else first
    same = Setup(setup.game, setup.players, tuple(sorted(options.items())))
    return console.with_requests(BeginGame(same, console.session.record.serial))


class PickGame(SettingUp, PlainList):
    """Which game? HINT tells how the one shown goes."""

    __slots__ = ()

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Goes through the list, takes a game, goes back, or tells how one goes."""
        if press.button is Button.HINT:
            if self.index >= len(console.equipment.games):
                return open_lesson(console)
            return open_telling(console, console.equipment.games[self.index])
        # Named, as a dataclass with slots is not the class that `super()` looks for.
        return PlainList.pressed(self, console, press)

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One game per row; a turn to learn from as long as nobody has given a name."""
        games = (
            ListRow("WHICH GAME?", (Label(game),), partial(_ask_players, draft=Draft(game)))
            for game in console.equipment.games
        )
        lesson = ListRow("WHICH GAME?", (TRY_A_TURN,), open_lesson)
        return [*games, *(() if console.settings.given_names else (lesson,))]


def _ask_players(console: Console, draft: Draft) -> Console:
    counts, before = _player_counts(draft), _players_before(console)
    # If the same players cannot play, the number nearest to theirs; two if nobody has played yet.
    near = min(max((len(before) or 2) - counts[0], 0), len(counts) - 1)
    return console.push(PickPlayers(draft, 0 if len(before) in counts else near))


def _players_before(console: Console) -> tuple[str, ...]:
    last = console.settings.last_setup()
    return () if last is None else last.players


def _player_counts(draft: Draft) -> range:
    rules = find_game(draft.game)
    return range(rules.min_players, rules.max_players + 1)


@dataclass(frozen=True, slots=True)
class _ListOfDraft(SettingUp, ListPage):
    draft: Draft
    index: int = 0


class PickPlayers(_ListOfDraft):
    """How many play, or the same as last time?"""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """The players of the last game if that many can play this one, then the possible counts."""
        counts, before = _player_counts(self.draft), _players_before(console)
        rows = [
            ListRow(
                "HOW MANY?",
                (f"{n} PLAYER{'S' if n > 1 else ''}",),
                partial(_ask_next_name, draft=replace(self.draft, count=n)),
            )
            for n in counts
        ]
        if len(before) not in counts:
            return rows
        same = replace(self.draft, count=len(before), players=before)
        return [
            ListRow("WHO PLAYS?", lines_of_names(before), partial(_ask_rules, draft=same)),
            *rows,
        ]


def lines_of_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names two to a line where they are short, else one."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) < 9:
            lines[-1] += f" {name}"
        else:
            lines.append(name)
    return tuple(map(Verbatim, lines))


def _ask_next_name(console: Console, draft: Draft) -> Console:
    return console.push(PickName(draft))


class PickName(_ListOfDraft):
    """Who sits in the next seat? One of the remembered names, a new one, or nobody has a name."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """Whoever sat there last, one of the others, or somebody new; play at once without names.

        That comes first as long as nobody has given a name.
        """
        draft, settings = self.draft, console.settings
        seat = draft.seat
        last = settings.last_setup(draft.game) or settings.last_setup()
        before = last.players[seat : seat + 1] if last is not None else ()
        named = dict.fromkeys((*before, *settings.names))
        known = [name for name in named if number_of_unnamed(name) is None]
        what = f"PLAYER {seat + 1}?"
        at_once = ListRow("NO NAMES YET?", ("PLAY NOW",), partial(_play_now, draft=draft))
        if draft.names is not None:
            given = [name for name in settings.given_names if name not in draft.players]
            return [
                ListRow(what, (NEW_NAME,), lambda console: console.push(Typing(draft))),
                *(
                    ListRow(what, (Verbatim(name),), partial(_seat_player, draft=draft, name=name))
                    for name in given
                ),
            ]
        offered = [at_once] if not (seat or draft.joins) else []
        return [
            *(offered if not known else ()),
            *(
                ListRow(what, (Verbatim(name),), partial(_seat_player, draft=draft, name=name))
                for name in known
                if name not in draft.players
            ),
            *_row_without_name(what, draft, seat),
            ListRow(what, ("COMPUTER",), lambda console: console.push(PickStrength(draft))),
            ListRow(what, (NEW_NAME,), lambda console: console.push(Typing(draft))),
            *(offered if known else ()),
        ]


def _row_without_name(what: str, draft: Draft, seat: int) -> list[ListRow]:
    """A row for a player who needs no name."""
    name = unnamed(seat + 1)
    if name in draft.players:
        return []
    return [ListRow(what, (Verbatim(name),), partial(_seat_player, draft=draft, name=name))]


def _play_now(console: Console, draft: Draft) -> Console:
    """Seats players without names, with the house rules as they are; who begins is rolled for."""
    draft = replace(draft, players=tuple(unnamed(n + 1) for n in range(draft.count)))
    for name in options_asked(draft.game, draft.count):
        draft = draft.with_option(name, console.settings.option(draft.game, name))
    if not seat_option(draft.game):
        return console.with_requests(BeginGame(draft.setup))
    return _roll_off(console, draft) if draft.count > 1 else request_game(console, draft, 0)


class PickStrength(_ListOfDraft):
    """How strong is the computer player?"""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One strength per row, with the name that the computer gets."""
        draft = self.draft
        names = [computer_name(strength, draft.players) for strength in Strength]
        return [
            ListRow(
                "HOW STRONG?",
                (words, Verbatim(name)),
                partial(_seat_player, draft=draft, name=name),
            )
            for words, name in zip(_STRENGTH_WORDS, names, strict=True)
        ]


_STRENGTH_WORDS = ("FOR FUN", "PLAYS WELL", "THE BEST")


@dataclass(frozen=True, slots=True)
class Typing(SettingUp):
    """A new name, letter by letter; `remark` says what is wrong with it."""

    draft: Draft
    entry: Entry = field(default_factory=Entry)
    remark: str = ""
    by_keys: bool = False

    def prompt(self, console: Console) -> Prompt:
        """The name so far."""
        return NamePrompt(self.draft.seat, self.entry, self.remark)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """OK takes a letter, a long OK the name; a long LEFT or RIGHT leaps.

        A hold button cycles through the accents of the letter.
        """
        draft, entry = self.draft, self.entry
        match press.button:
            case Button.BACK:
                if not entry.text:
                    return console.back()
                shorter = naming.erase_letter(entry)
                if self.by_keys:
                    # For those who type, OK takes the name, whatever was in the ring.
                    shorter = replace(shorter, letter=naming.NAME_END)
                return console.replace_top(Typing(draft, shorter, by_keys=self.by_keys))
            case Button.LEFT | Button.RIGHT:
                steps = naming.LONG_PRESS_STEPS if press.long else 1
                steps = steps if press.button is Button.RIGHT else -steps
                return console.replace_top(Typing(draft, naming.turn_ring(entry, steps)))
            case button if button in HOLD_BUTTONS:
                return console.replace_top(Typing(draft, naming.next_accent(entry)))
            case Button.OK if press.long or entry.letter == naming.NAME_END:
                return self._take_name(console)
            case Button.OK:
                return console.replace_top(Typing(draft, naming.take_letter(entry)))
            case _:
                return console

    def typed(self, console: Console, letters: str) -> Console:
        """Adds letters from a keyboard; OK then takes the name."""
        entry = replace(naming.add_typed_letters(self.entry, letters), letter=naming.NAME_END)
        return console.replace_top(Typing(self.draft, entry, by_keys=True))

    def _take_name(self, console: Console) -> Console:
        name = self.entry.name
        if not name:
            return console.replace_top(replace(self, remark="NO NAME"))
        if name in self.draft.players:
            return console.replace_top(replace(self, remark="TAKEN"))
        return _seat_player(console.replace_top(replace(self, remark="")), self.draft, name)


def _seat_player(console: Console, draft: Draft, name: str) -> Console:
    session = console.session
    if draft.names is not None:
        was = Verbatim(f"{draft.players[draft.names]}:")
        told = console.show_notice((was, Verbatim(name)))
        return told.with_requests(NamePlayer(draft.names, name))
    if draft.joins and session is not None:
        try:
            session = add_latecomer(session, name)
        except RulesError:
            return console.show_notice((Verbatim(name), "CANNOT JOIN"))
        settings = console.settings.with_game_begun(session.record.setup)
        after = replace(console.with_settings(settings), session=session)
        return after.show_notice((Verbatim(name), "JOINS"), ("PLAYS LAST", "THIS ROUND"))
    draft = replace(draft, players=(*draft.players, name))
    if len(draft.players) < draft.count:
        return console.push(PickName(draft))
    return _ask_rules(console, draft)


def _ask_rules(console: Console, draft: Draft, done: str | None = None) -> Console:
    """Asks about the next house rule after `done`, or who begins."""
    rules = options_asked(draft.game, draft.count)
    if done is None:
        for name, value in console.settings.house_rules(draft.game).items():
            draft = draft.with_option(name, value)
    left = rules if done is None else rules[rules.index(done) + 1 :]
    if not left and not seat_option(draft.game):
        return console.with_requests(BeginGame(draft.setup))
    if not left:
        return (
            console.push(PickFirst(draft)) if draft.count > 1 else request_game(console, draft, 0)
        )
    known, value = option_values(draft.game, left[0]), console.settings.option(draft.game, left[0])
    return console.push(PickOption(draft, left[0], known.index(value) if value in known else 0))


@dataclass(frozen=True, slots=True)
class PickOption(SettingUp, ListPage):
    """Which value of the house rule `name`?"""

    draft: Draft
    name: str
    index: int = 0

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One value per row."""
        draft, name = self.draft, self.name
        return [
            ListRow(
                f"{option_title(draft.game, name)}?",
                (option_value_words(draft.game, name, value),),
                partial(_ask_rules, draft=draft.with_option(name, value), done=name),
            )
            for value in option_values(draft.game, name)
        ]


class PickFirst(_ListOfDraft):
    """Who begins: a roll-off, or one of the players?"""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """The roll-off, then one player per row."""
        draft = self.draft
        what = f"{option_title(draft.game, seat_option(draft.game))}?"
        return [
            ListRow(what, ("ROLL-OFF",), partial(_roll_off, draft=draft)),
            *(
                ListRow(what, (Verbatim(player),), partial(request_game, draft=draft, first=seat))
                for seat, player in enumerate(draft.players)
            ),
        ]


def _roll_off(console: Console, draft: Draft) -> Console:
    if ROLL_OFF in find_game(draft.game).options[seat_option(draft.game)]:
        return request_game(console, draft, ROLL_OFF)
    return console.push(RollOff(draft))
