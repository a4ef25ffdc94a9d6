import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.render.dice_model import PowerArt
from tests.vision.faces import BLACK, BLUE, WHITE, YELLOW, all_faces, draw_face, patch_of
from vision.errors import Blurred, FaceRefused, NoPrint, TooAlike, WhitedOut
from vision.frame import Image
from vision.geometry.profile import FACE_SIDE
from vision.image.numeric import levels_of, light_of
from vision.power_die.faces import (
    MIN_CLAIM_PROBABILITY,
    MIN_LIKENESS_OF_TURNED,
    MIN_TURNED_LIKENESS,
    LearnedFaces,
    Match,
    best_match,
    learn,
    match_at,
)
from vision.power_die.print import PRINT_PATCH_EDGE_PX, print_of, print_to_learn
from vision.reading import POWER_FACES

ARTS = {
    "anchor, sails, sunburst": PowerArt(),
    "bolt, squares, snowflake": PowerArt(designs=(3, 3, 3, 1, 1, 1), font=1),
    "star, rings, bars": PowerArt(designs=(1, 1, 1, 3, 3, 2), font=2),
    "small, turned": PowerArt(designs=(0, 0, 0, 2, 2, 3), scale=0.85, turns=(1, 2, 3, 1, 0, 2)),
}


def likenesses(patch: Image, faces: LearnedFaces) -> dict[str, float]:
    """The best correlation of a patch with each face."""
    return faces._correlate(print_of(patch))[0]


def match(patch: Image, faces: LearnedFaces) -> Match:
    """Recognises which face a patch shows."""
    return best_match(likenesses(patch, faces), faces.alike)


@pytest.fixture(scope="module", params=ARTS, ids=list(ARTS))
def learnt(request: pytest.FixtureRequest) -> tuple[PowerArt, LearnedFaces]:
    art = ARTS[request.param]
    return art, learn(all_faces(art))


def seen(name: str, art: PowerArt, **how: float) -> Image:
    return patch_of(draw_face(name, art, **how), off=(1.0, -1.2))  # type: ignore[arg-type]


@pytest.mark.parametrize("turn", [0, 37, 133, 251])
def test_faces_are_recognised_at_any_turn(learnt: tuple[PowerArt, LearnedFaces], turn: int) -> None:
    art, faces = learnt
    for name in POWER_FACES:
        found = match(seen(name, art, turn=turn, seed=turn), faces)
        assert found.faces[0][0] == name
        assert found.faces[0][1] > 0.95


@pytest.mark.parametrize(
    "light", [{"gain": 0.45}, {"gain": 1.1}, {"slope": 0.35, "gain": 0.8}, {"noise": 7.0}]
)
def test_faces_are_recognised_in_any_light(
    learnt: tuple[PowerArt, LearnedFaces], light: dict[str, float]
) -> None:
    art, faces = learnt
    for turn, name in enumerate(POWER_FACES):
        found = match(seen(name, art, turn=61.0 * turn, **light), faces)
        assert found.faces[0][0] == name
        assert found.faces[0][1] > 0.9


@pytest.mark.parametrize(
    ("body", "ink"),
    [
        (BLACK, (220, 225, 225)),
        (WHITE, (30, 30, 35)),
        (YELLOW, (25, 25, 25)),
        (BLUE, (40, 200, 60)),
    ],
)
def test_any_colour_of_body_and_print_will_do(
    body: tuple[int, int, int], ink: tuple[int, int, int]
) -> None:
    art = PowerArt()
    faces = learn(
        [(n, patch_of(draw_face(n, art, body=body, ink=ink, turn=15))) for n in POWER_FACES]
    )
    for name in POWER_FACES:
        picture = draw_face(name, art, body=body, ink=ink, turn=200, gain=0.7, seed=4)
        found = match(patch_of(picture), faces)
        assert (found.faces[0][0], found.faces[0][1] > 0.95) == (name, True)


def test_probabilities_add_up(learnt: tuple[PowerArt, LearnedFaces]) -> None:
    art, faces = learnt
    found = match(seen("2", art, turn=30), faces)
    assert sum(p for _, p in found.faces) + found.none == pytest.approx(1.0)
    assert {v for v, _ in found.faces} == set(POWER_FACES)
    assert list(found.faces) == sorted(found.faces, key=lambda f: -f[1])


@pytest.mark.parametrize("alike", [MIN_TURNED_LIKENESS + 0.05, MIN_TURNED_LIKENESS - 0.05])
def test_a_face_that_is_another_one_turned_must_be_plain(alike: float) -> None:
    """A 1 upside down was read as a 3 with 0.98."""
    others = {"2": 0.3, "double": 0.2, "freeze": 0.1, "power": 0.1}
    pairs = {(a, b): 0.4 for a in ("1", "3", *others) for b in ("1", "3", *others) if a != b}
    pairs |= {("1", "3"): alike, ("3", "1"): alike}
    doubted = {"3": MIN_LIKENESS_OF_TURNED - 0.01, "1": 0.76, **others}
    asks = alike > MIN_TURNED_LIKENESS
    (first, probability), (second, other) = best_match(doubted, pairs).faces[:2]
    assert (first, second) == ("3", "1")
    assert (probability < MIN_CLAIM_PROBABILITY) is asks
    assert (other == pytest.approx(probability)) is asks
    plain = {**doubted, "3": MIN_LIKENESS_OF_TURNED}
    assert best_match(plain, pairs).faces[0][1] > MIN_CLAIM_PROBABILITY


def test_a_print_never_learnt_is_none_of_these() -> None:
    one, other = PowerArt(), PowerArt(designs=(3, 3, 3, 1, 1, 1))
    faces = learn(all_faces(one))
    for name in ("double", "freeze", "power"):
        found = match(seen(name, other, turn=20), faces)
        assert found.none > 0.5, name


def test_a_face_left_out_is_not_taken_for_another() -> None:
    art = ARTS["bolt, squares, snowflake"]
    faces = learn([(n, p) for n, p in all_faces(art) if n != "freeze"])
    assert faces.values == ("1", "2", "3", "double", "power")
    assert match(seen("freeze", art, turn=70), faces).faces[0][1] < 0.5


def test_a_bare_face_is_none_of_these(learnt: tuple[PowerArt, LearnedFaces]) -> None:
    rng = np.random.default_rng(3)
    bare = np.clip(rng.normal(90, 3, (48, 48, 3)), 0, 255).astype(np.uint8)
    assert match(bare, learnt[1]).none > 0.9


def test_nothing_learnt_says_none() -> None:
    found = match(seen("1", PowerArt()), LearnedFaces(()))
    assert (found.faces, found.none) == ((), 1.0)


def test_the_same_face_under_two_names_is_refused() -> None:
    art = PowerArt()
    faces = learn([("1", patch_of(draw_face("1", art)))])
    with pytest.raises(TooAlike, match=r"2: looks like 1.*right face up") as refused:
        learn([("2", patch_of(draw_face("1", art, turn=130, gain=0.8, seed=1)))], faces)
    assert (refused.value.value, refused.value.other) == ("2", "1")
    assert refused.value.likeness > 0.95


def test_several_takes_of_one_face_are_welcome() -> None:
    art = PowerArt()
    takes = [("1", patch_of(draw_face("1", art, turn=t, seed=t))) for t in (0, 50, 200)]
    faces = learn(takes)
    assert len(faces.prints) == 3
    assert faces.values == ("1",)


@pytest.mark.parametrize("glare", [0.75, 1.0])
def test_a_face_in_glare_is_refused(glare: float) -> None:
    picture = draw_face("3", PowerArt(), glare=glare)
    with pytest.raises(WhitedOut, match="3: glare hides") as refused:
        learn([("3", patch_of(picture))])
    assert refused.value.share > 0.5


def test_a_white_die_is_no_glare() -> None:
    picture = draw_face("3", PowerArt(), body=(240, 244, 246), ink=(30, 30, 30))
    assert learn([("3", patch_of(picture))]).values == ("3",)


def test_a_wide_white_print_is_no_glare() -> None:
    art = PowerArt(designs=(0, 0, 0, 1, 0, 0), scale=1.15)
    picture = draw_face("double", art, ink=(253, 253, 253))
    assert learn([("double", patch_of(picture))]).values == ("double",)


def test_a_blurred_face_is_refused() -> None:
    with pytest.raises(Blurred, match="focus"):
        learn([("freeze", patch_of(draw_face("freeze", PowerArt(), blur=5.0, noise=0.5)))])


def test_a_bare_face_is_refused() -> None:
    picture = draw_face("1", PowerArt(), ink=BLUE)
    with pytest.raises(NoPrint, match="contrast"):
        learn([("1", patch_of(picture))])


def test_refusals_share_a_base() -> None:
    for kind in (WhitedOut, NoPrint, Blurred, TooAlike):
        assert issubclass(kind, FaceRefused)


@settings(max_examples=12, deadline=None)
@given(
    name=st.sampled_from(POWER_FACES),
    turn=st.floats(0, 360),
    gain=st.floats(0.5, 1.1),
    slope=st.floats(-0.3, 0.3),
    x=st.floats(-2, 2),
    y=st.floats(-2, 2),
    seed=st.integers(0, 10_000),
)
def test_turn_light_and_place_do_not_change_the_face(
    name: str, turn: float, gain: float, slope: float, x: float, y: float, seed: int
) -> None:
    art = ARTS["anchor, sails, sunburst"]
    picture = draw_face(name, art, turn=turn, gain=gain, slope=slope, seed=seed)
    found = match(patch_of(picture, off=(x, y)), _original())
    assert found.faces[0][0] == name


_LEARNT: list[LearnedFaces] = []


def _original() -> LearnedFaces:
    if not _LEARNT:
        _LEARNT.append(learn(all_faces(ARTS["anchor, sails, sunburst"])))
    return _LEARNT[0]


def veiled(patch: Image) -> Image:
    """A lamp reflected in part of a face, in a picture so dark that no pixel saturates."""
    across = np.linspace(0, 1, patch.shape[1])[None, :, None]
    light = 0.4 * light_of(patch) + 0.5 * np.clip(20 * (across - 0.4), 0, 1)
    return np.rint(levels_of(light)).astype(np.uint8)


def test_a_lamp_that_mirrors_in_a_face_is_taken_out(learnt: tuple[PowerArt, LearnedFaces]) -> None:
    art, faces = learnt
    middle = np.full(2, (FACE_SIDE - 1) / 2)
    for turn, name in enumerate(POWER_FACES):
        patch = veiled(seen(name, art, turn=47.0 * turn, seed=turn))
        found = match_at(patch, middle, np.eye(2) * PRINT_PATCH_EDGE_PX, faces)
        assert found.faces[0][0] == name
        assert found.likeness > likenesses(patch, faces)[name] + 0.05


def test_what_light_takes_from_a_print_without_colour_is_not_learnt() -> None:
    patch = veiled(patch_of(draw_face("3", PowerArt(), body=BLACK, ink=(220, 225, 225))))
    assert (print_to_learn(patch) == print_of(patch)).all()
