"""``jimbo graph``: what works together, as a graph that is built from games, asked and exported."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from jimbo.cli.commands import Verbs
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import STAKE, AsJson, Workers
from jimbo.colours import CYAN, QUIET
from jimbo.console import make_console, make_progress
from jimbo.engine.catalog import HANDS, JOKERS
from jimbo.files import check_place
from jimbo.knowledge.questions import QUESTIONS, Reply
from jimbo.knowledge.questions import ask as ask_graph
from jimbo.knowledge.stores import MOST_MS, SLOW_MS, BoltGraph, opened
from jimbo.processes import usable_cores
from jimbo.seeds.parse import keys_named, similar
from jimbo.seeds.starts import stake_key
from jimbo.text import counted

app = Verbs(help="Ask what works together: a graph of jokers, cards and hands, built from games.", no_args_is_help=True)

PASSWORD = "JIMBO_GRAPH_PASSWORD"
_GRAPH = "knowledge.lbug"
Place = Annotated[
    str,
    typer.Option("--graph", metavar="FILE|URL", help="The graph: a file, or a server as bolt://HOST:7687."),
]
User = Annotated[
    str, typer.Option("--user", metavar="NAME", help=f"The server's user; the password is read from {PASSWORD}.")
]
Timeout = Annotated[
    int, typer.Option("--timeout-ms", min=1, max=600_000, metavar="MS", help="How long an answer may take.")
]


@app.command("build")
def build(
    games: Annotated[
        list[Path],
        typer.Option("--games", metavar="FILE", help="Recorded games (.parquet); repeatable, one per stake."),
    ],
    out: Annotated[
        str, typer.Option("--out", metavar="FILE|URL", help="The new graph: a file, or a server as bolt://HOST:7687.")
    ] = _GRAPH,
    trials: Annotated[
        int,
        typer.Option(
            min=0, max=1_000_000, metavar="N", help="Moments of games at which jokers are tried by the value."
        ),
    ] = 8000,
    sessions: Annotated[
        int | None,
        typer.Option(min=0, max=10_000_000, metavar="N", help="Games with a node of their own; default: all."),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A value of your own, from jimbo train value.")
    ] = None,
    user: User = "",
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Build the graph from recorded games, such as those of jimbo rollout --agent expert --effort 0.02.

    A file is written beside the old one and takes its place when it is whole. Embeddings of the items are written next
    to it. For example: jimbo graph build --games white.parquet --games gold.parquet
    """
    from jimbo.knowledge.run import build_graph

    with report_errors("Nothing was changed. Run the same command again.", RuntimeError):
        if "://" not in out:
            _check_folder(Path(out))
            check_place(Path(out))
        server = BoltGraph(out, user, _password()) if "://" in out else None
        with make_progress(make_console(stderr=True), "{task.completed:,.0f} of {task.total:,.0f}") as bars:
            task = bars.add_task("", total=1)

            def told(doing: str, done: int, of: int) -> None:
                bars.update(task, description=doing, completed=done, total=max(of, 1))

            result = build_graph(
                games, out, server, trials=trials, sessions=sessions, model=model, workers=workers or usable_cores(),
                told=told,
            )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(result))
        return
    sizes = ", ".join(f"{count:,} {name}" for name, count in result["sizes"].items() if count)
    typer.echo(f"Written: {out} ({sizes}), in {result['seconds']:.0f} s.")
    typer.echo(f"Embeddings: {result['embedding']} ({result['method']}); held-out games: {_embedding_words(result)}")


def _embedding_words(result: dict[str, Any]) -> str:
    return "; ".join(
        f"{name}: AUC {one['together']:.3f}, log loss {one['outcome']:.4f}" for name, one in result["measured"].items()
    )


@app.command("ask")
def ask(
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION", help=f"One of {', '.join(QUESTIONS)}.", autocompletion=lambda: list(QUESTIONS)
        ),
    ],
    owned: Annotated[
        str | None, typer.Option(metavar="JOKERS", help="Jokers that you own, by key or name, separated by commas.")
    ] = None,
    budget: Annotated[int | None, typer.Option(min=0, metavar="DOLLARS", help="What a joker may cost.")] = None,
    cards: Annotated[
        str | None, typer.Option(metavar="KINDS", help="Cards that your deck is full of: Kings,Hearts,Steel cards.")
    ] = None,
    hands: Annotated[str | None, typer.Option(metavar="HANDS", help="Poker hands: Flush,Two Pair.")] = None,
    stake: Annotated[str, STAKE] = "white",
    least: Annotated[
        float | None, typer.Option(min=0, max=1, metavar="STRENGTH", help="The least strength that counts.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=10_000, metavar="N", help="Rows at most.")] = None,
    graph: Place = _GRAPH,
    user: User = "",
    timeout_ms: Timeout = MOST_MS,
    as_json: AsJson = False,
) -> None:
    """Ask the graph by name.

    For example: jimbo graph ask best-additions --owned j_baron,j_mime --budget 8
    """
    with report_errors():
        given = {
            "owned": _jokers(owned) if owned else None,
            "budget": budget,
            "cards": _kinds(cards) if cards else None,
            "hands": _hands(hands) if hands else None,
            "least": least,
            "limit": limit,
        }
        with opened(graph, user=user, password=_password(), most_ms=timeout_ms) as place:
            reply = ask_graph(place, question, stake_key(stake), given)
    if as_json:
        typer.echo(json.dumps({"question": question, "stake": stake_key(stake), "ms": reply.ms, "rows": reply.rows}))
    else:
        _show(reply)
    if reply.slow:
        typer.echo(f"That took {reply.ms:.0f} ms; answers should take {SLOW_MS:.0f} ms at most.", err=True)


@app.command("export")
def export(
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="FILE|DIR",
            help=".cypher, .json (the surest pairs), .md (a page with pictures), or a folder for Parquet.",
        ),
    ],
    graph: Place = _GRAPH,
    user: User = "",
    as_json: AsJson = False,
) -> None:
    """Write the graph for other programs, or as a page for people.

    For example: jimbo graph export --out knowledge.cypher
    """
    from jimbo.knowledge import export as exports

    with report_errors(), opened(graph, user=user, password=_password(), most_ms=600_000) as place:
        if out.suffix:
            _check_folder(out)
        written = [out]
        if out.suffix == ".cypher":
            exports.write_cypher(out, exports.read_tables(place))
        elif out.suffix == ".json":
            exports.write_shipped(out, place)
        elif out.suffix == ".md":
            from jimbo.knowledge.page import write_page

            written = write_page(out, place)
        elif out.suffix:
            raise ValueError(f"{out} ends neither in .cypher, .json nor .md, and is not a folder. Choose one of them.")
        else:
            written = exports.write_parquet(out, exports.read_tables(place))
    if as_json:
        typer.echo(json.dumps({"files": [str(path) for path in written]}))
    else:
        more = f" and {counted(len(written) - 1, 'more file')}" if len(written) > 1 else ""
        typer.echo(f"Written: {written[0]}{more}.")


@app.command("serve-check")
def serve_check(
    url: Annotated[str, typer.Option("--url", metavar="URL", help="The server, such as bolt://localhost:7687.")],
    user: User = "",
    timeout_ms: Timeout = MOST_MS,
    as_json: AsJson = False,
) -> None:
    """Check a graph server: that it answers, holds a graph, and how long each question takes. It writes nothing."""
    from jimbo.knowledge.run import check_questions

    with report_errors(), opened(url, user=user, password=_password(), most_ms=timeout_ms) as place:
        server = place.server() if isinstance(place, BoltGraph) else place.name
        found = check_questions(place)
    slow = [one for one in found if one["ms"] > SLOW_MS]
    if as_json:
        typer.echo(json.dumps({"server": server, "questions": found, "slow": len(slow)}))
    else:
        typer.echo(f"{server}")
        for one in found:
            typer.echo(f"{one['question']:<16} {one['stake']:<12} {one['rows']:>4} rows {one['ms']:>8.1f} ms")
        if not found:
            typer.echo(f"It holds no graph yet: jimbo graph build --games FILE --out {url}")
    if slow:
        fail(f"{counted(len(slow), 'question')} took more than {SLOW_MS:.0f} ms.", 1)
    if not found:
        raise typer.Exit(1)


def _check_folder(out: Path) -> None:
    if not out.parent.is_dir():
        raise ValueError(f"There is not a folder {out.parent}. Make it first, or name another one with --out.")


def _password() -> str:
    return os.environ.get(PASSWORD, "")


# --- What is typed and shown ------------------------------------------------------------------------------------------


def _jokers(text: str) -> list[str]:
    found = []
    for word in filter(None, map(str.strip, text.split(","))):
        keys = [key for key in keys_named(word) if key in JOKERS] or [
            key for key in (word, f"j_{word}") if key in JOKERS
        ]
        if not keys:
            near = ", ".join(similar(word)[:3])
            raise ValueError(f'There is no joker "{word}".{f" Did you mean {near}?" if near else ""}')
        found.append(keys[0])
    if not found:
        raise ValueError("--owned names no joker: j_baron,j_mime for example.")
    return found


def _kinds(text: str) -> list[str]:
    from jimbo.knowledge.items import card_kinds

    known = {name.casefold(): key for key, kind in card_kinds().items() for name in (key, kind.name, kind.name[:-1])}
    return [_named(word, known, "kind of cards") for word in text.split(",")]


def _hands(text: str) -> list[str]:
    return [_named(word, {key.casefold(): key for key in HANDS}, "poker hand") for word in text.split(",")]


def _named(word: str, known: dict[str, str], what: str) -> str:
    if (found := known.get(word.strip().casefold())) is None:
        raise ValueError(f'There is no {what} "{word.strip()}". Known: {", ".join(dict.fromkeys(known.values()))}.')
    return found


_HIDDEN = ("key", "rules", "agent", "stake", "games", "trials", "low", "high", "confidence", "doubtful", "win_rate")


def _show(reply: Reply) -> None:
    console = make_console()
    if not reply.rows:
        console.print("Nothing in the graph answers that. A smaller --least shows weaker ones.")
        return
    names = [name for name in reply.rows[0] if name not in _HIDDEN]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    for place, name in enumerate(names):
        table.add_column(name.replace("_", " "), style=CYAN if place == 0 else "")
    is_measured = "confidence" in reply.rows[0]
    if is_measured:
        table.add_column("sure", justify="right")
        table.add_column("trials", justify="right")
    for row in reply.rows:
        sure = []
        if is_measured:
            doubt = " ?" if row.get("doubtful") else ""
            sure = [f"{100 * row['confidence']:.0f} %{doubt}", f"{row.get('trials', 0):,}"]
        table.add_row(*(Text(_cell(row[name])) for name in names), *map(Text, sure))
    console.print(table)
    source = reply.rows[0]
    if source.get("agent"):
        where = f"{source['agent']}, {source['stake']}, rules {source['rules']}"
        console.print(Text(f"Strength 1 doubles the odds of winning. {where}. --json has intervals.", style=QUIET))


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return str(value)
