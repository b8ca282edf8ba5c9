"""``jimbo eval``: how well an agent plays, which of two plays better, and how well a network knows recorded games."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents.registry import options_help
from jimbo.cli.agent_flags import agent_from_flags, with_model
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import fail
from jimbo.cli.eval_games import hold, plans_of, play_all, seeds_of, stores_of
from jimbo.cli.eval_result import finish
from jimbo.cli.flags import (
    AGENT,
    AgentOption,
    AsJson,
    Backend,
    Challenge,
    Deck,
    Effort,
    Model,
    Nonce,
    SeedCount,
    SeedSetName,
    Stake,
    Timeout,
    Workers,
    check_backend,
    complete_agents,
)
from jimbo.cli.real_game import RealGame, with_real_game
from jimbo.rollout.instances import Instances
from jimbo.signals import one_interrupt
from jimbo.wire.client import TIMEOUT

epilog = options_help

_OFFLINE = "Recorded games"
SecondAgent = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A second agent, compared with the first on the same seeds.",
        autocompletion=complete_agents,
    ),
]
SecondAgentOption = Annotated[
    list[str] | None,
    typer.Option("--vs-set", "--vs-option", metavar="NAME=VALUE", help="An option of the second agent; repeatable."),
]
Online = Annotated[bool, typer.Option("--online", help="Let it play; the default without --offline.")]
Offline = Annotated[
    bool,
    typer.Option(
        "--offline",
        help="Play nothing: compare the network of --model with the games of --dataset.",
        rich_help_panel=_OFFLINE,
    ),
]
Dataset = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Records of jimbo rollout, .jsonl or .parquet.", rich_help_panel=_OFFLINE),
]
MoreDatasets = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE", help="More files of --dataset.", show_default=False),
]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Keep everything here; run the same command to resume, or with a larger --games to add games.",
    ),
]
_OF_OFFLINE = ("offline", "model", "dataset", "more_datasets", "out", "as_json")
_OF_OFFLINE_ALONE = ("dataset", "more_datasets")


@with_real_game
def eval_agent(
    context: typer.Context,
    real: RealGame,
    more_datasets: MoreDatasets = None,
    agent: Annotated[str | None, AGENT] = None,
    model: Model = None,
    vs: SecondAgent = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    seeds: SeedCount = None,
    seed_set_name: SeedSetName = None,
    workers: Workers = None,
    effort: Effort = None,
    option: AgentOption = None,
    vs_option: SecondAgentOption = None,
    agent_number: Nonce = 0,
    online: Online = False,
    backend: Backend = "sim",
    offline: Offline = False,
    dataset: Dataset = None,
    out: OutFolder = None,
    timeout_sec: Timeout = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate an agent over many runs.

    A run is won when the boss of ante 8 is beaten. Ctrl-C stops at any time and keeps what was played.
    With --offline nothing is played: a network is compared with recorded games.
    """
    _refuse_mixture(context)
    if offline:
        from jimbo.cli.eval_offline import eval_offline  # it needs packages that playing does not

        eval_offline(model, [*(dataset or ()), *(more_datasets or ())], out, as_json)
        return
    with ExitStack() as locks, one_interrupt():
        try:
            check_backend(backend, workers)
            agent, options = with_model(agent, model, option)
            contestants = [(agent, agent_from_flags(agent, options, effort)[1])]
            if vs is not None:
                contestants.append((vs, agent_from_flags(vs, vs_option)[1]))
            elif vs_option:
                raise ValueError("--vs-set is about a second agent: name it with --vs.")
            stores = stores_of(out, [name for name, _ in contestants])
            seeds_played = seeds_of(seed_set_name, seeds, stores)
            plans = plans_of(contestants, seeds_played, deck, stake, challenge, agent_number, backend)
            kept = hold(locks, out, stores, plans)
            with real.places(backend) as places:
                spread = Instances(places, timeout=timeout_sec or TIMEOUT) if places else None
                limit = None if places else timeout_sec
                done = play_all(plans, stores, kept, workers, spread, limit)
        except (ValueError, ImportError) as error:
            fail(str(error))
        finish(done, stores, out, len(plans), as_json)


def _refuse_mixture(context: typer.Context) -> None:
    """Options of one kind of evaluation mean nothing to the other."""
    flags = {**explicit_flags(context)}
    if "more_datasets" in flags:
        flags["more_datasets"] = context.params["more_datasets"][0]
    if "offline" not in flags and (wrong := [flag for name, flag in flags.items() if name in _OF_OFFLINE_ALONE]):
        fail(f"{wrong[0]} is about recorded games: add --offline, or leave it out to let an agent play.")
    if "offline" in flags and (wrong := [flag for name, flag in flags.items() if name not in _OF_OFFLINE]):
        fail(f"{wrong[0]} is about playing, and --offline plays nothing. Leave one of them out.")
