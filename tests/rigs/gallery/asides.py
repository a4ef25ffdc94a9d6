"""Scenes other than turns: doubts, undo, sheets and tables, hints, menus."""

from appliance.table.menu.console import Console
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.own_die import OwnDie, ShownFace
from appliance.table.menu.prompting import (
    BrightnessPrompt,
    DecisionPrompt,
    LessonPrompt,
    ListPrompt,
    ModulesPrompt,
    NamePrompt,
    NoticePrompt,
    QuestionPrompt,
    RollOffPrompt,
    TellingPrompt,
)
from appliance.table.menu.reviewing import Reviewed
from appliance.table.prompts.betting import BetPrompt, ColourPrompt
from appliance.table.prompts.hints import HintPrompt, WaitPrompt
from appliance.table.prompts.looking import (
    PlacePrompt,
    SheetPrompt,
    StripPrompt,
    TablePrompt,
    UndoPrompt,
)
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.table.session.matching import Why
from appliance.words import Label, Verbatim
from games import classic, power, yatzy
from games.values import DieKind, Measure, Odds, Points
from games.views import Goal
from tests.builders import reading
from tests.rigs.gallery.scenes import (
    AT_HOME,
    CARDS,
    COMMUNITY,
    RING,
    ROLLED,
    Scene,
    Scenes,
)
from vision.reading import DieState, TrayState

_DICE = (4, 2, None, 1, 6)
_BOXES = tuple(
    zip(
        (Label(row.key) for row in classic.GAME.sheet(classic.GAME.start(("A", "B"), {}), 0).rows),
        (3, None, 9, None, 10, 12, None, 24, None, 30, None, None, 20),
        strict=True,
    )
)
_YATZY_BOXES = tuple(
    zip(
        (Label(row.key) for row in yatzy.GAME.sheet(yatzy.GAME.start(("A", "B"), {}), 0).rows),
        (3, None, 9, None, 10, 12, None, 14, None, 16, None, 20, None, None, 50),
        strict=True,
    )
)
_SLOTS = tuple(
    (Label(row.key), None if number % 3 else 12)
    for number, row in enumerate(power.GAME.sheet(power.GAME.start(("A", "B"), {}), 0).rows)
)
_BOXES_PAY = tuple(
    None if points is not None else pays
    for (_, points), pays in zip(_BOXES, (0, 4, 0, 0, 0, 12, 0, 0, 25, 0, 0, 0, 16), strict=True)
)
_SLOTS_PAY = tuple(
    None if points is not None else 3 * (number % 5) for number, (_, points) in enumerate(_SLOTS)
)
_FIVE = (0, 1, 2, 3, 4)
_EMPTY = TrayState.EMPTY
_THROWN = (3, 5, 5, 1, 2)

_DOUBTS = (
    Scene(
        "leaning",
        "Third die leans.",
        FacePrompt(Label("die 3"), 2, 5, DieState.LEANING, _DICE),
    ),
    Scene(
        "unsure",
        "Third die could not be read.",
        FacePrompt(Label("die 3"), 2, 5, DieState.UNSURE, _DICE),
    ),
    Scene(
        "outside",
        "Third die is outside the tray.",
        FacePrompt(Label("die 3"), 2, 5, DieState.OK, _DICE, aside=True),
    ),
    Scene(
        "turned",
        "Third die was turned.",
        FacePrompt(Label("die 3"), 2, 5, None, (4, 2, None, 1, 6), turned=6),
    ),
    Scene("too-few", "Four dice instead of five.", CountPrompt("ANNA", 4, 5)),
    Scene(
        "missing",
        "The Power die is missing.",
        CountPrompt("ANNA", 5, 6, ("POWER DIE",)),
    ),
    Scene("too-many", "Six dice instead of five.", CountPrompt("ANNA", 6, 5)),
    Scene("was-held", "Second die was held, but thrown.", ClashPrompt(1, Why.HELD)),
    Scene(
        "held-turned",
        "Second die was held; nothing was thrown.",
        ClashPrompt(1, Why.HELD, idle=True, was=5, now=3),
    ),
    Scene("not-thrown", "Second die was not thrown.", ClashPrompt(1, Why.LAZY, back=False)),
    Scene("changed", "Second die shows something else.", ClashPrompt(1, Why.CHANGED, was=5, now=3)),
    Scene("same", "The dice moved but show the same.", ClashPrompt(0, Why.SAME)),
    Scene(
        "colour",
        "Hold'em: the colour of the second die.",
        ColourPrompt(Label("die 2"), 6, DieKind.YELLOW, pending=True),
    ),
)

_BLIND = (
    Scene(
        "no-camera",
        "The camera is gone.",
        ThrowPrompt(
            "ANNA",
            *(1, 3, "ROLL", (0, 1, 2, 3, 4), DieKind.BLACK, TrayState.STILL, False),
            blind=True,
        ),
    ),
    Scene(
        "entry",
        "Hold buttons are the faces.",
        EntryPrompt("ANNA", Label("die 3"), (3, 5, None, None, None), 2),
    ),
    Scene("entry-whole", "All dice have a face.", EntryPrompt("ANNA", Label("die 5"), _THROWN, 4)),
    Scene(
        "entry-power",
        "The Power die.",
        EntryPrompt("ANNA", "POWER DIE", (*_THROWN, None), 5),
    ),
    Scene(
        "entry-again",
        "Between two throws.",
        DicePrompt(
            "ANNA", 1, 3, (3, 5, 5, 1, 2), (1, 2), "SCORE", True, TrayState.STILL, blind=True
        ),
    ),
    Scene(
        "entry-begins",
        "A roll-off.",
        RollOffPrompt("BOB", False, None, TrayState.STILL, blind=True),
    ),
    Scene(
        "camera-back",
        "The camera is back.",
        NoticePrompt((("CAMERA WORKS", "BUT FIRST"), ("ENTER ALL DICE", "OF THIS ROLL"))),
    ),
)

_UNDOING = (
    Scene("undo", "What OK undoes.", UndoPrompt("ANNA", "FULL HOUSE", 1)),
    Scene(
        "undo-computer",
        "What goes with it.",
        UndoPrompt("ANNA", "FULL HOUSE", 1, computers=("ROBO **",)),
    ),
    Scene("undo-more", "Three steps back.", UndoPrompt("ANNA", "TWOS", 3)),
    Scene("undo-die", "A correction.", UndoPrompt("ANNA", f"{Label('die 3')} SET", 1)),
    Scene(
        "undo-held",
        "A throw, with what was held.",
        UndoPrompt("ANNA", "HOLD 13", 1, (5, 2, 5, 1, 3), (0, 2)),
    ),
    Scene(
        "put-back",
        "An undo can be undone until the next throw.",
        UndoPrompt("ANNA", "FULL HOUSE", 0, again=True),
    ),
)

_LOOKING = (
    Scene(
        "total",
        "A sheet begins with the total.",
        SheetPrompt("ANNA", 95, (), 0, 8, (Goal("upper", 34, 63, 35),)),
    ),
    Scene(
        "sheet",
        "Two rows.",
        SheetPrompt("ANNA", 95, (("ACES", "3"), ("TWOS", "-")), 1, 8),
    ),
    Scene(
        "power-sheet",
        "Power's long sheet.",
        SheetPrompt("ANNA", 512, (("5 ALIKE 1", "150"), ("5 ALIKE 2", "-")), 10, 12),
    ),
    Scene(
        "boxes",
        "LEFT or RIGHT before a throw: the boxes that are still open, and the sum for the bonus.",
        StripPrompt("ANNA", 95, _BOXES, (Goal("upper", 34, 63, 35),)),
    ),
    Scene(
        "boxes-pay",
        "LEFT or RIGHT after a roll: what the dice would bring in each open box.",
        StripPrompt("ANNA", 95, _BOXES, (Goal("upper", 34, 63, 35),), pays=_BOXES_PAY),
    ),
    Scene(
        "box",
        "Once more: one box after another.",
        StripPrompt("ANNA", 95, _BOXES, (Goal("upper", 34, 63, 35),), 3),
    ),
    Scene(
        "yatzy-boxes",
        "Yatzy: numbers are digits where there is no room for words.",
        StripPrompt("ANNA", 134, _YATZY_BOXES, (Goal("upper", 34, 63, 50),)),
    ),
    Scene(
        "power-boxes",
        "Power: where few kinds are filled, it is these that are named.",
        StripPrompt("ANNA", 512, _SLOTS, (Goal("upper", 34, 150, 50),)),
    ),
    Scene(
        "power-boxes-pay",
        "Power: the same after a roll, once it is multiplied.",
        StripPrompt("ANNA", 512, _SLOTS, (Goal("upper", 34, 150, 50),), pays=_SLOTS_PAY),
    ),
    Scene(
        "table",
        "Free for All before a throw: what there is to win, and what others' cards take.",
        TablePrompt("ANNA", AT_HOME),
    ),
    Scene(
        "table-rolled",
        "The same after a roll: what the dice win in words, then what they do not win yet.",
        TablePrompt("ANNA", CARDS, rolled=True),
    ),
    Scene(
        "table-card",
        "One card after another, in words.",
        TablePrompt("ANNA", AT_HOME, 3),
    ),
    Scene(
        "ring-card",
        "Showdown: the same around the ring; the bar shows how far.",
        TablePrompt("ANNA", RING, 9),
    ),
    Scene(
        "ring-table",
        "Showdown before a throw: whose the cards are, and which nobody has yet.",
        TablePrompt("ANNA", RING),
    ),
    Scene(
        "ring-rolled",
        "Showdown after a roll: what the dice bring, here fours, which cards are free, and whose.",
        TablePrompt("ANNA", ROLLED, rolled=True),
    ),
    Scene(
        "place",
        "Showdown: one place.",
        PlacePrompt("ANNA", RING.spots[5], 2, 24),
    ),
    Scene(
        "card",
        "Showdown: Cleo's card.",
        PlacePrompt("ANNA", RING.spots[11], 8, 24),
    ),
)

_HINTS = (
    Scene(
        "hint-hold",
        "What to hold, and what for.",
        HintPrompt(
            "ANNA",
            *("SCORE", "HOLD 45", (1, 2, 3, 6, 6), (3, 4), 231.4, Measure.TOTAL),
            reason=Label("for sixes"),
        ),
    ),
    Scene(
        "hint-choice",
        "The best box.",
        HintPrompt("ANNA", "SCORE", "FULL HOUSE", (2, 2, 3, 3, 3), None, 243.0, Measure.TOTAL),
    ),
    Scene(
        "hint-to-win",
        "Near the end: what wins most often.",
        HintPrompt("ANNA", "SCORE", "HOLD 45", (1, 2, 3, 6, 6), (3, 4), 0.643, Measure.GAME),
    ),
    Scene(
        "hint-odds",
        "Hold'em: your chance with what may be under the cup.",
        HintPrompt(
            "ANNA",
            *("FLOP", "", (), None, 0.4, Measure.WIN),
            (Odds("three-alike", 0.61, "raise 10"), Odds("two-pairs", 0.34, "call 10")),
        ),
    ),
    Scene(
        "hint-row",
        "Hold'em: LEFT and RIGHT go through them one by one.",
        HintPrompt(
            "ANNA",
            *("FLOP", "", (), None, 0.4, Measure.WIN),
            (Odds("three-alike", 0.61, "raise 10"), Odds("two-pairs", 0.34, "call 10")),
            row=1,
        ),
    ),
    Scene(
        "waits",
        "HINT before a throw.",
        WaitPrompt(((Verbatim("ANNA"), "THROWS 5 DICE"),)),
    ),
    Scene("hint-wait", "HINT needs a moment.", WaitPrompt((("THINKING", ""),))),
)

_MENUS = (
    Scene(
        "review-hold",
        "REVIEW: a costly decision, with the throw that it was about.",
        DecisionPrompt(
            Reviewed(
                "IN TURN 5",
                (Verbatim("ANNA"), "HOLD 123", "BETTER:", "HOLD 45", "COST 3.2"),
                *((1, 2, 3, 6, 6), (0, 1, 2), (3, 4), "HOLD 123", "HOLD 45"),
            ),
            *(2, 8),
        ),
    ),
    Scene(
        "review-box",
        "The same about a box.",
        DecisionPrompt(
            Reviewed(
                "IN TURN 9",
                (Verbatim("ANNA"), "CHANCE", "BETTER:", "SIXES", "COST 5.1"),
                *((1, 6, 3, 6, 6), None, None, "CHANCE", "SIXES"),
            ),
            *(3, 8),
        ),
    ),
    Scene("menu", "Hold OK.", ListPrompt("MENU", ("SCORES",), 1, 8)),
    Scene(
        "leaves",
        "PLAYERS: who leaves.",
        ListPrompt("WHO LEAVES?", (Verbatim("BOB"),), 1, 4),
    ),
    Scene(
        "has-left",
        "Bob has left.",
        NoticePrompt(
            (
                (Verbatim("BOB"), "HAS LEFT"),
                ("MISTAKE?", "UNDO IT"),
                (Verbatim("CLEO"), "YOUR TURN"),
            )
        ),
    ),
    Scene("joins", "PLAYERS: one more.", ListPrompt("WHO JOINS?", ("ONE MORE",), 3, 4)),
    Scene(
        "has-joined",
        "Dora has joined.",
        NoticePrompt(((Verbatim("DORA"), "JOINS"), ("PLAYS LAST", "THIS ROUND"))),
    ),
    Scene(
        "too-late",
        "After the first round nobody joins.",
        NoticePrompt((("TOO LATE", "TO JOIN"), ("JOIN IN THE", "NEXT GAME"))),
    ),
    Scene("pick-game", "Which game.", ListPrompt("WHICH GAME?", ("FREE FOR ALL",), 3, 5)),
    Scene(
        "telling",
        "HINT there tells how a game goes.",
        TellingPrompt(("THREE ROLLS,", "THEN ONE BOX"), 0, 5),
    ),
    Scene(
        "lesson",
        "TRY A TURN tells a newcomer what to do; what was pressed is shown at once.",
        LessonPrompt(
            *(("A LINE: HELD.", "NOW THE OTHERS"), 2, 9),
            DicePrompt(
                *(Verbatim("ANNA"), 1, 3, (6, 6, 1, 2, 3), (0, 1), "SCORE", True),
                TrayState.STILL,
            ),
            acted=True,
        ),
    ),
    Scene(
        "players",
        "The same players as last time.",
        ListPrompt("WHO PLAYS?", (Verbatim("ANNA BOB"),), 0, 7),
    ),
    Scene("how-many", "Or how many.", ListPrompt("HOW MANY?", ("3 PLAYERS",), 3, 7)),
    Scene(
        "name-begins",
        "A new name.",
        NamePrompt(0, Entry(), ""),
    ),
    Scene("name", "Letter by letter.", NamePrompt(0, Entry("JÜR", "G"), "")),
    Scene(
        "roll-off",
        "Who begins.",
        RollOffPrompt("BOB", False, ("ANNA", 4), TrayState.EMPTY),
    ),
    Scene("question", "A question.", QuestionPrompt("NEW GAME?", ("THIS GAME", "IS KEPT"))),
    Scene(
        "new-dice",
        "Dice of colours that were not seen before.",
        QuestionPrompt("NEW DICE?", ("BLUE", "NOW RED")),
    ),
    Scene("own-die", "MY DICE: one die, on all its faces.", OwnDie().prompt(Console())),
    Scene(
        "own-die-judged",
        "A face that was not read, and why.",
        OwnDie(
            (ShownFace(4), ShownFace(6, "ROWS TOO CLOSE")),
            reading(5, state=DieState.UNSURE),
            *(6, False, True),
        ).prompt(Console()),
    ),
    Scene(
        "own-die-all",
        "What all six have come to.",
        OwnDie((*(ShownFace(face) for face in range(1, 6)), ShownFace(6, "ROWS TOO CLOSE"))).prompt(
            Console()
        ),
    ),
    Scene(
        "about-face",
        "ABOUT names what is asked about again and again.",
        ListPrompt("BLUE 1", ("ASKED 4 OF 6",), 5, 9, ""),
    ),
    Scene(
        "records",
        "RECORDS.",
        ListPrompt("CLASSIC", (Verbatim("ÅSE-MARIE"),), 0, 9, "254"),
    ),
    Scene(
        "review",
        "REVIEW: par, dice and choices.",
        ListPrompt(
            "REVIEW",
            (Verbatim("ANNA"), "198 POINTS", "PAR 255", "DICE -30", "CHOICES -27"),
            *(0, 8),
        ),
    ),
    Scene(
        "review-choice",
        "A costly choice, and a better one.",
        ListPrompt(
            "IN TURN 12",
            (Verbatim("ANNA"), "SIXES", "BETTER:", "LARGE STR", "COST 22.4"),
            *(1, 8),
        ),
    ),
    Scene("brightness", "Brightness.", BrightnessPrompt(9)),
    Scene("modules", "How the board's modules are mounted.", ModulesPrompt(0, 6)),
    Scene("stick", "A stick.", ListPrompt("STICK", ("SAVE GAMES",), 0, 2)),
    Scene(
        "stick-restore",
        "What the card lacks, and whose it is.",
        ListPrompt("RESTORE", ("5 GAMES", "OF THIS TRAY"), 0, 3),
    ),
    Scene(
        "stick-others",
        "Games of another tray are a choice of their own.",
        ListPrompt("RESTORE", ("3 GAMES", "OF ANOTHER"), 1, 3),
    ),
    Scene(
        "stick-which",
        "A new card, and a stick that knows several trays.",
        ListPrompt("WHICH TRAY?", (Verbatim("ANNA"), Verbatim("BOB"), "5 GAMES"), 0, 2),
    ),
    Scene(
        "stick-ours",
        "A tray that was this family's on another card, and on another Pi.",
        ListPrompt("OURS?", (Verbatim("ANNA"), "5 GAMES"), 3, 4),
    ),
    Scene(
        "stick-calibration",
        "A copy of an earlier version names no tray.",
        ListPrompt("CALIBRATION", ("OF A COPY?",), 0, 2),
    ),
    Scene(
        "stick-saved",
        "The games are on it.",
        NoticePrompt((("SAVED", "12 GAMES"), ("PULL OUT", "THE STICK"))),
    ),
    Scene("notice", "A notice.", NoticePrompt((("GOODBYE", "SHUTS DOWN"),))),
)

_NAMES = (
    Scene(
        "accents",
        "Accents.",
        ThrowPrompt("ŁUKASZ", 1, 3, "ROLL", _FIVE, DieKind.BLACK, _EMPTY, False),
    ),
    Scene(
        "accents-small",
        "Above dice, in a row of their own.",
        DicePrompt("ÅSE-MARIE", 2, 3, (1, 2, 3, 4, 5), (1, 4), "SCORE", True, TrayState.STILL),
    ),
    Scene(
        "accents-below",
        "Below a letter.",
        ChoicePrompt("ÇİĞDEM", "FULL HOUSE", Points(25), 1, 13, (2, 2, 3, 3, 3)),
    ),
    Scene(
        "long-name",
        "Twelve letters.",
        DicePrompt("GRÜNDLICHERR", 3, 3, (6, 6, 6, 2, 2), (), "SCORE", False, TrayState.STILL),
    ),
    Scene(
        "cut-name",
        "A shortened name.",
        BetPrompt("GRÜNDLICHERR", "CALL 100", 100, 1800, 400, "FLOP", 1, 8, COMMUNITY[:3]),
    ),
)

ASIDES: tuple[tuple[str, Scenes], ...] = (
    ("Trouble in the tray", _DOUBTS),
    ("Without a camera", _BLIND),
    ("Undo", _UNDOING),
    ("Scores and table", _LOOKING),
    ("Hints", _HINTS),
    ("Menus", _MENUS),
    ("Names", _NAMES),
)
