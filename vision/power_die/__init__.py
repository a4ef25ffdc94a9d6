"""The Power die: the prints on its faces, learnt from pictures and recognised again.

For example:

    from vision.power_die.faces import match_at

    print(match_at(picture, center, axes, learnt).faces)  # values with their probabilities
"""
