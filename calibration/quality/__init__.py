"""Whether light, focus and the size of dice will do.

For example:

    from calibration.quality.quality import judge_frames

    sight = judge_frames(frames)  # of the empty tray
    print(sight.verdict.quality, sight.verdict.problem)
"""
