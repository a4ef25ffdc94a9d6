"""Finds the tray's floor by its rim, where there are no markers but its size is known.

For example:

    from calibration.markers.lens import camera_module_3
    from calibration.rim.rim import find_floor

    outline = find_floor(picture, camera_module_3((1536, 864)), floor_mm=(200.0, 150.0))
"""
