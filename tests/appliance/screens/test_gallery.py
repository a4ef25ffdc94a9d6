"""The gallery shows every screen there is, and matches the product."""

from xml.etree import ElementTree

from appliance.picture import Picture
from tests.paths import ROOT
from tests.rigs.gallery import SITUATIONS, drawings, kinds_of_prompts, page, pictures, svg

DOCS = ROOT / "docs"
ANEW = "run scripts/make_gallery.py and look at what changed"


def test_the_page_and_its_drawings_are_up_to_date() -> None:
    made = drawings()
    kept = {path.name: path.read_text() for path in (DOCS / "screens").glob("*.svg")}
    assert sorted(made) == sorted(kept), ANEW
    stale = [name for name, text in made.items() if kept[name] != text]
    assert not stale, ANEW
    assert (DOCS / "screens.md").read_text() == page("screens"), ANEW


def test_every_kind_of_prompt_is_in_the_gallery() -> None:
    scenes = [scene for situation in SITUATIONS for scene in situation.scenes]
    shown = {type(scene.prompt).__name__ for scene in scenes}
    assert shown == kinds_of_prompts().keys()


def test_names_differ_and_every_scene_says_something() -> None:
    scenes = [scene for situation in SITUATIONS for scene in situation.scenes]
    assert len({scene.name for scene in scenes}) == len(scenes)
    for scene in scenes:
        assert scene.says.endswith(".")
        assert 1 <= len(pictures(scene)) <= 9


def test_a_drawing_has_as_many_lights_as_its_pictures() -> None:
    two = (Picture(bytes([0x81]) * 128), Picture(bytes([0x10]) + bytes(127)))
    drawn = ElementTree.fromstring(svg(two))
    paths = [path.get("d", "") for path in drawn.iter() if path.tag.endswith("path")]
    assert [path.count("h0") for path in paths] == [256, 1]
    # The light in column 3 of the second picture.
    assert paths[1] == f"M{1 + 66 + 3}.5 1.5h0"
