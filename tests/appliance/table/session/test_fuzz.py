"""The table takes anything at any time, in every game: no exception, no dead end, nothing lost."""

from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.inputs import Button, Pressed
from appliance.journal.log import line_to_text, lines_from_text
from appliance.screens.draw import pages
from appliance.table.session.modes import (
    EnteringColour,
    EnteringFace,
    EnteringThrow,
    Hinting,
    LookingOver,
    Mode,
    Playing,
    Turned,
    Undoing,
    ViewingSheet,
)
from appliance.table.session.presses import ANSWERS
from appliance.table.session.prompting import prompt
from appliance.table.session.session import (
    Drawn,
    Played,
    Session,
    Setup,
    Sight,
    asks_colours,
    new_session,
    replay,
    resume,
)
from appliance.table.session.step import Input, step
from games.chance import draw
from games.registry import GAMES
from games.values import DieKind, Draw, Face, Reveal, Throw
from tests.builders import die, roll
from tests.rigs.examples import examples
from vision.events import Cleared, Found, Moved, PickedUp, Roll, TrackedDie, TrayChanged
from vision.reading import POWER_FACES, Candidate, DieReading, DieState, Kind, TrayState

PLAYERS = {name: min(game.min_players + 1, game.max_players) for name, game in GAMES.items()}

face_values = st.one_of(
    st.integers(1, 6), st.sampled_from(POWER_FACES), st.sampled_from([None, 0, 7, -1, "joker", ""])
)
readings = st.builds(
    lambda kind, face, state, others, x, aside: DieReading(
        kind, face, state, tuple(Candidate(f, 0.3) for f in others), 0.5, (x, 1.0), (), None, aside
    ),
    st.sampled_from(Kind),
    face_values,
    st.sampled_from(DieState),
    st.lists(face_values.filter(lambda face: face is not None), max_size=2),
    st.floats(-50, 500),
    st.booleans(),
)
dice = st.lists(st.builds(TrackedDie, st.integers(0, 9), readings, st.booleans()), max_size=9).map(
    tuple
)


@st.composite
def proper_throws(draw: st.DrawFn) -> Roll:
    """Some dice of a game, all read well: what advances a game."""
    kind, count = draw(
        st.sampled_from(
            [(Kind.BLACK, 5), (Kind.BLACK, 5), (Kind.RED, 1), (Kind.WHITE, 3), (Kind.YELLOW, 1)]
        )
    )
    power = draw(st.booleans()) and count == 5
    faces = draw(st.lists(st.integers(1, 6), min_size=count, max_size=count))
    thrown = draw(st.lists(st.booleans(), min_size=6, max_size=6).map(lambda b: b or [True] * 6))
    seen = [die(slot, face, kind, thrown=thrown[slot]) for slot, face in enumerate(faces)]
    if power:
        face = draw(st.sampled_from(POWER_FACES))
        seen.append(die(5, face, Kind.POWER, thrown=thrown[5]))
    return roll(*seen)


slots = st.lists(st.integers(-1, 9), max_size=4).map(tuple)
inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(Pressed, st.sampled_from(Button), st.booleans()),
    st.builds(Pressed, st.sampled_from([Button.OK, Button.RIGHT])),
    st.builds(Pressed, st.just(Button.OK)),
    proper_throws(),
    proper_throws(),
    dice.map(lambda seen: Roll(0, 0.0, seen, 0)),
    dice.map(lambda seen: Found(0, 0.0, seen)),
    dice.map(lambda seen: Moved(0, 0.0, tuple(d.track_id for d in seen), seen)),
    st.builds(Moved, st.just(0), st.just(0.0), slots, st.just(())),
    st.builds(PickedUp, st.just(0), st.just(0.0), slots),
    st.builds(TrayChanged, st.just(0), st.just(0.0), st.sampled_from(TrayState)),
    st.just(Cleared(0, 0.0)),
    st.booleans().map(Sight),
)


def take(session: Session, happened: Input) -> Session:
    """One step and the lots that follow; checks what must hold after each step."""
    before = session
    session = step(session, happened)
    for _ in range(200):
        ask = session.record.ask
        if not isinstance(ask, Draw):
            break
        session = step(session, Drawn(ask.lots[len(session.record.events) % len(ask.lots)]))
    assert pages(prompt(session))
    if session.record.serial == before.record.serial:
        assert session.record.log[: len(before.record.log)] == before.record.log
    return session


def same_when_read_again(session: Session) -> None:
    texts = [line_to_text(session.record.setup, line) for line in session.record.log]
    again = resume(
        session.record.setup, lines_from_text(session.record.setup, texts), session.record.serial
    )
    assert (again.record.state, again.record.events, again.record.holds) == (
        session.record.state,
        session.record.events,
        session.record.holds,
    )
    assert replay(session.record.setup, session.record.events) == session.record.state


def start(game: str) -> Session:
    return new_session(Setup(game, tuple("ABC"[: PLAYERS[game]])))


def test_every_mode_says_what_a_press_does() -> None:
    assert set(ANSWERS) == set(get_args(Mode))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(10, 25))
@given(happened=st.lists(inputs, max_size=60))
def test_anything_may_happen_at_any_time(game: str, happened: list[Input]) -> None:
    session = start(game)
    for one in happened:
        session = take(session, one)
    same_when_read_again(session)


def answer(session: Session, ask: Throw | Reveal, random: Random) -> Roll:
    """A throw that answers what is asked for, all read well, in a tray that was empty."""
    if asks_colours(ask):
        shown = draw(session.record.rules, session.record.state, random).dice
        faces: list[tuple[Kind, Face]] = [(Kind(d.kind.value), d.face) for d in shown]
    else:
        faces = [
            (Kind(d.kind.value), "1" if d.kind is DieKind.POWER else random.randint(1, 6))
            for d in ask.dice
        ]
    return roll(*(die(slot, face, kind) for slot, (kind, face) in enumerate(faces)))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(5, 15))
@given(happened=st.lists(inputs, max_size=40), seed=st.integers(0, 999))
def test_the_game_can_always_go_on(game: str, happened: list[Input], seed: int) -> None:
    """Wherever a game stands, buttons and one good throw bring the next line of the record."""
    session = start(game)
    for one in happened:
        session = take(session, one)
    serial, played, random = session.record.serial, _played(session), Random(seed)
    for _ in range(30):
        ask = session.record.ask
        if isinstance(session.mode, ViewingSheet | LookingOver | Undoing | Hinting | Turned):
            session = take(session, Pressed(Button.BACK))
        elif isinstance(session.mode, Playing) and isinstance(ask, Throw | Reveal):
            session = take(session, Cleared(0, 0.0))
            session = take(session, answer(session, ask, random))
        elif isinstance(session.mode, EnteringThrow) and None in dict(session.mode.faces).values():
            # A throw is entered by hand: any face will do.
            session = take(session, Pressed(Button.HOLD1))
        elif isinstance(session.mode, EnteringFace) and session.mode.face is None:
            # So will it where nobody has proposed one.
            session = take(session, Pressed(Button.RIGHT))
        elif isinstance(session.mode, EnteringColour) and session.mode.kind is None:
            session = take(session, Pressed(Button.RIGHT))
        else:
            session = take(session, Pressed(Button.OK))
        if session.record.serial > serial or _played(session) > played:
            return
    raise AssertionError(f"stuck in {session.mode}, {prompt(session)}")


def _played(session: Session) -> int:
    return sum(isinstance(line, Played) for line in session.record.log)
