"""Classifies what is detected: which face a patch shows, how the die lies, which colours it has.

For example:

    from vision.classify.face import Pyramid, classify_faces
    from vision.classify.posture import classify_postures, sights_with

    pyramid = Pyramid(picture)
    faces = classify_faces(pyramid, centers, axes).faces  # (n, classes)
    lying = classify_postures(pyramid, sights_with(profile, centers, scale=1.0)).postures
"""
