"""The service's stand-in in tests: it carries out the console's requests, in memory."""

from dataclasses import dataclass, field, replace

from appliance.inputs import Button, Pressed
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Aside, Console, Equipment, open_session, resume_notice
from appliance.table.menu.prompting import ListPrompt, NamePrompt, QuestionPrompt
from appliance.table.menu.requests import BeginGame, NamePlayer, OpenGame, Request, ShowAbout
from appliance.table.menu.settings import Settings
from appliance.table.menu.step import Happening, advance
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.recording import with_player_named
from appliance.table.session.session import Session, Setup, new_session

OK, BACK, LEFT, RIGHT = Button.OK, Button.BACK, Button.LEFT, Button.RIGHT
MENU = Pressed(OK, long=True)
KNOWN = Settings(("ANNA", "BOB"), (Setup("classic", ("ANNA", "BOB")),))


@dataclass
class FakeService:
    """Carries out the console's requests as the service does, and keeps games in a dictionary."""

    console: Console = field(default_factory=lambda: Console(settings=KNOWN))
    saved: dict[int, Session] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def happen(self, *happened: Happening) -> Prompt:
        for one in happened:
            console, requests = advance(self.console, one)
            assert console.requests == ()
            self.requests += requests
            for request in requests:
                console = self.carry_out(console, request)
            self.console = console
            if console.session is not None:
                self.saved[console.session.record.serial] = console.session
        return console_prompt(self.console)

    def press(self, *buttons: Button) -> Prompt:
        return self.happen(*(Pressed(b) for b in buttons))

    def carry_out(self, console: Console, request: Request) -> Console:
        match request:
            case BeginGame(setup, after):
                session = new_session(setup, len(self.saved) + 1)
                settings = console.settings.with_game_begun(setup)
                kept = replace(console.kept, ended=after)
                console = replace(console, settings=settings, kept=kept)
                return self.with_aside(open_session(console, session))
            case OpenGame(number):
                session = self.saved[number]
                notice = resume_notice(session, "GOES ON")
                return self.with_aside(open_session(console, session, notice))
            case NamePlayer(seat, name) if console.session is not None:
                return replace(console, session=with_player_named(console.session, seat, name))
            case ShowAbout():
                return replace(
                    console, equipment=Equipment(about=(("SOFTWARE", "1"), ("FIRMWARE", "2")))
                )
            case _:
                return console

    def with_aside(self, console: Console) -> Console:
        present = console.session.record.serial if console.session else None
        asides = [
            Aside(n, s.record.setup.game, s.record.setup.players)
            for n, s in self.saved.items()
            if n != present and s.record.log and s.record.ask is not None
        ]
        return replace(console, kept=replace(console.kept, aside=tuple(reversed(asides))))

    def choose(self, text: str) -> Prompt:
        """Goes through the list with RIGHT until this is shown, and selects it."""
        for _ in range(60):
            shown = console_prompt(self.console)
            assert isinstance(shown, ListPrompt), shown
            if " ".join(shown.lines) == text:
                return self.press(OK)
            self.press(RIGHT)
        raise AssertionError(f"{text} is not in the list")

    def type(self, name: str) -> Prompt:
        """Enters a name letter by letter and finishes it with END."""
        for letter in name:
            self.turn_to(letter)
            self.press(OK)
        self.turn_to("")
        return self.press(OK)

    def turn_to(self, letter: str) -> None:
        for _ in range(60):
            shown = console_prompt(self.console)
            assert isinstance(shown, NamePrompt), shown
            if shown.entry.letter == letter:
                return
            self.press(RIGHT)
        raise AssertionError(f"{letter!r} is not in the ring")

    def aside(self) -> list[Aside]:
        return list(self.console.kept.aside)

    @property
    def session(self) -> Session:
        assert self.console.session is not None
        return self.console.session

    def play(self, game: str = "CLASSIC") -> "FakeService":
        """Begins a game with the last players, the first of whom begins."""
        if self.console.session is not None:
            self.happen(MENU)
        for text in ("NEW GAME", game, "ANNA BOB"):
            self.choose(text)
            if isinstance(console_prompt(self.console), QuestionPrompt):
                self.press(OK)
        while (shown := console_prompt(self.console)) and isinstance(shown, ListPrompt):
            who = shown.title in ("WHO BEGINS?", "WHO DEALS?")
            self.press(*((RIGHT, OK) if who else (OK,)))
        return self
