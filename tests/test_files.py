"""Files are whole or absent."""

import os
from pathlib import Path

import pytest

from jimbo.files import replacing, write_bytes, write_text


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    write_text(path, "new ♠")
    assert path.read_text(encoding="utf-8") == "new ♠"
    assert os.listdir(tmp_path) == ["a.txt"]


def _fail_half_way(path: Path) -> None:
    with replacing(path) as beside:
        beside.write_text("half")
        raise OSError("disk full")


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(OSError, match="disk"):
        _fail_half_way(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_mode_and_link_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "a.bin", tmp_path / "link"
    write_bytes(path, b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(OSError, match="No space left"):
        write_text(Path("/dev/full"), "text")
    assert Path("/dev/full").is_char_device()
