"""A registry: a folder of entries that never change, the files that belong to them, and aliases that move.

    journal.jsonl      what happened, line by line; everything else counts only once it stands here
    head.json          how many lines that are
    entries/ID.json    an entry; ID is the SHA-256 of the file
    objects/SET/NAME   the files of an entry; SET is a hash of their names and hashes
    incoming/          files on their way

An entry is written from below: files, entry, journal. So whatever ends a process leaves either all of it or something
that nobody sees, which ``prune`` removes. Programs may read at any time; writers take turns.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from jimbo.declared import from_dict
from jimbo.files import bytes_hash, file_hash, naming, reach_disk, reason, write_bytes
from jimbo.league.entry import PREFIX, SHOWN_ID, Entry, StoredFile, check_name, checked_file, made_with
from jimbo.league.journal import NAME as JOURNAL
from jimbo.league.journal import Damaged, Journal, now, read_object
from jimbo.run_folder import check_empty_or_ours, locked
from jimbo.system import state_folder

VARIABLE = "JIMBO_REGISTRY"
CHAMPION, PREVIOUS, CANARY = "champion", "previous", "canary"
ALIASES = (CHAMPION, PREVIOUS, CANARY)
_SCHEMA = "jimbo_registry_v1"
_BEGUN, _ADDED, _MOVED, _PRUNED = "registry", "add", "alias", "prune"
_OWN_KINDS = (_BEGUN, _ADDED, _MOVED, _PRUNED)
_SHORTEST_ID = 4
_PATIENCE = 120.0
"""Seconds to wait for other writers: each is done in a moment."""
_STALE = 86_400
"""Seconds after which nobody writes to a file on its way any more."""


class NotRegistered(ValueError):
    """A name, alias or id that means no entry; the sentence says what there is."""


class Problem(NamedTuple):
    """A file of a registry that is not what was written."""

    file: str
    """Its path in the registry."""
    what: str


def registry_folder() -> Path:
    """The folder that is meant where none is named."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else state_folder() / "registry"


class Registry:
    """Entries, aliases and events of a folder; without one, that of $JIMBO_REGISTRY, or the user's own.

    >>> registry = Registry(Path("registry"))
    >>> model = registry.add("bc", kind="model", spec={"agent": "network"}, files={"best.onnx": Path("best.onnx")})
    >>> registry.move("champion", model, "the first one")
    >>> registry.path_of(registry.resolve("champion"), "best.onnx")
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or registry_folder()
        self._journal = Journal(self.folder)
        self._followed = 0
        self._live: dict[str, str] = {}
        self._gone: dict[str, str] = {}
        """Names by id."""
        self._aliases: dict[str, str] = {}
        self._known: dict[str, Entry] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"

    # --- What is there ------------------------------------------------------------------------------------------------

    def resolve(self, text: str) -> Entry:
        """The entry of an alias, of a name (its newest), or of an id or the beginning of one; NotRegistered if none."""
        self._refresh()
        text = text.removeprefix(PREFIX)
        found = self._aliases.get(text) or self._newest(text) or self._by_id(text)
        if found:
            return next(self._present([found]), None) or self.resolve(text)
        known = list(dict.fromkeys([*self._aliases, *self._live.values()]))
        near = get_close_matches(text, known, 3) or known[-3:]
        there = f"There is {', '.join(near)}; jimbo registry list shows all." if near else "It is empty."
        raise NotRegistered(f'The registry {self.folder} has no "{text}". {there}')

    def entries(self, kind: str | None = None) -> list[Entry]:
        """Those that are there, the oldest first."""
        self._refresh()
        return [entry for entry in self._present(list(self._live)) if kind in (None, entry.kind)]

    def _present(self, ids: Iterable[str]) -> Iterator[Entry]:
        """These entries, without those that another process removes at this moment."""
        for id in ids:
            try:
                yield self._read(id)
            except Damaged:
                self._refresh()
                if id in self._live:
                    raise

    def path_of(self, entry: Entry, file: str) -> Path:
        """Where a file of an entry is. What is there belongs to the registry: read it, never write to it."""
        if file not in entry.files:
            raise NotRegistered(f'{entry.name} has no file "{file}". It has {", ".join(entry.files) or "none"}.')
        return self.folder / "objects" / entry.place / file

    def name_of(self, id: str) -> str:
        """The name under which an entry was registered, even if it has been removed; empty for an unknown id."""
        self._refresh()
        return self._live.get(id) or self._gone.get(id, "")

    def _read(self, id: str) -> Entry:
        if id not in self._known:
            path = self._entry_path(id)
            data, found = read_object(path)
            if bytes_hash(data) != id:
                raise Damaged(f"{path} is not what was written. Restore it from a copy.")
            self._known[id] = from_dict(Entry, {**found, "id": id}, str(path))
        return self._known[id]

    def _id_of(self, entry: Entry | str) -> str:
        """The id of an entry that is there."""
        id = entry.id if isinstance(entry, Entry) else self.resolve(entry).id
        if id not in self._live:
            raise NotRegistered(f"The registry {self.folder} has no {entry}.")
        return id

    def _newest(self, name: str) -> str | None:
        return next((id for id in reversed(self._live) if self._live[id] == name), None)

    def _by_id(self, text: str) -> str | None:
        found = [id for id in self._live if id.startswith(text)] if len(text) >= _SHORTEST_ID else []
        if len(found) > 1:
            raise NotRegistered(f"{len(found)} entries have an id that begins with {text}. Write more of it.")
        return found[0] if found else None

    def _entry_path(self, id: str) -> Path:
        return self.folder / "entries" / f"{id}.json"

    # --- What happened ------------------------------------------------------------------------------------------------

    def events(self, kind: str | None = None) -> Iterator[dict[str, Any]]:
        """The lines of the journal, the oldest first: ``n``, ``at``, ``kind``, ``data`` and hashes."""
        self._refresh()
        return (event for event in list(self._journal.events) if kind in (None, event["kind"]))

    def note(self, kind: str, data: Mapping[str, Any]) -> int:
        """Add a line of one's own kind to the journal; return its number."""
        if kind in _OWN_KINDS:
            raise ValueError(f'"{kind}" is a kind of event that the registry writes itself. Choose another.')
        with self._writing():
            return self._append(kind, data)

    def _append(self, kind: str, data: Mapping[str, Any]) -> int:
        number: int = self._journal.append(kind, data)["n"]
        self._follow()
        return number

    def _refresh(self) -> None:
        try:
            self._journal.refresh()
        except Damaged as error:
            raise Damaged(f"{error} jimbo registry verify looks at the other files.") from None
        self._follow()

    def _follow(self) -> None:
        for event in self._journal.events[self._followed :]:
            try:
                self._follow_one(event["kind"], event["data"])
            except (KeyError, TypeError, AttributeError):
                path = self.folder / JOURNAL
                raise Damaged(f"{path}, line {event['n']}, does not fit what stands before it.") from None
            self._followed += 1

    def _follow_one(self, kind: str, data: dict[str, Any]) -> None:
        if kind == _BEGUN and data["schema"] != _SCHEMA:
            raise ValueError(f"{self.folder} is a registry of another version ({data['schema']}).")
        if kind == _ADDED:
            self._live[data["entry"]] = data["name"]
        elif kind == _MOVED:
            moved = {alias: id for alias, id in (self._aliases | data["to"]).items() if id}
            if not self._live.keys() >= set(moved.values()):
                raise KeyError("an alias of a missing entry")
            self._aliases = moved
        elif kind == _PRUNED:
            if not self._live.keys() - data["entries"] >= set(self._aliases.values()):
                raise KeyError("an entry that an alias means")
            self._gone |= {id: self._live.pop(id) for id in data["entries"]}

    # --- Entries come and go ------------------------------------------------------------------------------------------

    def add(
        self,
        name: str,
        *,
        kind: str,
        spec: Mapping[str, Any],
        files: Mapping[str, Path],
        parents: Sequence[Entry | str] = (),
        about: Mapping[str, Any] | None = None,
    ) -> Entry:
        """Register something with copies of its files, which keep their names there; ValueError says what is wrong.

        The name of a file may hold slashes. The versions that decide how games go are added to ``about``.
        """
        check_name(name)
        with self._copied(files) as (copies, stored):
            data = {
                "name": name,
                "kind": kind,
                "spec": spec,
                "files": {file: asdict(one) for file, one in stored.items()},
                "about": {**made_with(), **(about or {})},
            }
            with self._writing():
                self.check_free(name)
                data |= {"parents": list(dict.fromkeys(map(self._id_of, parents))), "created": now()}
                text = json.dumps(data, indent=2, sort_keys=True, allow_nan=False) + "\n"
                id = bytes_hash(text.encode())
                entry = from_dict(Entry, {"id": id, **json.loads(text)}, name)
                home = self.folder / "objects" / entry.place
                if stored and not home.exists():
                    home.parent.mkdir(exist_ok=True)
                    os.replace(copies, home)
                self._entry_path(id).parent.mkdir(exist_ok=True)
                write_bytes(self._entry_path(id), text.encode())
                self._append(_ADDED, {"entry": id, "name": name, "kind": kind})
        return entry

    def check_free(self, name: str) -> None:
        """ValueError for a name that entries cannot have, because it is an alias."""
        if name in ALIASES or name in self.aliases():
            raise ValueError(f'"{name}" is an alias, which moves from entry to entry. Choose another name.')

    @contextmanager
    def _copied(self, files: Mapping[str, Path]) -> Iterator[tuple[Path, dict[str, StoredFile]]]:
        """Copies of files in a folder that is gone at the end, unless it has found its place."""
        self._check_ours()
        folder = self.folder / "incoming" / f"{os.getpid()}-{secrets.token_hex(8)}"
        stored = {}
        try:
            for name, path in files.items():
                copy = folder / checked_file(name)
                copy.parent.mkdir(parents=True, exist_ok=True)
                if not path.is_file():
                    raise ValueError(f"{path} is not a file, so it cannot be registered.")
                with path.open("rb") as source, naming(self.folder), copy.open("wb") as target:
                    shutil.copyfileobj(source, target)
                reach_disk(copy)
                copy.chmod(0o444)
                stored[name] = StoredFile(file_hash(copy), copy.stat().st_size)
            yield folder, stored
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def prune(self, entries: Sequence[Entry | str] = ()) -> list[str]:
        """Remove entries, and all files that no entry needs; return the paths of what was removed.

        ValueError for an entry that an alias means, or that one that stays was made from.
        """
        with self._writing():
            ids = list(dict.fromkeys(map(self._id_of, entries)))
            self._check_unneeded(ids)
            removed = self._clear()  # first, because a full disk takes no line
            if ids:
                self._append(_PRUNED, {"entries": ids})
            return removed + self._clear()

    def _clear(self) -> list[str]:
        leftovers = list(self._leftovers())
        for path in leftovers:
            self._remove(path)
        return [path.relative_to(self.folder).as_posix() for path in leftovers]

    def _remove(self, path: Path) -> None:
        """Remove a file or a folder, such that a kill leaves no part of it in its place."""
        going = self.folder / "incoming" / f"{os.getpid()}-{secrets.token_hex(8)}"
        going.parent.mkdir(exist_ok=True)
        os.replace(path, going)
        if going.is_dir():
            shutil.rmtree(going)
        else:
            going.unlink()

    def _check_unneeded(self, ids: Sequence[str]) -> None:
        for alias, id in self._aliases.items():
            if id in ids:
                raise ValueError(f"{self._live[id]} ({id[:SHOWN_ID]}) is the {alias}, so it stays.")
        for entry in map(self._read, self._live):
            for id in set(ids).intersection(entry.parents):
                if entry.id not in ids:
                    raise ValueError(
                        f"{entry.name} ({entry.id[:SHOWN_ID]}) was made from {self._live[id]} ({id[:SHOWN_ID]}). "
                        "Remove both, or neither."
                    )

    def _leftovers(self) -> Iterator[Path]:
        """What killed processes and removed entries have left."""
        homes = {entry.place for entry in map(self._read, self._live) if entry.files}
        wanted = {"entries": {f"{id}.json" for id in self._live}, "objects": homes}
        for name, needed in wanted.items():
            yield from (path for path in _within(self.folder / name) if path.name not in needed)
        yield from filter(_is_stale, _within(self.folder / "incoming"))

    # --- Aliases ------------------------------------------------------------------------------------------------------

    def aliases(self) -> dict[str, str]:
        """The id that each alias means."""
        self._refresh()
        return dict(self._aliases)

    def move(self, alias: str, entry: Entry | str | None, why: str, **others: Entry | str | None) -> None:
        """Let an alias mean another entry, or none, and ``others`` with it, all or none of them.

        With the champion, ``previous`` moves to the one before, unless it is among the others.
        """
        for name in (alias, *others):
            check_name(name)
        with self._writing():
            if taken := {alias, *others}.intersection(self._live.values()):
                raise ValueError(f'"{min(taken)}" is the name of an entry. Choose another alias.')
            meant = self._id_of(entry) if entry else None
            before = self._aliases.get(alias)
            to = {alias: meant} | ({PREVIOUS: before} if alias == CHAMPION and before and before != meant else {})
            to |= {name: self._id_of(other) if other else None for name, other in others.items()}
            self._append(_MOVED, {"to": to, "before": before, "why": why})

    def history(self, alias: str) -> list[dict[str, Any]]:
        """Each move of an alias, the oldest first: ``n``, ``at``, ``entry`` (its id, or None) and ``why``."""
        return [
            {"n": event["n"], "at": event["at"], "entry": event["data"]["to"][alias], "why": event["data"]["why"]}
            for event in self.events(_MOVED)
            if alias in event["data"]["to"]
        ]

    # --- Whole or damaged ---------------------------------------------------------------------------------------------

    def verify(self, progress: Callable[[int, int], None] = lambda done, total: None) -> list[Problem]:
        """Read every byte; return the files that are not what was written. ``progress`` gets bytes, done and of all."""
        damage = self._damage()
        self._known = {}
        entries, problems = {}, []
        for id in self._live:
            try:
                entry = self._read(id)
                entries[entry.place] = entry
            except ValueError as error:
                problems.append((id, self._entry_path(id), str(error)))
        done, total = 0, sum(stored.size for entry in entries.values() for stored in entry.files.values())
        for entry in entries.values():
            problems += [(entry.id, path, what) for path, what in self._wrong_files(entry)]
            done += sum(stored.size for stored in entry.files.values())
            progress(done, total)
        damage = damage or self._damage()  # another process may have removed entries meanwhile
        told = [damage] if damage else []
        told += [(path, what) for id, path, what in problems if id in self._live]
        return [Problem(path.relative_to(self.folder).as_posix(), what) for path, what in told]

    def _damage(self) -> tuple[Path, str] | None:
        """What is wrong with the journal; what can be read of it is known then."""
        # What another process is writing just now is whole when it is looked at again.
        found = Journal(self.folder).damage() and Journal(self.folder).damage()
        with suppress(Damaged):  # told already
            self._journal.refresh()
        try:
            self._follow()
        except Damaged as error:
            return found or (self.folder / JOURNAL, str(error))
        return found

    def _wrong_files(self, entry: Entry) -> Iterator[tuple[Path, str]]:
        home = self.folder / "objects" / entry.place
        for name, stored in entry.files.items():
            if what := difference(home / name, stored):
                yield home / name, what
        for path in sorted(home.rglob("*")):
            if not path.is_dir() and path.relative_to(home).as_posix() not in entry.files:
                yield path, f"{path} belongs to no entry. Take it away."

    # --- Writers ------------------------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Keep other writers out, and know what they have written."""
        self._check_ours()
        with locked(self.folder, "process", _PATIENCE):
            self._refresh()
            if not self._journal.events:
                self._append(_BEGUN, {"schema": _SCHEMA})
            yield

    def _check_ours(self) -> None:
        """ValueError for a folder of other files."""
        check_empty_or_ours(self.folder, JOURNAL, re.compile(r"incoming|entries|objects|head\.json"))


def difference(path: Path, stored: StoredFile) -> str:
    """How a file shows that it is not what was written; empty if it does not."""
    try:
        if path.stat().st_size == stored.size and file_hash(path) == stored.hash:
            return ""
    except OSError as error:
        return f"{path} cannot be read: {reason(error)}. Restore it from a copy."
    return f"{path} is not what was written. Restore it from a copy."


def _is_stale(path: Path) -> bool:
    with suppress(FileNotFoundError):  # it has found its place by now
        return time.time() - path.stat().st_mtime > _STALE
    return False


def _within(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []
