"""Whole tasks of the command line: a graph built, and a server checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jimbo.data.record import versions
from jimbo.extras import check_installed
from jimbo.knowledge.build import tables_of
from jimbo.knowledge.embedding import compared, ppmi_embedding, value_embedding
from jimbo.knowledge.items import ITEMS
from jimbo.knowledge.moments import gather
from jimbo.knowledge.questions import QUESTIONS, ask, stakes_of
from jimbo.knowledge.stores import BoltGraph, Graph, write_file
from jimbo.models.graph_embedding import write_embedding

Told = Callable[[str, int, int], None]
_EXAMPLE: dict[str, Any] = {
    "owned": ["j_baron", "j_mime", "j_photograph", "j_blueprint", "j_hanging_chad"],
    "budget": 10,
    "cards": ["rank:K", "enhancement:m_steel"],
    "hands": ["Flush", "Pair"],
    "least": 0.1,
}


def build_graph(
    games: Sequence[Path],
    out: str,
    server: BoltGraph | None,
    *,
    trials: int,
    sessions: int | None,
    model: Path | None,
    workers: int,
    told: Told,
) -> dict[str, Any]:
    """Build a graph from games into a file, or on a server; return what was done as plain data."""
    check_installed(["pyarrow"], "data")
    check_installed(["ladybug", "networkx"], "graph")
    began = time.monotonic()
    count = 0

    def begun(number: int) -> None:
        nonlocal count
        count = number

    gathered = gather(
        games, trials, workers=workers, model=model, begun=begun, progress=lambda done: told("games", done, count)
    )
    told("embeddings", 0, 1)
    measured = compared(gathered.moments, model=model)
    method = max(("ppmi", "value"), key=lambda name: measured[name].together)
    embedding = ppmi_embedding(gathered.moments) if method == "ppmi" else value_embedding(model)
    told("pairs", 0, 1)
    built = datetime.now(UTC).isoformat(timespec="seconds")
    tables = tables_of(gathered, embedding, sessions=sessions, built=built)

    def writing(table: str, done: int, of: int) -> None:
        told(f"writing {table}", done, of)

    beside = Path("knowledge") if server else Path(out)
    if server:
        server.write(tables, writing)
    else:
        write_file(Path(out), tables, writing)
    place = beside.with_name(f"{beside.stem}-embedding.safetensors")
    about = {
        "method": method,
        "measured": {name: one._asdict() for name, one in measured.items()},
        "games": [source._asdict() for source in gathered.sources],
        "games_played": len(gathered.moments.won),
        "built": built,
        "versions": dict(versions()),
    }
    write_embedding(place, ITEMS, embedding, about)
    return {
        "graph": out,
        "sizes": tables.sizes(),
        "games": len(gathered.moments.won),
        "embedding": str(place),
        "method": method,
        "measured": about["measured"],
        "seconds": time.monotonic() - began,
    }


def check_questions(graph: Graph) -> list[dict[str, Any]]:
    """Every question at every stake of a graph: rows, and the median of three times; none for an empty graph."""
    found = []
    for about in stakes_of(graph):
        for name in QUESTIONS:
            replies = [ask(graph, name, about["stake"], _EXAMPLE) for _ in range(3)]
            ms = sorted(reply.ms for reply in replies)[1]
            found.append({"question": name, "stake": about["stake"], "rows": len(replies[0].rows), "ms": ms})
    return found
