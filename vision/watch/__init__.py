"""Watches a stream of frames: motion and rest, hands, the camera's shake, which die is which.

For example:

    from vision.reader import Reader
    from vision.watch.watcher import watcher_for

    watcher = watcher_for(Reader(profile), profile)
    for frame in frames:
        for event in watcher.feed(frame):
            print(event)
"""
