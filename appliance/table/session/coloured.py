"""Dice whose colours count: those drawn blind and thrown for all, and pockets that are shown.

The colours come from the pictures. One that is in doubt, or impossible because the bag has too few
dice of it, is asked about; a die that was taken for another colour before is corrected first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from appliance.inputs import Button, neighbour
from appliance.table.session.matching import (
    NOT_SEEN,
    Answer,
    Match,
    Miscount,
    PlacedDie,
    ThrownDie,
    match_first,
    rules_kind,
    rules_kind_of_reading,
)
from appliance.table.session.modes import EnteringColour, Playing
from appliance.table.session.recording import play
from appliance.table.session.session import Session, slots_asked
from games.values import (
    Corrected,
    DieKind,
    Event,
    Face,
    IllegalEvent,
    Recoloured,
    Reveal,
    Shown,
    ShownDie,
    Slot,
    Throw,
)
from vision.events import TrackedDie

Faces = tuple[tuple[Slot, Face], ...]
Kinds = tuple[tuple[Slot, DieKind], ...]


def open_dice(session: Session) -> dict[Slot, ShownDie]:
    """The dice that lie open on the table, by slot."""
    faces, kinds = session.record.dice, session.record.kinds
    return {
        Slot(number): ShownDie(kind, face)
        for number, (kind, face) in enumerate(zip(kinds, faces, strict=True))
        if kind is not None and isinstance(face, int)
    }


def dice_in_bag(session: Session) -> Counter[DieKind]:
    """How many dice of each colour the game is played with."""
    return Counter(session.record.rules.dice_kinds)


def match_coloured_throw(
    session: Session, ask: Throw | Reveal, dice: Sequence[TrackedDie]
) -> Match:
    """Matches dice that came to rest in the tray with those asked for.

    The dice that lay open before may or may not lie there; one that was lifted and put back is
    recognised by its colour and face. For a pocket the dice of other players may lie there too.
    None if no new die has come to rest: `thrown` means since the last throw that counted.
    """
    asked = slots_asked(ask)
    known = {slot: die for slot, die in open_dice(session).items() if slot not in asked}
    if isinstance(ask, Throw) and not session.record.held:
        ordered = sorted(dice, key=lambda d: d.reading.center)
        return match_first(
            asked, [PlacedDie(Slot(i), d.reading, d.thrown) for i, d in enumerate(ordered)]
        )
    fresh = [d for d in dice if d.thrown]
    lying = [d for d in dice if not d.thrown]
    if not fresh:
        return None
    for again in _dice_not_lying(known, lying):
        if len(fresh) > len(asked):
            back = next((d for d in fresh if _looks_like(d, again)), None)
            if back is not None:
                fresh.remove(back)
    foreign = len(lying) - len(known) if isinstance(ask, Throw) else 0
    if foreign > 0 or len(fresh) > len(asked):
        return Miscount(len(asked) + max(0, foreign) + len(fresh) - len(asked), len(asked))
    kept = tuple(known) if isinstance(ask, Throw) else ()
    ordered = sorted(fresh, key=lambda d: d.reading.center)
    seen = tuple(ThrownDie(s, d.reading) for s, d in zip(asked, ordered, strict=False))
    if len(fresh) < len(asked):
        unseen = tuple(ThrownDie(slot, NOT_SEEN) for slot in asked[len(fresh) :])
        return Miscount(len(fresh), len(asked), Answer(kept, seen + unseen))
    return Answer(kept, seen)


def _dice_not_lying(
    on_record: Mapping[Slot, ShownDie], lying: Sequence[TrackedDie]
) -> list[ShownDie]:
    """The dice on record that match none of the dice still lying."""
    left = list(on_record.values())
    for die in lying:
        found = next((k for k in left if _looks_like(die, k)), None)
        if found is not None:
            left.remove(found)
    return left


def _looks_like(die: TrackedDie, shown: ShownDie) -> bool:
    return die.reading.value == shown.face and rules_kind(die) is shown.kind


def count_coloured_throw(session: Session, answer: Answer, faces: Faces, kinds: Kinds) -> Session:
    """Counts dice with known faces (by slot), or asks for a colour that is in doubt or impossible.

    `kinds` are colours that the players entered, by slot, including dice that lay open before.
    """
    by_slot, colours = dict(faces), _known_colours(session, answer, dict(kinds))
    for seen in answer.thrown:
        if seen.slot not in colours:
            return _ask_colour(session, answer, faces, kinds, seen.slot)
    shown = Shown(tuple(ShownDie(colours[s.slot], int(by_slot[s.slot])) for s in answer.thrown))
    slots = [seen.slot for seen in answer.thrown]
    if (need := colours_thrown_again(session)) is not None:
        odd = Counter(colours[s] for s in slots) - Counter(need)
        doubted = _least_sure(answer, [s for s in slots if odd[colours[s]]], kinds)
        if doubted is not None:
            return _ask_colour(session, answer, faces, kinds, doubted)
        if odd:
            session = _correct_colours_before(session, [colours[s] for s in slots])
    try:
        return play(session, shown)
    except IllegalEvent:
        return _settle_surplus_of_colour(session, answer, faces, kinds, colours)


def _known_colours(
    session: Session, answer: Answer, entered: dict[Slot, DieKind]
) -> dict[Slot, DieKind]:
    """The colours read or entered; when dice are thrown again, the last follows from the others."""
    found = dict(entered)
    for seen in answer.thrown:
        read = rules_kind_of_reading(seen.reading)
        if read is not None and seen.slot not in found and read in dice_in_bag(session):
            found[seen.slot] = read
    open_slots = [seen.slot for seen in answer.thrown if seen.slot not in found]
    need = colours_thrown_again(session)
    if need is not None and open_slots:
        left = Counter(need) - Counter(found[s.slot] for s in answer.thrown if s.slot in found)
        if left.total() == len(open_slots) and len(left) == 1:
            found |= dict.fromkeys(open_slots, next(iter(left)))
    return found


def colours_thrown_again(session: Session) -> tuple[DieKind, ...] | None:
    """The colours that must come up again when the same dice are thrown once more."""
    ask, unseen = session.record.ask, session.record.rules.unseen(session.record.state)
    return tuple(unseen) if isinstance(ask, Throw) and len(unseen) == len(ask.dice) else None


def _correct_colours_before(session: Session, colours: Sequence[DieKind]) -> Session:
    """Gives dice that are thrown again the colours that the players have entered for them."""
    missing = list((Counter(colours) - Counter(colours_thrown_again(session) or ())).elements())
    surplus = Counter(colours_thrown_again(session) or ()) - Counter(colours)
    ask = session.record.ask
    events: list[Event] = []
    for die in ask.dice if isinstance(ask, Throw) else ():
        if surplus[die.kind] > 0:
            surplus[die.kind] -= 1
            events.append(Recoloured(die.slot, missing.pop()))
    return replace(play(session, *events), tracked=session.tracked)


def _settle_surplus_of_colour(
    session: Session, answer: Answer, faces: Faces, kinds: Kinds, colours: Mapping[Slot, DieKind]
) -> Session:
    """Asks about a die of the colour that now has more dice than the bag."""
    lying = open_dice(session)
    slots = [seen.slot for seen in answer.thrown]
    every = Counter(chain((colours[s] for s in slots), (die.kind for die in lying.values())))
    room = dice_in_bag(session)
    kind = max(room, key=lambda colour: every[colour])
    if every[kind] <= room[kind]:
        # Dice already put away have it: only undoing what was shown before helps.
        return replace(session, mode=Playing(), remark=f"TOO MUCH {kind.upper()}")
    doubted = _least_sure(answer, [s for s in slots if colours[s] is kind], kinds)
    if doubted is None:
        entered = dict(kinds)
        before = [s for s, die in lying.items() if die.kind is kind and s not in entered]
        if not before:
            # All of them were confirmed, yet one of them must be wrong: ask again.
            return count_coloured_throw(session, answer, faces, ())
        doubted = before[0]
    return _ask_colour(session, answer, faces, kinds, doubted)


def _least_sure(answer: Answer, slots: Sequence[Slot], kinds: Kinds) -> Slot | None:
    """Which of these dice to ask about: the one read with the least confidence, if not entered."""
    entered = dict(kinds)
    doubted = [s for s in answer.thrown if s.slot in slots and s.slot not in entered]
    return min(doubted, key=lambda s: s.reading.confidence).slot if doubted else None


def _ask_colour(
    session: Session, answer: Answer, faces: Faces, kinds: Kinds, slot: Slot
) -> Session:
    possible, read = _possible_colours(session, answer, kinds, slot)
    proposed = read if read in possible else possible[0] if len(possible) == 1 else None
    return replace(session, mode=EnteringColour(answer, faces, kinds, slot, proposed))


def next_colour(session: Session, mode: EnteringColour, button: Button) -> DieKind:
    """The colour that LEFT or RIGHT proposes next: those with dice left first, the read one led."""
    possible, read = _possible_colours(session, mode.answer, mode.kinds, mode.slot)
    every = sorted(dice_in_bag(session), key=lambda k: (k not in possible, k is not read))
    return neighbour(every, mode.kind, button)


def _possible_colours(
    session: Session, answer: Answer | None, kinds: Kinds, slot: Slot
) -> tuple[tuple[DieKind, ...], DieKind | None]:
    """The colours of which dice are left for a die, and the one that was read."""
    lying = {s: die.kind for s, die in open_dice(session).items() if s != slot}
    others: list[DieKind] = []
    read = lying.get(slot)
    if answer is not None:
        colours = _known_colours(session, answer, dict(kinds))
        others = [colours[s.slot] for s in answer.thrown if s.slot in colours and s.slot != slot]
        read = colours.get(slot)
    taken = Counter(chain(lying.values(), others))
    every = room = dice_in_bag(session)
    if (need := colours_thrown_again(session)) is not None and answer is not None:
        taken, room = Counter(others), Counter(need)
    return tuple(kind for kind in every if taken[kind] < room[kind]), read


def colour_entered(session: Session, mode: EnteringColour) -> Session:
    """The session after the players have entered a colour; unchanged while there is none."""
    if mode.kind is None:
        return session
    if mode.answer is None:
        return _correct_die(session, mode, mode.kind)
    lying = open_dice(session)
    thrown = {seen.slot for seen in mode.answer.thrown}
    before = lying.get(mode.slot)
    if mode.slot not in thrown and before is not None and before.kind is not mode.kind:
        try:
            right = play(session, Recoloured(mode.slot, mode.kind))
            session = replace(right, tracked=session.tracked)
        except IllegalEvent:
            return session
    return count_coloured_throw(
        session, mode.answer, mode.faces, (*mode.kinds, (mode.slot, mode.kind))
    )


def _correct_die(session: Session, mode: EnteringColour, kind: DieKind) -> Session:
    """Corrects a die on the table where it differs from the record."""
    old = open_dice(session).get(mode.slot)
    if old is None:
        return replace(session, mode=Playing())
    face = dict(mode.faces)[mode.slot]
    events: list[Event] = []
    if face != old.face:
        events.append(Corrected(mode.slot, face))
    if kind is not old.kind:
        events.append(Recoloured(mode.slot, kind))
    if not events:
        return replace(session, mode=Playing())
    try:
        return play(session, *events)
    except IllegalEvent:
        return replace(session, mode=Playing(), remark=f"NO MORE {kind.upper()}")
