#!/bin/sh
# Writes down what `dicetray stats` says, for the score page, if a game has gone on since the last time.
set -eu
GAMES=${GAMES:-/var/lib/dicetray/games.sqlite3}
REPORT=${REPORT:-/run/dicetray-records/report}
DICETRAY=${DICETRAY:-/opt/dicetray/current/bin/dicetray}
if [ -f "$REPORT" ] && [ ! "$GAMES" -nt "$REPORT" ] && [ ! "$GAMES-wal" -nt "$REPORT" ]; then
    exit 0
fi
# A part of the games that cannot be read is said with status 1, and the rest is still of use.
"$DICETRAY" stats --journal "$GAMES" >"$REPORT.new" || [ $? = 1 ]
mv "$REPORT.new" "$REPORT"
