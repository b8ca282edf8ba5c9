"""``jimbo ablation``: several strategies on the same seeds, in one table."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.cli.agent_flags import agent_from_flags
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.eval_games import hold, plans_of, play_all, seeds_of
from jimbo.cli.flags import AsJson, Challenge, Deck, Nonce, SeedCount, SeedSetName, Stake, Workers
from jimbo.console import make_console
from jimbo.eval.ablation import Ablation, Strategy, ablation, read_evaluation
from jimbo.eval.runner import Evaluation
from jimbo.eval.store import Store
from jimbo.files import reason
from jimbo.report import terminal
from jimbo.report.ablation import TABLES, ablation_data, ablation_report, write_ablation
from jimbo.run_folder import RunFolder
from jimbo.signals import one_interrupt

_PLAYED = "strategies"
_ABOUT_PLAYING = ("deck", "stake", "challenge", "seeds", "seed_set_name", "workers", "agent_number")
_FORM = '"[NAME=]AGENT [KEY=VALUE]..."'


@dataclass(frozen=True, slots=True)
class _Asked:
    """A strategy: a folder with its games, or an agent to play them."""

    name: str
    folder: Path | None = None
    agent: str = ""
    options: Sequence[tuple[str, Any]] = ()


def compare_strategies(
    context: typer.Context,
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY",
            help=f"{_FORM} to be played, or [NAME=]DIR of a jimbo eval --out.",
            show_default=False,
        ),
    ],
    seeds: SeedCount = None,
    seed_set_name: SeedSetName = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    workers: Workers = None,
    agent_number: Nonce = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "--out-dir", metavar="DIR", help="Keep everything here; run the same command to resume."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare several strategies with the first one, on the same seeds.

    For example: jimbo ablation expert "hasty=expert effort=0.2" "blunt=expert solver=false" --games 100 --out DIR
    """
    with ExitStack() as locks, one_interrupt():
        try:
            asked = [_asked(text) for text in strategies]
            players = [each for each in asked if not each.folder]
            _check(
                asked,
                [flag for name, flag in explicit_flags(context).items() if name in _ABOUT_PLAYING and not players],
            )
            kept = {each.name: read_evaluation(each.folder) for each in asked if each.folder}
            _open(out, locks)
            stores = [Store(out / _PLAYED / _file_name(each.name)) if out else None for each in players]
            known = [*stores, *(Store(each.folder) for each in asked if each.folder)]
            played_on = seeds_of(seed_set_name, seeds, known)
            contestants = [(each.agent, dict(each.options)) for each in players]
            plans = plans_of(contestants, played_on, deck, stake, challenge, agent_number)
            done = play_all(plans, stores, hold(locks, None, stores, plans), workers)
            _go_on(done, out)
            played = {each.name: evaluation for each, evaluation in zip(players, done, strict=True)}
            result = ablation([Strategy(each.name, (kept | played)[each.name]) for each in asked])
            if out:
                write_ablation(result, out)
        except (ValueError, ImportError) as error:
            fail(str(error))
        except OSError as error:
            fail(f"{out} cannot be written: {reason(error)}.")
    _show(result, out, as_json)


def _asked(text: str) -> _Asked:
    """ValueError with a sentence for what is no strategy."""
    try:
        first, *options = shlex.split(text)
    except ValueError:
        raise ValueError(f'"{text}" is not a strategy. Write {_FORM}.') from None
    name, _, rest = ("", "", text) if Path(text).is_dir() else text.partition("=")
    if rest and Path(rest).is_dir():
        return _Asked(name or Path(rest).resolve().name, Path(rest))
    name, _, agent = first.rpartition("=")
    if "/" in agent:
        raise ValueError(f"There is no folder {agent}.")
    return _Asked(name or text, None, agent, tuple(agent_from_flags(agent, options)[1].items()))


def _check(asked: Sequence[_Asked], about_playing: Sequence[str]) -> None:
    names = Counter(each.name if each.folder else _file_name(each.name) for each in asked)
    if twice := [name for name, count in names.items() if count > 1]:
        raise ValueError(f"There are two strategies {twice[0]}. Give one of them another name: NAME=AGENT.")
    if len(asked) < 2:
        raise ValueError("One strategy cannot be compared with others. Name at least two.")
    if about_playing:
        raise ValueError(f"{about_playing[0]} is about playing, but the games of all these folders are played already.")


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.=-]+", "_", name)


def _open(out: Path | None, locks: ExitStack) -> None:
    if out:
        locks.enter_context(RunFolder(out, mark=TABLES, writer="ablation"))
        (out / TABLES).mkdir(exist_ok=True)  # from now on the folder is that of an ablation


def _go_on(done: Sequence[Evaluation], out: Path | None) -> None:
    """Ends the command if not everything was played."""
    last = done[-1] if done else None
    if last and last.trouble:
        fail(f"{last.trouble}{' What was played so far is kept; the same command continues.' if out else ''}")
    if last and last.stopped:
        advice = "The same command continues." if out else "With --out it could be continued later."
        typer.echo(f"Stopped. {advice}", err=True)
        raise typer.Exit(INTERRUPTED)


def _show(result: Ablation, out: Path | None, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(ablation_data(result)))
    else:
        make_console().print(terminal(ablation_report(result)), crop=False)
    if out:
        typer.echo(f"Kept in {out}.", err=True)
