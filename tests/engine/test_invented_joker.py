"""A joker is a row of facts, a rule and a line of the registry: an invented one is added to a copy of the engine, which
is built and played."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("base", "rng", "catalog", "state", "rules", "play", "store")
COMPILER = shutil.which(os.environ.get("CXX", "c++"))
FLAGS = ("-std=c++20", "-O0", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-pthread")

FACT = """\
        {.id = J::invented, .key = "j_invented", .name = "Invented Joker", .rarity = R::common, .cost = 4,
         .text = "Gains +7 Mult with each hand played."},
"""
RULE = """\
inline constexpr JokerRule invented{
    .key = JokerId::invented,
    .count_means = ShownKind::mult,
    .before_scoring = [](Score&, const JokerCall& j) { j.self->count += j.copied ? 0 : 7; },
    .hand_scored = count_as_mult,
};

"""
ADDED = (
    # file, what stands behind the new text, the new text
    ("catalog/jokers.hpp", "\n};\n// clang-format on\n\nenum class Rarity", ", invented"),
    ("catalog/jokers.hpp", "    });\n}();\n// clang-format on\ninline constexpr int joker_count", FACT),
    ("rules/jokers/growing_jokers.hpp", "}  // namespace jimbo::jokers", RULE),
    ("rules/jokers/registry.cpp", "\n};\n// clang-format on\n\nconstexpr bool every_rule", " &jokers::invented,"),
)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    for room in ROOMS:
        shutil.copytree(ROOT / "engine" / room, tmp_path / room)
    shutil.copy(Path(__file__).with_name("invented_joker.cpp"), tmp_path)
    for name, behind, text in ADDED:
        path = tmp_path / name
        source = path.read_text(encoding="utf-8")
        assert source.count(behind) == 1, f"{name} no longer holds the place where a joker is added"
        path.write_text(source.replace(behind, text + behind), encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
def test_an_invented_joker_needs_only_its_own_lines(scratch: Path) -> None:
    sources = sorted(path.relative_to(scratch) for path in scratch.rglob("*.cpp"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda source: _run(scratch, "-c", source, "-o", source.with_suffix(".o")), sources))
    _run(scratch, *(source.with_suffix(".o") for source in sources), "-o", "invented")
    played = subprocess.run([scratch / "invented"], capture_output=True, text=True, check=False)
    assert (played.stdout, played.returncode) == ("played\n", 0)


def _run(folder: Path, *arguments: str | Path) -> None:
    assert COMPILER
    command = [COMPILER, *FLAGS, "-I.", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
