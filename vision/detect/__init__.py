"""Detects dice: a heat map proposes places, which are then classified and thinned.

For example:

    from vision.detect.detector import detect_dice
    from vision.detect.region import calibrated_view

    view = calibrated_view(profile)
    dice = detect_dice(view.work(picture), view)
"""
