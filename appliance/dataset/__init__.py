"""Labelled pictures, and in `evaluation` the reader's accuracy and speed on them.

For example:

    from appliance.dataset.index import add_picture, entry, labelled, read_index

    dice = [labelled(die, die.kind, 5) for die in reading.dice]
    add_picture(folder, picture, entry("throw.png", dice, source="kitchen"))
    print(len(read_index(folder)))
"""
