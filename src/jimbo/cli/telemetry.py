"""``jimbo telemetry``: rows that --telemetry has kept: followed, asked, rolled up, watched for what is wrong."""

import json
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from jimbo.cli.commands import Verbs
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.flags import AsJson, Config, setting
from jimbo.colours import GREEN, QUIET, RED
from jimbo.console import make_console
from jimbo.files import reason
from jimbo.signals import one_interrupt
from jimbo.telemetry.analysis.alerts import Alert, AlertRules, check, last_seen
from jimbo.telemetry.analysis.archive import Archive, NoTelemetry
from jimbo.telemetry.analysis.following import Row, rows_of, together, words_of
from jimbo.telemetry.analysis.questions import BUCKETS, QUESTIONS, find_question
from jimbo.telemetry.analysis.rollup import KEEP_DAYS, roll_up
from jimbo.telemetry.program import send, sendable
from jimbo.telemetry.tables import TABLES
from jimbo.text.numbers import counted
from jimbo.train.core.settings import read_settings

app = Verbs(help="Follow, ask and tidy up what --telemetry has kept.", no_args_is_help=True)
ALERTED = 1
Kept = Annotated[Path, typer.Argument(metavar="PATH", help="What --telemetry was given: a file or a folder.")]
_MOST_SHOWN = 200


@app.callback()
def telemetry() -> None:
    """Follow, ask and tidy up what --telemetry has kept.

    Commands with --telemetry FILE.jsonl or --telemetry FOLDER/ keep rows of games, decisions, money and measured
    numbers; docs/telemetry.md has the tables, and how to use a database in place of files.
    """


@app.command()
def tail(
    path: Kept,
    last: Annotated[
        int, typer.Option("--last", "-n", min=0, max=1_000_000, metavar="N", help="Begin with so many.")
    ] = 20,
    once: Annotated[bool, typer.Option("--once", help="Do not wait for more.")] = False,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"Only rows of this table: {', '.join(TABLES)}.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as they are, one on a line.")] = False,
) -> None:
    """Show rows as they are written, until Ctrl-C."""
    if table is not None and table not in TABLES:
        fail(f'There is no table "{table}". There are {", ".join(TABLES)}')
    console = make_console()
    try:
        with one_interrupt():
            for rows in rows_of(path, last, follow=not once, table=table or ""):
                if as_json:
                    console.file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
                    console.file.flush()
                else:
                    for group in together(rows):
                        console.print(_line(group), soft_wrap=True)
    except NoTelemetry as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or path}: {reason(error)}")
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _line(group: Sequence[Row]) -> Text:
    """A line on the screen: when, of which game or program, what."""
    row = group[-1]
    at = time.strftime("%H:%M:%S", time.localtime(row["timestamp"] / 1e9))
    who = _printable(str(row.get("game_id") or row.get("program") or ""))
    colour = {"won": GREEN, "lost": RED, "error": RED}.get(str(row.get("outcome")), "")
    colour = RED if row.get("name") in ("errors", "alert") else colour
    return Text.assemble((f"{at} ", QUIET), (f"{who:<16.24} ", QUIET), (_printable(words_of(group)), colour))


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


@app.command()
def query(
    path: Kept,
    question: Annotated[str | None, typer.Argument(metavar="[QUESTION]", help="Default: list all.")] = None,
    every: Annotated[
        str | None, typer.Option(metavar="TIME", help=f"Sum up over {', '.join(BUCKETS)}.  [default: 1m]")
    ] = None,
    hours: Annotated[
        float | None, typer.Option(min=0.001, max=1_000_000, metavar="N", help="Only the last N hours.")
    ] = None,
    sql: Annotated[
        str | None, typer.Option("--sql", metavar="TEXT", help="Ask this in place of a question that has a name.")
    ] = None,
    questdb: Annotated[
        bool, typer.Option("--questdb", help="Print the question as QuestDB is asked, and do nothing else.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask what was kept.

    The questions are those that docs/telemetry.md has for QuestDB; here DuckDB answers them from files.
    """
    if sql is not None and (question is not None or questdb or every is not None):
        fail("--sql asks something of your own: leave QUESTION, --every and --questdb out")
    if questdb and question is None:
        fail(f"--questdb wants a QUESTION: {', '.join(QUESTIONS)}")
    try:
        asked = find_question(question) if question is not None else None
        if asked is not None and questdb:
            text = asked.for_questdb(every or "1m")
            typer.echo(json.dumps({"question": asked.name, "sql": text}) if as_json else text)
            return
        text = sql if sql is not None else asked.for_duckdb(every or "1m") if asked is not None else ""
        since = int((time.time() - 3600 * hours) * 1e9) if hours is not None else 0
        with closing(Archive([path], since)) as archive:
            if not text:
                _list_questions(archive, as_json)
                return
            names, rows = archive.ask(text)
            unread = archive.unread
    except (ValueError, ImportError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or path}: {reason(error)}")
    if unread:
        typer.echo(f"{counted(unread, 'line')} could not be read.", err=True)
    if as_json:
        answer = [dict(zip(names, map(_plain, row), strict=True)) for row in rows]
        typer.echo(json.dumps({"question": question, "rows": answer}, ensure_ascii=False))
    else:
        _print_table(names, rows)


def _list_questions(archive: Archive, as_json: bool) -> None:
    counts = archive.counts()
    if as_json:
        about = {name: found.about for name, found in QUESTIONS.items()}
        typer.echo(json.dumps({"tables": counts, "questions": about, "unread": archive.unread}))
        return
    shown = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
    typer.echo(f"Rows: {shown or 'none'}.")
    if archive.unread:
        typer.echo(f"{counted(archive.unread, 'line')} could not be read.")
    table = Table(box=None, show_header=False)
    for name, found in QUESTIONS.items():
        table.add_row(name, found.about)
    make_console().print(table)


def _print_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    if not rows:
        typer.echo("No rows.")
        return
    table = Table(box=None)
    for place, name in enumerate(names):
        numbers = all(isinstance(row[place], int | float) or row[place] is None for row in rows)
        is_time = isinstance(rows[0][place], datetime)
        table.add_column(name, justify="right" if numbers else "left", overflow="fold", no_wrap=is_time)
    for row in rows[:_MOST_SHOWN]:
        table.add_row(*(Text(_shown(value)) for value in row))
    make_console().print(table)
    if len(rows) > _MOST_SHOWN:
        typer.echo(f"{len(rows) - _MOST_SHOWN:,} more rows; --json prints all.")


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    if isinstance(value, datetime):
        return f"{value:%m-%d %H:%M:%S}".removesuffix(":00")
    return "" if value is None else _printable(str(value))


def _plain(value: object) -> object:
    """A value of an answer as JSON has it; times are in UTC."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value if isinstance(value, int | float | str) else (
        None if value is None else str(value)
    )  # fmt: skip


@app.command()
def rollup(
    path: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder that --telemetry was given.")],
    keep_days: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="Leave the last N days as they are.")
    ] = KEEP_DAYS,
    keep_rows: Annotated[
        bool, typer.Option("--keep-rows", help="Keep the rows of older days, too, as Parquet.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Replace the rows of old days by their numbers: counts, sums, means, extremes, medians and 95th percentiles.

    Stop it at any time; the same command goes on.
    """
    done = []
    try:
        with one_interrupt():
            for day in roll_up(path, keep_days, keep_rows=keep_rows):
                done.append(day)
                if not as_json:
                    smaller = f"{day.bytes_before / 1e6:,.1f} MB became {day.bytes_after / 1e6:,.1f} MB"
                    typer.echo(day.trouble or f"{day.day}: {counted(day.rows, 'row')} rolled up, {smaller}.")
    except (ValueError, ImportError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or path}: {reason(error)}")
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        days = [{"day": one.day, "rows": one.rows, "trouble": one.trouble or None} for one in done]
        typer.echo(json.dumps({"days": days}))
    elif not done:
        typer.echo(f"Nothing to roll up: no day is older than {counted(keep_days, 'day')}.")
    if any(one.trouble for one in done):
        raise typer.Exit(1)


@app.command()
def alerts(
    path: Kept,
    minutes: Annotated[float | None, setting(AlertRules, "minutes", metavar="N")] = None,
    memory_gb: Annotated[float | None, setting(AlertRules, "memory_gb", metavar="N")] = None,
    heartbeat_seconds: Annotated[float | None, setting(AlertRules, "heartbeat_seconds", metavar="N")] = None,
    error_rate: Annotated[float | None, setting(AlertRules, "error_rate", metavar="SHARE")] = None,
    p95_ms: Annotated[float | None, setting(AlertRules, "p95_ms", metavar="MS")] = None,
    cache_hits: Annotated[float | None, setting(AlertRules, "cache_hits", metavar="SHARE")] = None,
    at_least: Annotated[int | None, setting(AlertRules, "at_least", metavar="N")] = None,
    config: Config = None,
    watch: Annotated[
        float | None,
        typer.Option(min=0.1, max=1_000_000, metavar="SECONDS", help="Look again and again, until Ctrl-C."),
    ] = None,
    post: Annotated[
        str | None, typer.Option(metavar="URL", help="Send alerts there as events, such as to an aggregator.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check rules: memory, heartbeats, errors, slow decisions, cache hits. Exit with 1 if one does not hold."""
    given = {
        "minutes": minutes,
        "memory_gb": memory_gb,
        "heartbeat_seconds": heartbeat_seconds,
        "error_rate": error_rate,
        "p95_ms": p95_ms,
        "cache_hits": cache_hits,
        "at_least": at_least,
    }
    lost, known = "", set[tuple[str, str]]()
    try:
        rules = read_settings(AlertRules, {name: value for name, value in given.items() if value is not None}, config)
        target = sendable(post) if post else ""
        with one_interrupt():
            while True:
                found, seen = _checked(path, rules)
                new = [one for one in found if (one.rule, one.program) not in known]
                known = {(one.rule, one.program) for one in found}
                if target and new:
                    lost = send(target, "jimbo telemetry alerts", [one.to_event() for one in new])
                if as_json:
                    typer.echo(json.dumps({"last": seen and seen.isoformat(), "alerts": [_data(one) for one in new]}))
                else:
                    _print_alerts(new, seen, quiet=watch is not None and not new)
                if lost:
                    typer.echo(f"jimbo: {lost}", err=True)
                if watch is None:
                    break
                time.sleep(watch)
    except (ValueError, ImportError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or path}: {reason(error)}")
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    if known:
        raise typer.Exit(ALERTED)


def _checked(path: Path, rules: AlertRules) -> tuple[list[Alert], datetime | None]:
    with closing(Archive([path])) as archive:
        return check(archive, rules), last_seen(archive)


def _data(alert: Alert) -> dict[str, Any]:
    told = {"rule": alert.rule, "program": alert.program, "value": alert.value, "limit": alert.limit}
    return {**told, "message": alert.words}


def _print_alerts(found: Sequence[Alert], seen: datetime | None, *, quiet: bool) -> None:
    if quiet:
        return
    if seen is None:
        typer.echo("There are no rows yet.")
        return
    console = make_console()
    at = seen.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    for one in found:
        console.print(Text.assemble((f"{one.rule}: ", RED), f"{_printable(one.words)}."), soft_wrap=True)
    if not found:
        console.print(Text(f"All rules hold. The last row is of {at}."), soft_wrap=True)
