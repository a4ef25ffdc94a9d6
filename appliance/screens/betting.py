"""Screens of games of bets: dice with the letters of their colours, bets, chips, pots, hands."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from appliance.inputs import Button
from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import DIE_PITCH, DIE_SIZE, Canvas
from appliance.screens.drawing.film import (
    Film,
    Still,
    are_within_a_cycle,
    film,
    letters_left,
    opening_of,
    pages,
    within_a_cycle,
)
from appliance.screens.drawing.font import NARROW, SMALL, TALL, Font
from appliance.screens.drawing.layout import (
    LOWER_LINE_ROW,
    dice_count,
    draw_at_right,
    draw_list_bar,
    shorten_to_fit,
    two_lines,
)
from appliance.screens.standing import MOST_TWO_ACROSS, ShortName, cell_edges, labels, totals_page
from appliance.table.names import MAX_NAME_LETTERS
from appliance.table.prompts import betting as prompts
from appliance.table.prompts.turn import ThinkingPrompt
from appliance.words import say
from games.dice import FIVE_DICE
from games.values import ShownDie
from vision.reading import TrayState

MIDDLE_LINE_ROW = 6
"""First row of a line of tall text between a small line and a bar."""
_STACK_ROWS = 8
"""Rows of a player's cell on the page of everybody's chips."""
_LEAST_LETTERS = 3
"""So many letters of the name of who bets are always shown."""


def coloured_dice(dice: Sequence[ShownDie], ok: str = "", what: str = "") -> Picture:
    """At most five dice as numbers, each under the letter of its colour; beside them `ok`, for OK.

    Above that stands what OK does, if there is room. Numbers are read in less than half the time
    that pips take.
    """
    canvas = Canvas()
    for slot, die in enumerate(dice):
        x, letter, face = slot * DIE_PITCH, say(die.kind.upper())[0], str(die.face)
        canvas.text(x + (DIE_SIZE - SMALL.width(letter)) // 2, 0, letter, SMALL)
        canvas.text(x + (DIE_SIZE - TALL.width(face)) // 2, LOWER_LINE_ROW, face, TALL)
    if ok:
        draw_at_right(canvas, LOWER_LINE_ROW, ok, WIDTH - 5 * DIE_PITCH + 1)
    if what and NARROW.width(what) <= WIDTH - len(dice) * DIE_PITCH:
        canvas.text(WIDTH - NARROW.width(what), 0, what, NARROW)
    return canvas.picture


def _open_dice_pages(dice: Sequence[ShownDie], ok: str = "", what: str = "") -> tuple[Picture, ...]:
    return (coloured_dice(dice, ok, what),) if dice else ()


def _news_pages(news: prompts.News) -> tuple[Picture, ...]:
    return tuple(two_lines(*map(say, lines)) for lines in news)


def _news_in_pairs(news: prompts.News, most: int) -> tuple[Picture, ...]:
    """What was done last, two players on a page, with so many letters of each name at most."""
    lines = [(shorten_to_fit(who, say(what), most=most), say(what)) for who, what in news]
    pairs = (lines[at : at + 2] for at in range(0, len(lines), 2))
    return tuple(
        two_lines(one[0], another[0], one[1], another[1])
        for one, another in (((*pair, ("", ""))[:2]) for pair in pairs)
    )


def _lit_text(canvas: Canvas, x: int, y: int, text: str, font: Font) -> int:
    """A text dark on light, as the name of who deals always is; returns how wide its field is.

    The field begins in column x, the letters in row y.
    """
    wide = canvas.text(x + 1, y, text, font) + 2
    top = max(y - 1, 0)
    canvas.invert(x, top, wide, min(y + font.height + 1, HEIGHT) - top)
    return wide


_WithNews = prompts.BetPrompt | prompts.DealPrompt | prompts.ShowPrompt


def _opening(prompt: _WithNews) -> tuple[Still, ...]:
    """What was done before, and as a hand begins who deals and what all do.

    What all do is never left out. If there is no time for everything, who deals is the first to go,
    as that name is dark on light on the pages of the bet, too; then what was done last.
    """
    dealer = prompt.dealer if isinstance(prompt, prompts.BetPrompt) else ""
    draw = two_lines(say("ALL DRAW 2"), say("HIDE THEM"))
    told, most = _news_pages(prompt.news), MAX_NAME_LETTERS
    while dealer and not are_within_a_cycle(page.letters for page in (*told, draw)):
        told, most = _news_in_pairs(prompt.news, most), most - 1
        if most < _LEAST_LETTERS:
            break
    ranked = [*enumerate(told, 1)]
    if dealer:
        ranked.append((len(ranked) + 1, _dealer_page(dealer)))
        ranked.append((0, draw))
    return opening_of(*((rank, (Still.to_read(page),)) for rank, page in ranked))


def _dealer_page(dealer: str) -> Picture:
    canvas = Canvas()
    font = next((f for f in (TALL, SMALL) if f.width(dealer) + 2 <= WIDTH), NARROW)
    _lit_text(canvas, 0, font.rise(dealer), shorten_to_fit(dealer, ""), font)
    canvas.line(LOWER_LINE_ROW, say("DEALS"))
    return canvas.picture


@film.register(prompts.BetPrompt)
@film.register(prompts.DealPrompt)
@film.register(prompts.ShowPrompt)
def _betting_film(prompt: _WithNews) -> Film:
    """A film that shows once at the start what was done before and what all do as a hand begins."""
    shown = Film.of_pages(pages(prompt), _opening(prompt))
    return replace(shown, hides=isinstance(prompt, prompts.BetPrompt))


@pages.register
def _bet_pages(prompt: prompts.BetPrompt) -> tuple[Picture, ...]:
    """What may be done, for how many chips of how many; the open dice; everybody's chips.

    With many at the table the first two say it in few letters, so that all chips come round.
    """
    pot = say("POT {chips}", chips=prompt.pot)
    if prompt.confirm:
        # Not the page of the list again: an OK too many must be seen to ask.
        sure = _bet_page(prompt, (say("SURE?"), ""), prompt.player, "OK")
        return (sure.offering(Button.OK), _bet_page(prompt, (say("BACK: NO"), ""), "", "OK"))
    others = prompt.stacks[1:]
    label = say(prompt.label)
    for ok, most, what in (
        ("OK?", WIDTH, label),
        ("OK?", WIDTH, ""),
        ("OK", WIDTH, ""),
        ("OK?", _LEAST_LETTERS, ""),
        ("OK", _LEAST_LETTERS, ""),
    ):
        shown = _own_pages(prompt, pot, ok if prompt.possible else say("NO"), most, what)
        fitting = _fitting_stacks(others, "OK", letters_left(*shown))
        named = len(others) > _MOST_IN_LINES or all(s.name == name for s, name, _ in fitting)
        if len(fitting) == len(others) and (named or most < WIDTH):
            break
    if others:
        shown = (*shown, _stacks_page(fitting, "OK"))
    return within_a_cycle([page.offering(Button.OK) for page in shown])


def _own_pages(
    prompt: prompts.BetPrompt, pot: str, ok: str, most: int, what: str
) -> tuple[Picture, ...]:
    """The bet of who bets, whose name has at most so many letters, and the dice of all.

    Beside the dice, or below what all do first, stands `what`, what OK does.
    """
    has = str(prompt.chips)
    name = shorten_to_fit(prompt.player, f"  {has} {pot}", most=most)
    bet = _bet_page(prompt, (name, has), pot, ok)
    dice = _open_dice_pages(prompt.dice, ok if len(prompt.dice) < FIVE_DICE else "OK", what)
    if prompt.remark:
        return (_bet_page(prompt, (say(prompt.remark), ""), "", ok), *dice, bet)
    if prompt.dealer:
        # Without room for what OK does, all were told to draw as the hand began.
        draw = two_lines(say("DRAW 2 FIRST"), say("OK: {todo}", todo=what))
        return (bet, draw) if what else (bet,)
    return (bet, *dice)


def _bet_page(
    prompt: prompts.BetPrompt, above: tuple[str, str], beside: str, right: str
) -> Picture:
    """A bet under two texts at the left, of which the first may be the dealer's name, and one."""
    canvas, left = Canvas(), " ".join(filter(None, above))
    extra, deals = SMALL.rise(left + beside, ""), any(stack.deals for stack in prompt.stacks[:1])
    if deals and above[1]:
        font = SMALL if SMALL.width(left) + 5 + SMALL.width(beside) <= WIDTH else NARROW
        x = _lit_text(canvas, 0, extra, above[0], font)
        canvas.text(x + font.space, extra, above[1], font)
        canvas.text(WIDTH - font.width(beside), extra, beside, font)
    else:
        canvas.small_line(0, shorten_to_fit(left, beside), beside)
    canvas.line(MIDDLE_LINE_ROW + extra, say(prompt.label), right)
    if not prompt.confirm:
        draw_list_bar(canvas, prompt.index, prompt.count, 2 - extra)
    return canvas.picture


_Cell = tuple[prompts.Stack, str, str]
"""A player's chips, how the name is written, and the figure behind it."""


def _stacks_page(cells: Sequence[_Cell], ok: str) -> Picture:
    """Everybody's chips, or that they are all-in; the dealer's name dark on light; `ok` for OK.

    One or two have a line each, on which there is room for whole words.
    """
    if len(cells) <= _MOST_IN_LINES:
        return _stack_lines(cells, ok)
    canvas, across = Canvas(), _across(cells)
    for at, (stack, name, figures) in enumerate(cells):
        (left, right), row = cell_edges(across)[at % across], at // across * _STACK_ROWS + 2
        room = right - left - NARROW.width(figures) - 2
        font = SMALL if SMALL.width(name) + 2 * stack.deals <= room else NARROW
        if stack.deals:
            _lit_text(canvas, left, row, name, font)
        else:
            canvas.text(left, row, name, font)
        canvas.text(right - NARROW.width(figures), row, figures, NARROW)
    canvas.text(WIDTH - SMALL.width(ok), HEIGHT - 1 - SMALL.height, ok, SMALL)
    return canvas.picture


def _stack_lines(cells: Sequence[_Cell], ok: str) -> Picture:
    """A line for each: the name, what is said of the player, and `ok` where nobody deals."""
    canvas, rows = Canvas(), (1, LOWER_LINE_ROW + 2)
    # `DEALS OK` would be read as one.
    deals_above = cells[0][0].deals
    canvas.text(WIDTH - SMALL.width(ok), rows[deals_above], ok, SMALL)
    for (stack, name, figures), y in zip(cells, rows, strict=False):
        deals = say("DEALS") if stack.deals else ""
        font = SMALL if SMALL.width(f"{name} {figures} {deals}") + 3 <= WIDTH else NARROW
        x = canvas.text(0, y, name, font)
        for text in filter(None, (figures, deals)):
            x += 3 + canvas.text(x + 3, y, text, font)
    return canvas.picture


_MOST_IN_LINES = 2


def _fitting_stacks(stacks: Sequence[prompts.Stack], ok: str, letters: int) -> list[_Cell]:
    """The cells of a page that has at most so many letters.

    Names are as long as that allows; then those who have folded are left out, the last of them
    first, and at last those who speak last.
    """
    shown = list(zip(stacks, labels([stack.name for stack in stacks]), strict=True))
    if len(shown) <= _MOST_IN_LINES:
        letters -= sum(len(say("DEALS")) for stack, _ in shown if stack.deals)
    while True:
        cells = _cut_cells(shown, letters - len(ok))
        if len(cells) < 2 or _letters_of(cells) <= letters - len(ok):
            return cells
        folded = [at for at, (stack, _) in enumerate(shown) if stack.folded]
        del shown[folded[-1] if folded else -1]


def _across(shown: Sequence[object]) -> int:
    """How many cells are on a line, with one left for OK."""
    return 2 if len(shown) + 1 <= MOST_TWO_ACROSS else 3


def _letters_of(cells: Sequence[_Cell]) -> int:
    return sum(len(name) + len("".join(figures.split())) for _, name, figures in cells)


def _cut_cells(shown: Sequence[tuple[prompts.Stack, ShortName]], letters: int) -> list[_Cell]:
    """A cell each, the names as long as room and letters allow; no name is left out."""
    in_lines = len(shown) <= _MOST_IN_LINES
    left, right = (0, WIDTH) if in_lines else cell_edges(_across(shown))[0]
    cells = list[_Cell]()
    for stack, label in shown:
        figures = say("ALL IN") if stack.all_in else str(stack.chips)
        room = right - left - 2 - 2 * stack.deals
        if in_lines:
            beside = say("DEALS") if stack.deals else "OK"
            room -= NARROW.width(beside) + 4
        if stack.all_in and NARROW.width(figures) + NARROW.width(label.short) > room:
            figures = figures.split()[0]
        cells.append((stack, label.cut_to(room - NARROW.width(figures), NARROW), figures))
    while _letters_of(cells) > letters:
        at = max(range(len(cells)), key=lambda n: len(cells[n][1]))
        (stack, name, figures), label = cells[at], shown[at][1]
        cut = name[:-1].rstrip() if len(name) > label.least else label.short
        if len(name) <= len(cut):
            cut = label.letter
        if len(name) <= len(cut):
            break
        cells[at] = stack, cut, figures
    return cells


@film.register
def _thinking_film(prompt: ThinkingPrompt) -> Film:
    """A film that shows first what was done before and what all do as a hand begins."""
    return Film.of_pages(pages(prompt), _opening(prompt.bet) if prompt.bet else ())


@pages.register
def _thinking_pages(prompt: ThinkingPrompt) -> tuple[Picture, ...]:
    return (two_lines(prompt.player, say("THINKS"), "", ".."),)


@pages.register
def _deal_pages(prompt: prompts.DealPrompt) -> tuple[Picture, ...]:
    if prompt.tray is TrayState.ROLLING:
        return (two_lines(prompt.player, say("ROLLING"), "", ".."),)
    draw = (two_lines(say("ALL DRAW 2"), say("HIDE THEM")),) if prompt.unbet else ()
    why = (two_lines(say("ALL IN"), say("NO BETS")),) if prompt.unbet else ()
    news = _news_pages(prompt.news)
    if prompt.surplus:
        out = two_lines(say("TAKE OUT"), dice_count(prompt.surplus))
        return within_a_cycle((out, *draw, *why, *news))
    # Beside each other they come round at once.
    purpose = say(prompt.purpose)
    player = shorten_to_fit(prompt.player, purpose)
    throw = two_lines(player, say("THROW {dice}", dice=dice_count(prompt.count)), purpose)
    return within_a_cycle((*draw, throw, *why, *_open_dice_pages(prompt.dice), *news))


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
            two_lines(say("PUT THEM IN"), say("THE TRAY")),
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
        half = (len(won) + 1) // 2 if len(won) > _MOST_WINNERS_BESIDE_OK else len(won)
        parts = _parts(won, half)
        last, others = _shared_page(why, in_short=len(parts) > 1), len(parts) - 1
        letters = next(n for n in range(WIDTH, 0, -1) if letters_left(last, *(n,) * others) >= n)
        named = [totals_page(some, (), "OK", letters) for some in parts]
    if any(len(winners) > 1 for winners in prompt.pots):
        return within_a_cycle((*named, _shared_page(why, in_short=len(named) > 1)))
    return within_a_cycle((*named, two_lines(why, pay)))


def _shared_page(why: str, *, in_short: bool = False) -> Picture:
    """That a pot is shared, and with what hand it was won; in few letters after many names."""
    return two_lines(say("A TIE" if in_short else "SHARE THE POT"), why, "OK")


_MOST_WINNERS_IN_WORDS = 2
_MOST_WINNERS_BESIDE_OK = 5


def _parts(won: Mapping[str, int], most: int) -> list[tuple[tuple[str, str], ...]]:
    """The winners, each with a gain, in parts of at most so many."""
    items = tuple((name, f"+{chips}") for name, chips in won.items())
    return [items[at : at + most] for at in range(0, len(items), most)]


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
