"""Files are whole or absent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jimbo.files import (
    LARGEST_MODEL,
    add_line,
    check_folder,
    check_place,
    loads,
    read_bytes,
    read_lines,
    reason,
    replacing,
    write_bytes,
    write_text,
)


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    write_text(path, "new ♠")
    assert path.read_text(encoding="utf-8") == "new ♠"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(OSError, match="disk full"):
        _fail_halfway(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def _fail_halfway(path: Path) -> None:
    with replacing(path) as beside:
        beside.write_text("half")
        raise OSError("disk full")


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    write_bytes(path, b"12345")
    assert read_bytes(path, 5) == b"12345"
    for larger, limit in ((path, 4), (Path("/dev/zero"), 1000)):
        with pytest.raises(OSError, match="File too large"):
            read_bytes(larger, limit)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """One of 10 GB takes no space on the disk here, and would take all memory."""
    path = tmp_path / "model.onnx"
    with path.open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(OSError, match="File too large") as raised:
        read_bytes(path, LARGEST_MODEL)
    assert raised.value.filename == str(path)


def test_lines_are_read_unless_one_never_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo")
    with path.open("rb") as file:
        assert list(read_lines(file, path)) == [b"one\n", b"two"]
    endless = Path("/dev/zero")
    with endless.open("rb") as file, pytest.raises(OSError, match="File too large"):
        next(read_lines(file, endless))


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    for place, words in (
        (tmp_path, "Is a directory"),
        (tmp_path / "file" / "x", "Not a directory"),
        (tmp_path / "loop", "Too many levels of symbolic links"),
        (tmp_path / "loop" / "x", "Too many levels of symbolic links"),
        (tmp_path / "\udcff", "its name is not UTF-8"),
        (tmp_path / ("x" * 300), "File name too long"),
    ):
        with pytest.raises(OSError, match=r"\d") as raised:
            check_place(place)
        assert reason(raised.value) == words
    with pytest.raises(OSError, match="Not a directory") as raised:
        check_folder(tmp_path / "file")
    assert raised.value.filename == str(tmp_path / "file")
    check_place(tmp_path / "new" / "file")
    check_folder(tmp_path / "new")
    check_folder(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["file", "loop"]


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
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_text(Path("/dev/full"), "text")
    assert Path("/dev/full").is_char_device()


def test_lines_are_added_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    for text in ("one", "two ♠"):
        with path.open("ab", buffering=0) as file:
            add_line(file, text)
    assert path.read_text(encoding="utf-8") == "one\ntwo ♠\n"


def test_a_line_that_does_not_fit_is_not_begun(tmp_path: Path) -> None:
    """The limit of the system on the size of files stands for a full disk: the first bytes fit, the others do not."""
    program = """
import resource, signal, sys
from pathlib import Path
from jimbo.files import add_line, write_text

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
lines, whole = Path(sys.argv[1]), Path(sys.argv[2])
with lines.open("ab", buffering=0) as file:
    add_line(file, "x" * 90)
    for write in (lambda: add_line(file, "y" * 90), lambda: write_text(whole, "z" * 200)):
        try:
            write()
        except OSError as error:
            print(error.strerror, error.filename)
"""
    lines, whole = tmp_path / "lines", tmp_path / "whole"
    whole.write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", program, str(lines), str(whole)], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"File too large None\nFile too large {whole}\n"
    assert lines.read_text() == "x" * 90 + "\n"
    assert whole.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["lines", "whole"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it is not JSON (Expecting value at character 1)"),
        ("{\n5", "it is not JSON (Expecting property name enclosed in double quotes at line 2, character 1)"),
        ("9" * 10_000, "it holds a number with too many digits"),
        ("[" * 200_000, "it is nested too deeply"),
    ],
)
def test_bad_json_gets_a_few_words(text: str, sentence: str) -> None:
    assert loads('{"a": [1]}') == {"a": [1]}
    with pytest.raises(ValueError, match=r"^it ") as raised:
        loads(text)
    assert str(raised.value) == sentence
