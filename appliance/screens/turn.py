"""The screens of a turn, from the first throw to the next game.

Waiting for a throw, dice rolling, the dice to decide about; the list of choices, each with its
points, why, and its place in the list; hints, which underline the dice to hold or name the choice,
with what may be expected; the end of a game.
"""

from collections.abc import Sequence
from dataclasses import replace

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.picture import WIDTH, Picture
from appliance.screens.drawing import layout
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import (
    OTHER_PAGE_S,
    Film,
    Still,
    animation_stills,
    curtain,
    film,
    fireworks,
    flashing_pictures,
    pages,
)
from appliance.screens.drawing.font import SMALL
from appliance.screens.open_cards import card_name, card_pages, long_name
from appliance.screens.standing import (
    banked_page,
    closing_page,
    shows_figures,
    standing_page,
    totals_page,
)
from appliance.screens.strip import draw_box_lights
from appliance.screens.table_map import note_text, spot_pages, table_map, told_lines
from appliance.table.prompts.hints import HintPrompt, WaitPrompt
from appliance.table.prompts.looking import TableSpots
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, Standing, ThrowPrompt
from appliance.table.prompts.wording import ABBREVIATED_LABELS, CARD_PLACE
from appliance.table.session.session import Scored
from appliance.words import Label, say
from games.values import DieKind, Face, Measure, Pass
from vision.reading import TrayState

_NUMBERED_DICE = 5
_THINKING_S = 0.8
"""Seconds that a computer's dice are shown before it holds some: long enough to see them."""
_TUMBLE_FRAMES = 6
_MOST_PAGES = 4
"""No more pages than these come round within 3 s."""
_MOST_AT_A_GLANCE = 3
"""Fewer pages than these leave time for what is only news."""
_TUMBLE_FACES = (3, 6, 2, 5, 1, 4)
_TUMBLE_OFFSETS = (0, 2, 5, 3, 1, 4)
"""Where in the tumble each die begins, so that no two of them show the same face."""
_POWER_TUMBLE_FACES: tuple[Face, ...] = ("1", "double", "2", "freeze", "3", "power")


_WHAT_THE_HIGHEST_DOES = {"WHO BEGINS": "BEGINS", "WHO DEALS": "DEALS"}


def is_rolling(prompt: ThrowPrompt | DicePrompt) -> bool:
    """True if what moves in the tray is a throw: after the last one dice are only taken out."""
    may_roll = isinstance(prompt, ThrowPrompt) or prompt.may_roll
    return prompt.tray is TrayState.MOVING and may_roll


def rolls_text(roll: int, rolls: int) -> str:
    """Which roll it is of how many, such as `2/3`; empty where there is only one."""
    return f"{roll}/{rolls}" if rolls > 1 else ""


def tumbled_faces(
    dice: Sequence[Face | None], moving: Sequence[int], frame: int
) -> list[Face | None]:
    """The dice, the moving ones with another face in each frame."""
    shown = list(dice)
    for slot in moving:
        if isinstance(dice[slot], str):
            shown[slot] = _POWER_TUMBLE_FACES[(frame + slot) % len(_POWER_TUMBLE_FACES)]
        else:
            offset = _TUMBLE_OFFSETS[slot % len(_TUMBLE_OFFSETS)]
            shown[slot] = _TUMBLE_FACES[(frame + offset) % len(_TUMBLE_FACES)]
    return shown


def _rolling_frames(
    header: tuple[str, str], dice: Sequence[Face | None], moving: Sequence[int], held: Sequence[int]
) -> tuple[Picture, ...]:
    throws = (tumbled_faces(dice, moving, frame) for frame in range(_TUMBLE_FRAMES))
    player, right = header
    # That they roll is the news; which roll it was comes back with the dice.
    rolls = say("ROLLING")
    if layout.fits_small_line(player, rolls):
        right = rolls
    return tuple(layout.dice_under((player, right), shown, held).picture for shown in throws)


def _throw_frames(prompt: ThrowPrompt) -> tuple[Picture, ...]:
    """The dice of the prompt while they roll, each with the faces of its kind."""
    power = DieKind.POWER in (prompt.kind, prompt.odd)
    count = len(prompt.slots)
    dice = tuple("power" if power and n == count - 1 else 1 for n in range(count))
    return _rolling_frames(
        (prompt.player, rolls_text(prompt.roll, prompt.rolls)), dice, range(count), ()
    )


def _throw_request(prompt: ThrowPrompt) -> str:
    """The request for a throw, or to clear the tray first: the key of the text."""
    if prompt.take:
        return "TAKE DICE"
    if prompt.purpose == "SHOW":
        return "SHOW {dice}"
    if prompt.kind in (None, DieKind.BLACK):
        return "THROW {dice}"
    return f"THROW {prompt.kind} DIE".upper() if len(prompt.slots) == 1 else "THROW DICE"


def scored_pages(scored: Scored, scorer: str) -> tuple[Picture, ...]:
    """Pages on what the last choice brought: who, how much, for what and why."""
    points = f"{scored.points:+d}" if scored.points else ""
    lines = (say(Label(scored.choice.key)), *layout.split_lines(say(scored.reason)))
    scorer = layout.shorten_to_fit(scorer, points)
    return tuple(layout.two_lines(scorer, line, points) for line in lines)


def aim_pages(table: TableSpots | None, room: int) -> tuple[Picture, ...]:
    """Pages on the uses of the roll: the cards on at most `room` pages, or the map of a ring.

    Who must beat a card sees what it takes.
    """
    if table is None:
        return ()
    if not table.ring:
        return card_pages(table, room)
    beaten = tuple(spot_pages(replace(spot, pawns=()))[0] for spot in table.aims)
    lines = told_lines(table, table.here)
    # Who must beat a card sees what it takes on a page of its own.
    texts = lines[:1] if beaten else (lines[0], *lines[-1:])
    return (*beaten, *(table_map(table, text=text) for text in dict.fromkeys(texts)))


def _aim_header(table: TableSpots | None) -> tuple[tuple[str, str], ...]:
    """The uses of the roll on a ring, as a line above the dice."""
    found = []
    for spot in table.aims if table is not None and table.ring else ():
        label, note = say(spot.label), note_text(spot)
        right = note if note and layout.fits_small_line(label, note) else str(spot.points)
        found.append((label, right))
    return tuple(found)


def _begins_page(prompt: ThrowPrompt) -> Picture:
    """Who is next and what is to be done; with everybody's points, once there are any."""
    right = rolls_text(prompt.roll, prompt.rolls)
    todo = _throw_request(prompt)
    count = layout.dice_count(len(prompt.slots))
    if prompt.standing is None or not prompt.standing.totals:
        return layout.two_lines(prompt.player, say(todo, dice=count), right)
    if prompt.take:
        short = say("CLEAR TRAY")
    elif prompt.kind in (None, DieKind.BLACK):
        short = say("THROW {dice}", dice=len(prompt.slots))
    else:
        short = say(f"{prompt.kind} DIE".upper())
    return standing_page(prompt.player, short, prompt.standing)


@pages.register
def _throw_pages(prompt: ThrowPrompt) -> tuple[Picture, ...]:
    right = rolls_text(prompt.roll, prompt.rolls)
    if is_rolling(prompt):
        return _throw_frames(prompt)[:1]
    shown = [_begins_page(prompt)]
    if prompt.blind:
        # The offer first: what is wrong with the camera takes turns with it.
        shown.insert(0, layout.two_lines(prompt.player, say("ENTER DICE?"), right, "OK"))
    if prompt.purpose in _WHAT_THE_HIGHEST_DOES:
        shown.append(
            layout.two_lines(say("THE HIGHEST"), say(_WHAT_THE_HIGHEST_DOES[prompt.purpose]))
        )
    elif prompt.purpose not in ("ROLL", *_throw_request(prompt).split()) and prompt.table is None:
        shown.append(layout.two_lines(prompt.player, say(prompt.purpose), right))
    standing = prompt.standing
    if standing is not None and standing.totals and not shows_figures(standing):
        shown.append(totals_page(standing))
    shown += aim_pages(prompt.table, _MOST_PAGES - len(shown))
    if prompt.scored is not None and not prompt.take and len(shown) < _MOST_AT_A_GLANCE:
        # Whoever took the dice out at once has not seen it yet.
        shown.append(scored_pages(prompt.scored, prompt.scorer)[0])
    return tuple(shown)


def _news_pages(prompt: ThrowPrompt) -> tuple[Picture, ...]:
    """The news while the dice of the turn before still lie there."""
    told: tuple[Picture, ...] = ()
    if prompt.scored is not None:
        told = scored_pages(prompt.scored, prompt.scorer)
    if prompt.standing is not None and prompt.standing.banked:
        told = (*told, banked_page(prompt.player, prompt.standing.banked))
    return told


@film.register
def _throw_film(prompt: ThrowPrompt) -> Film:
    if is_rolling(prompt):
        return Film(animation_stills(_throw_frames(prompt)))
    shown = pages(prompt)
    if not prompt.take:
        return Film.at_a_glance(shown)
    opening = tuple(Still(page, OTHER_PAGE_S) for page in _news_pages(prompt))
    if prompt.scored is not None and prompt.scored.celebrated:
        opening = (*animation_stills(fireworks()), *opening)
    if prompt.standing is not None and prompt.standing.closing:
        # The end announces itself.
        closing = closing_page(prompt.standing)
        film = animation_stills((*curtain(), *flashing_pictures(closing)))
        opening = (*opening, *film, Still(closing, OTHER_PAGE_S))
    return replace(Film.at_a_glance(shown, opening), hides=bool(opening))


def _decision_page(prompt: DicePrompt, header: tuple[str, str], right: str) -> Picture:
    dice, held = prompt.dice, prompt.held
    if all(face is None for face in dice[:_NUMBERED_DICE]):
        # Only the dice that the decision is about.
        dice, held = tuple(face for face in dice if face is not None), ()
    canvas = layout.dice_under(header, dice, held, right)
    if prompt.rolls > 1 and len(dice) <= _NUMBERED_DICE:
        layout.draw_step_bar(canvas, 50, 14, prompt.roll, prompt.rolls)
    return canvas.picture.offering(*HOLD_BUTTONS)


@pages.register
def _dice_pages(prompt: DicePrompt) -> tuple[Picture, ...]:
    right = rolls_text(prompt.roll, prompt.rolls)
    if is_rolling(prompt):
        return _reroll_frames(prompt)[:1]
    ends = "OK" if prompt.purpose else ""
    todo = say("ROLL") if prompt.may_roll and prompt.may_throw else ends
    ready = say("OR OK: {todo}" if prompt.may_roll else "OK: {todo}", todo=say(prompt.purpose))
    passes: tuple[Picture, ...] = ()
    if prompt.purpose == Label(Pass().key) and prompt.decided is None:
        # OK passes at once, with no list to look at first.
        headers = ((ready, right), (prompt.player, say(prompt.purpose)))
        drawn = (_decision_page(prompt, header, "OK") for header in headers)
        passes = tuple(page.offering(Button.OK, *HOLD_BUTTONS) for page in drawn)
    if prompt.remark:
        return (_decision_page(prompt, (say(prompt.remark), ""), todo), *passes)
    if passes:
        return passes
    if prompt.decided is not None:
        return _computers_dice_pages(prompt, right)
    shown = [_decision_page(prompt, (prompt.player, right), todo)]
    if prompt.purpose:
        shown.append(_decision_page(prompt, (ready, ""), "OK"))
    if prompt.may_roll and (len(prompt.dice) > _NUMBERED_DICE or not prompt.may_throw):
        # There is no room for that beside six dice.
        others = say("THROW OTHERS" if prompt.held else "THROW ALL")
        if not prompt.may_throw:
            others = say("HOLD WHAT FITS")
        shown.insert(1, _decision_page(prompt, (others, ""), todo))
    if prompt.blind and prompt.may_roll:
        shown.append(_decision_page(prompt, (say("> ENTER ROLL"), ""), todo))
    shown += (_decision_page(prompt, header, todo) for header in _aim_header(prompt.table))
    if prompt.table is not None and not prompt.table.ring:
        shown += card_pages(prompt.table, _MOST_PAGES - len(shown), lit=True)
    return tuple(shown)


def _computers_dice_pages(prompt: DicePrompt, right: str) -> tuple[Picture, ...]:
    """Whose dice these are and, once that is decided, which of them people are to throw for it."""
    if not prompt.decided:
        return (_decision_page(prompt, (prompt.player, right), ".."),)
    says, todo = ("{player} HOLDS", "THROW OTHERS") if prompt.held else ("{player}", "THROW ALL")
    lines = say(says, player=prompt.player), say(todo)
    return tuple(_decision_page(prompt, (line, ""), say("ROLL")) for line in lines)


def _reroll_frames(prompt: DicePrompt) -> tuple[Picture, ...]:
    right = rolls_text(min(prompt.roll + 1, prompt.rolls), prompt.rolls)
    free = [slot for slot in range(len(prompt.dice)) if slot not in prompt.held]
    return _rolling_frames((prompt.player, right), prompt.dice, free, prompt.held)


@film.register
def _dice_film(prompt: DicePrompt) -> Film:
    shown = pages(prompt)
    if is_rolling(prompt):
        return Film(animation_stills(_reroll_frames(prompt)))
    if prompt.decided is False:
        return Film((Still(shown[0], _THINKING_S),))
    five = prompt.dice[:_NUMBERED_DICE]
    alike = len(five) == _NUMBERED_DICE and isinstance(five[0], int) and len(set(five)) == 1
    opening: tuple[Still, ...] = ()
    if alike and not prompt.held and not prompt.remark:
        opening = animation_stills(flashing_pictures(shown[0]))
    drawn = Film.at_a_glance(shown, opening)
    table = prompt.table
    if table is None or not any(spot.fits for spot in table.spots) or len(shown) < 2 or table.ring:
        return drawn
    # What the dice make lights up twice.
    before = len(pages(replace(prompt, table=None)))
    if before == len(shown):
        # A remark, or a computer's dice, has the board to itself.
        return drawn
    loop: list[Still] = [*drawn.loop[:before]]
    for still, plain in zip(
        drawn.loop[before:], card_pages(table, _MOST_PAGES - before), strict=True
    ):
        if still.picture == plain:
            loop.append(still)
            continue
        lit = replace(still, seconds=2 * still.seconds / 5)
        loop += (lit, Still(plain, still.seconds / 5), lit)
    return replace(drawn, loop=tuple(loop))


@pages.register
def _choice_pages(prompt: ChoicePrompt) -> tuple[Picture, ...]:
    if prompt.confirm:
        return (
            _choice_page(prompt, say("ZERO?"), "OK").offering(Button.OK),
            _choice_page(prompt, say("NO?"), say("BACK")),
        )
    # The reason for the points comes before whose turn it is: the player has just pressed OK. When
    # rolled dice are scored, it is plain what is being chosen.
    purpose = () if prompt.purpose in ("", "SCORE") else (say(prompt.purpose),)
    texts: tuple[str, ...]
    if prompt.label in _ON_OWN_CARD:
        texts = (say(_ON_OWN_CARD[prompt.label]), say("YOUR CARD"), prompt.player)
    else:
        # Where a card is taken from says that it is taken.
        what = _source(prompt) or purpose
        texts = (*layout.split_lines(_reason(prompt)), *what, prompt.player)
    lines = dict.fromkeys(texts)
    shown = tuple(_choice_page(prompt, line, "OK?").offering(Button.OK) for line in lines)
    at = CARD_PLACE.match(prompt.label)
    if (legend := label_legend(prompt.label)) and (at is None or not at[1]):
        shown += (layout.two_lines(*legend),)
    on_ring = prompt.table is not None and prompt.table.ring
    return (*shown, table_map(prompt.table)) if on_ring and prompt.table else shown


def _choice_label(prompt: ChoicePrompt) -> str:
    """The label of the choice; of a card on the table its name, for where it lies is told below."""
    placed = CARD_PLACE.match(prompt.label)
    return long_name(card_name(prompt.label)) if placed else say(prompt.label)


def _source(prompt: ChoicePrompt) -> tuple[str, ...]:
    """Where a card is taken from; nothing for choices that take none."""
    at = CARD_PLACE.match(prompt.label)
    if at is None:
        return ()
    if at[1]:
        return (say("CENTRE {space}", space=at[1]),)
    spots = prompt.table.spots if prompt.table is not None else ()
    owner = next((spot.owner for spot in spots if spot.label == prompt.label), "")
    return (say("FROM {player}", player=owner) if owner else f"{say('PLAYER')} {at[2]}",)


_ON_OWN_CARD = {"MOVE ON": "ROLL RED DIE", "STAY": "RAISE IT"}
"""Actions on a card of one's own, in words that say what comes next."""


def _reason(prompt: ChoicePrompt) -> str:
    """The reason for the points; of a card with chips, what both bring."""
    reason = prompt.points.reason
    chips = reason.removeprefix("chips +")
    if reason.startswith("chips +") and chips.isdigit():
        return say("{card} + {chips} CHIPS", card=prompt.points.points - int(chips), chips=chips)
    return say(Label(reason))


def label_legend(label: str) -> tuple[str, ...]:
    """The long form of a label, in two lines: where a card lies, and its name; empty if none."""
    long = next((n for short, n in ABBREVIATED_LABELS.items() if label.endswith(short)), "")
    at = CARD_PLACE.match(label)
    if at is None:
        return tuple(say(long).split(" ", 1)) if long else ()
    space, seat, home = at.groups()
    where = ("CENTRE", f"SPACE {space}") if space else (f"PLAYER {seat}", f"HOME {home}")
    return (" ".join(map(say, where)), say(long)) if long else tuple(map(say, where))


def _choice_page(prompt: ChoicePrompt, below: str, ask: str) -> Picture:
    canvas = Canvas()
    points = prompt.points
    # Moving on, staying and the like are not zeros in a box: they give the reason instead.
    nothing = points.points == 0 and bool(points.reason)
    canvas.line(0, _choice_label(prompt), "" if nothing else str(points.points))
    rise = SMALL.rise(below)
    canvas.small_line(layout.LOWER_LINE_ROW + rise, below, ask)
    if prompt.boxes:
        draw_box_lights(canvas, prompt.boxes, prompt.box, 2 - rise)
    else:
        layout.draw_list_bar(canvas, prompt.index, prompt.count, 2 - rise)
    return canvas.picture


@pages.register
def _over_pages(prompt: OverPrompt) -> tuple[Picture, ...]:
    """Who won, and everybody's points: these pages stay until somebody presses."""
    if len(prompt.totals) == 1:
        name, total = prompt.totals[0]
        again = layout.two_lines(say("GAME OVER"), say("OK: AGAIN"))
        return (layout.two_lines(name, say("TOTAL"), "", str(total)), again)
    standing = Standing(prompt.totals)
    verb = say("WINS" if len(prompt.winners) == 1 else "A TIE")
    won = tuple(standing_page(name, verb, standing) for name in prompt.winners)
    again = layout.two_lines(say("GAME OVER"), say("OK: AGAIN"))
    return (*won, again) if shows_figures(standing) else (*won, totals_page(standing), again)


@film.register
def _over_film(prompt: OverPrompt) -> Film:
    opening = animation_stills(fireworks()) if prompt.winners else ()
    return replace(Film.at_a_glance(pages(prompt), opening), hides=True)


_ROUNDED_AWAY = 0.005
"""A chance below this would be written as none."""


def expectation_text(expects: float, measure: Measure) -> str:
    """The expected result, such as `43%`, `231` or `+4.5`."""
    if measure in (Measure.WIN, Measure.GAME):
        # Nobody is told that all is lost, or won, before it is.
        least, most = 0 < expects < _ROUNDED_AWAY, 1 - _ROUNDED_AWAY < expects < 1
        return "<1%" if least else ">99%" if most else f"{100 * expects:.0f}%"
    if measure is Measure.TOTAL:
        return f"{expects:.0f}"
    # Adding 0.0 turns a rounded -0.0 into 0.0.
    return f"{round(expects, 1) + 0.0:+.1f}"


@pages.register
def _hint_pages(prompt: HintPrompt) -> tuple[Picture, ...]:
    if prompt.odds:
        return _odds_pages(prompt)
    texts = expectation_text(prompt.expects, prompt.measure)
    what = "BEST TO WIN" if prompt.measure is Measure.GAME else Label(prompt.measure)
    expects = [layout.two_lines(say(what), prompt.player, texts)]
    if prompt.measure is Measure.GAME and prompt.expects < _ROUNDED_AWAY:
        # Nobody needs to read that; among choices alike in this, points decide.
        expects = [layout.two_lines(prompt.player, say("MOST POINTS"))]
    if prompt.measure is Measure.TOTAL:
        # What the player may end up with, not what the player has now.
        expects = [layout.two_lines(prompt.player, say("EXPECT {points}", points=texts))]
    why = say(prompt.reason)
    if prompt.measure in (Measure.TOTAL, Measure.GAIN):
        # Over dice to hold there is room for the reason.
        points = say("MOST POINTS")
        over = bool(prompt.hold) or not why
        page = layout.two_lines(prompt.player, points) if over else layout.two_lines(points, why)
        expects.insert(0, page)
    elif why and not prompt.hold:
        expects.append(layout.two_lines(prompt.player, why))
    if prompt.hold is None:
        return (
            layout.two_lines(say(prompt.purpose), say(prompt.label), say("HINT"), "OK"),
            *expects,
        )
    todo = say(prompt.reason or "HOLD THESE") if prompt.hold else say("THROW ALL")
    held = layout.dice_under((todo, ""), prompt.dice, prompt.hold, "OK?").picture
    return (held.offering(Button.OK, Button.HINT, *HOLD_BUTTONS), *expects)


def _odds_pages(prompt: HintPrompt) -> tuple[Picture, ...]:
    """A page that says what the figures are, then pages of a row and its advice, or two rows.

    One row that is looked at has the board to itself.
    """
    if prompt.row is not None:
        odds, room = prompt.odds[prompt.row], WIDTH - 2
        canvas = Canvas()
        canvas.line(0, say(Label(odds.key)), expectation_text(odds.win, Measure.WIN), room)
        canvas.line(layout.LOWER_LINE_ROW, say(Label(odds.advice)), "", room)
        layout.draw_page_bar(canvas, prompt.row, len(prompt.odds))
        return (canvas.picture,)
    shown = [layout.two_lines(say("CHANCE TO"), say("WIN WITH"))]
    if prompt.reason:
        shown.append(layout.two_lines(prompt.player, say(prompt.reason)))
    if any(odds.advice for odds in prompt.odds):
        rows = (
            (Label(odds.key), Label(odds.advice), expectation_text(odds.win, Measure.WIN))
            for odds in prompt.odds
        )
        return (*shown, *(layout.two_lines(*map(say, row)) for row in rows))
    for at in range(0, len(prompt.odds), 2):
        canvas = Canvas()
        for y, odds in zip((0, layout.LOWER_LINE_ROW), prompt.odds[at : at + 2], strict=False):
            canvas.line(y, say(Label(odds.key)), expectation_text(odds.win, Measure.WIN))
        shown.append(canvas.picture)
    return tuple(shown)


@pages.register
def _wait_pages(prompt: WaitPrompt) -> tuple[Picture, ...]:
    return tuple(layout.two_lines(say(top), say(bottom)) for top, bottom in prompt.pages)
