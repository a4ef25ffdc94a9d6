"""A roll-off before the game, for games whose own rules leave it to the players who begins."""

from dataclasses import replace

from appliance.inputs import Button
from appliance.rules.roll_off import standing
from appliance.table.menu.console import Desk, back, turn_to
from appliance.table.menu.new_game import started
from appliance.table.menu.pages import RollOff
from vision.events import TrackedDie


def in_roll_off(desk: Desk, page: RollOff, button: Button) -> Desk:
    """After a press: LEFT, RIGHT and OK tell a die, BACK takes the last one back."""
    if button is Button.BACK:
        if page.telling is not None or page.thrown:
            return turn_to(desk, RollOff(page.draft, page.totals))
        return turn_to(desk, RollOff(page.draft, page.totals[:-1])) if page.totals else back(desk)
    if page.telling is None:
        telling = button in (Button.LEFT, Button.RIGHT, Button.OK)
        return turn_to(desk, RollOff(page.draft, page.totals, 1)) if telling else desk
    if button is Button.OK:
        return _count(desk, page, page.telling)
    step = {Button.LEFT: -1, Button.RIGHT: 1}.get(button, 0)
    return turn_to(desk, replace(page, telling=(page.telling - 1 + step) % 6 + 1))


def thrown_off(desk: Desk, page: RollOff, dice: tuple[TrackedDie, ...]) -> Desk:
    """After a throw: one die counts, a doubtful one is asked about, others lying there do not."""
    thrown = [die for die in dice if die.thrown]
    if len(thrown) != 1:
        return turn_to(desk, RollOff(page.draft, page.totals, thrown=len(thrown)))
    reading = thrown[0].reading
    likely = [c.value for c in reading.candidates if isinstance(c.value, int)]
    if reading.sure and isinstance(reading.value, int):
        return _count(desk, page, reading.value)
    face = reading.value if isinstance(reading.value, int) else next(iter(likely), 1)
    return turn_to(desk, RollOff(page.draft, page.totals, face))


def _count(desk: Desk, page: RollOff, face: int) -> Desk:
    totals = (*page.totals, face)
    now = standing(page.draft.count, totals)
    after = turn_to(desk, RollOff(page.draft, totals))
    return started(after, page.draft, now.seat) if now.decided else after
