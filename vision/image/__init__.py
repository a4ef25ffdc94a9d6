"""Pictures: array types, files, memory, drawing readings into them, small computations.

For example:

    from vision.image.files import load_picture

    picture = load_picture(path)
"""
