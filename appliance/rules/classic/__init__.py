"""Classic.

For example:

    from appliance.rules.classic.sheet import Box, Sheet, fill, gain

    sheet = fill(Sheet(), (6, 6, 6, 6, 6), Box.FIVE_ALIKE)
    joker = gain(sheet, (5, 5, 5, 5, 5), Box.FIVES)
    print(joker.points, joker.reason, sheet.total)
"""
