"""Every large room has a README with a line for each of its files."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS_OF = ("engine", "bindings", "src/jimbo")
"""Folders whose rooms are checked, with everything below them."""

NOT_ROOMS = {"engine/tests", "engine/apps", "src/jimbo"}
LARGE = 6
"""A room with more files than this has a README."""

SOURCES = {".cpp", ".hpp", ".py", ".toml", ".yaml"}


def files_of(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.suffix in SOURCES and path.name != "__init__.py"}


def large_rooms() -> list[str]:
    tops = [ROOT / top for top in ROOMS_OF]
    folders = tops + [path for top in tops for path in top.rglob("*") if path.is_dir()]
    large = {path.relative_to(ROOT).as_posix() for path in folders if len(files_of(path)) > LARGE}
    return sorted(large - NOT_ROOMS)


def named_in(readme: str) -> list[str]:
    """The files in the first column of the table whose head is "file"."""
    lines = iter(readme.splitlines())
    named: list[str] = []
    for line in lines:
        if not line.startswith("| file |"):
            continue
        for row in lines:
            if not row.startswith("|"):
                break
            named += re.findall(r"\w+\.\w+", row.split("|")[1])
    return named


def test_there_are_large_rooms() -> None:
    assert {"bindings", "engine/learn", "engine/rules/jokers", "src/jimbo/env"} <= set(large_rooms())


@pytest.mark.parametrize("room", large_rooms())
def test_the_readme_names_each_file_once(room: str) -> None:
    readme = ROOT / room / "README.md"
    assert readme.is_file(), f"{room} has more than {LARGE} files and no README.md"
    assert sorted(named_in(readme.read_text())) == sorted(files_of(ROOT / room))
