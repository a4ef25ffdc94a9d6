"""Where things are: the camera, the profile of an installation and its file, axes of tops.

For example:

    from vision.geometry.profile_file import load_profile

    profile = load_profile(path)
    tops = profile.to_mm(pixels, profile.die_edge_mm)  # (n, 2) millimetres on the plane of the tops
"""
