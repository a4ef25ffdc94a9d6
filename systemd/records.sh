#!/bin/sh
# Saves what `dicetray stats` says, for the score page, if a game has continued since the last time.
set -eu
GAMES=${GAMES:-/var/lib/dicetray/games.sqlite3}
REPORT=${REPORT:-/run/dicetray-records/report}
DICETRAY=${DICETRAY:-/opt/dicetray/current/bin/dicetray}
if [ -f "$REPORT" ] && [ ! "$GAMES" -nt "$REPORT" ] && [ ! "$GAMES-wal" -nt "$REPORT" ]; then
    exit 0
fi
# Status 1 says that some of the games cannot be read; the rest is still of use.
"$DICETRAY" stats --journal "$GAMES" >"$REPORT.new" || [ $? = 1 ]
mv "$REPORT.new" "$REPORT"
