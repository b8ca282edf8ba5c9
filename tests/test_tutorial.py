"""docs/tutorial.md can be followed: its commands run, one after the other, and print what the page shows."""

from pathlib import Path

import pytest

from pages import blocks, follow, page, unrun

PAGE = page("tutorial.md")


@pytest.mark.slow
def test_every_command_runs_and_prints_what_is_shown(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    follow(PAGE, tmp_path)


def test_every_command_is_in_a_block_that_is_run() -> None:
    assert unrun(PAGE) == []
    verbs = {" ".join(line.split()[1:3]) for block in blocks(PAGE) for line in block.commands.splitlines()}
    for verb in ("train bc", "train pv", "train dagger", "train distill", "data summary"):
        assert verb in verbs
    for verb in ("rollout", "eval", "ablation", "assist", "advise", "watch"):
        assert any(name.split()[0] == verb for name in verbs)


def test_it_warns_that_figures_differ_and_draws_no_more_than_holds_everywhere() -> None:
    """What a training of a minute shows depends on the machine; tests/test_words.py holds what was said too much."""
    before_the_steps = " ".join(PAGE.split("\n## ")[0].split())
    assert "Your figures will differ from these." in before_the_steps
    assert "read everything else off your own intervals" in before_the_steps
