"""Power.

For example:

    from games.power.sheet import Sheet, Slot, base_score, upper_bonus

    print(base_score((4, 4, 4, 6, 6), Slot.FULL_HOUSE))
    print(base_score((4, 4, 4, 6, 6), Slot.CHOICE, number=4))
    print(Sheet().total, upper_bonus(151))
"""
