"""Builders that many tests start from: readings, dice in the tray, throws, games played by text."""

import shutil
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from appliance.config import Config, load
from appliance.journal.files import folder_of
from appliance.table.session.session import Session
from appliance.table.session.step import Input, step
from games.game import Game, Played
from games.record import Record
from games.values import DieKind, Event, Options, OptionValue, ShownDie
from tests.rigs.event_texts import events_from_text
from vision.events import Moved, PickedUp, Roll, TrackedDie, TrackId
from vision.reading import Candidate, DieReading, DieState, Face, Kind

State = TypeVar("State", bound=Played)

_COLOURS = {
    "r": DieKind.RED,
    "k": DieKind.BLACK,
    "w": DieKind.WHITE,
    "y": DieKind.YELLOW,
}


def play_text(
    game: Game[State],
    text: str,
    state: State | None = None,
    *,
    players: int = 1,
    **options: OptionValue,
) -> State:
    """Plays events given as text, from a state or from the start of a game of A, B, C."""
    if state is None:
        state = game.start(list("ABCDEF"[:players]), options)
    for event in events_from_text(game, text):
        state = game.apply(state, event)
    return state


def record_for(
    game: Game[Any],
    players: Iterable[str],
    options: Options,
    events: Iterable[Event] = (),
    version: str = "",
) -> Record:
    """The record of a game played under the module's edition."""
    ordered = tuple(sorted(options.items()))
    return Record(game.name, game.edition, tuple(players), ordered, tuple(events), version)


def config_of(text: str) -> Config:
    """The configuration of a file `dicetray.toml` with this text; raises as `load` does."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dicetray.toml"
        path.write_text(text)
        return load(path)


def bytes_of_games(path: Path) -> dict[Path, bytes]:
    """Everything that is on the disk of a journal of this path, by name."""
    files = [path, *folder_of(path).rglob("*")]
    return {file: file.read_bytes() for file in files if file.is_file()}


def copy_games(path: Path, to: Path) -> None:
    """Copies a journal, and whatever lies beside it under its name."""
    if path.exists():
        shutil.copy(path, to)
    if folder_of(path).exists():
        shutil.copytree(folder_of(path), folder_of(to))


def coloured(text: str) -> tuple[ShownDie, ...]:
    """Dice such as "r4 k1": red, black (k), white, yellow."""
    return tuple(ShownDie(_COLOURS[word[0]], int(word[1])) for word in text.split())


def steps(session: Session, *happened: Input) -> Session:
    """The session after these inputs."""
    for one in happened:
        session = step(session, one)
    return session


def reading(
    value: Face | None,
    at: tuple[float, float] = (0.0, 0.0),
    *,
    kind: Kind = Kind.BLACK,
    state: DieState = DieState.OK,
    candidates: Sequence[Candidate] = (),
    confidence: float = 0.9,
    edge: float = 16.0,
) -> DieReading:
    """A die at this place, its top a square of `edge` pixels."""
    (x, y), half = at, edge / 2
    corners = (
        (x - half, y - half),
        (x + half, y - half),
        (x + half, y + half),
        (x - half, y + half),
    )
    return DieReading(kind, value, state, tuple(candidates), confidence, at, corners)


def die(
    slot: int,
    face: Face,
    kind: Kind = Kind.BLACK,
    *,
    thrown: bool = True,
    state: DieState = DieState.OK,
    confidence: float = 0.9,
) -> TrackedDie:
    """A die in a row in the tray, with the next face as a second candidate if it shows a number."""
    likely = [Candidate(face, 0.6)]
    if isinstance(face, int):
        likely.append(Candidate(face % 6 + 1, 0.3))
    at = (15.0 + 30 * slot, 40.0)
    seen = reading(face, at, kind=kind, state=state, candidates=likely, confidence=confidence)
    return TrackedDie(TrackId(slot), seen, thrown)


def dice_picked_up(frame: int, time_s: float, numbers: tuple[int, ...]) -> PickedUp:
    """Dice with these numbers of the tracker were taken away."""
    return PickedUp(frame, time_s, tuple(map(TrackId, numbers)))


def dice_moved(
    frame: int, time_s: float, numbers: tuple[int, ...], dice: tuple[TrackedDie, ...] = ()
) -> Moved:
    """Dice with these numbers of the tracker were pushed or turned."""
    return Moved(frame, time_s, tuple(map(TrackId, numbers)), dice)


def roll(*dice: TrackedDie, frame: int = 0) -> Roll:
    """These dice came to rest."""
    return Roll(frame, frame / 30, dice, frame)


def throw(
    *faces: int,
    new: Container[int] | None = None,
    state: DieState = DieState.OK,
    frame: int = 0,
) -> Roll:
    """Black dice, all of them thrown or those in the `new` slots."""
    dice = (
        die(slot, face, thrown=new is None or slot in new, state=state)
        for slot, face in enumerate(faces)
    )
    return roll(*dice, frame=frame)
