"""How the wizard advances: one event in, the next state out."""

from dataclasses import replace

from calibration.accuracy import Check
from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.flat import geometry_of_corners
from calibration.problems import Verdict
from calibration.wizard import state
from calibration.wizard.pages import CHANGED_PAGES, FLOOR_PAGES, ITEMS, LOOKS_TO_TAKE, Page
from calibration.wizard.pointing import FAST_STEPS, Pointing, begin_pointing
from vision.geometry.profile import PowerFace
from vision.reading import POWER_FACES

_FLOOR_STEPS = (*FLOOR_PAGES, Page.CORNERS)


def advance(wizard: state.Wizard, event: state.Event) -> state.Wizard:
    """The wizard after an event; its requests are to be carried out before the next event.

    A look for any page but the present one changes nothing.
    """
    wizard = replace(wizard, requests=())
    if wizard.ended:
        return wizard
    match event:
        case state.Press():
            return _after_press(replace(wizard, refusal=None), event)
        case state.Point(x, y) if wizard.points and wizard.pointing is not None:
            return _after_pointing(wizard, wizard.pointing.with_corner(*_pixels(wizard, x, y)))
        case state.Seen(page) if page is wizard.page and wizard.taking is None:
            return _after_look(wizard, event)
        case state.Locked(controls) if wizard.taking is not None:
            return _store(wizard, replace(wizard.taking, controls=dict(controls)))
        case state.Stored() if wizard.taking is not None:
            kept = replace(wizard, known=wizard.taking, taking=None)
            return kept if kept.page is Page.CHECK else _open(kept, Page.KEPT)
        case state.NotStored() if wizard.taking is not None:
            return replace(wizard, taking=None, looks=0, refusal=state.NOT_STORED)
        case state.Rested(dice) if wizard.page is Page.CHECK and dice:
            return _after_throw(wizard, dice)
        case state.Passed() if wizard.page is Page.KEPT:
            return _to_list(wizard)
        case _:
            return wizard


def _open(wizard: state.Wizard, page: Page) -> state.Wizard:
    """A page as it comes up: nothing on it was seen yet."""
    return replace(
        wizard,
        page=page,
        item=page if page in ITEMS else wizard.item,
        first=None,
        seen=None,
        changed=False,
        looks=0,
        refusal=None,
        throw=None,
        measured=None,
        # Whoever corrects the floor's size finds the cross where the corners were.
        pointing=wizard.pointing and wizard.pointing.again() if page in _FLOOR_STEPS else None,
        pointed=None,
    )


def _to_list(wizard: state.Wizard) -> state.Wizard:
    """The list, at the next item after one that is done."""
    done = wizard.page is Page.KEPT and wizard.item is not ITEMS[-1]
    item = ITEMS[ITEMS.index(wizard.item) + 1] if done else wizard.item
    # The last item leads to the same again: one more throw is always welcome.
    return replace(_open(wizard, Page.LIST), item=item)


def _leave(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    """One BACK leaves an item for the list, and the list for the game.

    A card that is to be taken away keeps its page; a long BACK leaves that, too: what was there
    before may have been something else, or the tray was moved.
    """
    if wizard.page is Page.LIST:
        return replace(wizard, ended=True)
    if wizard.covered and not press.long:
        return replace(wizard, refusal=state.TAKE_CARD)
    if wizard.page is Page.CHECK and (wizard.tally.dice or wizard.tally.unread):
        return _open(wizard, Page.KEPT)
    looks_for_tray = wizard.page in (Page.TRAY, *_FLOOR_STEPS)
    requests = (state.Restore(),) if looks_for_tray else ()
    if wizard.known is None:
        # Nothing else can be done without a tray.
        return replace(wizard, ended=True, requests=requests)
    return replace(_to_list(wizard), requests=requests)


def _after_press(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    if press.key is state.Key.BACK:
        return _leave(wizard, press)
    match wizard.page:
        case Page.LIST:
            return _press_in_list(wizard, press)
        case Page.CHECK:
            return _press_in_check(wizard, press)
        case Page.KEPT:
            return _to_list(wizard) if press.key is state.Key.OK else wizard
        case Page.CORNERS if wizard.points:
            return _press_while_pointing(wizard, press)
        case _ if press.key is state.Key.OK:
            return _press_ok(wizard)
        case _ if press.key in (state.Key.LEFT, state.Key.RIGHT):
            by = state.STEPS_OF_LONG_PRESS if press.long else 1
            return _after_left_or_right(wizard, by if press.key is state.Key.RIGHT else -by)
        case _:
            return wizard


def _press_in_list(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    here = ITEMS.index(wizard.item)
    match press.key:
        case state.Key.LEFT | state.Key.RIGHT:
            by = 1 if press.key is state.Key.RIGHT else -1
            return replace(wizard, item=ITEMS[(here + by) % len(ITEMS)])
        case state.Key.OK if wizard.known is None and wizard.item is not Page.TRAY:
            return replace(wizard, refusal=state.TRAY_FIRST)
        case state.Key.OK:
            begun = replace(_open(wizard, wizard.item), faces=(), bare=None, tally=Check())
            requests = (state.Unlock(),) if wizard.item is Page.TRAY else ()
            return replace(begun, requests=requests)
        case _:
            return wizard


def _press_ok(wizard: state.Wizard) -> state.Wizard:
    """OK is for impatience: it takes what is seen, and says why where that is not enough."""
    seen = wizard.seen
    if wizard.page is Page.WIDTH:
        return _open(replace(wizard, floor_mm=wizard.floor), Page.DEPTH)
    if wizard.page is Page.DEPTH:
        return _open(replace(wizard, floor_mm=wizard.floor), Page.CORNERS)
    if wizard.no_markers:
        return _open(wizard, Page.WIDTH)
    if seen is None:
        return replace(wizard, refusal=state.LOOKING)
    if not seen.verdict.good:
        return replace(wizard, refusal=seen.verdict)
    # Somebody may find the holder's dice in place; a face that lay there is not the one asked for.
    if wizard.page is Page.POWER and not wizard.changed:
        return replace(wizard, refusal=state.UNCHANGED)
    return _take(wizard)


def _after_left_or_right(wizard: state.Wizard, by: int) -> state.Wizard:
    match wizard.page:
        case Page.CORNERS if by < 0:
            return _open(wizard, Page.WIDTH)
        case Page.CORNERS:
            again = wizard.pointing and wizard.pointing.again()
            return replace(wizard, pointing=again, pointed=None, seen=None)
        case Page.WIDTH | Page.DEPTH as page:
            resized = _resize_floor(wizard.floor, page, by * state.FLOOR_STEP_MM)
            return replace(wizard, floor_mm=resized)
        case Page.POWER if by < 0 and wizard.faces:
            # What was shown for another face is shown again.
            return replace(_open(wizard, Page.POWER), faces=wizard.faces[:-1])
        case Page.HOLDER if by > 0 and wizard.known is not None:
            return _store(wizard, replace(wizard.known, holders=None, holder_learnt=False))
        case _:
            return wizard


def _press_while_pointing(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    """LEFT and RIGHT move the cross sideways, the first two hold buttons up and down."""
    pointing = wizard.pointing
    if pointing is None:
        refused = press.key is state.Key.OK
        return replace(wizard, refusal=state.LOOKING) if refused else wizard
    steps = FAST_STEPS if press.long else 1
    match press:
        case state.Press(state.Key.LEFT):
            return replace(wizard, pointing=pointing.moved(-steps, 0))
        case state.Press(state.Key.RIGHT):
            return replace(wizard, pointing=pointing.moved(steps, 0))
        case state.Press(state.Key.HOLD, 0):
            return replace(wizard, pointing=pointing.moved(0, -steps))
        case state.Press(state.Key.HOLD, 1):
            return replace(wizard, pointing=pointing.moved(0, steps))
        case state.Press(state.Key.OK):
            return _after_pointing(wizard, pointing.taken())
        case _:
            return wizard


def _pixels(wizard: state.Wizard, x: float, y: float) -> tuple[int, int]:
    """A place in the picture from shares of its size."""
    assert wizard.pointing is not None
    width, height = wizard.pointing.size
    return int(x * width), int(y * height)


def _after_pointing(wizard: state.Wizard, pointing: Pointing) -> state.Wizard:
    """The tray once all corners are taken; if they are not those of a floor, all over again."""
    wizard = replace(wizard, pointing=pointing, refusal=None)
    if not pointing.done:
        return wizard
    try:
        pointed = geometry_of_corners(
            *(pointing.corners, pointing.size, wizard.sight),
            floor_mm=wizard.floor,
            measured=wizard.lens,
        )
    except RefusedError as error:
        refusal = Verdict(0.0, error.problem, error.detail)
        return replace(wizard, pointing=pointing.again(), refusal=refusal)
    return replace(wizard, pointed=pointed, seen=None, first=None, looks=0)


def _resize_floor(floor: tuple[float, float], page: Page, by: float) -> tuple[float, float]:
    """The floor with another width or depth, millimetres."""
    width, depth = floor
    least, most = state.FLOOR_SIDE_RANGE_MM
    if page is Page.WIDTH:
        return min(max(width + by, least), most), depth
    return width, min(max(depth + by, least), most)


def _after_look(wizard: state.Wizard, seen: state.Seen) -> state.Wizard:
    first, before = wizard.first, wizard.seen
    changed = wizard.changed
    if seen.steady:
        changed |= first is not None and seen.differs_from(first)
    elif first is None:
        # A hand was quicker than the first look.
        changed = True
    same = (
        before is not None
        and seen.verdict.problem is before.verdict.problem
        and (not seen.differs_from(before) or wizard.page is Page.HOLDER)
    )
    if same and before is not None and len(before.places) > len(seen.places):
        # Dice beside the tray are not found in every look; what nobody has moved is still there.
        seen = before
    if wizard.points and wizard.pointing is None and seen.picture is not None:
        size = (seen.picture.shape[1], seen.picture.shape[0])
        wizard = replace(wizard, pointing=begin_pointing(size))
    good = seen.verdict.good and seen.draft is not None
    if seen.view is not None:
        wizard = replace(wizard, views=(*wizard.views, seen.view), lens=seen.lens)
    ready = good and not wizard.measures_lens and (changed or wizard.page not in CHANGED_PAGES)
    looks = wizard.looks + 1 if ready and same else int(ready)
    taken_away = wizard.page is Page.CARD and seen.bare is not None
    # A refusal stands until something changes; that nothing can be written, until the next OK.
    stays = wizard.refusal is state.NOT_STORED or same
    wizard = replace(
        wizard,
        first=seen if first is None and seen.steady else first,
        bare=seen.bare if seen.steady and (first is None or taken_away) else wizard.bare,
        seen=seen,
        changed=changed,
        looks=looks,
        refusal=wizard.refusal if stays else None,
    )
    goes_on = wizard.page in LOOKS_TO_TAKE and looks >= LOOKS_TO_TAKE[wizard.page]
    return _take(wizard) if goes_on and wizard.refusal is not state.NOT_STORED else wizard


def _take(wizard: state.Wizard) -> state.Wizard:
    """Keeps what is seen, or goes on to the next face."""
    seen = wizard.seen
    if seen is None or seen.draft is None:
        return replace(wizard, refusal=state.LOOKING)
    match wizard.page:
        case Page.TRAY | Page.CORNERS:
            # A check belongs to the tray that it was made with.
            taking = replace(seen.draft, check=Check())
            return replace(wizard, taking=taking, advice=seen.advice, requests=(state.Lock(),))
        case Page.CARD if wizard.measured is None:
            return replace(wizard, measured=seen.draft, seen=None, looks=0)
        case Page.POWER if len(seen.draft.profile.power_faces) < len(POWER_FACES):
            faces: tuple[PowerFace, ...] = seen.draft.profile.power_faces
            # The face that lies there is what the next one must differ from.
            return replace(_open(wizard, Page.POWER), faces=faces, first=seen)
        case _:
            return _store(wizard, seen.draft)


def _store(wizard: state.Wizard, calibration: Calibration) -> state.Wizard:
    return replace(wizard, taking=calibration, requests=(state.Store(calibration),))


def _after_throw(wizard: state.Wizard, dice: tuple[state.SeenDie, ...]) -> state.Wizard:
    if len(dice) > state.MAX_CHECKED_DICE:
        return replace(wizard, throw=None, refusal=state.TOO_MANY_DICE)
    there = wizard.there or len(dice)
    faces = tuple(die.value for die in dice)
    throw = state.CheckedThrow(dice, faces, min(max(there, 1), state.MAX_CHECKED_DICE))
    return replace(wizard, throw=throw, refusal=None)


def _press_in_check(wizard: state.Wizard, press: state.Press) -> state.Wizard:
    throw = wizard.throw
    if throw is None:
        refused = press.key is state.Key.OK
        return replace(wizard, refusal=state.NO_THROW) if refused else wizard
    count, chosen = len(throw.dice), throw.chosen
    match press.key:
        case state.Key.HOLD:
            # The seventh die has no button of its own: the first one's leads to it, too.
            slots = [slot for slot in (press.slot, press.slot + 6) if slot < count]
            after = slots[slots.index(chosen) + 1 :] if chosen in slots else slots
            throw = replace(throw, chosen=after[0] if after else None)
        case state.Key.LEFT | state.Key.RIGHT if chosen is None:
            by = 1 if press.key is state.Key.RIGHT else -1
            throw = replace(throw, there=min(max(throw.there + by, 1), state.MAX_CHECKED_DICE))
        case state.Key.LEFT | state.Key.RIGHT:
            throw = _step_face(throw, chosen or 0, 1 if press.key is state.Key.RIGHT else -1)
        case state.Key.OK if chosen is not None:
            throw = replace(throw, chosen=None)
        case state.Key.OK:
            return _count_throw(wizard, throw)
        case _:
            pass
    return replace(wizard, throw=throw)


def _step_face(throw: state.CheckedThrow, which: int, by: int) -> state.CheckedThrow:
    faces = throw.dice[which].kind.faces
    now = throw.faces[which]
    if now in faces:
        face = faces[(faces.index(now) + by) % len(faces)]
    else:
        face = faces[0] if by > 0 else faces[-1]
    corrected = (*throw.faces[:which], face, *throw.faces[which + 1 :])
    return replace(throw, faces=corrected)


def _count_throw(wizard: state.Wizard, throw: state.CheckedThrow) -> state.Wizard:
    assert wizard.known is not None
    tally = wizard.tally.plus(throw.check)
    counted = replace(wizard, tally=tally, throw=None, there=throw.there)
    return _store(counted, wizard.known.with_check(wizard.known.check.plus(throw.check)))
