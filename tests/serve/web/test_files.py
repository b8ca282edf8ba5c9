"""The files of the page: as their makers published them, nothing from elsewhere, every word in the table."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from jimbo.serve.web.wire import STATIC

VENDOR = STATIC / "vendor"
OWN = sorted(path for path in STATIC.rglob("*") if path.is_file() and VENDOR not in path.parents)
SCRIPTS = [path for path in OWN if path.suffix == ".js"]


def test_the_libraries_are_as_published() -> None:
    entries = json.loads((VENDOR / "vendor.json").read_text())
    known = {entry["file"]: entry["sha256"] for entry in entries}
    there = {path.name for path in VENDOR.iterdir()} - {"vendor.json", "LICENSES.txt"}
    assert there == known.keys()
    for name, digest in known.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest, name


def test_each_library_has_its_licence() -> None:
    licences = (VENDOR / "LICENSES.txt").read_text()
    for entry in json.loads((VENDOR / "vendor.json").read_text()):
        assert f"{entry['package']} {entry['version']}\n" in licences
        assert entry["integrity"].startswith("sha512-")


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_nothing_is_loaded_from_elsewhere(path: Path) -> None:
    found = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+", path.read_text()))
    assert found <= {"http://www.w3.org"}, found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_word_is_in_the_table(path: Path) -> None:
    table = set(re.findall(r'^  "([^"]+)":', (STATIC / "js/texts.js").read_text(), re.MULTILINE))
    used = set(re.findall(r'\bt\("([\w.?]+)"', path.read_text()))
    assert used <= table


def test_no_text_of_the_table_is_unused() -> None:
    scripts = "".join(path.read_text() for path in SCRIPTS if path.name != "texts.js")
    table = re.findall(r'^  "([^"]+)":', (STATIC / "js/texts.js").read_text(), re.MULTILINE)
    made = (
        "do.",
        "fact.",
        "level.",
        "keys.",
        "theme.",
        "nav.",
        "board.part.",
        "board.order_",
        "review.save_",
    )  # their names are put together
    unused = [name for name in table if not name.startswith(made) and f'"{name}"' not in scripts]
    assert [name for name in unused if not re.search(rf"t\(`{re.escape(name.rpartition('.')[0])}\.\$", scripts)] == []
