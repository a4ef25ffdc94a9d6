import re
from pathlib import Path

import numpy as np
import pytest

from scripts.training import card as cards
from scripts.training.card import CARDS, PAGE, WEIGHTS, Card, layered, page
from scripts.training.recipe import RECIPE
from vision.classify import face, posture
from vision.detect import tops


def test_the_page_is_of_the_networks_that_are_shipped() -> None:
    written = PAGE.read_text("utf-8")
    assert page(written) == written
    files = {face.FACE_WEIGHTS, posture.POSTURE_WEIGHTS, tops.TOPS_WEIGHTS}
    assert {card.file for card in CARDS} == files


def test_another_network_needs_another_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for card in CARDS:
        (tmp_path / card.file).write_bytes(b"another network")
    monkeypatch.setattr(cards, "WEIGHTS", tmp_path)
    with pytest.raises(SystemExit, match="expected the file of its card"):
        cards.made(CARDS)


def test_every_step_of_the_recipe_uses_what_is_made_before_it() -> None:
    views, *networks = RECIPE
    for network, result in zip(networks, ("faces", "postures", "tops"), strict=True):
        made = set[str]()
        for step in (*views, *network):
            used = set(re.findall(r"\{work\}/([\w-]+)(?:\.\w+)?", step.partition("--out")[0]))
            assert used <= made, step
            made |= set(re.findall(r"--out \{work\}/([\w-]+)", step))
        assert result in made


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.file)
def test_no_sum_of_products_overflows_on_any_processor(card: Card) -> None:
    # Processors that cannot add four products in 32 bits add two, of 8 and 7 bits, in 16.
    net = layered(WEIGHTS / card.file)
    layers = [net.getLayer(name) for name in net.getLayerNames()]
    weights = [one.blobs[0] for one in layers if one.type == "Convolution"]
    # The first stays in floating point, and so does a heat map's last.
    weights = weights[1:-1] if card.any_size else weights[1:]
    assert len(weights) >= 5
    for channel in (channel for one in weights for channel in one):
        steps = np.abs(channel) / np.abs(channel).max() * 64
        np.testing.assert_allclose(steps, np.rint(steps), atol=0.02)
