"""Decides whether a reading is sure enough to be claimed.

For example:

    from vision.decide.acceptance import lying_risk, state_of

    state = state_of(die, value, confidence, lying_risk(die, value, alone, place), place)
"""
