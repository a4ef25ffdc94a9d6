"""The screens of a turn, from the first throw to the next game.

Waiting for a throw, dice rolling, the dice to decide about; the list of choices, each with its
points, why, and its place in the list; hints, which underline the dice to hold or name the choice,
with what may be expected; the end of a game.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.picture import LETTERS_OF_DRAWING, WIDTH, Picture
from appliance.screens.drawing import layout
from appliance.screens.drawing.canvas import DIE_PITCH, Canvas
from appliance.screens.drawing.film import (
    Film,
    Still,
    animation_stills,
    curtain,
    film,
    fireworks,
    first_within_a_cycle,
    flashing_pictures,
    letters_left,
    letters_of,
    opening_of,
    pages,
    within_a_cycle,
)
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.open_cards import choice_name, least_to_win, winnable_page
from appliance.screens.ring import needed_dice, told_need, whose_card
from appliance.screens.standing import (
    banked_page,
    closing_page,
    round_page,
    shows_figures,
    standing_page,
    totals_page,
)
from appliance.screens.strip import draw_box_lights, number_of
from appliance.table.prompts.hints import HintPrompt, WaitPrompt, expectation_text
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.table.prompts.turn import (
    OTHER_CHOICES,
    ChoicePrompt,
    DicePrompt,
    OverPrompt,
    Standing,
    ThrowPrompt,
)
from appliance.table.prompts.wording import CARD_PLACE
from appliance.table.session.session import Scored
from appliance.words import Label, say
from games.values import DieKind, Face, Measure
from vision.reading import TrayState

_NUMBERED_DICE = 5
_TUMBLE_FRAMES = 6
_TUMBLE_FACES = (3, 6, 2, 5, 1, 4)
_TUMBLE_OFFSETS = (0, 2, 5, 3, 1, 4)
"""Where in the tumble each die begins, so that no two of them show the same face."""
_POWER_TUMBLE_FACES: tuple[Face, ...] = ("1", "double", "2", "freeze", "3", "power")


_WHAT_THE_HIGHEST_DOES = {"WHO BEGINS": "BEGINS", "WHO DEALS": "DEALS"}


def is_rolling(prompt: ThrowPrompt | DicePrompt) -> bool:
    """True if what moves in the tray is a throw: after the last one dice are only taken out."""
    may_roll = isinstance(prompt, ThrowPrompt) or prompt.may_roll
    return prompt.tray is TrayState.ROLLING and may_roll


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


def scored_pages(scored: Scored, scorer: str, players: Sequence[str] = ()) -> tuple[Picture, ...]:
    """Pages on what the last choice brought: who, how much, for what, and why or from whom.

    A zero has its figure, too. Of pots, everybody who won some.
    """
    if scored.won and players:
        return tuple(
            layout.two_lines(players[seat], say(f"WON {chips}")) for seat, chips in scored.won
        )
    points = f"{scored.points:+d}" if scored.points else "0" if scored.is_zero else ""
    label: str = Label(scored.choice.key)
    lines = [choice_name(label), *layout.split_lines(say(scored.reason))]
    if scored.taken_from is not None and scored.taken_from < len(players):
        lines[1:] = [_from(players[scored.taken_from])]
    scorer = layout.shorten_to_fit(scorer, points)
    what, *why = lines
    # The same points twice could be read as two lots.
    return (
        layout.two_lines(scorer, what, points),
        *(layout.two_lines(what, line) for line in why),
    )


def _beat_pages(
    table: TableSpots | None, ok: str, player: str = "", before: Sequence[Picture] = ()
) -> tuple[Picture, ...]:
    """The card of a ring that the roll is for, with what it takes; `ok` says what OK does.

    It is said in few letters if there is no time for more after the pages `before`. Where the page
    must name the `player`, too, it has no room for more than that OK does something.
    """
    spots = _aims(table)
    if player and not spots:
        return (layout.two_lines(player, ok),)
    shown, left = [], letters_left(*before)
    for spot in spots:
        what, worth = needed_dice(spot), str(spot.points or "")
        if player:
            shown.append(layout.two_lines(player, what, "", "OK"))
            continue
        told = told_need(spot)
        fits = NARROW.width(told) <= WIDTH and letters_of(told, ok) <= left
        if ok:
            shown.append(layout.two_lines(told if fits else what, ok))
        else:
            goal = whose_card(spot, worth)
            fits = NARROW.width(told) <= WIDTH and letters_of(told, goal, worth) <= left
            shown.append(layout.two_lines(told if fits else what, goal, "", worth))
    return tuple(shown)


def _begins_page(prompt: ThrowPrompt) -> Picture:
    """Who is next and what is to be done; with everybody's points, if they fit."""
    header = _begins_header(prompt)
    standing, table = prompt.standing, prompt.table
    if standing is not None and shows_figures(standing):
        return standing_page(*header, standing)
    if standing is not None and standing.totals and table is not None:
        # The points have a page of their own: what there is to win stands here.
        header = layout.shorten_to_fit(*header), header[1]
        if not table.ring:
            left = letters_left(totals_page(standing.totals, standing.leaders, letters=0))
            return winnable_page(table, header, left)
        if beat := table.aims[:1]:
            worth = "" if beat[0].needs else str(beat[0].points)
            told = told_need(beat[0]) if not worth else say(beat[0].label)
            return layout.two_lines(header[0], told, header[1], worth)
    if prompt.blind:
        total = dict(standing.totals).get(prompt.player, "") if standing is not None else ""
        return layout.two_lines(prompt.player, say("ENTER DICE?"), str(total), "OK")
    return layout.two_lines(prompt.player, _todo(prompt), rolls_text(prompt.roll, prompt.rolls))


def _todo(prompt: ThrowPrompt) -> str:
    """What is to be thrown, or to be done before."""
    return say(_throw_request(prompt), dice=layout.dice_count(len(prompt.slots)))


def _begins_header(prompt: ThrowPrompt) -> tuple[str, str]:
    """Who is next and what is to be done, in few words."""
    if prompt.blind:
        short = say("OK: ENTER")
    elif prompt.take:
        short = say("CLEAR TRAY")
    elif prompt.kind in (None, DieKind.BLACK):
        short = say("THROW {dice}", dice=len(prompt.slots))
    else:
        short = say(f"{prompt.kind} DIE".upper())
    return prompt.player, short


@pages.register
def _throw_pages(prompt: ThrowPrompt) -> tuple[Picture, ...]:
    """Who throws what, what the roll is for, how the game stands, and what happened before."""
    if is_rolling(prompt):
        return _throw_frames(prompt)[:1]
    ok = "OK" if prompt.blind else ""
    standing, table = prompt.standing, prompt.table
    apart = standing is not None and bool(standing.totals) and not shows_figures(standing)
    shown = [_begins_page(prompt)]
    rounds = (round_page(standing),) if standing is not None and standing.rounds and not ok else ()
    if prompt.purpose in _WHAT_THE_HIGHEST_DOES:
        does = say(_WHAT_THE_HIGHEST_DOES[prompt.purpose])
        shown.append(layout.two_lines(say("THE HIGHEST"), does, ok))
    elif prompt.purpose not in ("ROLL", *_throw_request(prompt).split()) and table is None:
        purpose = "THROW RED DIE" if prompt.purpose == "RED DIE" else prompt.purpose
        shown.append(layout.two_lines(prompt.player, say(purpose), ok))
    if standing is not None and apart:
        shown.append(_totals_page(prompt, standing, letters_left(*shown, *rounds)))
    elif table is not None and not table.ring:
        shown.append(winnable_page(table, ("", ok), letters_left(*shown)))
    else:
        shown += _beat_pages(table, ok, before=shown)
    if prompt.scored is not None and not prompt.take and not ok:
        # Whoever took the dice out at once has not seen it yet.
        shown.append(scored_pages(prompt.scored, prompt.scorer)[0])
    if prompt.blind:
        shown.append(layout.two_lines(_todo(prompt), say("OK: ENTER")))
    return within_a_cycle((*shown, *rounds))


def _totals_page(prompt: ThrowPrompt, standing: Standing, letters: int) -> Picture:
    """Everybody's points; where OK must be named, too, those of the player are on another page."""
    if not prompt.blind:
        return totals_page(standing.totals, standing.leaders, "", letters)
    others = [(name, total) for name, total in standing.totals if name != prompt.player]
    leaders = {standing.totals[seat][0] for seat in standing.leaders}
    leads = [seat for seat, (name, _) in enumerate(others) if name in leaders]
    return totals_page(others, leads, "OK", letters)


def _news_pages(prompt: ThrowPrompt) -> tuple[Picture, ...]:
    """The news while the dice of the turn before still lie there."""
    scored, standing = prompt.scored, prompt.standing
    banked = standing.banked if standing is not None else 0
    told: tuple[Picture, ...] = ()
    if scored is not None and not (banked and prompt.scorer == prompt.player):
        players = [name for name, _ in standing.totals] if standing is not None else []
        told = scored_pages(scored, prompt.scorer, players)
    return (*told, banked_page(prompt.player, banked)) if banked else told


@film.register
def _throw_film(prompt: ThrowPrompt) -> Film:
    if is_rolling(prompt):
        return Film(animation_stills(_throw_frames(prompt)))
    shown = pages(prompt)
    if not prompt.take:
        return Film.of_pages(shown)
    celebrated = prompt.scored is not None and prompt.scored.celebrated
    parts = [(_SHOW, animation_stills(fireworks()))] if celebrated else []
    parts += _ranked(_news_pages(prompt))
    if prompt.standing is not None and prompt.standing.closing:
        # The end announces itself.
        closing = closing_page(prompt.standing)
        parts.append((_SHOW + 1, animation_stills(curtain())))
        parts.append((_SHOW, animation_stills(flashing_pictures(closing))))
        parts.append((_TOLD_FIRST, (Still.to_read(closing),)))
    opening = opening_of(*parts)
    return replace(Film.of_pages(shown, opening), hides=bool(opening))


_TOLD_FIRST, _SHOW = 0, 2
"""Ranks in an opening: what is told before all, and what is nice to see; between are details."""


def _ranked(news: Sequence[Picture]) -> list[tuple[int, tuple[Still, ...]]]:
    """The pages of news with their ranks: first what happened, then why."""
    return [(_TOLD_FIRST if n == 0 else 1, (Still.to_read(page),)) for n, page in enumerate(news)]


def _decision_page(prompt: DicePrompt, header: tuple[str, str], right: str) -> Picture:
    dice, held = prompt.dice, prompt.held
    if all(face is None for face in dice[:_NUMBERED_DICE]):
        # Only the dice that the decision is about.
        dice, held = tuple(face for face in dice if face is not None), ()
    canvas = layout.dice_under(header, dice, held, right)
    if prompt.rolls > 1 and len(dice) <= _NUMBERED_DICE:
        layout.draw_steps(canvas, 50, 14, prompt.roll, prompt.rolls)
    return canvas.picture


@pages.register
def _dice_pages(prompt: DicePrompt) -> tuple[Picture, ...]:
    """Dice with who has them and what OK does, then what else there is to know.

    What OK does stands on every page, and on every page dice can be held: that brings back the
    first, with a bar below them.
    """
    if is_rolling(prompt):
        return _reroll_frames(prompt)[:1]
    if prompt.decided is not None:
        return _computers_dice_pages(prompt)
    rolls = prompt.may_roll and prompt.may_throw
    ok, table = _ok_text(prompt), prompt.table
    enters = prompt.blind and prompt.may_roll
    shown: list[Picture] = []
    player = layout.shorten_to_fit(prompt.player, ok)
    if enters:
        # How to go on is above the dice, and whose they are on a page of its own, or beside what
        # there is to win.
        shown.append(_decision_page(prompt, (say("> ROLL"), ok), ""))
    elif len(player) < min(len(prompt.player), _LEAST_LETTERS):
        # One die, or a few, and long words for what OK does.
        aim = next(iter(_aims(table)), None)
        what = needed_dice(aim) if aim is not None else ""
        shown.append(_decision_page(prompt, (ok, ""), say(aim.label) if aim is not None else ""))
        named = layout.shorten_to_fit(prompt.player, what)
        return _holding((*shown, layout.two_lines(named, ok, what)))
    else:
        right, aim = say("ROLL") if rolls else "", next(iter(_aims(table)), None)
        if beaten := _least_to_beat(table):
            # The name is short enough for what is to beat to be read, too.
            least = letters_of(ok, beaten)
            dice = LETTERS_OF_DRAWING * len(prompt.dice)
            most = letters_left(least) - dice - letters_of(ok, right)
            player = layout.shorten_to_fit(prompt.player, ok, most=max(most, _LEAST_LETTERS))
        if aim is not None and aim.mine and not prompt.may_roll:
            named = say("YOURS: {card}", card=say(aim.label))
            right = named if NARROW.width(named) <= _BESIDE_A_DIE else say("YOUR CARD")
        shown.append(_decision_page(prompt, (player, ok), right))
    shown += [layout.two_lines(text, ok) for text in _beside_dice(prompt)]
    if table is None:
        return _holding(shown)
    if not table.ring:
        header = (player if enters else "", ok)
        return _holding((*shown, winnable_page(table, header, letters_left(*shown))))
    return _holding((*shown, *_beat_pages(table, ok, player if enters else "", shown)))


def _beside_dice(prompt: DicePrompt) -> Iterator[str]:
    """What is said of dice in words, each on a page: which are kept or thrown, and whose they are.

    How to go on is above the dice where the throw is entered, and beside five dice.
    """
    rolls, enters = prompt.may_roll and prompt.may_throw, prompt.blind and prompt.may_roll
    if enters:
        if prompt.table is None:
            yield prompt.player
        return
    if prompt.may_roll and not (prompt.may_throw and len(prompt.dice) <= _NUMBERED_DICE):
        others = "THROW OTHERS" if prompt.held else "THROW ALL"
        yield say(others if rolls else "HOLD WHAT FITS")
    elif rolls and prompt.held and prompt.table is None:
        kept = " ".join(str(prompt.dice[slot]) for slot in prompt.held)
        yield say("HELD: {faces}", faces=kept)
    elif _key_of(prompt.purpose) == _FIRST_OF_TWO:
        yield say("SCORE TWICE")


def _key_of(label: str) -> str:
    """The key of a label; nothing for any other text."""
    return label.key if isinstance(label, Label) else ""


_FIRST_OF_TWO = "first-of-two"
"""The key of the first choice of two that score the same dice."""


def _least_to_beat(table: TableSpots | None) -> str:
    """The shortest text on what is to beat; nothing where nothing is."""
    if table is not None and not table.ring:
        return least_to_win(table)
    return next(map(needed_dice, _aims(table)), "")


def _aims(table: TableSpots | None) -> tuple[Spot, ...]:
    """The cards of a ring that the roll is for."""
    return table.aims if table is not None and table.ring else ()


def _holding(shown: Sequence[Picture]) -> tuple[Picture, ...]:
    """The pages that a cycle has time for, on each of which dice can be held."""
    return tuple(page.offering(*HOLD_BUTTONS) for page in within_a_cycle(shown))


def _ok_text(prompt: DicePrompt) -> str:
    """What OK does, in words; nothing where it does nothing."""
    return say("OK: {todo}", todo=say(prompt.purpose)) if prompt.purpose else ""


def _computers_dice_pages(prompt: DicePrompt) -> tuple[Picture, ...]:
    """Whose dice these are and, once that is decided, which of them people are to throw for it."""
    if not prompt.decided:
        return (_decision_page(prompt, (prompt.player, ""), ".."),)
    if not prompt.held:
        todo = say("THROW ALL")
        return (_decision_page(prompt, (layout.shorten_to_fit(prompt.player, todo), todo), ""),)
    todo = say("THROW OTHERS")
    return (
        _decision_page(prompt, (say("{player} HOLDS", player=prompt.player), ""), ""),
        layout.two_lines(prompt.player, todo),
    )


def _reroll_frames(prompt: DicePrompt) -> tuple[Picture, ...]:
    right = rolls_text(min(prompt.roll + 1, prompt.rolls), prompt.rolls)
    free = [slot for slot in range(len(prompt.dice)) if slot not in prompt.held]
    return _rolling_frames((prompt.player, right), prompt.dice, free, prompt.held)


@film.register
def _dice_film(prompt: DicePrompt) -> Film:
    shown = pages(prompt)
    if is_rolling(prompt):
        return Film(animation_stills(_reroll_frames(prompt)))
    five = prompt.dice[:_NUMBERED_DICE]
    alike = len(five) == _NUMBERED_DICE and isinstance(five[0], int) and len(set(five)) == 1
    opening: tuple[Still, ...] = ()
    if alike and not prompt.held and not prompt.remark:
        opening = animation_stills(flashing_pictures(shown[0]))
    if prompt.remark and prompt.decided is None:
        # An answer to a press is said once.
        opening = (Still.to_read(layout.two_lines(say(prompt.remark), _ok_text(prompt))),)
    return Film.of_pages(shown, opening)


@pages.register
def _choice_pages(prompt: ChoicePrompt) -> tuple[Picture, ...]:
    if prompt.confirm:
        asks = (_choice_page(prompt, say(text), "OK") for text in ("ZERO?", "BACK: NO"))
        return tuple(page.offering(Button.OK) for page in asks)
    if prompt.label == Label(OTHER_CHOICES):
        looks = say("OK: SHOW THEM")
        what = say("BEST: +{points}", points=prompt.points.points)
        player = layout.shorten_to_fit(prompt.player, what)
        looking = (
            layout.two_lines(say(prompt.label), looks),
            layout.two_lines(player, looks, what),
        )
        return tuple(page.offering(Button.OK) for page in looking)
    # What a card brings has its sign, as where cards are looked at, if there is time for that.
    signs = ("+", "") if CARD_PLACE.match(prompt.label) else ("",)
    forms = (_pages_to_choose(prompt, sign) for sign in signs)
    return first_within_a_cycle(tuple(dict.fromkeys(form)) for form in forms)


def _pages_to_choose(prompt: ChoicePrompt, sign: str) -> Sequence[Picture]:
    """What is chosen, with a sign before its points, and why; then who chooses."""
    # The reason for the points comes before whose turn it is: the player has just pressed OK. When
    # rolled dice are scored, it is plain what is being chosen.
    purpose = () if prompt.purpose in ("", "SCORE") else (say(prompt.purpose),)
    if (action := _key_of(prompt.label)) in _ON_OWN_CARD:
        reason = _why_on_own_card(prompt)
        told_first: tuple[str, ...] = (_thrown_on_own_card(action),)
    else:
        # Where a card is taken from says that it is taken.
        reason = _reason_lines(prompt)
        told_first = tuple(_source(prompt) or reason[:1] or purpose)
    texts = (*told_first, prompt.player, *reason)
    if beside := [line for line in reason if line not in told_first]:
        # Beside the name of who chooses there is time for what is said besides.
        drawn = [_choice_page(prompt, line, "OK?", sign) for line in told_first]
        drawn += [_player_page(prompt, beside[0])]
        drawn += [_choice_page(prompt, line, "OK?", sign) for line in beside[1:]]
        return [page.offering(Button.OK) for page in drawn]
    if prompt.purpose == Label("bank"):
        texts += (say("SAFE THEN"),)
    drawn = [_choice_page(prompt, line, "OK?", sign) for line in texts if line]
    return [page.offering(Button.OK) for page in drawn]


def _why_on_own_card(prompt: ChoicePrompt) -> tuple[str, ...]:
    """What the dice must have to raise a card of one's own, or that it stays as it is."""
    raised = [told_need(spot) for spot in _aims(prompt.table)]
    return (raised[0] if raised and _key_of(prompt.label) == _STAY else say("CARD STAYS"),)


def _player_page(prompt: ChoicePrompt, line: str) -> Picture:
    """Who chooses, and a line on the choice."""
    return layout.two_lines(layout.shorten_to_fit(prompt.player, "OK?"), line, "OK?")


def _source(prompt: ChoicePrompt) -> tuple[str, ...]:
    """Where a card is taken from; nothing for choices that take none."""
    at = CARD_PLACE.match(prompt.label)
    if at is None or not any(at.groups()):
        of_ring = prompt.table is not None and prompt.table.ring and _owner_of(prompt)
        return (_take_from(of_ring),) if of_ring else ()
    owner = _owner_of(prompt)
    return (_take_from(owner) if owner else _place(at),)


def _owner_of(prompt: ChoicePrompt) -> str:
    """Whose the card is that a choice takes; nothing for a player's own and for a free one."""
    spots = prompt.table.spots if prompt.table is not None else ()
    return next((s.owner for s in spots if s.label == prompt.label and not s.mine), "")


def _take_from(owner: str) -> str:
    """From whom a card is taken, with a verb where there is room beside a text."""
    told = say("TAKE {player}'S", player=owner)
    return told if layout.fits_small_line(told, "OK?") else _from(owner)


def _place(at: re.Match[str]) -> str:
    """Where a card lies, by the beginning of its label: in the centre, or at whose home."""
    return say("CENTRE {space}", space=at[1]) if at[1] else f"{say('PLAYER')} {at[2]}"


def _from(owner: str) -> str:
    """Whose a card was, short enough for a text beside it."""
    name = layout.shorten_to_fit(owner, say("FROM {player}", player="OK?"))
    return say("FROM {player}", player=name)


_STAY = "stay"
_ON_OWN_CARD = ("move-on", _STAY)
"""The keys of actions on a card of one's own."""


def _thrown_on_own_card(action: str) -> str:
    """What comes next after an action on a card of one's own: which dice are thrown."""
    if action == _STAY:
        return say("THROW {dice}", dice=layout.dice_count(_NUMBERED_DICE))
    return say("ROLL RED DIE")


def _reason(prompt: ChoicePrompt) -> str:
    """The reason for the points; of a card with chips, what both bring."""
    reason = prompt.points.reason
    chips = reason.removeprefix("chips +")
    if reason.startswith("chips +") and chips.isdigit():
        text = "{card} + {chips} CHIP" if chips == "1" else "{card} + {chips} CHIPS"
        return say(text, card=prompt.points.points - int(chips), chips=chips)
    return say(Label(reason))


def _reason_lines(prompt: ChoicePrompt) -> tuple[str, ...]:
    """The reason in lines; of how many dice a card is beaten by, with its name where that fits."""
    text = _reason(prompt)
    if prompt.points.reason.startswith(_BEATEN) and number_of(prompt.label):
        named = f"{text} {say(prompt.label)}"
        if layout.fits_small_line(named, "OK?"):
            return (named,)
    return layout.split_lines(text)


_BEATEN = ("beats ", "meets ")


def _choice_page(prompt: ChoicePrompt, below: str, ask: str, sign: str = "") -> Picture:
    canvas = Canvas()
    points = prompt.points
    # Moving on, staying and the like are not zeros in a box: they give the reason instead.
    nothing = points.points == 0 and bool(points.reason)
    canvas.line(0, choice_name(prompt.label), "" if nothing else f"{sign}{points.points}")
    rise = SMALL.rise(below)
    canvas.small_line(layout.LOWER_LINE_ROW + rise, below, ask)
    if prompt.boxes:
        draw_box_lights(canvas, prompt.boxes, prompt.box, 2 - rise)
    elif not prompt.confirm:
        layout.draw_list_bar(canvas, prompt.index, prompt.count, 2 - rise)
    return canvas.picture


@pages.register
def _over_pages(prompt: OverPrompt) -> tuple[Picture, ...]:
    """Who won, and everybody's points: these pages stay until somebody presses OK."""
    again = say("OK: AGAIN")
    if len(prompt.totals) == 1:
        name, total = prompt.totals[0]
        return (layout.two_lines(name, again, str(total)),)
    standing = Standing(prompt.totals)
    verb = say("WINS" if len(prompt.winners) == 1 else "A TIE")
    won = tuple(
        layout.two_lines(layout.shorten_to_fit(name, verb), again, verb) for name in prompt.winners
    )
    if shows_figures(standing):
        return within_a_cycle((standing_page(say("END"), again, standing), *won))
    (name, best), *others = prompt.totals
    first = layout.two_lines(layout.shorten_to_fit(name, verb), again, verb, str(best))
    # Without the best, which is told, there is room to say what OK does.
    return within_a_cycle((first, totals_page(others, (), "OK", letters_left(first)), *won[1:]))


@film.register
def _over_film(prompt: OverPrompt) -> Film:
    """A film that shows the last move of all before anybody is celebrated."""
    parts: list[tuple[int, tuple[Still, ...]]] = []
    if (scored := prompt.scored) is not None:
        parts += _ranked(scored_pages(scored, prompt.players[scored.seat], prompt.players))
    if prompt.winners:
        parts.append((_TOLD_FIRST, animation_stills(fireworks())))
    return replace(Film.of_pages(pages(prompt), opening_of(*parts)), hides=True)


@pages.register
def _hint_pages(prompt: HintPrompt) -> tuple[Picture, ...]:
    if prompt.odds:
        return _odds_pages(prompt)
    ok = "OK?" if prompt.hold is not None else "OK"
    what, figure = prompt.expected
    player = layout.shorten_to_fit(prompt.player, ok)
    # Points are as many words as what is said of them: they have a line of their own.
    total = prompt.measure is Measure.TOTAL
    beside, below, right = (what, figure, "") if total else (ok, what, figure)
    right = ok if total else right
    if prompt.hold is None:
        at = CARD_PLACE.match(prompt.label)
        top = _place(at) if at is not None and any(at.groups()) else say(prompt.purpose)
        label = layout.two_lines(top, choice_name(prompt.label), say("HINT"), ok)
        why = (layout.two_lines(say("HINT"), say(prompt.reason), ok),) if prompt.reason else ()
        player = layout.shorten_to_fit(prompt.player, beside)
        return within_a_cycle((label, layout.two_lines(player, below, beside, right), *why))
    held, left = Canvas().picture, 0
    for todo in _held_for(prompt.reason) if prompt.hold else (say("THROW ALL"),):
        held = layout.dice_under((todo, ""), prompt.dice, prompt.hold, ok).picture
        left = letters_left(held) - letters_of(below, beside, right)
        if left >= _LEAST_LETTERS:
            break
    held = held.offering(Button.HINT, *HOLD_BUTTONS)
    # The name is short enough to be read in time, with the dice.
    player = layout.shorten_to_fit(prompt.player, beside, most=max(left, _SHORTEST))
    return (held, layout.two_lines(player, below, beside, right))


def _held_for(reason: str) -> tuple[str, ...]:
    """That dice are held and what for, ever shorter."""
    if not reason:
        return (say("HOLD THESE"),)
    # `KEEP WIN +12%` would be no sentence, and nobody is to keep all that is alike.
    is_aim = _key_of(reason).startswith("for ") or _key_of(reason).endswith("+ bonus")
    kept = say("KEEP {reason}", reason=say(reason))
    return (kept, say(reason)) if is_aim and NARROW.width(kept) <= WIDTH else (say(reason),)


_BESIDE_A_DIE = WIDTH - DIE_PITCH + 1
"""Columns beside a single die."""
_LEAST_LETTERS = 4
"""So many letters of a name are shown, if possible."""
_SHORTEST = 3
"""So many are always shown."""


def _odds_pages(prompt: HintPrompt) -> tuple[Picture, ...]:
    """A page that says what the figures are, then pages of a row and its advice, or two rows.

    Of one row that is looked at, what somebody may have, then what to expect and to do with it.
    """
    if prompt.row is not None:
        odds = prompt.odds[prompt.row]
        win = expectation_text(odds.win, Measure.WIN)
        has = layout.two_lines(say("IF YOU HAVE"), say(Label(odds.key)))
        best = say("BEST: {todo}", todo=say(Label(odds.advice))) if odds.advice else ""
        return (has, layout.two_lines(say("YOU WIN"), best, win))
    head = layout.two_lines(say("CHANCE TO"), say("WIN WITH"), "", "< >")
    why = (layout.two_lines(prompt.player, say(prompt.reason)),) if prompt.reason else ()
    rows: list[Picture] = []
    advised = any(odds.advice for odds in prompt.odds)
    for at in range(0, len(prompt.odds), 1 if advised else 2):
        texts = [
            (odds.key, expectation_text(odds.win, Measure.WIN)) for odds in prompt.odds[at:][:2]
        ]
        if advised:
            texts[1:] = [(prompt.odds[at].advice, "")]
        canvas = Canvas()
        for y, (key, win) in zip((0, layout.LOWER_LINE_ROW), texts, strict=False):
            canvas.line(y, say(Label(key)), win)
        rows.append(canvas.picture)
    # LEFT and RIGHT go through those that there is no time for.
    return within_a_cycle((head, *rows[:1], *why, *rows[1:]))


@pages.register
def _wait_pages(prompt: WaitPrompt) -> tuple[Picture, ...]:
    return tuple(layout.two_lines(say(top), say(bottom)) for top, bottom in prompt.pages)
