"""Happenings as a line for people, or as JSON for programs."""

import json
from typing import Any

from appliance.inputs import Chord, Pressed
from appliance.service.ports import Happened
from appliance.table.session.session import Decided, Drawn
from appliance.words import Label
from games.values import Choice
from vision.events import Found, Moved, PickedUp, Roll, TrackedDie, TrackId, TrayChanged
from vision.reading import DieReading


def face_text(reading: DieReading) -> str:
    """A reading in a word: `4`, `4?` for a doubt with a guess, `?` without one."""
    value = "" if reading.value is None else str(reading.value)
    return value if reading.sure else f"{value}?"


def _dice_text(dice: tuple[TrackedDie, ...]) -> str:
    return " ".join(
        f"{d.track_id + 1}:{face_text(d.reading)}{'' if d.thrown else '='}" for d in dice
    )


def to_text(happened: Happened) -> str:
    """One line: frame, time and what it was. In a roll `=` marks dice that lay as before."""
    match happened.input:
        case TrayChanged() as event:
            what = f"tray {event.state}"
        case Roll() as event:
            what = f"roll {_dice_text(event.dice)} (at rest since frame {event.rest_frame})"
        case Found() as event:
            what = f"found {_dice_text(event.dice)}"
        case PickedUp() as event:
            what = f"picked up {' '.join(str(s + 1) for s in event.track_ids)}"
        case Moved() as event:
            what = f"moved {' '.join(str(s + 1) for s in event.track_ids)}"
        case Pressed() as press:
            what = f"press {press.button}{' long' if press.long else ''}"
        case Drawn(lot):
            what = f"drawn {Label(lot.key).lower()}"
        case Decided(Choice() as choice):
            what = f"decided {Label(choice.key).lower()}"
        case Chord(buttons):
            what = f"press {' and '.join(sorted(buttons))} together"
        case event:
            what = type(event).__name__.lower()
    return f"frame {happened.frame:5d}  {happened.time_s:8.3f} s  {what}"


def to_json(happened: Happened) -> str:
    """One JSON object: frame, time_s, event, and what belongs to the event."""
    line: dict[str, Any] = {"frame": happened.frame, "time_s": round(happened.time_s, 4)}
    match happened.input:
        case TrayChanged() as event:
            line |= {"event": "tray", "state": str(event.state)}
        case Roll() as event:
            line |= {
                "event": "roll",
                "rest_frame": event.rest_frame,
                "dice": _dice_fields(event.dice),
            }
        case Found() as event:
            line |= {"event": "found", "dice": _dice_fields(event.dice)}
        case PickedUp() as event:
            line |= {"event": "picked_up", **_track_fields(event.track_ids)}
        case Moved() as event:
            line |= {"event": "moved", **_track_fields(event.track_ids)}
        case Pressed() as press:
            line |= {"event": "press", "button": str(press.button), "long": press.long}
        case Drawn(lot):
            line |= {"event": "drawn", "lot": Label(lot.key)}
        case Decided(Choice() as choice):
            line |= {"event": "decided", "choice": Label(choice.key)}
        case Chord(buttons):
            line |= {"event": "chord", "buttons": sorted(buttons)}
        case event:
            line |= {"event": type(event).__name__.lower()}
    return json.dumps(line)


def _track_fields(tracks: tuple[TrackId, ...]) -> dict[str, list[TrackId]]:
    # "slots" and "slot" are what 0.1.0 called these numbers, which are no slots of a game.
    return {"tracks": list(tracks), "slots": list(tracks)}


def _dice_fields(dice: tuple[TrackedDie, ...]) -> list[dict[str, Any]]:
    return [
        {
            "track": d.track_id,
            "slot": d.track_id,
            "kind": str(d.reading.kind),
            "value": d.reading.value,
            "state": str(d.reading.state),
            "thrown": d.thrown,
            "center": [round(v, 1) for v in d.reading.center],
        }
        for d in dice
    ]
