"""Why a run was lost: what is asked about its last decisions, and what is made of the answer."""

from pathlib import Path

import pytest

from jimbo.agents import make_agent
from jimbo.backends import SimBackend
from jimbo.data.record import Header
from jimbo.data.record_files import RecordFile, read_record
from jimbo.llm.access import Access
from jimbo.llm.failure import LAST, analyze_failure, history_of
from jimbo.llm.options import AccessOptions, make_access
from jimbo.llm.protocol import NoAnswer
from jimbo.rollout.loop import Moment, Rollout
from llm.stand_in import Service


@pytest.fixture
def lost() -> list[Moment]:
    rollout = Rollout(SimBackend())
    rollout.start(seed="LOST", deck="b_red", stake="stake_white")
    moments = list(rollout.play(make_agent("greedy"), 1))
    assert rollout.state
    assert rollout.state.over
    return moments


@pytest.fixture
def access(stand_in: Service) -> Access:
    return make_access(AccessOptions(base_url=stand_in.url, price=(1.0, 5.0)))


def test_a_lost_run_is_analyzed(stand_in: Service, access: Access, lost: list[Moment]) -> None:
    found = analyze_failure(access, lost)
    assert (found.failure_reason, found.critical_mistakes) == ("n", ("a",))
    assert found.dollars == pytest.approx((1200 + 5 * 80) / 1e6)
    prompt = stand_in.seen[0]["messages"][0]["content"]
    done, ended = prompt.split("What was done, and what came of it:")[1].split("How it ended:")
    assert sum(line.startswith("- ") for line in done.splitlines()) == LAST
    assert "not beaten" in done
    assert "The run is over" in ended
    assert set(stand_in.seen[0]["tools"][0]["input_schema"]["required"]) == {
        *("failure_reason", "critical_mistakes", "patterns_to_avoid", "strategic_insights", "improvement_priority"),
    }


def test_texts_of_an_analysis_are_tamed(stand_in: Service, access: Access, lost: list[Moment]) -> None:
    stand_in.choose = lambda body, schema: {
        "failure_reason": "\x1b[2J" + "x" * 5000,
        "improvement_priority": "",
        **dict.fromkeys(("critical_mistakes", "patterns_to_avoid", "strategic_insights"), ["m\n"] * 500),
    }
    found = analyze_failure(access, lost)
    assert found.failure_reason.startswith("[2Jxxx")
    assert len(found.failure_reason) <= 400
    assert found.critical_mistakes == ("m",) * 10


def test_an_answer_that_does_not_fit_is_none(stand_in: Service, access: Access, lost: list[Moment]) -> None:
    stand_in.faults = ["unknown_option"]
    with pytest.raises(NoAnswer, match="failure_reason of the tool report cannot be 7"):
        analyze_failure(access, lost)


def test_only_lost_runs(access: Access, lost: list[Moment]) -> None:
    with pytest.raises(ValueError, match="no decision"):
        analyze_failure(access, [])
    with pytest.raises(ValueError, match="is not lost"):
        analyze_failure(access, lost[:-1])


def test_the_history_of_a_record(tmp_path: Path, lost: list[Moment]) -> None:
    path = tmp_path / "lost.jsonl"
    file = RecordFile.create(path, Header(seed="LOST", deck="b_red", stake="stake_white", agent="greedy"))
    for moment in lost:
        file.add(moment.step, moment.decision)
    history = history_of(read_record(path))
    assert [one.after for one in history] == [one.after for one in lost]
