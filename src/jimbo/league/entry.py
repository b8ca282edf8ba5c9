"""What a registry keeps: entries, their files, and the versions that they were made with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jimbo.data import hash_of, versions
from jimbo.declared import Declared, declared, short_repr
from jimbo.engine import batch_schema_hash, public_schema_hash, schema_hash
from jimbo.engine.catalog import GAME_VERSION
from jimbo.engine.value import value_schema_hash

PREFIX = "registry:"
"""How commands are told that a name is one of the registry."""
SHOWN_ID = 12
"""Signs of an id that people see; as many as tell it from others."""
_PLACE_SIGNS = 24
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


@dataclass(frozen=True, slots=True)
class StoredFile(Declared):
    """A file of an entry."""

    hash: str
    """SHA-256."""
    size: int = declared(min=0, help="bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Declared):
    """What was registered. It never changes; a name that is registered again means the newest."""

    id: str
    name: str
    kind: str
    """What it is: model, agent, dataset, evaluation, and whatever others keep."""
    spec: Mapping[str, Any]
    """What makes it again: settings, or for who can play ``agent``, ``options`` and the ``files`` of options."""
    files: Mapping[str, StoredFile] = field(default_factory=dict)
    parents: tuple[str, ...] = ()
    """Ids of what it was made from."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: command, seeds, hashes, versions."""
    created: str = ""

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        check_name(self.name)
        for name in self.files:
            checked_file(name)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} {self.id[:SHOWN_ID]}>"

    @property
    def place(self) -> str:
        """The folder of its files in ``objects``."""
        return hash_of({name: stored.hash for name, stored in self.files.items()})[:_PLACE_SIGNS]


def made_with() -> dict[str, Any]:
    """What decides how games go and what networks see; a model plays only where these are the same."""
    return {"versions": dict(versions()), "schemas": schema_hashes(), "game_version": GAME_VERSION}


def schema_hashes() -> dict[str, str]:
    """Of states (state_v1), public states (public_v1), observations, which networks see, and the inputs of a value."""
    return {
        "state_v1": schema_hash(),
        "public_v1": public_schema_hash(),
        "observations": batch_schema_hash(),
        "value": value_schema_hash(),
    }


def check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{short_repr(name)} is not a name: use up to 100 letters, digits and _.- alone.")


def checked_file(name: str) -> str:
    """ValueError for a name that could mean a file elsewhere."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\\" in part or ":" in part or not part.isprintable() for part in parts):
        raise ValueError(f"{short_repr(name)} cannot be the name of a file in a registry.")
    return name
