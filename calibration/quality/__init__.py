"""Checks that light, focus and the size of dice will do.

For example:

    from calibration.quality.quality import judge_picture

    sight = judge_picture(image)  # of the empty tray
    print(sight.verdict.quality, sight.verdict.problem)
"""
