"""How the simulated player answers what the board asks about dice."""

from collections.abc import Sequence

from appliance.inputs import Button
from appliance.simulator.people.cups import ODD
from appliance.simulator.people.thrower import Thrower
from appliance.table.prompts import ClashPrompt, CountPrompt, TellPrompt
from appliance.table.session.matching import Why
from vision.reading import DieState, Kind

ONE_TRIES, ALL_TRIES = 3, 6
"""How often somebody throws one die, and then all of the throw, before the buttons tell it."""


class Answerer(Thrower):
    """Tells faces, throws again, and resolves what contradicts the holds."""

    def _resolve(self, prompt: ClashPrompt) -> None:
        body = self._bodies.get(prompt.slot, prompt.slot)
        if prompt.why is Why.CHANGED and body not in self._pending:
            lying = self._tray.lying()
            if body in lying and lying[body][1] not in (None, self._faces[body]):
                self._tray.turn(body, self._faces[body])
            else:
                self._fingers.press(Button.BACK)
        elif prompt.why is Why.SAME:
            self._fingers.press(Button.OK if body in self._pending else Button.BACK)
        elif prompt.why is Why.LAZY and body not in self._pending and self._wants is not None:
            self._throw([body], well=True)
        elif prompt.why is Why.HELD:
            kept = {self._bodies.get(slot, slot) for slot in self._wants or ()}
            self._fingers.press(Button.OK if kept & self._pending else Button.BACK)
        else:
            self._fingers.press(Button.OK)

    def _recount(self, prompt: CountPrompt) -> None:
        if prompt.seen > prompt.expected:
            wanted = set(self._asked) if self._shows_colours else set(self._faces)
            foreign = [body for body in self._tray.lying() if body not in wanted]
            if foreign and not self._shows_colours:
                self._tray.pick_up(foreign)
            else:
                self._throw_again()
        elif self._misses:
            self._fingers.press(Button.OK)
        else:
            self._throw_again()
        self._misses += 1

    def _throw_again(self) -> None:
        """Throws the dice of the throw that did not count."""
        dice = sorted(self._pending)
        if not dice:
            kept = {self._bodies.get(slot, slot) for slot in self._wants or ()}
            dice = [b for b in (self._faces if kept else self._tray.lying()) if b not in kept]
        if self._shows_colours:
            self._let_fall({die: self._faces[die] for die in self._asked}, well=True)
            self._waits = True
        else:
            self._throw(dice, well=True)

    def _tell(self, prompt: TellPrompt) -> None:
        if prompt.state is None:
            self._put_right(prompt)
            return
        body = self._body_asked(prompt)
        lying = self._tray.lying()
        out = prompt.aside or (body in lying and lying[body][1] is None)
        if out or prompt.state in (DieState.LEANING, DieState.STACKED):
            self._tries += 1
            if self._tries <= ONE_TRIES:
                self._throw([body], well=True)
                return
            if self._tries <= ALL_TRIES:
                # It was another die that the board meant.
                self._throw_again()
                return
        self._fingers.press(Button.OK if prompt.face == self._faces[body] else Button.RIGHT)

    def _body_asked(self, prompt: TellPrompt) -> int:
        """The die that the board asks about: one whose face it does not show yet."""
        if self._shows_colours:
            return self._coloured_asked(prompt)
        if prompt.name.endswith(" DIE"):
            return ODD
        left = [b for b in sorted(self._faces) if self._tray.kind(b) is not Kind.POWER]
        left = self._not_shown(left, prompt)
        lying = self._tray.lying()
        left = [b for b in left if b in self._pending] or left or [self._asked[0]]
        bad = [b for b in left if b in lying and lying[b][1] is None]
        beside = self._bodies.get(prompt.index)
        if prompt.aside and beside in left:
            return beside
        return (bad or left)[0] if prompt.state is not DieState.UNSURE else _good(left, bad)

    def _coloured_asked(self, prompt: TellPrompt) -> int:
        """The same where colours count; by its place, if that one is not shown yet."""
        slot = self._slot_named(prompt.name)
        left = sorted(self._asked, key=lambda body: body == self._bodies[slot])
        left = self._not_shown(left, prompt, len(prompt.dice) - len(left))
        # Its colour is asked next, by the same name.
        self._bodies[slot] = left[-1]
        return left[-1]

    def _not_shown(self, bodies: Sequence[int], prompt: TellPrompt, first: int = 0) -> list[int]:
        """These dice without one for each face that the board shows already, from an index on."""
        left = list(bodies)
        for index, face in enumerate(prompt.dice[first:], first):
            known = next((body for body in left if self._faces[body] == face), None)
            if index != prompt.index and known is not None:
                left.remove(known)
        return left

    def _put_right(self, prompt: TellPrompt) -> None:
        slot = prompt.index if prompt.name.startswith("DIE") else ODD
        body = self._bodies.get(slot, slot)
        if prompt.turned is not None:
            face = self._tray.lying().get(body, ((0, 0), None))[1]
            if face is not None and face != self._faces[body]:
                self._tray.turn(body, self._faces[body])
            else:
                self._fingers.press(Button.BACK)
        elif self._puts_right is None:
            self._fingers.press(Button.BACK)
        elif prompt.face == self._faces.get(body):
            self._fingers.press(Button.OK)
            if not self._shows_colours:
                self._puts_right = None
        else:
            self._fingers.press(Button.RIGHT)

    def _slot_named(self, name: str) -> int:
        word, number = name.split()
        return int(number) - 1 if word == "DIE" else int(number) + 4


def _good(left: Sequence[int], bad: Sequence[int]) -> int:
    return next((body for body in left if body not in bad), left[0])
