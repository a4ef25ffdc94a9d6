"""`dicetray config move-password`: the camera's password goes into a file of its own."""

from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.cli.main import main
from appliance.config import load
from appliance.config.moving import CREDENTIALS, PASSWORD_FILE, move_passwords
from appliance.config.password import read_password
from appliance.devices.camera.address import with_passwords
from appliance.errors import ConfigError
from tests.paths import ROOT
from vision.files.atomic import write_atomically

TEXT = """\
# The attic's camera; once http://anna:geheim@old/
[camera]
source = "http://anna:geheim@cam:8080/video?token=abc" # by the window
{more}
[games]
players = ["ANNA"]
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "dicetray.toml"
    file.write_text(TEXT.format(more=""))
    file.chmod(0o644)
    return file


def test_the_password_is_moved_and_all_else_stays(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = load(config)
    assert main(["config", "move-password", str(config)]) == 0
    secret = config.parent / "camera-password"
    assert secret.read_text() == "geheim\nabc\n"
    assert secret.stat().st_mode & 0o777 == 0o600
    assert config.stat().st_mode & 0o777 == 0o644
    after = load(config)
    assert after.camera.source == ("http://anna:{password}@cam:8080/video?token={password2}")
    assert read_password("camera-password", after.camera.password_file) == "geheim\nabc"
    assert after.games == before.games
    assert '{password2}" # by the window\n' in config.read_text()
    # An older address in a remark is named, as only people know what it is for.
    said = capsys.readouterr().out
    assert "line 1 of" in said
    assert "geheim" not in said


def test_the_service_gets_it_from_systemd(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.config.moving.DEFAULT_FILE", config)
    store = tmp_path / "credstore"
    assert move_passwords(config, store).file == store / "camera-password"
    assert store.stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(store))
    (store / "camera-password").chmod(0o440)
    assert read_password("camera-password", "/nonexistent") == "geheim\nabc"


def test_the_unit_and_the_scripts_mean_this_file() -> None:
    from appliance.cli.shared.cameras import CREDENTIAL

    unit = (ROOT / "systemd" / "dicetray.service").read_text()
    layout = (ROOT / "systemd" / "layout.sh").read_text()
    assert CREDENTIAL == PASSWORD_FILE
    assert f"\nLoadCredential={CREDENTIAL}\n" in unit
    assert f"\nCAMERA_PASSWORD=$ROOT{CREDENTIALS / PASSWORD_FILE}\n" in layout


def test_a_second_password_joins_the_first(config: Path) -> None:
    secret = config.parent / "mine"
    secret.write_text("first\n")
    config.write_text(
        f'[camera]\npassword_file = "{secret}"\n'
        'source = "http://anna:{password}@cam/?pwd=second"\n'
    )
    move_passwords(config)
    assert secret.read_text() == "first\nsecond\n"
    assert load(config).camera.source == "http://anna:{password}@cam/?pwd={password2}"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            """source = 'rtsp://a:b@c/' # Anna's camera\n""",
            """source = "rtsp://a:{password}@c/" # Anna's camera\npassword_file = "FILE"\n""",
        ),
        (
            'source = "rtsp://a:b@c/"# \'1\' or "2"\r\n',
            'source = "rtsp://a:{password}@c/"# \'1\' or "2"\r\npassword_file = "FILE"\r\n',
        ),
        (
            '  source="""rtsp://a:b@c/"""',
            '  source="rtsp://a:{password}@c/"\npassword_file = "FILE"\n',
        ),
        (
            "password_file = 'FILE' # mine, \"only\" mine\nsource = 'rtsp://a:b@c/'\n",
            'password_file = "FILE" # mine, "only" mine\nsource = "rtsp://a:{password}@c/"\n',
        ),
    ],
)
def test_what_people_wrote_behind_a_value_stays(config: Path, text: str, wanted: str) -> None:
    file = str(config.parent / "camera-password")
    before = f"[camera]\n{text}".replace("FILE", file)
    config.write_bytes(before.encode())
    assert move_passwords(config).left_in_lines == ()
    after = f"[camera]\n{wanted}".replace("FILE", file)
    assert config.read_bytes().decode() == after


def test_only_lines_that_people_wrote_are_named(config: Path) -> None:
    config.write_text(
        '[camera]\nsource = "rtsp://a:camera@c/?pwd=" # not the old camera2\n'
        "# once camera\n[games]\n"
    )
    moved = move_passwords(config)
    assert moved.left_in_lines == (1, 2, 4)
    assert moved.file.read_text() == "camera\n"


def test_the_service_s_file_is_known_by_any_name(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.config.moving.DEFAULT_FILE", config)
    monkeypatch.chdir(config.parent)
    store = tmp_path / "credstore"
    assert move_passwords(Path(config.name), store).file == store / "camera-password"


@pytest.mark.parametrize("password", ["%FC", "a%0Ab", "a%0D", "%0A", "%0Aa"])
def test_what_would_not_come_back_the_same_is_left_to_people(config: Path, password: str) -> None:
    text = f'[camera]\nsource = "rtsp://anna:{password}@cam/live"\n'
    config.write_text(text)
    with pytest.raises(ConfigError, match=r"the same address after the move.*move it by hand"):
        move_passwords(config)
    assert config.read_text() == text
    assert list(config.parent.iterdir()) == [config]


_SIGNS = (
    "a",
    "%40",
    "%0A",
    "%0D",
    "%00",
    "%FC",
    "%C3%BC",
    "ü",
    "+",
    "!",
    "$",
    "'",
    "{password}",
    "%",
)
_PASSWORDS = st.lists(st.sampled_from(_SIGNS), max_size=4).map("".join)


@pytest.mark.slow
@given(
    st.sampled_from(("rtsp://u:{}@h/l?token={}", "http://h/l?pwd={}&key={}#view=80")),
    _PASSWORDS,
    _PASSWORDS,
)
def test_a_move_opens_the_same_address_or_is_refused(form: str, first: str, second: str) -> None:
    source = form.format(first, second)
    with TemporaryDirectory() as folder:
        config = Path(folder, "dicetray.toml")
        config.write_text(f'[camera]\nsource = "{source}"\n')
        try:
            file = move_passwords(config).file
        except ConfigError:
            assert list(Path(folder).iterdir()) == [config]
            assert load(config).camera.source == source
            return
        secrets = read_password("camera-password", str(file))
        opened = with_passwords(load(config).camera.source, secrets)
        assert unquote_to_bytes(opened) == unquote_to_bytes(source)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[camera]\nsource = "http://cam/"\n', "expected a password in an address"),
        ('[camera]\nsource = "rtsp://admin:@cam/live"\n', "expected a password in an address"),
        ('camera = { source = "http://a:b@cam/" }\n', "on a line of its own; move it by hand"),
        ("[camera]\nsource = '''\nhttp://a:b@cam/'''\n", "on a line of its own; move it by hand"),
    ],
)
def test_what_cannot_be_moved_stays_as_it_is(config: Path, text: str, message: str) -> None:
    config.write_text(text)
    with pytest.raises(ConfigError, match=message):
        move_passwords(config)
    assert config.read_text() == text
    assert list(config.parent.iterdir()) == [config]


def test_a_file_that_is_there_is_not_written_over(config: Path) -> None:
    (config.parent / "camera-password").write_text("another camera's")
    before = config.read_text()
    with pytest.raises(ConfigError, match="expected 0 lines"):
        move_passwords(config)
    assert config.read_text() == before


def test_a_file_that_is_no_text_is_left_and_told(config: Path) -> None:
    (config.parent / PASSWORD_FILE).write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8"):
        move_passwords(config)
    assert (config.parent / PASSWORD_FILE).read_bytes() == b"\xff\xfe"


def test_a_move_that_was_cut_off_is_finished_by_the_next(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The passwords are on the disk before the address loses them."""
    before = config.read_text()

    def cut_off(path: Path, data: bytes) -> None:
        if path == config:
            raise OSError("the power is gone")
        write_atomically(path, data)

    with monkeypatch.context() as patched:
        patched.setattr("appliance.config.moving.write_atomically", cut_off)
        with pytest.raises(OSError, match="the power is gone"):
            move_passwords(config)
    assert config.read_text() == before
    assert move_passwords(config).file.read_text() == "geheim\nabc\n"
    assert "geheim@cam" not in config.read_text()


def test_a_password_that_others_can_read_is_told(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "check", str(config)]) == 0
    said = capsys.readouterr().out
    assert "where others can read it" in said
    assert "dicetray config move-password" in said
    main(["config", "move-password", str(config)])
    capsys.readouterr()
    main(["config", "check", str(config)])
    assert "NOTE" not in capsys.readouterr().out


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("geheim\n")
    file.chmod(0o640)
    with pytest.raises(ValueError, match="with rights 0640; chmod 600"):
        read_password("camera-password", str(file))
    assert read_password("camera-password", "") is None
