"""The screens by which it is judged whether the board is understood, and what each means.

Whoever reads them knows no rules and sees no other text. The list stays as it is while screens are
drawn anew: the ten hardest come first, then those whose texts were changed, then the most common
ones, so that every kind of prompt of a game is among them.
"""

from dataclasses import dataclass

from appliance.table.prompts.betting import BetPrompt, Stack
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import ChoicePrompt
from appliance.words import Label, Verbatim
from games.values import Points
from tests.rigs.gallery import SITUATIONS
from tests.rigs.gallery.scenes import OWN
from vision.reading import DieState


@dataclass(frozen=True, slots=True)
class Judged:
    """A screen and what it means, in one sentence."""

    prompt: Prompt
    means: str


_SCENES = {scene.name: scene.prompt for each in SITUATIONS for scene in each.scenes}
_HIDDEN_DIE = FacePrompt(Label("die 5"), 4, None, DieState.COVERED, (2, 2, 3, 3, None))
_RAISE = ChoicePrompt(
    "ANNA", Label("stay"), Points(0, "beat 3"), 1, 2, (), purpose="CHOOSE", table=OWN
)
_HAND_BEGINS = BetPrompt(
    "CLEO",
    *("CALL 10", 10, 290, 20, Label("open"), 0, 4, (), "DORA"),
    ((Verbatim("ANNA"), "WON 120"), (Verbatim("BEN"), Label("out"))),
    stacks=(Stack("CLEO", 290), Stack("DORA", 270, deals=True), Stack("ANNA", 610)),
)

JUDGED = (
    Judged(
        _SCENES["cards"],
        "Free for All: Anna has thrown 2 2 3 3 3 and may throw again, or press OK and take cards,"
        " such as the full house for 9 points or three alike for 4.",
    ),
    Judged(
        _SCENES["table"],
        "Free for All, looked at before a throw: the cards in the centre and their points, and what"
        " one must throw for cards of others, such as Dora's full house with a total of 22.",
    ),
    Judged(
        _SCENES["standing-6"],
        "Anna has scored 25 for a full house, Bob is next and takes the dice out, and these are the"
        " points of all six, with crowns for Cleo and Emil, who lead.",
    ),
    Judged(
        _SCENES["taken"],
        "Showdown: Anna took the fours from Bob and has 30 points more, Bob clears the tray and"
        " throws the red die, and Anna leads with 130 points.",
    ),
    Judged(
        _SCENES["own-card"],
        "Showdown: Anna's pawn has come to her own card, OK lets her choose what to do, and with"
        " four sixes she would have 10 points more.",
    ),
    Judged(
        _SCENES["card"],
        "Showdown, looked at: the card of aces, worth 20 points, is Cleo's, two aces take it from"
        " her, and Cleo's pawn stands on it.",
    ),
    Judged(
        _HIDDEN_DIE,
        "Something hides the fifth die from the camera: throw again, or enter what the die shows"
        " with LEFT and RIGHT.",
    ),
    Judged(
        _SCENES["power-boxes"],
        "Power, looked at before a throw: which boxes of Anna's are still open, and that she has 34"
        " of the 150 points that the bonus takes.",
    ),
    Judged(
        _SCENES["hint-row"],
        "A hint in Hold'em: if one has two pairs, one wins 34 times in 100, and the best is to call"
        " 10 chips.",
    ),
    Judged(
        _SCENES["ring-table"],
        "Showdown, looked at before a throw: the player has the cards of sixes and of a large"
        " straight, Bob those of fours and a full house, Cleo that of aces, and nobody has threes,"
        " fives and chance.",
    ),
    Judged(
        _SCENES["ring-rolled"],
        "Showdown, looked at after a roll: the dice bring 30 points on the fours, nobody has"
        " threes, fives and chance, the player has the sixes and the large straight, Cleo the aces,"
        " and Bob all others.",
    ),
    Judged(
        _RAISE,
        "Showdown, one of two choices: Anna raises her card, for which she throws five dice and"
        " needs four sixes; OK takes this choice.",
    ),
    Judged(
        _SCENES["move-on"],
        "Showdown, the other choice: Anna leaves her card as it is and throws the red die, which"
        " moves her pawn; OK takes this choice.",
    ),
    Judged(
        _SCENES["less"],
        "The last entry of a list of choices: OK shows further ones, of which the best brings Anna"
        " 25 points.",
    ),
    Judged(
        _SCENES["hint-hold"],
        "A hint: Anna should keep the two sixes and throw the others, and may expect some 231"
        " points at the end of the game; OK does it.",
    ),
    Judged(
        _SCENES["undo-computer"],
        "Should Anna's full house be undone, and with it what the computer Robo did after it? OK"
        " does it, BACK does not.",
    ),
    Judged(
        _HAND_BEGINS,
        "Hold'em: Anna won 120 chips and Ben is out; all draw two dice and hide them, and then Cleo"
        " bets: OK calls 10, the pot has 20, Cleo has 290, the dealer Dora 270, Anna 610.",
    ),
    Judged(
        _SCENES["table-rolled"],
        "Free for All, looked at after a roll: the dice win the full house for 9 points or Bob's"
        " three alike for 4; not yet the fours for 4 and the large straight for 14.",
    ),
    Judged(
        _SCENES["boxes"],
        "Classic, looked at before a throw: which boxes of Anna's are still open, and that she has"
        " 34 of the 63 points that the bonus takes.",
    ),
    Judged(
        _SCENES["boxes-pay"],
        "Classic, looked at after a roll: the full house would bring 25 points, twos 4, everything"
        " else nothing; she has 34 of the 63 points that the bonus takes.",
    ),
    Judged(
        _SCENES["dice"],
        "Anna has thrown 5 2 1 5 6 and holds the fives: she throws the others, her last roll, or"
        " scores with OK.",
    ),
    Judged(
        _SCENES["choice"],
        "Anna may score 25 points for a full house; OK does it.",
    ),
    Judged(
        _SCENES["zero"],
        "Anna would score nothing for a large straight: OK does it after all, BACK does not.",
    ),
    Judged(
        _SCENES["take-throw"],
        "Showdown: Anna throws five dice and needs two fours, which win Bob's card of 20 points.",
    ),
    Judged(
        _SCENES["no-camera"],
        "There is no camera: Anna throws her dice and enters what they show, which OK begins.",
    ),
    Judged(
        _SCENES["bet"],
        "Hold'em: Bob bet 10; OK calls 10 for Anna, who has 250 chips, the pot has 40, the open"
        " dice are red 6, red 3 and yellow 6, Bob has 290, and Cleo is all-in.",
    ),
    Judged(_SCENES["deal"], "Hold'em: Cleo, who deals, throws three dice for all: the flop."),
    Judged(
        _SCENES["show"],
        "Hold'em: Bob shows his two hidden dice: he puts them into the tray, beside the open dice.",
    ),
    Judged(_SCENES["hand"], "Hold'em: Bob's best hand is a full house; OK goes on."),
    Judged(
        _SCENES["pot-shared"],
        "Hold'em: Anna, Bob and Cleo have equal hands, a straight, share the pot and get 40 each.",
    ),
    Judged(
        _SCENES["too-few"],
        "The camera sees four of Anna's five dice: she throws again, or enters the missing one,"
        " which OK begins.",
    ),
    Judged(
        _SCENES["entry"],
        "Without a camera Anna enters her third die by the buttons 1 to 5, P or LEFT and RIGHT.",
    ),
    Judged(
        _SCENES["held-turned"],
        "The second die was held and now shows 3: OK counts the 3, BACK the 5 that it was before.",
    ),
    Judged(
        _SCENES["over"],
        "Anna has won with 254 points, Bob has 201 and Cleo 99; OK begins another game.",
    ),
    Judged(
        _SCENES["menu"],
        "The menu, its second of eight entries: OK shows everybody's scores.",
    ),
)
"""What they mean is for those who judge, not for those who read."""
