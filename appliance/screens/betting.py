"""Screens of games of bets: dice with the letters of their colours, bets, pots, hands."""

from collections.abc import Sequence
from dataclasses import replace

from appliance.inputs import Button
from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import DIE_PITCH, DIE_SIZE, Canvas
from appliance.screens.drawing.film import Film, Still, film, pages, within_a_cycle
from appliance.screens.drawing.font import NARROW, SMALL
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
from appliance.table.prompts.turn import ThinkingPrompt
from appliance.words import say
from games.values import ShownDie

MIDDLE_LINE_ROW = 6
"""First row of a line of tall text between a small line and a bar."""


def coloured_dice(dice: Sequence[ShownDie], ok: str = "", what: str = "") -> Picture:
    """At most five dice, each under the letter of its colour; beside them `ok`, for OK.

    Above that stands what OK does, if there is room.
    """
    canvas = Canvas()
    for slot, die in enumerate(dice):
        x, letter = slot * DIE_PITCH, say(die.kind.upper())[0]
        canvas.text(x + (DIE_SIZE - SMALL.width(letter)) // 2, 0, letter, SMALL)
        canvas.die(x, LOWER_LINE_ROW, die.face)
    if ok:
        draw_at_right(canvas, LOWER_LINE_ROW, ok, WIDTH - 5 * DIE_PITCH + 1)
    if what and NARROW.width(what) <= WIDTH - len(dice) * DIE_PITCH:
        canvas.text(WIDTH - NARROW.width(what), 0, what, NARROW)
    return canvas.picture


def _open_dice_pages(dice: Sequence[ShownDie], ok: str = "", what: str = "") -> tuple[Picture, ...]:
    return (coloured_dice(dice, ok, what),) if dice else ()


def _news_pages(news: tuple[str, str] | None) -> tuple[Picture, ...]:
    return () if news is None else (two_lines(*map(say, news)),)


def _new_hand_pages(prompt: prompts.BetPrompt) -> tuple[Picture, ...]:
    """Pages on what everybody has and does as a hand begins; none if no dealer is named."""
    if not prompt.dealer:
        return ()
    stacks = (totals_page(prompt.stacks),) if prompt.stacks else ()
    deals = two_lines(prompt.dealer, say("DEALS"))
    return (*stacks, deals, two_lines(say("ALL DRAW 2"), say("HIDE THEM")))


@film.register(prompts.BetPrompt)
@film.register(prompts.DealPrompt)
@film.register(prompts.ShowPrompt)
def _betting_film(prompt: prompts.BetPrompt | prompts.DealPrompt | prompts.ShowPrompt) -> Film:
    """A film that shows once at the start what was done before and what all do as a hand begins."""
    begin = _new_hand_pages(prompt) if isinstance(prompt, prompts.BetPrompt) else ()
    opening = (*_news_pages(prompt.news), *begin)
    shown = Film.of_pages(pages(prompt), tuple(map(Still.to_read, opening)))
    return replace(shown, hides=isinstance(prompt, prompts.BetPrompt))


@pages.register
def _bet_pages(prompt: prompts.BetPrompt) -> tuple[Picture, ...]:
    pot = say("POT {chips}", chips=prompt.pot)
    if prompt.confirm:
        # Not the page of the list again: an OK too many must be seen to ask.
        sure = _bet_page(prompt, say("SURE?"), prompt.player, "OK")
        return (sure.offering(Button.OK), _bet_page(prompt, say("BACK: NO"), pot, "OK"))
    right = "OK?" if prompt.possible else say("NO")
    todo = say("DRAW 2") if prompt.dealer else say(prompt.stage)
    chips = str(prompt.chips)
    has = f"{shorten_to_fit(prompt.player, f' {chips} {pot}')} {chips}"
    lines = [(has, pot), (todo, say("{count} LEFT", count=prompt.chips))]
    if prompt.remark:
        lines = [(say(prompt.remark), ""), (has, pot)]
    shown = [_bet_page(prompt, above, beside, right) for above, beside in lines]
    shown[1:1] = _open_dice_pages(prompt.dice, right, say(prompt.label))
    return within_a_cycle([page.offering(Button.OK) for page in shown])


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
    stills = tuple(map(Still.to_read, (*opening, *pages(prompt))))
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
    throw = two_lines(player, say("THROW {dice}", dice=dice_count(prompt.count)), purpose)
    return within_a_cycle((throw, *_open_dice_pages(prompt.dice), *_news_pages(prompt.news)))


@pages.register
def _show_pages(prompt: prompts.ShowPrompt) -> tuple[Picture, ...]:
    if prompt.tray.is_busy:
        return (two_lines(prompt.player, say("READING"), "", ".."),)
    # What is wrong with dice that were shown is the news then.
    remark = (two_lines(prompt.player, say(prompt.remark)),) if prompt.remark else ()
    return within_a_cycle(
        (
            *remark,
            two_lines(prompt.player, say("SHOW 2 DICE")),
            *_open_dice_pages(prompt.dice),
            two_lines(say("LAY THEM IN"), say("THE TRAY")),
            *(() if remark else _news_pages(prompt.news)),
        )
    )


@pages.register
def _hand_pages(prompt: prompts.HandPrompt) -> tuple[Picture, ...]:
    made = two_lines(say(prompt.label), shorten_to_fit(prompt.player, "OK"), "", "OK")
    return (made, coloured_dice(prompt.dice, "OK"))


@pages.register
def _pot_pages(prompt: prompts.PotPrompt) -> tuple[Picture, ...]:
    """Who wins what in all, and with what; that OK pays it out stands on every page."""
    won: dict[str, int] = {}
    for name, chips in (winner for winners in prompt.pots for winner in winners):
        won[name] = won.get(name, 0) + chips
    pay, why = say("OK: PAY"), say(prompt.label or "ALL FOLDED")
    if len(won) <= _MOST_WINNERS_IN_WORDS:
        named = [
            two_lines(shorten_to_fit(name, f"+{chips}"), pay, f"+{chips}")
            for name, chips in won.items()
        ]
    else:
        named = [totals_page(tuple(won.items())[:_MOST_WINNERS_BESIDE_OK], (), "OK")]
    return within_a_cycle((*named, two_lines(why, pay)))


_MOST_WINNERS_IN_WORDS = 2
_MOST_WINNERS_BESIDE_OK = 5


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
