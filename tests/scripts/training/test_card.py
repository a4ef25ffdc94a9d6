"""The cards of the networks."""

from scripts.training.card import CARDS, WEIGHTS, made, operations


def test_operations_grow_with_the_picture_where_any_size_is_taken() -> None:
    (heat_map,) = (card for card in CARDS if card.any_size)
    channels, height, width = heat_map.patch
    whole = operations(WEIGHTS / heat_map.file, heat_map.patch)
    half = operations(WEIGHTS / heat_map.file, (channels, height, width // 2))
    assert whole == 2 * half
    # The first layer: 16 kernels of 3x3x3 at every other pixel of both axes.
    assert whole > 2 * 16 * channels * 9 * (height // 2) * (width // 2)


def test_the_table_says_what_size_operations_are_counted_for() -> None:
    rows = {card.file: card for card in CARDS}
    for line in made().splitlines():
        if line.startswith("| `"):
            card = rows.pop(line.split("`")[1])
            channels, height, width = card.patch
            assert line.count(f"{height}×{width}") == 1
            assert (f"{channels}×any size" in line) == card.any_size
            assert (f"million for {height}×{width}" in line) == card.any_size
    assert not rows
