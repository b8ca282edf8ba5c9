"""What seeds hold, for clients that may know: these tools tell what the player of a run may not."""

from __future__ import annotations

import re
import time
from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from jimbo.engine.catalog import CHALLENGES, DECKS, STAKES
from jimbo.seeds import (
    ASSUMED,
    FIRST_MADE_SEED,
    MAX_ANTE,
    Ante,
    Card,
    Condition,
    Exploration,
    Hit,
    Search,
    after,
    typed_seed,
)
from jimbo.seeds.parse import parse_has, parse_lacks
from jimbo.seeds.starts import made_seed_number
from jimbo.serve.game import BadInput
from jimbo.serve.mcp.answers import Name, SeedAnte, SeedsFound, SeedShown
from jimbo.serve.terminal.items import card_text
from jimbo.serve.terminal.seed_report import hit_text
from jimbo.text import counted

MOST_ANTES = 8
MOST_THINGS = 8
MOST_HITS = 20
MOST_SECONDS = 10.0

Deck = Annotated[Name, Field(description="such as red; the default")]
Stake = Annotated[Name, Field(description="white (the default) to gold")]
Things = list[Name]


def seed_show(
    seed: Name,
    antes: Annotated[Name, Field(description="one ante or a range, such as 1-3")] = "1-2",
    deck: Deck = "",
    stake: Stake = "",
    queue: Annotated[int, Field(ge=0, le=40, description="cards of each ante's shop queue")] = 8,
) -> Annotated[CallToolResult, SeedShown]:
    """Show what a seed holds: bosses, vouchers, tags, the shop queue and packs. It spoils a run of that seed."""
    match = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", antes.strip())
    if not match:
        raise BadInput(f'"{antes}" is not a range of antes. Write one ante, such as 3, or a range, such as 1-3.')
    first, last = int(match[1]), int(match[2] or match[1])
    if last - first >= MOST_ANTES:
        such_as = f"{first}-{first + MOST_ANTES - 1}"
        raise BadInput(f"{MOST_ANTES} antes are shown at a time. Ask for fewer, such as {such_as}.")
    exploration = Exploration(deck or None, stake or "white", first, last, queue)
    report = exploration.report(typed_seed(seed))
    rules = CHALLENGES[report.challenge] if report.challenge else DECKS[report.deck]
    return SeedShown(
        seed=report.seed,
        deck=rules.name,
        stake=STAKES[report.stake].name,
        antes=[_ante(ante) for ante in report.antes],
        assumed=ASSUMED,
    ).result()


def _ante(ante: Ante) -> SeedAnte:
    return SeedAnte(
        ante=ante.ante,
        boss=ante.boss.name,
        voucher=ante.voucher.name,
        tags=[tag.name for tag in ante.tags],
        shop=[_plain(card) for card in ante.shop],
        packs=[f"{pack.name}: {', '.join(map(_plain, pack.cards))}" for pack in ante.packs],
    )


def _plain(card: Card) -> str:
    """Without the signs of rarities, which need a legend."""
    return card_text(card).plain.lstrip("★♛ ")


def seed_find(
    has: Annotated[
        Things,
        Field(max_length=MOST_THINGS, description='what must turn up, such as "negative blueprint @ 1-3" or "a|b"'),
    ],
    lacks: Annotated[Things, Field(max_length=MOST_THINGS, description="what must not turn up")] = [],  # noqa: B006
    by_ante: Annotated[int, Field(ge=1, le=MAX_ANTE, description="by the end of this ante, unless @ says more")] = 1,
    deck: Deck = "",
    stake: Stake = "",
    limit: Annotated[int, Field(ge=1, le=MOST_HITS, description="how many seeds")] = 5,
    start: Annotated[Name, Field(description="where to go on: next_seed of the last answer")] = "",
) -> Annotated[CallToolResult, SeedsFound]:
    """Look for seeds that hold everything asked for, for ten seconds at most; go on from next_seed."""
    conditions: list[Condition] = [*map(parse_has, has), *map(parse_lacks, lacks)]
    first = start.strip().upper() or FIRST_MADE_SEED
    search = Search(
        conditions,
        by_ante=by_ante,
        deck=deck or None,
        stake=stake or "white",
        start=first,
    )
    began = time.monotonic()
    hits: list[Hit] = []
    for block in search.blocks():
        hits += block.hits[: limit - len(hits)]
        if len(hits) == limit or time.monotonic() - began > MOST_SECONDS:
            break
    go_on = after(hits[-1].seed) if len(hits) == limit else search.next_seed
    searched = search.searched
    if len(hits) == limit:  # whatever was looked at beyond the last one told
        searched = made_seed_number(hits[-1].seed) - made_seed_number(first) + 1
    more = f"; go on with start {go_on}" if go_on else "; that was the last seed"
    return SeedsFound(
        found=[hit.seed for hit in hits],
        places=[hit_text(hit).plain for hit in hits],
        searched=searched,
        next_seed=go_on,
        note=f"{counted(searched, 'seed')} searched{more}",
        assumed=ASSUMED,
    ).result()
