"""Every room of more than six files has a README with a line for each of them."""

import re
from pathlib import Path

import pytest

import jimbo

SOURCES = Path(jimbo.__file__).parent
FEW = 6


def files_of(room: Path) -> set[str]:
    kept = {path.name for path in room.iterdir() if path.is_file() and path.suffix in (".py", ".toml", ".yaml")}
    return kept - {"__init__.py"}


ROOMS = {str(room.parent.relative_to(SOURCES)): files_of(room.parent) for room in SOURCES.rglob("*/__init__.py")}


def test_there_are_rooms() -> None:
    assert {"engine", "env", "verify"} <= {room for room, files in ROOMS.items() if len(files) > FEW}


@pytest.mark.parametrize("room", [room for room, files in ROOMS.items() if len(files) > FEW])
def test_the_readme_of_a_room_lists_its_files(room: str) -> None:
    readme = (SOURCES / room / "README.md").read_text(encoding="utf-8")
    rows = [re.findall(r"[\w.]+\.\w+", row.split("|")[1]) for row in readme.splitlines() if row.startswith("| ")]
    assert {name for row in rows for name in row} == ROOMS[room]
