"""``jimbo rollout``: games of an agent, written down for learning."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import Progress

from jimbo.agents.registry import options_help
from jimbo.cli.agent_flags import agent_from_flags
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.flags import (
    REAL,
    AgentName,
    AgentOption,
    Backend,
    Challenge,
    Deck,
    Effort,
    Stake,
    Telemetry,
    Timeout,
    Workers,
    check_backend,
    games_flag,
)
from jimbo.cli.real_game import RealGame, with_real_game
from jimbo.cli.registering import Register, check_register, register_result
from jimbo.console import make_console, make_progress
from jimbo.data.samples import Game
from jimbo.declared import LARGEST
from jimbo.rollout.farm import Spread
from jimbo.rollout.games import GivenUp
from jimbo.rollout.instances import GameServer, Instances
from jimbo.rollout.loop import MAX_STEPS
from jimbo.rollout.runner import SEED_PREFIX, RolloutPlan, RolloutResult, roll_out
from jimbo.seeds.starts import deck_and_challenge, stake_key, typed_seed
from jimbo.signals import one_interrupt
from jimbo.text import counted
from jimbo.wire.client import TIMEOUT

epilog = options_help

_NAMED = 3
SPREAD_EVERYWHERE = 1_000_000
"""More workers than any cluster has cores; each core gets one."""

OutFile = Annotated[
    Path, typer.Option(metavar="FILE", help="Where to write, .jsonl or .parquet; run the same command to resume.")
]
Format = Annotated[
    Literal["jsonl", "parquet"] | None,
    typer.Option("--format", help="jsonl (RecordV1) or parquet (columns, for training); default: by the suffix."),
]
Prefix = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT", help=f"Name of the list of seeds; none of them is an evaluation seed. Default: {SEED_PREFIX}."
    ),
]
MaxSteps = Annotated[int, typer.Option(min=1, max=LARGEST, metavar="N", help="Stop a game after N decisions.")]
ObsRaw = Annotated[
    bool, typer.Option("--include-obs-raw", help="Add the whole public state to each line (jsonl only).")
]
Restart = Annotated[
    bool,
    typer.Option("--restart-on-fail", help="Replay a game that timed out or whose process died, at most twice."),
]
Engine = Annotated[
    Literal["local", "ray"], typer.Option(help="Where games are played: on this machine, or on a Ray cluster.")
]
Address = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="With --engine ray: HOST:PORT, auto or local. Default: auto, if one runs."),
]


@with_real_game
def rollout(
    real: RealGame,
    out: OutFile,
    backend: Backend = "sim",
    games: Annotated[int, games_flag("Number of games; raise it to extend an existing file.", "--episodes")] = 10,
    workers: Workers = None,
    engine: Engine = "local",
    address: Address = None,
    agent: AgentName = "expert",
    option: AgentOption = None,
    effort: Effort = None,
    format_name: Format = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    seed: Annotated[str | None, typer.Option(help="One seed for all games, in place of a list.")] = None,
    seed_prefix: Prefix = None,
    max_steps_per_episode: MaxSteps = MAX_STEPS,
    include_obs_raw: ObsRaw = False,
    telemetry: Telemetry = None,
    restart_on_fail: Restart = False,
    timeout_sec: Timeout = None,
    register: Register = None,
) -> None:
    """Let an agent play games and record every decision.

    The files are for training, and for jimbo data. Ctrl-C stops at any time and keeps the complete games; run the same
    command to resume.
    """
    try:
        check_backend(backend, workers)
        check_register(register, out)
        deck_played, challenge_played = deck_and_challenge(deck, challenge)
        player, options = agent_from_flags(agent, option, effort)
        plan = RolloutPlan(
            agent=player.name,
            options=options,
            games=games,
            format=_format(out, format_name, include_obs_raw),
            deck=deck_played,
            stake=stake_key(stake),
            challenge=challenge_played,
            seed=_one_seed(seed, seed_prefix),
            seed_prefix=SEED_PREFIX if seed_prefix is None else seed_prefix,
            max_steps=max_steps_per_episode,
            # What the game showed is kept: it need not be what the simulator would show.
            include_obs_raw=include_obs_raw or (backend == REAL and _format(out, format_name, False) == "jsonl"),
            backend=backend,
        )
        _refuse_mixture(backend, engine)
        with (
            one_interrupt(),
            real.places(backend) as places,
            _spread(engine, address, places, timeout_sec) as spread,
            _progress() as progress,
        ):
            shown = _GamesProgress(progress, plan)
            cores = SPREAD_EVERYWHERE if spread else os.cpu_count() or 1
            outcome = roll_out(
                plan,
                out,
                workers=workers or cores,
                restart=restart_on_fail,
                timeout=None if places else timeout_sec,
                spread=spread,
                begun=shown.begin,
                progress=shown.show,
            )
    except (ValueError, ImportError) as error:
        fail(str(error))
    _tell(outcome, out)
    register_result(register, out)


def _refuse_mixture(backend: str, engine: str) -> None:
    if backend == REAL and engine != "local":
        raise ValueError("--engine ray plays in the simulator: leave it out with --backend real.")


@contextmanager
def _spread(
    engine: str, address: str | None, places: Sequence[GameServer] | None, timeout: float | None
) -> Iterator[Spread | None]:
    """How games are spread over instances of the real game, or over a cluster; None on one machine."""
    if places:
        yield Instances(places, timeout=timeout or TIMEOUT)
        return
    if engine == "local":
        if address is not None:
            raise ValueError("--address names a Ray cluster: add --engine ray")
        yield None
        return
    from jimbo.rollout.ray_cluster import ray_cluster
    from jimbo.rollout.ray_pool import run_tasks_on_ray

    with ray_cluster(address) as ray:
        yield partial(run_tasks_on_ray, ray)


def _format(out: Path, asked: str | None, include_obs_raw: bool) -> str:
    by_suffix = out.suffix.removeprefix(".")
    if asked is None and by_suffix not in ("jsonl", "parquet"):
        raise ValueError(f"{out} ends neither in .jsonl nor in .parquet. Choose one of them.")
    chosen = asked or by_suffix
    if by_suffix != chosen:
        raise ValueError(f"{out} must end in .{chosen}, so that it can be read again.")
    if include_obs_raw and chosen == "parquet":
        raise ValueError("--include-obs-raw is for jsonl: columns hold the observation already.")
    return chosen


def _one_seed(seed: str | None, prefix: str | None) -> str | None:
    if seed is not None and prefix is not None:
        raise ValueError("--seed is one seed for all games, and --seed-prefix names a list: choose one of them.")
    if prefix is not None and not (prefix.isprintable() and prefix.strip()):
        raise ValueError("--seed-prefix must be a text that can be printed.")
    return None if seed is None else typed_seed(seed)


# --- What is shown ----------------------------------------------------------------------------------------------------


class _GamesProgress:
    """The progress of a rollout."""

    def __init__(self, progress: Progress, plan: RolloutPlan) -> None:
        self._progress, self._antes, self._games = progress, 0, 0
        self._task = progress.add_task(plan.agent, total=plan.games, rate="")

    def begin(self, kept: int) -> None:
        self._progress.update(self._task, completed=kept)

    def show(self, end: Game | GivenUp) -> None:
        if isinstance(end, Game):
            self._antes += end.ante
            self._games += 1
        task = self._progress.tasks[self._task]
        speed = f"{task.speed:.3g} games/s, " if task.speed else ""
        mean = f"mean ante {self._antes / self._games:.2f}" if self._games else ""
        self._progress.update(self._task, advance=1, rate=f"{speed}{mean}")


def _progress() -> Progress:
    return make_progress(
        make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} games, {task.fields[rate]}"
    )


def _tell(outcome: RolloutResult, out: Path) -> None:
    """What was done, and the exit code for it."""
    for end in outcome.given_up[:_NAMED]:
        typer.echo(f"Game {end.number} (seed {end.seed}) was given up: {end.why}.", err=True)
    if len(outcome.given_up) > _NAMED:
        typer.echo(f"{len(outcome.given_up) - _NAMED} more games were given up.", err=True)
    if outcome.trouble:
        fail(f"{outcome.trouble} What had been saved before is kept; the same command continues.")
    if outcome.stopped:
        games = counted(outcome.kept + outcome.played, "game")
        typer.echo(f"Stopped with {games} of {outcome.plan.games:,}. The same command continues.", err=True)
        raise typer.Exit(INTERRUPTED)
    there = f" ({counted(outcome.kept, 'game')} there before)" if outcome.kept else ""
    typer.echo(f"{counted(outcome.played, 'game')} played{there}: {out}")
    if outcome.given_up:
        raise typer.Exit(1)
