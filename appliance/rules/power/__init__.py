"""Power.

For example:

    from appliance.rules.power.sheet import Sheet, Slot, base, upper_bonus

    print(base((4, 4, 4, 6, 6), Slot.FULL_HOUSE), base((4, 4, 4, 6, 6), Slot.CHOICE, number=4))
    print(Sheet().total, upper_bonus(151))
"""
