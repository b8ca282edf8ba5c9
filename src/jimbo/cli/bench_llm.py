"""``jimbo bench-llm``: how well a language model plays, and what that takes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import Annotated

import typer

from jimbo.agents import make_agent
from jimbo.agents.registry import read_options
from jimbo.cli.errors import AGENT_FAILED, report_errors
from jimbo.cli.eval_games import CommandResult, finish, play_all, prepare
from jimbo.cli.flags import (
    MOST_GAMES,
    MOST_WORKERS,
    AgentOption,
    AsJson,
    Challenge,
    Deck,
    Nonce,
    OutDir,
    SeedSetName,
    Stake,
)
from jimbo.eval.runner import Evaluation

BENCH = "bench.json"
PER_HOUR = 3_000
MAY_CHANGE = ("per_hour", "patience", "price", "key_env")
"""Options that another run of the same command may have changed."""


def bench_llm(
    out: OutDir,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model; default: CLAUDE_MODEL, or claude-haiku-4-5.")
    ] = None,
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="llm: the model plays; claude: it is asked by an agent in doubt.")
    ] = "llm",
    api: Annotated[
        str | None, typer.Option(metavar="NAME", help="anthropic, or openai for services like it and local models.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(metavar="URL", help="Where the service is.")] = None,
    price: Annotated[
        str | None,
        typer.Option(metavar="IN,OUT", help="Dollars for a million tokens of input and of output, such as 3,15."),
    ] = None,
    budget: Annotated[
        float, typer.Option(min=0, max=100_000, metavar="DOLLARS", help="What all games of the folder may cost.")
    ] = 1.0,
    per_hour: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, metavar="N", help=f"Requests an hour; default: {PER_HOUR:,}."),
    ] = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    seeds: Annotated[
        int,
        typer.Option(
            "--games", "--seeds", min=1, max=MOST_GAMES, metavar="N", help="Games: the first seeds of the set."
        ),
    ] = 5,
    seed_set_name: SeedSetName = None,
    workers: Annotated[
        int, typer.Option(min=1, max=MOST_WORKERS, metavar="N", help="Games that are played at once.")
    ] = 1,
    option: AgentOption = None,
    agent_number: Nonce = 0,
    as_json: AsJson = False,
) -> None:
    """Let a language model play, and report how far it gets and what that takes.

    For example: jimbo bench-llm --model claude-haiku-4-5 --games 5 --budget 2 --out DIR

    The report has the mean final round, wins, illegal calls, tokens and cost; the folder keeps a record of each game
    for jimbo replay. Keys come from the environment: ANTHROPIC_API_KEY, or OPENAI_API_KEY with --api openai.
    """
    from jimbo.llm.bench import PLAYERS, BenchSettings, bench_data, bench_report
    from jimbo.llm.options import MODEL

    def result(evaluations: Sequence[Evaluation]) -> CommandResult:
        return CommandResult(bench_data(evaluations[0]), bench_report(evaluations[0]), BENCH)

    with report_errors(out), ExitStack() as locks:
        if agent not in PLAYERS:
            raise ValueError(f"The agent {agent} asks no model. Choose one of {', '.join(PLAYERS)}.")
        flags = {"model": model, "api": api, "base_url": base_url, "price": _prices(price), "per_hour": per_hour}
        given = read_options(agent, option or (), {name: value for name, value in flags.items() if value is not None})
        if wrong := [name for name in ("store", "budget") if name in given]:
            raise ValueError(f"The option {wrong[0]} is set by jimbo bench-llm: use --out and --budget.")
        # What the environment says is written down with the other settings.
        given.setdefault("model", os.environ.get("CLAUDE_MODEL") or MODEL)
        given.setdefault("per_hour", PER_HOUR)
        make_agent(agent, **given, budget=budget)
        # Neither the cost nor the time that games may take decides how they go, so both may change on the way.
        access = {"budget": budget, **{name: given.pop(name) for name in MAY_CHANGE if name in given}}
        games = prepare(
            [(agent, given)],
            [(deck, stake, challenge)],
            [out],
            locks,
            seed_set_name,
            seeds,
            agent_number=agent_number,
            settings=partial(BenchSettings, folder=out, access=access),
        )
        done = play_all(games, workers)
        finish(done, [], games.stores, out, as_json, result)
        failed = [row for row in done[0].episodes if row.error is not None]
        if failed and len(failed) == len(done[0].episodes):
            first = failed[0]
            typer.echo(f"jimbo: the agent failed in every run, first on seed {first.seed}: {first.error}", err=True)
            raise typer.Exit(AGENT_FAILED)


def _prices(text: str | None) -> tuple[float, float] | None:
    """Two numbers; ValueError for anything else."""
    if text is None:
        return None
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise ValueError(f'--price is two numbers, such as 3,15, not "{text}".') from None
    return first, second
