"""``jimbo seed``: what seeds hold, and seeds that hold what you want."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.commands import Verbs
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import Challenge, Deck, Stake
from jimbo.cli.seed_find import AsJson, Queue, find
from jimbo.cli.seed_route import line, route
from jimbo.console import make_console
from jimbo.files import read_bytes, read_open, reason
from jimbo.seeds import ASSUMED, MAX_ANTE, Exploration, json_lines, typed_seed
from jimbo.seeds.labels import label_rest
from jimbo.seeds.line import LineStart
from jimbo.serve.terminal import seed_report, seed_words

app = Verbs(
    help="Show what seeds contain, find seeds that contain what you want, and plan what to do on one.",
    no_args_is_help=True,
)


@app.command(epilog=ASSUMED)
def show(
    seeds: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SEED]...", help="Such as 7LB2WVPK; lower case is read as upper case."),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also the seeds of a file, one per line; # starts a comment, - is stdin."),
    ] = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    antes: Annotated[str, typer.Option(help=f"One ante or a range such as 1-8, up to {MAX_ANTE}.")] = "1-8",
    queue: Queue = 20,
    as_typed: Annotated[
        bool, typer.Option("--as-typed", help="Read seeds as the game's input field does: upper case, O for 0.")
    ] = False,
    labels: Annotated[
        bool, typer.Option("--labels", help="Say of each item whether it is certain, and what it depends on.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show boss, voucher, tags, shop queue and packs of each ante."""
    first, last = _ante_range(antes)
    with report_errors():
        exploration = Exploration(deck, stake, first, last, queue, challenge)
        wanted = [typed_seed(text, as_in_game=as_typed) for text in seeds or []]
        if file is not None:
            wanted += _read_seeds(file, as_typed)
    if not wanted:
        fail("Name a seed, or a file of seeds with --file.")
    if labels:
        _show_labels(exploration, wanted)
        return
    if as_json:
        for lines in json_lines(exploration, wanted):
            sys.stdout.write(lines)
        return
    console = make_console()
    for seed in wanted:
        seed_report.print_report(console, exploration.report(seed))
    console.print(seed_report.footer())


def _show_labels(exploration: Exploration, seeds: list[str]) -> None:
    console = make_console()
    for seed in seeds:
        run = LineStart(seed, exploration.deck, exploration.stake, exploration.challenge).run()
        labels = label_rest(run, exploration.last_ante, exploration.queue)
        labels.antes = [ante for ante in labels.antes if ante["ante"] >= exploration.first_ante]
        console.print(f"Seed {seed}", style="bold")
        seed_words.print_labels(console, labels)


def _ante_range(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text)
    if not match:
        fail(f'"{text}" is not a range of antes. Write one ante, such as 3, or a range, such as 1-8.')
    return int(match[1]), int(match[2] or match[1])


def _read_seeds(file: str, as_typed: bool) -> list[str]:
    name = "standard input" if file == "-" else file
    try:
        text = (read_open(sys.stdin.buffer, name) if file == "-" else read_bytes(Path(file))).decode("utf-8")
    except (OSError, UnicodeError) as error:
        fail(f"{name} cannot be read: {reason(error)}.")
    wanted = []
    for number, written in enumerate(text.splitlines(), 1):
        if seed := written.partition("#")[0].strip():
            try:
                wanted.append(typed_seed(seed, as_in_game=as_typed))
            except ValueError as error:
                fail(f"{name}, line {number}: {error}")
    if not wanted:
        fail(f"{name} holds no seeds.")
    return wanted


app.command(epilog=ASSUMED)(find)
app.command()(line)
app.command()(route)
