"""Games with a sheet of boxes: what they share is here, so that each is little more than its boxes.

For example, `games/yatzy.py` says which boxes there are and what five dice score in each:

    from games.yatzy import GAME, box_scores

    print(box_scores((3, 3, 3, 5, 5)))
    print(GAME.describe(GAME.start(["ANNA"], {})))
"""

from games.boxes.game import BOX_GAME_OPTIONS as BOX_GAME_OPTIONS
from games.boxes.game import ORDER_OPTION as ORDER_OPTION
from games.boxes.game import ORDER_WORDS as ORDER_WORDS
from games.boxes.game import BoxGame as BoxGame
from games.boxes.sheets import UPPER_BONUS_FROM as UPPER_BONUS_FROM
from games.boxes.sheets import UPPER_BOXES as UPPER_BOXES
from games.boxes.sheets import BoxSheet as BoxSheet
from games.boxes.sheets import all_open as all_open
from games.boxes.state import ROLLS_PER_TURN as ROLLS_PER_TURN
from games.boxes.state import BoxState as BoxState
from games.boxes.state import House as House
from games.boxes.state import Score as Score
from games.boxes.state import Zero as Zero
from games.boxes.state import house_words as house_words
