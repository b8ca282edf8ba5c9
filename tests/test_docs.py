"""The documents say what is there: their figures, paths and tables agree with the code."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from jimbo.cli.main import VERBS, app
from jimbo.engine import catalog, observation_dtype, schema_hash, signature, step_names
from jimbo.engine.bench import DRAWS, FIGURES

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "benchmarks" / "README.md", *(ROOT / "docs").glob("*.md")]
ROOMS = ("engine", "bindings", "src", "tests", "docs", "examples", "benchmarks")


def text_of(path: str) -> str:
    """On one line, as it is read."""
    return " ".join((ROOT / path).read_text(encoding="utf-8").split())


def constant(path: str, name: str) -> int:
    found = re.search(rf"constexpr int {name} = (\d+);", (ROOT / path).read_text(encoding="utf-8"))
    assert found, f"{path} has no {name}"
    return int(found[1])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`([\w.-]+(?:/[\w.*<>-]+)+/?)`", text)
    inside = {name for name in named if name.split("/")[0] in ROOMS and "<" not in name}
    linked = set(re.findall(r"\]\(([^)#:]+)\)", text))
    # Also without its ending: engine/solve/solver.
    assert [name for name in sorted(inside) if not (any(ROOT.glob(name)) or any(ROOT.glob(f"{name}.*")))] == []
    assert [link for link in sorted(linked) if not (page.parent / link).exists()] == []


def test_the_way_of_one_decision_goes_through_files_that_are_there() -> None:
    way = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[3]
    named = set(re.findall(r"\b[a-z_]+(?:/[a-z_]+)+\.(?:py|hpp)\b", way))
    assert len(named) >= 8
    assert [
        name for name in sorted(named) if not ((ROOT / "src/jimbo" / name).exists() or (ROOT / name).exists())
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_sections_lead_somewhere(page: Path) -> None:
    linked = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    assert [
        f"{file}#{name}" for file, name in linked if name not in sections_of(page.parent / file if file else page)
    ] == []


def sections_of(page: Path) -> set[str]:
    """The names by which links reach the headings of a page."""
    headings = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_make_target_is_told() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE)) - {"help", "clean"}
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("| target |")[1].split("\n\n")[0]
    assert {name for line in table.splitlines()[2:] for name in re.findall(r"`make ([a-z-]+)`", line)} == targets


def test_ci_is_told_as_it_is() -> None:
    parts = re.search(r"^ci: (.*?)  ##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert parts
    assert f"| `make ci` | {', '.join(f'`{part}`' for part in parts[1].split())}: " in text_of("CONTRIBUTING.md")


def test_the_rules_page_counts_right() -> None:
    text = text_of("docs/rules.md")
    counts = {
        "jokers": len(catalog.JOKERS),
        "consumables": len(catalog.CONSUMABLES),
        "vouchers": len(catalog.VOUCHERS),
        "packs": len(catalog.BOOSTERS),
        "tags": len(catalog.TAGS),
        "blinds": len(catalog.BLINDS),
        "decks": len(catalog.DECKS) - 1,  # the last one belongs to challenges
        "stakes": len(catalog.STAKES),
        "challenges": len(catalog.CHALLENGES),
    }
    for name, count in counts.items():
        assert f"{count} {name}" in text
    state = "engine/state/run_state.hpp"
    held = {
        "playing cards": constant(state, "max_cards"),
        "cards in hand": constant(state, "max_hand"),
        "jokers": constant(state, "max_jokers"),
        "consumables": constant(state, "max_consumables"),
        "tags": constant(state, "max_tags"),
        "resample streams": constant("engine/rng/streams.hpp", "max_resamples"),
    }
    capacities = text.split("A run holds at most ")[1].split(".")[0]
    assert re.findall(r"(\d+) ([a-z ]+?)(?:,| and |$)", capacities) == [(str(n), name) for name, n in held.items()]


def commands_of(page: Path) -> list[list[str]]:
    """The words of each command that a page shows, in blocks and in line; not those that version 0.1.0 alone had."""
    text = page.read_text(encoding="utf-8")
    fenced = re.findall(r"^```(\w*)[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    blocks = "\n".join(block for kind, block in fenced if kind in ("", "sh"))
    shown = [*re.findall(r"^jimbo .*", blocks, re.MULTILINE), *re.findall(r"`(jimbo [^`]+)`", text)]
    today = (line for line in shown if not re.search(r"expert-v1|\b(?:bc|start|expert)\.parquet", line))
    return [re.split(r" [#|>] ", line)[0].split()[1:] for line in today]


def spellings() -> dict[str, set[str]]:
    """The options of each command as help shows them."""
    found: dict[str, set[str]] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        for name in getattr(command, "commands", ()):
            inner = command.loaded(name) if hasattr(command, "loaded") else command.commands[name]
            walk(inner, (*words, name))
        options = [param for param in command.params if param.param_type_name == "option"]
        found[" ".join(words)] = {name for option in options for name in (option.opts[0], *option.secondary_opts)}

    walk(get_command(app), ())
    return found


OPTIONS = spellings()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_name_verbs_and_options_that_help_shows(page: Path) -> None:
    for words in commands_of(page):
        verbs = [" ".join(words[:n]) for n in (2, 1, 0) if " ".join(words[:n]) in OPTIONS]
        asked = {word for word in words if re.fullmatch(r"--[a-z][a-z-]*", word)} - {"--help"}
        assert asked <= OPTIONS[verbs[0]], f"{page.name}: jimbo {' '.join(words)}"


def test_every_verb_is_listed() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `jimbo ([a-z-]+)", text, re.MULTILINE))
    assert listed == {verb for verbs in VERBS.values() for verb in verbs}


def test_sizes_and_hashes() -> None:
    assert f"a fixed list of {len(step_names())} " in text_of("docs/environments.md")
    assert f"its observation ({observation_dtype().itemsize / 1000:.1f} KB)" in text_of("benchmarks/README.md")
    changes = text_of("CHANGELOG.md")
    assert f"the hash of their schema is `{schema_hash()}`" in changes
    assert f"the signature of the rules is `{signature()}`" in changes


# --- Speed ------------------------------------------------------------------------------------------------------------

LAST = json.loads((ROOT / "benchmarks" / "history.jsonl").read_text(encoding="utf-8").splitlines()[-1])


def test_the_speeds_are_those_of_the_last_record() -> None:
    text = text_of("docs/results.md").split("## Speed")[1].split("### Environments")[0]
    shown = {
        "decisions of random play, whole actions, all content": f"{LAST['decisions_per_s'] / 1e6:.2f} million",
        "whole random runs": f"{LAST['runs_per_s'] / 1e3:.0f} thousand",
        f"copies of a run ({LAST['state_bytes']:,} bytes)": f"{LAST['clones_per_s'] / 1e6:.1f} million",
        "exact scores of five cards with five jokers": f"{LAST['scores_per_s'] / 1e6:.1f} million",
        "searches for the best of the 218 plays of eight cards": f"{LAST['best_hand_per_s'] / 1e3:.0f} thousand",
        "decisions with observation and mask, in batches of 256 from Python": (
            f"{LAST['env_decisions_per_s'] / 1e6:.2f} million"
        ),
        "what a player may know (`PublicState`), made from a run": f"{LAST['public_states_per_s'] / 1e6:.2f} million",
        "two threads over one": f"{LAST['thread_speedup']:.2f} times",
    }
    for what, speed in shown.items():
        assert f"| {what} | {speed} |" in text
    assert f"takes {LAST['draw_ns']:.0f} ns" in text
    assert f"commit {LAST['commit'][:7]}, {LAST['date'][:10]}" in text
    assert f"medians of {LAST['repeats']}" in text
    assert LAST["machine"]["cpu"] in text


def test_every_figure_is_explained() -> None:
    known = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "benchmarks" / "README.md").read_text("utf-8"), re.MULTILINE))
    told_below = {"cpu", "threads", "repeats", "machine", "commit", "version", "date"}
    assert known == {*(figure.key for figure in (*FIGURES, DRAWS)), "thread_speedup", "state_bytes", "signature"}
    assert LAST.keys() - told_below <= known


def test_players_are_told_how_to_set_the_game_to_english() -> None:
    assert "Set the game to English: in its main menu" in text_of("docs/real-game.md")


def test_tools_are_told_which_files_the_server_uses() -> None:
    server = text_of("docs/server.md")
    assert "without the option, `balatrobot` in the folder in which the server was started" in server
    assert "An absolute path must lead into it" in server
    assert "`oracle_start_state_*.jkr`" in server
