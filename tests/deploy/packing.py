"""Packages for tests, made in a second, and what can be done to them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jimbo.deploy.contents import json_bytes
from jimbo.deploy.export import Exported, export
from jimbo.deploy.layout import CHECKSUMS, checksums_of, zip_bytes
from jimbo.eval.runner import Settings, evaluate
from jimbo.eval.store import Store
from jimbo.seeds.seed_sets import seed_set

Files = dict[str, bytes]
SYMLINK = 0o120777 << 16


def evaluated(folder: Path, agent: str = "fast", games: int = 2, **options: Any) -> Path:
    """The folder of an evaluation."""
    settings = Settings(agent=agent, options=options, seeds=seed_set(None, games))
    with Store(folder) as store:
        evaluate(settings, workers=1, store=store)
    return folder


def packed(folder: Path, agent: str = "fast", **options: Any) -> Exported:
    return export(agent, options, evaluated(folder, agent, **options))


# --- What can be done to the files ------------------------------------------------------------------------------------


def with_sums(files: Mapping[str, bytes]) -> Files:
    """With checksums that fit, as whoever changes a package would make them."""
    return {**files, CHECKSUMS: json_bytes(checksums_of(files))}


def changed(name: str, data: bytes) -> Callable[[Files], Files]:
    return lambda files: with_sums({**files, name: data})


def without(name: str) -> Callable[[Files], Files]:
    return lambda files: with_sums({known: data for known, data in files.items() if known != name})


def edited(name: str, **values: Any) -> Callable[[Files], Files]:
    """With other values in a file of JSON."""

    def edit(files: Files) -> Files:
        return with_sums({**files, name: json_bytes(json.loads(files[name]) | values)})

    return edit


def golden_line(change: Callable[[dict[str, Any]], object]) -> Callable[[Files], Files]:
    """With another first line of golden.jsonl."""

    def edit(files: Files) -> Files:
        first, *others = files["golden.jsonl"].splitlines(keepends=True)
        line = json.loads(first)
        change(line)
        return with_sums({**files, "golden.jsonl": b"".join([json.dumps(line).encode() + b"\n", *others])})

    return edit


# --- What can be done to a zip ----------------------------------------------------------------------------------------


def zipped(
    *more: tuple[zipfile.ZipInfo | str, bytes], compression: int = zipfile.ZIP_STORED
) -> Callable[[Files], bytes]:
    """Any zip: the files, and some that no export would write."""

    def write(files: Files) -> bytes:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", compression) as archive:
            for entry, data in (*sorted(files.items()), *more):
                archive.writestr(entry, data)
        return made.getvalue()

    return write


def entry(name: str, mode: int = 0o100644 << 16) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.create_system, made.external_attr = 3, mode
    return made


def patched(at: Callable[[bytes], int], value: bytes) -> Callable[[Files], bytes]:
    """The zip of an export with other bytes at a place."""

    def patch(files: Files) -> bytes:
        data = zip_bytes(files)
        place = at(data)
        return data[:place] + value + data[place + len(value) :]

    return patch


def listed_at(name: str, field: int) -> Callable[[bytes], int]:
    """Where a field of a file's entry in the central directory stands."""

    def place(data: bytes) -> int:
        directory = data.index(b"PK\x01\x02")
        return data.index(name.encode(), directory) - 46 + field

    return place
