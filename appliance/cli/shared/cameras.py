"""Opens cameras for commands; for a phone it serves the page that takes the pictures."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from itertools import count

from appliance.cli.shared.extras import how_to_add
from appliance.cli.shared.output import stream_for_words
from appliance.config.paths import state_folder
from appliance.devices.camera import Camera, open_camera
from appliance.devices.camera.kinds import PHONE
from appliance.devices.camera.naming import parse_spec
from appliance.devices.camera.phone import Invitation, PhoneLink
from appliance.errors import CameraError
from appliance.terminal.qr import code_lines, qr_code
from appliance.words import say

PHONE_FOLDER = "phone"
"""Beside the games: certificate, key and PIN of a phone's page."""


class Cameras:
    """Opens cameras, and keeps a phone's page open between two of them.

    Args:
        stack: the page is served until it ends.
        invite: told where the page is, once it is served; None where that is drawn.
    """

    def __init__(
        self, stack: ExitStack, invite: Callable[[Invitation], None] | None = None
    ) -> None:
        self._stack, self._invite = stack, invite
        self._link: PhoneLink | None = None

    def open(self, spec: str, locked: Mapping[str, float] | None = None) -> Camera:
        """Opens a camera as `open_camera` does; CameraError if no page can be served for it."""
        return open_camera(spec, locked, self._serve)

    def wait_for_phone(self, spec: str, most_times: int | None = None) -> None:
        """Waits for a phone's first picture, as what was printed would soon be drawn over.

        Args:
            spec: the camera; for others, and where nothing was printed, nobody waits.
            most_times: how often to wait for as long as a phone may be silent; None for ever.
        """
        if self._invite is None or parse_spec(spec).kind != PHONE:
            return
        for _ in count() if most_times is None else range(most_times):
            with closing(self.open(spec)) as camera, suppress(CameraError):
                next(iter(camera.frames()))
                return

    def trouble(self) -> str:
        """Why a phone sends no pictures, in the chosen language; empty while it does."""
        return "" if self._link is None else self._link.trouble

    def begin_game(self) -> None:
        """Says on a phone that it is looked through now."""
        if self._link is not None:
            self._link.advice = say("The game is on: leave the phone where it is.")

    def _serve(self) -> PhoneLink:
        if self._link is None:
            try:
                from appliance.web.phone import PhonePage
            except ModuleNotFoundError as error:
                missing = f"a package that serves pages is missing: {error.name}"
                raise CameraError(missing, how_to_add("web")) from None
            page = PhonePage(state_folder() / PHONE_FOLDER)
            self._stack.callback(page.close)
            self._link = page.link
            if self._invite is not None:
                self._invite(page.link.invitation)
        return self._link


def print_invitation(as_json: bool, invitation: Invitation) -> None:
    """Says where a phone's page is, and prints a code for its camera."""
    out = stream_for_words(as_json)
    print(invitation.sentence, file=out)
    for line in code_lines(qr_code(invitation.link)):
        print(line, file=out)
    out.flush()
