"""Files that are whole or absent: each is written next to its place and renamed. Texts and JSON read with limits."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import IO, Any, AnyStr, NoReturn


def write_text(path: Path, text: str) -> None:
    """Replaces a file. A full disk or a kill leaves the old one as it was."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    with replacing(path) as beside:
        beside.write_bytes(data)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name beside ``path`` to write to; what is there when the block ends without an error takes its place.

    An OSError of the writing names ``path``.
    """
    target = path.resolve()  # a link stays a link to the new file
    if target.exists() and not target.is_file():
        with naming(path, target):
            yield target  # a device or a pipe cannot be replaced
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with naming(path, beside):
            yield beside
            reach_disk(beside)
            if target.exists():
                os.chmod(beside, target.stat().st_mode & 0o7777)
            os.replace(beside, target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


@contextmanager
def naming(path: Path, written: Path | None = None) -> Iterator[None]:
    """Makes an OSError of an open file name ``path``; and one that names ``written``, which stands for it."""
    try:
        yield
    except OSError as error:
        if (error.filename is None and error.errno) or error.filename == str(written):
            error.filename = str(path)
        raise


def check_place(path: Path) -> None:
    """OSError where no file can be made, before the work that would be lost. Nothing is left there."""
    try:
        os.fsencode(path).decode("utf-8")
    except UnicodeError:  # what names it later, such as a report, could not be written
        raise OSError(errno.EILSEQ, os.strerror(errno.EILSEQ), writable(str(path))) from None
    with suppress(FileNotFoundError):
        os.stat(path)  # fails where links lead in a circle, for instance
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


LARGEST = 64 << 20
"""Bytes of a text that is read whole. None that Jimbo writes comes near it."""
LARGEST_MODEL = 1 << 30
"""Bytes of a model, and of the games of a whole evaluation."""
LONGEST_LINE = 16 << 20


def check_folder(path: Path) -> None:
    """OSError where no folder can be made, or no file in the one that is there. Nothing is left there."""
    try:
        check_place(path / "file")
    except OSError as error:
        raise OSError(error.errno, error.strerror, writable(str(path))) from None


def read_bytes(path: Path, max_bytes: int = LARGEST) -> bytes:
    """Return a whole file; OSError for one that is larger, such as a device without an end."""
    with path.open("rb") as file:
        found = os.fstat(file.fileno())
        # The size of anything but a plain file is known only once it has been read.
        most = max_bytes if stat.S_ISREG(found.st_mode) else min(max_bytes, LARGEST)
        if found.st_size > most:
            raise _too_large(path)
        return read_open(file, path, most)


def read_open(file: IO[bytes], path: Path | str, max_bytes: int = LARGEST) -> bytes:
    """Return what is left of an open file, such as standard input or one that is unpacked; OSError if it is larger."""
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise _too_large(path)
    return data


def read_text(path: Path, max_bytes: int = LARGEST) -> str:
    """Return a whole file of UTF-8 text; OSError as ``read_bytes``, UnicodeError for other bytes."""
    return read_bytes(path, max_bytes).decode("utf-8")


def read_lines(file: IO[AnyStr], path: Path | str) -> Iterator[AnyStr]:
    """Yield the lines of an open file with their ends; OSError for one that never ends."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise _too_large(path)
        yield line


def _too_large(path: Path | str) -> OSError:
    return OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))


def add_line(file: FileIO, text: str) -> None:
    """Adds a line, as ``add_text``."""
    add_text(file, f"{text}\n")


def add_text(file: FileIO, text: str) -> None:
    """Adds whole lines to an unbuffered file, or nothing at all where the disk is full."""
    data = text.encode()
    start = file.seek(0, os.SEEK_END)
    try:
        while data:
            data = data[file.write(data) :]
    except BaseException:
        with suppress(OSError):
            file.truncate(start)
        raise


def bytes_hash(data: bytes) -> str:
    """The SHA-256 of these bytes."""
    return hashlib.sha256(data).hexdigest()


def file_hash(path: Path) -> str:
    """The SHA-256 of what a file holds."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def named_file(text: str) -> Path | None:
    """The file of this name, if there is one; any text may be asked about."""
    with suppress(OSError, ValueError):
        if Path(text).is_file():
            return Path(text)
    return None


def reach_disk(path: Path) -> None:
    """Only then may it replace the old file: a rename can reach the disk before the bytes do."""
    handle = os.open(path, os.O_RDWR)  # some systems write out only what may be written to
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def reason(error: OSError | UnicodeError) -> str:
    """What went wrong with a file, in words without a path: "No space left on device"."""
    if isinstance(error, UnicodeError):
        return "not UTF-8 text"
    if error.errno == errno.EILSEQ:
        return "its name is not UTF-8"
    return os.strerror(error.errno) if error.errno else str(error)  # libraries put other texts into strerror


def in_words(error: Exception) -> str:
    """The message of an error; an OSError that names a file is shown without its number."""
    if isinstance(error, OSError) and error.errno and error.filename is not None:
        return f"{error.filename} cannot be used: {reason(error)}."
    return str(error)


def sentence(text: str) -> str:
    """With exactly one full stop at its end: a message that quotes another may have none, or two."""
    return text if text.endswith(("?", "!")) else f"{text.rstrip('.')}."


def writable(text: str) -> str:
    """Without what no file can hold; names of files and texts of others may bring such signs along."""
    return text.encode("utf-8", "replace").decode("utf-8")


def finite(number: float, largest: float = sys.float_info.max) -> float:
    """Return a number that JSON can hold: at most ``largest`` in either direction, 0 for what is not a number."""
    return 0.0 if math.isnan(number) else min(max(number, -largest), largest)


def loads(text: str, *, finite: bool = False) -> Any:
    """JSON from a file that anybody can change; ValueError in a few words, to follow the name of the file.

    ``finite`` refuses NaN and infinities, which Python reads although JSON does not know them.
    """
    try:
        return json.loads(text, parse_constant=_refuse if finite else None)
    except _NotANumber as error:
        raise ValueError(f"it holds {error}, which is not a number") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise ValueError(f"it is not JSON ({error.msg} at {line}character {error.colno})") from None
    except ValueError:
        raise ValueError("it holds a number with too many digits") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


@contextmanager
def reading(path: Path | str, error: type[ValueError] = ValueError, advice: str = "") -> Iterator[None]:
    """Makes an ``error`` with a sentence of what goes wrong where a file is read."""
    try:
        yield
    except (OSError, UnicodeError) as trouble:
        raise error(f"{path} cannot be read: {reason(trouble)}.{advice and f' {advice}'}") from None


def read_json(path: Path, error: type[ValueError] = ValueError) -> Any:
    """What a file of JSON holds; FileNotFoundError, or an ``error`` with a sentence if it cannot be used."""
    try:
        return loads(read_text(path))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeError):
        with reading(path, error):
            raise
    except ValueError as trouble:
        raise error(f"{path} cannot be used: {trouble}.") from None


def json_object(text: str | bytes, *, finite: bool = False) -> dict[str, Any]:
    """The JSON object in a text; ValueError in a few words for anything else."""
    try:
        data = loads(text if isinstance(text, str) else text.decode("utf-8"), finite=finite)
    except UnicodeError as error:
        raise ValueError(reason(error)) from None
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    return data


class _NotANumber(ValueError):
    pass


def _refuse(name: str) -> NoReturn:
    raise _NotANumber(name)
