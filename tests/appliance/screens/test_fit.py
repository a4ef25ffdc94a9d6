"""Nothing is cut off: every label, reason, purpose and score of all games, with the widest names.

Drawing raises an error for a text wider than its space and, in these tests, for a light outside the
board, so a screen that can be drawn shows everything it has to say.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.screens.draw import film, pages
from appliance.screens.drawing.film import MOST_CYCLE_S, reading_s
from appliance.screens.drawing.film import pages as dispatched
from appliance.screens.strip import in_short, number_of
from appliance.table.names import MAX_NAME_LETTERS
from appliance.table.prompts.looking import (
    PlacePrompt,
    SheetPrompt,
    Spot,
    TablePrompt,
    TableSpots,
    UndoPrompt,
)
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.listing import ranked_choices
from appliance.table.session.matching import Why
from appliance.table.session.modes import (
    Browsing,
    LookingOver,
    Mode,
    Playing,
    Undoing,
    ViewingSheet,
)
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Scored, Session, Setup, new_session
from appliance.table.session.sheets import places_looked_over
from appliance.table.session.tray import TraySeen
from appliance.words import Label, language_codes, say
from games.actions import actions
from games.chance import random_event
from games.free_for_all import state as ffa
from games.free_for_all.cards import MAX_CARD_POINTS, Kind
from games.free_for_all.cards import Card as FfaCard
from games.free_for_all.deck import CENTRE_SPACES
from games.game import Game
from games.holdem import state as holdem
from games.holdem.evaluator import Rank
from games.notation.events import event_from_text
from games.notation.words import RecordError
from games.registry import GAMES
from games.showdown.cards import Card as ShowdownCard
from games.values import Choice, Choose, DieKind, Face, Keep, Left, Points, Throw
from games.views import Goal
from tests.rigs.examples import examples
from tests.rigs.gallery import kinds_of_prompts
from tests.rigs.gallery.scenes import AT_HOME
from tests.rigs.spoken import spoken
from vision.reading import POWER_FACES, DieState, TrayState

WIDE = "M" * MAX_NAME_LETTERS
DICE = (1, 2, 3, 4, 5)
SIX_DICE = (*DICE, "double")
FACES = range(1, 7)
MOST_CHIPS = 6 * 1000
"""The most that one player of Hold'em can have: six stacks of the largest size."""
HIGHEST = 9999
"""No player of any game can have more at the end."""


def choices() -> list[Choice]:
    """Every choice of all games, with the largest numbers that can occur in its label."""
    cards = [FfaCard(kind, MAX_CARD_POINTS) for kind in Kind]
    chips = (10, 990, MOST_CHIPS)
    found: list[Choice] = [
        choice for game in GAMES.values() for name in actions(game) for choice in named(game, name)
    ]
    # What an action leaves out: the card that lies there, the chips that a call costs.
    for card in cards:
        found += [ffa.TurnUp(card)]
        found += [ffa.Bank(home, card) for home in range(3)]
        found += [ffa.Take(space, card) for space in range(CENTRE_SPACES)]
        found += [ffa.Steal(seat, home, card) for seat in range(6) for home in range(3)]
    found += [bet(n) for bet in (holdem.Bet, holdem.Call, holdem.Raise) for n in chips]
    return [*found, Left(5)]


def named(game: Game[Any], name: str) -> list[Choice]:
    """The choice that an action's name stands for by itself; none where it leaves something out."""
    try:
        event = event_from_text(game, name)
    except RecordError:
        return []
    return [event] if isinstance(event, Choice) else []


CHOICES = choices()
LABELS = sorted({Label(choice.key) for choice in CHOICES})
REASONS = sorted(
    {
        "",
        "bust",
        "ends-game",
        "red-die",
        "place",
        "take",
        "five-alike",
        "all-in",
        "all-folded",
        "shared",
        "66666",
        f"pot {MOST_CHIPS}",
        f"leaves {MOST_CHIPS}",
        "chips +36",
        "beats 30",
        "meets 4",
        "beat 4",
        *(rank.word for rank in Rank),
        *(f"x{n} bonus {bonus}" for n in (0, 1, 2, 3) for bonus in (50, 100, 150, 200)),
        *(f"{face} x{n}".strip() for face in ("", "double", "freeze", "power") for n in (1, 2, 3)),
        *("joker", "joker +100", "upper +35", "joker upper +35", "joker +100 upper +35"),
    }
)
POINTS = (-MOST_CHIPS, -10, 0, 8, 185, 750, MOST_CHIPS)


def subclasses(of: type[Choice]) -> Iterator[type[Choice]]:
    for cls in of.__subclasses__():
        yield cls
        yield from subclasses(cls)


def test_the_labels_are_those_of_every_kind_of_choice() -> None:
    # By name: a dataclass with slots is made from another class of the same name.
    every = {(cls.__module__, cls.__name__): cls for cls in subclasses(Choice)}
    bases = {(b.__module__, b.__name__) for cls in every.values() for b in cls.__mro__[1:]}
    ours = {name for name in every if name[0].startswith("games.")} - bases
    assert ours == {(type(c).__module__, type(c).__name__) for c in CHOICES}
    assert max(map(len, LABELS)) <= 10


@pytest.mark.parametrize("cls", kinds_of_prompts().values(), ids=lambda cls: cls.__name__)
def test_every_prompt_has_a_screen(cls: type[Prompt]) -> None:
    assert dispatched.dispatch(cls) is not dispatched.dispatch(object)


@pytest.mark.parametrize("label", LABELS)
def test_every_label_fits_with_every_number(label: str) -> None:
    for points in POINTS:
        pages(ChoicePrompt(WIDE, label, Points(points, "joker +100 upper +35"), 39, 40, DICE))
        pages(ChoicePrompt(WIDE, label, Points(points), 0, 1, (), confirm=True))
    for steps in (1, 99, 999):
        pages(UndoPrompt(WIDE, label, steps))
        pages(UndoPrompt(WIDE, label, steps, DICE, (0, 2)))


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_fits(reason: str) -> None:
    for index, count in ((0, 1), (0, 2), (12, 13), (39, 40), (99, 100)):
        pages(ChoicePrompt(WIDE, "FULL HOUSE", Points(185, reason), index, count, DICE))


def thrown(scored: Scored, take: bool) -> ThrowPrompt:
    still = TrayState.STILL
    return ThrowPrompt(WIDE, 4, 4, "ROLL", (0,), None, still, take, scored, WIDE)


def test_what_was_scored_fits() -> None:
    by_label = {Label(choice.key): choice for choice in CHOICES}
    for choice, points in itertools.product(by_label.values(), (-MOST_CHIPS, MOST_CHIPS)):
        film(thrown(Scored(0, choice, points, Label("five-alike"), celebrated=True), take=True))
    for reason, take in itertools.product(REASONS, (False, True)):
        film(thrown(Scored(0, Keep(()), MOST_CHIPS, Label(reason)), take))


@pytest.mark.parametrize("name", ["5TH DIE", "POCKET 2", "POWER DIE", "YELLOW DIE"])
def test_a_throw_that_is_entered_fits(name: str) -> None:
    dice: list[Face | None] = [1, 2, 3, 4, 5, "double"]
    for count in range(1, 7):
        shown = dice[-count:]
        for index in range(count):
            pages(EntryPrompt(WIDE, name, tuple(shown), index))
            blank = tuple(None if slot == index else face for slot, face in enumerate(shown))
            pages(EntryPrompt(WIDE, name, blank, index))


def spots() -> list[Spot]:
    labels = [Label(card.word) for card in ShowdownCard] + ["WILD", "EMPTY", "DECK", "CHIPS LEFT"]
    labels += [Label(c.key) for c in CHOICES if isinstance(c, ffa.Take | ffa.Steal)]
    labels += ["SIDE POT 5", "DEALER", "CHIPS"]
    notes = ("", "BEAT 30", "CHIPS +36", "NEED 4", "6 PLAY", "BET 6000", "FOLDED", "CARDS")
    everyone = (WIDE, WIDE, WIDE, WIDE)
    found = [
        Spot(label, points, "CHIPS +36", WIDE, pawns=everyone, here=True, aim=True)
        for label in sorted(set(labels))
        for points in (None, MOST_CHIPS)
    ]
    return found + [
        Spot("FULL HOUSE", 70, note, owner, bool(owner), pawns, bool(pawns), aim=True)
        for note in notes
        for owner in ("", WIDE)
        for pawns in ((), (WIDE,), everyone)
    ]


def test_every_place_of_a_table_fits() -> None:
    for spot in spots():
        pages(PlacePrompt(WIDE, spot, 23, 24))
        table = TableSpots((spot,), ring=False)
        pages(ThrowPrompt(WIDE, 1, 3, "TAKE", (0,), None, TrayState.EMPTY, False, table=table))
        pages(DicePrompt(WIDE, 1, 3, DICE, (), "TAKE", True, TrayState.STILL, table=table))


@pytest.mark.parametrize("code", ("en", "de"))
@pytest.mark.parametrize("others", ("C3 SM STR", "C4 FULL HOUSE", "C5 3 ALIKE"))
@pytest.mark.parametrize("won", ("C2 FIVES", "C6 CHANCE"))
def test_what_dice_win_is_told_from_what_they_do_not_yet(code: str, won: str, others: str) -> None:
    spots = (Spot("C1 LG STR", 8, aim=True), Spot(others, 5, aim=True))
    table = TableSpots((Spot(won, 5, aim=True, pays=5), *spots), ring=False)
    with spoken(code):
        words = " ".join(
            " ".join(page.words) for page in pages(TablePrompt("ANNA", table, None, True))
        )
        wins, not_yet = say("WIN"), say("NOT YET:")
        title = say("YOU CAN WIN:")
    assert not_yet in words
    assert wins in words or title in words
    assert min(words.find(one) for one in (wins, title) if one in words) < words.find(not_yet)


@pytest.mark.parametrize("code", language_codes())
@given(
    st.lists(
        st.text("ABEHIMORTW.'", min_size=1, max_size=MAX_NAME_LETTERS), min_size=4, max_size=4
    ),
    st.sets(st.integers(0, 6)),
)
def test_cards_of_others_fit_for_any_name(
    code: str, names: tuple[str, ...], made: set[int]
) -> None:
    owners = dict(zip(("BOB", "CLEO", "DORA", "EMIL"), names, strict=True))
    spots = tuple(
        replace(spot, owner=owners.get(spot.owner, ""), pays=spot.points if at in made else None)
        for at, spot in enumerate(AT_HOME.spots)
    )
    with spoken(code):
        for rolled in (False, True):
            shown = pages(TablePrompt(WIDE, replace(AT_HOME, spots=spots), rolled=rolled))
            assert len(shown) <= 2
            assert sum(map(reading_s, shown)) <= MOST_CYCLE_S + 1e-6


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("players", range(1, 5))
@given(random=st.randoms(use_true_random=False))
def test_whose_cards_are_comes_round_whole(code: str, players: int, random: Random) -> None:
    names = (WIDE, "WWWWWWWWWWWA", "ROBO ***", "ROBO **")[:players]
    cards = random.sample(list(ShowdownCard), len(ShowdownCard))
    placed = random.randrange(len(cards) + 1)
    spots = [Spot("EMPTY")] * 16
    for at, card in enumerate(cards[:placed]):
        owner = random.choice(names)
        spots[at] = Spot(Label(card.word), 50, "", owner, mine=owner == WIDE)
    beside = tuple(Spot(Label(card.word)) for card in cards[placed:])
    with spoken(code):
        shown = pages(TablePrompt(WIDE, TableSpots(tuple(spots), ring=True, beside=beside)))
        said = [
            entry.strip()
            for page in shown
            for text in page.words
            for entry in re.split("[,:]", text)
        ]
        told = {f"{n}" for entry in said for n in in_row(entry)} | {*said}
        assert sum(map(reading_s, shown)) <= MOST_CYCLE_S + 1e-6
        labels = [Label(card.word) for card in cards]
        left_out = [
            at
            for at, label in enumerate(labels)
            if not {number_of(label), say(label), in_short(label)} & (told - {""})
        ]
        owners = {each.label: each.owner for each in spots}
        unnamed = {owners.get(labels[at], "") for at in left_out}
        if any(say(text) in said for text in ("THE REST", "ALL")):
            # Whoever has the rest has all that is not named.
            assert len(unnamed) == 1
        else:
            # Where there is no room, whole groups are left out, the last first and never one's own.
            assert WIDE not in unnamed
            assert not unnamed & {owners.get(labels[at], "") for at in {*range(12)} - {*left_out}}
        for name in {spot.owner for spot in spots if spot.owner} - unnamed:
            assert name == WIDE or any(word[:1] == name[:1] for word in said)


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("players", range(1, 5))
@given(random=st.randoms(use_true_random=False))
def test_what_a_roll_brings_on_a_ring_is_told_first_in_words_on_two_screens(
    code: str, players: int, random: Random
) -> None:
    names = (WIDE, "WWWWWWWWWWWA", "ROBO ***", "ROBO **")[:players]
    cards = [Label(card.word) for card in random.sample(list(ShowdownCard), len(ShowdownCard))]
    placed = random.randrange(len(cards) + 1)
    brought = set(random.sample(cards, random.randrange(4)))

    def spot(card: Label, owner: str) -> Spot:
        pays = 10 * random.randint(1, 7) if card in brought else None
        return Spot(card, 50, "", owner, mine=owner == WIDE, pays=pays)

    spots = tuple(spot(card, random.choice(names)) for card in cards[:placed])
    beside = tuple(spot(card, "") for card in cards[placed:])
    table = TableSpots((*spots, *(Spot("EMPTY"),) * (16 - placed)), ring=True, beside=beside)
    with spoken(code):
        shown = pages(TablePrompt(WIDE, table, rolled=True))
        words = [text for page in shown for text in page.words]
        said = " ".join(words)
        assert len(shown) <= 2
        assert sum(map(reading_s, shown)) <= MOST_CYCLE_S + 1e-6
        for each in (*spots, *beside):
            if each.pays is not None:
                assert f"+{each.pays}" in re.split("[ ,]+", said)
                assert say(each.label) in said or in_short(each.label) in said
        if not brought:
            assert words[0] == say("NOTHING YET")


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("needs", [1, 3])
@pytest.mark.parametrize("owner", ["ANNA", "WWWWWWWWWWWW"])
@pytest.mark.parametrize("mine", [False, True])
@pytest.mark.parametrize("count", range(5))
def test_a_card_of_a_ring_with_all_pawns_comes_round_in_time(
    code: str, needs: int, owner: str, mine: bool, count: int
) -> None:
    pawns = ("ANNA", "WWWWWWWWWWWW", "ANTON", "CORNELIUSABC")[:count]
    note = f"NEED {needs}"
    card = Spot(Label("fours"), 30, note, owner, mine, pawns, needs=needs, gain=10 * needs)
    spots = (card, *(Spot("EMPTY"),) * 15)
    with spoken(code):
        shown = pages(TablePrompt(owner, TableSpots(spots, ring=True), at=0))
        assert sum(map(reading_s, shown)) <= MOST_CYCLE_S + 1e-6
        words = [text for page in shown for text in page.words]
        assert say(card.label) == words[0]
        told = {word[:1] for text in words for word in text.split()}
        # With all four on a card the last may be left out.
        assert {name[0] for name in pawns[:3]} <= told
        assert (say("PAWN ON IT") in " ".join(words)) == bool(pawns)


def in_row(text: str) -> range:
    """The numbers of a row such as `1-3`; none for any other text."""
    row = re.fullmatch(r"([1-6])-([1-6])", text)
    return range(int(row[1]), int(row[2]) + 1) if row else range(0)


@pytest.mark.parametrize("name", GAMES)
def test_sheets_fit_with_the_highest_totals(name: str) -> None:
    game = GAMES[name]
    state = game.start((WIDE,) * max(2, game.min_players), {})
    total = HIGHEST
    goals = (Goal("upper", 299, 300, 200),)
    pages(SheetPrompt(WIDE, total, (), 0, 24, goals))
    rows = [Label(row.key) for row in game.sheet(state, 0).rows]
    for label in rows:
        for text in ("-", "0", str(total)):
            pages(SheetPrompt(WIDE, total, ((label, text), (label, text)), 23, 24))
    everyone = tuple((WIDE[:-1] + str(n), total) for n in range(6))
    for winners in (everyone[:1], everyone):
        film(OverPrompt(tuple(n for n, _ in winners), everyone))


@pytest.mark.parametrize("state", [None, *DieState])
def test_every_doubt_fits(state: DieState | None) -> None:
    # Dice with a colour of their own are named by it, all others by a number.
    names = [f"DIE {n}" for n in range(1, 8)] + ["RED DIE", "POWER DIE"]
    for name in (*names, "POCKET 1", "POCKET 2"):
        for face, dice in ((6, DICE), ("freeze", SIX_DICE)):
            for aside, turned in ((False, None), (True, None), (False, face)):
                pages(FacePrompt(name, len(dice) - 1, face, state, dice, aside, turned))
        for why in Why:
            pages(ClashPrompt(0, why, name))
            for back in (False, True):
                pages(ClashPrompt(0, why, name, back, True, was=6, now=5))
                pages(ClashPrompt(0, why, name, back, True, was="freeze", now="power"))
        pages(CountPrompt(WIDE, 0, 2, (name, name)))
    for seen, expected in itertools.product(range(16), range(1, 8)):
        if seen != expected:
            pages(CountPrompt(WIDE, seen, expected))


REMARKS = (
    "NO ROLLS LEFT",
    "NO UNDO YET",
    "NOT NOW",
    "MUST STAY",
    "NO HINT",
    "NO MORE YELLOW",
    "TOO MUCH YELLOW",
)


@settings(max_examples=examples(10, 30))
@given(
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-' ", min_size=1, max_size=MAX_NAME_LETTERS),
    st.sampled_from(TrayState),
    st.sampled_from(["SCORE", "SLOT 1", "SLOT 2", "WILD", "RAISE", "PLACE", "OWN CARD"]),
    st.sampled_from(["", *REMARKS]),
    st.lists(st.sampled_from([None, *FACES]), min_size=5, max_size=5),
    st.sampled_from([(), *((face,) for face in POWER_FACES)]),
    st.sets(st.integers(0, 5)),
    st.booleans(),
)
def test_dice_and_throws_fit_for_any_name(
    name: str,
    tray: TrayState,
    purpose: str,
    remark: str,
    faces: list[int | None],
    power: tuple[str, ...],
    held: set[int],
    flag: bool,
) -> None:
    dice = (*faces, *power)
    slots = tuple(sorted(held & set(range(len(dice)))))
    film(DicePrompt(name, 3, 4, dice, slots, purpose, flag, tray, remark))
    for kind in (None, *DieKind):
        for count in (1, 6):
            film(ThrowPrompt(name, 1, 4, purpose, tuple(range(count)), kind, tray, flag))
            film(ThrowPrompt(name, 1, 1, "WHO BEGINS", (0,) * count, kind, tray, flag))


def modes(session: Session) -> Iterator[Mode]:
    """Every mode in which players can look at a moment of a game."""
    yield Playing()
    for seat in range(len(session.record.setup.players)):
        yield ViewingSheet(seat, seat)
    yield from (ViewingSheet(0, row) for row in range(30))
    yield LookingOver()
    yield from (LookingOver(at) for at in range(places_looked_over(session)))
    ask = session.record.ask
    if isinstance(ask, Choose):
        ranked = ranked_choices(session)
        yield from (Browsing(n) for n in range(len(ranked)))
        yield from (Browsing(n, confirm=True) for n in range(len(ranked)))
    if session.record.events:
        yield from (Undoing(steps) for steps in (1, 2))


WIDEST = ("MMMMMMMM", "WWWWWWWW", "MWMWMWMW", "WMWMWMWM", "MMMMWWWW", "WWWWMMMM")


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**6), skip=st.integers(0, 250))
@settings(max_examples=examples(3, 6))
def test_every_moment_of_random_games_fits(name: str, seed: int, skip: int) -> None:
    """The moments after a random one, each in every mode and tray state."""
    random = Random(seed)
    game = GAMES[name]
    count = random.randint(max(2, game.min_players), game.max_players)
    fresh = new_session(Setup(name, WIDEST[:count]))
    state = fresh.record.state
    for at in range(skip + 2):
        event = random_event(game, state, random)
        if event is None:
            break
        state = game.apply(state, event)
        if at >= skip:
            moment(replace(fresh, record=replace(fresh.record, state=state)), random)
    if game.ask(state) is None:
        film(prompt(replace(fresh, record=replace(fresh.record, state=state))))


def moment(session: Session, random: Random) -> None:
    ask = session.record.ask
    for mode in modes(session):
        film(prompt(replace(session, mode=mode)))
    for tray in TrayState:
        film(prompt(replace(session, tray=TraySeen(tray, random.randint(0, 6)))))
    if isinstance(ask, Throw):
        choice = random.choice(CHOICES)
        news = Scored(ask.seat, choice, random.choice(POINTS), random.choice(REASONS))
        film(prompt(replace(session, scored=news)))
