"""The menu and what it leads to, except setting up a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import wrap

from appliance.inputs import Button, Pressed
from appliance.rules.game import Throw
from appliance.table.menu import new_game, prompting
from appliance.table.menu.console import Console, Page
from appliance.table.menu.final_scores import FinalScore
from appliance.table.menu.lesson import open_lesson
from appliance.table.menu.modules import ask_for_layout
from appliance.table.menu.new_game import AtTable
from appliance.table.menu.options import (
    option_in_force,
    option_title,
    option_value_words,
    option_values,
    options_asked,
)
from appliance.table.menu.own_die import OwnDie
from appliance.table.menu.pages import ListRow, PlainList
from appliance.table.menu.requests import (
    AnswerDice,
    Calibrate,
    OpenGame,
    ShowAbout,
    ShutDown,
    UseStick,
)
from appliance.table.menu.telling import TELLINGS, open_telling
from appliance.table.names import MAX_NAME_LETTERS
from appliance.table.prompts import Prompt
from appliance.table.session.modes import ViewingSheet
from appliance.table.session.prompting import prompt as session_prompt
from appliance.table.session.step import step
from appliance.words import Label, Verbatim, languages

_MAX_LETTERS_WITH_POINTS = 15
"""Letters of a name and figures that fit on one line."""


class Records(PlainList):
    """Lists the best scores; the service counts them while this is the top page."""

    __slots__ = ()
    empty = "STILL", "COUNTING"

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One score per row."""
        return [_score_row(score) for score in console.kept.records or ()]

    def prompt(self, console: Console) -> Prompt:
        """The score shown, or why there is none."""
        none = prompting.NoticePrompt((("NO GAME", "FINISHED"),), passing=False)
        return none if console.kept.records == () else super().prompt(console)


def _score_row(score: FinalScore) -> ListRow:
    title, player, points = Label(score.game), Verbatim(score.player), str(score.points)
    if len(player) + len(points) > _MAX_LETTERS_WITH_POINTS:
        return ListRow(title, (player, points), ok="")
    return ListRow(title, (player,), ok=points)


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of the menu: its word on the board, what OK does, whether it is offered now."""

    word: str
    chosen: Callable[[Console], Console]
    offered: Callable[[Console], object] = lambda console: True


class Menu(PlainList):
    """The menu."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """What is offered now."""
        offered = (entry for entry in MENU_ENTRIES if entry.offered(console))
        return [ListRow("MENU", (entry.word,), entry.chosen) for entry in offered]


def over_menu(console: Console) -> Console:
    """The console with the menu below all pages, where there is no game."""
    if console.session is not None or any(isinstance(page, Menu) for page in console.pages[:1]):
        return console
    return replace(console, pages=(Menu(), *console.pages))


class OldGames(PlainList):
    """The games that were put aside."""

    __slots__ = ()
    empty = "NO OLD", "GAMES"

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One game per row."""
        return [
            ListRow(
                Label(aside.game),
                new_game.lines_of_names(aside.players),
                partial(_open_old_game, number=aside.number),
            )
            for aside in console.kept.aside
        ]


def _open_old_game(console: Console, number: int) -> Console:
    return console.with_requests(OpenGame(number))


class Review(PlainList):
    """A look back at the game; the service assesses its decisions while this is the top page."""

    __slots__ = ()
    empty = "REVIEW", "THINKING"

    def rows(self, console: Console) -> Sequence[ListRow]:
        """How a player fared, or a decision; OK shows the next."""
        onward = Review(self.index + 1)
        return [
            ListRow(said.title, said.lines, lambda console: console.replace_top(onward))
            for said in console.kept.review or ()
        ]

    def prompt(self, console: Console) -> Prompt:
        """A decision is shown with the throw that it was about."""
        said = console.kept.review or ()
        at = self.index % len(said) if said else 0
        if said and said[at].dice:
            return prompting.DecisionPrompt(said[at], at, len(said))
        return PlainList.prompt(self, console)


class Stick(PlainList):
    """What can be done with the stick that is plugged in."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One action per row."""
        return [_stick_row(*offer.split("\t")) for offer in console.equipment.stick]


def _stick_row(word: str, title: str = "STICK", *said: str) -> ListRow:
    """An action with what is said about it; of a tray to choose, players' names come first."""
    if title in ("WHICH TRAY?", "OURS?"):
        said = (*map(Verbatim, said[:-1]), *said[-1:])
    return ListRow(title, said or (word,), partial(_use_stick, word=word))


def _use_stick(console: Console, word: str) -> Console:
    return console.back().with_requests(UseStick(word))


def with_stick(console: Console, words: tuple[str, ...]) -> Console:
    """The console with what a stick can be used for; a new one is offered over the game or menu."""
    new = words and not console.equipment.stick
    if new and console.notice is not None:
        return console
    pages = tuple(page for page in console.pages if words or not isinstance(page, Stick))
    equipment = replace(console.equipment, stick=words)
    console = over_menu(replace(console, equipment=equipment, pages=pages))
    # In a game the menu is something that people are in.
    free = console.page is None or (console.session is None and console.page == Menu())
    return console.push(Stick()) if new and free else console


@dataclass(frozen=True, slots=True)
class Keeping(Page):
    """Asks whether to begin a new game, and says that the current one is kept."""

    def prompt(self, console: Console) -> Prompt:
        """The question."""
        return prompting.QuestionPrompt("NEW GAME?", ("THIS GAME", "IS KEPT"))

    def pressed(self, console: Console, press: Pressed) -> Console:
        """OK is yes, BACK is no."""
        if press.button is Button.BACK:
            return console.back()
        return new_game.begin_setup(console) if press.button is Button.OK else console


@dataclass(frozen=True, slots=True)
class PlayAgain(Page):
    """Asks whether to play again: one OK too many must not hide who has won."""

    def prompt(self, console: Console) -> Prompt:
        """The question."""
        return prompting.QuestionPrompt("PLAY AGAIN?")

    def pressed(self, console: Console, press: Pressed) -> Console:
        """OK is yes, BACK is no."""
        if press.button is Button.BACK:
            return console.back()
        return new_game.play_again(console) if press.button is Button.OK else console


@dataclass(frozen=True, slots=True)
class Scores(Page):
    """The sheets of the current game, as the session shows them; the game below is unchanged."""

    sheet: ViewingSheet

    def prompt(self, console: Console) -> Prompt:
        """The sheet."""
        assert console.session is not None
        return session_prompt(replace(console.session, mode=self.sheet))

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Turns pages, or goes back."""
        if press.button is Button.BACK or console.session is None:
            return console.back()
        looking = step(replace(console.session, mode=self.sheet), Pressed(press.button)).mode
        return (
            console.replace_top(Scores(looking)) if isinstance(looking, ViewingSheet) else console
        )


@dataclass(frozen=True, slots=True)
class Brightness(Page):
    """The brightness, changed live; BACK restores `before`."""

    before: int

    def prompt(self, console: Console) -> Prompt:
        """The brightness now."""
        return prompting.BrightnessPrompt(console.brightness)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """LEFT and RIGHT change it, OK takes it."""
        if press.button is Button.BACK:
            return console.with_brightness(self.before).back()
        if press.button is Button.OK:
            return console.back()
        change = {Button.LEFT: -1, Button.RIGHT: 1}.get(press.button, 0)
        return console.with_brightness(console.brightness + change)


class Languages(PlainList):
    """The languages that the board can speak, each by its own name."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One language per row."""
        return [
            ListRow("LANGUAGE", (Verbatim(name),), partial(_choose_language, code=code))
            for code, name in languages().items()
        ]


def _choose_language(console: Console, code: str) -> Console:
    return console.with_settings(replace(console.settings, language=code)).back()


class VoicePage(PlainList):
    """Whether a voice says what the board shows."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """Its switch."""
        word = "SWITCH OFF" if console.equipment.speaks else "SWITCH ON"
        return [ListRow("VOICE", (word,), _switch_voice)]


def _switch_voice(console: Console) -> Console:
    speaks = not console.equipment.speaks
    console = console.with_settings(replace(console.settings, voice=speaks))
    return replace(console, equipment=replace(console.equipment, speaks=speaks))


class Beginners(PlainList):
    """Whether those who have never won see the best choice first, or the one with most points."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """What comes first now; OK changes it."""
        word = "BEST FIRST" if console.equipment.advises else "POINTS FIRST"
        return [ListRow("BEGINNERS", (word,), _switch_advice)]


def _switch_advice(console: Console) -> Console:
    advises = not console.equipment.advises
    console = console.with_settings(replace(console.settings, beginners=advises))
    return replace(console, equipment=replace(console.equipment, advises=advises))


class Games(PlainList):
    """The games, to be told how one goes."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One game per row."""
        return [
            ListRow("RULES", (Label(game),), partial(open_telling, game=game))
            for game in console.equipment.games
            if game in TELLINGS
        ]


def _tell_rules(console: Console) -> Console:
    """Tells how the current game goes; without one, whichever is chosen."""
    session = console.session
    if session is None:
        return console.push(Games())
    return open_telling(console, session.record.setup.game)


class HouseRules(PlainList):
    """The options of the current game, and those of the next."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One option per row; OK changes those that are asked about for the next game."""
        if console.session is None:
            return ()
        setup = console.session.record.setup
        game, changing = setup.game, options_asked(setup.game)
        rows = []
        for name in setup.rules.OPTIONS:
            text = option_value_words(game, name, option_in_force(setup, name), setup.players)
            if name not in changing:
                rows.append(ListRow(option_title(game, name), (text,), ok=""))
                continue
            later = option_value_words(game, name, console.settings.option(game, name))
            lines = (f"NOW {text}",) if later == text else (f"NOW {text}", f"NEXT {later}")
            change = partial(_choose_next_value, game=game, name=name)
            rows.append(ListRow(option_title(game, name), lines, change))
        return rows


def _choose_next_value(console: Console, game: str, name: str) -> Console:
    known, coming = option_values(game, name), console.settings.option(game, name)
    following = known[(known.index(coming) + 1) % len(known)] if coming in known else known[0]
    return console.with_settings(console.settings.with_option(game, name, following))


class About(PlainList):
    """Versions and status."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One item per row, as last requested."""
        about = console.equipment.about or (("ABOUT", "DICETRAY"),)
        return [ListRow(label, (text,), ok="") for label, text in about]

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Goes through the list, and requests the status anew."""
        after = super().pressed(console, press)
        return after.with_requests(ShowAbout()) if isinstance(after.page, About) else after


class NetworkPage(PlainList):
    """The score page for the room: its PIN and address, and whether it is on."""

    __slots__ = ()
    private = True

    def rows(self, console: Console) -> Sequence[ListRow]:
        """What is needed to open the page; at the end, or alone, its switch."""
        pin, ((_, new), *about) = console.settings.pin, console.equipment.network
        said = [("PIN", pin[:6]), *about] if pin else []
        rows = [ListRow(label, tuple(wrap(text, MAX_NAME_LETTERS)), ok="") for label, text in said]
        word, switch = ("SWITCH OFF", "") if pin else ("SWITCH ON", new)
        return [*rows, ListRow("NETWORK", (word,), partial(_switch_network, pin=switch))]


def _switch_network(console: Console, pin: str) -> Console:
    console = console.with_settings(replace(console.settings, pin=pin))
    return console.replace_top(NetworkPage()).with_requests(ShowAbout())


@dataclass(frozen=True, slots=True)
class OtherDice(Page):
    """Asks whether dice that seem to have another size, in millimetres, are new ones."""

    old_mm: float
    new_mm: float

    def prompt(self, console: Console) -> Prompt:
        """The question, and what is seen."""
        sizes = f"{self.old_mm:g} MM", f"NOW {self.new_mm:g} MM"
        return prompting.QuestionPrompt("NEW DICE?", sizes)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """OK: they are new; BACK: they are the same."""
        if press.button not in (Button.OK, Button.BACK):
            return console
        return console.back().with_requests(AnswerDice(press.button is Button.OK))


@dataclass(frozen=True, slots=True)
class OtherColours(Page):
    """Asks whether dice whose colours are not the known ones are new; words as on the board."""

    old: tuple[str, ...]
    new: tuple[str, ...]

    def prompt(self, console: Console) -> Prompt:
        """The question, and what is seen: more than one colour is too much for a line."""
        old, new = (words[0] if len(words) == 1 else "MIXED" for words in (self.old, self.new))
        return prompting.QuestionPrompt("NEW DICE?", (old, f"NOW {new}"))

    def pressed(self, console: Console, press: Pressed) -> Console:
        """OK: they are new; BACK: they are the same."""
        if press.button not in (Button.OK, Button.BACK):
            return console
        return console.back().with_requests(AnswerDice(press.button is Button.OK))


@dataclass(frozen=True, slots=True)
class Off(Page):
    """Asks whether to switch the appliance off."""

    switches_off = True

    def prompt(self, console: Console) -> Prompt:
        """The question."""
        return prompting.QuestionPrompt("SHUT DOWN?")

    def pressed(self, console: Console, press: Pressed) -> Console:
        """OK is yes, BACK is no."""
        if press.button is Button.OK:
            return console.replace_top(GoodBye()).with_requests(ShutDown())
        return console.back() if press.button is Button.BACK else console


@dataclass(frozen=True, slots=True)
class GoodBye(Page):
    """The appliance is being switched off."""

    closes = False
    switches_off = True

    def prompt(self, console: Console) -> Prompt:
        """Says that it is shutting down."""
        return prompting.NoticePrompt((("GOODBYE", "SHUTS DOWN"),), passing=False)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Ignores every press."""
        return console


def _is_playing(console: Console) -> bool:
    return console.session is not None and not console.over


def _begins_turn(console: Console) -> bool:
    """Whether a turn begins, so that no dice in the tray are needed for it."""
    session = console.session
    ask = None if session is None else session.record.ask
    return isinstance(ask, Throw) and ask.roll == 1 and not ask.coloured


def _open_scores(console: Console) -> Console:
    session = console.session
    ask = None if session is None else session.record.ask
    return console.push(Scores(ViewingSheet(0 if ask is None else ask.seat)))


def _ask_for_new_game(console: Console) -> Console:
    kept = console.session is not None and not console.over and console.session.record.events
    return console.push(Keeping()) if kept else new_game.begin_setup(console)


MENU_ENTRIES: tuple[MenuEntry, ...] = (
    MenuEntry("GO ON", lambda console: console.close(), _is_playing),
    MenuEntry("PLAY AGAIN", new_game.play_again, lambda console: console.over),
    MenuEntry("SCORES", _open_scores, _is_playing),
    MenuEntry("NEW GAME", _ask_for_new_game),
    MenuEntry("SCORES", _open_scores, lambda console: console.over),
    MenuEntry(
        "REVIEW",
        lambda console: replace(console, kept=replace(console.kept, review=None)).push(Review()),
        lambda console: console.over,
    ),
    MenuEntry("PLAYERS", lambda console: console.push(AtTable()), _is_playing),
    MenuEntry(
        "OLD GAMES", lambda console: console.push(OldGames()), lambda console: console.kept.aside
    ),
    MenuEntry(
        "RECORDS",
        lambda console: replace(console, kept=replace(console.kept, records=None)).push(Records()),
        lambda console: console.kept.finished or console.over,
    ),
    MenuEntry(
        "STICK", lambda console: console.push(Stick()), lambda console: console.equipment.stick
    ),
    MenuEntry(
        "NETWORK",
        lambda console: console.push(NetworkPage()).with_requests(ShowAbout()),
        lambda console: console.equipment.network,
    ),
    MenuEntry("BRIGHTNESS", lambda console: console.push(Brightness(console.brightness))),
    MenuEntry("LANGUAGE", lambda console: console.push(Languages())),
    MenuEntry(
        "VOICE",
        lambda console: console.push(VoicePage()),
        lambda console: console.equipment.speaks is not None,
    ),
    MenuEntry(
        "BEGINNERS",
        lambda console: console.push(Beginners()),
        lambda console: console.equipment.advises is not None,
    ),
    MenuEntry(
        "RULES",
        _tell_rules,
        lambda console: console.session is None or console.session.record.setup.game in TELLINGS,
    ),
    MenuEntry(
        new_game.TRY_A_TURN,
        open_lesson,
        lambda console: not _is_playing(console) or _begins_turn(console),
    ),
    MenuEntry(
        "HOUSE RULES",
        lambda console: console.push(HouseRules()),
        lambda console: console.session,
    ),
    MenuEntry(
        "CALIBRATE",
        lambda console: console.close().with_requests(Calibrate()),
        lambda console: console.equipment.can_calibrate,
    ),
    MenuEntry(
        "MY DICE",
        lambda console: console.push(OwnDie()),
        lambda console: console.equipment.judges_dice,
    ),
    MenuEntry("MODULES", ask_for_layout, lambda console: console.equipment.modules.layouts),
    MenuEntry("ABOUT", lambda console: console.push(About()).with_requests(ShowAbout())),
    MenuEntry("SHUT DOWN", lambda console: console.push(Off())),
)
"""What the menu can offer, in order: the most wanted first."""
