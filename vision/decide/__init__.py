"""Decides whether a reading is sure enough to be claimed.

For example:

    from vision.decide.acceptance import state_of

    state = state_of(die, kind, value, confidence, flat, place)
"""
