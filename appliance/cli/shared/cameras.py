"""Opens cameras for commands; for a phone it serves the page that takes the pictures."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from itertools import count

from appliance.cli.shared.extras import how_to_add
from appliance.cli.shared.output import stream_for_words
from appliance.config.password import read_password
from appliance.config.paths import state_folder
from appliance.devices.camera import Camera, open_camera
from appliance.devices.camera.address import places_in, spoken, with_passwords
from appliance.devices.camera.connectors import Connectors
from appliance.devices.camera.kinds import PHONE
from appliance.devices.camera.naming import parse_spec
from appliance.devices.camera.phone import Invitation, PhoneLink
from appliance.errors import CameraError
from appliance.terminal.qr import code_lines, qr_code
from appliance.words import say

CREDENTIAL = "camera-password"
"""The unit's name for the camera's password."""

PHONE_FOLDER = "phone"
"""Beside the games: certificate, key and PIN of a phone's page."""


class Cameras:
    """Opens cameras, and keeps a phone's page open between two of them.

    Args:
        stack: the page is served until it ends.
        invite: told where the page is, once it is served; None where that is drawn.
        password_file: has what the place for a password in an address stands for.
    """

    def __init__(
        self,
        stack: ExitStack,
        invite: Callable[[Invitation], None] | None = None,
        password_file: str = "",
    ) -> None:
        self._stack, self._invite, self._password_file = stack, invite, password_file
        self.connectors = Connectors()
        self._link: PhoneLink | None = None

    def open(self, spec: str, locked: Mapping[str, float] | None = None) -> Camera:
        """Opens a camera as `open_camera` does.

        CameraError also if no page can be served for it, or its password cannot be read.
        """
        return open_camera(self._with_passwords(spec), locked, self._serve, self.connectors)

    def _with_passwords(self, spec: str) -> str:
        """Read anew at each opening, so that another one needs no restart.

        Under systemd it does: a credential is copied when the service starts.
        """
        if not places_in(spec):
            return spec
        try:
            passwords = read_password(CREDENTIAL, self._password_file)
        except (OSError, ValueError) as error:
            expected = "expected a password_file with rights 0600"
            raise CameraError(f"{spoken(spec)}: {expected}, found: {error}") from error
        return with_passwords(spec, passwords)

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
