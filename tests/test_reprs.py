"""Whatever the package gives out says what it is, in one short line."""

import inspect
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from eval.episode_rows import episode
from jimbo import agents, backends, engine, env, eval
from jimbo.agents import agent_names, make_agent
from jimbo.engine import Action, Batch, BatchArrays, IllegalAction, Run
from jimbo.eval import seed_set
from jimbo.wire.client import Client
from wire.made_saves import save_of, written

LONGEST = 300


def dealt() -> Run:
    run = Run(seed="REPRS")
    run.step(Action("select_blind"))
    return run


def refused() -> IllegalAction:
    try:
        Run().step(Action("cash_out"))
    except IllegalAction as error:
        return error
    raise AssertionError


def transition() -> env.Transition:
    rows = BatchArrays.for_batch(Batch(3))
    return env.Transition(rows.observations, rows.observations, rows.stats)


def shown() -> engine.PublicState:
    """A state that has some of everything."""
    run = Run(seed="REPRS")
    run.debug_add_joker("j_green_joker")
    run.debug_add_consumable("c_fool")
    run.step(Action("select_blind"))
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    return run.public_state()


def saved() -> backends.SaveBackend:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "save.jkr"
        path.write_bytes(written(save_of(dealt())))
        return backends.SaveBackend(path)


def open_pack() -> engine.PublicPack | None:
    run = shown().imagine(0)
    run.dollars = 100
    run.step(Action("open_booster"))
    return run.public_state().pack


def snapshot() -> env.EnvSnapshot:
    played = env.RunEnv()
    played.reset(seed=1)
    return played.snapshot()


def paired() -> eval.Paired:
    rows = [episode(seed, won=seed == 2) for seed in range(4)]
    return eval.compare(rows, rows)


SETTINGS = eval.Settings(agent="greedy", seeds=seed_set("dev-100"))
LAYOUT = (engine.observation_fields(), 377)


def options(layout: str) -> dict[str, np.ndarray[Any, Any]]:
    source = engine.OptionSource(layout)
    engine.Batch(2, encoding="options", source=source)
    return source.arrays


EXAMPLES: dict[type, Callable[[], Any]] = {
    engine.Action: lambda: Action("play", cards=[0, 1, 2, 3, 4]),
    engine.Batch: lambda: Batch(256),
    engine.BatchArrays: lambda: BatchArrays.for_batch(Batch(256)),
    engine.BatchSnapshot: lambda: Batch(256).snapshot(),
    engine.Candidates: lambda: engine.candidates(dealt()),
    engine.Describer: engine.Describer,
    engine.Description: lambda: engine.describe(dealt().public_state()),
    engine.Event: lambda: dealt().step(Action("play", cards=[0]))[0],
    engine.FieldSpec: lambda: engine.observation_fields()[0],
    engine.FlatPlan: lambda: engine.FlatPlan(3, 0, []),
    engine.IllegalAction: refused,
    engine.Preview: lambda: dealt().preview([0]),
    engine.PublicBlind: lambda: shown().blinds[0],
    engine.PublicBlindInPlay: lambda: shown().blind,
    engine.PublicBooster: lambda: shown().shop_boosters[0],
    engine.PublicCard: lambda: shown().unseen[0],
    engine.PublicConsumable: lambda: shown().consumables[0],
    engine.PublicHand: lambda: shown().hands[0],
    engine.PublicJoker: lambda: shown().jokers[0],
    engine.PublicLastHand: lambda: shown().last_hand,
    engine.PublicOffer: lambda: shown().shop[0],
    engine.PublicPack: open_pack,
    engine.PublicPayout: lambda: shown().payout,
    engine.PublicShown: lambda: shown().jokers[0].shown[0],
    engine.PublicState: shown,
    engine.PublicTag: lambda: shown().skip_tags[0],
    engine.PublicTargets: lambda: shown().targets,
    engine.PublicVoucherOffer: lambda: shown().shop_vouchers[0],
    engine.OptionSource: engine.OptionSource,
    engine.Recycler: lambda: engine.Recycler([], 1, dict, 4),
    engine.RoundForecast: lambda: engine.forecast(dealt(), worlds=2)[0],
    engine.Run: dealt,
    engine.SolvedAction: lambda: engine.solve_blind(dealt(), rollouts=20)[0],
    env.ActionMaskWrapper: lambda: env.ActionMaskWrapper(env.RunEnv()),
    env.BalatroGymWrapper: lambda: env.BalatroGymWrapper(env.RunEnv()),
    env.CampaignEnv: env.CampaignEnv,
    env.CampaignOptions: env.CampaignOptions,
    env.CampaignVectorEnv: lambda: env.CampaignVectorEnv(3),
    env.CurriculumWrapper: lambda: env.CurriculumWrapper(env.RunEnv()),
    env.EnvSnapshot: snapshot,
    env.EnvironmentWrapper: lambda: env.EnvironmentWrapper(env.RunEnv()),
    env.EpisodeOptions: env.EpisodeOptions,
    env.FieldLayout: lambda: env.FieldLayout(*LAYOUT),
    env.FlatLayout: lambda: env.FlatLayout(*LAYOUT),
    env.FlatOptionLayout: lambda: env.FlatOptionLayout(options("summary")),
    env.OptionLayout: lambda: env.OptionLayout(options("sparse")),
    env.PackedLayout: lambda: env.PackedLayout(*LAYOUT),
    env.RewardScalingWrapper: lambda: env.RewardScalingWrapper(env.RunEnv()),
    env.RunEnv: env.RunEnv,
    env.RunOptions: env.RunOptions,
    env.RunVectorEnv: lambda: env.RunVectorEnv(3),
    env.Transition: transition,
    agents.Considered: lambda: agents.Considered(Action("reroll"), 0.5, "rerolls"),
    agents.Decision: lambda: agents.Decision(Action("reroll")),
    backends.Applied: lambda: backends.Applied(dealt().public_state(), []),
    backends.RealBackend: lambda: backends.RealBackend(Client()),
    backends.ReplayBackend: lambda: backends.ReplayBackend(deck="b_red", stake="stake_white", seed="A", actions=[]),
    backends.RevealedState: lambda: backends.RevealedState(dealt()),
    backends.SaveBackend: saved,
    backends.SimBackend: backends.SimBackend,
    backends.NotSupportedByMod: lambda: backends.NotSupportedByMod("so", method="sell", url="here"),
    backends.ReplayDiverged: lambda: backends.ReplayDiverged("so"),
    backends.UnsupportedAction: lambda: backends.UnsupportedAction("so"),
    eval.BlindScore: lambda: eval.BlindScore(ante=1, round=1, blind="bl_small", score=310.0, target=300.0),
    eval.Difference: lambda: paired().wins,
    eval.Episode: lambda: episode(1),
    eval.Evaluation: lambda: eval.Evaluation(SETTINGS, (episode(1),)),
    eval.Paired: paired,
    eval.SeedSet: lambda: seed_set("dev-1000"),
    eval.Settings: lambda: SETTINGS,
    eval.Store: lambda: eval.Store(Path("runs")),
    eval.Summary: lambda: eval.summarize([episode(seed) for seed in range(4)]),
}


def exported(*rooms: ModuleType) -> set[type]:
    things = {getattr(room, name) for room in rooms for name in room.__all__ if inspect.isclass(getattr(room, name))}
    return {thing for thing in things if not getattr(thing, "_is_protocol", False) and not issubclass(thing, Enum)}


def test_every_exported_class_has_an_example() -> None:
    assert exported(engine, env, agents, backends, eval) == set(EXAMPLES)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_it_says_what_it_is(kind: type) -> None:
    example = EXAMPLES[kind]()
    assert type(example) is kind
    text = repr(example)
    assert kind.__name__ in text
    assert "0x" not in text
    assert "\n" not in text
    assert len(text) <= LONGEST


@pytest.mark.parametrize("name", agent_names())
def test_agents_say_what_they_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "no-real-one")
    assert repr(make_agent(name)) == f"<{name.title().replace('_', '')}Agent>"


def test_a_state_and_an_environment_say_where_they_stand() -> None:
    assert repr(dealt().public_state()) == "<PublicState: ante 1, round 1, selecting_hand, $4>"
    assert repr(backends.RevealedState(dealt())) == "<RevealedState: ante 1, round 1, selecting_hand, $4>"
    assert repr(shown().jokers[0]).startswith("<PublicJoker id=53 key='j_green_joker' name='Green Joker'")
    playing = env.RunEnv()
    assert repr(playing) == "<RunEnv before its first game>"
    playing.reset(options={"seed": "REPRS"})
    assert repr(playing) == "<RunEnv playing REPRS>"
    world = backends.SimBackend()
    assert repr(world) == "<SimBackend without a run>"
    world.reset(seed="REPRS")
    assert "<Run REPRS b_red" in repr(world)


def test_previews_and_forecasts_are_short_and_full() -> None:
    run = dealt()
    twos = ([i, j] for i in range(8) for j in range(i))
    preview = next(preview for preview in map(run.preview, twos) if preview.hand == "Pair")
    assert repr(preview) == f"<Preview Pair: {preview.chips:.0f} chips x 2 mult = {preview.score:.0f}>"
    boss = Run(seed="REPRS")
    boss.debug_set_boss("bl_psychic")
    for _ in range(2):
        boss.step(Action("skip_blind"))
    boss.step(Action("select_blind"))
    assert repr(boss.preview([0])) == "<Preview High Card: blocked by the boss, 0>"
