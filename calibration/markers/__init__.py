"""Geometry from printed markers: ArUco on the rim, a ChArUco board, bundle adjustment.

For example:

    from calibration.markers.rim import find_rim_markers
    from calibration.markers.bundle import place_tray
    from calibration.markers.lens import camera_module_3

    placed = place_tray(camera_module_3((1536, 864)), find_rim_markers(picture))
"""
