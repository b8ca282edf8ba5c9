"""docs/judgement.md and docs/packages.md can be followed, from a trained network to a champion and its package."""

from pathlib import Path

import pytest

from jimbo.league.spec import CHAINS, read_chain, read_spec, shipped
from pages import blocks, follow, page


@pytest.mark.slow
def test_a_network_is_trained_judged_promoted_packed_and_taken_back(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    follow(page("judgement.md"), tmp_path, JIMBO_REGISTRY=str(tmp_path / "registry"))


@pytest.mark.slow
def test_an_agent_is_packed_checked_and_played(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    follow(page("packages.md"), tmp_path)


def test_the_walk_holds_every_step() -> None:
    typed = "".join(block.commands for block in blocks(page("judgement.md")))
    walk = ["train bc", "league promote", "league challenge", "league canary", "package export", "package verify"]
    assert [typed.find(f"jimbo {step} ") for step in walk] == sorted(typed.find(f"jimbo {step} ") for step in walk)
    assert all(f"jimbo {step} " in typed for step in walk)


def test_the_specs_that_are_shown_can_be_read(tmp_path: Path) -> None:
    shown = [part.split("```")[0] for part in page("judgement.md").split("```yaml\n")[1:]]
    for number, text in enumerate(shown):
        (tmp_path / f"{number}.yaml").write_text(text)
    assert read_spec(str(tmp_path / "0.yaml")).name == "mine"
    assert read_chain(str(tmp_path / "1.yaml"))
    assert len(shown) == 2


def test_the_table_of_chains_names_the_files_that_they_write() -> None:
    text = page("judgement.md")
    for name in shipped(CHAINS):
        spec, row = read_chain(name), next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
        assert spec
        files = [word for word in row.split("`") if word.endswith((".json", ".md"))]
        assert [file for file in files if file not in (*spec.gates, *spec.copies, spec.summary)] == []
        assert spec.summary in files
