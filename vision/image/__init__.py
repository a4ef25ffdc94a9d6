"""Pictures: types of arrays, files, memory, drawing readings into them, small sums.

For example:

    from vision.image.files import load_picture

    picture = load_picture(path)
"""
