"""Makes the profile that vision needs, keeps it, and watches that it stays true.

The modules here are the interface, with `markers`, `quality` and `wizard`:

    from calibration.build import build_calibration
    from calibration.markers.rim import find_rim_markers
    from calibration.readers import CalibratedReader
    from calibration.store import load, save

    takes = [find_rim_markers(picture) for picture in pictures]
    calibration = build_calibration(takes, (1536, 864))
    save(path, calibration)
    reading = CalibratedReader(load(path)).read(picture)
"""
