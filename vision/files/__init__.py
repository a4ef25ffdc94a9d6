"""Files as operating systems have them: ordinary ones only, of bounded size, written atomically.

    from pathlib import Path

    from vision.files.atomic import write_atomically
    from vision.files.bounded import read_bounded

    write_atomically(Path("names"), b"ANNA")
    assert read_bounded(Path("names"), 1000) == b"ANNA"

Pictures and profiles need these here, at the bottom; so does everything above.
"""
