"""``jimbo eval`` and ``eval-matrix``: how well agents play, what a network knows of recorded games."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents.registry import agent_options, options_help
from jimbo.agents.told import RAW
from jimbo.cli.agent_flags import contestant, network_file, with_model
from jimbo.cli.commands import explicit_flags
from jimbo.cli.errors import AGENT_FAILED, fail, report_errors
from jimbo.cli.eval_games import (
    CommandResult,
    claim,
    complaint_of,
    finish,
    play_all,
    prepare,
    say_kept,
)
from jimbo.cli.flags import (
    AGENT,
    AgentOption,
    AsJson,
    Backend,
    BudgetMs,
    Challenge,
    Deck,
    Effort,
    Model,
    Nonce,
    SeedCount,
    SeedSetName,
    Stake,
    Telemetry,
    Timeout,
    Workers,
    check_backend,
    complete_agents,
)
from jimbo.cli.real_game import RealGame, with_real_game
from jimbo.cli.registering import Register, check_register, register_result
from jimbo.console import make_console, make_progress
from jimbo.declared import fields_of
from jimbo.eval.chances import known_maps, mend_all, player_maps
from jimbo.eval.comparison import (
    Place,
    matrix,
    matrix_data,
    places_of,
)
from jimbo.eval.runner import Evaluation
from jimbo.eval.store import (
    CALIBRATED,
    CALIBRATION,
    COMPARISON,
    OFFLINE,
    REPORT,
    check_only_evaluations,
)
from jimbo.eval.summary import agent_label, comparison_data, summary_data
from jimbo.files import check_place
from jimbo.league.entry import PREFIX
from jimbo.league.players import player_of
from jimbo.models.chance_maps import write_maps
from jimbo.report.diagnosis import mended_sections
from jimbo.report.evaluation import evaluation_report, matrix_report
from jimbo.rollout.instances import Instances
from jimbo.run_folder import CONFIG, RunFolder
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
Decks = Annotated[str, typer.Option(metavar="NAMES", help="all, or names of decks, separated by commas.")]
Stakes = Annotated[str, typer.Option(metavar="NAMES", help="all, or names of stakes, separated by commas.")]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "--out-dir",
        metavar="DIR",
        help="Keep everything here; run the same command to resume, or others to add games, decks or strategies.",
    ),
]
Calibrate = Annotated[
    bool,
    typer.Option(
        "--calibrate",
        help="Fit maps from the chances that the agent reports to what comes true, and test them on other seeds.",
    ),
]
MapsFile = Annotated[
    Path | None,
    typer.Option(
        "--maps", metavar="FILE", help="Put the maps of --calibrate into this file, beside those of other stakes."
    ),
]
NOTHING_KEPT = "Nothing was kept."

# --- jimbo eval -------------------------------------------------------------------------------------------------------

_OF_OFFLINE = ("offline", "model", "dataset", "more_datasets", "out", "register", "as_json")
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
    budget_ms: BudgetMs = None,
    option: AgentOption = None,
    vs_option: SecondAgentOption = None,
    agent_number: Nonce = 0,
    online: Online = False,
    backend: Backend = "sim",
    offline: Offline = False,
    dataset: Dataset = None,
    out: OutFolder = None,
    timeout_sec: Timeout = None,
    calibrate: Calibrate = False,
    maps_file: MapsFile = None,
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate an agent over many runs.

    A run is won when the boss of ante 8 is beaten. Ctrl-C stops at any time and keeps what was played.
    With --offline nothing is played: a network is compared with recorded games.
    """
    _refuse_mixture(context)
    if offline:
        with report_errors():
            check_register(register, out)
        _eval_offline(model, [*(dataset or ()), *(more_datasets or ())], out, as_json)
        register_result(register, out)
        return
    with report_errors(out or NOTHING_KEPT), ExitStack() as locks:
        check_backend(backend, workers)
        check_register(register, out)
        agent, options = with_model(agent, model, option)
        if calibrate:
            options = _uncalibrated(agent, options, vs)
            if maps_file:  # before the games are played
                check_place(maps_file)
                known_maps(maps_file)
        elif maps_file:
            raise ValueError("--maps is about the maps of --calibrate: add that, or leave it out.")
        contestants = [contestant(agent, options, effort, budget_ms)]
        if vs is not None:
            contestants.append(contestant(vs, vs_option))
        elif vs_option:
            raise ValueError("--vs-set is about a second agent: name it with --vs.")
        around = out if vs is not None else None
        if around:
            check_only_evaluations(around)
        games = prepare(
            contestants,
            [(deck, stake, challenge)],
            _folders(out, [name for name, _ in contestants]),
            locks,
            seed_set_name,
            seeds,
            agent_number=agent_number,
            backend=backend,
            around=around,
        )
        with real.places(backend) as places:
            spread = Instances(places, timeout=timeout_sec or TIMEOUT) if places else None
            done = play_all(games, workers, spread=spread, timeout=None if places else timeout_sec)
        maps = Path(maps_file or (out or Path()) / CALIBRATION) if maps_file or (calibrate and out) else None
        result_of = partial(_calibration_result, maps) if calibrate else _eval_result
        finish(done, [], games.stores, out, as_json, result_of)
        _refuse_failures(done)
    register_result(register, out)


def _refuse_mixture(context: typer.Context) -> None:
    """Options of one kind of evaluation mean nothing to the other."""
    flags = {**explicit_flags(context)}
    if "more_datasets" in flags:
        flags["more_datasets"] = context.params["more_datasets"][0]
    if "offline" not in flags and (wrong := [flag for name, flag in flags.items() if name in _OF_OFFLINE_ALONE]):
        fail(f"{wrong[0]} is about recorded games: add --offline, or leave it out to let an agent play.")
    if "offline" in flags and (wrong := [flag for name, flag in flags.items() if name not in _OF_OFFLINE]):
        fail(f"{wrong[0]} is about playing, and --offline plays nothing. Leave one of them out.")


def _folders(out: Path | None, names: list[str]) -> Sequence[Path | None]:
    """One for each agent, by its name; an agent against itself has the second one marked."""
    if out is None or len(names) == 1:
        return [out] * len(names)
    first, second = (name.replace(":", ".") for name in names)  # a colon in a path means another machine to some tools
    return [out / first, out / (second if second != first else f"{second}-vs")]


def _eval_result(evaluations: Sequence[Evaluation]) -> CommandResult:
    """The comparison of two that have seeds in common; if it was stopped early they may have none, or one no run."""
    played = [evaluation for evaluation in evaluations if evaluation.episodes]
    seeds = [{row.episode_id for row in evaluation.episodes} for evaluation in played]
    if len(played) > 1 and set.intersection(*seeds):
        return CommandResult(comparison_data(*played), evaluation_report(*played), COMPARISON)
    return CommandResult(summary_data(played[0]), evaluation_report(played[0]))


_OF_CALIBRATION = "calibration"


def _uncalibrated(agent: str, options: list[str], vs: str | None) -> list[str]:
    """The options of an agent whose chances are to be told as it says them: maps are fitted to those."""
    if vs is not None:
        raise ValueError("--calibrate is about one agent: leave out --vs.")
    if any(text.startswith(f"{_OF_CALIBRATION}=") for text in options):
        raise ValueError(f"--calibrate sets the option {_OF_CALIBRATION} itself: leave it out.")
    name = player_of(agent)[0] if agent.startswith(PREFIX) else agent
    has_it = any(entry.name == _OF_CALIBRATION for entry in fields_of(agent_options(name)))
    return [*options, f"{_OF_CALIBRATION}={RAW}"] if has_it else options


def _calibration_result(maps: Path | None, evaluations: Sequence[Evaluation]) -> CommandResult:
    """The evaluation, with how good its chances are; the maps are written where they are to be kept."""
    (evaluation,) = evaluations
    settings, shown = evaluation.settings, _eval_result(evaluations)
    found = mend_all(evaluation.episodes)
    if maps:
        write_maps(maps, known_maps(maps).with_maps(player_maps(settings, evaluation.episodes, found)))
    data = {**shown.data, _OF_CALIBRATION: {name: asdict(mended) for name, mended in found.items()}}
    report = replace(shown.report, sections=[*shown.report.sections, *mended_sections(found)])
    return CommandResult(data, report, CALIBRATED)


def _refuse_failures(done: Sequence[Evaluation]) -> None:
    """An agent that fails in every run is no success."""
    for evaluation in done:
        first = evaluation.episodes[0]
        if all(row.error is not None for row in evaluation.episodes):
            name = agent_label(evaluation.settings)
            typer.echo(f"jimbo: {name} failed in every run, first on seed {first.seed}: {first.error}", err=True)
            raise typer.Exit(AGENT_FAILED)


# --- jimbo eval --offline ---------------------------------------------------------------------------------------------


def _eval_offline(model: Path | None, datasets: Sequence[Path], out: Path | None, as_json: bool) -> None:
    """Evaluate a network on recorded games, show the result, and keep it in the folder."""
    # What follows needs packages that playing does not.
    from jimbo.data.samples import check_named_once, read_samples
    from jimbo.eval.offline import offline, offline_data
    from jimbo.models.runtime import load_policy
    from jimbo.report.networks import offline_report

    with report_errors("Nothing was written."), ExitStack() as locks:
        if not datasets:
            raise ValueError("--offline is about recorded games: name them with --dataset FILE.")
        check_named_once(datasets)
        policy = load_policy(network_file(model) if model else None)
        if out:
            locks.enter_context(RunFolder(out, mark=OFFLINE))
        samples = read_samples(datasets)
        counts = "{task.completed:,.0f} of {task.total:,.0f} decisions"
        with make_progress(make_console(stderr=True), counts) as progress:
            task = progress.add_task("", total=len(samples))
            result = offline(
                policy, samples, lambda more: progress.update(task, advance=more), foresees=policy.foresees
            )
        report = offline_report(result, str(model or policy.path.name))
        found = CommandResult(offline_data(result, policy.path, datasets), report, OFFLINE)
        found.show(as_json)
        if out and (complaint := complaint_of(lambda: found.keep(out))):
            fail(complaint)
        say_kept(out)


# --- jimbo eval-matrix ------------------------------------------------------------------------------------------------

CELLS = "cells"
MATRIX = "matrix.json"
_BETWEEN = "-"


def eval_matrix(
    agent: Annotated[str | None, AGENT] = None,
    model: Model = None,
    decks: Decks = "all",
    stakes: Stakes = "white",
    seeds: SeedCount = None,
    seed_set_name: SeedSetName = None,
    workers: Workers = None,
    effort: Effort = None,
    option: AgentOption = None,
    agent_number: Nonce = 0,
    out: OutFolder = None,
    telemetry: Telemetry = None,
    register: Register = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate an agent on several decks and stakes.

    For example: jimbo eval-matrix --agent expert --decks all --stakes white,gold --games 200 --out DIR
    Every cell is an evaluation of its own, on the same seeds. Ctrl-C stops at any time and keeps what was played.
    """
    with report_errors(out or NOTHING_KEPT), ExitStack() as locks:
        check_register(register, out)
        player = contestant(*with_model(agent, model, option), effort)
        asked = places_of(decks, stakes)
        claim(locks, out, CELLS, "matrix")
        places = [*asked, *(place for place in _held(out) if place not in asked)]
        starts = [(deck, stake, None) for deck, stake in places]
        folders = [out / _cell(place) if out else None for place in places]
        games = prepare([player], starts, folders, locks, seed_set_name, seeds, agent_number=agent_number)
        new = len(asked)
        done = play_all(games, workers, first=new)
        others = list(map(Evaluation.kept, games.plans[new:], games.kept[new:]))
        finish(done, others, games.stores, out, as_json, _matrix_result)
    register_result(register, out)


def _held(out: Path | None) -> list[Place]:
    """The cells that a folder holds already."""
    names = sorted(path.parent.name for path in (out / CELLS).glob(f"*/{CONFIG}")) if out else []
    return [(deck, stake) for deck, _, stake in (name.partition(_BETWEEN) for name in names)]


def _cell(place: Place) -> str:
    """The folder of a cell, from that of the matrix."""
    return f"{CELLS}/{_BETWEEN.join(place)}"


def _matrix_result(cells: Sequence[Evaluation]) -> CommandResult:
    result = matrix(cells)
    report = matrix_report(result, lambda place: f"{_cell(place)}/{REPORT}")
    return CommandResult(matrix_data(result), report, MATRIX)
