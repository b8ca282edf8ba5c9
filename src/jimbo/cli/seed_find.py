"""``jimbo seed find``: seeds that hold what you want."""

import json
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from jimbo.cli.errors import fail, report_errors
from jimbo.cli.flags import Challenge, Deck, complete_items, complete_stakes
from jimbo.console import make_console, make_progress
from jimbo.declared import LARGEST
from jimbo.files import reason, write_text
from jimbo.seeds import ASSUMED, FIRST_MADE_SEED, MAX_ANTE, Hit, Place, PlayingCard, random_start
from jimbo.seeds.hunt import MOST_HITS, Hunt, HuntPlan, load_hunt
from jimbo.serve.terminal import seed_report, seed_words
from jimbo.text import counted

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
Stake = Annotated[
    str | None,
    typer.Option(metavar="STAKE", help="Any stake, by name or key; default white.", autocompletion=complete_stakes),
]
_KEEP_EVERY = 2.0
"""Seconds between two writes of the file that keeps a search."""
_RANKED = 10
_SHORT = 0.6
"""Seconds for odds that nobody asked for."""


def find(
    has: Has = None,
    lacks: Lacks = None,
    deck_has: DeckHas = None,
    by_ante: ByAnte = 1,
    limit: Annotated[int, typer.Option(min=1, max=LARGEST, help="Stop after finding this many seeds.")] = 20,
    deck: Deck = None,
    stake: Stake = None,
    challenge: Challenge = None,
    jaml: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A filter of Motely; what does not map is named.")
    ] = None,
    queue: Queue = 20,
    start: Start = None,
    random: Annotated[bool, typer.Option("--random", help="Start at a random seed.")] = False,
    tries: Annotated[int | None, typer.Option(min=1, max=LARGEST, help="Stop after trying this many seeds.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=1024, help="Default: all cores.")] = None,
    odds: Annotated[bool, typer.Option("--odds", help="Only say how likely a hit is, and how long it takes.")] = False,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the search in a file; the same command resumes it.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was found, best first: .csv or .json.")
    ] = None,
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
    if export is not None and export.suffix not in (".csv", ".json"):
        fail(f"{export.name} ends neither in .csv nor in .json.")
    first = random_start() if random else FIRST_MADE_SEED if start is None else start
    with report_errors():
        if not (has or lacks or deck_has or jaml or (keep and keep.exists())):
            fail("Say what to look for, such as --has blueprint.")
        asked = HuntPlan(
            has=tuple(has or ()),
            lacks=tuple(lacks or ()),
            deck_has=tuple(deck_has or ()),
            jaml=_text(jaml) if jaml else "",
            by_ante=by_ante,
            deck=deck,
            stake=stake,
            challenge=challenge,
            queue=queue,
            start=first,
            limit=limit,
            threads=threads,
        )
        hunt = _hunt(asked, keep)
        for sentence in hunt.left_out:
            typer.echo(sentence, err=True)
        if odds or (sys.stderr.isatty() and not as_json):
            for told in seed_words.odds_lines(hunt.odds() if odds else hunt.odds(_SHORT), hunt.words):
                typer.echo(told, err=not odds)
        if odds:
            return
        _search(hunt, tries, keep, as_json)
        if export is not None:
            write_text(export, hunt.csv() if export.suffix == ".csv" else json.dumps(hunt.data()) + "\n")


def _text(path: Path) -> str:
    try:
        return path.read_bytes()[: 4 << 20].decode()
    except UnicodeError as error:
        fail(f"{path} cannot be read: {reason(error)}.")


def _hunt(asked: HuntPlan, keep: Path | None) -> Hunt:
    """The search that is asked for, or the one that its file keeps."""
    if keep is None:
        return Hunt(asked)
    if asked.limit > MOST_HITS:
        fail(f"A file keeps up to {MOST_HITS:,} seeds: choose a smaller --limit.")
    if not keep.exists():
        return Hunt(asked)
    kept = load_hunt(keep)
    words = asked.has or asked.lacks or asked.deck_has or asked.jaml
    same = replace(asked, start=kept.asked.start, limit=kept.asked.limit, threads=kept.asked.threads)
    if words and same != kept.asked:
        fail(f"{keep} keeps another search. Choose another name, or resume it with --keep {keep} alone.")
    return Hunt(replace(kept.asked, limit=max(asked.limit, kept.asked.limit), threads=asked.threads), kept.progress)


def _search(hunt: Hunt, tries: int | None, keep: Path | None, as_json: bool) -> None:
    progress, before = hunt.progress, hunt.progress.searched
    stopped, found = False, 0
    began = kept = time.perf_counter()
    told = "{task.completed:,.0f} seeds {task.fields[rate]:,.0f}/s {task.fields[found]} found"
    with make_progress(make_console(stderr=True), told) as shown:
        task = shown.add_task("", total=tries, found=0, rate=0.0)
        try:
            for hits in hunt.blocks(tries):
                for hit, _ in hits:
                    _print_hit(hit, as_json, shown.console)
                found += len(hits)
                now = time.perf_counter()
                searched = progress.searched - before
                shown.update(task, completed=searched, found=found, rate=searched / max(now - began, 1e-9))
                if keep is not None and (hits or now - kept > _KEEP_EVERY):
                    hunt.save(keep)
                    kept = now
        except KeyboardInterrupt:
            stopped = True
    if progress.state == "running":
        progress.state = "paused"
    if keep is not None:
        hunt.save(keep)
    searched = progress.searched - before
    rate = searched / max(time.perf_counter() - began, 1e-9)
    summary = f"{found:,} found among {counted(searched, 'seed')}, {rate:,.0f} a second."
    go_on = "" if keep else f" Continue with --start {progress.next}" if progress.next else ""
    kept_in = f" Kept in {keep}: the same command resumes it." if keep and progress.state != "done" else ""
    typer.echo(("Stopped. " if stopped else "") + summary + go_on + kept_in, err=True)
    if hunt.filter and hunt.filter.bonuses and not as_json:
        for number, one in enumerate(hunt.ranked[:_RANKED], 1):
            typer.echo(f"{number:>3}. {one.seed}  score {one.score:g}, {counted(one.rerolls, 'reroll')}", err=True)
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
