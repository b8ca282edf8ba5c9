"""``jimbo package``: an agent with all that it needs, to be given away; checked, and played from nothing else."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.cli.agent_flags import contestant, import_from_here, with_model
from jimbo.cli.commands import Verbs, explicit_flags
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import AGENT, AgentOption, AsJson, Deck, Effort, Model, SeedSetName, Stake, Workers, games_flag
from jimbo.console import make_console, make_progress
from jimbo.deploy.export import export
from jimbo.deploy.golden import Progress
from jimbo.deploy.layout import check_new, write_files
from jimbo.deploy.minisign import PublicKey, SecretKey, is_encrypted, read_public_key, read_secret_key
from jimbo.deploy.running import REPORT_SCHEMA, OpenPackage, Oracle, opened, verify
from jimbo.eval.runner import Settings, evaluate
from jimbo.eval.summary import summarize
from jimbo.files import check_place, write_text
from jimbo.report import Document, Section, TextTable, terminal
from jimbo.report.evaluation import NUMBERS
from jimbo.seeds.seed_sets import seed_set
from jimbo.seeds.starts import deck_key, stake_key
from jimbo.serve.balatrobot.server import LoopServer
from jimbo.signals import one_interrupt
from jimbo.text import counted, game_text
from jimbo.wire.transport import url_of

app = Verbs(help="Pack an agent for somebody else, check a package, play from it.", no_args_is_help=True)
ISSUE = 1
ADDRESS = "127.0.0.1"

Package = Annotated[Path, typer.Argument(metavar="PACKAGE", help="A .zip, or the folder of one.")]
TrustedKey = Annotated[
    str | None,
    typer.Option(metavar="KEY", help="Refuse what this key of minisign has not signed: a .pub file, or its text."),
]
TrustCode = Annotated[
    bool,
    typer.Option(
        "--trust-code", help="Import the module that the package names, as it is here; packages bring no code."
    ),
]
_RUN_SCHEMA = "package_run_v1"
_GAMES = 10


@app.command("export")
def export_package(
    evaluation: Annotated[
        Path, typer.Option("--eval", metavar="DIR", help="The agent's evaluation: jimbo eval --agent ... --out DIR.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The package: a .zip, or else a folder.")],
    agent: Annotated[str | None, AGENT] = None,
    model: Model = None,
    effort: Effort = None,
    option: AgentOption = None,
    package_id: Annotated[str | None, typer.Option(metavar="TEXT", help="Default: the agent and a hash.")] = None,
    model_id: Annotated[str | None, typer.Option(metavar="TEXT", help="Default: the agent and a hash.")] = None,
    sign: Annotated[
        Path | None,
        typer.Option(metavar="KEY", help="Sign it with this secret key of minisign; its password is asked for."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Pack an agent: its options and models, its evaluation, and decisions by which anybody can check it.

    The same agent and evaluation give the same bytes. Models are .onnx or .safetensors; an agent of another package is
    packed without its code.
    """
    with report_errors():
        check_new(out)
        player, options = contestant(*with_model(agent, model, option), effort)
        key = _secret_key(sign) if sign else None
        with _progress("Deciding") as progress:
            made = export(
                player,
                options,
                evaluation,
                package_id=package_id,
                model_id=model_id,
                key=key,
                progress=progress,
            )
        write_files(made.files, out)
    size = sum(map(len, made.files.values()))
    if as_json:
        typer.echo(json.dumps({"package": str(out), "size_bytes": size, **asdict(made.metadata)}))
        return
    typer.echo(
        f"{out}: {made.metadata.package_id}, {counted(len(made.files), 'file')}, {size / 1e6:.1f} MB, "
        f"{counted(made.metadata.golden_decisions, 'golden decision')}. Check it: jimbo package verify {out}"
    )


def _secret_key(path: Path) -> SecretKey:
    if not is_encrypted(path):
        return read_secret_key(path)
    password: str = typer.prompt(f"Password of {path}", hide_input=True, err=True)
    return read_secret_key(path, password)


@app.command("verify")
def verify_package(
    package: Package,
    trusted_key: TrustedKey = None,
    trust_code: TrustCode = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report here, as JSON.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a package: its files, whether it fits this version of Jimbo, and whether it decides as it did.

    The exit code is 0 if all is well, 1 if not; one sentence says why.
    """
    report: dict[str, Any]
    with report_errors():
        if out:
            check_place(out)
        opening = _opened(package, trusted_key, trust_code)
        try:
            with opening as there, _progress("Asking again") as progress:
                verify(there, progress)
                report = there.report()
        except (ValueError, ImportError) as error:
            report = {"schema": REPORT_SCHEMA, "package": str(package), "ok": False, "issues": [str(error)]}
        if out:
            write_text(out, json.dumps(report, indent=2) + "\n")
    if as_json:
        typer.echo(json.dumps(report))
    elif report["ok"]:
        typer.echo(_verified(report))
    if not report["ok"]:
        if as_json:
            raise typer.Exit(ISSUE)
        fail(report["issues"][0], ISSUE)


def _verified(report: dict[str, Any]) -> str:
    signed = f"signed by {report['signed_by']}" if report["signed_by"] else "not signed"
    unchecked = ", which was not checked: name the key with --trusted-key" if report["signed_by"] else ""
    return (
        f"{report['package']} is whole: {report['package_id']} plays {report['agent']}, "
        f"{counted(report['files'], 'file')}, {signed}{'' if report['trusted'] else unchecked}. "
        f"All {report['golden_decisions']} golden decisions are made as they were."
    )


_OF_PLAYING = ("games", "deck", "stake", "seed_set_name", "workers")


@app.command("run")
def run_package(
    context: typer.Context,
    package: Package,
    games: Annotated[int | None, games_flag(f"Games that it plays; default: {_GAMES}.")] = None,
    deck: Deck = None,
    stake: Stake = "white",
    seed_set_name: SeedSetName = None,
    workers: Workers = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Answer public states that are sent to a port, instead of playing.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Where it answers; 0: any free port.")] = 8470,
    trusted_key: TrustedKey = None,
    trust_code: TrustCode = False,
    as_json: AsJson = False,
) -> None:
    """Play with a package, from nothing but what it holds; or serve its agent to programs on this machine.

    With --serve, POST a public state (public_v1) to the address, and the answer is advice_v1, as of jimbo advise.
    """
    other = ("port",) if not serve else _OF_PLAYING
    if given := [flag for name, flag in explicit_flags(context).items() if name in other]:
        fail(f"{given[0]} goes {'without' if serve else 'with'} --serve.")
    with report_errors("Stopped."), _opened(package, trusted_key, trust_code) as there:
        if serve:
            _serve(there, port, as_json)
        else:
            _play(there, games or _GAMES, deck, stake, seed_set_name, workers, as_json)


def _opened(package: Path, trusted_key: str | None, trust_code: bool) -> AbstractContextManager[OpenPackage]:
    key: PublicKey | None = read_public_key(trusted_key) if trusted_key else None
    if trust_code:
        import_from_here(":")
    return opened(package, trusted_key=key, trust_code=trust_code)


def _serve(there: OpenPackage, port: int, as_json: bool) -> None:
    server = LoopServer(ADDRESS)
    try:
        server.listen(port, Oracle(there.agent))
    except OSError as error:
        fail(str(error))
    url = url_of(ADDRESS, server.ports[0])
    typer.echo(json.dumps({"url": url}) if as_json else f"{there.metadata.package_id} answers at {url}")
    with one_interrupt(), suppress(KeyboardInterrupt):
        server.serve()


def _play(
    there: OpenPackage,
    games: int,
    deck: str | None,
    stake: str,
    seed_set_name: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    settings = Settings(
        agent=there.config.agent,
        options=there.options,
        deck=deck_key(deck or "b_red"),
        stake=stake_key(stake),
        seeds=seed_set(seed_set_name, games),
    )
    console = make_console(stderr=True)
    with make_progress(console, "{task.completed:.0f} of {task.total:.0f} games") as progress:
        task = progress.add_task(there.metadata.package_id, total=games)
        done = evaluate(settings, workers=workers, progress=lambda row: progress.update(task, advance=1))
    if done.trouble:
        fail(done.trouble)
    if not done.episodes:
        fail("Stopped before a run was finished.", 130)
    summary = summarize(done.episodes)
    about = {"package_id": there.metadata.package_id, "agent": there.config.agent}
    place = game_text(settings.deck, settings.stake, None)
    if as_json:
        where = {"deck": settings.deck, "stake": settings.stake, "seed_set": settings.seeds.name}
        typer.echo(json.dumps({"schema": _RUN_SCHEMA, **about, **where, **asdict(summary)}))
        return
    shown = ("games", "win rate", "mean ante", "mean round", "seconds per game", "ms per decision")
    lines = [(name, NUMBERS[name](summary)) for name in shown]
    document = Document(
        there.metadata.package_id,
        place,
        sections=[Section("", parts=[TextTable(("", there.config.agent), lines)])],
    )
    make_console().print(terminal(document))


@contextmanager
def _progress(what: str) -> Iterator[Progress]:
    """A bar of decisions."""
    with make_progress(make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} decisions") as progress:
        task = progress.add_task(what, total=1)
        yield lambda done, of: progress.update(task, completed=done, total=of)
