"""Whether the camera still stands where it stood, by markers or by the rim.

For example:

    from calibration.drift.watch import DriftWatch

    watch = DriftWatch(calibration)
    for frame in frames:  # of a tray in which nothing moves
        print(watch.feed(frame), watch.trusted)
"""
