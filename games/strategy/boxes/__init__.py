"""Hints for every game with a sheet of boxes: one solver for all of them.

`scripts/solve_boxes.py NAME` makes the file of values that hints are exact by; a game without one
is played by an estimate:

    from games.yatzy import GAME
    from games.values import Rolled
    from games.strategy.boxes import BoxSolver

    print(BoxSolver(GAME).hint(GAME.apply(GAME.start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""

from games.strategy.boxes.ending import BoxSolver as BoxSolver
