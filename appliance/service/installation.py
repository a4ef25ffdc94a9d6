"""The tray's calibration: loaded, stored, redone, and reported on the board.

A damaged profile does not keep the appliance from starting: the previous one is used, and the board
says so. `guard` watches the tray with it; misread dice are counted.
"""

import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path

from appliance.devices.camera import Camera
from appliance.service.calibration import Calibrating, Exposing
from appliance.service.devices import Tray
from appliance.service.guard import Guard
from appliance.service.ports import Activity, Happened
from appliance.table.session.session import faces_on_record
from calibration import store
from calibration.accuracy import accuracy_on_board, unread_on_board
from calibration.calibration import Calibration
from calibration.errors import StoreError
from calibration.markers.lens import MODULE_3_SIGHT
from calibration.own_dice import (
    MIN_CORRECTED,
    WHY_ON_BOARD,
    ConfirmedDie,
    FaceRecord,
    OwnDice,
    Why,
    jumped_to,
    known_colours,
    why_not_read,
    with_look,
    with_new_colours,
    with_throw,
)
from calibration.self_calibration import entered_rim, with_answer
from calibration.store import DamagedError
from vision.body_colours import ColourName, known_bodies
from vision.errors import OutOfMemory, VisionError
from vision.events import Roll
from vision.frame import Frame, Image
from vision.geometry.profile import Profile
from vision.geometry.sight import Sight
from vision.image.memory import memory_watched
from vision.reading import DieReading, Face
from vision.watch.darker import Exposure

log = logging.getLogger(__name__)

Colours = tuple[ColourName, ...]

SAME_PLACE_PX = 3.0
"""A die that is read nearer to where it was lies where it was."""
THROWS_TO_STORE = 10
"""Throws that show nothing remarkable are stored together."""


class CorrectionCount:
    """Listens to what happens in a game and reports how many dice were wrong, throw by throw.

    Corrections count when the next throw comes: until then they may be undone.
    """

    def __init__(self, report: Callable[[int], None]) -> None:
        self._report = report
        self._wrong = 0

    def forget(self) -> None:
        """Drops the count so far: it belongs to an earlier calibration."""
        self._wrong = 0

    def __call__(self, happened: Happened) -> None:
        """Looks at what players corrected."""
        if isinstance(happened.input, Roll):
            self.finish()
        if happened.session is None:
            return
        shown = faces_on_record(happened.session).values()
        self._wrong = sum(d.reading.sure and d.reading.value != face for d, face in shown)

    def finish(self) -> None:
        """Reports what the last throw has shown."""
        wrong, self._wrong = self._wrong, 0
        if wrong:
            self._report(wrong)


class AnsweredFaces:
    """Listens to what happens in a game and reports the faces of Power dice that players named.

    That is those that were not sure, or were corrected. They count when the next throw comes, as
    until then they may be corrected or undone.
    """

    def __init__(
        self, picture: Callable[[], Image | None], report: Callable[[str, Image, DieReading], None]
    ) -> None:
        self._picture, self._report = picture, report
        self._named: tuple[str, Image, DieReading] | None = None
        self._reported: tuple[str, DieReading] | None = None

    def forget(self) -> None:
        """Drops what was named last: it was seen with another calibration."""
        self._named = None

    def __call__(self, happened: Happened) -> None:
        """Looks at what players entered."""
        if isinstance(happened.input, Roll):
            self.finish()
        picture = self._picture()
        if happened.session is None or picture is None:
            return
        self._named = None
        for die, face in faces_on_record(happened.session).values():
            read = die.reading
            if isinstance(face, str) and not (read.sure and read.value == face):
                self._named = face, picture, read

    def finish(self) -> None:
        """Reports what the last throw has shown."""
        named, self._named = self._named, None
        if named is None:
            return
        face, _, die = named
        before, self._reported = self._reported, (face, die)
        # A die that was left lying while others were thrown says nothing new.
        if before is None or before[0] != face or _is_elsewhere(before[1], die):
            self._report(*named)


def _is_elsewhere(one: DieReading, other: DieReading) -> bool:
    """Whether two readings are about different places."""
    return math.dist(one.center, other.center) > SAME_PLACE_PX


class ConfirmedThrows:
    """Listens to what happens in a game and reports the dice that people have played on with.

    A throw is confirmed when the next one comes: until then it may be corrected or undone.
    """

    def __init__(
        self,
        picture: Callable[[], Image | None],
        report: Callable[[Image, tuple[ConfirmedDie, ...]], None],
    ) -> None:
        self._picture, self._report = picture, report
        self._rolled = frozenset[tuple[float, float]]()
        self._shown: tuple[Image, tuple[ConfirmedDie, ...]] | None = None

    def forget(self) -> None:
        """Drops the last throw: it was seen with another calibration."""
        self._shown = None

    def __call__(self, happened: Happened) -> None:
        """Looks at the dice on record."""
        if isinstance(happened.input, Roll):
            self.finish()
            thrown = (die.reading.center for die in happened.input.dice if die.thrown)
            self._rolled = frozenset(thrown)
        picture = self._picture()
        if happened.session is None or picture is None:
            return
        # Dice that were pushed since lie elsewhere than in the picture.
        dice = tuple(
            ConfirmedDie(die.reading, face)
            for die, face in faces_on_record(happened.session).values()
            if die.reading.center in self._rolled
        )
        self._shown = (picture, dice) if dice else None

    def finish(self) -> None:
        """Reports what the last throw has shown."""
        shown, self._shown = self._shown, None
        if shown is not None:
            self._report(*shown)


class CalibratedTray:
    """A tray and its calibration, stored and used.

    Args:
        path: the profile's file, which need not exist; None for a tray without one.
        strict: whether a missing or damaged profile is a StoreError, as when no board can say so;
            nothing is learnt of the tray then.
        known: whether a profile that is there is of this tray; else only a new one counts, and it
            is all right if there is none.
        rim_mm: height of the rim above the floor as entered; 0 where nobody has.
        geometry: of the view, to read with while there is no calibration; it is not stored, as the
            camera may hang anywhere.

    Attributes:
        calibration: the calibration; None while there is none.
        notices: pages that the board has not shown yet.
        dice_question: the size of the dice as known and as it seems now, millimetres, where people
            are to say whether they are new ones; None where nothing is to be asked.
        colour_question: the same about their colours.
        exposing: the camera's exposure, where it can be locked.
        shutter: the same where it can be reduced for a moment.
        guard: makes watchers for the calibration, and says what is wrong.
        corrections: counts what players correct.
        answers: learns from faces of the Power die that players name.
        confirmed: learns from the dice that people have played on with.
    """

    def __init__(
        self,
        path: Path | None,
        strict: bool = False,
        known: bool = True,
        rim_mm: float = 0.0,
        geometry: Calibration | None = None,
    ) -> None:
        self._path = path
        self._geometry, self._known = geometry, known
        self.rim = entered_rim(rim_mm) if rim_mm else None
        self.notices: list[tuple[str, str]] = []
        self.calibration = self._load(path, strict) if path is not None and known else None
        self._before: Calibration | None = None
        if self.rim and self.calibration and not self.calibration.rim_known:
            # Now that somebody has entered it, the tray is measured again.
            self._before, self.calibration = self.calibration, None
        self.dice_question: tuple[float, float] | None = None
        self._asked_mm: set[float] = set()
        self.colour_question: tuple[Colours, Colours] | None = None
        self._colours_asked = False
        self._jumped: Colours = ()
        self._jump: tuple[Image, tuple[ConfirmedDie, ...]] | None = None
        self._throws_not_stored = 0
        self.exposing: Exposing | None = None
        self.shutter: Exposure | None = None
        self._camera: Camera | None = None
        self.guard = Guard(lambda: self.read_with, self, None if strict else self)
        self.corrections = CorrectionCount(self.count_misread)
        self.answers = AnsweredFaces(lambda: self.guard.last_throw, self.face_named)
        self.confirmed = ConfirmedThrows(lambda: self.guard.last_throw, self.throw_confirmed)

    def hear(self, happened: Happened) -> None:
        """Learns from what happens in the games; it gets everything."""
        self.corrections(happened)
        self.answers(happened)
        self.confirmed(happened)

    def finish(self) -> None:
        """Counts what the last throw has shown: no other follows."""
        self.corrections.finish()
        self.answers.finish()
        self.confirmed.finish()
        if self._throws_not_stored and self.calibration is not None:
            self._store(self.calibration)

    def _load(self, path: Path, strict: bool) -> Calibration | None:
        if not strict and not store.profile_exists(path):
            return None
        try:
            return store.load(path)
        except DamagedError as error:
            if strict:
                raise
            log.error("%s", error)
            if error.previous is None:
                self.notices.append(("PROFILE BROKEN", "CALIBRATE?"))
                return None
            self.notices.append(("PROFILE BROKEN", "OLD ONE IS USED"))
            return store.load(error.previous)

    def keep(self, calibration: Calibration) -> None:
        """Stores a new calibration; StoreError if it cannot be written, and the old one stays."""
        if self._path is None:
            raise StoreError("expected a file to keep the profile in; name one with --profile")
        store.save(self._path, calibration)
        self.calibration, self._before = calibration, None
        self.corrections.forget()
        self.answers.forget()
        self.confirmed.forget()

    def found(self, calibration: Calibration) -> None:
        """Keeps the calibration of a tray that was found without asking anybody."""
        log.info(
            "the tray was found by its markers: places within %.1f mm", calibration.off_mm or 0.0
        )
        before, self._before = self._before, None
        self.learnt(calibration if before is None else before.measured_anew(calibration))
        self.notices.append(("TRAY FOUND", "READY TO PLAY"))

    def not_found(self) -> None:
        """Says that the tray is not known, where somebody expects that it is."""
        if not self._known:
            return
        self.notices.append(("TRAY NOT KNOWN", "CALIBRATE?"))

    def learnt(self, calibration: Calibration) -> None:
        """Keeps what was learnt of the tray; it is used even if it cannot be stored."""
        if self.calibration is not None:
            # Checks are counted here.
            calibration = calibration.with_check(self.calibration.check)
            if calibration.profile.die_edge_mm == self.calibration.profile.die_edge_mm:
                # So are the dice, unless they are others now.
                calibration = calibration.with_dice_known_as(self.calibration)
        self._store(calibration)

    def _store(self, calibration: Calibration) -> None:
        """Keeps a calibration; it is used even if it cannot be stored."""
        self.calibration = calibration
        self._throws_not_stored = 0
        if self._path is None:
            return
        try:
            store.save(self._path, calibration)
        except StoreError as error:
            log.warning("%s", error)

    def other_dice(self, edge_mm: float) -> bool:
        """Takes note that dice seem to have another size; whether it is to be used at once.

        Where throws have confirmed a size before, people are asked first, once for each size.
        """
        known = self.calibration
        if known is None or not known.size_known:
            return True
        if edge_mm not in known.sizes_denied and edge_mm not in self._asked_mm:
            self.dice_question = (known.profile.die_edge_mm, edge_mm)
        return False

    def ask_about_dice(self, ask: Callable[[float, float], None], *, busy: bool = False) -> None:
        """Asks on the board whether dice of another size are new ones, once they seem to be."""
        if self.dice_question is None or busy or self.dice_question[1] in self._asked_mm:
            return
        self._asked_mm.add(self.dice_question[1])
        ask(*self.dice_question)

    def ask_about_colours(
        self, ask: Callable[[Colours, Colours], None], *, busy: bool = False
    ) -> None:
        """Asks on the board whether dice of other colours are new ones, once they are seen."""
        if self.colour_question is None or busy or self._colours_asked:
            return
        self._colours_asked = True
        ask(*self.colour_question)

    def _answer_colours(self, new: bool) -> None:
        """New dice are learnt in place of the old ones; dice that look otherwise now, too."""
        self.colour_question, self._colours_asked = None, False
        jump, self._jump = self._jump, None
        known = self.calibration
        if jump is None or known is None:
            return
        told = replace(known, profile=with_new_colours(known.profile, *jump, instead=new))
        self._store(replace(told, own_dice=OwnDice()) if new else told)
        self.guard.renew(told)

    def throw_confirmed(self, picture: Image, dice: tuple[ConfirmedDie, ...]) -> None:
        """People have played on with these dice of a picture."""
        known = self.calibration
        if known is None or self.colour_question is not None:
            return
        try:
            with memory_watched():
                before, self._jumped = self._jumped, jumped_to(known.profile, picture, dice)
                if self._jumped:
                    if before == self._jumped:
                        log.info("dice of other colours: %s", ", ".join(self._jumped))
                        colours = known_colours(known.profile.confirmed)
                        self.colour_question, self._jump = (colours, before), (picture, dice)
                    return
                profile, own = with_throw(known.profile, known.own_dice, picture, dice)
        except (OutOfMemory, VisionError) as error:
            log.warning("cannot learn how the dice look: %s", error)
            return
        self._keep_what_dice_showed(known, replace(known, profile=profile, own_dice=own))

    def _keep_what_dice_showed(self, before: Calibration, after: Calibration) -> None:
        """Keeps what a throw has shown; most throws show nothing that must be on disk at once."""
        self.calibration = after
        self._throws_not_stored += 1
        bodies = known_bodies(after.profile.confirmed)
        learnt = len(bodies) != len(known_bodies(before.profile.confirmed))
        doubted = sum(face.asked + face.corrected for face in after.own_dice.faces)
        more = doubted != sum(face.asked + face.corrected for face in before.own_dice.faces)
        if learnt or more or self._throws_not_stored >= THROWS_TO_STORE:
            self._store(after)
        if learnt:
            log.info("dice are known now: %s", ", ".join(known_colours(after.profile.confirmed)))
            self.guard.renew(after)

    def answer_dice(self, new: bool) -> None:
        """Keeps whether people play with new dice, so that they are not asked again."""
        if self._colours_asked:
            self._answer_colours(new)
            return
        question, self.dice_question = self.dice_question, None
        known = self.calibration
        if question is None or known is None:
            return
        edge_mm = question[1]
        if new:
            known = known.with_dice_of(edge_mm)
        else:
            known = replace(known, sizes_denied=(*known.sizes_denied, edge_mm))
        self.learnt(known)
        self.guard.renew(known)

    def face_named(self, value: str, picture: Image, die: DieReading) -> None:
        """Players have named the face that a Power die shows in a picture."""
        known = self.calibration
        if known is None:
            return
        try:
            with memory_watched():
                told = with_answer(known, value, picture, die.center)
        except (OutOfMemory, VisionError) as error:
            log.warning("cannot learn a face of the Power die: %s", error)
            return
        if told is known:
            return
        self.learnt(told)
        if told.profile is not known.profile:
            names = ", ".join(face.value for face in told.profile.power_faces)
            log.info("faces of the Power die that are known now: %s", names or "none")
        self.guard.renew(told)

    def judge_face(self, reading: DieReading, face: Face) -> str:
        """Keeps what a die of the owner's shows; returns in the board's words why it was not read.

        That is empty if it was.
        """
        read = reading.sure and reading.value == face
        known, picture = self.calibration, self.guard.last_throw
        if known is None or picture is None:
            return "" if read else WHY_ON_BOARD[Why.NOT_SURE]
        die = ConfirmedDie(reading, face)
        try:
            with memory_watched():
                own = with_look(known.own_dice, known.profile.confirmed, picture, die)
                why = "" if read else WHY_ON_BOARD[why_not_read(picture, reading, face)]
        except (OutOfMemory, VisionError) as error:
            log.warning("cannot tell why a die is not read: %s", error)
            return "" if read else WHY_ON_BOARD[Why.NOT_SURE]
        self._store(replace(known, own_dice=own))
        if isinstance(face, str) and not read:
            self.face_named(face, picture, reading)
        return why

    @property
    def sight(self) -> Sight | None:
        """What pictures show of which camera's sensor, where they do not say.

        Rendered pictures are those of a Camera Module 3; other cameras say what they are.
        """
        return MODULE_3_SIGHT if self._camera is None else None

    def count_misread(self, wrong: int) -> None:
        """This many dice were misread: the stated accuracy gets worse."""
        if self.calibration is None:
            return
        # Only dice that players checked count: playing alone never improves the statement.
        calibration = self.calibration.with_check(self.calibration.check.with_throw(wrong, wrong))
        try:
            if self._path is not None:
                store.save(self._path, calibration)
        except StoreError as error:
            log.warning("%s", error)
        self.calibration = calibration

    def calibrate(self) -> Activity:
        """Starts the calibration; afterwards `guard.watcher` makes a watcher with the result."""
        return Calibrating(
            self.keep,
            known=self.calibration or self._before,
            exposing=self.exposing,
            shutter=self,
            floor_mm=self.floor_mm,
            sight=self.sight,
            rim=self.rim,
        )

    @property
    def read_with(self) -> Calibration | None:
        """What dice are read with: the calibration, else the geometry of the view, if any."""
        return self.calibration or self._geometry

    def profile(self) -> Profile | None:
        """The geometry that frames are read with; None while there is none."""
        return None if self.read_with is None else self.read_with.profile

    def check_view(self, frame: Frame) -> None:
        """Checks that a frame is as the profile's; `OtherView` if it is not."""
        if self.read_with is not None:
            self.read_with.profile.check_view(frame.size, frame.sight)

    @property
    def floor_mm(self) -> tuple[float, float] | None:
        """The floor's size as entered for this calibration, so that nobody is asked twice."""
        return None if self.calibration is None else self.calibration.floor_mm

    @property
    def controls(self) -> Mapping[str, float]:
        """The values to lock the camera to, by control name; empty if not known."""
        return {} if self.calibration is None else self.calibration.controls

    def note_camera(self, camera: Camera) -> Camera:
        """Takes note of the camera that was opened, for the calibration; returns it."""
        self._camera = camera
        self.exposing = camera if isinstance(camera, Exposing) else None
        self.shutter = camera if isinstance(camera, Exposure) else None
        return camera

    def darken(self, share: float) -> bool:
        """Requests frames at this share of the usual exposure; returns whether the camera can."""
        return self.shutter is not None and self.shutter.darken(share)

    def brighten(self) -> None:
        """Requests the usual exposure again."""
        if self.shutter is not None:
            self.shutter.brighten()

    def say_next_notice(
        self, say: Callable[[tuple[str, str]], None], *, busy: bool = False
    ) -> None:
        """Says on the board what has come up since the last call, one thing at a time."""
        if self.notices and not busy:
            say(self.notices.pop(0))

    def watched(self) -> Tray:
        """The tray as the appliance has it."""
        watch = self.guard.watcher
        return Tray(watch(), watch, self.calibrate, self.answer_dice, self.judge_face)

    def about(self) -> tuple[tuple[str, str], ...]:
        """Lines for the menu's ABOUT."""
        if self.calibration is None:
            return (("TRAY", "NOT MEASURED"),)
        first, second = accuracy_on_board(self.calibration.check)
        size = f"{self.calibration.profile.die_edge_mm:g} MM"
        lines: tuple[tuple[str, str], ...] = (("DICE CHECKED", first), ("ACCURACY", second))
        lines += (*unread_on_board(self.calibration.check), ("DICE", size))
        known = known_colours(self.calibration.profile.confirmed)
        lines += tuple(("COLOUR", name.upper()) for name in known)
        lines += tuple(chain.from_iterable(map(_about_face, self.calibration.own_dice.troubled)))
        off = self.calibration.off_mm
        return lines if off is None else (*lines, ("PLACES", f"WITHIN {off:.1f} MM"))


def _about_face(face: FaceRecord) -> tuple[tuple[str, str], ...]:
    """What is amiss with a face, and why."""
    if face.corrected >= MIN_CORRECTED:
        said = f"{face.corrected} WRONG OF {face.times}"
    else:
        said = f"ASKED {face.asked} OF {face.times}"
    return ((face.name.upper(), said), (face.name.upper(), WHY_ON_BOARD[face.why]))
