"""Lines that are not what was written are seen, and taken from the other place."""

import random
import zlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.journal import sums
from appliance.journal.sums import SECTOR_BYTES, Lines, encode, read_lines

LINES = tuple(f"roll {n % 6 + 1} 2 3 4 5" for n in range(8))
DATA, LAST = encode(LINES)

TEXTS = st.lists(st.sampled_from(["roll 1 2 3 4 5", "score chance", "[Ended true]", "undo 1", ""]))


def is_all(lines: Lines, texts: Sequence[str] = LINES) -> bool:
    return lines.texts == tuple(texts) and not lines.damaged and not lines.uncounted


def size_of(count: int) -> int:
    """How many bytes the first lines have."""
    return len(encode(LINES[:count])[0])


def test_a_line_ends_with_the_sum_of_all_lines_up_to_it() -> None:
    # The CRC-32 of the four bytes "\none", and of the eight "\none\ntwo".
    first, last = zlib.crc32(b"\none"), zlib.crc32(b"\none\ntwo")
    assert encode(("one", "two")) == (f"one  #{first:08x}\ntwo  #{last:08x}\n".encode(), last)
    assert encode(("two",), first)[0] == encode(("one", "two"))[0].splitlines(keepends=True)[1]


def test_what_was_written_is_sound() -> None:
    assert read_lines(DATA, DATA) == Lines(LINES, LAST, len(DATA), copied=len(DATA))
    assert read_lines(b"") == Lines((), 0, 0, copied=0)


@pytest.mark.parametrize("text", ["a\nb", "\udcff", "Ä  #00000000", "#", "  #", "\x00"])
def test_any_text_is_one_line(text: str) -> None:
    data, _ = encode((text, "next"))
    assert read_lines(data).texts == (text.replace("\n", " "), "next")


@pytest.mark.parametrize("count", range(len(LINES) + 1))
def test_a_second_place_that_is_behind_says_how_far_it_is(count: int) -> None:
    lines = read_lines(DATA, DATA[: size_of(count)])
    assert is_all(lines)
    assert (lines.copied, lines.mended) == (size_of(count), False)


def test_every_other_bit_is_seen_and_costs_nothing_from_one_place() -> None:
    for place in range(len(DATA)):
        for bit in range(8):
            rotten = bytearray(DATA)
            rotten[place] ^= 1 << bit
            alone = read_lines(bytes(rotten))
            assert alone.texts == LINES[: len(alone.texts)]
            assert len(alone.texts) < len(LINES)
            assert alone.damaged or alone.torn
            mended = read_lines(bytes(rotten), DATA)
            assert is_all(mended)
            assert mended.mended
            behind = read_lines(DATA, bytes(rotten))
            assert is_all(behind)
            assert (behind.mended, behind.copied) == (False, -1)


def test_lines_that_are_missing_swapped_or_of_another_file_are_seen() -> None:
    each = DATA.splitlines(keepends=True)
    other = encode(("another game", *LINES))[0].splitlines(keepends=True)
    for wrong in (
        [*each[:3], *each[4:]],
        [*each[:3], each[4], each[3], *each[5:]],
        [*each[:3], *other[4:]],
    ):
        lines = read_lines(b"".join(wrong))
        # Of two that are swapped, the first is found behind the second.
        assert lines.texts in (LINES[:3], LINES[:4])
        assert lines.damaged
        assert lines.uncounted


@pytest.mark.parametrize("cut", range(1, len(LINES[-1]) + 11))
def test_what_a_power_cut_leaves_of_the_last_line_is_no_damage(cut: int) -> None:
    rest = DATA[: len(DATA) - cut]
    for left in (rest, rest + bytes(cut), rest + bytes(5000)):
        lines = read_lines(left, DATA[: size_of(4)])
        assert is_all(lines, LINES[:-1])
        assert lines.torn
        assert not lines.mended
        assert lines.size == size_of(len(LINES) - 1)


def test_a_torn_write_of_many_lines_is_no_damage_but_a_sector_of_zeros_is() -> None:
    shown, _ = encode([f"roll 1 2 3 4 {n % 6 + 1}" for n in range(30)])
    data, _ = encode([f"roll 1 2 3 4 {n % 6 + 1}" for n in range(90)])
    assert len(shown) % SECTOR_BYTES
    end = -(-len(shown) // SECTOR_BYTES) * SECTOR_BYTES
    # The sectors after the first were written, that one was not.
    torn = data[: len(shown)] + bytes(end - len(shown)) + data[end:]
    for second in (shown, shown[: shown.find(b"\n") + 1], b""):
        found = read_lines(torn, second)
        assert (found.size, found.copied) == (len(shown), len(second))
        assert found.torn
        assert not found.damaged
        assert not found.mended
        assert not found.uncounted
    # What the second place has is no torn write, nor are zeros in the middle of a line.
    assert read_lines(torn, data).texts == read_lines(data).texts
    hit = data[:end] + bytes(SECTOR_BYTES) + data[end + SECTOR_BYTES :]
    assert read_lines(hit, shown).damaged


@pytest.mark.parametrize("count", range(len(LINES) + 1))
def test_what_a_power_cut_leaves_of_the_second_place_is_no_damage(count: int) -> None:
    for left in (DATA[: size_of(count)] + DATA[:7], DATA[: size_of(count)] + bytes(30)):
        left = left[: len(DATA)]
        lines = read_lines(DATA, left)
        assert is_all(lines)
        assert not lines.mended
        assert lines.copied in (-1, len(left))


def test_the_first_place_may_be_shorter_than_the_second_or_gone() -> None:
    for count in range(len(LINES)):
        for tail in (b"", b"rol"):
            lines = read_lines(DATA[: size_of(count)] + tail, DATA)
            assert is_all(lines)
            assert lines.mended


def test_two_damages_at_different_lines_cost_nothing() -> None:
    """Also where line breaks came or went, so that lines have other numbers in both places."""
    for one in range(len(LINES)):
        for other in range(len(LINES)):
            if one == other:
                continue
            first, second = bytearray(DATA), bytearray(DATA)
            first[size_of(one) + 3] = ord("\n")
            second[size_of(other) + 3] = 0
            assert is_all(read_lines(bytes(first), bytes(second))), (one, other)
            assert is_all(read_lines(bytes(second), bytes(first))), (one, other)


def test_what_both_places_lost_ends_what_counts_and_the_rest_is_kept() -> None:
    rotten = DATA.replace(LINES[3].encode(), b"roll 6 6 6 6 6")
    lines = read_lines(rotten, rotten)
    assert lines.texts == LINES[:3]
    assert lines.damaged
    assert lines.uncounted == ("roll 6 6 6 6 6", *LINES[4:])


def test_what_cannot_be_read_behind_a_loss_is_not_kept_as_text() -> None:
    rotten = bytearray(DATA)
    rotten[size_of(2) : size_of(3) - 1] = bytes([0xFF, 7, 0]) * 6 + b"x" * 4000
    lines = read_lines(bytes(rotten))
    assert lines.damaged
    assert all(text.isprintable() and len(text) <= 200 for text in lines.uncounted)
    assert lines.uncounted[1:] == LINES[3:]


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Any damage of one place: a cut, zeros, any bytes, line breaks, of some or of all of it."""
    rotten = bytearray(data)
    at = rng.randrange(len(data) + 1)
    size = rng.choice((1, 2, 8, 64, 512, len(data)))
    how = rng.randrange(4)
    if how == 0:
        del rotten[at:]
    elif how == 1:
        rotten[at : at + size] = bytes(len(rotten[at : at + size]))
    elif how == 2:
        rotten[at : at + size] = rng.randbytes(len(rotten[at : at + size]))
    else:
        rotten[at : at + size] = b"\n" * len(rotten[at : at + size])
    return bytes(rotten)


@given(texts=TEXTS, behind=st.integers(0, 9), seed=st.randoms(use_true_random=False))
def test_any_damage_of_one_place_costs_nothing(
    texts: list[str], behind: int, seed: random.Random
) -> None:
    data, _ = encode(texts)
    lines = read_lines(damaged(data, seed), data)
    assert lines.texts == tuple(texts)
    assert not lines.damaged
    copied = encode(texts[: max(0, len(texts) - behind)])[0]
    lines = read_lines(data, damaged(copied, seed))
    assert lines.texts == tuple(texts)
    assert not lines.mended


@given(texts=TEXTS, seed=st.randoms(use_true_random=False))
def test_any_damage_of_both_places_leaves_a_prefix_and_never_a_wrong_line(
    texts: list[str], seed: random.Random
) -> None:
    data, _ = encode(texts)
    lines = read_lines(damaged(damaged(data, seed), seed), damaged(data, seed))
    assert lines.texts == tuple(texts[: len(lines.texts)])
    assert encode(lines.texts)[1] == lines.last_sum


def test_a_long_file_of_wrong_lines_is_read_in_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line continues a sum that stands far behind it, in the other place."""
    from appliance.journal import sums

    calls = 0
    real = sums._sum

    def counted(before: int, raw: bytes) -> int:
        nonlocal calls
        calls += 1
        return real(before, raw)

    monkeypatch.setattr(sums, "_sum", counted)
    each = encode(str(n) for n in range(500))[0].splitlines(keepends=True)
    wrong = b"".join(b"x\n" * 40 + line for line in each)
    read_lines(wrong, b"y\n" * 20_000)
    assert calls < 50 * 2 * 60_000
    assert calls > 1000


@pytest.mark.parametrize("second", [b"", b"x"])
def test_what_is_no_text_does_not_count_whatever_its_checksum(second: bytes) -> None:
    good, before = encode(("one",))
    raw = b"two \xea"
    bad = raw + b"  #%08x\n" % sums._sum(before, raw)
    assert read_lines(good + bad, second).texts == ("one",)
