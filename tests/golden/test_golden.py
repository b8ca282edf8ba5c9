"""Golden runs: a change of rules shows in them, and is reviewed in the diff."""

from pathlib import Path

import pytest

from golden.story import PLAYABLE, STAKE_KEYS, golden_runs, story

FOLDER = Path(__file__).parent / "runs"
RUNS = golden_runs()


@pytest.mark.parametrize("seed", RUNS)
def test_golden_run(seed: str, request: pytest.FixtureRequest) -> None:
    path, text = FOLDER / f"{seed}.txt", story(seed, RUNS[seed])
    if request.config.getoption("--golden-update"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "if the new run is right: pytest tests/golden --golden-update"


def test_every_deck_and_stake_is_there() -> None:
    assert {start["deck"] for start in RUNS.values() if "deck" in start} == set(PLAYABLE)
    assert {start["stake"] for start in RUNS.values() if "stake" in start} == set(STAKE_KEYS)
    assert len(RUNS) >= 30


def test_no_run_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(RUNS)
