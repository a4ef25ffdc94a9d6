"""How the simulated player answers what the board asks about dice."""

from collections.abc import Sequence

from appliance.inputs import Button
from appliance.simulator.people.cups import Bag
from appliance.simulator.people.ports import Presser
from appliance.simulator.people.roller import Intent, Roller
from appliance.table.prompts.betting import ColourPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, FacePrompt
from appliance.table.session.matching import Why
from vision.reading import DieState, Kind

MAX_TRIES_OF_ONE_DIE = 3
"""Tries up to which one die is thrown again; from then on the whole throw is."""
MAX_TRIES_OF_ALL_DICE = 6
"""Tries up to which the whole throw is repeated, before buttons are used."""


class Answerer:
    """Enters faces and colours, throws again, and resolves what contradicts the holds."""

    def __init__(self, hands: Roller, buttons: Presser, bag: Bag, intent: Intent) -> None:
        self._hands = hands
        self._buttons = buttons
        self._bag = bag
        self._intent = intent
        self._recounts = self._tries = 0

    def see(self, prompt: Prompt) -> None:
        """Takes note of what is asked: if it is something else, earlier tries do not count."""
        if not isinstance(prompt, CountPrompt | FacePrompt | ColourPrompt):
            self._recounts = self._tries = 0

    def answers(self, prompt: Prompt) -> bool:
        """Does the next thing towards an answer about dice; False if none is asked for."""
        match prompt:
            case FacePrompt():
                self._enter_face(prompt)
            case ColourPrompt():
                self._enter_colour(prompt)
            case ClashPrompt():
                self._resolve_clash(prompt)
            case CountPrompt():
                self._recount(prompt)
            case _:
                return False
        return True

    def _kept_bodies(self) -> set[int]:
        return {self._hands.body_of_slot(slot) for slot in self._intent.keeps or ()}

    def _resolve_clash(self, prompt: ClashPrompt) -> None:
        """Answers whether dice that contradict the holds count as they lie."""
        hands, press = self._hands, self._buttons.press
        body = hands.body_of_slot(prompt.slot)
        if prompt.why is Why.CHANGED and body not in hands.pending:
            if not self._turn_back(body):
                press(Button.BACK)
        elif prompt.why is Why.SAME:
            press(Button.OK if body in hands.pending else Button.BACK)
        elif (
            prompt.why is Why.LAZY and body not in hands.pending and self._intent.keeps is not None
        ):
            hands.throw([body], well=True)
        elif prompt.why is Why.HELD:
            if self._kept_bodies() & hands.pending:
                press(Button.OK)
            elif prompt.back:
                press(Button.BACK)
            else:
                # As the board says: what lies there is no throw that anybody made.
                self._throw_again()
        else:
            press(Button.OK)

    def _turn_back(self, body: int) -> bool:
        """Turns back a die that lies with another face; returns whether it did."""
        hands = self._hands
        face = hands.tray.lying().get(body, ((0, 0), None))[1]
        if face is None or face == hands.faces[body]:
            return False
        hands.tray.turn(body, hands.faces[body])
        return True

    def _recount(self, prompt: CountPrompt) -> None:
        """Responds to more or fewer dice than expected."""
        hands = self._hands
        if prompt.seen > prompt.expected:
            wanted = set(hands.asked) if self._bag.dealt else set(hands.faces)
            foreign = [body for body in hands.tray.lying() if body not in wanted]
            if foreign and not self._bag.dealt:
                hands.tray.pick_up(foreign)
            else:
                self._throw_again()
        elif self._recounts:
            self._buttons.press(Button.OK)
        else:
            self._throw_again()
        self._recounts += 1

    def _throw_again(self) -> None:
        """Throws the dice of the throw that did not count."""
        hands = self._hands
        dice = sorted(hands.pending)
        if not dice:
            kept = self._kept_bodies()
            dice = [b for b in (hands.faces if kept else hands.tray.lying()) if b not in kept]
        if self._bag.dealt:
            hands.throw_to_show({die: hands.faces[die] for die in hands.asked}, well=True)
            hands.waits = True
        else:
            hands.throw(dice, well=True)

    def _enter_face(self, prompt: FacePrompt) -> None:
        """Enters what a die shows, or throws it again."""
        if prompt.state is None:
            self._correct_misread_face(prompt)
            return
        hands = self._hands
        body = self._body_asked(prompt)
        lying = hands.tray.lying()
        out = prompt.aside or (body in lying and lying[body][1] is None)
        if out or prompt.state in (DieState.LEANING, DieState.STACKED):
            self._tries += 1
            if self._tries <= MAX_TRIES_OF_ONE_DIE:
                hands.throw([body], well=True)
                return
            if self._tries <= MAX_TRIES_OF_ALL_DICE:
                # The board must have meant another die.
                self._throw_again()
                return
        self._buttons.press(Button.OK if prompt.face == hands.faces[body] else Button.RIGHT)

    def _body_asked(self, prompt: FacePrompt) -> int:
        """The die that the board asks about: one whose face it does not show yet."""
        if self._bag.dealt:
            return self._coloured_body_asked(prompt)
        if prompt.name.endswith(" DIE") and not _has_place(prompt.name):
            return self._body_of_kind(prompt.name)
        hands = self._hands
        kinds = [hands.tray.kind(b) for b in hands.faces]
        odd = {kind for kind in kinds if kind is not Kind.BLACK and kinds.count(kind) == 1}
        left = [b for b in sorted(hands.faces) if hands.tray.kind(b) not in odd]
        left = self._without_shown_faces(left, prompt)
        lying = hands.tray.lying()
        left = [b for b in left if b in hands.pending] or left or [hands.asked[0]]
        bad = [b for b in left if b in lying and lying[b][1] is None]
        beside = hands.bodies.get(prompt.index)
        if prompt.aside and beside in left:
            return beside
        likely = [b for b in left if (b in bad) is (prompt.state is not DieState.UNSURE)]
        return (likely or left)[0]

    def _body_of_kind(self, name: str) -> int:
        """The die that the board names by its kind, the only one of that kind."""
        kind = Kind(name.split()[0].lower())
        hands = self._hands
        return next(body for body in hands.faces if hands.tray.kind(body) is kind)

    def _coloured_body_asked(self, prompt: FacePrompt) -> int:
        """The die that is asked about where colours count: in that place, if not shown yet."""
        hands, slot = self._hands, _slot_named(prompt.name)
        left = sorted(hands.asked, key=lambda body: body == hands.bodies[slot])
        left = self._without_shown_faces(left, prompt, len(prompt.dice) - len(left))
        # The board asks for its colour next, by the same name.
        hands.bodies[slot] = left[-1]
        return left[-1]

    def _without_shown_faces(
        self, bodies: Sequence[int], prompt: FacePrompt, first: int = 0
    ) -> list[int]:
        """These dice less one for each face that the board shows already, from index `first` on."""
        left = list(bodies)
        for index, face in enumerate(prompt.dice[first:], first):
            known = next((body for body in left if self._hands.faces[body] == face), None)
            if index != prompt.index and known is not None:
                left.remove(known)
        return left

    def _correct_misread_face(self, prompt: FacePrompt) -> None:
        if _has_place(prompt.name):
            body = self._hands.bodies.get(prompt.index, prompt.index)
        elif self._bag.dealt:
            body = self._hands.bodies[_slot_named(prompt.name)]
        else:
            body = self._body_of_kind(prompt.name)
        if prompt.turned is not None:
            if not self._turn_back(body):
                self._buttons.press(Button.BACK)
        elif self._intent.puts_right is None:
            self._buttons.press(Button.BACK)
        elif prompt.face == self._hands.faces.get(body):
            self._buttons.press(Button.OK)
            if not self._bag.dealt:
                self._intent.puts_right = None
        else:
            self._buttons.press(Button.RIGHT)

    def _enter_colour(self, prompt: ColourPrompt) -> None:
        """Enters the colour of a die."""
        if not prompt.pending and self._intent.puts_right is None:
            self._buttons.press(Button.BACK)
            return
        body = self._hands.bodies[_slot_named(prompt.name)]
        right = prompt.kind is not None and self._hands.tray.kind(body).value == prompt.kind.value
        if right and not prompt.pending:
            self._intent.puts_right = None
        self._buttons.press(Button.OK if right else Button.RIGHT)


def _has_place(name: str) -> bool:
    """True for a die that is called by its place, such as `3RD DIE`, and for one alone."""
    return name.startswith("DIE") or name[:1].isdigit()


def _slot_named(name: str) -> int:
    number = int("".join(filter(str.isdigit, name)))
    return number - 1 if _has_place(name) else number + 4
