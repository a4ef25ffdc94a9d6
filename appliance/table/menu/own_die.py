"""MY DICE: somebody shows one die on its six faces, and learns which are not read, and why.

What it shows is told with LEFT, RIGHT and OK wherever the camera is not sure, or is wrong; the
service then says why, and keeps it.
"""

from dataclasses import dataclass, replace

from appliance.inputs import Button, Pressed, neighbour
from appliance.table.menu.console import Console, SettingUp
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.menu.requests import JudgeFace
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import FacePrompt
from vision.events import TrackedDie
from vision.reading import DieReading, Face

FACES_OF_A_DIE = 6


@dataclass(frozen=True, slots=True)
class ShownFace:
    """A face that was shown; `why` says in the board's words why it was not read, or nothing."""

    face: Face
    why: str = ""


@dataclass(frozen=True, slots=True)
class OwnDie(SettingUp):
    """One die on its six faces.

    Attributes:
        shown: the faces so far.
        reading: of the die that lies there; None while there is not one alone.
        face: what it shows; None as long as it was neither read nor entered.
        entering: whether people are entering that.
        judged: whether it is among the faces shown already.
        count: dice that lie there, where it is not one alone.
    """

    shown: tuple[ShownFace, ...] = ()
    reading: DieReading | None = None
    face: Face | None = None
    entering: bool = False
    judged: bool = False
    count: int = 0

    @property
    def complete(self) -> bool:
        """True once all faces were shown."""
        return len(self.shown) == FACES_OF_A_DIE

    def prompt(self, console: Console) -> Prompt:
        """The prompt for the next face, or on what the last one came to."""
        if self.count > 1:
            return _said(("ONE DIE ONLY", f"{self.count} DICE"))
        if self.reading is not None and (self.entering or self.face is None):
            return FacePrompt("DIE", 0, self.face, self.reading.state, (None,))
        if self.complete and (self.judged or self.reading is None):
            read = sum(not one.why for one in self.shown)
            return _said((f"{read} OF 6", "FACES READ"), *self._unread())
        if self.reading is None:
            if not self.shown:
                return _said(("SHOW 1 DIE", "ANY FACE UP"), ("TURN IT TO", "ALL 6 FACES"))
            return _said(self._onward())
        assert self.face is not None
        if self.judged:
            why = next(one.why for one in self.shown if one.face == self.face)
            said = (f"{_name(self.face)} NOT READ", why) if why else (_name(self.face), "READ")
            return _said(said, self._onward())
        return _said((f"READ AS {_name(self.face)}", "OK?"), ("WRONG?", "LEFT OR RIGHT"))

    def _onward(self) -> tuple[str, str]:
        return ("TURN THE DIE", f"{len(self.shown)} OF 6 SEEN")

    def _unread(self) -> list[tuple[str, str]]:
        return [(f"{_name(one.face)} NOT READ", one.why) for one in self.shown if one.why]

    def pressed(self, console: Console, press: Pressed) -> Console:
        """LEFT and RIGHT say what it shows, OK takes it; BACK leaves."""
        button = press.button
        if button is Button.BACK or (button is Button.OK and self.complete and not self.entering):
            return console.back()
        if self.reading is None or button not in (Button.OK, Button.LEFT, Button.RIGHT):
            return console
        if button is Button.OK:
            if self.face is None or (self.judged and not self.entering):
                return console
            after = replace(self, entering=False, judged=False)
            return console.replace_top(after).with_requests(JudgeFace(self.reading, self.face))
        face = neighbour(self.reading.kind.faces, self.face, button)
        return console.replace_top(replace(self, face=face, entering=True))

    def rolled(self, console: Console, dice: tuple[TrackedDie, ...]) -> Console:
        """Another face lies up; what was read before, and left at that, was right."""
        page = self
        sure = self.reading is not None and self.reading.sure
        if sure and self.face is not None and not (self.judged or self.entering):
            page = self.with_judged(self.face, "")
        lying = [d.reading for d in dice if not (d.reading.aside or d.reading.held)]
        if page.complete:
            # The next die begins.
            page = OwnDie()
        if len(lying) != 1:
            return console.replace_top(replace(page, reading=None, count=len(lying)))
        (reading,) = lying
        face = _likeliest(reading)
        asks = not reading.sure
        after = replace(page, reading=reading, face=face, entering=asks, judged=False, count=0)
        return console.replace_top(after)

    def with_judged(self, face: Face, why: str) -> "OwnDie":
        """The page once it is known why this face was not read; nothing if it was."""
        others = tuple(one for one in self.shown if one.face != face)
        # A die has faces of one kind: what was entered by mistake before does not count.
        same = tuple(one for one in others if isinstance(one.face, str) == isinstance(face, str))
        return replace(self, shown=(*same, ShownFace(face, why)), entering=False, judged=True)


def with_verdict(console: Console, face: Face, why: str) -> Console:
    """The console once the service has judged a face that was shown."""
    page = console.page
    return console.replace_top(page.with_judged(face, why)) if isinstance(page, OwnDie) else console


def _likeliest(die: DieReading) -> Face | None:
    likely = (*([] if die.value is None else [die.value]), *(c.value for c in die.candidates))
    return next((face for face in likely if face in die.kind.faces), None)


def _name(face: Face) -> str:
    return str(face).upper()


def _said(*pages: tuple[str, str]) -> NoticePrompt:
    return NoticePrompt(pages, passing=False, about_die=True)
