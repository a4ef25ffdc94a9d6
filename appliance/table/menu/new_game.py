"""Setting up a game step by step; each step is a page, so BACK leads to the one before.

The last step may be a roll-off, for games whose own rules leave it to the players who begins.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from appliance.inputs import Button, Pressed
from appliance.rules.game import ROLL_OFF, OptionValue
from appliance.rules.registry import find
from appliance.rules.roll_off import standing
from appliance.table.menu import name_entry as naming
from appliance.table.menu.console import Desk, ListRow, ask_for, back, push, turn_to
from appliance.table.menu.options import asked, seat_option, title, value_words
from appliance.table.menu.pages import (
    Draft,
    PickFirst,
    PickGame,
    PickName,
    PickOption,
    PickPlayers,
    RollOff,
    Typing,
)
from appliance.table.menu.requests import BeginGame
from appliance.table.session.session import Setup
from vision.events import TrackedDie

_WHO = "WHO PLAYS?"

NEW_NAME = "NEW NAME"


def begin(desk: Desk) -> Desk:
    """The first step: which game? The one played last is shown first."""
    last = desk.settings.last()
    game = last.game if last is not None and last.game in desk.games else desk.games[0]
    return push(desk, PickGame(desk.games.index(game)))


def again(desk: Desk) -> Desk:
    """The same game with the same players, and the options for the next game."""
    if desk.session is None:
        return begin(desk)
    setup = desk.session.setup
    options = tuple((n, desk.settings.option(setup.game, n)) for n in asked(setup.game))
    asked_about = (*asked(setup.game), seat_option(setup.game))
    rest = tuple((n, v) for n, v in setup.options if n not in asked_about)
    draft = Draft(setup.game, len(setup.players), setup.players, tuple(sorted((*options, *rest))))
    return _ask_first(desk, draft)


def game_rows(desk: Desk) -> list[ListRow]:
    """Which game?"""
    return [
        ListRow("WHICH GAME?", (find(game).TITLE,), partial(_ask_players, draft=Draft(game)))
        for game in desk.games
    ]


def _ask_players(desk: Desk, draft: Draft) -> Desk:
    counts, last = _counts(draft), desk.settings.last()
    # Where the same players cannot play, the number nearest to theirs; two in a new house.
    many = len(last.players) if last is not None else 2
    near = min(max(many - counts[0], 0), len(counts) - 1)
    return push(desk, PickPlayers(draft, 0 if last is not None and many in counts else near))


def _counts(draft: Draft) -> range:
    rules = find(draft.game)
    return range(rules.MIN_PLAYERS, rules.MAX_PLAYERS + 1)


def player_rows(desk: Desk, draft: Draft) -> list[ListRow]:
    """Those of the last game if that many can play this one, or how many play."""
    counts, last = _counts(draft), desk.settings.last()
    rows = [
        ListRow(
            _WHO,
            (f"{n} PLAYER{'S' if n > 1 else ''}",),
            partial(push, page=PickName(replace(draft, count=n))),
        )
        for n in counts
    ]
    if last is None or len(last.players) not in counts:
        return rows
    same = replace(draft, count=len(last.players), players=last.players)
    return [ListRow(_WHO, lines_of(same.players), partial(_ask_rules, draft=same)), *rows]


def lines_of(names: Sequence[str]) -> tuple[str, ...]:
    """Names two to a line where they are short, else one."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) < 9:
            lines[-1] += f" {name}"
        else:
            lines.append(name)
    return tuple(lines)


def name_rows(desk: Desk, draft: Draft) -> list[ListRow]:
    """Who sits in the next seat: whoever sat there last, one of the others, or somebody new."""
    seat = len(draft.players)
    last = desk.settings.last(draft.game) or desk.settings.last()
    before = last.players[seat : seat + 1] if last is not None else ()
    known = dict.fromkeys((*before, *desk.settings.names))
    what = f"PLAYER {seat + 1}?"
    return [
        *(
            ListRow(what, (name,), partial(_seat, draft=draft, name=name))
            for name in known
            if name not in draft.players
        ),
        ListRow(what, (NEW_NAME,), partial(push, page=Typing(draft))),
    ]


def in_typing(desk: Desk, page: Typing, press: Pressed) -> Desk:
    """After a press while a name is entered; OK long finishes it, LEFT and RIGHT long leap."""
    entry = page.entry
    match press.button:
        case Button.BACK:
            if not entry.text:
                return back(desk)
            return turn_to(desk, Typing(page.draft, naming.erase(entry)))
        case Button.LEFT | Button.RIGHT:
            steps = naming.LEAP if press.long else 1
            steps = steps if press.button is Button.RIGHT else -steps
            return turn_to(desk, Typing(page.draft, naming.turn(entry, steps)))
        case Button.OK if press.long or entry.letter == naming.END:
            return _named(desk, page)
        case Button.OK:
            return turn_to(desk, Typing(page.draft, naming.take(entry)))
        case _:
            return desk


def _named(desk: Desk, page: Typing) -> Desk:
    name = page.entry.name
    if not name:
        return turn_to(desk, replace(page, remark="NO NAME"))
    if name in page.draft.players:
        return turn_to(desk, replace(page, remark="TAKEN"))
    return _seat(turn_to(desk, replace(page, remark="")), page.draft, name)


def _seat(desk: Desk, draft: Draft, name: str) -> Desk:
    draft = replace(draft, players=(*draft.players, name))
    if len(draft.players) < draft.count:
        return push(desk, PickName(draft))
    return _ask_rules(desk, draft)


def _ask_rules(desk: Desk, draft: Draft, done: str | None = None) -> Desk:
    """The next house rule after `done` is asked about, or who begins."""
    rules = asked(draft.game)
    left = rules if done is None else rules[rules.index(done) + 1 :]
    if not left:
        return _ask_first(desk, draft)
    values = find(draft.game).OPTIONS[left[0]]
    value = desk.settings.option(draft.game, left[0])
    return push(desk, PickOption(draft, left[0], values.index(value) if value in values else 0))


def option_rows(draft: Draft, name: str) -> list[ListRow]:
    """Which value of a house rule?"""
    return [
        ListRow(
            f"{title(draft.game, name)}?",
            (value_words(draft.game, name, value),),
            partial(_ask_rules, draft=draft.with_option(name, value), done=name),
        )
        for value in find(draft.game).OPTIONS[name]
    ]


def _ask_first(desk: Desk, draft: Draft) -> Desk:
    if not seat_option(draft.game):
        return ask_for(desk, BeginGame(draft.setup))
    return push(desk, PickFirst(draft)) if draft.count > 1 else started(desk, draft, 0)


def first_rows(draft: Draft) -> list[ListRow]:
    """Who begins?"""
    seat = seat_option(draft.game)
    what = f"{title(draft.game, seat)}?"
    roll_off = partial(push, page=RollOff(draft))
    if ROLL_OFF in find(draft.game).OPTIONS[seat]:
        roll_off = partial(started, draft=draft, first=ROLL_OFF)
    return [
        ListRow(what, ("ROLL-OFF",), roll_off),
        *(
            ListRow(what, (player,), partial(started, draft=draft, first=seat))
            for seat, player in enumerate(draft.players)
        ),
    ]


def started(desk: Desk, draft: Draft, first: OptionValue) -> Desk:
    """The draft is complete: the game is asked for."""
    setup: Setup = draft.with_option(seat_option(draft.game), first).setup
    return ask_for(desk, BeginGame(setup))


def in_roll_off(desk: Desk, page: RollOff, button: Button) -> Desk:
    """After a press: LEFT, RIGHT and OK tell a die, BACK takes the last one back."""
    if button is Button.BACK:
        if page.telling is not None or page.thrown:
            return turn_to(desk, RollOff(page.draft, page.totals))
        return turn_to(desk, RollOff(page.draft, page.totals[:-1])) if page.totals else back(desk)
    if page.telling is None:
        telling = button in (Button.LEFT, Button.RIGHT, Button.OK)
        return turn_to(desk, RollOff(page.draft, page.totals, 1)) if telling else desk
    if button is Button.OK:
        return _count(desk, page, page.telling)
    step = {Button.LEFT: -1, Button.RIGHT: 1}.get(button, 0)
    return turn_to(desk, replace(page, telling=(page.telling - 1 + step) % 6 + 1))


def thrown_off(desk: Desk, page: RollOff, dice: tuple[TrackedDie, ...]) -> Desk:
    """After a throw: one die counts, a doubtful one is asked about, others lying there do not."""
    thrown = [die for die in dice if die.thrown]
    if len(thrown) != 1:
        return turn_to(desk, RollOff(page.draft, page.totals, thrown=len(thrown)))
    reading = thrown[0].reading
    likely = [c.value for c in reading.candidates if isinstance(c.value, int)]
    if reading.sure and isinstance(reading.value, int):
        return _count(desk, page, reading.value)
    face = reading.value if isinstance(reading.value, int) else next(iter(likely), 1)
    return turn_to(desk, RollOff(page.draft, page.totals, face))


def _count(desk: Desk, page: RollOff, face: int) -> Desk:
    totals = (*page.totals, face)
    now = standing(page.draft.count, totals)
    after = turn_to(desk, RollOff(page.draft, totals))
    return started(after, page.draft, now.seat) if now.decided else after
