"""No press does what nobody saw: whatever page the board shows, and whichever button is pressed.

Games of all kinds are played at random, with menus, notices, hints, questions and slips in between.
At every page on the way each button is tried, short and long, on a copy of what is there.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random
from weakref import WeakKeyDictionary

import pytest

from appliance.inputs import HOLD_BUTTONS, SHUT_DOWN, Button, Pressed
from appliance.picture import Picture
from appliance.screens.draw import film, pages
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.font import TALL, Font
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console, Notice, Waited
from appliance.table.menu.prompting import ListPrompt, NamePrompt, NoticePrompt, QuestionPrompt
from appliance.table.menu.requests import BeginGame, OpenGame, Request, ShutDown
from appliance.table.menu.step import Happening, advance
from appliance.table.prompts.betting import BetPrompt, ColourPrompt, HandPrompt, PotPrompt
from appliance.table.prompts.hints import HintPrompt, WaitPrompt
from appliance.table.prompts.looking import StripPrompt, TablePrompt, UndoPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.hinting import wants_hint
from appliance.table.session.modes import Hinting
from appliance.table.session.session import (
    Drawn,
    Hinted,
    Holding,
    OnRecord,
    Played,
    Session,
    Setup,
    Sight,
    Undone,
    asks_colours,
    held_slots,
    new_session,
)
from appliance.table.session.tray import TraySeen
from appliance.words import Label
from games.chance import draw, random_game
from games.holdem.state import Fold, TakePot
from games.registry import GAMES
from games.values import (
    Choice,
    Choose,
    Corrected,
    DieKind,
    Draw,
    Face,
    Hint,
    Keep,
    Left,
    Measure,
    Recoloured,
    Reveal,
    Rolled,
    Shown,
    Throw,
)
from tests.appliance.table.menu.fake_service import KNOWN, FakeService
from tests.builders import die, roll
from tests.rigs.examples import examples
from vision.events import Cleared, Moved, PickedUp, TrackedDie, TrayChanged
from vision.reading import POWER_FACES, DieState, Kind, TrayState

OK = Pressed(Button.OK)
PRESSES = [Pressed(button, long) for button, long in product(Button, (False, True))]
QUESTIONS_ABOUT_DICE = FacePrompt | ColourPrompt | CountPrompt | ClashPrompt | EntryPrompt
PLAYERS = dict.fromkeys(GAMES, 2) | {"free-for-all": 3, "holdem": 3}
NAMED_BUTTON = re.compile(r"\bOK\b|BACK:|< >")
NOTICE = Notice((("TOO LATE", "TO JOIN"),))
LOOKS: dict[str, type] = {"showdown": TablePrompt, "free-for-all": TablePrompt}
STEPS = 900
"""Things that happen to a table."""
MOST_TRIED = examples(8, STEPS)
"""How many prompts of a kind every button is tried at."""


@dataclass
class Table:
    """A console on which something happens at random, and what has been tried on it."""

    random: Random
    service: FakeService = field(default_factory=lambda: FakeService(Console(settings=KNOWN)))
    tried: Counter[str] = field(default_factory=Counter)
    shown: set[Prompt] = field(default_factory=set)

    @property
    def console(self) -> Console:
        return self.service.console

    def begin(self, setup: Setup) -> None:
        self.service.console = replace(self.console, session=new_session(setup), pages=())

    def happen(self, happened: Happening) -> None:
        """Something happens, and what follows from it without anybody's doing."""
        self.service.happen(happened)
        for _ in range(200):
            session = self.console.session
            ask = None if session is None else session.record.ask
            if session is None or not isinstance(ask, Draw):
                break
            self.service.happen(Drawn(self.random.choice(ask.lots)))
        if session is not None and wants_hint(session):
            choices = session.record.choices
            hint = Hint(self.random.choice(choices), 0.5, Measure.WIN) if choices else None
            self.service.happen(Hinted(hint if self.random.random() < 0.8 else None))

    def try_all_buttons(self) -> None:
        """Tries every button on what is shown, on each of its pages."""
        shown = console_prompt(self.console)
        kind = type(shown).__name__
        if shown in self.shown or self.tried[kind] == MOST_TRIED * len(PRESSES):
            return
        self.shown.add(shown)
        drawn = film(shown)
        for page, button in product(dict.fromkeys(still.picture for still in drawn.loop), Button):
            if drawn.takes(button, page):
                check_page(self.console, shown, page, button)
                self.tried["on a page"] += 1
            else:
                self.tried["turns to another page"] += 1
        covered = replace(self.console, notice=NOTICE)
        for press in PRESSES:
            check(self.console, shown, press)
            check(covered, console_prompt(covered), press)
            self.tried[kind] += 1
            self.tried["under a notice"] += 1


def counting(session: Session) -> object:
    return session.record.log, session.record.holds, session.tracked.loose


def check_page(console: Console, shown: Prompt, page: Picture, button: Button) -> None:
    """Checks that the page that is up, whatever the others say, shows what a press counts."""
    after, requests = advance(console, Pressed(button))
    before, now = console.session, after.session
    heavy = any(isinstance(request, BeginGame | ShutDown) for request in requests)
    counts = (
        before is not None
        and now is not None
        and before.record.serial == now.record.serial
        and counting(before) != counting(now)
    )
    if not counts and not heavy:
        return
    words, dice = READ[page.data]
    said = shown, button, words, page.rows()
    if button in HOLD_BUTTONS:
        # What was held shows at once, and the same button lets it go.
        comes = film(console_prompt(after)).loop[0].picture
        assert max(dice, READ[comes.data][1]) > HOLD_BUTTONS.index(button), said
    elif button is Button.HINT:
        assert dice > 0, said
    else:
        named = {Button.OK: r"\bOK\b", Button.BACK: "BACK"}[button]
        assert any(re.search(named, word) for word in words), said
        if isinstance(shown, FacePrompt | EntryPrompt):
            assert dice >= len(shown.dice), said
            assert None not in shown.dice or isinstance(shown, FacePrompt), said


READ: dict[bytes, tuple[tuple[str, ...], int]] = {}
"""The words and the number of dice on each picture that was drawn."""


@pytest.fixture(autouse=True)
def _reads_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    text, dice, picture = Canvas.text, Canvas.die, vars(Canvas)["picture"].fget
    drawn: WeakKeyDictionary[Canvas, list[str | None]] = WeakKeyDictionary()

    def note_text(self: Canvas, x: int, y: int, said: str, font: Font = TALL) -> int:
        drawn.setdefault(self, []).append(said)
        return text(self, x, y, said, font)

    def note_die(self: Canvas, x: int, y: int, face: Face | None) -> None:
        drawn.setdefault(self, []).append(None)
        dice(self, x, y, face)

    def note_picture(self: Canvas) -> Picture:
        made: Picture = picture(self)
        noted = drawn.get(self, [])
        READ[made.data] = tuple(word for word in noted if word is not None), noted.count(None)
        return made

    monkeypatch.setattr(Canvas, "text", note_text)
    monkeypatch.setattr(Canvas, "die", note_die)
    monkeypatch.setattr(Canvas, "picture", property(note_picture))


def check(console: Console, shown: Prompt, press: Pressed) -> None:
    """Checks that what a press changes was to be seen on the board before it."""
    after, requests = advance(console, press)
    said = shown, press
    if console.notice is not None:
        assert (after, requests) == (replace(console, notice=None), ()), said
        return
    check_requests(shown, press, console, requests)
    before, now = console.session, after.session
    if before is None or now is None or before.record.serial != now.record.serial:
        assert before is now or isinstance(shown, ListPrompt | NamePrompt | QuestionPrompt), said
        return
    if isinstance(shown, WaitPrompt):
        assert not any(NAMED_BUTTON.search(text) for page in shown.pages for text in page), shown
        assert isinstance(before.mode, Hinting)
        looks = replace(before, mode=before.mode.back, remark="")
        opens = press == Pressed(Button.OK, long=True)
        assert opens or after == replace(console, session=looks), said
    if isinstance(shown, BetPrompt) and shown.count > 1:
        check_places(shown)
    if isinstance(shown, StripPrompt | TablePrompt) and not press.long:
        # It is only looked at.
        assert now.record.log == before.record.log, said
        assert replace(now, mode=before.mode) == before, said
    lines = now.record.log[len(before.record.log) :]
    if lines:
        check_lines(shown, press, before, lines)
    if not any(isinstance(line, Holding | Played | Undone) for line in lines):
        assert now.record.holds == before.record.holds, said
    left = isinstance(shown, QUESTIONS_ABOUT_DICE) and before.tracked.loose
    asks = DicePrompt | ThrowPrompt if press == OK else DicePrompt
    if left and isinstance(console_prompt(after), asks) and not before.tray.blind:
        # No roll is shown while dice lie there that have not counted, and OK does not forget them.
        assert not now.tracked.loose, said
    new = after.notice if after.notice is not console.notice else None
    if new is not None and after.page is None and not isinstance(shown, ListPrompt | NamePrompt):
        assert not any(NAMED_BUTTON.search(text) for page in new.pages for text in page), new


def check_places(shown: BetPrompt) -> None:
    """Where each action stands in the list."""
    first, last = ("CHECK", "CALL", "ALL IN"), shown.count - 1
    assert shown.count == (3 if shown.stage in ("OPEN", "FLOP") else 4), shown
    words = {0: first, last: ("FOLD",)}.get(shown.index, ("BET", "RAISE"))
    assert shown.label.startswith(words), shown


def check_requests(
    shown: Prompt, press: Pressed, console: Console, requests: Sequence[Request]
) -> None:
    """No game begins or ends, and nothing is switched off, where that was not asked."""
    for request in requests:
        match request:
            case BeginGame():
                if isinstance(shown, QuestionPrompt):
                    assert (shown.question, press.button) == ("PLAY AGAIN?", Button.OK)
                else:
                    assert isinstance(shown, ListPrompt | FacePrompt | NamePrompt), (shown, press)
            case OpenGame() if not isinstance(shown, ListPrompt):
                assert press == Pressed(Button.BACK)
                assert console.kept.ended is not None
            case ShutDown():
                assert isinstance(shown, QuestionPrompt)
                assert shown.question == "SHUT DOWN?"


def check_lines(shown: Prompt, press: Pressed, before: Session, lines: Sequence[object]) -> None:
    """Checks that what goes on record was to be seen, and that the button was the one for it."""
    said = shown, press, lines
    if isinstance(shown, UndoPrompt):
        assert press == OK or press == Pressed(Button.OK, long=True), said
        assert isinstance(lines[0], Played if shown.again else Undone), said
        return
    for line in lines:
        match line:
            case Holding(slots):
                if isinstance(shown, HintPrompt) and press.button not in HOLD_BUTTONS:
                    assert shown.hold == slots, said
                elif not isinstance(shown, ListPrompt):
                    assert isinstance(shown, DicePrompt | ChoicePrompt | HintPrompt), said
                    changed = set(slots) ^ held_slots(before)
                    assert changed == {HOLD_BUTTONS.index(press.button)}, said
            case Played(Keep() | Rolled() | Shown() | Corrected() | Recoloured()):
                assert isinstance(shown, QUESTIONS_ABOUT_DICE), said
            case Played(Left()):
                assert isinstance(shown, QuestionPrompt), said
                assert (shown.question, press.button) == ("LEAVES?", Button.OK), said
            case Played(Choice() as choice):
                assert press.button is Button.OK, said
                check_choice(shown, choice)
            case _:
                raise AssertionError(said)


def check_choice(shown: Prompt, choice: Choice) -> None:
    """A choice was named, and asked about once more if it takes something away."""
    if isinstance(shown, PotPrompt):
        assert isinstance(choice, TakePot)
        return
    if isinstance(shown, DicePrompt):
        # There was nothing else to choose.
        assert shown.purpose == Label(choice.key)
        return
    assert isinstance(shown, ChoicePrompt | BetPrompt | HandPrompt), (shown, choice)
    assert shown.label == Label(choice.key)
    if isinstance(choice, Fold):
        assert isinstance(shown, BetPrompt)
        assert shown.confirm


def some_dice(session: Session, random: Random) -> tuple[TrackedDie, ...]:
    """Dice that were thrown as asked, or nearly so."""
    lying = asked_dice(session, random)
    if random.random() < 0.1:
        lying.append(die(7, 3))
    if lying and random.random() < 0.08:
        lying.pop(random.randrange(len(lying)))
    return tuple(lying)


def asked_dice(session: Session, random: Random) -> list[TrackedDie]:
    """The dice in the tray after a throw, by a slip with other dice kept than those held."""
    rules, state = session.record.rules, session.record.state
    ask = rules.ask(state)
    lying: list[TrackedDie] = []
    if isinstance(ask, Throw | Reveal) and asks_colours(ask):
        known = zip(rules.kinds(state), rules.dice(state), strict=True)
        for slot, (colour, face) in enumerate(known):
            if colour is not None and slot < 5 and face is not None and len(ask.dice) != 3:
                lying.append(die(slot, face, Kind(colour.value), thrown=False))
        for asked, one in zip(ask.dice, draw(rules, state, random).dice, strict=True):
            lying.append(doubted(random, asked.slot, one.face, Kind(one.kind.value)))
    elif isinstance(ask, Throw):
        for slot, asked in enumerate(ask.dice):
            lying.append(
                doubted(random, slot, any_face(asked.kind, random), Kind(asked.kind.value))
            )
    elif isinstance(ask, Choose):
        slips = random.random() < 0.2
        for slot, old in enumerate(rules.dice(state)):
            if old is None:
                continue
            kind = rules.dice_kinds[slot]
            kept = slot in session.record.holds if session.record.holds else random.random() < 0.5
            if kept is not (slips and random.random() < 0.5):
                lying.append(die(slot, old, Kind(kind.value), thrown=False))
            else:
                lying.append(doubted(random, slot, any_face(kind, random), Kind(kind.value)))
    return lying


def any_face(kind: DieKind, random: Random) -> Face:
    faces: tuple[Face, ...] = POWER_FACES if kind is DieKind.POWER else (1, 2, 3, 4, 5, 6)
    return random.choice(faces)


def doubted(random: Random, slot: int, face: Face, kind: Kind) -> TrackedDie:
    state = DieState.OK if random.random() < 0.93 else random.choice(tuple(DieState))
    return die(slot, face, kind, state=state)


def what_happens(table: Table) -> Happening:
    """Mostly what the board waits for; now and then anything else."""
    random, console, session = table.random, table.console, table.console.session
    at = random.random()
    shown = console_prompt(console)
    if isinstance(shown, BetPrompt) and at < 0.6:
        # So that no raise is left now and then.
        raises = shown.index in (1, 2) and shown.count > 2 and shown.possible
        return OK if raises else Pressed(Button.RIGHT)
    if session is not None and at < 0.3:
        dice = some_dice(session, random)
        if dice:
            return roll(*dice)
    if at < 0.34 and session is not None and session.tracked.seen:
        one = random.choice(session.tracked.seen)
        return random.choice(
            (
                PickedUp(0, 0.0, (one.track_id,)),
                Moved(0, 0.0, (one.track_id,), (die(one.track_id, random.randint(1, 6)),)),
            )
        )
    if at < 0.37:
        return random.choice(
            (Waited(), SHUT_DOWN, Cleared(0, 0.0), Sight(True), Sight(False), Sight(False))
        )
    if at < 0.42:
        return TrayChanged(0, 0.0, random.choice(tuple(TrayState)))
    if at < 0.46:
        table.service.console = replace(console, notice=Notice((("SAVED", "1 GAMES"),)))
        return Waited() if random.random() < 0.5 else Pressed(Button.RIGHT)
    presses = [OK] * 12 + [Pressed(Button.RIGHT)] * 4 + [Pressed(Button.BACK)] * 4
    presses += [
        Pressed(button) for button in (Button.LEFT, Button.HINT, Button.HINT, *HOLD_BUTTONS)
    ]
    presses += [Pressed(button, long=True) for button in (Button.OK, Button.BACK, Button.HOLD1)]
    return random.choice(presses)


PAGES = (WaitPrompt, HintPrompt, UndoPrompt, ListPrompt, FacePrompt, NoticePrompt)
NEEDED = (
    (*PAGES, CountPrompt, ClashPrompt, EntryPrompt, ChoicePrompt, DicePrompt, ThrowPrompt),
    (*PAGES, ColourPrompt, BetPrompt),
)


@pytest.mark.parametrize("game", GAMES)
def test_every_button_does_only_what_was_to_be_seen(game: str) -> None:
    table = Table(Random(f"seen {game}"))
    players = ("ANNA", "BOB", "CLEO")[: PLAYERS[game]]
    for number in range(STEPS):
        if number % (STEPS // 3) == 0:
            table.begin(Setup(game, players))
        if table.console.pages and table.random.random() < 0.2:
            table.service.console = table.console.close()
        table.happen(what_happens(table))
        assert pages(console_prompt(table.console))
        table.try_all_buttons()
    tried = table.tried
    assert tried.total() > examples(1500, 8000), tried
    assert tried["on a page"] > examples(500, 3000), tried
    assert tried["turns to another page"] > examples(2, 20), tried
    missing = {kind.__name__ for kind in NEEDED[game == "holdem"]} - set(tried)
    if game != "holdem":
        missing |= {LOOKS.get(game, StripPrompt).__name__} - set(tried)
    assert not missing, tried


@pytest.mark.parametrize("game", GAMES)
def test_at_the_end_of_a_game_too(game: str) -> None:
    players = ("ANNA", "BOB", "CLEO")[: PLAYERS[game]]
    events, state = random_game(GAMES[game], players, {}, Random(3))
    session = Session(OnRecord(Setup(game, players), 1, state, tuple(events)))
    table = Table(Random(4))
    table.service.console = replace(table.console, session=session)
    assert isinstance(console_prompt(table.console), OverPrompt)
    table.try_all_buttons()
    for press in PRESSES:
        table.service.console = replace(table.console, session=session, pages=(), notice=None)
        table.happen(press)
        table.try_all_buttons()
    assert table.tried.total() >= 3 * len(PRESSES)


def test_the_first_throw_of_a_game_too() -> None:
    for game, blind in product(GAMES, (False, True)):
        table = Table(Random(5))
        players = ("ANNA", "BOB", "CLEO")[: PLAYERS[game]]
        session = replace(new_session(Setup(game, players)), tray=TraySeen(blind=blind))
        kept = replace(table.console.kept, ended=None)
        table.service.console = replace(table.console, session=session, kept=kept)
        shown = console_prompt(table.console)
        assert isinstance(shown, ThrowPrompt | BetPrompt | ChoicePrompt)
        table.try_all_buttons()
