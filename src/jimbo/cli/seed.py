"""``jimbo seed``: what seeds hold, and seeds that hold what you want."""

import json
import re
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from jimbo.cli.commands import Verbs
from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import Challenge, Deck, Stake, complete_items
from jimbo.console import make_console, make_progress
from jimbo.declared import LARGEST
from jimbo.files import read_bytes, read_open, reason
from jimbo.seeds import (
    ASSUMED,
    FIRST_MADE_SEED,
    MAX_ANTE,
    Condition,
    Exploration,
    Hit,
    Place,
    PlayingCard,
    Search,
    after,
    json_lines,
    parse_deck,
    parse_has,
    parse_lacks,
    random_start,
    typed_seed,
)
from jimbo.serve.terminal import seed_report
from jimbo.text import counted

app = Verbs(help="Show what seeds contain, or find seeds that contain what you want.", no_args_is_help=True)

Queue = Annotated[int, typer.Option(min=0, max=1000, help="How many cards of each ante's shop queue to look at.")]
Has = Annotated[
    list[str] | None,
    typer.Option(
        metavar="THING", help="What must turn up, such as blueprint; repeatable.", autocompletion=complete_items
    ),
]
Lacks = Annotated[
    list[str] | None,
    typer.Option("--not", metavar="THING", help="What must not turn up; repeatable.", autocompletion=complete_items),
]
DeckHas = Annotated[
    list[str] | None,
    typer.Option(metavar="CARDS", help='What the Erratic Deck must hold, such as "12 hearts"; repeatable.'),
]
ByAnte = Annotated[
    int, typer.Option(min=1, max=MAX_ANTE, help="In this ante or an earlier one, unless the THING names its antes.")
]
Start = Annotated[str | None, typer.Option(metavar="SEED", help=f"First seed to try; default {FIRST_MADE_SEED}.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object per line and nothing else.")]


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
    if as_json:
        for lines in json_lines(exploration, wanted):
            sys.stdout.write(lines)
        return
    console = make_console()
    for seed in wanted:
        seed_report.print_report(console, exploration.report(seed))
    console.print(seed_report.footer())


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
    for number, line in enumerate(text.splitlines(), 1):
        if seed := line.partition("#")[0].strip():
            try:
                wanted.append(typed_seed(seed, as_in_game=as_typed))
            except ValueError as error:
                fail(f"{name}, line {number}: {error}")
    if not wanted:
        fail(f"{name} holds no seeds.")
    return wanted


@app.command(epilog=ASSUMED)
def find(
    has: Has = None,
    lacks: Lacks = None,
    deck_has: DeckHas = None,
    by_ante: ByAnte = 1,
    limit: Annotated[int, typer.Option(min=1, max=LARGEST, help="Stop after finding this many seeds.")] = 20,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    queue: Queue = 20,
    start: Start = None,
    random: Annotated[bool, typer.Option("--random", help="Start at a random seed.")] = False,
    tries: Annotated[int | None, typer.Option(min=1, max=LARGEST, help="Stop after trying this many seeds.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=1024, help="Default: all cores.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look for seeds that meet all conditions, among those the game itself makes.

    What a THING can be:
      blueprint, "the needle"   a joker, consumable, voucher, pack, tag or boss
      j_blueprint               the same by its key
      "negative perkeo"         a joker with an edition
      "red seal steel king"     a playing card: edition, seal, enhancement, rank,
                                suit, or some of them
      "blueprint|brainstorm"    one of several
      "blueprint @ 2"           in ante 2
      "blueprint @ 1-3"         in antes 1 to 3

    What CARDS can be, with --deck erratic:
      "12 hearts"               at least 12
      "0-2 kings"               at most 2
      "3-5 aces of spades"      3, 4 or 5

    Legendary jokers count where a Soul in a pack gives them.
    Ctrl-C stops at any time and keeps what was found.
    """
    if random and start is not None:
        fail("Choose either --start or --random.")
    first = random_start() if random else FIRST_MADE_SEED if start is None else start
    with report_errors():
        conditions: list[Condition] = [*map(parse_has, has or ()), *map(parse_lacks, lacks or ())]
        conditions += map(parse_deck, deck_has or ())
        if not conditions:
            fail("Say what to look for, such as --has blueprint.")
        search = Search(
            conditions,
            by_ante=by_ante,
            deck=deck,
            stake=stake,
            challenge=challenge,
            queue=queue,
            start=first,
            threads=threads,
        )
    _search(search, limit, tries, as_json)


def _search(search: Search, limit: int, tries: int | None, as_json: bool) -> None:
    found = 0
    go_on: str | None = search.next_seed
    began = time.perf_counter()
    stopped = False
    told = "{task.completed:,.0f} seeds {task.fields[rate]:,.0f}/s {task.fields[found]} found"
    with make_progress(make_console(stderr=True), told) as progress:
        task = progress.add_task("", total=tries, found=0, rate=0.0)
        try:
            for block in search.blocks(tries):
                hits = block.hits[: limit - found]
                for hit in hits:
                    _print_hit(hit, as_json, progress.console)
                found += len(hits)
                go_on = after(hits[-1].seed) if found == limit else block.next_seed
                rate = block.searched / (time.perf_counter() - began)
                progress.update(task, completed=block.searched, found=found, rate=rate)
                if found == limit:
                    break
        except KeyboardInterrupt:
            stopped = True
    rate = search.searched / max(time.perf_counter() - began, 1e-9)
    summary = f"{found:,} found among {counted(search.searched, 'seed')}, {rate:,.0f} a second."
    typer.echo(
        ("Stopped. " if stopped else "") + summary + (f" Continue with --start {go_on}" if go_on else ""), err=True
    )
    if not as_json:
        typer.echo(ASSUMED, err=True)


def _print_hit(hit: Hit, as_json: bool, beside: Console) -> None:
    """On a terminal the line has to pass through the progress display, or the two would overwrite each other."""
    line = json.dumps(_data(hit)) if as_json else seed_report.hit_text(hit)
    console = beside if beside.is_terminal and sys.stdout.isatty() else make_console()
    console.print(line, soft_wrap=True, markup=False, highlight=False)


def _data(hit: Hit) -> dict[str, Any]:
    """A hit for machines. What a place or a card of the deck does not have is left out, except for the pack."""
    data: dict[str, Any] = {"seed": hit.seed, "places": [_present(place, "pack") for place in hit.places]}
    if hit.deck:
        data["deck"] = [_present(in_deck.card) | {"count": in_deck.count} for in_deck in hit.deck]
    return data


def _present(item: Place | PlayingCard, kept: str = "") -> dict[str, Any]:
    return {name: value for name, value in asdict(item).items() if value is not None or name == kept}
