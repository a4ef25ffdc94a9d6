"""The card image: what rpi-image-gen, Raspberry Pi Imager and the hosted checks are told.

No image is built here. The rules are those of raspberrypi/rpi-image-gen (docs/layer/index.adoc at
02b5aabb, site/validators.py at d409bd28, site/metadata_parser.py at 6a12511a) and of
raspberrypi/rpi-imager (doc/json-schema/os-list-schema.json at 05f1c4db, doc/schema-notes.md at
245d3096).
"""

import hashlib
import json
import lzma
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts import make_imager_list
from scripts.make_imager_list import DEVICES, imager_list
from tests.paths import ROOT
from tests.systemd.machine import write
from tests.systemd.test_package import make

IMAGE = ROOT / "systemd/image"
LAYER = (IMAGE / "layer/dicetray.yaml").read_text("utf-8")
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FIELDS = {"Name", "Description", "Desc", "Category", "Version", "Requires", "Provides"} | {
    *("RequiresProvider", "AfterProvider", "Conflicts", "Type", "Generator", "Sets")
}
"""The fields that describe a layer; `Desc` is how rpi-image-gen's own layers spell it."""
ATTRIBUTES = {"Description", "Desc", "Required", "Valid", "Set", "Triggers", "Conflicts", "Anchor"}


def metadata(text: str) -> dict[str, str]:
    """The fields between METABEGIN and METAEND, as deb822.

    Raises:
        ValueError: rpi-image-gen would refuse them.
    """
    block = re.search(r"^# METABEGIN\n(.*?)^# METAEND\n", text, re.M | re.S)
    if block is None:
        raise ValueError("expected METABEGIN and METAEND")
    found = dict[str, str]()
    last = ""
    for line in block[1].splitlines():
        said = line.removeprefix("#").removeprefix(" ")
        if not said.strip():
            continue
        if said.startswith(" ") and last:
            found[last] += said
            continue
        name, colon, value = said.partition(":")
        if not colon or not re.fullmatch(r"X-Env-[\w-]+", name) or name in found:
            raise ValueError(f"expected a new field X-Env-..., found {said}")
        last, found[name] = name, value.strip()
    for name in found:
        kind = re.fullmatch(
            r"X-Env-(?:Layer-(\w+)|VarPrefix|VarRequires(?:-Valid)?|Var-(\w+)(?:-(\w+))?)", name
        )
        if kind is None or (kind[1] and kind[1] not in FIELDS):
            raise ValueError(f"unsupported field {name}")
        if kind[2] and "X-Env-VarPrefix" not in found:
            raise ValueError("expected X-Env-VarPrefix")
        if kind[3] and (kind[3] not in ATTRIBUTES or f"X-Env-Var-{kind[2]}" not in found):
            raise ValueError(f"unsupported or orphaned attribute {name}")
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", found.get("X-Env-Layer-Version", "")):
        raise ValueError("expected a version MAJOR.MINOR.PATCH")
    if not found.get("X-Env-Layer-Name"):
        raise ValueError("expected X-Env-Layer-Name")
    return found


class _Loader(yaml.BaseLoader):  # type: ignore[misc]
    """All scalars are texts, `on` among them; a key may not come twice, as YAML 1.2 wants it."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(made) < len(node.value):
            raise yaml.MarkedYAMLError(problem="a key comes twice", problem_mark=node.start_mark)
        return made


def read_yaml(text: str) -> Any:
    """The one document of a file."""
    return yaml.load(text, _Loader)


def node(found: Any, *keys: str) -> Any:
    for key in keys:
        assert isinstance(found, dict)
        found = found[key]
    return found


def hooks() -> list[str]:
    found = node(read_yaml(LAYER), "mmdebstrap", "customize-hooks")
    assert isinstance(found, list)
    return [hook for hook in found if isinstance(hook, str)]


def run_hook(hook: str, root: Path, **more: str) -> None:
    """As mmdebstrap runs it: by sh, with the image's root as its first argument."""
    subprocess.run(["sh", "-c", hook, "exec", root], env={**os.environ, **more}, check=True)


def test_the_layer_has_the_metadata_that_rpi_image_gen_asks_for() -> None:
    found = metadata(LAYER)
    assert found["X-Env-Layer-Name"] == "dicetray"
    # Else its hooks could run before there is a config.txt.
    assert "rpi-boot-firmware" in found["X-Env-Layer-Requires"].split(",")
    for name in re.findall(r"IGconf_dicetray_(\w+)", LAYER):
        assert f"X-Env-Var-{name}" in found
        assert found[f"X-Env-Var-{name}-Valid"] == "string"
        assert found[f"X-Env-Var-{name}-Set"] in {"y", "immediate", "lazy", "force"}


@pytest.mark.parametrize(
    ("of", "to"),
    [
        ("# METAEND\n", ""),
        ("-Layer-Version: 1.0.0", "-Layer-Version: 1.0"),
        ("X-Env-VarPrefix: dicetray", ""),
        ("X-Env-Layer-Category", "X-Env-Layer-Kategorie"),
        ("X-Env-Var-package: ", "X-Env-Var-paket: "),
        ("#  its Debian package", "# its Debian package"),
    ],
)
def test_metadata_that_rpi_image_gen_refuses_is_noticed(of: str, to: str) -> None:
    assert of in LAYER
    with pytest.raises(ValueError, match=r"expected|unsupported"):
        metadata(LAYER.replace(of, to, 1))


@pytest.mark.parametrize("text", ["a:\n - b\n  c: d", "a: b\na: c", "a: b: c", "a: *b", "\ta: b"])
def test_what_is_not_plain_yaml_is_refused(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        read_yaml(text)


def test_the_image_has_what_the_package_only_recommends() -> None:
    control = (ROOT / "systemd/package/control").read_text("utf-8")
    (recommended,) = re.findall(r"^Recommends: (.*)$", control, re.M)
    assert node(read_yaml(LAYER), "mmdebstrap", "packages") == recommended.split(", ")


@pytest.mark.parametrize(
    "before", ["", "arm_64bit=1", "#camera_auto_detect=1\n[cm4]\notg_mode=1\n"]
)
def test_the_firmware_looks_for_the_camera_on_every_board(tmp_path: Path, before: str) -> None:
    file = tmp_path / "boot/firmware/config.txt"
    write(file, before)
    run_hook(hooks()[1], tmp_path)
    after = file.read_text()
    assert after == f"{before}\n[all]\ncamera_auto_detect=1\n"
    run_hook(hooks()[1], tmp_path)
    assert file.read_text() == after


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="skipped: no dpkg-deb here")
def test_the_package_is_left_to_the_first_start(tmp_path: Path) -> None:
    root, programs = tmp_path / "root", tmp_path / "bin"
    (root / "tmp").mkdir(parents=True)
    unpack = (
        '#!/bin/sh\necho "$@" >"$1/asked"\neval "file=\\${$#}"\nexec dpkg-deb -x "$1$file" "$1"\n'
    )
    write(programs / "chroot", unpack, 0o755)
    path = f"{programs}:{os.environ['PATH']}"
    package = make(tmp_path, "2.0", None)
    run_hook(hooks()[0], root, PATH=path, IGconf_dicetray_package=str(package))
    asked = (root / "asked").read_text().split()
    assert asked[1:3] == ["apt-get", "install"]
    assert not list((root / "tmp").iterdir())
    wanted = root / "usr/lib/systemd/system/multi-user.target.wants/dicetray-package.service"
    assert "setup.sh" in wanted.read_text()
    assert not (root / "opt").exists()


def test_the_configuration_is_one_image_without_desktop_password_or_ssh() -> None:
    found = read_yaml((IMAGE / "config/dicetray.yaml").read_text("utf-8"))
    assert node(found, "layer", "app") == metadata(LAYER)["X-Env-Layer-Name"]
    assert node(found, "device") == {"layer": "rpi-generic64", "hostname": "dicetray"}
    layers = node(found, "layer")
    assert isinstance(layers, dict)
    assert not [name for name in layers.values() if re.search("ssh|desktop|wayland|x11", str(name))]
    # site/validators.py: SizeValidator
    for name in ("boot_part_size", "root_part_size"):
        assert re.fullmatch(r"\d+[kKmMgGsS]?|[1-9]\d*%", str(node(found, "image", name)))


@pytest.fixture
def image(tmp_path: Path) -> Path:
    file = tmp_path / "dicetray-1.0.0.img.xz"
    file.write_bytes(lzma.compress(b"\0" * 3_000_000))
    os.utime(file, (1_700_000_000, 1_700_000_000))
    return file


def test_imager_is_told_what_the_images_file_says(image: Path) -> None:
    made = imager_list(image, "https://example.org/1.0.0/")
    assert list(made) == ["os_list"]  # "imager" is for Raspberry Pi's own list only
    entries = made["os_list"]
    assert isinstance(entries, list)
    (entry,) = entries
    # The schema's "required", and `devices`, which the notes require.
    needed = {"name", "description", "icon", "url", "release_date", "extract_sha256"}
    assert all(isinstance(entry[name], str) and entry[name] for name in needed)
    assert (entry["extract_size"], entry["image_download_size"]) == (
        3_000_000,
        image.stat().st_size,
    )
    assert entry["extract_sha256"] == hashlib.sha256(b"\0" * 3_000_000).hexdigest()
    assert entry["image_download_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert entry["release_date"] == "2023-11-14"
    assert entry["url"] == "https://example.org/1.0.0/dicetray-1.0.0.img.xz"
    assert entry["devices"] == DEVICES and all(re.fullmatch(r"pi\d-64bit", of) for of in DEVICES)
    assert entry["init_format"] in {"systemd", "cloudinit", "cloudinit-rpi", "none", ""}
    assert json.loads(json.dumps(made)) == made


def test_the_list_says_the_address_of_the_repository_and_one_that_is_given(
    image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "pyproject.toml"
    monkeypatch.setattr(make_imager_list, "PROJECT", project)
    monkeypatch.setattr("sys.argv", ["make_imager_list", str(image)])
    project.write_text('[project]\nversion = "1.0.0"\n')
    assert make_imager_list.main() == 2
    assert "expected the address of the repository, found none" in capsys.readouterr().err
    with project.open("a") as file:
        file.write('[project.urls]\nRepository = "https://example.org/ann/dicetray"\n')
    assert make_imager_list.main() == 0
    (entry,) = json.loads(capsys.readouterr().out)["os_list"]
    there = "https://example.org/ann/dicetray/releases/download/v1.0.0"
    assert (entry["url"], entry["icon"]) == (f"{there}/{image.name}", f"{there}/icon.svg")
    monkeypatch.setattr("sys.argv", ["make_imager_list", "--address", "https://x", str(image)])
    assert make_imager_list.main() == 0
    assert f"https://x/{image.name}" in capsys.readouterr().out


@pytest.fixture
def generator(tmp_path: Path) -> Path:
    """A stand-in for rpi-image-gen, which leaves its image where the real one does."""
    made = tmp_path / "rpi-image-gen"
    script = (
        '#!/bin/sh\necho "$@" >>"$(dirname "$0")/asked"\n[ "$1" = build ] || exit 0\n'
        'made=$(dirname "$0")/work/image-dicetray\n'
        'mkdir -p "$made"\necho card >"$made/dicetray.img"\n'
    )
    write(made / "rpi-image-gen", script, 0o755)
    return made


def make_image(*words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", ROOT / "scripts/make_image", *words]
    return subprocess.run(
        command, env={**os.environ, **more}, capture_output=True, text=True, check=False
    )


def test_the_image_is_built_packed_and_listed(generator: Path, tmp_path: Path) -> None:
    package, out = tmp_path / "dicetray_1.0.0_arm64.deb", tmp_path / "out"
    package.touch()
    done = make_image(generator, package, out, ADDRESS="https://example.org/1")
    assert done.returncode == 0, done.stderr
    asked = (generator / "asked").read_text()
    assert asked.startswith("metadata --lint ")
    assert f"-c dicetray.yaml -- IGconf_dicetray_package={package}\n" in asked
    (packed,) = out.glob("dicetray-*.img.xz")
    assert lzma.decompress(packed.read_bytes()) == b"card\n"
    (entry,) = json.loads((out / "imager.json").read_text())["os_list"]
    assert entry["icon"] == "https://example.org/1/icon.svg"
    assert (out / "icon.svg").is_file()


def test_what_the_image_lacks_is_said_before_it_is_built(generator: Path, tmp_path: Path) -> None:
    package = tmp_path / "dicetray_1.0.0_arm64.deb"
    address = {"ADDRESS": "https://example.org"}
    assert "expected the Debian package" in make_image(generator, package, **address).stderr
    assert "_arm64.deb, found x_amd64.deb" in make_image(generator, "x_amd64.deb", **address).stderr
    package.touch()
    assert "expected a checkout of rpi-image-gen" in make_image(tmp_path, package).stderr
    assert make_image(generator).returncode == 2
    assert not (generator / "asked").exists()


@pytest.mark.parametrize("name", ["dicetray-1.0.0.img", "other-1.0.0.img.xz", "dicetray-.img.xz"])
def test_a_file_of_another_name_is_refused(image: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"expected dicetray-VERSION\.img\.xz"):
        imager_list(image.rename(image.with_name(name)), "https://example.org")


def test_an_image_cut_short_is_refused(image: Path) -> None:
    image.write_bytes(image.read_bytes()[:-20])
    with pytest.raises(ValueError, match="cannot be unpacked"):
        imager_list(image, "https://example.org")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_can_be_read_and_name_files_that_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    found = read_yaml(text)
    assert {"name", "on", "jobs"} <= found.keys()
    for name in re.findall(r"(?<![\w./-])((?:scripts|systemd|\.ci|requirements)/[\w./-]+)", text):
        assert (ROOT / name).exists(), name


def test_a_tag_makes_what_the_command_makes_and_its_image_on_arm() -> None:
    found = read_yaml((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    assert node(found, "on") == {"push": {"tags": ["v*"]}, "workflow_dispatch": ""}

    def run_by(job: str) -> str:
        steps = node(found, "jobs", job, "steps")
        assert isinstance(steps, list)
        return "\n".join(str(step.get("run", step.get("uses"))) for step in steps)

    # What docs/releasing.md names, and nothing else but what fetches the checkout.
    (named,) = re.findall(r"sudo apt install (.*)", (ROOT / "docs/releasing.md").read_text("utf-8"))
    assert named in run_by("release")
    assert "scripts/make_release --all" in run_by("release")
    assert "scripts/check_release.py dist" in run_by("release")
    # https://runs-on.com/github-actions/runs-on/ has GitHub's labels.
    assert node(found, "jobs", "image", "runs-on") == "ubuntu-24.04-arm"
    assert "scripts/make_image ../rpi-image-gen" in run_by("image")
    for job in ("release", "image"):
        assert "actions/upload-artifact@v4" in run_by(job)
