"""Classifies what is detected: which face a patch shows, how the die lies, which colours it has.

For example:

    from vision.classify.face import Pyramid, classify_faces

    faces = classify_faces(Pyramid(picture), centers, axes).faces  # (n, classes)
"""
