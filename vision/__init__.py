"""From frames to readings: what the dice in the tray show, and how sure that is.

The modules here are the interface, with `files`, `geometry`, `image`, `power_die` and `watch`:

    from vision.reader import Reader
    from vision.image.files import load_picture

    reading = Reader().read(load_picture(path))
    for die in reading.dice:
        print(die.kind, die.value if die.sure else [c.value for c in die.candidates])

With a profile (`vision.geometry.profile`) positions are known in millimetres.
`vision.watch.watcher` follows the frames of a camera and reports the events in `vision.events`.
"""
