"""``jimbo registry``: what was made, where it comes from, and whether all of it is still as it was written."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from jimbo.cli.agent_flags import contestant, with_model
from jimbo.cli.commands import Verbs
from jimbo.cli.errors import report_errors
from jimbo.cli.flags import AGENT, AgentOption, AsJson, Effort, Model
from jimbo.cli.registering import tell_registered, typed_command
from jimbo.colours import CYAN, QUIET
from jimbo.console import make_console, make_progress
from jimbo.league.entry import SHOWN_ID, Entry
from jimbo.league.registering import made_of, played_by, register
from jimbo.league.registry import ALIASES, VARIABLE, Registry
from jimbo.league.shown import lines_of, minute, size_text, won_text
from jimbo.text import counted

app = Verbs(
    help="Keep what was trained, recorded and evaluated, with its files and where it comes from.", no_args_is_help=True
)

Folder = Annotated[
    Path | None,
    typer.Option("--registry", metavar="DIR", help=f"The registry; default: ${VARIABLE}, or a folder of your own."),
]
Which = Annotated[
    str, typer.Argument(metavar="ENTRY", help="A name (its newest entry), an alias, or the beginning of an id.")
]


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is to be called; the newest of a name counts.")],
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH", help="A training or an evaluation (a folder), records of games, or a network or a value."
        ),
    ] = None,
    agent: Annotated[str | None, AGENT] = None,
    model: Model = None,
    option: AgentOption = None,
    effort: Effort = None,
    parent: Annotated[
        list[str] | None,
        typer.Option(metavar="ENTRY", help="What it was made from, if Jimbo cannot see it; repeatable."),
    ] = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Register what a path holds, or an agent with its options.

    Files are copied. jimbo train, rollout and eval do this themselves with --register. To play what is registered,
    write registry:NAME where an agent or a model is named.
    """
    with report_errors():
        if (path is None) == (agent is None and model is None):
            raise ValueError("Say what to register: a PATH, or who plays, with --agent or --model.")
        if path and (option or effort is not None):
            raise ValueError("--set and --effort are options of an agent: name it with --agent, or leave them out.")
        made = made_of(path) if path else played_by(*contestant(*with_model(agent, model, option), effort))
        entry = register(made, name, registry=Registry(folder), command=typed_command(), parents=parent or ())
    if as_json:
        typer.echo(json.dumps(_data(entry)))
    else:
        tell_registered(entry)


@app.command("list")
def list_entries(
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="model, agent, dataset, evaluation or another kind.")
    ] = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """List the entries, the newest first, with the aliases that mean them."""
    with report_errors():
        registry = Registry(folder)
        entries, aliases = registry.entries(kind)[::-1], registry.aliases()
    if as_json:
        typer.echo(
            json.dumps({"folder": str(registry.folder), "aliases": aliases, "entries": list(map(_data, entries))})
        )
        return
    if not entries:
        what = f"no {kind}" if kind else "nothing"
        typer.echo(f"There is {what} in {registry.folder}. --register and jimbo registry add put something there.")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("id", "kind", "name", "made", "size", "won", "from", ""):
        table.add_column(heading, no_wrap=True, justify="right" if heading in ("size", "won") else "left")
    for entry in entries:
        from_names = ", ".join(registry.name_of(parent) for parent in entry.parents)
        meant = ", ".join(alias for alias, id in aliases.items() if id == entry.id)
        name, facts = Text(entry.name, CYAN), (minute(entry.created), size_text(entry), won_text(entry))
        table.add_row(entry.id[:SHOWN_ID], entry.kind, name, *facts, from_names, meant)
    make_console().print(table, crop=False)


@app.command()
def show(which: Which, folder: Folder = None, as_json: AsJson = False) -> None:
    """Show an entry: what it is, its files, where it comes from, and the aliases that mean or meant it."""
    with report_errors():
        registry = Registry(folder)
        entry = registry.resolve(which)
        home = registry.folder / "objects" / entry.place
        moves = list(_moves(registry, entry))
    if as_json:
        typer.echo(json.dumps({**_data(entry), "folder": str(home), "aliases": moves}))
        return
    console = make_console()
    console.print(Text.assemble((entry.name, f"bold {CYAN}"), (f"   {entry.kind} of {minute(entry.created)}", QUIET)))
    console.print(Text(entry.id, QUIET), crop=False)
    for title, data in (("made with", entry.about), ("what it is", entry.spec)):
        _print(title, lines_of(data))
    _print(f"files in {home}", [(name, f"{stored.size:,} bytes") for name, stored in entry.files.items()])
    _print("made from", [(id[:SHOWN_ID], registry.name_of(id)) for id in entry.parents])
    _print("aliases", [(move["alias"], _time_as(move)) for move in moves])


@app.command()
def lineage(which: Which, folder: Folder = None, as_json: AsJson = False) -> None:
    """Show what an entry was made from, back to the first data, and what was made from it."""
    with report_errors():
        registry = Registry(folder)
        entry, entries = registry.resolve(which), {one.id: one for one in registry.entries()}
    children = [one for one in entries.values() if entry.id in one.parents]
    if as_json:
        typer.echo(json.dumps({"made_from": _ancestors(entry, entries), "made_of_it": list(map(_data, children))}))
        return
    tree = Tree(_label(entry))
    _grow(tree, entry, registry, entries)
    console = make_console()
    console.print(tree)
    _print("made of it", [(one.id[:SHOWN_ID], f"{one.name} ({one.kind})") for one in children])


@app.command()
def verify(folder: Folder = None, as_json: AsJson = False) -> None:
    """Read every byte, and name the files that are not what was written. The exit code is 1 if there are any."""
    with (
        report_errors("Nothing was changed."),
        make_progress(make_console(stderr=True), "{task.percentage:.0f} %") as bar,
    ):
        registry = Registry(folder)
        task = bar.add_task("Reading")
        problems = registry.verify(lambda done, total: bar.update(task, completed=done, total=total))
        bar.update(task, total=1, completed=1)
    if as_json:
        typer.echo(json.dumps({"folder": str(registry.folder), "problems": [one._asdict() for one in problems]}))
    else:
        for problem in problems:
            typer.echo(problem.what)
        if not problems:
            typer.echo(
                f"{counted(len(registry.entries()), 'entry', 'entries')} and all files are as they were written."
            )
    if problems:
        raise typer.Exit(1)


@app.command()
def prune(
    which: Annotated[
        list[str] | None, typer.Argument(metavar="ENTRY", help="Entries to remove; none: leftovers alone.")
    ] = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Remove entries with their files, and what killed processes have left.

    What an alias means stays, and so does what another entry was made from. The journal keeps what there was.
    """
    with report_errors("Some of it may be removed; the same command removes the rest."):
        registry = Registry(folder)
        removed = registry.prune(which or ())
    if as_json:
        typer.echo(json.dumps({"folder": str(registry.folder), "removed": removed}))
    else:
        typer.echo("\n".join([*removed, f"{counted(len(removed), 'file or folder', 'files and folders')} removed."]))


# --- What is shown ----------------------------------------------------------------------------------------------------


def _data(entry: Entry) -> dict[str, Any]:
    return asdict(entry)


def _ancestors(entry: Entry, entries: dict[str, Entry]) -> list[dict[str, Any]]:
    """Each that it was made from, with its own."""
    found = [(id, entries.get(id)) for id in entry.parents]
    return [
        {"id": id, **({"name": one.name, "made_from": _ancestors(one, entries)} if one else {})} for id, one in found
    ]


def _grow(tree: Tree, entry: Entry, registry: Registry, entries: dict[str, Entry]) -> None:
    for id in entry.parents:
        if id in entries:
            _grow(tree.add(_label(entries[id])), entries[id], registry, entries)
        else:
            tree.add(Text(f"{registry.name_of(id)} (removed)  {id[:SHOWN_ID]}", QUIET))


def _label(entry: Entry) -> Text:
    return Text.assemble((entry.name, CYAN), (f" {entry.kind}  {entry.id[:SHOWN_ID]}  {minute(entry.created)}", QUIET))


def _moves(registry: Registry, entry: Entry) -> Iterator[dict[str, Any]]:
    """Each time that an alias has meant an entry."""
    for alias in dict.fromkeys([*ALIASES, *registry.aliases()]):
        history = registry.history(alias)
        for move, later in zip_longest(history, history[1:]):
            if move["entry"] == entry.id:
                yield {"alias": alias, **move, "until": later["at"] if later else None}


def _time_as(move: dict[str, Any]) -> str:
    """Since when an alias has meant an entry, or from when to when it did."""
    since, until = (at and minute(at) for at in (move["at"], move["until"]))
    return f"{f'{since} to {until}' if until else f'since {since}'}: {move['why']}"


def _print(title: str, rows: Iterable[Sequence[str]]) -> None:
    """A heading with lines below it; nothing if there are none."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(f"  {row[0]}", *map(Text, row[1:]))
    if table.row_count:
        console = make_console()
        console.print(Text(f"\n{title}", "bold"), soft_wrap=True)
        console.print(table, crop=False)
