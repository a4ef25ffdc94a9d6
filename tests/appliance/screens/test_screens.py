"""Screens: golden pictures, pages and animations in time, fonts, and how texts are fitted."""

import itertools
from contextvars import Context
from dataclasses import replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from appliance.picture import Picture
from appliance.screens.draw import film, pages
from appliance.screens.drawing.canvas import (
    PIPS,
    SYMBOLS,
    Canvas,
    OffBoardError,
    TooWideError,
)
from appliance.screens.drawing.film import (
    LEISURE_S,
    MOST_CYCLE_S,
    Film,
    Still,
    fireworks,
    first_within_a_cycle,
    reading_s,
    within_a_cycle,
)
from appliance.screens.drawing.font import NARROW, SMALL, TALL, Font
from appliance.screens.drawing.layout import (
    draw_list_bar,
    draw_page_bar,
    shorten_to_fit,
    split_lines,
    two_lines,
)
from appliance.screens.open_cards import cards_pages, short_name
from appliance.screens.standing import standing_page
from appliance.screens.strip import long_name
from appliance.screens.tables import pages_of_lines
from appliance.screens.turn import tumbled_faces
from appliance.table.menu.prompting import RollOffPrompt
from appliance.table.names import MAX_NAME_LETTERS, NAME_LETTERS, PLAIN_LETTER_OF
from appliance.table.prompts.betting import DealPrompt
from appliance.table.prompts.looking import SheetPrompt, Spot, StripPrompt, TablePrompt, TableSpots
from appliance.table.prompts.trouble import ClashPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, Standing, ThrowPrompt
from appliance.table.session.matching import Why
from appliance.words import language_codes, say
from games.values import DieKind, Points
from tests.appliance.screens.golden import assert_golden
from tests.rigs.gallery import SITUATIONS, pictures
from tests.rigs.gallery.scenes import AT_HOME, CARDS, OWN, RING, Scene
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing
from vision.reading import DieState, TrayState

GOLDEN = Path(__file__).with_name("golden_screens.txt")
DICE = (1, 2, 3, 4, 5)
FIVE = (0, 1, 2, 3, 4)
BLACK = DieKind.BLACK
WIDE = "M" * MAX_NAME_LETTERS
STILL = TrayState.STILL
OTHERS = ("Hints", "Menus")
"""Situations with golden pictures of their own, apart from those of the gallery."""
SCREENS: dict[str, Scene] = {
    scene.name: scene
    for situation in SITUATIONS
    if situation.title not in OTHERS
    for scene in situation.scenes
}


def test_screens_are_as_the_golden_pictures() -> None:
    assert_golden(GOLDEN, {name: pictures(scene) for name, scene in SCREENS.items()})


def test_every_state_of_a_doubtful_die_has_a_screen() -> None:
    for state, slot, face in itertools.product((None, *DieState), range(5), range(1, 7)):
        assert len(pages(FacePrompt(f"DIE {slot + 1}", slot, face, state, DICE))) >= 2


def test_pages_take_turns_and_each_stays_as_long_as_it_takes_to_read() -> None:
    pages_read = (two_lines("SIXTEEN LETTERS", "ON TWO LINES"), two_lines("A", ""))
    first, second = pages_read
    assert (first.letters, second.letters) == (24, 1)
    assert (reading_s(first), reading_s(second)) == (2.5, 1.5)
    shown = Film.of_pages(pages_read)
    assert [shown.picture_at(t) for t in (0.0, 2.49)] == [first, first]
    assert [shown.picture_at(t) for t in (2.51, 3.99, 4.01)] == [second, second, first]
    assert Film.of_pages(pages_read, first_s=LEISURE_S).picture_at(2.9) == first


def test_letters_are_counted_as_they_are_drawn() -> None:
    canvas = Canvas()
    canvas.line(0, "OK: SCORE", "+12")
    for face in (3, "double", "2", None):
        canvas.die(20, 8, face)
    assert canvas.picture.words == ("OK: SCORE", "+12")
    assert (canvas.picture.drawings, canvas.picture.letters) == (4, 8 + 3 + 16)
    assert canvas.picture.offering().letters == 27


def test_of_ever_shorter_forms_the_first_that_there_is_time_for_is_shown() -> None:
    pages_of = [two_lines(f"FULL HOUSE {n}", "LARGE STR") for n in range(4)]
    short = [two_lines("FH", "LS")]
    assert sum(map(reading_s, pages_of)) > MOST_CYCLE_S
    assert first_within_a_cycle([(), pages_of[:2], short]) == tuple(pages_of[:2])
    assert first_within_a_cycle([pages_of, short]) == tuple(short)
    assert first_within_a_cycle([pages_of[:2], short], most=1) == tuple(short)
    assert first_within_a_cycle([short, pages_of], most=2) == tuple(short)
    assert first_within_a_cycle([pages_of]) == within_a_cycle(pages_of)
    assert first_within_a_cycle([pages_of], most=1) == tuple(pages_of[:1])
    assert first_within_a_cycle([()]) == ()


def test_an_opening_is_shown_once() -> None:
    one, two, three = (Picture(bytes([n]) * 128) for n in (1, 2, 3))
    shown = Film((Still(two, 1.0), Still(three, 2.0)), (Still(one, 0.5),))
    at = (0.0, 0.6, 1.6, 3.4, 3.6, 4.6, 6.6)
    assert [shown.picture_at(t) for t in at] == [one, two, three, three, two, three, two]


def test_a_held_die_is_underlined() -> None:
    free = pages(DicePrompt("ANNA", 2, 3, DICE, (), "SCORE", True, STILL))[0]
    held = pages(DicePrompt("ANNA", 2, 3, DICE, (1,), "SCORE", True, STILL))[0]
    differing = [
        (x, y) for x in range(64) for y in range(16) if free.is_lit(x, y) != held.is_lit(x, y)
    ]
    assert sorted(differing) == [(x, y) for x in range(10, 16) for y in (14, 15)]


def test_a_text_that_does_not_fit_is_an_error_in_tests() -> None:
    with pytest.raises(TooWideError):
        Canvas().line(0, "W" * 20)
    with pytest.raises(TooWideError):
        Canvas().text(60, 0, "AB")
    with pytest.raises(OffBoardError):
        Canvas().block(60, 0, 5, 1)


def test_at_the_table_a_text_that_does_not_fit_is_cut_rather_than_not_shown() -> None:
    def cut() -> Picture:
        canvas = Canvas()
        canvas.line(0, "W" * 20, "RIGHT")
        canvas.text(50, 8, "ABCDEF", TALL)
        canvas.block(60, 0, 9, 1)
        return canvas.picture

    assert sum(map(int.bit_count, Context().run(cut).data)) > 50


def test_wide_names_are_narrowed_only_where_they_must() -> None:
    label = "M" * 8
    assert pages(SheetPrompt(WIDE, 1, ((label, "5"),), 0, 1)) != pages(
        SheetPrompt(WIDE, 1, ((label, "99999"),), 0, 1)
    )
    assert NARROW.width(WIDE) < SMALL.width(WIDE)


def test_texts_are_split_between_words() -> None:
    assert split_lines("JOKER +100 UPPER +35") == ("JOKER +100", "UPPER +35")
    assert split_lines("") == ()


@pytest.mark.parametrize("font", [TALL, SMALL, NARROW], ids=["tall", "small", "narrow"])
def test_characters_differ_in_each_font(font: Font) -> None:
    glyphs = {c: font.glyph(c) for c in {*font.glyphs, *NAME_LETTERS}}
    pairs = itertools.combinations(sorted(glyphs), 2)
    alike = {c + d for c, d in pairs if glyphs[c] == glyphs[d]}
    # Two that look the same in any print, and pairs of accents that no language has both of.
    assert alike <= {"ÐĐ", "ÕŐ", "ŨŰ", "ĔĚ"}


@pytest.mark.parametrize("font", [TALL, SMALL, NARROW], ids=["tall", "small", "narrow"])
def test_letters_with_accents_are_their_letter_and_a_mark(font: Font) -> None:
    for letter, base in PLAIN_LETTER_OF.items():
        rows = font.glyph(letter)
        assert rows != font.glyph("?"), letter
        assert len({len(row) for row in rows}) == 1
        assert len(rows) - font.height in (0, 1) if font.height < 7 else len(rows) == 7
        if len(normalize("NFD", letter)) == 2:
            assert len(rows[0]) == len(font.glyph(base)[0]), letter
            lights = "".join(rows).count("#")
            assert lights > font.height, letter
        assert font.rise(letter) <= font.rise(letter, "")
    assert (SMALL.rise("ANNA"), SMALL.rise("Ç"), SMALL.rise("Ü")) == (0, 0, 1)


@pytest.mark.parametrize("font", [TALL, SMALL, NARROW], ids=["tall", "small", "narrow"])
def test_whatever_a_name_holds_is_drawn(font: Font) -> None:
    for code in range(0x20, 0x3000):
        character = chr(code)
        assert font.glyph(character)
        assert font.rise(character) in (0, 1)
    assert font.glyph("\u0386") == font.glyph("\u4e00") == font.glyph("?")


def test_twelve_letters_fit_beside_the_roll() -> None:
    assert max(NARROW.width(letter * MAX_NAME_LETTERS) for letter in NAME_LETTERS) == 47
    for name in ("GRÜNDLICHERR", "ÇŞĢĶĻŅŖŢŲĮĄĘ", "ŴŴŴŴŴŴŴŴŴŴŴŴ"):
        with strict_drawing():
            pages(ThrowPrompt(name, 1, 3, "TAKE", FIVE, BLACK, STILL, False))
            pages(DicePrompt(name, 2, 3, DICE, (1,), "SCORE", True, STILL))


def test_a_name_is_cut_with_a_sign_only() -> None:
    assert shorten_to_fit("GRÜNDLICHERR", "123") == "GRÜNDLICHERR"
    assert shorten_to_fit("GRÜNDLICHERR", "12345") == "GRÜNDLICH…"
    assert shorten_to_fit("ANNA", "12345") == "ANNA"
    assert shorten_to_fit("ANNA-MARIA B", "1234567") == "ANNA-MA…"
    for chips in range(0, 100_000, 777):
        assert NARROW.width(shorten_to_fit(WIDE, str(chips))) + 3 + SMALL.width(str(chips)) <= 64


def test_dice_make_room_for_accents() -> None:
    plain, marked = (
        pages(DicePrompt(name, 2, 3, DICE, (1,), "SCORE", True, STILL))[0]
        for name in ("ASE", "ÅSE")
    )
    # The accent has a row of its own, and a dark row remains between letters and dice.
    for picture, dark in ((plain, 5), (marked, 6)):
        assert not any(picture.is_lit(x, dark) for x in range(50)), picture.rows()
        assert any(picture.is_lit(x, dark + 1) for x in range(50))


def test_a_picture_survives_being_written_as_rows() -> None:
    picture = pages(SCREENS["dice"].prompt)[0]
    bits = "".join(picture.rows()).replace("#", "1").replace(".", "0")
    assert Picture(int(bits, 2).to_bytes(128, "big")) == picture


def test_dice_and_symbols_differ_and_fill_the_box_of_a_die() -> None:
    drawn = {**{str(face): rows for face, rows in PIPS.items()}, **SYMBOLS}
    for one, other in itertools.combinations(drawn, 2):
        assert drawn[one] != drawn[other]
    for rows in drawn.values():
        assert len(rows) == 7
        assert len({len(row) for row in rows}) == 1
        assert len(rows[0]) <= 7
    for face, rows in PIPS.items():
        # A pip takes four lights, two in the middle row, and six when it is the only one.
        lights = "".join(rows).count("#")
        assert lights == {1: 6, 2: 8, 3: 10, 4: 16, 5: 18, 6: 20}[face]


def test_rolling_dice_change_with_every_picture_and_held_ones_lie_still() -> None:
    dice = (1, 2, 3, 4, 5, "power")
    for frame in range(12):
        now, then = (tumbled_faces(dice, (0, 2, 3, 5), f) for f in (frame, frame + 1))
        assert (now[1], now[4]) == (2, 5)
        for slot in (0, 2, 3, 5):
            assert now[slot] != then[slot]
        assert len({now[0], now[2], now[3]}) == 3
        assert isinstance(now[5], str)
    moving = DicePrompt("ANNA", 1, 3, (1, 2, 3, 4, 5), (1,), "SCORE", True, TrayState.ROLLING)
    assert len(set(film(moving).pictures)) == len(film(moving).pictures) > 3


@pytest.mark.parametrize(
    "asked",
    [
        ThrowPrompt("BOB", 1, 3, "ROLL", FIVE, BLACK, STILL, take=False),
        DicePrompt("ANNA", 1, 3, (1, 2, 3, 4, 5), (1,), "SCORE", True, STILL),
        DealPrompt("CLEO", "FLOP", 3, STILL, 0, ()),
        RollOffPrompt("BOB", False, None, STILL),
    ],
    ids=lambda asked: type(asked).__name__,
)
def test_what_is_asked_stays_until_dice_roll(asked: Any) -> None:
    """No dice tumble on the board over an empty tray, while a hand comes or goes."""
    for state in (TrayState.MOVING, TrayState.HAND):
        assert film(replace(asked, tray=state)) == film(asked)
    assert film(replace(asked, tray=TrayState.ROLLING)) != film(asked)


def test_news_come_once_and_then_what_to_do() -> None:
    scene = SCREENS["scored"]
    shown = film(scene.prompt)
    news_s = sum(still.seconds for still in shown.opening)
    assert shown.picture_at(0.0) != shown.picture_at(news_s + 0.1)
    assert shown.picture_at(news_s + 0.1) == pages(scene.prompt)[0]
    assert shown.opening[0].picture not in pages(scene.prompt)
    plain = ThrowPrompt("BOB", 1, 3, "ROLL", FIVE, BLACK, STILL, take=True)
    assert shown.loop[0] == film(plain).loop[0]


def test_only_the_best_throws_are_celebrated() -> None:
    assert fireworks()[2] in film(SCREENS["celebrated"].prompt).pictures
    assert fireworks()[2] in film(SCREENS["over"].prompt).pictures
    assert fireworks()[2] not in film(SCREENS["scored"].prompt).pictures
    flashes = film(SCREENS["five-alike"].prompt).opening
    assert sum(still.seconds for still in flashes) < 1.0
    assert not film(SCREENS["last-dice"].prompt).opening


def many_homes(players: int, each: int) -> TableSpots:
    """The centre, and as many cards at home with each player but Anna."""
    names = ("BOB", "CLEO", "DORA", "EMIL", "FRIDA")[: players - 1]
    homes = tuple(
        Spot(
            f"{seat}{'ABC'[home]} 3 ALIKE",
            4,
            "BEAT 17",
            name,
            aim=True,
            pays=4 if home == 1 else None,
            needs=18,
        )
        for seat, name in enumerate(names, start=2)
        for home in range(each)
    )
    return replace(CARDS, spots=(*CARDS.spots[:3], *homes))


def test_the_best_card_that_may_be_won_is_told_in_words_those_that_are_made_first() -> None:
    plain = DicePrompt("ANNA", 2, 3, DICE, (), "TAKE", True, STILL)
    dice, winnable = pages(replace(plain, table=CARDS))
    assert (dice,) == pages(plain)
    # The full house and Bob's three alike are made; neither fours nor a straight.
    assert winnable == two_lines("OK: TAKE", "BOB'S 3 ALIKE", "FULL H +9")
    fours = [replace(spot, pays=4 if "FOURS" in spot.label else None) for spot in CARDS.spots]
    (_, other) = pages(replace(plain, table=replace(CARDS, spots=tuple(fours))))
    assert other == two_lines("OK: TAKE", "TRY FULL H +9", "FOURS +4")


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("blind", [False, True])
@pytest.mark.parametrize("labels", list(itertools.permutations(("ONES", "SM STR", "4 ALIKE"), 2)))
def test_no_card_that_dice_do_not_win_yet_is_told_as_what_ok_takes(
    code: str, blind: bool, labels: tuple[str, str]
) -> None:
    first, second = (Spot(f"C{n} {label}", 9 - n) for n, label in enumerate(labels, start=1))
    plain = DicePrompt("WOLFGANG M W", 2, 3, DICE, (), "TAKE", True, STILL, blind=blind)
    with spoken(code):
        ok, tries = say("OK: {todo}", todo=say("TAKE")), say("TRY {card}", card="").strip()
        for won in (False, True):
            spots = (replace(first, pays=9 if won else None), second)
            shown = pages(replace(plain, table=replace(CARDS, spots=spots)))[-1].words
            assert ok in shown
            told = [word for word in shown if word != ok and not word.startswith("WOL")]
            or_else = say("OR {card}", card="").strip()
            assert not won or not any(word.startswith(or_else) for word in told), shown
            assert won or blind or any(word.startswith(tries) for word in told), shown


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize(("players", "each"), [(2, 3), (3, 2), (4, 1), (5, 1), (6, 1)])
def test_cards_that_may_be_won_are_told_in_words_with_what_they_take_on_two_screens(
    code: str, players: int, each: int
) -> None:
    table = many_homes(players, each)
    with spoken(code):
        shown = cards_pages(table)
        words = [word for page in shown for word in page.words]
        assert len(shown) <= 2
        assert sum(map(reading_s, shown)) <= MOST_CYCLE_S
        # The straight and the full house bring most of the centre.
        for name in ("LG STR", "FULL H"):
            assert any(
                form in word for form in (long_name(name), short_name(name)) for word in words
            )
        theirs = [word for word in words if word.endswith(long_name("3 ALIKE"))]
        assert any(word.startswith("BOB") for word in theirs)
        assert words.count(say("{total} PIPS OR MORE", total=18)) == len(theirs)
    own = replace(CARDS, spots=tuple(replace(spot, mine=bool(spot.owner)) for spot in CARDS.spots))
    assert not any("BOB" in word for page in cards_pages(own) for word in page.words)


def test_cards_that_the_dice_win_are_told_before_the_others() -> None:
    assert pages(TablePrompt("ANNA", CARDS, rolled=True)) == (
        two_lines("WIN FULL HOUSE", "BOB'S 3 ALIKE", "+9", "+4"),
        two_lines("NOT YET:", "LARGE STR", "", "+14"),
    )
    spots = tuple(
        replace(spot, pays=spot.points if n < 3 else None) for n, spot in enumerate(AT_HOME.spots)
    )
    for table in (AT_HOME, replace(AT_HOME, spots=spots)):
        assert len(film(TablePrompt("ANNA", table, rolled=True)).pictures) <= 2


@pytest.mark.parametrize("rolled", [False, True])
def test_what_is_left_is_told_where_there_is_nothing_to_win(rolled: bool) -> None:
    own = replace(CARDS, spots=tuple(replace(spot, mine=True) for spot in CARDS.spots))
    for table in (own, replace(CARDS, spots=())):
        shown = film(TablePrompt("ANNA", table, rolled=rolled)).pictures
        assert shown == (two_lines("CARDS LEFT", "CHIPS LEFT", "12", "20"),)


@pytest.mark.parametrize("filled", range(4))
def test_a_sheet_has_pages_however_many_of_its_rows_are_open(filled: int) -> None:
    """Some games write down rows as they come, so that none is ever open."""
    boxes = tuple((f"TURN {n}", 10 if n < filled else None) for n in range(3))
    shown = film(StripPrompt("ANNA", 10 * filled, boxes)).pictures
    assert "ANNA" in {word for page in shown for word in page.words}
    if filled == len(boxes):
        assert shown == (two_lines("ANNA", "TOTAL", "", "30"),)


@pytest.mark.parametrize(("filled", "told"), [(0, "ALL BOXES OPEN"), (1, "ALL KINDS OPEN")])
def test_not_all_boxes_are_told_to_be_open_once_one_of_a_kind_is_filled(
    filled: int, told: str
) -> None:
    kinds = ("3 ALIKE 1", "3 ALIKE 2", "CHANCE")
    boxes = tuple((kind, 10 if n < filled else None) for n, kind in enumerate(kinds))
    assert pages(StripPrompt("ANNA", 10 * filled, boxes))[0].words == ("ANNA", told)


def test_what_dice_bring_is_told_in_words_if_there_is_time_and_else_in_a_table() -> None:
    boxes = ("TWOS", "FOURS", "3 ALIKE", "FULL HOUSE", "CHANCE")
    empty = StripPrompt("ANNA", 0, tuple((label, None) for label in boxes), pays=(4, 0, 9, 25, 13))
    few = replace(empty, pays=(4, 0, 0, 25, 0))
    assert film(few).pictures == (
        two_lines("YOU CAN SCORE:", "FULL HOUSE", "", "+25"),
        two_lines("TWOS", "REST", "+4", "0"),
    )
    assert film(empty).pictures == (
        two_lines("FULL HOUSE", "CHANCE", "+25", "+13"),
        two_lines("3 ALIKE +9", "TWOS", "REST 0", "+4"),
    )
    more = [("ONES", 1), ("THREES", 9), ("FIVES", 5), ("SIXES", 6), ("LARGE STR", 0)]
    labels = (*empty.boxes, *((label, None) for label, _ in more))
    full = replace(empty, boxes=labels, pays=(*empty.pays, *(pays for _, pays in more)))
    one, other = film(full).pictures
    words = (*one.words, *other.words)
    assert dict(zip(words[::2], words[1::2], strict=True)) == {
        "FULL HOUSE": "25",
        "CHANCE": "13",
        "3 ALIKE": "9",
        "3": "9",
        "6": "6",
        "5": "5",
        "2": "4",
        "1": "1",
    }


@pytest.mark.parametrize("names", [("ANNA",), ("ANNA", "BOB"), ("ANNA", "BOB", "CLEO")])
def test_a_game_that_is_over_says_what_to_press_and_whether_it_is_a_tie(
    names: tuple[str, ...],
) -> None:
    totals = tuple((name, 20) for name in names)
    alone, tied = pages(OverPrompt(names[:1], totals)), pages(OverPrompt(names, totals))
    for page in (*alone, *tied):
        assert "OK: AGAIN" in page.words
    if len(names) > 1:
        assert two_lines("ANNA", "OK: AGAIN", "WINS") in alone
        assert two_lines("ANNA", "OK: AGAIN", "A TIE") in tied
        assert tied[0] == standing_page("END", "OK: AGAIN", Standing(totals))


def test_a_die_that_was_turned_is_named_with_what_it_showed() -> None:
    asked = ClashPrompt(1, Why.HELD, "2ND DIE", idle=True, was=5, now=3)
    assert pages(asked)[1:] == (two_lines("OK: COUNT 3", "BACK: COUNT 5"),)
    turned = FacePrompt("3RD DIE", 2, 3, None, (1, 2, 6, 4, 5), turned=6)
    for shown in (turned, replace(turned, face=None)):
        assert pages(shown)[-1] == two_lines("3RD DIE WAS 6", "TURN IT BACK")


@pytest.mark.parametrize(
    ("label", "card", "reason", "told"),
    [
        ("C3 LG STR", "LARGE STR", "chips +6", ("CENTRE 3",)),
        ("C3 LG STR", "LARGE STR", "chips +1", ("CENTRE 3",)),
        ("2A 3 ALIKE", "3 ALIKE", "beats 17", ("TAKE BOB'S",)),
    ],
)
def test_a_card_of_free_for_all_says_what_it_brings_and_where_it_comes_from(
    label: str, card: str, reason: str, told: tuple[str, ...]
) -> None:
    prompt = ChoicePrompt("ANNA", label, Points(14, reason), 0, 4, DICE, table=CARDS)
    # One's own card comes from nowhere.
    plain = replace(prompt, label=f"A {card}", points=Points(14))
    top = two_lines(card, "", "+14")
    assert all(
        pages(plain)[0].is_lit(x, y) is top.is_lit(x, y) for x in range(64) for y in range(7)
    )
    assert pages(prompt)[: len(told)] == tuple(
        pages(replace(plain, player=text))[0] for text in told
    )
    why = {"chips +6": "8 + 6 CHIPS", "chips +1": "13 + 1 CHIP"}.get(reason, reason.upper())
    assert two_lines("ANNA", why, "OK?") in pages(prompt)


@pytest.mark.parametrize("at", [None, *range(7)])
def test_walking_over_the_table_tells_each_card_in_words(at: int | None) -> None:
    shown = pages(TablePrompt("ANNA", CARDS, at))
    if at is None:
        thrown = replace(CARDS, spots=tuple(replace(spot, pays=None) for spot in CARDS.spots))
        assert pages(TablePrompt("ANNA", thrown, at)) == (
            two_lines("WIN LARGE STR", "FULL HOUSE", "+14", "+9"),
            two_lines("BOB'S 3 ALIKE", "18 PIPS OR MORE"),
        )
        alone = replace(thrown, spots=thrown.spots[:3])
        assert pages(TablePrompt("ANNA", alone, at)) == (
            two_lines("YOU CAN WIN:", "LARGE STR", "", "+14"),
            two_lines("FULL HOUSE", "FOURS", "+9", "+4"),
        )
        return
    words = {
        0: two_lines("FULL HOUSE", "CENTRE 1", "9", "CHIPS +3"),
        3: two_lines("3 ALIKE", "BOB", "4", "BEAT 17"),
        4: two_lines("DECK", "", "12", "CARDS"),
    }
    (told,) = shown
    if at in words:
        assert told == words[at]


def lit(picture: Picture, x: int, y: int, width: int, height: int) -> int:
    return sum(picture.is_lit(x + dx, y + dy) for dx in range(width) for dy in range(height))


def test_whose_the_cards_of_a_ring_are_is_told_one_s_own_first() -> None:
    assert pages(TablePrompt("ANNA", RING)) == (
        two_lines("YOU: 6, LARGE STR", "BOB: 4, FULL HOUSE"),
        two_lines("CLEO: 1", "FREE: 3, 5, CHANCE"),
    )
    few = tuple(replace(s, label="EMPTY", owner="") if s.owner == "CLEO" else s for s in RING.spots)
    assert pages(TablePrompt("ANNA", replace(RING, spots=few, beside=()))) == (
        two_lines("YOU HAVE", "SIXES, LARGE STR"),
        two_lines("BOB HAS", "FOURS, FULL HOUSE"),
    )


def test_after_a_roll_a_ring_says_what_dice_bring_then_which_cards_are_free_and_whose() -> None:
    rolled = TablePrompt("ANNA", RING, rolled=True)
    made = tuple(replace(spot, pays=30 if spot.here else None) for spot in RING.spots)
    assert pages(replace(rolled, table=replace(RING, spots=made))) == (
        two_lines("WIN FOURS", "FREE: 3, 5, CHANCE", "+30"),
        *pages_of_lines([("YOU: 6, LARGE STR", ""), ("BO: THE REST", "CL: 1")]),
    )
    # On Bob's card without enough of its number.
    assert pages(rolled) == (
        two_lines("2 FOURS WIN IT", "BOB'S CARD", "", "20"),
        two_lines("FREE: 3, 5, CHANCE", "YOU: 6, LARGE STR"),
    )
    one = tuple(replace(s, needs=1, points=10) if s.here else s for s in RING.spots)
    alone = pages(replace(rolled, table=replace(RING, spots=one)))
    assert alone[0] == two_lines("ONE 4 WINS IT", "BOB'S CARD", "", "10")
    # On an own one.
    own = pages(replace(rolled, table=OWN))
    assert own[0] == two_lines("FOUR SIXES: +10", "YOUR CARD", "", "30")
    # On an empty space any free card may be placed.
    nowhere = tuple(replace(spot, aim=False) for spot in RING.spots)
    free = tuple(replace(spot, pays=10 if spot.label != "CHANCE" else None) for spot in RING.beside)
    placing = replace(RING, spots=nowhere, beside=free)
    first, *_ = pages(replace(rolled, table=placing))
    assert first == two_lines("THREES, FIVES", "FREE: CHANCE", "+10")
    none, *_ = pages(replace(rolled, table=replace(RING, spots=nowhere)))
    assert none.words[0] == "NOTHING YET"


@pytest.mark.parametrize("count", [2, 3, 13, 24, 40, 100])
def test_bars_move_from_end_to_end_and_one_of_a_kind_has_none(count: int) -> None:
    for draw, line in ((draw_list_bar, (0, 14, 64, 2)), (draw_page_bar, (63, 0, 1, 16))):
        drawn = []
        for index in range(count):
            canvas = Canvas()
            draw(canvas, index, count)
            drawn.append(canvas.picture)
            assert lit(canvas.picture, *line) == lit(canvas.picture, 0, 0, 64, 16) > 0
        # In lists longer than the board has lights, entries share positions; the ends never do.
        assert drawn[0] != drawn[-1]
        assert len(set(drawn)) >= min(count, 14)
        assert drawn == sorted(drawn, key=lambda picture: _first(picture))
        alone = Canvas()
        draw(alone, 0, 1)
        assert alone.picture == Picture()


def _first(picture: Picture) -> tuple[int, int]:
    """The first row and column with a light."""
    return next((y, x) for y in range(16) for x in range(64) if picture.is_lit(x, y))
