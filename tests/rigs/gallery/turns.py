"""Scenes of turns: throwing, deciding, choosing, scoring, in all games."""

from appliance.table.prompts.betting import (
    BetPrompt,
    DealPrompt,
    HandPrompt,
    PotPrompt,
    ShowPrompt,
    Stack,
)
from appliance.table.prompts.turn import (
    OTHER_CHOICES,
    ChoicePrompt,
    DicePrompt,
    OverPrompt,
    Standing,
    ThinkingPrompt,
    ThrowPrompt,
)
from appliance.table.session.session import Scored
from appliance.words import Label, Verbatim
from games.boxes import Score
from games.classic import Box
from games.registry import find_game
from games.showdown.cards import Card
from games.showdown.state import Take
from games.values import DieKind, Face, Points, ShownDie
from tests.rigs.gallery.scenes import CARDS, COMMUNITY, MOVING, OWN, RING, Scene, Scenes
from vision.reading import TrayState

# What they call their slots and choices is known once they are loaded.
find_game("power")
find_game("showdown")
_BLACK = DieKind.BLACK
_FIVE = (0, 1, 2, 3, 4)
_NONE: tuple[Face | None, ...] = (None,) * 5
_EMPTY = TrayState.EMPTY
_STILL = TrayState.STILL
_ROLLING = TrayState.ROLLING
_DICE = (1, 2, 3, 4, 5)
_PAIRS = (2, 2, 3, 3, 3)
_SIXES = (6, 6, 6, 6, 6)
_LARGE = (2, 3, 4, 5, 6)
_FULL_HOUSE = (
    ShownDie(DieKind.RED, 6),
    ShownDie(DieKind.YELLOW, 6),
    ShownDie(DieKind.BLACK, 6),
    ShownDie(DieKind.RED, 3),
    ShownDie(DieKind.WHITE, 3),
)
_BOBS = (Verbatim("BOB"), "BET 10")
_BOXES = tuple(n not in (1, 3, 6, 12) for n in range(13))
_SIX_NAMES = ("ANNA", "BOB", "CLEO", "DORA", "EMIL", "FRIDA")
_JOKER = Points(165, "joker +100 upper +35")

_THROWING = (
    Scene(
        "throw",
        "Anna's first roll of three.",
        ThrowPrompt("ANNA", 1, 3, "ROLL", _FIVE, _BLACK, _EMPTY, False),
    ),
    Scene(
        "rolling",
        "The dice roll.",
        ThrowPrompt("ANNA", 1, 3, "ROLL", _FIVE, _BLACK, _ROLLING, False),
    ),
    Scene(
        "who-begins",
        "A roll-off.",
        ThrowPrompt("ANNA", 1, 1, "WHO BEGINS", _FIVE, _BLACK, _EMPTY, False),
    ),
    Scene(
        "power-rolling",
        "Power.",
        ThrowPrompt(
            "ANNA",
            1,
            3,
            "ROLL",
            (*_FIVE, 5),
            None,
            _ROLLING,
            False,
            odd=DieKind.POWER,
        ),
    ),
    Scene(
        "red",
        "Showdown: the red die moves Anna's pawn.",
        ThrowPrompt("ANNA", 1, 1, "RED DIE", (5,), DieKind.RED, _EMPTY, False, None, "", MOVING),
    ),
    Scene(
        "take-throw",
        "Showdown: Anna needs two fours.",
        ThrowPrompt("ANNA", 1, 3, "TAKE", _FIVE, _BLACK, _EMPTY, False, None, "", RING),
    ),
    Scene(
        "open-cards",
        "Free for All: what to win, and what to beat.",
        ThrowPrompt("ANNA", 1, 3, "ROLL", _FIVE, _BLACK, _EMPTY, False, None, "", CARDS),
    ),
)

_DECIDING = (
    Scene(
        "dice",
        "Dice 1 and 4 are held.",
        DicePrompt("ANNA", 2, 3, (5, 2, 1, 5, 6), (0, 3), "SCORE", True, _STILL),
    ),
    Scene(
        "computer-decides",
        "A computer player; OK hurries it.",
        DicePrompt("ROBO **", 2, 3, _DICE, (), "SCORE", True, _STILL, decided=False),
    ),
    Scene(
        "computer-holds",
        "It holds some dice.",
        DicePrompt("ROBO **", 2, 3, _SIXES, (0, 1, 2), "SCORE", True, _STILL, decided=True),
    ),
    Scene(
        "computer-throws",
        "It holds none.",
        DicePrompt("ROBO **", 2, 3, _DICE, (), "SCORE", True, _STILL, decided=True),
    ),
    Scene(
        "last-dice",
        "The last roll.",
        DicePrompt("ANNA", 3, 3, (1, 4, 4, 6, 6), (), "SCORE", False, _STILL),
    ),
    Scene(
        "five-alike",
        "Five alike.",
        DicePrompt("ANNA", 2, 3, _SIXES, (), "SCORE", True, _STILL),
    ),
    Scene(
        "held-rolling",
        "The others roll.",
        DicePrompt("ANNA", 1, 3, _DICE, (1, 4), "SCORE", True, _ROLLING),
    ),
    Scene(
        "remark",
        "A hold button after the last roll.",
        DicePrompt("ANNA", 3, 3, _DICE, (), "SCORE", False, _STILL, "NO ROLLS LEFT"),
    ),
    Scene(
        "power",
        "The Power face: a fourth roll.",
        DicePrompt("ANNA", 3, 4, (*_DICE, "power"), (5,), "SCORE", True, _STILL),
    ),
    Scene(
        "freeze",
        "Freeze: no more rolls.",
        DicePrompt("ANNA", 1, 1, (*_PAIRS, "freeze"), (), "SCORE", False, _STILL),
    ),
    Scene(
        "double",
        "Double: the first of two.",
        DicePrompt("ANNA", 3, 3, (*_PAIRS, "double"), (), Label("first-of-two"), False, _STILL),
    ),
    Scene(
        "multiplier",
        "Everything counts three times.",
        DicePrompt("ANNA", 3, 3, (*_PAIRS, "3"), (), "SCORE", False, _STILL),
    ),
    Scene(
        "own-card",
        "Showdown: Anna may move on, or stay and try to raise her own card.",
        DicePrompt("ANNA", 0, 0, (*_NONE, 4), (), "CHOOSE", False, _STILL, "", OWN),
    ),
    Scene(
        "take",
        "Showdown: what the dice are for.",
        DicePrompt("ANNA", 2, 3, (4, 4, 1, 3, 6), (0, 1), "TAKE", True, _STILL, "", RING),
    ),
    Scene(
        "cards",
        "Free for All: the best card that the dice win, and another one.",
        DicePrompt("ANNA", 2, 3, _PAIRS, (), "TAKE", True, _STILL, "", CARDS),
    ),
)

_CHOOSING = (
    Scene(
        "choice",
        "The best box first; a light for each open one, in the order of the sheet.",
        ChoicePrompt(
            "ANNA", "FULL HOUSE", Points(25), 0, 9, _PAIRS, boxes=_BOXES, box=_BOXES.index(True, 8)
        ),
    ),
    Scene(
        "less",
        "Behind the boxes: OK lists choices that score less, such as zeros.",
        ChoicePrompt("ANNA", Label(OTHER_CHOICES), Points(25), 9, 10, _PAIRS, boxes=_BOXES),
    ),
    Scene(
        "joker",
        "A joker, and the upper bonus.",
        ChoicePrompt("ANNA", "SIXES", _JOKER, 0, 1, _SIXES),
    ),
    Scene(
        "zero",
        "Confirm a zero twice.",
        ChoicePrompt("ANNA", "LARGE STR", Points(0), 12, 13, _PAIRS, True),
    ),
    Scene(
        "times",
        "Power: the face and its multiplier.",
        ChoicePrompt("ANNA", "3 ALIKE", Points(39, "power x3"), 1, 21, (*_PAIRS, "power")),
    ),
    Scene(
        "beats",
        "Showdown: what the card gives, how many it beats, where it is.",
        ChoicePrompt("ANNA", "FOURS", Points(30, "beats 2"), 0, 3, _DICE, table=RING),
    ),
    Scene(
        "steal",
        "Free for All: stealing from Bob.",
        ChoicePrompt("ANNA", "2A 3 ALIKE", Points(4, "beats 17"), 2, 4, _PAIRS, table=CARDS),
    ),
    Scene(
        "chips",
        "Free for All: a card with chips.",
        ChoicePrompt("ANNA", "C3 LG STR", Points(14, "chips +6"), 0, 4, _LARGE),
    ),
    Scene(
        "bank",
        "Free for All: which card to bank.",
        ChoicePrompt("ANNA", "A LG STR", Points(8), 0, 2, (), purpose="BANK"),
    ),
    Scene(
        "new-card",
        "Free for All: which printed card was turned up.",
        ChoicePrompt("ANNA", Label("fours 4"), Points(4), 3, 13, (), purpose="NEW CARD"),
    ),
    Scene(
        "move-on",
        "Showdown: move on, or stay and raise.",
        ChoicePrompt("ANNA", Label("move-on"), Points(0, "red-die"), 0, 2, (), purpose="CHOOSE"),
    ),
)

_SCORING = (
    Scene(
        "scored",
        "What Anna scored; Bob is next.",
        ThrowPrompt(
            "BOB",
            *(1, 3, "ROLL", _FIVE, _BLACK, _STILL, True),
            Scored(0, Score(Box.FULL_HOUSE), 25, ""),
            "ANNA",
        ),
    ),
    *(
        Scene(
            f"standing-{len(points)}",
            f"Who is next, and everybody's points with a crown for the leader: {len(points)} play.",
            ThrowPrompt(
                "BOB",
                *(1, 3, "ROLL", _FIVE, _BLACK, _STILL, True),
                Scored(0, Score(Box.FULL_HOUSE), 25, ""),
                "ANNA",
                standing=Standing(tuple(zip(_SIX_NAMES, points, strict=False)), closing),
            ),
        )
        for points, closing in (
            ((231, 187), "LAST ROUND"),
            ((95, 87, 131), ""),
            ((95, 187, 231, 40), ""),
            ((95, 187, 231, 40, 231, 8), ""),
        )
    ),
    Scene(
        "celebrated",
        "Fireworks for five alike.",
        ThrowPrompt(
            "BOB",
            *(1, 3, "ROLL", _FIVE, _BLACK, _STILL, True),
            Scored(0, Score(Box.FIVE_ALIKE), 50, "", celebrated=True),
            "ANNA",
        ),
    ),
    Scene(
        "taken",
        "Showdown: Anna took a card of Bob's.",
        ThrowPrompt(
            "BOB",
            *(1, 1, "RED DIE", (5,), DieKind.RED, _STILL, True),
            Scored(0, Take(Card.FOURS), 30, "BEATS 2", taken_from=1),
            "ANNA",
            standing=Standing((("ANNA", 130), ("BOB", 70), ("CLEO", 60))),
        ),
    ),
    Scene(
        "over",
        "The winner, all totals, the next game.",
        OverPrompt(("ANNA",), (("ANNA", 254), ("BOB", 201), ("CLEO", 99))),
    ),
    Scene(
        "shared",
        "Equal totals share the win.",
        OverPrompt(("ANNA", "BOB"), (("ANNA", 230), ("BOB", 230))),
    ),
    Scene(
        "last-move",
        "The last move, a zero, before the fireworks.",
        OverPrompt(
            ("ANNA",),
            (("ANNA", 254), ("BOB", 201)),
            Scored(1, Score(Box.LARGE_STRAIGHT), 0, ""),
            ("ANNA", "BOB"),
        ),
    ),
    Scene("alone", "A game alone.", OverPrompt(("ANNA",), (("ANNA", 254),))),
)

_HOLDEM = (
    Scene(
        "bet",
        "Anna may call; LEFT and RIGHT change that.",
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
            (_BOBS,),
            stacks=(Stack("ANNA", 250), Stack("BOB", 290), Stack("CLEO", 0, True, True)),
        ),
    ),
    Scene(
        "bet-opens",
        "A hand begins: everybody's chips, who deals, what all do.",
        BetPrompt(
            "ANNA",
            *("CHECK", 0, 290, 30, "OPEN", 0, 6, (), "CLEO"),
            stacks=(Stack("ANNA", 290), Stack("BOB", 340), Stack("CLEO", 270, deals=True)),
        ),
    ),
    Scene(
        "computer-thinks",
        "The computer bets, after Bob.",
        ThinkingPrompt(
            "ROBO **",
            BetPrompt("ROBO **", "CALL 10", 10, 250, 40, "FLOP", 1, 8, COMMUNITY[:3], "", (_BOBS,)),
        ),
    ),
    Scene(
        "deal",
        "The dealer throws.",
        DealPrompt("CLEO", "FLOP", 3, _EMPTY, 0, ()),
    ),
    Scene(
        "no-bets",
        "The antes leave nobody to bet against: all draw, and the dealer throws.",
        DealPrompt("CLEO", "FLOP", 3, _EMPTY, 0, (), unbet=True),
    ),
    Scene(
        "show",
        "Bob shows his two dice.",
        ShowPrompt("BOB", _EMPTY, COMMUNITY),
    ),
    Scene(
        "pot-shared",
        "Three share the pot.",
        PotPrompt(((("ANNA", 40), ("BOB", 40), ("CLEO", 40)),), "STRAIGHT"),
    ),
    Scene("hand", "His best hand.", HandPrompt("BOB", "FULL HOUSE", _FULL_HOUSE)),
    Scene(
        "pot",
        "Who gets the pots.",
        PotPrompt(((("BOB", 120),), (("ANNA", 20), ("CLEO", 20))), "FULL HOUSE"),
    ),
)

TURNS: tuple[tuple[str, Scenes], ...] = (
    ("Throwing", _THROWING),
    ("After a roll", _DECIDING),
    ("Choosing", _CHOOSING),
    ("Scored, and the end", _SCORING),
    ("Hold'em", _HOLDEM),
)
