"""Anything in any order at the whole console, through the service and a real journal."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.errors import PowerError, ScoreboardError
from appliance.inputs import HOLD_BUTTONS, SHOW_MODULES, SHUT_DOWN, Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.library import Library
from appliance.journal.summary import resume_saved
from appliance.screens.draw import pages
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.environment import Environment
from appliance.service.ports import Activity
from appliance.table.menu.board_modules import BoardModules
from appliance.table.menu.console import Console, Waited
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.new_game import PickFirst, Typing
from appliance.table.menu.step import Happening
from games.strategy import advice
from games.values import Face
from tests.appliance.table.scripted import ScriptedWatcher
from tests.rigs.examples import examples
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.stored_games import games_of
from vision.events import Cleared, Found, PickedUp, Roll, TrackedDie, TrackId, TrayChanged
from vision.reading import POWER_FACES, Candidate, DieReading, DieState, Kind, TrayState

OK, BACK, RIGHT = Button.OK, Button.BACK, Button.RIGHT


class Strict(ScriptedWatcher):
    """Is never asked to expect less than one die."""

    def expect(self, count: int | None) -> None:
        assert count is None or count > 0


class Refusing:
    """A machine that refuses to be switched off, so that the fuzzing continues."""

    def off(self) -> None:
        raise PowerError("not here")


@st.composite
def a_die(draw: st.DrawFn, slot: int) -> TrackedDie:
    kind = draw(st.sampled_from([Kind.BLACK] * 6 + [Kind.POWER, Kind.RED, Kind.OTHER]))
    faces: tuple[Face, ...] = POWER_FACES if kind is Kind.POWER else (1, 2, 3, 4, 5, 6)
    face = draw(st.sampled_from(faces))
    state = draw(st.sampled_from([DieState.OK] * 5 + list(DieState)))
    value: Face | None = None if draw(st.integers(0, 9)) == 0 and state is not DieState.OK else face
    likely = (Candidate(face, 0.6),) if draw(st.booleans()) else ()
    reading = DieReading(kind, value, state, likely, 0.9, (9.0 * slot, 0.0), ())
    return TrackedDie(TrackId(slot), reading, draw(st.booleans()) or draw(st.booleans()))


@st.composite
def dice(draw: st.DrawFn) -> tuple[TrackedDie, ...]:
    count = draw(st.sampled_from([5, 5, 5, 6, 6, 1, 1, 2, 3, 4, 7]))
    return tuple(draw(a_die(slot)) for slot in range(count))


PRESSES = st.builds(
    Pressed,
    st.sampled_from([OK] * 9 + [RIGHT] * 4 + [Button.LEFT, BACK, BACK, Button.HINT, *HOLD_BUTTONS]),
    st.sampled_from([False] * 7 + [True]),
)
TRAY: st.SearchStrategy[Happening] = st.one_of(
    st.builds(Roll, st.just(0), st.just(0.0), dice(), st.just(0)),
    st.builds(Roll, st.just(0), st.just(0.0), dice(), st.just(0)),
    st.builds(Found, st.just(0), st.just(0.0), dice()),
    st.builds(TrayChanged, st.just(0), st.just(0.0), st.sampled_from(TrayState)),
    st.builds(
        PickedUp, st.just(0), st.just(0.0), st.lists(st.integers(0, 6), max_size=6).map(tuple)
    ),
    st.just(Cleared(0, 0.0)),
)
HAPPENINGS: st.SearchStrategy[Happening] = st.one_of(
    PRESSES, PRESSES, PRESSES, TRAY, st.sampled_from([Waited(), SHUT_DOWN, SHOW_MODULES])
)


class ForgetfulLayouts:
    """A board that nobody has chosen a layout for, and that stores none."""

    def look(self) -> BoardModules:
        return BoardModules("1", ("fc16", "generic", "rows"), "generic", chosen=False)

    def try_layout(self, name: str | None) -> None:
        assert name in (None, "fc16", "generic", "rows")

    def store(self, name: str) -> None:
        raise ScoreboardError("its flash is full")


def made(journal: Journal) -> Appliance:
    def calibrate() -> Activity:
        raise PowerError("no camera to calibrate")

    devices = Devices(
        MemoryScoreboard(),
        power=Refusing(),
        dim=lambda level: None,
        layouts=ForgetfulLayouts(),
        chance=Random(1),
    )
    health = (("SOFTWARE", "1"), ("FIRMWARE", "NO LINK"))
    environment = Environment(health=lambda: health)
    appliance = Appliance(devices, Tray(Strict(), calibrate=calibrate), journal, environment)
    appliance.start()
    return appliance


def press(appliance: Appliance, button: Button) -> None:
    appliance.happen(Pressed(button))
    # It is shown before the next one.
    appliance.presses()
    assert pages(appliance.prompt)


def is_at_the_bottom(console: Console) -> bool:
    return console.page in (None, Menu())


def leads_on(appliance: Appliance) -> None:
    """BACK alone leads out of every menu, and OK from there to a game."""
    for _ in range(80):
        if is_at_the_bottom(appliance.console):
            break
        press(appliance, BACK)
    assert is_at_the_bottom(appliance.console)
    for _ in range(80):
        if appliance.console.session is not None:
            return
        page = appliance.console.page
        if isinstance(page, PickFirst):
            press(appliance, RIGHT)
        if isinstance(page, Typing) and page.remark:
            # A second AAAAAAAA is refused: change the last letter.
            press(appliance, BACK)
            press(appliance, RIGHT)
        press(appliance, OK)
    raise AssertionError(f"no game comes of OK at {appliance.console.page}")


def nothing_is_lost(appliance: Appliance, journal: Journal) -> None:
    """Every game in which something happened is the present one, over, or can be resumed."""
    console = appliance.console
    present = console.session.record.serial if console.session is not None else None
    offered = {aside.number for aside in console.kept.aside} | {present}
    for saved in games_of(journal):
        assert not saved.lines or saved.ended or saved.id in offered, saved
        if saved.id == present and console.session is not None:
            assert resume_saved(saved).record.state == console.session.record.state
            assert resume_saved(saved).record.holds == console.session.record.holds


@pytest.fixture(autouse=True)
def _no_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers are tested elsewhere; here a hint is an answer like any other."""
    monkeypatch.setattr(advice, "hint", lambda game, state: None)


@settings(max_examples=examples(25, 80))
@given(st.lists(HAPPENINGS, max_size=120))
def test_whatever_happens_the_console_goes_on_and_no_game_is_lost(
    happenings: list[Happening],
) -> None:
    with Journal(":memory:") as journal:
        appliance = made(journal)
        for happened in happenings:
            appliance.happen(happened)
            assert pages(appliance.prompt)
        nothing_is_lost(appliance, journal)
        leads_on(appliance)
        nothing_is_lost(appliance, journal)
        assert not appliance.ended


@settings(max_examples=examples(10, 25))
@given(st.lists(HAPPENINGS, max_size=40), st.integers(0, 2**16))
def test_a_power_cut_at_any_moment_loses_nothing(happenings: list[Happening], seed: int) -> None:
    """The appliance is discarded after each stretch and rebuilt from the journal."""
    with Journal(":memory:") as journal:
        cuts = Random(seed)
        appliance = made(journal)
        for happened in happenings:
            appliance.happen(happened)
            if cuts.random() < 0.2:
                before = appliance.console
                appliance = made(journal)
                if (saved := journal.last()) is not None and not saved.ended:
                    session = resume_saved(saved)
                    assert before.session is not None
                    assert session.record.state == before.session.record.state
                    appliance.console = replace(appliance.console, session=session)
                    appliance.console = Library(journal).with_aside(appliance.console)
                assert appliance.console.settings == before.settings
                nothing_is_lost(appliance, journal)
