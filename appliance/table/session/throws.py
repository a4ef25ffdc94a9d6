"""The meaning of a settled tray for the session: a roll, a question about it, or nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from appliance.table.session import modes
from appliance.table.session.coloured import count_coloured_throw, match_coloured_throw
from appliance.table.session.matching import (
    Answer,
    Clash,
    Miscount,
    PlacedDie,
    ThrownDie,
    Why,
    assign_slots,
    assign_slots_by_face,
    dice_of_game,
    find_dice_set_aside,
    match_again,
    match_first,
    question_newcomers,
)
from appliance.table.session.recording import play
from appliance.table.session.session import (
    Session,
    asks_colours,
    must_stay,
    slot_kinds,
    slots_asked,
)
from appliance.table.session.tray import TrackedDice
from games import values as game
from games.dice import FACES
from vision.events import TrackedDie, TrackId
from vision.reading import POWER_FACES, DieReading, DieState


def take_settled_dice(session: Session, dice: tuple[TrackedDie, ...]) -> Session:
    """The session after dice were thrown and have come to rest; `dice` are all in the tray."""
    ask = session.record.ask
    dice = _without_duplicates(dice)
    tracked = replace(session.tracked, seen=dice, by_hand=False)
    session = replace(session, remark="", tracked=tracked)
    if ask is None:
        return session
    mode = session.mode
    if isinstance(mode, modes.EnteringFace | modes.EnteringColour) and mode.answer is not None:
        # Dice thrown again because they could not be read replace what was pending.
        dice = _with_entered_faces(tracked, dice, dict(mode.faces))
        tracked = replace(tracked, seen=dice)
        session = replace(session, mode=modes.Playing(), tracked=tracked)
    if isinstance(ask, game.Throw | game.Reveal) and asks_colours(ask):
        return _match_coloured(session, ask, dice)
    kinds = slot_kinds(session)
    if not kinds:
        remark = "BET FIRST" if session.record.kinds else "NO ROLLS LEFT"
        return replace(session, mode=modes.Playing(), remark=remark)
    if isinstance(ask, game.Choose):
        kept = find_dice_set_aside(dice, tracked.slots, session.record.dice, session.record.holds)
        dice = tuple(replace(d, thrown=d.thrown and d.track_id not in kept) for d in dice)
        others = {t: s for t, s in tracked.places if s not in kept.values()}
        loose = tracked.loose - kept.keys()
        tracked = replace(tracked.placed(others | kept), seen=dice, loose=loose)
    loose, known = tracked.loose | {d.track_id for d in dice if d.thrown}, tracked.slots
    # Dice of another throw, such as a red die, belong to that one alone.
    same = isinstance(ask, game.Choose) or len(kinds) == len(session.record.rules.dice_kinds)
    dice = dice_of_game(dice, kinds, loose, known if same else ())
    places = assign_slots(dice, known, kinds, session.record.holds)
    seen = [PlacedDie(places[d.track_id], d.reading, d.track_id in loose, d.rolled) for d in dice]
    if isinstance(ask, game.Throw):
        match = match_first(slots_asked(ask), seen)
    else:
        old = session.record.dice
        match = match_again(old, session.record.holds, seen)
        sighted = tracked.gone.union(known.values())
        match = question_newcomers(match, old, session.record.holds, seen, sighted)
    tracked = tracked.placed(places)
    if match is None:
        return replace(session, tracked=tracked)
    return _act_on_match(replace(session, tracked=replace(tracked, loose=loose)), match)


def _with_entered_faces(
    tracked: TrackedDice, dice: tuple[TrackedDie, ...], faces: Mapping[game.Slot, game.Face]
) -> tuple[TrackedDie, ...]:
    """The dice, those that lie as before with the faces that the players have entered for them."""
    places, found = tracked.slots, []
    for die in dice:
        face = faces.get(places[die.track_id]) if die.track_id in places else None
        if face is not None and not die.thrown and die.track_id in tracked.loose:
            certain = replace(die.reading, value=face, state=DieState.OK, aside=False)
            die = replace(die, reading=certain)
        found.append(die)
    return tuple(found)


def _without_duplicates(dice: tuple[TrackedDie, ...]) -> tuple[TrackedDie, ...]:
    """The dice without duplicate slots."""
    return tuple({die.track_id: die for die in dice}.values())


def _match_coloured(
    session: Session, ask: game.Throw | game.Reveal, dice: tuple[TrackedDie, ...]
) -> Session:
    tracked = session.tracked
    loose = tracked.loose | {d.track_id for d in dice if d.thrown}
    seen = [replace(d, thrown=d.track_id in loose) for d in dice]
    match = match_coloured_throw(session, ask, seen)
    if match is None:
        return session
    if isinstance(match, Answer):
        asked = {id(s.reading): s.slot for s in match.thrown}
        fresh = {d.track_id: asked[id(d.reading)] for d in dice if id(d.reading) in asked}
        kept = {t: s for t, s in tracked.places if s not in asked.values() and t not in fresh}
        tracked = tracked.placed(kept | fresh)
    return _act_on_match(replace(session, tracked=replace(tracked, loose=loose)), match)


def _act_on_match(session: Session, match: Answer | Miscount | Clash) -> Session:
    session = replace(session, scored=None)
    match match:
        case Miscount(answer=Answer() as answer):
            answer = _keep_what_rules_require(session, answer)
            again = _is_asked_again(session, match)
            return replace(session, mode=modes.Miscounted(replace(match, answer=answer), again))
        case Miscount():
            again = _is_asked_again(session, match)
            return replace(session, mode=modes.Miscounted(match, again))
        case Clash(answer=answer, strict=strict):
            answer = _throw_what_rules_require(session, _keep_what_rules_require(session, answer))
            if strict is not None:
                strict = _keep_what_rules_require(session, strict)
            if match.why is Why.LAZY and (thrown := _perhaps_thrown(session, answer)) is not None:
                # It counts as the buttons say, with the face that it shows.
                answer = thrown
            asked = replace(match, answer=answer, strict=strict)
            return replace(session, mode=modes.Clashing(asked, _is_asked_again(session, match)))
        case Answer():
            kept = _keep_what_rules_require(session, match)
            answer = _throw_what_rules_require(session, kept)
            if lazy := sorted({*kept.kept} - {*answer.kept}):
                return _act_on_match(session, Clash(lazy[0], Why.LAZY, answer))
            thrown = _perhaps_thrown(session, answer)
            if thrown is None or answer.meant:
                return accept_throw(session, answer)
            slot = min({*answer.kept} - {*thrown.kept})
            return _act_on_match(session, Clash(slot, Why.SAME, thrown, strict=answer))


def _is_asked_again(session: Session, match: Miscount | Clash) -> bool:
    """True if the same was asked before the dice were thrown again, which has not helped."""
    match session.mode, match:
        case modes.Clashing(before), Clash():
            return (before.slot, before.why) == (match.slot, match.why)
        case modes.Miscounted(before), Miscount():
            return (before.seen, before.expected) == (match.seen, match.expected)
    return False


def _keep_what_rules_require(session: Session, answer: Answer) -> Answer:
    """The throw with dice taken as kept that the rules do not let the players throw.

    In the fourth roll of Power the Power die stays as it is, wherever the players put it.
    """
    kept = tuple(sorted({*answer.kept, *must_stay(session)}))
    if game.Keep(answer.kept) in session.record.choices or not may_keep(session, kept):
        return answer
    thrown = tuple(seen for seen in answer.thrown if seen.slot not in kept)
    return replace(answer, kept=kept, thrown=thrown)


def _throw_what_rules_require(session: Session, answer: Answer) -> Answer:
    """The throw with dice taken as thrown that the rules do not let the players keep.

    A die can come to rest where one lay before, and show the same face: nobody sees that it was
    thrown. Unless it is clear which ones were, the throw stays as it is.
    """
    kept = {*answer.kept}
    keeps = [set(c.slots) for c in session.record.choices if isinstance(c, game.Keep)]
    less = [keep for keep in keeps if keep < kept]
    most = max(map(len, less), default=0)
    fitting = [keep for keep in less if len(keep) == most]
    if kept in keeps or len(fitting) != 1:
        return answer
    return _with_thrown(session, answer, kept - fitting[0]) or answer


def _perhaps_thrown(session: Session, answer: Answer) -> Answer | None:
    """The throw with dice taken as thrown that may have been, if that makes a difference.

    That is those that lie elsewhere with the same face, as if they had been pushed while the others
    were thrown, or those that the buttons do not hold. Most rules take no notice: the dice lie as
    they lie. None if there is no doubt.
    """
    tracked, holds = session.tracked, session.record.holds
    pushed = {slot for die, slot in tracked.places if die in tracked.pushed}
    doubted = {slot for slot in answer.kept if slot not in holds and (holds or slot in pushed)}
    thrown = _with_thrown(session, answer, doubted) if doubted else None
    found = None if thrown is None else _state_after(session, thrown)
    return None if found in (None, _state_after(session, answer)) else thrown


def _with_thrown(session: Session, answer: Answer, slots: set[game.Slot]) -> Answer | None:
    """The throw with kept dice taken as thrown as they lie; None if one of them is not seen."""
    tracked = session.tracked
    readings = {tracked.slots.get(die.track_id): die.reading for die in tracked.seen}
    if slots - readings.keys():
        return None
    lying = (ThrownDie(slot, readings[slot]) for slot in slots)
    thrown = sorted((*answer.thrown, *lying), key=lambda seen: seen.slot)
    kept = tuple(slot for slot in answer.kept if slot not in slots)
    return replace(answer, kept=kept, thrown=tuple(thrown))


def _state_after(session: Session, answer: Answer) -> object | None:
    """The state after a throw, dice in doubt taken as before; None if the rules refuse it."""
    rules, old = session.record.rules, session.record.dice
    read = ((seen.slot, seen.reading) for seen in answer.thrown)
    faces = tuple(reading.value if reading.sure else old[slot] for slot, reading in read)
    try:
        found: object = rules.apply(session.record.state, game.Keep(answer.kept))
        found = rules.apply(found, game.Rolled(tuple(face for face in faces if face is not None)))
    except game.IllegalEvent:
        return None
    return found


def take_found_dice(session: Session, dice: tuple[TrackedDie, ...]) -> Session:
    """Dice already there when the appliance started: those on record, or a throw that got lost."""
    ask = session.record.ask
    dice = _without_duplicates(dice)
    before, tracked = session.tracked.seen, replace(session.tracked, seen=dice)
    session = replace(session, tracked=tracked)
    if not isinstance(ask, game.Choose) and (tracked.by_hand or _same_faces(before, dice)):
        # What lies there has already been entered, or seen and counted.
        return session
    if isinstance(ask, game.Choose):
        places = assign_slots_by_face(dice, session.record.dice)
        return replace(session, tracked=tracked.placed(places))
    if ask is None or len(dice) != len(ask.dice):
        return session
    ordered = sorted(dice, key=lambda d: d.reading.center)
    if not asks_colours(ask):
        places = assign_slots(dice, {}, slot_kinds(session))
        ordered = sorted(dice, key=lambda d: places[d.track_id])
        session = replace(session, tracked=tracked.placed(places))
    seen = tuple(ThrownDie(s, d.reading) for s, d in zip(slots_asked(ask), ordered, strict=True))
    return replace(session, mode=modes.Clashing(Clash(seen[0].slot, Why.LAZY, Answer((), seen))))


def leave_found_dice(session: Session) -> Session:
    """The session once it is known that dice that were found were not thrown in this game."""
    match session.mode:
        case modes.Clashing(Clash(why=Why.LAZY)) if not session.tracked.loose:
            return replace(session, mode=modes.Playing())
    return session


def _same_faces(before: tuple[TrackedDie, ...], now: tuple[TrackedDie, ...]) -> bool:
    """True if the same dice were seen before, wherever they lay."""
    old, new = (sorted(str(d.reading.value) for d in dice) for dice in (before, now))
    return bool(now) and old == new


def accept_throw(session: Session, answer: Answer) -> Session:
    """Counts a throw, or asks about the dice in it that were not read with certainty."""
    faces = tuple(
        (seen.slot, seen.reading.value)
        for seen in answer.thrown
        if seen.reading.sure
        and not seen.reading.aside
        and seen.reading.value in faces_of(is_power(session, seen.slot))
    )
    return ask_or_count(session, answer, faces)


def ask_or_count(
    session: Session, answer: Answer, faces: tuple[tuple[game.Slot, game.Face], ...]
) -> Session:
    """Asks about the first die whose face is not known yet; counts the throw if there is none."""
    by_slot = dict(faces)
    for seen in answer.thrown:
        if seen.slot not in by_slot:
            likely = likely_faces(seen.reading, is_power(session, seen.slot))
            # What hides a die leaves nothing that could be taken for its face.
            hidden = seen.reading.state is DieState.COVERED
            face = likely[0] if likely and not hidden else None
            return replace(session, mode=modes.EnteringFace(answer, faces, seen.slot, face))
    ask = session.record.ask
    if asks_colours(ask):
        return count_coloured_throw(session, answer, faces, ())
    if isinstance(ask, game.Choose) and _perhaps_pushed(session, answer, by_slot):
        certain = tuple(
            ThrownDie(
                s.slot, replace(s.reading, value=by_slot[s.slot], state=DieState.OK, aside=False)
            )
            for s in answer.thrown
        )
        again = Answer(answer.kept, certain, meant=True)
        slots = session.tracked.slots
        newcomers = [slots.get(die.track_id) for die in session.tracked.came]
        slot = min((s for s in newcomers if s is not None), default=certain[0].slot)
        return replace(session, mode=modes.Clashing(Clash(slot, Why.SAME, again)))
    events: list[game.Event] = []
    if isinstance(ask, game.Choose):
        events.append(game.Keep(answer.kept))
    events.append(game.Rolled(tuple(by_slot[seen.slot] for seen in answer.thrown)))
    try:
        return play(session, *events)
    except game.IllegalEvent:
        # Dice were thrown that must stay, such as the Power die before its fourth roll.
        return replace(take_as_it_lay(session), remark="NOT NOW")


def _perhaps_pushed(session: Session, answer: Answer, faces: dict[game.Slot, game.Face]) -> bool:
    """True if dice that lie elsewhere may only have been pushed: they show the same faces.

    With holds set by buttons it is clear which dice were to be thrown, unless one of those lies
    untouched and counts as held only because it shows the face of a held one that is elsewhere.
    Nor is there any doubt if all of them were out of the tray and then rolled into it.
    """
    if answer.meant:
        return False
    tracked = session.tracked
    rolled = all(die.rolled for die in tracked.came)
    if rolled and {s.slot for s in answer.thrown} <= tracked.gone:
        return False
    if session.record.holds and tracked.slots_left <= session.record.holds:
        return False
    old = session.record.dice
    slots = [seen.slot for seen in answer.thrown]
    return sorted(str(old[s]) for s in slots) == sorted(str(faces[s]) for s in slots)


def likely_faces(reading: DieReading | None, power: bool = False) -> tuple[game.Face, ...]:
    """The faces that a die in doubt was read as, the likeliest first; empty for one not read."""
    every = faces_of(power)
    likely = [c.value for c in reading.candidates if c.value in every] if reading else []
    if reading and reading.value in every and reading.value not in likely:
        likely.insert(0, reading.value)
    return tuple(likely)


def face_proposals(reading: DieReading | None, power: bool = False) -> tuple[game.Face, ...]:
    """The faces offered for a die in doubt (None: not read): likely ones first, then all others."""
    likely = likely_faces(reading, power)
    return (*likely, *(face for face in faces_of(power) if face not in likely))


def faces_of(power: bool) -> tuple[game.Face, ...]:
    """The faces that a die can show: those of the Power die, or of a numbered one."""
    return POWER_FACES if power else FACES


def take_moved_dice(session: Session, dice: tuple[TrackedDie, ...]) -> Session:
    """The session after dice were pushed or turned where they lay; they may show other faces.

    A throw that waits for an answer is looked at again. If exactly the dice not held moved, they
    were thrown, although they lie where they lay. Otherwise a die on record that now shows another
    face was turned by mistake: the board says so until it is turned back, thrown, or entered.
    """
    now = {die.track_id: die for die in dice}
    before, tracked = session, session.tracked
    seen = tuple(
        replace(now[d.track_id], thrown=d.thrown) if d.track_id in now else d for d in tracked.seen
    )
    tracked = replace(tracked, seen=seen, pushed=tracked.pushed | now.keys())
    session = replace(session, tracked=tracked)
    if isinstance(session.mode, modes.ThrowInDoubt):
        after = match_again_as_it_lies(session)
        return take_as_it_lay(after) if _is_turned_back(session, after) else after
    if not isinstance(session.mode, modes.Playing | modes.Browsing | modes.Turned):
        return session
    if not session.record.events and isinstance(session.mode, modes.Playing):
        # What lay there before the game may have been thrown where it lay: the players say so.
        return take_found_dice(before, seen)
    if _all_but_held_moved(session, now):
        return take_settled_dice(
            replace(session, mode=modes.Playing()),
            tuple(replace(d, thrown=d.thrown or d.track_id in now) for d in seen),
        )
    faces, slots = session.record.dice, tracked.slots
    for track_id, die in now.items():
        slot = slots.get(track_id)
        if slot is None or slot >= len(faces) or faces[slot] is None:
            continue
        turned = isinstance(session.mode, modes.Turned) and session.mode.slot == slot
        if die.reading.value == faces[slot] and turned:
            return replace(session, mode=modes.Playing())
        if die.reading.sure and die.reading.value != faces[slot] and not turned:
            power = isinstance(faces[slot], str)
            if die.reading.value in faces_of(power):
                return replace(session, mode=modes.Turned(slot, faces[slot] or 1))
    return session


def _is_turned_back(before: Session, after: Session) -> bool:
    """True if a held die that was turned shows its face again, and nothing was thrown."""
    match before.mode, after.mode:
        case (
            modes.Clashing(Clash(why=Why.HELD, idle=True)),
            modes.Clashing(Clash(why=Why.LAZY, idle=True)),
        ):
            return True
    return False


def take_as_it_lay(session: Session) -> Session:
    """The session in which dice that came to rest count as having lain there before.

    One of them that shows another face than the one on record is to be turned back.
    """
    tracked = session.tracked
    session = replace(session, mode=modes.Playing(), tracked=tracked.lain_before())
    return take_moved_dice(session, tracked.came)


def _all_but_held_moved(session: Session, now: Mapping[TrackId, TrackedDie]) -> bool:
    """True if exactly the dice not held moved, and one of them certainly shows another face.

    Nobody holds some dice and then turns all the others by mistake.
    """
    faces, places = session.record.dice, session.tracked.slots
    slots = {slot: now[tracked].reading for tracked, slot in places.items() if tracked in now}
    keep = game.Keep(tuple(sorted(session.record.holds)))
    if not session.record.holds or keep not in session.record.choices:
        return False
    if set(slots) != set(range(len(faces))) - session.record.holds:
        return False
    return any(reading.sure and reading.value != faces[slot] for slot, reading in slots.items())


def match_again_as_it_lies(session: Session) -> Session:
    """Looks again at a throw that has not counted, with the dice as they lie now."""
    mode, seen = session.mode, session.tracked.seen
    if isinstance(mode, modes.EnteringFace | modes.EnteringColour) and mode.answer is None:
        return session
    return take_settled_dice(replace(session, mode=modes.Playing()), seen) if seen else session


def slots_left_lying(session: Session) -> set[game.Slot]:
    """The slots of the game whose dice still lie where they were when the last throw counted."""
    count = len(session.record.dice)
    return {slot for slot in session.tracked.slots_left if slot is not None and slot < count}


def take_picked_up_dice(session: Session, taken: tuple[TrackId, ...]) -> Session:
    """The session after dice were taken out of the tray."""
    before = session.tracked
    session = replace(session, tracked=before.without(taken))
    match session.mode:
        case modes.Turned(slot) if slot in map(before.slots.get, taken):
            return replace(session, mode=modes.Playing())
        case modes.Miscounted(Miscount(answer=None)):
            # There were too many: perhaps those that are left are the right ones.
            return match_again_as_it_lies(session)
    return session


def is_power(session: Session, slot: game.Slot) -> bool:
    """True if the die of this slot is the Power die, if it is to be thrown."""
    kinds = slot_kinds(session)
    return slot < len(kinds) and kinds[slot] is game.DieKind.POWER


def may_go_back(session: Session, clash: Clash) -> bool:
    """True if the throw in question can be taken in another way than as it lies."""
    later = isinstance(session.record.ask, game.Choose)
    known = clash.strict is not None or clash.idle or clash.why in (Why.SAME, Why.CHANGED)
    return not later or known


def may_roll_again(session: Session) -> bool:
    """True if the turn has a throw left."""
    return any(isinstance(c, game.Keep) for c in session.record.choices)


def may_keep(session: Session, slots: Iterable[game.Slot]) -> bool:
    """True if the dice of these slots may be held while all others are thrown."""
    return game.Keep(tuple(sorted(slots))) in session.record.choices
