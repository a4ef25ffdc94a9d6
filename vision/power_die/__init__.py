"""The Power die: the prints on its faces, learnt from pictures and recognised again.

For example:

    from vision.power_die.faces import learn, match_at
    from vision.power_die.print import cut

    faces = learn([("double", cut(picture, center, axes))])
    print(match_at(other, center, axes, faces).faces)  # values with their probabilities
"""
