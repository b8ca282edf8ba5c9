"""The network that comes with the package, as an agent."""

import sys

import pytest

pytest.importorskip("onnxruntime")
from jimbo.agents import make_agent
from jimbo.engine import Action, PublicState, Run
from jimbo.models.runtime import load_policy


def states() -> list[PublicState]:
    """One of each kind of decision."""
    run = Run(seed="NETWORKS")
    found = [run.public_state()]
    run.step(Action("select_blind"))
    found.append(run.public_state())
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    found.append(run.public_state())
    run.step(Action("cash_out"))
    run.dollars = 50
    found.append(run.public_state())
    run.step(Action("open_booster"))
    return [*found, run.public_state()]


@pytest.mark.parametrize("state", states(), ids=lambda state: str(state.phase))
def test_it_chooses_what_is_allowed_and_says_how_surely(state: PublicState) -> None:
    decision = make_agent("network").act(state)
    assert state.refusal(decision.action) is None
    assert decision.measure == "choice"
    values = [considered.value for considered in decision.considered]
    assert values == sorted(values, reverse=True)
    assert 0 < sum(values) <= 1 + 1e-5
    assert [considered.chosen for considered in decision.considered] == [True] + [False] * (len(values) - 1)
    assert decision.considered[0].action == decision.action
    assert decision.win is not None
    assert 0 < decision.win < 1
    assert (decision.considered[0].clear is not None) == (state.phase == "selecting_hand")


def test_it_sees_nothing_hidden() -> None:
    """Two runs that look the same are played the same."""
    agent = make_agent("network")
    run = Run(seed="NETWORKS")
    run.step(Action("select_blind"))
    other = run.determinize(7)
    assert other.to_json() != run.to_json()
    first, second = agent.act(run.public_state()), agent.act(other.public_state())
    assert (first.action, first.considered, first.win) == (second.action, second.considered, second.win)


def test_the_network_of_the_package_tells_where_it_comes_from() -> None:
    card = load_policy().card
    assert {card[part]["player"] for part in ("policy", "value")} == {"expert-v1 effort=0.2 joker_order=false"}
    assert card["method"] in ("pv", "dagger", "distill")
    assert load_policy().config.width == 96


def test_a_missing_package_is_told_as_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(
        ImportError, match=r'^onnxruntime is not installed: pip install "\.\[models\]" in a clone of Jimbo$'
    ):
        make_agent("network")


def test_bad_models_get_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"The agent network cannot be made: no\.onnx cannot be read: No such file"):
        make_agent("network", model="no.onnx")
