"""Positions of Free for All: a state set up or written down without what led to it."""

from collections.abc import Sequence
from dataclasses import replace

from games.dice import FIVE_DICE
from games.free_for_all import state as free_for_all
from games.free_for_all.cards import Card, Kind, card_from_word, makes
from games.free_for_all.deck import CENTRE_SPACES, cards_to_text, stack_from_word
from games.notation import positions
from games.notation.words import Words, quote


def position(state: free_for_all.State) -> free_for_all.State:
    """The state itself, after a check that its parts are consistent.

    Decks differ, so cards are not counted.

    Raises:
        BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
    """
    positions.check_players(state, free_for_all.MIN_PLAYERS, free_for_all.MAX_PLAYERS)
    positions.check_part(
        state.first in range(len(state.players)), "the seat that began", state.first
    )
    positions.check_part(state.turns >= 0, "turns from 0", state.turns)
    positions.check_out(state, *(() if state.step is free_for_all.Step.OVER else (state.seat,)))
    _check_cards(state)
    _check_homes(state)
    _check_chips(state)
    _check_table(state)
    return state


def _check_cards(state: free_for_all.State) -> None:
    open_cards = [card for card in state.centre if card is not None]
    positions.check_part(
        len(state.centre) == CENTRE_SPACES,
        f"{CENTRE_SPACES} spaces in the centre",
        len(state.centre),
    )
    for card in (*state.deck, *open_cards):
        positions.check_part(
            card.kind is not Kind.FIVE_ALIKE, "five alike apart from the deck", card
        )
    for card in state.apart:
        positions.check_part(card.kind is Kind.FIVE_ALIKE, "only five alike apart", card)
    missing = state.centre.count(None)
    if state.step is free_for_all.Step.TURN_UP:
        positions.check_part(missing > 0, "an empty space in the centre", missing)
        positions.check_part(
            missing <= len(state.deck), "enough cards in the deck", len(state.deck)
        )
        setting_up = not state.dice and state.turns == 0
        gap = state.centre == (*open_cards, *(None,) * missing)
        positions.check_part(
            missing == 1 or (setting_up and gap), "one empty space in the centre", missing
        )
    elif missing:
        positions.check_part(
            state.step is free_for_all.Step.OVER and not state.deck, "no empty space", missing
        )
        positions.check_part(missing == 1, "one empty space in the centre", missing)


def _check_homes(state: free_for_all.State) -> None:
    seats = len(state.players)
    spaces = free_for_all.home_spaces(seats)
    positions.check_part(len(state.homes) == seats, "home spaces for each player", len(state.homes))
    positions.check_part(
        len(state.banked) == seats, "banked cards for each player", len(state.banked)
    )
    for homes in state.homes:
        positions.check_part(
            len(homes) == spaces, f"{spaces} home spaces for each of {seats}", len(homes)
        )
        for lying in homes:
            if lying is not None:
                positions.check_five(lying.dice)
                fits = makes(lying.dice, lying.card.kind)
                positions.check_part(fits, f"dice that make {lying.card.word}", lying.dice)
    mine = sum(lying is not None for lying in state.homes[state.seat])
    if state.step is free_for_all.Step.BANK:
        positions.check_part(mine > 1, "several cards at home to choose from", mine)
    elif state.step in (free_for_all.Step.ROLL, free_for_all.Step.USE):
        positions.check_part(mine < spaces, "a free home space after banking", mine)


def _check_chips(state: free_for_all.State) -> None:
    positions.check_part(
        len(state.chips) == CENTRE_SPACES, f"{CENTRE_SPACES} numbers of chips", len(state.chips)
    )
    seats = len(state.players)
    positions.check_part(
        len(state.banked_chips) == seats, "chips for each player", len(state.banked_chips)
    )
    for number in (*state.chips, *state.banked_chips):
        positions.check_part(number >= 0, "chips from 0", number)
    positions.check_part(
        state.pile >= 0,
        f"{free_for_all.TOTAL_CHIPS} chips at most",
        free_for_all.TOTAL_CHIPS - state.pile,
    )
    for card, chips in zip(state.centre, state.chips, strict=True):
        positions.check_part(card is not None or chips == 0, "no chips where no card lies", chips)


def _check_table(state: free_for_all.State) -> None:
    alone = state.step is free_for_all.Step.OVER and len(state.stay) == 1
    if (
        alone
        or state.step is free_for_all.Step.BANK
        or (state.step is free_for_all.Step.TURN_UP and not state.dice)
    ):
        positions.check_part(state.roll == 0 and not state.dice, "no roll on the table", state.dice)
    elif state.step is free_for_all.Step.ROLL and state.roll == 0:
        positions.check_part(not state.dice and not state.held, "no roll on the table", state.dice)
    else:
        positions.check_part(
            state.roll in range(1, free_for_all.ROLLS_PER_TURN + 1),
            f"roll 1 to {free_for_all.ROLLS_PER_TURN}",
            state.roll,
        )
        positions.check_five(state.dice)
    if state.step is free_for_all.Step.ROLL:
        positions.check_part(
            state.roll < free_for_all.ROLLS_PER_TURN,
            f"no throw after roll {free_for_all.ROLLS_PER_TURN}",
            state.roll,
        )
        positions.check_held(state.held, FIVE_DICE)
    else:
        positions.check_part(not state.held, "nothing held", state.held)


def position_to_text(state: free_for_all.State) -> str:
    """The state in one line; the grammar is in `docs/rules/free-for-all.md`."""
    kind = "virtual" if state.virtual else "table"
    late = " late" if state.late else ""
    parts = [f"first {state.first + 1} turns {state.turns} {kind}{late} {state.step}"]
    parts += positions.out_words(state.out)
    if state.roll:
        parts.append(f"roll {state.roll} dice {_dice_word(state.dice)}")
        if state.step is free_for_all.Step.ROLL:
            parts.append("hold " + positions.slots_word(state.held))
    parts.append(_row_text("| deck", cards_to_text(state.deck)))
    parts.append(_row_text("| apart", cards_to_text(state.apart)))
    spaces = zip(state.centre, state.chips, strict=True)
    parts.append("| centre " + " ".join(f"{c.word}+{n}" if c else "-" for c, n in spaces))
    rows = zip(state.players, state.banked_chips, state.homes, state.banked, strict=True)
    for name, chips, homes, banked in rows:
        lying = " ".join(f"{c.card.word}@{_dice_word(c.dice)}" if c else "-" for c in homes)
        row = f"| {quote(name)} chips {chips} home {lying} banked"
        parts.append(_row_text(row, cards_to_text(banked)))
    return " ".join(parts)


def _row_text(head: str, cards: str) -> str:
    return f"{head} {cards}" if cards else head


def _dice_word(dice: Sequence[int]) -> str:
    return "".join(map(str, dice))


def position_from_text(words: Words) -> free_for_all.State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are not a position. BadPosition: for an impossible one.
    """
    words.literal("first")
    first = words.number(1, free_for_all.MAX_PLAYERS, "a seat") - 1
    words.literal("turns")
    turns = words.number(0, positions.MAX_TURNS, "turns")
    virtual = words.one_of({"virtual": True, "table": False}, "a deck")
    late = positions.take_if_next(words, "late")
    step = words.one_of({step.value: step for step in free_for_all.Step}, "a step")
    out = positions.read_out(words)
    roll, faces = positions.read_roll(words, free_for_all.ROLLS_PER_TURN)
    held = tuple[int, ...]()
    if roll and step is free_for_all.Step.ROLL:
        words.literal("hold")
        held = positions.read_slots(words, FIVE_DICE)
    found = []
    for name in ("deck", "apart"):
        words.literal("|")
        words.literal(name)
        found.append(_read_stacks(words))
    deck, apart = found
    words.literal("|")
    words.literal("centre")
    centre, chips = zip(*(_read_space(words) for _ in range(CENTRE_SPACES)), strict=True)
    players, banked_chips, homes, banked = [], [], [], []
    while positions.take_if_next(words, "|"):
        players.append(words.quoted("a name"))
        words.literal("chips")
        banked_chips.append(words.number(0, free_for_all.TOTAL_CHIPS, "chips"))
        words.literal("home")
        home = []
        while words and words.peek() != "banked":
            home.append(_read_lying(words))
        homes.append(tuple(home))
        words.literal("banked")
        banked.append(_read_stacks(words))
    words.end("'|' and a player")
    had = tuple(banked_chips)
    state = free_for_all.State(
        tuple(players), first, virtual, deck, apart, tuple(homes), tuple(banked), had, centre, chips
    )
    table = replace(state, step=step, roll=roll, dice=faces, held=held)
    return position(replace(table, turns=turns, late=late, out=out))


def _read_stacks(words: Words) -> tuple[Card, ...]:
    cards: list[Card] = []
    while words and words.peek() != "|":
        stack = stack_from_word(words.peek())
        if stack is None:
            words.fail("cards such as 3*ones:1, or '|'")
        words.take("cards")
        cards += stack
    return tuple(sorted(cards))


def _read_space(words: Words) -> tuple[Card | None, int]:
    if positions.take_if_next(words, "-"):
        return None, 0
    word, _, chips = words.peek().partition("+")
    card = card_from_word(word)
    if card is None or not chips.isascii() or not chips.isdecimal() or len(chips) > 2:
        words.fail("'-', or a card and its chips such as fours:4+2")
    words.take("a card")
    return card, int(chips)


def _read_lying(words: Words) -> free_for_all.Lying | None:
    if positions.take_if_next(words, "-"):
        return None
    word, _, dice = words.peek().partition("@")
    card = card_from_word(word)
    if card is None or len(dice) != FIVE_DICE or not set(dice) <= set("123456"):
        words.fail("'-', or a card and its dice such as fours:4@44162")
    words.take("a card")
    return free_for_all.Lying(card, tuple(map(int, dice)))
