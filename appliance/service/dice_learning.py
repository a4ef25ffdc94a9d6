"""Lessons from a tray's dice during games: their colours, their faces, what was misread.

A throw counts when the next one comes: until then what it showed may be corrected or undone.
"""

import logging
import math
from collections.abc import Callable
from dataclasses import replace

from appliance.service.guard import Guard
from appliance.service.new_dice import Colours, Keeper, NewDice
from appliance.service.ports import Happened
from appliance.table.session.session import faces_on_record
from calibration.calibration import Calibration
from calibration.own_dice import (
    WHY_ON_BOARD,
    ConfirmedDie,
    WhyUnread,
    jumped_to,
    known_colours,
    why_not_read,
    with_look,
    with_throw,
)
from calibration.self_calibration import with_answer
from vision.body_colours import known_bodies
from vision.errors import OutOfMemory, VisionError
from vision.events import Roll
from vision.frame import Image
from vision.image.memory import memory_watched
from vision.reading import DieReading, Face

log = logging.getLogger(__name__)

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
    """True if two readings are about different places."""
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


class DiceLearning:
    """Learns from what happens in the games.

    Args:
        keeper: keeps what is learnt.
        new_dice: is told of dice of other colours.
        guard: has a picture of the last throw, and reads with what was learnt.

    Attributes:
        corrections: counts what players correct.
        answers: learns from faces of the Power die that players name.
        confirmed: learns from the dice that people have played on with.
    """

    def __init__(self, keeper: Keeper, new_dice: NewDice, guard: Guard) -> None:
        self._keeper = keeper
        self._new_dice = new_dice
        self._guard = guard
        self._jumped: Colours = ()
        self.corrections = CorrectionCount(self.count_misread)
        self.answers = AnsweredFaces(lambda: guard.last_throw, self.learn_named_face)
        self.confirmed = ConfirmedThrows(lambda: guard.last_throw, self.learn_throw)

    def learn_from(self, happened: Happened) -> None:
        """Looks at what happens in the games; it gets everything."""
        self.corrections(happened)
        self.answers(happened)
        self.confirmed(happened)

    def finish(self) -> None:
        """Counts what the last throw has shown: no other follows."""
        self.corrections.finish()
        self.answers.finish()
        self.confirmed.finish()
        if self._keeper.unstored and self._keeper.calibration is not None:
            self._keeper.store(self._keeper.calibration)

    def forget(self) -> None:
        """Drops what the last throw has shown: it was seen with another calibration."""
        self.corrections.forget()
        self.answers.forget()
        self.confirmed.forget()

    def count_misread(self, wrong: int) -> None:
        """This many dice were misread: the stated accuracy gets worse."""
        known = self._keeper.calibration
        if known is not None:
            # Only dice that players checked count: playing alone never improves the statement.
            self._keeper.store(known.with_check(known.check.with_throw(wrong, wrong)))

    def learn_throw(self, picture: Image, dice: tuple[ConfirmedDie, ...]) -> None:
        """People have played on with these dice of a picture."""
        known = self._keeper.calibration
        if known is None or self._new_dice.colours is not None:
            return
        try:
            with memory_watched():
                before, self._jumped = self._jumped, jumped_to(known.profile, picture, dice)
                if self._jumped:
                    if before == self._jumped:
                        log.info("dice of other colours: %s", ", ".join(self._jumped))
                        colours = known_colours(known.profile.confirmed)
                        self._new_dice.note_colours(colours, before, picture, dice)
                    return
                profile, own = with_throw(known.profile, known.own_dice, picture, dice)
        except (OutOfMemory, VisionError) as error:
            log.warning("cannot learn how the dice look: %s", error)
            return
        self._keep_what_dice_showed(known, replace(known, profile=profile, own_dice=own))

    def _keep_what_dice_showed(self, before: Calibration, after: Calibration) -> None:
        """Keeps what a throw has shown; most throws show nothing that must be on disk at once."""
        self._keeper.use(after)
        bodies = known_bodies(after.profile.confirmed)
        learnt = len(bodies) != len(known_bodies(before.profile.confirmed))
        doubted = sum(face.asked + face.corrected for face in after.own_dice.faces)
        more = doubted != sum(face.asked + face.corrected for face in before.own_dice.faces)
        if learnt or more or self._keeper.unstored >= THROWS_TO_STORE:
            self._keeper.store(after)
        if learnt:
            log.info("dice are known now: %s", ", ".join(known_colours(after.profile.confirmed)))
            self._guard.renew(after)

    def learn_named_face(self, value: str, picture: Image, die: DieReading) -> None:
        """Players have named the face that a Power die shows in a picture."""
        known = self._keeper.calibration
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
        self._keeper.store_learnt(told)
        if told.profile is not known.profile:
            names = ", ".join(face.value for face in told.profile.power_faces)
            log.info("faces of the Power die that are known now: %s", names or "none")
        self._guard.renew(told)

    def judge_face(self, reading: DieReading, face: Face) -> str:
        """Keeps what a die of the owner's shows; returns in the board's words why it was not read.

        That is empty if it was.
        """
        read = reading.sure and reading.value == face
        known, picture = self._keeper.calibration, self._guard.last_throw
        if known is None or picture is None:
            return "" if read else WHY_ON_BOARD[WhyUnread.NOT_SURE]
        die = ConfirmedDie(reading, face)
        try:
            with memory_watched():
                own = with_look(known.own_dice, known.profile.confirmed, picture, die)
                why = "" if read else WHY_ON_BOARD[why_not_read(picture, reading, face)]
        except (OutOfMemory, VisionError) as error:
            log.warning("cannot tell why a die is not read: %s", error)
            return "" if read else WHY_ON_BOARD[WhyUnread.NOT_SURE]
        self._keeper.store(replace(known, own_dice=own))
        if isinstance(face, str) and not read:
            self.learn_named_face(face, picture, reading)
        return why
