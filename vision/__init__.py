"""From frames to readings: what the dice in the tray show, and how sure that is.

The modules here are the face, the folders beside them its inside:

    from vision.reader import Reader
    from vision.image.files import load_picture

    reading = Reader().read(load_picture(path))
    for die in reading.dice:
        print(die.kind, die.value if die.sure else [c.value for c in die.candidates])

With a profile (`vision.geometry.profile`) places are known in millimetres; frames of a camera are
followed by `vision.watch.watcher`, whose events stand in `vision.events`.
"""
