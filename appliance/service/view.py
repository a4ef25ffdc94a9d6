"""The running appliance as screens show it, in one value: terminal and pages draw it alike.

It holds what everybody at the table may see, and no more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Generic, TypeVar

import cv2
import numpy as np

from appliance.guidance import Guidance
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.service.event_text import face_text
from appliance.service.ports import Happened
from appliance.service.seen_table import (
    SeenTable,
    last_thrower,
    record_of,
    seen_table,
    seen_undo,
)
from appliance.table.menu.console import Console
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.prompts.hints import WaitPrompt
from appliance.table.session.picking import Moment, moment_of
from appliance.table.session.prompting import prompt_behind_hint
from appliance.table.session.session import Session, faces_entered, held_slots
from appliance.table.session.tray import TrackedDice
from appliance.words import Label, say
from games.record import Record
from games.values import Face, Slot
from vision.events import Cleared, Found, Moved, PickedUp, Roll, TrackedDie, TrackId
from vision.frame import Frame, Image
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray
from vision.image.warping import warped
from vision.reading import DieReading, TrayState

DIE_PICTURE_PX = 64
"""Side of the square picture of a die."""
_CUT_OUT_SCALE = 1.12
"""Size of the cut-out of a die, as a multiple of its top face."""
_TRAY_MARGIN = 0.03
"""Shown around the tray, as a share of its longer side."""
_MIN_TRAY_SHARE = 0.1
"""Of the picture: no cropping to a tray that would be smaller."""


@dataclass(frozen=True, slots=True, eq=False)
class DieView:
    """A die as the camera saw it when it came to rest.

    Attributes:
        number: of the button that holds it, from 1; None where no button does.
        face: what it counts as, or how it was read where that is not known: `4`, `4?`, `?`.
        kept: whether it is kept out of the next throw.
        picture: cut from the camera's picture, turned upright.
        outline: corners of its top face, (n, 2), shares of the width and height of `View.tray`.
    """

    number: int | None
    face: str
    sure: bool
    kept: bool
    picture: Image
    outline: FloatArray


@dataclass(frozen=True, slots=True)
class SeenSheet:
    """A player's sheet: the name, the points, labelled rows, and whether it is their turn.

    Labels are as the rules have them: whatever draws them translates them.
    """

    player: str
    total: int
    rows: tuple[tuple[str, str], ...]
    turn: bool


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The contents of a screen.

    Attributes:
        board: the lights; None for a dark board.
        tray: the camera's picture of the tray; None before the first.
        dice: those that lie in it, in order of number.
        sheets: of all players in seat order; empty while there is no game.
        table: the game as a page draws it; None while there is none.
        record: the game as it was played, once it is over.
        secret: what one player asked to see; the others look away. Empty if there is none.
        typing: whether a name is asked for, so that keys are its letters.
        pointing: whether a place in the picture is asked for.
        still: whether the dice lie where they were seen.
        looking: what delivers the picture, while a camera is tried: there is no board, and what was
            read is always drawn. Empty while there is a game.
        good: whether that camera is good enough.
        thrown: whether dice are being thrown by a key, and were not read yet.
        occasion: a number that grows with every throw and choice: what was pressed at another one
            was meant for dice that do not count any more.
    """

    board: Picture | None = None
    tray: Image | None = None
    dice: tuple[DieView, ...] = ()
    guidance: Guidance = field(default_factory=Guidance)
    sheets: tuple[SeenSheet, ...] = ()
    table: SeenTable | None = None
    record: Record | None = None
    secret: str = ""
    typing: bool = False
    pointing: bool = False
    still: bool = False
    looking: str = ""
    good: bool = False
    thrown: bool = False
    occasion: int = 0

    @property
    def line(self) -> str:
        """The line that says what may be done now."""
        return self.secret or self.guidance.line


_Found = TypeVar("_Found")


class _OnceALine(Generic[_Found]):
    """What takes long to find out about a game, found out once for each line of it.

    Nothing goes on from what was found for an earlier line: lines that were taken back count, too.
    """

    def __init__(self, find: Callable[[Session], _Found]) -> None:
        self._find = find
        self._last: tuple[object, _Found] | None = None

    def of(self, session: Session) -> _Found:
        """As the function finds it; what it found last if no line has come or gone since."""
        log = session.record.log
        if self._last is None or self._last[0] is not log:
            self._last = log, self._find(session)
        return self._last[1]


class Viewer:
    """Makes views of a running appliance, which gets every frame after this has seen it.

    All screens share one view per change, and none is made where nobody asks for one. The
    profile gives the geometry by which the picture is cropped; with `hands` a key throws dice.

    Attributes:
        occasion: as in the next `View`.
        read_at: the occasion at which dice were last read.
    """

    def __init__(self, profile: Callable[[], Profile | None], *, hands: bool = False) -> None:
        self._profile = profile
        self._hands = hands
        self._frame: Frame | None = None
        self._complete = False
        self._read: Frame | None = None
        # By the tracker's numbers; cut out, with outlines as shares of the whole picture.
        self._readings: Mapping[TrackId, DieReading] = {}
        self._cut: dict[TrackId, DieView] = {}
        self._last: tuple[tuple[object, ...], View] | None = None
        self._last_table: tuple[tuple[object, ...], SeenTable] | None = None
        self._undo = _OnceALine(seen_undo)
        self._thrower = _OnceALine(last_thrower)
        self.occasion = self.read_at = 0
        self._moment: Moment | None = None

    def look(self, frame: Frame) -> None:
        """Takes note of the frame that the appliance gets next."""
        self._frame = frame

    def hear(self, happened: Happened) -> None:
        """Takes note of what lies in the tray, and of what was played."""
        session = happened.session
        # Being told what is best to take makes no other occasion.
        moment = None if session is None else replace(moment_of(session), advised=False)
        if moment != self._moment or isinstance(happened.input, Roll | Found | Moved):
            self._moment, self.occasion = moment, self.occasion + 1
        if isinstance(happened.input, Roll | Found | Moved):
            self.read_at = self.occasion
        match happened.input:
            case Roll(dice=dice) | Found(dice=dice):
                self._note_dice({}, dice)
            case Moved(dice=dice):
                self._note_dice(self._readings, dice)
            case PickedUp(track_ids=gone):
                left = {track: die for track, die in self._readings.items() if track not in gone}
                self._complete = False
                self._readings = left
            case Cleared():
                self._complete = False
                self._readings = {}
            case _:
                pass

    def _note_dice(self, others: Mapping[TrackId, DieReading], dice: Sequence[TrackedDie]) -> None:
        self._complete = True
        self._read = self._frame
        self._cut = {}
        if self._frame is not None:
            self._readings = {**others, **{die.track_id: die.reading for die in dice}}

    def view(self, appliance: Appliance, said: str = "", secret: str = "") -> View:
        """The view for now; `said` replaces the guidance."""
        activity = appliance.activity
        if activity is not None:
            return activity.view(self._frame, appliance.picture, hands=self._hands)
        # The very same objects show the very same things.
        at_hand: tuple[object, ...] = (self._frame, self._readings, self._profile(), said, secret)
        now = (appliance.console, appliance.picture, appliance.shows_news, *at_hand)
        if self._last is None or not all(map(is_, now, self._last[0])):
            self._last = now, self._make_view(appliance, said, secret)
        return self._last[1]

    def _make_view(self, appliance: Appliance, said: str, secret: str) -> View:
        console = appliance.console
        prompt = appliance.prompt
        session = console.session
        can = prompt.can_do(self._hands)
        if session and console.page is None and isinstance(prompt, NoticePrompt | WaitPrompt):
            # What is only for reading does not hide what can be done with the dice.
            can = prompt_behind_hint(session).can_do(self._hands).under_a_notice
        elif appliance.shows_news:
            can = can.under_a_notice
        low, high = self._visible_region()
        still = console.tray.state is TrayState.STILL
        tray = None
        if self._frame is not None:
            image = self._frame.shown
            if self._hands and self._complete and self._read is not None and still:
                # Drawn small now, it was drawn in full for reading and has not changed since.
                image = self._read.image
            tray = self._crop(image)
        return View(
            appliance.picture,
            tray,
            self._dice_views(session, low, high - low),
            Guidance(say(said)) if said else can,
            () if session is None else sheets_of(session),
            self._table(console),
            record_of(session) if session is not None and console.over else None,
            secret,
            appliance.naming,
            still=still,
            occasion=self.occasion,
        )

    def _table(self, console: Console) -> SeenTable | None:
        """The game as a page draws it, made once for each state of the game."""
        session = console.session
        if session is None:
            return None
        # What can be chosen is not for the taking while a menu lies over it.
        covered = console.page is not None
        goes_off = console.page is not None and console.page.switches_off
        now = (session, console.tray.state, covered, goes_off)
        if self._last_table is None or not all(map(is_, now, self._last_table[0])):
            table = seen_table(session, console.tray.state, self._undo.of, self._thrower.of)
            if covered:
                undo = None if goes_off else table.undo
                table = replace(table, offers=(), chosen=None, confirm=False, undo=undo)
            self._last_table = now, table
        return self._last_table[1]

    @property
    def last_read_picture(self) -> Image | None:
        """The known tray as its dice were last read; None if any was taken out since."""
        if self._read is None or not self._complete or self._profile() is None:
            return None
        return self._crop(self._read.image)

    def _crop(self, image: Image) -> Image:
        ends = self._visible_region()
        low, high = (np.rint(end * image.shape[1::-1]).astype(int) for end in ends)
        return image[low[1] : high[1], low[0] : high[0]]

    def _visible_region(self) -> tuple[FloatArray, FloatArray]:
        """The part of the picture that is shown: its top left and bottom right, as shares."""
        profile = self._profile()
        if profile is not None:
            corners = np.array(profile.dice_pixels()) / profile.size
            low = corners.min(axis=0)
            high = corners.max(axis=0)
            beside = _TRAY_MARGIN * float((high - low).max())
            low, high = (low - beside).clip(0, 1), (high + beside).clip(0, 1)
            if (high - low).min() > _MIN_TRAY_SHARE:
                return low, high
        return np.zeros(2), np.ones(2)

    def _die_view(self, track: TrackId) -> DieView:
        """A die as it was read, cut out of the picture once."""
        if track not in self._cut and self._read is not None:
            image = self._read.image
            read = self._readings[track]
            outline = np.array(read.outline).reshape(-1, 2) / image.shape[1::-1]
            picture = die_picture(image, read)
            self._cut[track] = DieView(None, face_text(read), read.sure, False, picture, outline)
        return self._cut[track]

    def _dice_views(
        self, session: Session | None, low: FloatArray, size: FloatArray
    ) -> tuple[DieView, ...]:
        """The dice with their numbers and what they count as in the game."""
        tracked = TrackedDice()
        on_record = dict[Slot, Face]()
        entered = dict[Slot, Face]()
        kept = frozenset[int]()
        if session is not None:
            faces = session.record.dice
            on_record = {Slot(n): face for n, face in enumerate(faces) if face is not None}
            # Dice of a throw that waits for an answer are not on record.
            tracked, entered = session.tracked, faces_entered(session)
            kept = held_slots(session) | set(session.record.held)
        lying, slots = [], tracked.slots
        for track in self._readings:
            die = self._die_view(track)
            slot = slots.get(track)
            outline = (die.outline - low) / size
            counts = entered if track in tracked.loose else on_record
            face = None if slot is None else counts.get(slot)
            if slot is None or face is None:
                number = None if slot is None else slot + 1
                die = replace(die, number=number, outline=outline)
            else:
                held = slot in kept and track not in tracked.loose
                die = DieView(slot + 1, str(face), True, held, die.picture, outline)
            lying.append(die)
        return tuple(sorted(lying, key=lambda die: die.number or len(lying) + 1))


def die_picture(image: Image, reading: DieReading) -> Image:
    """A die cut from the picture that it was read in, its top face upright."""
    corners = np.array(reading.outline, np.float32).reshape(-1, 2)
    if len(corners) != 4:
        # Where no face was seen, everything that was taken to be the die.
        low, high = (corners.min(axis=0), corners.max(axis=0)) if len(corners) else (0, 0)
        half = max(float(np.max(np.subtract(high, low))) / 2, 8.0)
        square = np.array(((-half, -half), (half, -half), (half, half), (-half, half)), np.float32)
        corners = square + np.array(reading.center, np.float32)
    middle = corners.mean(axis=0)
    corners = (corners - middle) * np.float32(_CUT_OUT_SCALE) + middle
    # Clockwise from the corner that is nearest to the picture's top left.
    corners = np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)
    end = DIE_PICTURE_PX - 1
    square = np.array(((0, 0), (end, 0), (end, end), (0, end)), np.float32)
    turned = cv2.getPerspectiveTransform(corners, square)
    return warped(image, turned, (DIE_PICTURE_PX, DIE_PICTURE_PX))


def sheets_of(session: Session) -> tuple[SeenSheet, ...]:
    """Each player's sheet, in seat order."""
    rules = session.record.rules
    state = session.record.state
    ask = rules.ask(state)
    sheets = []
    for seat, player in enumerate(session.record.setup.players):
        sheet = rules.sheet(state, seat)
        cells = ((Label(row.key), row.points) for row in sheet.rows)
        rows = tuple((label, "-" if n is None else str(n)) for label, n in cells)
        sheets.append(SeenSheet(player, sheet.total, rows, ask is not None and ask.seat == seat))
    return tuple(sheets)
