"""Whether light, focus and the size of dice will do.

For example:

    from calibration.quality.quality import watch

    sight = watch(frames)  # of the empty tray
    print(sight.verdict.quality, sight.verdict.problem)
"""
