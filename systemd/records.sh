#!/bin/sh
# Saves what `dicetray stats` says, for the score page, if games have changed since the last time.
set -eu
GAMES=${GAMES:-/var/lib/dicetray/games.sqlite3}
REPORT=${REPORT:-/run/dicetray-records/report}
DICETRAY=${DICETRAY:-/opt/dicetray/current/bin/dicetray}
changed() { find "$GAMES" "${GAMES%.sqlite3}" -newer "$REPORT" -print -quit 2>/dev/null; }
if [ -f "$REPORT" ] && [ -z "$(changed)" ]; then
    exit 0
fi
# What is written from here on is looked at the next time.
touch "$REPORT.began"
status=0
"$DICETRAY" stats --journal "$GAMES" --within 120 >"$REPORT.new" || status=$?
case $status in
# Status 1 says that some of the games cannot be read; the rest is still of use.
0 | 1) touch -r "$REPORT.began" "$REPORT.new" ;;
# Status 75 says that not all are counted yet.
75) touch -d @0 "$REPORT.new" ;;
*) exit "$status" ;;
esac
mv "$REPORT.new" "$REPORT"
