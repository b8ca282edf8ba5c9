"""The files of a package, as a folder or as a zip: which there may be, how they are written, how they are read.

Nothing that is read is trusted: names, kinds and sizes are checked before a byte of a file is looked at, and what is
checked is what is used, because it is read once. A zip is stored without compression, its files in the order of their
names and without times, so that the same files give the same bytes on every machine; any other zip is refused.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from jimbo.files import LARGEST, LARGEST_MODEL, bytes_hash, check_place, json_object, read_bytes, reason, write_bytes

METADATA = "metadata.json"
CHECKSUMS = "checksums.json"
SIGNATURE = "checksums.json.minisig"
CARD = "README.md"
GOLDEN = "golden.jsonl"
CONFIG = "config/inference_config.json"
MANIFEST = "model/manifest.json"
METRICS = "metrics/eval_summary.json"
FIXED = (METADATA, CHECKSUMS, CARD, GOLDEN, CONFIG, MANIFEST, METRICS)
"""What every package has."""
WEIGHTS = (".onnx", ".safetensors")
SETTINGS = (".json", ".toml", ".yaml", ".yml")
MOST_FILES = 64
_NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}"
_FURTHER = re.compile(rf"model/{_NAME}\.(onnx|safetensors|json)|config/{_NAME}\.(json|toml|ya?ml)")
_PICKLES = (b"\x80", b"PK\x03\x04", b"\x1f\x8b")
"""How pickles, PyTorch's archives of pickles and packed files begin; no file of a package does."""
_TIME = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
Files = Mapping[str, bytes]


class BadPackage(ValueError):
    """A package that is not what it should be; the sentence says why."""


# --- Names and sizes --------------------------------------------------------------------------------------------------


def check_name(name: str) -> None:
    """BadPackage for a file that no package has."""
    if name in (*FIXED, SIGNATURE) or _FURTHER.fullmatch(name):
        return
    if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or ":" in name:
        raise BadPackage(f"{_shown(name)} leads out of the package.")
    if not name.endswith((*WEIGHTS, *SETTINGS)):
        raise BadPackage(f"{_shown(name)} has no place in a package: models are .onnx or .safetensors, all else text.")
    raise BadPackage(f"{_shown(name)} has no place in a package.")


def limit_of(name: str) -> int:
    """The most bytes that a file may have."""
    return LARGEST_MODEL if name.endswith(WEIGHTS) else LARGEST


def check_names(names: Iterable[str]) -> None:
    seen: dict[str, str] = {}
    for name in names:
        check_name(name)
        if (other := seen.setdefault(name.lower(), name)) != name:
            raise BadPackage(f"{other} and {name} are one file on some systems.")
    if len(seen) > MOST_FILES:
        raise BadPackage(_too_many(len(seen)))


def _too_many(files: int) -> str:
    return f"There are {files} files, and a package has at most {MOST_FILES}."


def _check_size(name: str, size: int) -> None:
    if size > limit_of(name):
        raise BadPackage(f"{name} is said to have {size:,} bytes, and at most {limit_of(name):,} are allowed.")


def _shown(name: str) -> str:
    """A name of others, such that a terminal can show it."""
    return ascii(name)[:120]


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_files(path: Path) -> dict[str, bytes]:
    """All files of a package, each as its checksum says; BadPackage with a sentence otherwise."""
    try:
        files = _read_folder(path) if path.is_dir() else _read_zip(path)
    except OSError as error:
        raise BadPackage(f"{error.filename or path} cannot be read: {reason(error)}.") from None
    if missing := [name for name in FIXED if name not in files]:
        raise BadPackage(f"{path} is not a whole package: {missing[0]} is missing.")
    _check_contents(files)
    return files


def _read_folder(path: Path) -> dict[str, bytes]:
    found: dict[str, os.stat_result] = {}
    for folder in (path, *(path / name for name in ("config", "metrics", "model"))):
        if folder.is_symlink() and folder != path:
            raise BadPackage(f"{folder.name} is a link, and packages hold none.")
        for entry in sorted(os.scandir(folder), key=lambda one: one.name) if folder.is_dir() else ():
            name = entry.name if folder == path else f"{folder.name}/{entry.name}"
            if entry.is_symlink():
                raise BadPackage(f"{_shown(name)} is a link, and packages hold none.")
            about = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(about.st_mode) and folder == path and name in ("config", "metrics", "model"):
                continue
            check_name(name)
            if not stat.S_ISREG(about.st_mode):
                raise BadPackage(f"{name} is not a file.")
            found[name] = about
    check_names(found)
    for name, about in found.items():
        _check_size(name, about.st_size)
    if sum(about.st_size for about in found.values()) > LARGEST_MODEL:
        raise BadPackage(f"{path} is too large: a package has at most {LARGEST_MODEL:,} bytes.")
    return {name: read_bytes(path / name, limit_of(name)) for name in found}


def _read_zip(path: Path) -> dict[str, bytes]:
    data = read_bytes(path, LARGEST_MODEL)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            _check_entries(entries)
            if sum(entry.file_size for entry in entries) > len(data):
                raise BadPackage(f"{path} was cut or changed: its files are said to have more bytes than it has.")
            files = {entry.filename: archive.read(entry) for entry in entries}
    except BadPackage:
        raise
    except Exception:  # zipfile raises errors of many types for what was cut or changed
        raise BadPackage(f"{path} is not a zip that can be read, or was cut or changed.") from None
    if zip_bytes(files) != data:
        raise BadPackage(f"{path} was not written by jimbo package export: it holds more than its files.")
    return files


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MOST_FILES:
        raise BadPackage(_too_many(len(entries)))
    names = [entry.orig_filename for entry in entries]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadPackage(f"{_shown(twice)} is there twice.")
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind == stat.S_IFLNK:
            raise BadPackage(f"{_shown(entry.orig_filename)} is a link, and packages hold none.")
        check_name(entry.orig_filename)
        if kind not in (0, stat.S_IFREG):
            raise BadPackage(f"{entry.orig_filename} is not a file.")
        _check_size(entry.orig_filename, entry.file_size)
        if entry.compress_type != zipfile.ZIP_STORED or entry.compress_size != entry.file_size:
            raise BadPackage(f"{entry.orig_filename} is compressed or encrypted, and packages hold plain files.")
    check_names(names)


# --- Checksums --------------------------------------------------------------------------------------------------------


def checksums_of(files: Files) -> dict[str, dict[str, int | str]]:
    """Size and SHA-256 of every file but the checksums themselves and their signature."""
    return {
        name: {"size_bytes": len(data), "sha256": bytes_hash(data)}
        for name, data in sorted(files.items())
        if name not in (CHECKSUMS, SIGNATURE)
    }


def _check_contents(files: Files) -> None:
    listed = parsed(files, CHECKSUMS)
    there = checksums_of(files)
    if missing := sorted(listed.keys() - there.keys()):
        raise BadPackage(f"{_shown(missing[0])} is listed in {CHECKSUMS}, but missing.")
    if unlisted := sorted(there.keys() - listed.keys()):
        raise BadPackage(f"{unlisted[0]} is not listed in {CHECKSUMS}.")
    for name, known in there.items():
        if listed[name] != known:
            raise BadPackage(f"{name} is not as {CHECKSUMS} lists it: it was changed, or cut.")
        if name.startswith("model/") and files[name].startswith(_PICKLES):
            raise BadPackage(f"{name} is a pickle or an archive, which could run code.")


def parsed(files: Files, name: str) -> dict[str, object]:
    """The object in a file of JSON."""
    try:
        return json_object(files[name], finite=True)
    except ValueError as error:
        raise BadPackage(f"{name} cannot be used: {error}.") from None


# --- Writing ----------------------------------------------------------------------------------------------------------


def zip_bytes(files: Files) -> bytes:
    """Return the one zip that these files make."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.create_system, entry.external_attr = 3, _MODE
            archive.writestr(entry, data)
    return made.getvalue()


def check_new(path: Path) -> None:
    """ValueError where no package can be written, before the work that it takes."""
    if path.exists():
        raise ValueError(f"{path} already exists and is left alone. Choose another name.")
    check_place(path)


def write_files(files: Files, path: Path) -> None:
    """A zip where the name ends in .zip, else a folder; it is whole or not there."""
    check_new(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".zip":
        write_bytes(path, zip_bytes(files))
        return
    beside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        unpack(files, beside)
        beside.chmod(0o755)
        os.rename(beside, path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def unpack(files: Files, folder: Path) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_bytes(folder / name, data)
