"""A photograph read: which dice lie in it, what they show, and what that scores in Classic."""

import sys
from pathlib import Path

import dicetray

picture = Path(sys.argv[1] if sys.argv[1:] else "docs/pictures/tray.jpg")
reading = dicetray.Reader().read(dicetray.load_picture(picture))
for die in reading.dice:
    seen = ", ".join(f"{c.value} ({c.probability:.0%})" for c in die.candidates)
    print(die.kind, die.value if die.sure else f"unsure: {seen}")
faces = [die.value for die in reading.dice if die.sure and isinstance(die.value, int)]
if len(faces) == 5:
    game = dicetray.find_game("classic")
    state = game.apply(game.start(["ANNA"], {}), dicetray.Rolled(tuple(faces)))
    for choice in game.choices(state):
        if (points := game.preview(state, choice)) and points.points:
            print(choice.key, points.points)
