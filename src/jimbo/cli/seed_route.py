"""``jimbo seed line`` and ``jimbo seed route``: what is done on a seed, and the cheapest way to what is wished for."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import Challenge, Deck, Stake, complete_items
from jimbo.console import make_console
from jimbo.data.record_files import record_text
from jimbo.seeds.labels import label_rest
from jimbo.seeds.line import LineStart, play_line, read_words
from jimbo.seeds.parse import parse_has
from jimbo.seeds.route import LAST_ANTE, SECONDS, find_route
from jimbo.seeds.words import condition_words
from jimbo.serve.run_file import RunFile
from jimbo.serve.seed_runs import PlayedLine, played_line, spent_text, told_steps
from jimbo.serve.terminal import seed_words

Seed = Annotated[str, typer.Argument(metavar="SEED")]
Dollars = Annotated[int, typer.Option(min=0, max=100_000, help="Given besides what the run starts with.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Also play it with real hands, and save that run.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def line(
    seed: Seed,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[STEP]...", help="Such as beat redeem1 beat reroll buy2.")
    ] = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    dollars: Dollars = 0,
    antes: Annotated[int, typer.Option(min=1, max=8, help="How many antes to show from there on.")] = 2,
    queue: Annotated[int, typer.Option(min=0, max=100, help="How many cards of each ante's shop queue to show.")] = 10,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Do steps on a seed, and show what the rest of it holds then.

    Steps: beat (plays the next blind and counts it as beaten with its last hand; beat2 leaves 2 hands), skip, buy1,
    redeem1, open1, take1, pass (leaves a pack), reroll, use1, selljoker1, sellcard1, rerollboss, leave. take1:2-5
    chooses the 2nd and the 5th card of the hand.
    """
    with report_errors():
        start = LineStart(seed, deck, stake, challenge, dollars)
        done = read_words(" ".join(words or []))
        steps = told_steps(start, done)
        played = play_line(start, done)
        labels = label_rest(played.run, played.run.ante + antes - 1, queue)
        saved = played_line(start, done) if out else None
    if out and saved:
        _save(out, saved, as_json)
    if as_json:
        rest = {"steps": [asdict(step) for step in steps], "spent": asdict(played.spent), "rest": labels.antes}
        typer.echo(json.dumps(rest))
        return
    console = make_console()
    seed_words.print_steps(console, steps)
    console.print(f"Cost: {spent_text(played.spent)}. Now: {played.run!r}"[:200], markup=False)
    seed_words.print_labels(console, labels)


def route(
    seed: Seed,
    want: Annotated[
        list[str],
        typer.Option(
            metavar="THING", help="What to get, such as blueprint @ 1-3; repeatable.", autocompletion=complete_items
        ),
    ],
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    by_ante: Annotated[
        int, typer.Option(min=1, max=LAST_ANTE, help="The last ante, unless a THING names its own.")
    ] = 8,
    hands_left: Annotated[
        int, typer.Option(min=0, max=10, help="Hands that each blind leaves, which pay $1 each.")
    ] = 0,
    dollars: Dollars = 0,
    after: Annotated[str, typer.Option(metavar="STEPS", help='Steps that are done already, such as "beat buy1".')] = "",
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="How long to search.")] = SECONDS,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Find the cheapest line that gets what is wished for: dollars first, then rerolls, then skips."""
    with report_errors():
        start = LineStart(seed, deck, stake, challenge, dollars)
        wishes = [parse_has(text) for text in want]
        found = find_route(
            start, wishes, by_ante=by_ante, hands_left=hands_left, seconds=seconds, words=read_words(after)
        )
        steps = told_steps(start, found.words)
        saved = played_line(start, found.words) if out and found.words else None
    if out and saved:
        _save(out, saved, as_json)
    if as_json:
        typer.echo(json.dumps({**asdict(found), "steps": [asdict(step) for step in steps], "assumed": found.assumed}))
    else:
        seed_words.print_route(make_console(), found, [condition_words(wish) for wish in wishes], steps)
    if found.missing:
        raise typer.Exit(1)


def _save(out: Path, played: PlayedLine, quiet: bool) -> None:
    try:
        RunFile().write(out, record_text(played.record).encode())
    except ValueError as error:
        fail(str(error))
    if not quiet:
        typer.echo(f"Saved in {out}: {played.note}", err=True)
