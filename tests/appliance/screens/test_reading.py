"""Every page stays up long enough to be read, and what must be known is on the pages of a cycle."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from appliance.alerts import Alert
from appliance.inputs import Button, Pressed
from appliance.picture import Picture
from appliance.screens.draw import film, pages
from appliance.screens.drawing import two_lines
from appliance.screens.drawing.film import reading_s
from appliance.screens.drawing.layout import dice_count, shorten_to_fit
from appliance.screens.open_cards import card_name, choice_name, short_name
from appliance.screens.standing import labels
from appliance.screens.strip import long_name
from appliance.service.presenter import ALERT_TURN_S
from appliance.table.menu.options import seat_option
from appliance.table.prompts import betting, trouble
from appliance.table.prompts.hints import HintPrompt
from appliance.table.prompts.looking import TablePrompt, TableSpots, UndoPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import (
    ChoicePrompt,
    DicePrompt,
    OverPrompt,
    Standing,
    ThinkingPrompt,
    ThrowPrompt,
)
from appliance.table.prompts.wording import COUNTS
from appliance.table.session import prompting
from appliance.table.session.session import Setup
from appliance.table.session.step import step
from appliance.words import Label, Verbatim, language_codes, say
from games.computers import strength_of
from games.registry import GAMES
from games.showdown.cards import Card
from games.values import Points, ShownDie
from scripts.count_letters import (
    ALERT,
    LONG_NAMES,
    MOST_CYCLE_S,
    MOST_LETTERS_A_SECOND,
    SHORT_NAMES,
    cycle_s,
    games_met,
    pages_read,
    variants,
)
from tests.paths import ROOT
from tests.rigs.at_table import AtTable
from tests.rigs.gallery import SITUATIONS
from tests.rigs.gallery.scenes import AT_HOME, RING
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing
from vision.reading import TrayState

STEPS = 25


def ends() -> Iterator[Prompt]:
    """The ends of games with two to six people: one wins, or all do; and pots that they share."""
    for names in (SHORT_NAMES, LONG_NAMES):
        for count in range(2, 7):
            totals = tuple((name, 1575 - 300 * n) for n, name in enumerate(names[:count]))
            yield OverPrompt(names[:1], totals)
            yield OverPrompt(names[:count], tuple((name, 187) for name in names[:count]))
            yield betting.PotPrompt((tuple((name, 120) for name in names[:count]),), "FULL HOUSE")


def in_gallery() -> Iterator[Prompt]:
    for situation in SITUATIONS:
        yield from (scene.prompt for scene in situation.scenes if not scene.prompt.at_leisure)


@cache
def prompts_of(group: str) -> tuple[Prompt, ...]:
    """The prompts of a game, or of what is not played here."""
    if group in GAMES:
        return tuple(games_met(group, STEPS))
    return tuple(ends()) if group == "ends" else tuple(in_gallery())


GROUPS = (*GAMES, "ends", "gallery")


@pytest.mark.slow
@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("group", GROUPS)
def test_every_page_can_be_read_and_all_come_round_soon(group: str, code: str) -> None:
    seen = set[tuple[object, ...]]()
    with spoken(code), strict_drawing():
        for prompt in (shown for met in prompts_of(group) for shown in variants(met)):
            assert cycle_s(prompt) <= MOST_CYCLE_S + 0.01, [page.words for page in pages(prompt)]
            drawn = film(prompt)
            assert sum(still.seconds for still in drawn.opening) <= MOST_CYCLE_S + 0.01, prompt
            key = tuple((still.picture.words, still.seconds) for still in drawn.loop)
            if (key, bool(drawn.opening)) in seen:
                continue
            seen.add((key, bool(drawn.opening)))
            for read in (*pages_read(prompt), *(alerted := pages_read(prompt, ALERT))):
                assert read.rate <= MOST_LETTERS_A_SECOND, read
            whole = {page.words for page in pages(prompt)} - {read.words for read in alerted}
            assert not whole, "not shown while something is wrong"
    assert len(seen) > 10


@pytest.mark.parametrize("code", language_codes())
def test_an_alert_is_up_long_enough(code: str) -> None:
    with spoken(code):
        assert max(reading_s(two_lines(*map(say, alert.lines))) for alert in Alert) <= ALERT_TURN_S


# What must be known.


def words_of(shown: Sequence[Picture]) -> tuple[str, ...]:
    return tuple(word for page in shown for word in page.words)


def names_somebody(name: str, words: Sequence[str]) -> bool:
    """True if a name is among the words, whole or cut so that it can be told from others."""
    if (stars := name.count("*")) and f"{name[0]}{stars}" in words:
        return True
    number = re.search(r"\S (\d+)$", name)
    ends = name[len(name.rstrip("*")) :] or (f"…{number[1]}" if number else "…")
    cut = re.compile(rf"{re.escape(name[0])}\S*{re.escape(ends)}$")
    begins = {name[:length].rstrip() for length in range(1, len(name) + 1)}
    said = [word.partition(" HOLDS")[0] for word in words]
    return any(word in begins or cut.match(word) for word in said)


def who(prompt: Any, words: Sequence[str]) -> bool:
    if getattr(prompt, "blind", False) and getattr(prompt, "remark", ""):
        # What a press of theirs came to takes the place of their name.
        return True
    return any(
        names_somebody(prompt.player, [word, *word.split()])
        and (len(prompt.player) < 3 or len(word) >= 3 or "*" in prompt.player)
        for word in words
    )


def everybodys_points(prompt: Any, words: Sequence[str]) -> bool:
    standing = getattr(prompt, "standing", None)
    totals = prompt.totals if isinstance(prompt, OverPrompt) else standing and standing.totals
    return are_named(totals or (), words)


def are_named(totals: Sequence[tuple[str, int]], words: Sequence[str]) -> bool:
    """True if everybody's points are among the words, and a name that tells whose they are."""
    short = labels([name for name, _ in totals])
    return all(
        any(word.lstrip("+") == str(total) for word in words)
        and ({label.short, label.letter} & {*words} or names_somebody(name, words))
        for label, (name, total) in zip(short, totals, strict=True)
    )


def everybodys_chips(prompt: Any, words: Sequence[str]) -> bool:
    """Of all others; with six in a hand, a raise of 20 has no time for who speaks last."""
    stacks = list(prompt.stacks[1:])
    if prompt.confirm or prompt.remark:
        return True
    if len(stacks) == 5 and prompt.label == "RAISE 20" and not any(s.all_in for s in stacks):
        del stacks[-1]
    names = labels([stack.name for stack in prompt.stacks[1:]])
    return all(
        ({label.short, label.letter} & {*words} or names_somebody(label.name, words))
        and (stack.all_in or str(stack.chips) in words)
        for label, stack in zip(names, stacks, strict=False)
    )


def who_is_all_in(prompt: Any, words: Sequence[str]) -> bool:
    some = any(stack.all_in for stack in prompt.stacks[1:])
    return not some or prompt.confirm or bool({say("ALL IN"), say("ALL IN").split()[0]} & {*words})


def the_dealer(prompt: Any, words: Sequence[str]) -> bool:
    """The dealer's name is dark on light: without that the pages are others."""
    if prompt.confirm or prompt.remark or not any(stack.deals for stack in prompt.stacks):
        return True
    plain = replace(prompt, stacks=tuple(replace(s, deals=False) for s in prompt.stacks))
    lit = [sum(map(int.bit_count, page.data)) for page in pages(prompt)]
    dark = [sum(map(int.bit_count, page.data)) for page in pages(plain)]
    return lit != dark


def what_to_beat(prompt: Any, words: Sequence[str]) -> bool:
    """The card that must be met and what it takes, or at least two cards: those made first."""
    table = prompt.table
    if table is None or getattr(prompt, "decided", None) is not None:
        return True
    if table.ring:
        return all(
            any(
                name in word
                for name in (
                    *(f"{spot.needs} {say(spot.label)}" for _ in range(bool(spot.needs))),
                    f"{say(COUNTS[spot.needs]).upper()} {say(spot.label)}".strip(),
                )
                for word in words
            )
            for spot in table.aims
        )
    cards = sorted((spot for spot in table.spots if not spot.mine), key=lambda spot: not spot.fits)
    told = [
        any(
            long_name(card_name(spot.label)) in word or short_name(card_name(spot.label)) in word
            for word in words
        )
        for spot in cards
    ]
    least = min(len(cards), 2)
    return sum(told) >= least and all(
        is_told for is_told, spot in list(zip(told, cards, strict=True))[:least] if spot.fits
    )


def what_to_throw(prompt: Any, words: Sequence[str]) -> bool:
    said = " ".join(words)
    asked = ("CLEAR TRAY", "TAKE DICE", "TAKE OUT", "RED DIE", "YELLOW DIE", "POWER DIE")
    count = prompt.count if isinstance(prompt, betting.DealPrompt) else len(prompt.slots)
    return any(say(text) in said for text in (*asked, "THROW RED DIE")) or str(count) in said


def roll_again(prompt: Any, words: Sequence[str]) -> bool:
    if prompt.decided is not None or not prompt.may_roll:
        return True
    if prompt.blind:
        return say("> ROLL") in words
    if prompt.remark:
        return True
    asked = ("ROLL", "THROW OTHERS", "THROW ALL", "HOLD WHAT FITS")
    return any(say(text) in words for text in asked)


def what_ok_does(prompt: Any, words: Sequence[str]) -> bool:
    if prompt.decided is not None or not prompt.purpose:
        return True
    ring = prompt.table is not None and prompt.table.ring
    if prompt.blind and ring and "OK" in words:
        # There is no more room beside whose dice they are and what they must meet.
        return True
    return say("OK: {todo}", todo=say(prompt.purpose)) in words


def ok(prompt: Any, words: Sequence[str]) -> bool:
    if getattr(prompt, "odds", ()) or not getattr(prompt, "possible", True):
        return True
    return any(re.match(r"(.* )?OK\b", word) for word in words)


def in_words(*texts: str) -> Callable[[Any, Sequence[str]], bool]:
    return lambda prompt, words: any(say(text) in words for text in texts)


def drawn(count: int, shown: Sequence[Picture]) -> bool:
    return any(page.drawings >= count for page in shown)


FACTS: dict[str, Callable[[Any, Sequence[str]], bool]] = {
    "who": who,
    "what to throw": what_to_throw,
    "everybody's points": everybodys_points,
    "what to beat": what_to_beat,
    "roll again": roll_again,
    "what OK does": what_ok_does,
    "OK": ok,
    "choice": lambda p, words: choice_name(p.label) in words,
    "its points": lambda p, words: (
        any(str(p.points.points) in word.replace("+", "").split() for word in words)
        or not p.points.points
    ),
    "no": in_words("BACK: NO"),
    "advice": lambda p, words: p.hold is not None or bool(p.odds) or choice_name(p.label) in words,
    "what goes": lambda p, words: bool(p.held or not p.label) or choice_name(p.label) in words,
    "who won": lambda p, words: (
        any(names_somebody(name, words) for name in p.winners)
        if isinstance(p, OverPrompt)
        else are_named(p.pots[0], words)
    ),
    "pot": lambda p, words: bool(p.confirm) or say("POT {chips}", chips=p.pot) in words,
    "chips": lambda p, words: any(str(p.chips) in word.split() for word in words) or p.confirm,
    "bet": lambda p, words: say(p.label) in words,
    "everybody's chips": everybodys_chips,
    "who is all-in": who_is_all_in,
    "the dealer": the_dealer,
    "what to show": in_words("SHOW 2 DICE"),
    "hand": lambda p, words: say(p.label) in words,
    "how many": lambda p, words: say("I SEE {dice}", dice=p.seen) in words,
    "die": lambda p, words: any(word.startswith(say(p.name)[:3]) for word in words),
    "die or question": lambda p, words: bool(words),
}
"""Whether a fact is among the words of a prompt's pages."""
DICE_FACTS = {"dice", "open dice"}


def dice_are_told(prompt: Any, shown: Sequence[Picture]) -> bool:
    """Dice that are drawn; in a game of bets the letter of the colour and the number of each."""
    dice = [die for die in prompt.dice if die is not None]
    if not any(isinstance(die, ShownDie) for die in dice):
        return drawn(len(dice), shown)
    words = tuple(text for die in dice for text in (say(die.kind.upper())[0], str(die.face)))
    return any(page.words[: len(words)] == words for page in shown) or not dice


KINDS: dict[str, Callable[[Prompt], bool]] = {
    "a throw": lambda p: isinstance(p, ThrowPrompt) and not p.blind,
    "a throw, no camera": lambda p: isinstance(p, ThrowPrompt) and p.blind,
    "dice": lambda p: isinstance(p, DicePrompt),
    "a choice": lambda p: isinstance(p, ChoicePrompt) and not p.confirm,
    "a zero": lambda p: isinstance(p, ChoicePrompt) and p.confirm,
    "a hint": lambda p: isinstance(p, HintPrompt) and p.row is None and not p.odds,
    "an undo": lambda p: isinstance(p, UndoPrompt),
    "the end": lambda p: isinstance(p, OverPrompt) and len(p.totals) > 1,
    "a bet": lambda p: isinstance(p, betting.BetPrompt) and not p.confirm,
    "dice for all": lambda p: isinstance(p, betting.DealPrompt) and not p.surplus,
    "hidden dice": lambda p: isinstance(p, betting.ShowPrompt),
    "a hand": lambda p: isinstance(p, betting.HandPrompt),
    "a pot": lambda p: isinstance(p, betting.PotPrompt),
    "dice missing": lambda p: isinstance(p, trouble.CountPrompt),
    "a doubtful die": lambda p: isinstance(p, trouble.FacePrompt),
    "a throw by hand": lambda p: isinstance(p, trouble.EntryPrompt),
    "dice that clash": lambda p: isinstance(p, trouble.ClashPrompt),
}


def documented() -> dict[str, tuple[list[str], list[str]]]:
    """What must be on a page, and on every page, by the kind of prompt, as the document says."""
    text = (ROOT / "docs/scoreboard.md").read_text("utf-8")
    table = text.partition("<!-- facts -->")[2].partition("<!-- end of facts -->")[0]
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.split("\n")]
    found = [row for row in rows if len(row) == 3][2:]
    return {
        kind: (
            [fact.strip() for fact in some.split(",") if fact.strip()],
            [fact.strip() for fact in each.split(",") if fact.strip()],
        )
        for kind, some, each in found
    }


def test_the_document_names_every_kind_of_prompt_and_only_known_facts() -> None:
    table = documented()
    assert table.keys() == KINDS.keys()
    assert {f for some, each in table.values() for f in (*some, *each)} == (
        FACTS.keys() | DICE_FACTS
    )


def is_busy(prompt: Any) -> bool:
    return getattr(getattr(prompt, "tray", None), "is_busy", False)


@pytest.mark.slow
@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("group", GROUPS)
def test_what_must_be_known_is_on_the_pages(group: str, code: str) -> None:
    table, kinds = documented(), set[str]()
    with spoken(code), strict_drawing():
        for prompt in (shown for met in prompts_of(group) for shown in variants(met)):
            kind = next((kind for kind, is_one in KINDS.items() if is_one(prompt)), "")
            if not kind or is_busy(prompt):
                continue
            kinds.add(kind)
            some, each = table[kind]
            shown = pages(prompt)
            for fact in some:
                told = (
                    dice_are_told(prompt, shown)
                    if fact in DICE_FACTS
                    else FACTS[fact](prompt, words_of(shown))
                )
                assert told, (fact, prompt, [page.words for page in shown])
            for fact in each:
                for page in shown:
                    assert FACTS[fact](prompt, page.words), (fact, prompt, page.words)
    assert kinds


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("name", ["ANNA", "FRIEDA", "BRUNHILDE W."])
@pytest.mark.parametrize("blind", [False, True])
def test_a_roll_on_a_ring_says_what_it_must_beat_however_long_the_words_are(
    code: str, name: str, blind: bool
) -> None:
    here = RING.spots[5]
    with spoken(code):
        for purpose in ("take", "raise"):
            for card in Card:
                needs = 4 if card.is_number else 0
                note = Label(f"need {needs}" if needs else "")
                spot = replace(here, label=Label(card.word), note=note, needs=needs, points=40)
                table = replace(RING, spots=(*RING.spots[:5], spot, *RING.spots[6:]))
                dice = (1, 2, 3, 4, 5)
                state = (TrayState.STILL, "", table, blind)
                asked = DicePrompt(name, 1, 3, dice, (), Label(purpose), True, *state)
                assert what_to_beat(asked, words_of(pages(asked))), (card, pages(asked))


def test_a_die_can_be_held_on_any_page_of_a_roll_and_then_the_dice_come_up() -> None:
    table = SITUATIONS[1].scenes[-1].prompt
    assert isinstance(table, DicePrompt)
    for prompt in (table, replace(table, blind=True), replace(table, table=None, blind=True)):
        drawn = film(prompt)
        assert len(drawn.loop) > 1
        assert all(drawn.takes(Button.HOLD3, still.picture) for still in drawn.loop)
        held = film(replace(prompt, held=(2,))).loop[0].picture
        assert held != drawn.loop[0].picture
        assert held.drawings == 5


def test_a_computer_is_told_from_another_wherever_there_is_little_room() -> None:
    robots = ("ROBO *", "ROBO **", "ROBO ***", "BEEP **", "BEEP ***")
    assert all(map(strength_of, robots))
    short = [shorten_to_fit(name, "12345678901") for name in robots[:3]]
    assert [(name[0], name.count("*")) for name in short] == [("R", 1), ("R", 2), ("R", 3)]
    totals = (("ANNA", 999), *((name, 100 + n) for n, name in enumerate(robots)))
    shown = words_of(pages(OverPrompt(("ANNA",), totals)))
    assert {"R1", "R2", "R3", "B2", "B3"} <= {*shown}
    with spoken("de"):
        asked = ThrowPrompt("ROBO ***", 1, 3, "ROLL", (0,), None, TrayState.STILL, True)
        standing = Standing((("ROBO ***", 12), ("ANNA", 7)))
        assert "***" in pages(replace(asked, standing=standing))[0].words[0]


@pytest.mark.parametrize("names", [("ROBO **", "ROBO ***"), ("ANNA", "ANTON"), ("BEN", "BEN 2")])
def test_two_names_with_one_initial_are_told_apart_wherever_a_card_is_theirs(
    names: tuple[str, str],
) -> None:
    def shown(table: TableSpots, name: str, rolled: bool) -> list[Picture]:
        other = names[1 - names.index(name)]
        owners = {"BOB": name, "CLEO": other}
        spots = tuple(
            replace(spot, owner=owners.get(spot.owner, spot.owner), mine=False, pawns=())
            for spot in table.spots
        )
        return [*pages(TablePrompt("DORA", replace(table, spots=spots), rolled=rolled))]

    for table in (RING, AT_HOME):
        for rolled in (False, True):
            one, two = (shown(table, name, rolled) for name in names)
            assert words_of(one) != words_of(two)
            assert one != two


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("names", [SHORT_NAMES, LONG_NAMES])
@pytest.mark.parametrize("out", range(5))
def test_a_hand_begins_with_what_all_do_however_many_are_out(
    code: str, names: Sequence[str], out: int
) -> None:
    won = (Verbatim(names[0]), "WON 1200")
    news = (won, *((Verbatim(name), Label("out")) for name in names[1 : 1 + out]))
    stacks = (betting.Stack(names[0], 1100, deals=True), betting.Stack(names[5], 90))
    bet = betting.BetPrompt(
        names[0], "CALL 10", 10, 1100, 20, Label("open"), 0, 4, (), names[5], news, stacks=stacks
    )
    with spoken(code), strict_drawing():
        draw = two_lines(say("ALL DRAW 2"), say("HIDE THEM"))
        for prompt in (bet, ThinkingPrompt(names[0], bet)):
            opening = [still.picture for still in film(prompt).opening]
            assert opening[-1] == draw
            assert sum(map(reading_s, opening)) <= MOST_CYCLE_S
            assert say("WON 1200") in opening[0].words
            told = words_of(opening)
            # So many are seldom out at once that there is no time for four.
            assert all(names_somebody(name, told) for name in names[: 1 + out]) or out == 4
            assert film(prompt).loop[0].picture == pages(prompt)[0]


@pytest.mark.parametrize("code", language_codes())
def test_players_who_have_no_names_are_told_apart_wherever_theirs_is_cut(code: str) -> None:
    with spoken(code):
        names = [f"{say('PLAYER')} {number}" for number in range(1, 7)]
    assert shorten_to_fit(names[0], "") == names[0]
    for right in ("1234567", "123456789", "12345678901"):
        cut = [shorten_to_fit(name, right) for name in names]
        assert len({*cut}) == len(names)
        assert [name[-1] for name in cut] == [name[-1] for name in names]
    for most in range(3, 9):
        cut = [shorten_to_fit(name, "", most=most) for name in names]
        assert len({*cut}) == len(names)
        assert max(map(len, cut)) <= most
    assert shorten_to_fit("MAXIMILIANUS", "12345678") != "MAXIMILIANUS"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_undo_names_the_computers_whose_choices_go_with_it(game: str) -> None:
    names = ("ANNA", "ROBO **", "ROBO ***")
    table = AtTable(":memory:", Setup(game, names, ((seat_option(game), 0),)), 2)
    shown = set[tuple[str, ...]]()
    for _ in range(60):
        table.wait()
        before = len(table.session.record.events)
        asked = prompting.prompt(step(table.session, Pressed(Button.BACK, long=True)))
        if isinstance(asked, UndoPrompt):
            shown.add(asked.computers)
            for code in language_codes():
                with spoken(code), strict_drawing():
                    drawn = pages(asked)
                    assert cycle_s(asked) <= MOST_CYCLE_S + 0.01
                    said = " ".join(words_of(drawn))
                    goes_too = say("and {players}", players="R").upper()
                    assert (goes_too in said) == bool(asked.computers)
                    assert say("BACK: NO") in said
                    heard, read = next(asked.told()), asked.can_do().says
                    assert (say("and {players}", players="Robo") in heard) == bool(asked.computers)
                    assert (say("and {players}", players="ROBO") in read) == bool(asked.computers)
        if not table.go_on():
            break
        assert len(table.session.record.events) >= before
    assert {(), ("ROBO **", "ROBO ***")} <= shown


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("card", [card for card in Card if card.is_number])
def test_on_an_own_card_both_ways_on_say_which_dice_are_thrown(code: str, card: Card) -> None:
    label = Label(card.word)
    own = replace(RING.spots[2], label=label, note=Label("need 4"), here=True, aim=True)
    others = tuple(replace(spot, aim=False, here=False) for spot in RING.spots[3:])
    table = replace(RING, spots=(*RING.spots[:2], own, *others))
    with spoken(code), strict_drawing():
        for action, reason, dice in (
            ("stay", "beat 3", say("THROW {dice}", dice=dice_count(5))),
            ("move-on", "red-die", say("ROLL RED DIE")),
        ):
            points = Points(0, reason)
            asked = ChoicePrompt("FRIEDA", Label(action), points, 0, 2, (), purpose="CHOOSE")
            shown = pages(replace(asked, table=table))
            assert dice in words_of(shown)
            assert all(ok(asked, page.words) for page in shown)
            needed = f"{say('four').upper()} {say(label)}" in " ".join(words_of(shown))
            assert needed == (action == "stay")
