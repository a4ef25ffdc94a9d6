"""The tray's floor found by its rim, where there are no markers but its size is known.

For example:

    from calibration.markers.lens import camera_module_3
    from calibration.rim.corners import from_corners
    from calibration.rim.rim import find_floor

    lens = camera_module_3((1536, 864))
    outline = find_floor(picture, lens, floor_mm=(200.0, 150.0))
    calibration = from_corners(lens, outline.corners.tolist(), (200.0, 150.0))
"""
