"""Scenes of turns: throwing, deciding, choosing, scoring, in all games."""

from appliance.rules.classic.sheet import Box, Score
from appliance.rules.game import DieKind, Face, Points
from appliance.rules.showdown.state import Card, Take
from appliance.table.prompts import (
    ChoicePrompt,
    DicePrompt,
    OverPrompt,
    ThinkingPrompt,
    ThrowPrompt,
)
from appliance.table.session.holdem_prompts import (
    BetPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
)
from appliance.table.session.session import Scored
from appliance.words import Verbatim
from tests.rigs.gallery.scenes import CARDS, COMMUNITY, MOVING, RING, Scene, Scenes
from vision.reading import TrayState

_BLACK = DieKind.BLACK
_FIVE = (0, 1, 2, 3, 4)
_NONE: tuple[Face | None, ...] = (None,) * 5
_EMPTY, _STILL, _MOVING = TrayState.EMPTY, TrayState.STILL, TrayState.MOVING
_DICE = (1, 2, 3, 4, 5)
_PAIRS = (2, 2, 3, 3, 3)
_SIXES = (6, 6, 6, 6, 6)
_LARGE = (2, 3, 4, 5, 6)
_BOBS = (Verbatim("BOB"), "BET 10")
_JOKER = Points(165, "JOKER +100 UPPER +35")

_THROWING = (
    Scene(
        "throw",
        "It is Anna's turn, the first of her three rolls.",
        ThrowPrompt("ANNA", 1, 3, "ROLL", _FIVE, _BLACK, _NONE, _EMPTY, False),
    ),
    Scene(
        "rolling",
        "The dice roll; the board's dice tumble with them.",
        ThrowPrompt("ANNA", 1, 3, "ROLL", _FIVE, _BLACK, _NONE, _MOVING, False),
    ),
    Scene(
        "who-begins",
        "A roll-off in the game itself: everybody throws once.",
        ThrowPrompt("ANNA", 1, 1, "WHO BEGINS", _FIVE, _BLACK, _NONE, _EMPTY, False),
    ),
    Scene(
        "power-rolling",
        "Power: five dice and the Power die roll.",
        ThrowPrompt(
            "ANNA",
            1,
            3,
            "ROLL",
            (*_FIVE, 5),
            None,
            (*_NONE, None),
            _MOVING,
            False,
            odd=DieKind.POWER,
        ),
    ),
    Scene(
        "red",
        "Showdown: the red die will move Anna's pawn. On the map rows of lights are cards, a light"
        " for ten points, her own two lights thick.",
        ThrowPrompt(
            "ANNA", 1, 1, "RED DIE", (5,), DieKind.RED, (), _EMPTY, False, None, "", MOVING
        ),
    ),
    Scene(
        "take-throw",
        "Showdown: Anna needs two fours to take Bob's.",
        ThrowPrompt("ANNA", 1, 3, "TAKE", _FIVE, _BLACK, _NONE, _EMPTY, False, None, "", RING),
    ),
    Scene(
        "open-cards",
        "Free for All: what the roll can win, and what must be beaten.",
        ThrowPrompt("ANNA", 1, 3, "ROLL", _FIVE, _BLACK, _NONE, _EMPTY, False, None, "", CARDS),
    ),
)

_DECIDING = (
    Scene(
        "dice",
        "Dice 2 and 5 are held. Roll the others, or OK to score.",
        DicePrompt("ANNA", 2, 3, _DICE, (1, 4), "SCORE", True, _STILL),
    ),
    Scene(
        "computer-decides",
        "The dice of a computer player, which looks at them for a moment; OK hurries it.",
        DicePrompt("ROBO **", 2, 3, _DICE, (), "SCORE", True, _STILL, decided=False),
    ),
    Scene(
        "computer-holds",
        "It has decided: the others are thrown for it.",
        DicePrompt("ROBO **", 2, 3, _SIXES, (0, 1, 2), "SCORE", True, _STILL, decided=True),
    ),
    Scene(
        "computer-throws",
        "It holds none.",
        DicePrompt("ROBO **", 2, 3, _DICE, (), "SCORE", True, _STILL, decided=True),
    ),
    Scene(
        "last-dice",
        "The last roll: OK leads to the boxes.",
        DicePrompt("ANNA", 3, 3, (1, 4, 4, 6, 6), (), "SCORE", False, _STILL),
    ),
    Scene(
        "five-alike",
        "Five alike: the dice flash.",
        DicePrompt("ANNA", 2, 3, _SIXES, (), "SCORE", True, _STILL),
    ),
    Scene(
        "held-rolling",
        "Dice 2 and 5 are held while the others roll.",
        DicePrompt("ANNA", 1, 3, _DICE, (1, 4), "SCORE", True, _MOVING),
    ),
    Scene(
        "remark",
        "A hold button after the last roll.",
        DicePrompt("ANNA", 3, 3, _DICE, (), "SCORE", False, _STILL, "NO ROLL LEFT"),
    ),
    Scene(
        "power",
        "Power: the Power face gives a fourth roll while it is held.",
        DicePrompt("ANNA", 3, 4, (*_DICE, "power"), (5,), "SCORE", True, _STILL),
    ),
    Scene(
        "freeze",
        "Power: Freeze ends the rolls.",
        DicePrompt("ANNA", 1, 1, (*_PAIRS, "freeze"), (), "SCORE", False, _STILL),
    ),
    Scene(
        "double",
        "Power: Double scores twice; this is the first.",
        DicePrompt("ANNA", 3, 3, (*_PAIRS, "double"), (), "1ST OF 2", False, _STILL),
    ),
    Scene(
        "multiplier",
        "Power: everything counts three times.",
        DicePrompt("ANNA", 3, 3, (*_PAIRS, "3"), (), "SCORE", False, _STILL),
    ),
    Scene(
        "own-card",
        "Showdown: Anna's own card; OK to move on or to raise.",
        DicePrompt("ANNA", 0, 0, (*_NONE, 4), (), "OWN CARD", False, _STILL, "", RING),
    ),
    Scene(
        "take",
        "Showdown: the line above the dice says what they are for.",
        DicePrompt("ANNA", 2, 3, (4, 4, 1, 3, 6), (0, 1), "TAKE", True, _STILL, "", RING),
    ),
    Scene(
        "cards",
        "Free for All: the open cards pass by above the dice.",
        DicePrompt("ANNA", 2, 3, _PAIRS, (), "TAKE", True, _STILL, "", CARDS),
    ),
)

_CHOOSING = (
    Scene(
        "choice",
        "The best box first; LEFT and RIGHT go through the others.",
        ChoicePrompt("ANNA", "FULL HOUSE", Points(25), 0, 13, _PAIRS),
    ),
    Scene(
        "joker",
        "A joker, and the bonus of the upper section.",
        ChoicePrompt("ANNA", "SIXES", _JOKER, 0, 1, _SIXES),
    ),
    Scene(
        "zero",
        "A zero must be confirmed twice.",
        ChoicePrompt("ANNA", "LARGE STR", Points(0), 12, 13, _PAIRS, True),
    ),
    Scene(
        "times",
        "Power: the face and what it multiplies by.",
        ChoicePrompt("ANNA", "3 ALIKE", Points(39, "POWER X3"), 1, 21, (*_PAIRS, "power")),
    ),
    Scene(
        "beats",
        "Showdown: what the card gives, how many it beats, where it is.",
        ChoicePrompt("ANNA", "FOURS", Points(30, "BEATS 2"), 0, 3, _DICE, table=RING),
    ),
    Scene(
        "steal",
        "Free for All: a card stolen from player 2, and the total that it beats.",
        ChoicePrompt("ANNA", "2A 3 ALIKE", Points(4, "BEATS 17"), 2, 4, _PAIRS),
    ),
    Scene(
        "chips",
        "Free for All: a card of the centre with the chips under it.",
        ChoicePrompt("ANNA", "C3 LG STR", Points(14, "CHIPS +6"), 0, 4, _LARGE),
    ),
    Scene(
        "bank",
        "Free for All: which of the cards at home is banked.",
        ChoicePrompt("ANNA", "A LG STR", Points(8), 0, 2, (), purpose="BANK"),
    ),
    Scene(
        "new-card",
        "Free for All with printed cards: which card was turned up.",
        ChoicePrompt("ANNA", "FOURS 4", Points(4), 3, 13, (), purpose="NEW CARD"),
    ),
    Scene(
        "move-on",
        "Showdown, on her own card: Anna may move on, or stay and raise.",
        ChoicePrompt("ANNA", "MOVE ON", Points(0, "RED DIE"), 0, 2, (), purpose="OWN CARD"),
    ),
)

_SCORING = (
    Scene(
        "scored",
        "What Anna scored, then Bob is to take the dice.",
        ThrowPrompt(
            "BOB",
            *(1, 3, "ROLL", _FIVE, _BLACK, _NONE, _STILL, True),
            Scored(0, Score(Box.FULL_HOUSE), 25, ""),
            "ANNA",
        ),
    ),
    Scene(
        "celebrated",
        "Five alike sets off fireworks.",
        ThrowPrompt(
            "BOB",
            *(1, 3, "ROLL", _FIVE, _BLACK, _NONE, _STILL, True),
            Scored(0, Score(Box.FIVE_ALIKE), 50, "", celebrated=True),
            "ANNA",
        ),
    ),
    Scene(
        "taken",
        "Showdown: Anna took a card; Bob's turn begins with the red die.",
        ThrowPrompt(
            "BOB",
            *(1, 1, "RED DIE", (5,), DieKind.RED, (), _STILL, True),
            Scored(0, Take(Card.FOURS), 30, "BEATS 2"),
            "ANNA",
        ),
    ),
    Scene(
        "over",
        "The winner, all totals, and the way to the next game.",
        OverPrompt(("ANNA",), (("ANNA", 254), ("BOB", 201), ("CLEO", 99))),
    ),
    Scene(
        "shared",
        "Equal totals share the win.",
        OverPrompt(("ANNA", "BOB"), (("ANNA", 230), ("BOB", 230))),
    ),
    Scene("alone", "A game alone ends with its total.", OverPrompt(("ANNA",), (("ANNA", 254),))),
)

_HOLDEM = (
    Scene(
        "bet",
        "Anna has 250 chips and may call; LEFT and RIGHT change that.",
        BetPrompt(
            "ANNA",
            "CALL 10",
            10,
            250,
            40,
            "FLOP",
            1,
            8,
            COMMUNITY[:3],
            "",
            (Verbatim("BOB"), "BET 10"),
        ),
    ),
    Scene(
        "bet-opens",
        "A hand begins: who deals, everybody draws two dice and hides them.",
        BetPrompt("ANNA", "CHECK", 0, 290, 30, "OPEN", 0, 6, (), "CLEO"),
    ),
    Scene(
        "computer-thinks",
        "It is for the computer to bet; what Bob did before is shown first.",
        ThinkingPrompt(
            "ROBO **",
            BetPrompt("ROBO **", "CALL 10", 10, 250, 40, "FLOP", 1, 8, COMMUNITY[:3], "", _BOBS),
        ),
    ),
    Scene(
        "deal",
        "The dealer throws dice from the bag.",
        DealPrompt("CLEO", "FLOP", 3, _EMPTY, 0, ()),
    ),
    Scene(
        "show",
        "At the showdown Bob lays his two dice into the tray.",
        ShowPrompt("BOB", _EMPTY, COMMUNITY),
    ),
    Scene(
        "hand", "The best hand that Bob's dice make.", HandPrompt("BOB", "FULL HOUSE", COMMUNITY)
    ),
    Scene(
        "pot",
        "Who gets the pots.",
        PotPrompt(((("BOB", 120),), (("ANNA", 20), ("CLEO", 20))), "FULL HOUSE"),
    ),
)

TURNS: tuple[tuple[str, Scenes], ...] = (
    ("Throwing", _THROWING),
    ("The dice lie: hold, roll again, or decide", _DECIDING),
    ("Choosing", _CHOOSING),
    ("Scored, and the end", _SCORING),
    ("Hold'em", _HOLDEM),
)
