"""``jimbo ablation``: several strategies on the same seeds, and what to do with each."""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.agent_flags import contestant
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.eval import NOTHING_KEPT, OutFolder
from jimbo.cli.eval_games import (
    CommandResult,
    Contestant,
    claim,
    complaint_of,
    end_unfinished,
    play_all,
    prepare,
    say_kept,
)
from jimbo.cli.flags import AsJson, Challenge, Deck, Nonce, SeedCount, SeedSetName, Stake, Workers
from jimbo.cli.registering import Register, check_register, register_result
from jimbo.eval.comparison import Strategy, ablation, ablation_csv, ablation_data, read_evaluation
from jimbo.eval.recommendation import read_thresholds, recommend, recommendation_data
from jimbo.eval.store import SUMMARY, Store, write_json
from jimbo.files import write_text
from jimbo.report import markdown
from jimbo.report.evaluation import ablation_report, recommendation_report

_FORM = '"[NAME=]AGENT [KEY=VALUE]..."'
Strategies = Annotated[
    list[str],
    typer.Argument(
        metavar="STRATEGY", help=f"{_FORM} to be played, or [NAME=]DIR of a jimbo eval --out.", show_default=False
    ),
]
ThresholdsFile = Annotated[
    Path | None,
    typer.Option(
        "--thresholds",
        metavar="FILE",
        help="YAML with what a strategy must gain to be recommended, such as mean_antes: 0.3.",
    ),
]
_PLAYED = "strategies"
_TABLES = "tables"
_ABOUT_PLAYING = ("deck", "stake", "challenge", "seeds", "seed_set_name", "workers", "agent_number")


def compare_strategies(
    context: typer.Context,
    strategies: Strategies,
    seeds: SeedCount = None,
    seed_set_name: SeedSetName = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    workers: Workers = None,
    agent_number: Nonce = 0,
    thresholds_file: ThresholdsFile = None,
    out: OutFolder = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Compare several strategies with the first one, on the same seeds.

    For example: jimbo ablation expert "hasty=expert effort=0.2" "blunt=expert solver=false" --games 100 --out DIR
    """
    with report_errors(out or NOTHING_KEPT), ExitStack() as locks:
        check_register(register, out)
        thresholds = read_thresholds(thresholds_file)
        asked = [_asked(text) for text in strategies]
        folders = {name: what for name, what in asked if isinstance(what, Path)}
        players = {name: what for name, what in asked if not isinstance(what, Path)}
        _check(asked, [flag for name, flag in explicit_flags(context).items() if name in _ABOUT_PLAYING])
        found = {name: read_evaluation(folder) for name, folder in folders.items()}
        claim(locks, out, _TABLES, "ablation")
        games = prepare(
            list(players.values()),
            [(deck, stake, challenge)],
            [out / _PLAYED / _file_name(name) if out else None for name in players],
            locks,
            seed_set_name,
            seeds,
            agent_number=agent_number,
            known=list(map(Store, folders.values())),
        )
        if players:
            done = play_all(games, workers)
            end_unfinished(done, out)
            found |= zip(players, done, strict=True)
        result = ablation([Strategy(name, found[name]) for name, _ in asked])
        advice = recommend(result, thresholds)
        data = {**ablation_data(result), **recommendation_data(advice, thresholds)}
        shown = CommandResult(data, ablation_report(result, advice))

        def write() -> None:
            if out:
                write_json(out / SUMMARY, shown.data)
                write_text(out / _TABLES / "ablation.csv", ablation_csv(result))
                write_text(out / "summary.md", markdown(shown.report))
                write_text(out / "recommendation.md", markdown(recommendation_report(result, advice)))

        complaint = complaint_of(write)
        shown.show(as_json)
        if complaint:
            fail(complaint)
        say_kept(out)
    register_result(register, out)


def _asked(text: str) -> tuple[str, Path | Contestant]:
    """A strategy: its name, and the folder with its games, or the agent to play them. ValueError for anything else."""
    try:
        first, *options = shlex.split(text)
    except ValueError:
        raise ValueError(f'"{text}" is not a strategy. Write {_FORM}.') from None
    name, _, rest = ("", "", text) if Path(text).is_dir() else text.partition("=")
    if rest and Path(rest).is_dir():
        return name or Path(rest).resolve().name, Path(rest)
    name, _, agent = first.rpartition("=")
    if "/" in agent:
        raise ValueError(f"There is not a folder {agent}.")
    return name or text, contestant(agent, options)


def _check(asked: Sequence[tuple[str, Path | Contestant]], about_playing: Sequence[str]) -> None:
    names = Counter(name if isinstance(what, Path) else _file_name(name) for name, what in asked)
    if twice := [name for name, count in names.items() if count > 1]:
        raise ValueError(f"There are two strategies {twice[0]}. Give one of them another name: NAME=AGENT.")
    if len(asked) < 2:
        raise ValueError("One strategy cannot be compared with others. Name at least two.")
    if about_playing and all(isinstance(what, Path) for _, what in asked):
        raise ValueError(f"{about_playing[0]} is about playing, but the games of all these folders are played already.")


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.=-]+", "_", name)
