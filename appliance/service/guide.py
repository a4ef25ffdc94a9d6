"""Guidance and picture for people at a step of the calibration, for screens with text.

Its prompts know no words of the appliance: they say here what those of a game say themselves.
"""

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np

from appliance.guidance import GO_BACK, Guidance, guidance
from appliance.picture import Picture
from appliance.service.pointing import MARK_BGR, magnified_view
from appliance.service.view import View
from appliance.words import Verbatim, say, write
from calibration.markers.printed import MARKER_NAMES
from calibration.wizard.pages import Page
from calibration.wizard.pointing import ZOOMS, Pointing
from calibration.wizard.prompts import (
    CheckPrompt,
    ItemsPrompt,
    PagePrompt,
    PointPrompt,
    WizardPrompt,
)
from vision.frame import Frame


def calibration_view(
    said: WizardPrompt,
    pointing: Pointing | None,
    frame: Frame | None,
    board: Picture | None,
    *,
    hands: bool,
) -> View:
    """The view of a calibration: the whole picture, with the tray where it was found."""
    tray = None if frame is None else frame.shown.copy()
    if tray is not None and isinstance(said, PagePrompt) and said.outline:
        corners = np.array(said.outline) * tray.shape[1::-1]
        thick = max(2, tray.shape[1] // 100)
        cv2.polylines(tray, [np.rint(corners).astype(np.int32)], True, MARK_BGR, thick)
    if frame is None or pointing is None:
        return View(board, tray, (), wizard_guidance(said, hands))
    tray, near = magnified_view(frame.image, pointing)
    return View(board, tray, (near,), wizard_guidance(said, hands), pointing=True)


_LAYS: Mapping[str, str] = MappingProxyType(
    {
        Page.POWER.value: "SPACE|puts it in the tray",
        Page.HOLDER.value: "SPACE|puts dice in the holder",
        Page.CARD.value: "SPACE|puts the card there, or takes it away",
    }
)
"""What somebody at a simulated tray does for a page, by its title."""


def wizard_guidance(said: WizardPrompt, hands: bool = True) -> Guidance:
    """The guidance for a step of the calibration; `hands` is as in `Prompt.can_do`."""
    keys = ("ENTER|OK", "← →|change", GO_BACK)
    match said:
        case ItemsPrompt():
            asks = f"{said.place} {write(said.item)}: {write(said.problem or said.stands)}"
            return guidance(Verbatim(asks), *keys)
        case PagePrompt():
            lines = (*said.says, said.problem, said.cure, said.beside)
            if said.refused:
                lines = (said.problem, said.cure, *said.says, said.beside)
            # As on the board's pages; what LEFT and RIGHT do may be what is asked for.
            asks = write(*dict.fromkeys(filter(None, lines)), between=", ")
            title = f"{write(said.title)} {said.place}".rstrip()
            lays = hands and _LAYS.get(said.title, "SPACE|empties the tray")
            return guidance(Verbatim(f"{title}: {asks}"), lays, *keys)
        case PointPrompt(number=number, zoom=zoom, problem=problem):
            said_before = f"{write(problem)}." if problem else ""
            return pointing_guidance(number, zoom == ZOOMS - 1, said_before, at_buttons=True)
        case CheckPrompt(faces=None):
            pages = "; ".join(write(*lines) for lines in said.pages)
            throws = hands and "SPACE|throws all dice"
            return guidance(Verbatim(f"{write('CHECK DICE')}: {pages}"), throws, GO_BACK)
        case CheckPrompt(faces=tuple() as faces, chosen=chosen, there=there):
            shown = " ".join("?" if face is None else say(str(face)) for face in faces)
            if chosen is not None:
                shown += say("; correcting die {number}", number=chosen + 1)
            asks = "check, {seen} of {there} dice: {faces}"
            return guidance(asks, *keys, seen=len(faces), there=there, faces=shown)
        case _:
            pages = "; ".join(write(*lines) for lines in said.pages)
            return guidance(Verbatim(pages), *keys)


def pointing_guidance(
    number: int, takes: bool, said: str = "", *, at_buttons: bool = False
) -> Guidance:
    """The guidance while one of the floor's corners is pointed at.

    Args:
        number: which one, from 0.
        takes: whether OK takes it, and does not only look more closely.
        said: a sentence on why it starts again.
        at_buttons: whether buttons move the cross, of which none is up or down.
    """
    ways = ("← →|move the cross sideways", "1 2|up and down")
    return guidance(
        "{said} Corner {number} of 4, {place} of the floor",
        *(ways if at_buttons else ("← → ↑ ↓|move the cross",)),
        "ENTER|takes it" if takes else "ENTER|looks closer",
        GO_BACK,
        said=said,
        number=number + 1,
        place=say(MARKER_NAMES[number]),
    )
