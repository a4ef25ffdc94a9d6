"""Decides whether a reading is sure enough to be claimed.

For example:

    from vision.decide.acceptance import state_of
    from vision.decide.flatness import lies_flat

    flat = lies_flat(die, kind, value, alone, place)
    state = state_of(die, kind, value, confidence, flat, place)
"""
