"""A position from text: how the game stands, and the three best choices."""

import dicetray

LINE = (
    'classic seat 1 first 1 roll 3 dice 66655 | "ANNA" - - - - - - - - - - - - - bonuses 0'
    ' | "BEN" - - - - - - - - - - - - - bonuses 0'
)

game, state = dicetray.position_from_text(LINE)
print(*game.describe(state), sep="\n")
worth, measure = dicetray.weigh(game, state)
for choice in sorted(worth, key=lambda choice: worth[choice], reverse=True)[:3]:
    points = game.preview(state, choice)
    print(f"{choice.key}: {points.points if points else 0} now, {worth[choice]:.1f} {measure}")
