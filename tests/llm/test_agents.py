"""The agent claude, in whole games with a service that fails in every way."""

import random
from pathlib import Path
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.agents.protocol import Seat
from jimbo.backends import SimBackend
from jimbo.engine import Action, Run
from jimbo.llm.adviser import ClaudeAgent
from jimbo.llm.player import LlmAgent
from jimbo.rollout.loop import Moment, Rollout
from llm.conftest import KEY
from llm.stand_in import FAULTS, Service, last_option

FAST = {"agent": "fast", "per_hour": 100_000, "timeout": 0.1, "share": 0.2, "confidence": 0.9}


def claude(stand_in: Service, **options: Any) -> Seat:
    agent = make_agent("claude", **{"base_url": stand_in.url, **FAST, **options})
    assert isinstance(agent, Seat)
    return agent


def adviser(agent: Seat) -> ClaudeAgent:
    assert isinstance(agent.seated, ClaudeAgent)
    return agent.seated


def player(agent: Seat) -> LlmAgent:
    assert isinstance(agent.seated, LlmAgent)
    return agent.seated


def game(agent: Seat, seed: str = "CLAUDE", until: int = 4) -> list[Moment]:
    rollout = Rollout(SimBackend())
    rollout.start(seed=seed, deck="b_red", stake="stake_white")
    return list(rollout.play(agent, 1, until_ante=until))


def advised(moments: list[Moment], name: str = "claude-haiku-4-5") -> list[Moment]:
    return [one for one in moments if one.decision.route and one.decision.route.selected_policy == name]


# --- claude -----------------------------------------------------------------------------------------------------------


def test_it_asks_in_doubt_and_does_what_was_chosen(stand_in: Service) -> None:
    stand_in.choose = last_option
    agent = claude(stand_in, timeout=30.0, cache_size=0)
    asked = advised(game(agent))
    assert len(stand_in.seen) > 2
    assert len(asked) >= len(stand_in.seen)
    assert any(not one.decision.considered[0].chosen for one in asked)
    for moment in asked:
        assert moment.decision.explanation.startswith("claude-haiku-4-5")
        assert moment.before.refusal(moment.decision.action) is None
    metrics = adviser(agent).metrics()
    assert metrics["consultations"] == metrics["answered"] == len(stand_in.seen)
    assert metrics["consultation_rate"] <= 0.2
    assert adviser(agent).use.calls == len(stand_in.seen)
    assert (metrics["input_tokens"], metrics["dollars"]) == (1200 * len(stand_in.seen), 0.0)


def test_the_first_option_is_what_the_agent_does_alone(stand_in: Service) -> None:
    """So a model that agrees with it changes nothing."""
    alone = make_agent("fast")
    assert isinstance(alone, Seat)
    ours, theirs = game(claude(stand_in, timeout=30.0, cache_size=0)), game(alone)
    assert [one.decision.action for one in ours] == [one.decision.action for one in theirs]
    assert len(stand_in.seen) > 5


@pytest.mark.parametrize("fault", FAULTS)
def test_with_any_fault_the_game_goes_on_as_the_other_agent_plays_it(stand_in: Service, fault: str) -> None:
    stand_in.faults = [fault]
    agent, alone = claude(stand_in), make_agent("fast")
    assert isinstance(alone, Seat)
    ours = game(agent, until=3)
    assert [one.decision.action for one in ours] == [one.decision.action for one in game(alone, until=3)]
    assert stand_in.seen
    metrics = adviser(agent).metrics()
    assert metrics["answered"] == 0
    assert metrics["fallback_uses"] == adviser(agent).use.fallbacks > 0
    assert sum(metrics["failures"].values()) == metrics["consultations"]
    told = [one.decision.route for one in ours if one.decision.route]
    assert all(route.selected_policy == "fast" and route.fallback_reason for route in told)


def test_faults_at_random(stand_in: Service) -> None:
    chance = random.Random(5)
    stand_in.faults = chance.choices(["ok", *FAULTS], [2 * len(FAULTS), *[1] * len(FAULTS)], k=400)
    stand_in.choose = last_option
    agent = claude(stand_in, timeout=0.05)
    for seed in ("FAULTSA", "FAULTSB"):
        assert game(agent, seed, until=9)[-1].after.phase in ("game_over", "round_eval", "shop", "blind_select")
    metrics = adviser(agent).metrics()
    assert metrics["answered"] > 0
    assert metrics["fallback_uses"] > 0


def test_the_same_game_asks_nothing_again(stand_in: Service) -> None:
    first = game(claude(stand_in, similarity=1.0))
    sent = len(stand_in.seen)
    agent = claude(stand_in, similarity=1.0)
    second = game(agent)
    assert [one.decision.action for one in first] == [one.decision.action for one in second]
    assert len(stand_in.seen) == sent
    assert adviser(agent).metrics()["cache_hits"]["exact"] >= sent


def test_the_share_is_kept_to(stand_in: Service) -> None:
    agent = claude(stand_in, share=0.05, confidence=1.0, cache_size=0)
    moments = game(agent, until=9)
    assert 0 < len(stand_in.seen) <= 0.05 * len(moments)


def test_the_budget_is_kept_to(stand_in: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = claude(stand_in, price=[1000, 0], budget=20, store=str(tmp_path / "own.sqlite"), cache_size=0)
    game(agent)
    metrics = adviser(agent).metrics()
    assert 0 < metrics["dollars"] <= 20
    assert metrics["fallbacks"]["budget"] > 0
    assert "Raise the option budget" in capsys.readouterr().err


def test_a_second_step_is_taken_as_chosen(stand_in: Service) -> None:
    """An option such as to sell one joker and buy another is done whole."""
    agent = claude(stand_in)
    inside = adviser(agent)
    run = Run(seed="PLANNED")
    run.debug_add_joker("j_joker")
    run.step(Action("select_blind"))
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    run.dollars = 100
    state = run.public_state()
    inside._then = "leave the shop"
    assert inside.act(state).action == Action("leave_shop")
    inside._then = "buy what is not there"
    assert inside.act(state).explanation != "as chosen before"


def test_nothing_hidden_is_asked(stand_in: Service) -> None:
    """The prompt is the same for all runs that look the same, and never names the seed."""
    game(claude(stand_in), seed="HIDDEN77")
    assert "HIDDEN77" not in str(stand_in.seen)
    with pytest.raises(ValueError, match="must be shown what is hidden"):
        claude(stand_in, agent="expert", agent_options={"clairvoyant": "true"})


def test_the_other_api(stand_in: Service) -> None:
    agent = claude(stand_in, api="openai", base_url=f"{stand_in.url}/v1", model="local")
    assert advised(game(agent), "local")


def test_options_of_the_agent_that_plays(stand_in: Service) -> None:
    claude(stand_in, agent_options={"rollouts": "20"})
    with pytest.raises(ValueError, match="has no option rollout"):
        claude(stand_in, agent_options={"rollout": "20"})


def test_the_environment_stands_in_for_options(stand_in: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_MODEL", "claude-of-the-environment")
    monkeypatch.setenv("LLM_REQUESTS_PER_HOUR", "40")
    inside = adviser(make_agent("claude", base_url=stand_in.url))  # type: ignore[arg-type]
    assert inside.access.client.name == "claude-of-the-environment"
    assert inside.access.limits.capacity == 10
    monkeypatch.setenv("LLM_REQUESTS_PER_HOUR", "many")
    with pytest.raises(ValueError, match="the environment variable LLM_REQUESTS_PER_HOUR"):
        make_agent("claude", base_url=stand_in.url)


def test_a_model_without_a_price_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match=r"the price of claude-new is not known.*price=\[3,15\]"):
        make_agent("claude", model="claude-new")
    make_agent("claude", model="claude-new", price=[3, 15])


def test_without_a_key_nothing_begins() -> None:
    for name in ("claude", "llm"):
        with pytest.raises(ValueError, match="put it into the environment variable ANTHROPIC_API_KEY"):
            make_agent(name)


def test_no_key_is_left_anywhere(
    stand_in: Service, key: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """In no file, line, log, record or error, whatever the service does with it."""
    caplog.set_level(0)
    stand_in.faults = ["echo", "unauthorized", "echo", "ok", *FAULTS, "echo"]
    agents = [
        claude(stand_in),
        claude(stand_in, api="openai"),
        make_agent("llm", base_url=stand_in.url, timeout=0.1, patience=0),
    ]
    texts = [repr(agent) for agent in agents]
    for agent in agents:
        moments = game(agent, until=3)  # type: ignore[arg-type]
        texts += [repr(one.decision) for one in moments]
        texts.append(repr(agent.seated.access.account))  # type: ignore[attr-defined]
    out, err = capfd.readouterr()
    texts += [out, err, caplog.text]
    assert any(key in str(headers) for headers in stand_in.headers)
    assert "[key]" in "".join(texts)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "llm.sqlite" for path in files)
    assert not [text for text in texts if KEY in text]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
