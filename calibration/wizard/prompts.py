"""The board's words on each page."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from calibration.accuracy import accuracy_on_board, dice_needed, next_goal, unread_on_board
from calibration.calibration import Calibration
from calibration.difference import lines_of
from calibration.flat import lean_of
from calibration.markers.assumed import is_lens_known
from calibration.markers.measuring import LEANING_VIEWS
from calibration.problems import Problem
from calibration.wizard.pages import CHANGED_PAGES, FLOOR_PAGES, ITEMS, Page
from calibration.wizard.pointing import begin_pointing, lights_around
from calibration.wizard.state import MAX_OFF_MM, Wizard
from vision.reading import POWER_FACES, Face


@dataclass(frozen=True, slots=True)
class ItemsPrompt:
    """The list of items, one in view.

    Attributes:
        item: which one.
        stands: what is known of it, in a line.
        place: which of how many it is, such as 2/5.
        problem: why OK was refused; empty where it was not.
    """

    item: str
    stands: str
    place: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PagePrompt:
    """A page that asks for something.

    Attributes:
        title: what it is about.
        place: how far it has come, such as 2/6; empty where there is one thing to do.
        says: what to do, then what was seen, one line per page.
        problem: what is wrong, or why OK was refused; empty where nothing is.
        cure: what to do about it, where a line says that.
        refused: whether an OK has just been refused.
        progress: how near this is to going on by itself, 0 to 1; None where it does not.
        beside: what LEFT and RIGHT do, in one line; empty where they do nothing.
        outline: where the tray was found, as `Seen.outline`; empty where it is not shown.
    """

    title: str
    place: str
    says: tuple[str, ...]
    problem: str
    refused: bool
    progress: float | None
    beside: str = ""
    cure: str = ""
    outline: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class CheckPrompt:
    """The check, waiting for a throw or showing one.

    Attributes:
        pages: of two lines each, about the throws so far.
        faces: what the dice show; None while waiting for a throw.
        there: how many dice lie there.
        chosen: the die that is being corrected.
        problem: why OK was refused; empty where it was not.
    """

    pages: tuple[tuple[str, str], ...]
    faces: tuple[Face | None, ...] | None
    there: int
    chosen: int | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class KeptPrompt:
    """A report of what was kept, two lines per page; it passes by itself."""

    pages: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PointPrompt:
    """One of the floor's corners is pointed at.

    Attributes:
        number: which one, from 0, clockwise from the top left.
        zoom: how close it is looked at, from 0.
        at: where the cross is, pixels.
        says: what the buttons do, one line per page.
        lights: what is seen around the cross, rows of `POINT_COLUMNS`; none before the first look.
        untouched: whether no button has been pressed since it began.
        problem: what was wrong with the four corners before; empty where nothing was.
    """

    number: int
    zoom: int
    at: tuple[int, int]
    says: tuple[str, ...]
    lights: tuple[tuple[bool, ...], ...]
    untouched: bool = False
    problem: str = ""


WizardPrompt = ItemsPrompt | PagePrompt | PointPrompt | CheckPrompt | KeptPrompt

MAX_WELL_READ_LEAN_DEG = 15
"""With four markers all dice are read at 12 degrees, 93 % at 20, 86 % at 25, 72 % at 30, and the
others are asked about (`scripts/bench_self_calibration.py --setups 12 --tilt DEGREES`)."""
CORNER_NAMES = ("TOP LEFT", "TOP RIGHT", "BOTTOM RIGHT", "BOTTOM LEFT")
POINT_COLUMNS = 41
POINT_ROWS = 15
"""Of what is shown around a cross: its middle is a light."""

_LINES: Mapping[Page, tuple[str, ...]] = MappingProxyType(
    {
        Page.TRAY: ("4 MARKERS", "ALL IN SIGHT", "HANDS OFF"),
        Page.HOLDER: ("DICE IN HOLDER", "FIRST AND LAST"),
        Page.CARD: ("CARD ON RIM", "ACROSS A CORNER", "PRINT SIDE DOWN"),
    }
)
_SEEN: Mapping[Page, str] = MappingProxyType(
    {
        Page.TRAY: "MARKERS SEEN",
        Page.POWER: "SEEN",
        Page.HOLDER: "DICE SEEN",
        Page.CARD: "CARD SEEN",
    }
)


def wizard_prompt(wizard: Wizard) -> WizardPrompt:
    """The prompt for the board now."""
    refused = wizard.refusal
    problem = "" if refused is None or refused.problem is None else refused.problem.value
    match wizard.page:
        case Page.LIST:
            place = f"{ITEMS.index(wizard.item) + 1}/{len(ITEMS)}"
            return ItemsPrompt(wizard.item.value, _how_it_stands(wizard), place, problem)
        case Page.KEPT:
            return KeptPrompt(kept_pages(wizard))
        case Page.CHECK:
            throw = wizard.throw
            tally = wizard.tally
            count = tally.dice + tally.unread
            asks = (("THROW DICE", f"{count} DICE" if count else "UP TO 7"),)
            return CheckPrompt(
                asks if not count else (*asks, *_tally_pages(wizard)),
                None if throw is None else throw.faces,
                0 if throw is None else throw.there,
                None if throw is None else throw.chosen,
                problem,
            )
        case Page.CORNERS if wizard.points:
            return _point_prompt(wizard, problem)
        case _:
            return _page_prompt(wizard)


def kept_pages(wizard: Wizard) -> tuple[tuple[str, str], ...]:
    """The pages on what was done, how sure it is, and what would make it better."""
    known = wizard.known
    match wizard.item:
        case Page.TRAY if known is not None:
            pages = [("TRAY FOUND", _how_exact(known))]
            if known.off_mm is not None and known.off_mm > MAX_OFF_MM:
                if known.lens is None and not is_lens_known(wizard.sight):
                    pages.append(("LENS NOT KNOWN", "LESS EXACT"))
                    if known.layout is not None:
                        pages.append(("LEAN THE SHEET", "3 WAYS IN TRAY"))
                elif known.layout is None:
                    pages.append(("4 MARKERS", "ARE MORE EXACT"))
                else:
                    pages.append(("SHEET IN TRAY", "IS MORE EXACT"))
            if known.since is not None:
                pages += lines_of(known.since) or (("ALL IS", "AS BEFORE"),)
            lean = round(lean_of(known.profile))
            if lean > MAX_WELL_READ_LEAN_DEG:
                pages += [("CAMERA LEANS", f"{lean} DEGREES"), ("LESS IS", "READ BETTER")]
            if wizard.advice is not None:
                pages.append(("BETTER WITHOUT", wizard.advice.value))
            return tuple(pages)
        case Page.POWER:
            return (("POWER DIE", "SAVED"),)
        case Page.CARD if known is not None:
            throws = () if known.rim_known else (("THEN THROW", "3 TIMES"),)
            return ((known_print(known), ""), *throws)
        case Page.HOLDER:
            none = known is None or known.holders is None
            return (("HOLDER", "NONE" if none else "SAVED"),)
        case _:
            return _tally_pages(wizard)


def _tally_pages(wizard: Wizard) -> tuple[tuple[str, str], ...]:
    """The pages on what the throws have come to, and what more dice would show."""
    tally = wizard.tally
    dice, error = accuracy_on_board(tally)
    pages = [("CHECK FAILED" if tally.failed else "CHECK PASSED", dice)]
    pages += unread_on_board(tally)
    known = wizard.known
    whole = tally if known is None else known.check
    if whole.dice and not tally.failed:
        pages.append(accuracy_on_board(whole) if whole != tally else (dice, error))
        goal = next_goal(whole)
        if more := dice_needed(whole, goal):
            pages.append((f"{more} MORE", f"FOR < {goal * 100:g}%"))
    return tuple(pages)


def known_print(known: Calibration) -> str:
    """The size of the print in a line of the board."""
    return f"PRINTED AT {known.print_scale:.0%}"


def _how_exact(known: Calibration) -> str:
    return "" if known.off_mm is None else f"WITHIN {known.off_mm:.1f} MM"


def _how_it_stands(wizard: Wizard) -> str:
    known = wizard.known
    if known is None:
        return "NOT KNOWN YET"
    match wizard.item:
        case Page.TRAY:
            return _how_exact(known) or "SAVED"
        case Page.POWER:
            return "SAVED" if known.profile.power_faces else "NOT SHOWN YET"
        case Page.CARD:
            return known_print(known) if known.print_known else "NOT SHOWN YET"
        case Page.HOLDER:
            stands = "LEARNT" if known.holder_learnt else "SAVED"
            return "NONE" if known.holders is None else stands
        case _:
            return accuracy_on_board(known.check)[0]


def _point_prompt(wizard: Wizard, problem: str) -> PointPrompt:
    """The prompt with what the cross is on, from the first look on."""
    pointing, seen = wizard.pointing, wizard.seen
    if pointing is None:
        return PointPrompt(0, 0, (0, 0), _lines_of_pointing(0, False), (), True, problem)
    lights: tuple[tuple[bool, ...], ...] = ()
    if seen is not None and seen.picture is not None:
        around = lights_around(seen.picture, pointing, POINT_COLUMNS, POINT_ROWS)
        lights = tuple(tuple(row) for row in around.tolist())
    return PointPrompt(
        pointing.number,
        pointing.zoom,
        pointing.at,
        _lines_of_pointing(pointing.number, pointing.last_zoom),
        lights,
        pointing == begin_pointing(pointing.size, pointing.before),
        problem,
    )


def _lines_of_pointing(number: int, takes: bool) -> tuple[str, ...]:
    ok = "OK: TAKE IT" if takes else "OK: CLOSER"
    return (CORNER_NAMES[number], "< > SIDEWAYS", "1 UP 2 DOWN", ok)


def _page_prompt(wizard: Wizard) -> PagePrompt:
    verdict = wizard.verdict
    problem = None if verdict is None else verdict.problem
    if wizard.refusal is None and problem in _quietly_awaited(wizard):
        problem = None
    place = f"{len(wizard.faces) + 1}/{len(POWER_FACES)}" if wizard.page is Page.POWER else ""
    if wizard.measures_lens:
        place = f"{len(wizard.views)}/{LEANING_VIEWS}"
    wrong, cure = ("", "") if problem is None else problem.lines
    return PagePrompt(
        title=wizard.page.value,
        place=place,
        says=_lines_to_say(wizard),
        problem=wrong,
        cure=cure,
        refused=wizard.refusal is not None,
        progress=wizard.progress,
        beside=_line_beside(wizard),
        outline=() if wizard.seen is None else wizard.seen.outline,
    )


def _quietly_awaited(wizard: Wizard) -> tuple[Problem, ...]:
    """Problems to pass over: nobody has done yet what is asked, or somebody is just doing it."""
    if wizard.page is Page.CARD:
        return (Problem.NOT_STEADY, *(() if wizard.covered else (Problem.NO_CARD,)))
    if wizard.page not in CHANGED_PAGES:
        return ()
    unchanged = () if wizard.changed else (Problem.TOO_ALIKE,)
    return (Problem.NOT_STEADY, Problem.NO_DICE, *unchanged)


def _lines_to_say(wizard: Wizard) -> tuple[str, ...]:
    if wizard.measured is not None:
        return (Problem.TAKE_CARD.value,)
    if wizard.looks and wizard.happened and wizard.page in _SEEN:
        return (_SEEN[wizard.page],)
    seen = wizard.seen
    match wizard.page:
        case _ if seen is not None and seen.verdict.problem is Problem.GLARE_DIE:
            return ("MOVE THE DIE", "OR THE LAMP", "PAPER OVER LAMP")
        case Page.TRAY if wizard.measures_lens:
            return ("LEAN THE SHEET", "OTHER SIDE")
        case Page.CORNERS:
            width, depth = wizard.floor
            size = f"{width:.0f}x{depth:.0f} MM"
            found = None if seen is None else seen.draft
            if found is None:
                return ("TAKE ALL OUT", size, "HANDS OFF")
            return ("IS THIS IT? OK", size, _how_exact(found))
        case page if page in FLOOR_PAGES:
            return ()
        case Page.POWER:
            return (f"SHOW {wizard.face.upper()}", "ONLY POWER DIE")
        case page:
            return _LINES[page]


def _line_beside(wizard: Wizard) -> str:
    match wizard.page:
        case Page.TRAY if wizard.no_markers:
            return "OK: CORNERS"
        case Page.CORNERS:
            return "< SIZE AGAIN >"
        case Page.WIDTH:
            return f"< {wizard.floor[0]:.0f} MM >"
        case Page.DEPTH:
            return f"< {wizard.floor[1]:.0f} MM >"
        case Page.POWER if wizard.faces:
            return f"< {wizard.faces[-1].value.upper()}"
        case Page.HOLDER:
            return "RIGHT: NONE"
        case _:
            return ""
