"""A rollout as one Parquet file, made of parts.

While games are played, rows go to files in ``FILE.parts``. Each of them is whole or not there; the one that is being
written counts from the moment it is closed, which happens every few seconds. At the end they are put together.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from jimbo.data.config_file import parts_folder
from jimbo.data.game_rows import Rows
from jimbo.data.parquet import check_facts, opened, table_of, writer
from jimbo.files import reach_disk, reason, replacing
from jimbo.rollout.output import Sink, WriteFailed

_UNFINISHED = ".writing"


class ParquetSink(Sink):
    at_once = 4096
    """About 30 MB before they are compressed."""

    def __init__(self, out: Path, settings: Mapping[str, Any]) -> None:
        self._out, self._settings = out, settings
        self._folder = parts_folder(out)
        self._added: list[Rows] = []
        self._waiting = 0
        self._writer: Any = None

    def done(self) -> set[int]:
        if self._folder.is_dir():
            for path in self._folder.glob(f"*{_UNFINISHED}"):
                path.unlink()
        numbers: set[int] = set()
        for path in self._whole():
            of_file = _games_of(path)
            if path != self._out and of_file <= numbers:
                path.unlink()  # put together before, by a process that ended before it could tidy up
            numbers |= of_file
        return numbers

    def _parts(self) -> list[Path]:
        return sorted(self._folder.glob("*.parquet"))

    def _whole(self) -> list[Path]:
        """All files that hold games, a finished one first."""
        return [*([self._out] if self._out.exists() else []), *self._parts()]

    def add(self, gathered: Rows) -> None:
        self._added.append(gathered)
        self._waiting += len(gathered)
        if self._waiting >= self.at_once:
            self.flush()

    def flush(self) -> None:
        if not self._added:
            return
        rows, self._added, self._waiting = Rows.joined(self._added), [], 0
        try:
            if self._writer is None:
                self._folder.mkdir(exist_ok=True)
                self._path = self._folder / f"{len(self._parts()) + 1:06}.parquet"
                self._writer = writer(self._path.with_suffix(_UNFINISHED), self._settings)
            self._writer.write_table(table_of(rows, self._settings))
        except OSError as error:
            self.close()  # what follows an error in a file cannot be read
            raise WriteFailed(f"{self._folder} cannot be written: {reason(error)}.") from None

    def keep(self) -> None:
        self.flush()
        if self._writer is not None:
            made, self._writer = self._writer, None
            try:
                made.close()
                reach_disk(self._path.with_suffix(_UNFINISHED))
                os.replace(self._path.with_suffix(_UNFINISHED), self._path)
            except OSError as error:
                raise WriteFailed(f"{self._folder} cannot be written: {reason(error)}.") from None

    def finish(self) -> None:
        self.keep()
        parts = self._whole()
        if not parts or parts == [self._out]:
            return
        try:
            if len(parts) == 1:
                os.replace(parts[0], self._out.resolve())
            else:
                parts.sort(key=lambda part: min(_games_of(part)))  # they were added as games ended, which is chance
                with replacing(self._out) as beside:
                    _put_together(parts, beside, self._settings)
            shutil.rmtree(self._folder)
        except OSError as error:
            raise WriteFailed(f"{self._out} cannot be written: {reason(error)}.") from None

    def close(self) -> None:
        made, self._writer = self._writer, None
        if made is not None:
            with suppress(OSError, ValueError):  # it may have failed before
                made.close()
            self._path.with_suffix(_UNFINISHED).unlink(missing_ok=True)


def _games_of(path: Path) -> set[int]:
    with opened(path) as file:
        check_facts(path, file)
        return set(file.read(columns=["game"])["game"].unique().to_pylist())


def _put_together(parts: list[Path], target: Path, settings: Mapping[str, Any]) -> None:
    with writer(target, settings) as out:
        for path in parts:
            with opened(path) as file:
                for group in range(file.num_row_groups):
                    out.write_table(file.read_row_group(group))
