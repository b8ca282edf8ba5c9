"""Files that clients name: saves, loads and pictures, all in one folder."""

import os
import struct
from pathlib import Path

import pytest

from serve.balatrobot.game import Game

OUTSIDE = ["../a.jkr", "/etc/passwd", "sub/../../a.jkr", "link/a.jkr", "file_link", ".", "", "sub/..", "a\0b"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With links that lead out of it."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (inside / "link").symlink_to(outside)
    (inside / "file_link").symlink_to(outside / "secret")
    return inside


def test_a_saved_run_goes_on_where_it_was(folder: Path) -> None:
    game = Game(folder, seed="TEST123")
    game.call("skip")
    before = game.call("select")
    assert game.call("save", path="a.jkr") == {"success": True, "path": "a.jkr"}
    played = game.call("play", cards=[0, 1])
    for path in ("a.jkr", str(folder / "a.jkr"), "sub/../a.jkr"):
        assert game.call("load", path=path) == {"success": True, "path": path}
        loaded = game.call("gamestate")
        assert loaded["blinds"] == before["blinds"]
        assert loaded["blinds"]["small"]["status"] == "SKIPPED"
        assert [card["key"] for card in loaded["hand"]["cards"]] == [card["key"] for card in before["hand"]["cards"]]
        assert game.call("play", cards=[0, 1])["round"] == played["round"]


def test_ids_are_never_used_twice(folder: Path) -> None:
    game = Game(folder, seed="TEST123")
    first = game.call("select")
    game.call("save", path="a")
    game.call("load", path="a")
    second = game.call("gamestate")
    ids = [{card["id"] for card in state["hand"]["cards"] + state["cards"]["cards"]} for state in (first, second)]
    assert not ids[0] & ids[1]


def test_a_load_needs_no_run(folder: Path) -> None:
    Game(folder, seed="1").call("save", path="a")
    game = Game(folder)
    game.call("load", path="a")
    assert game.call("gamestate")["state"] == "BLIND_SELECT"


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("method", ["save", "load", "screenshot"])
def test_no_path_leads_out_of_the_folder(folder: Path, method: str, path: str) -> None:
    game = Game(folder, seed="1")
    before = sorted(folder.parent.rglob("*"))
    name, message = game.refused(method, path=path)
    assert name == "INTERNAL_ERROR"
    assert message.startswith(
        {"save": "Failed to write save file to '", "load": "Failed to read save file: '"}.get(
            method, "Failed to write screenshot to '"
        )
    )
    assert sorted(folder.parent.rglob("*")) == before
    assert (folder.parent / "outside" / "secret").read_text() == "secret"


@pytest.mark.parametrize("method", ["save", "load", "screenshot"])
def test_deep_paths_are_refused(folder: Path, method: str) -> None:
    game = Game(folder, seed="1")
    before = sorted(folder.parent.rglob("*"))
    for folders in (100, 1500, 20_000):
        name, message = game.refused(method, path="a/" * folders + "x")
        assert (name, message.rpartition(": ")[2]) == ("INTERNAL_ERROR", "it leads through more than 32 folders")
    assert sorted(folder.parent.rglob("*")) == before


@pytest.mark.parametrize("data", [b"", b"nonsense", b"jimbo balatrobot run 1 small\nnonsense", b"\0" * 5000])
def test_what_is_not_a_save_is_refused(folder: Path, data: bytes) -> None:
    (folder / "a").write_bytes(data)
    game = Game(folder, seed="1")
    before = game.call("gamestate")
    assert game.refused("load", path="a") == ("INTERNAL_ERROR", "Invalid save file format")
    assert game.call("gamestate") == before


def test_what_cannot_be_read(folder: Path) -> None:
    game = Game(folder)
    assert game.refused("load", path="none")[1] == "Failed to read save file: 'none': No such file or directory"
    (folder / "big").write_bytes(b"x" * (1 << 20) + b"y")
    assert game.refused("load", path="big")[0] == "INTERNAL_ERROR"
    (folder / "sub").mkdir()
    assert game.refused("load", path="sub")[1] == "Failed to read save file: 'sub': it is not a file"
    os.mkfifo(folder / "pipe")
    assert game.refused("load", path="pipe")[1] == "Failed to read save file: 'pipe': it is not a file"
    assert game.refused("screenshot", path="pipe")[1] == "Failed to write screenshot to 'pipe': it is not a file"
    assert game.refused("screenshot", path="x" * 5000)[0] == "INTERNAL_ERROR"


@pytest.mark.parametrize("seed", [None, "TEST123"])
def test_a_picture(folder: Path, seed: str | None) -> None:
    game = Game(folder, seed=seed)
    assert game.call("screenshot", path="new/shot.png") == {"success": True, "path": "new/shot.png"}
    data = (folder / "new" / "shot.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (640, 360)
