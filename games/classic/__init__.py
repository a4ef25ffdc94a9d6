"""Classic.

For example:

    from games.classic.sheet import Box, Sheet, fill_box, points_gained

    sheet = fill_box(Sheet(), (6, 6, 6, 6, 6), Box.FIVE_ALIKE)
    joker = points_gained(sheet, (5, 5, 5, 5, 5), Box.FIVES)
    print(joker.points, joker.reason, sheet.total)
"""
