"""Screens of games of bets: dice with the letters of their colours, bets, pots, hands."""

from collections.abc import Sequence
from dataclasses import replace

from appliance.inputs import Button
from appliance.picture import Picture
from appliance.screens.drawing.canvas import DIE_PITCH, DIE_SIZE, Canvas
from appliance.screens.drawing.film import OTHER_PAGE_S, Film, Still, film, pages
from appliance.screens.drawing.font import SMALL
from appliance.screens.drawing.layout import (
    LOWER_LINE_ROW,
    dice_count,
    draw_at_right,
    draw_list_bar,
    shorten_to_fit,
    two_lines,
)
from appliance.screens.standing import totals_page
from appliance.table.prompts import betting as prompts
from appliance.table.prompts.turn import Standing, ThinkingPrompt
from appliance.words import say
from games.values import ShownDie

MIDDLE_LINE_ROW = 6
"""First row of a line of tall text between a small line and a bar."""


def coloured_dice(dice: Sequence[ShownDie]) -> Picture:
    """At most five dice, each under the letter of its colour."""
    canvas = Canvas()
    for slot, die in enumerate(dice):
        x, letter = slot * DIE_PITCH, say(die.kind.upper())[0]
        canvas.text(x + (DIE_SIZE - SMALL.width(letter)) // 2, 0, letter, SMALL)
        canvas.die(x, LOWER_LINE_ROW, die.face)
    return canvas.picture


def _open_dice_pages(dice: Sequence[ShownDie]) -> tuple[Picture, ...]:
    return (coloured_dice(dice),) if dice else ()


def _news_pages(news: tuple[str, str] | None) -> tuple[Picture, ...]:
    return () if news is None else (two_lines(*map(say, news)),)


def _new_hand_pages(prompt: prompts.BetPrompt) -> tuple[Picture, ...]:
    """Pages on what everybody has and does as a hand begins; none if no dealer is named."""
    if not prompt.dealer:
        return ()
    stacks = (totals_page(Standing(prompt.stacks)),) if prompt.stacks else ()
    return (*stacks, *_deal_pages_of_hand(prompt))


def _deal_pages_of_hand(prompt: prompts.BetPrompt) -> tuple[Picture, ...]:
    """Who deals, and what everybody does first."""
    deals = two_lines(prompt.dealer, say("DEALS"))
    return (deals, two_lines(say("ALL DRAW 2"), say("HIDE THEM")))


@film.register(prompts.BetPrompt)
@film.register(prompts.DealPrompt)
@film.register(prompts.ShowPrompt)
def _betting_film(prompt: prompts.BetPrompt | prompts.DealPrompt | prompts.ShowPrompt) -> Film:
    """A film that shows once at the start what was done before and what all do as a hand begins."""
    begin = _new_hand_pages(prompt) if isinstance(prompt, prompts.BetPrompt) else ()
    opening = (*_news_pages(prompt.news), *begin)
    shown = Film.at_a_glance(pages(prompt), tuple(Still(page, OTHER_PAGE_S) for page in opening))
    return replace(shown, hides=isinstance(prompt, prompts.BetPrompt))


@pages.register
def _bet_pages(prompt: prompts.BetPrompt) -> tuple[Picture, ...]:
    chips = str(prompt.chips)
    if prompt.confirm:
        # Not the page of the list again: an OK too many must be seen to ask.
        sure = _bet_page(prompt, say("SURE?"), prompt.player, "OK").offering(Button.OK)
        return (sure, _bet_page(prompt, say("NO?"), chips, say("BACK")))
    if prompt.remark:
        # What OK does stays in view.
        remarked = _bet_page(prompt, say(prompt.remark), "", "OK?" if prompt.possible else "")
        return (remarked.offering(Button.OK),)
    right = "OK?" if prompt.possible else say("NO")
    first = _bet_page(prompt, prompt.player, chips, right).offering(Button.OK)
    pot = _bet_page(prompt, say("POT {chips}", chips=prompt.pot), say(prompt.stage), right)
    pot = pot.offering(Button.OK)
    if prompt.dealer:
        # Everybody's chips, and what the hand before brought, were shown at the start.
        return (first, *_deal_pages_of_hand(prompt), pot)
    return (first, pot, *_open_dice_pages(prompt.dice), *_news_pages(prompt.news))


def _bet_page(prompt: prompts.BetPrompt, above: str, chips: str, right: str) -> Picture:
    canvas = Canvas()
    extra = canvas.small_line(0, shorten_to_fit(above, chips), chips)
    canvas.line(MIDDLE_LINE_ROW + extra, say(prompt.label), right)
    draw_list_bar(canvas, prompt.index, prompt.count, 2 - extra)
    return canvas.picture


@film.register
def _thinking_film(prompt: ThinkingPrompt) -> Film:
    """A film that shows first what was done before and what all do as a hand begins."""
    bet = prompt.bet
    opening = () if bet is None else (*_news_pages(bet.news), *_new_hand_pages(bet))
    stills = tuple(Still(page, OTHER_PAGE_S) for page in (*opening, *pages(prompt)))
    return Film(stills[-1:], stills[:-1])


@pages.register
def _thinking_pages(prompt: ThinkingPrompt) -> tuple[Picture, ...]:
    return (two_lines(prompt.player, say("THINKS"), "", ".."),)


@pages.register
def _deal_pages(prompt: prompts.DealPrompt) -> tuple[Picture, ...]:
    if prompt.tray.is_busy:
        return (two_lines(prompt.player, say("ROLLING"), "", ".."),)
    if prompt.surplus:
        return (two_lines(say("TAKE OUT"), dice_count(prompt.surplus)), *_news_pages(prompt.news))
    # Beside each other they come round at once.
    purpose = say(prompt.purpose)
    player = shorten_to_fit(prompt.player, purpose)
    return (
        two_lines(player, say("THROW {dice}", dice=dice_count(prompt.count)), purpose),
        *_open_dice_pages(prompt.dice),
        *_news_pages(prompt.news),
    )


@pages.register
def _show_pages(prompt: prompts.ShowPrompt) -> tuple[Picture, ...]:
    if prompt.tray.is_busy:
        return (two_lines(prompt.player, say("READING"), "", ".."),)
    # What is wrong with dice that were shown is the news then.
    remark = (two_lines(prompt.player, say(prompt.remark)),) if prompt.remark else ()
    return (
        *remark,
        two_lines(prompt.player, say("SHOW 2 DICE")),
        two_lines(say("LAY THEM IN"), say("THE TRAY")),
        *_open_dice_pages(prompt.dice),
        *(() if remark else _news_pages(prompt.news)),
    )


@pages.register
def _hand_pages(prompt: prompts.HandPrompt) -> tuple[Picture, ...]:
    made = two_lines(say(prompt.label), prompt.player, "", "OK").offering(Button.OK)
    return (made, coloured_dice(prompt.dice))


@pages.register
def _pot_pages(prompt: prompts.PotPrompt) -> tuple[Picture, ...]:
    """Who wins what; the first page has the chips above, so that what OK does stands below."""
    shown: list[Picture] = []
    for number, winners in enumerate(prompt.pots):
        for name, chips in winners:
            side = say("SIDE POT") if number else ""
            shown.append(two_lines(shorten_to_fit(name, side), say("WINS"), side, str(chips)))
        if number == 0:
            (name, chips), *_ = winners
            shown[0] = two_lines(shorten_to_fit(name, str(chips)), say("WINS"), str(chips), "OK")
            shown.append(two_lines(say(prompt.label or "ALL FOLDED"), say("OK: PAY")))
            shown[0], shown[-1] = (page.offering(Button.OK) for page in (shown[0], shown[-1]))
    return tuple(shown)


@pages.register
def _colour_pages(prompt: prompts.ColourPrompt) -> tuple[Picture, ...]:
    shown = []
    for right in ("<>",) if prompt.kind is None else ("OK", "<>"):
        canvas = Canvas()
        canvas.line(0, say(prompt.name), say("COLOUR"))
        canvas.die(0, LOWER_LINE_ROW, prompt.face)
        colour = "?" if prompt.kind is None else say(prompt.kind.upper())
        canvas.text(DIE_PITCH, LOWER_LINE_ROW + 1, colour, SMALL)
        draw_at_right(canvas, LOWER_LINE_ROW, right, 16)
        shown.append(canvas.picture.offering(*(Button.OK,) * (right == "OK")))
    return tuple(shown)
