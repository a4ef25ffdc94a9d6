#!/usr/bin/env python3
"""How many lines all saved games have together, for run_owner.sh; every one was saved before shown.

count.py            the number
count.py --last     the last line of the last game
count.py --check    what SQLite's integrity check says; exit status 1 if not ok
count.py --sum      a sum over all games
"""

import hashlib
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

GAMES = Path("/var/lib/dicetray/games.sqlite3")


def main() -> int:
    """Prints what the argument asks for."""
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    with closing(sqlite3.connect(f"file:{GAMES}", uri=True)) as games:
        lines = "SELECT game, seq, text FROM lines ORDER BY game, seq"
        if what == "--check":
            found = games.execute("PRAGMA integrity_check").fetchone()[0]
            print(f"integrity {found}")
            return int(found != "ok")
        if what == "--sum":
            told = repr(games.execute(lines).fetchall()).encode()
            print(hashlib.sha256(told).hexdigest()[:16])
        elif what == "--last":
            row = games.execute(
                "SELECT text FROM lines ORDER BY game DESC, seq DESC LIMIT 1"
            ).fetchone()
            print(*(row or ("no game",)))
        else:
            print(games.execute("SELECT count(*) FROM lines").fetchone()[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
