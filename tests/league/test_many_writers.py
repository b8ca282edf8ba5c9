"""Processes that write to one registry at the same time and are killed in the middle: nothing is lost, all fits."""

import json
import multiprocessing
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jimbo.league import Entry, NotRegistered, Registry

WRITERS = 4
CONTENTS = 40
"""Different files: many entries share theirs."""


def work(folder: Path, log: Path, seed: int, count: int) -> None:
    """Do random things to a registry, and note each that was done where no kill can take it back."""
    rng, registry = random.Random(seed), Registry(folder)
    done = log.open("ab", buffering=0)
    source = log.with_suffix(f".{seed}")
    for _ in range(count):
        what = rng.choices(["add", "move", "note", "prune", "read", "verify"], [40, 20, 20, 8, 10, 2])[0]
        done.write((json.dumps([what, *step(what, registry, rng, source)]) + "\n").encode())
    source.unlink(missing_ok=True)


def step(what: str, registry: Registry, rng: random.Random, source: Path) -> Iterator[object]:
    entries = registry.entries() if what != "note" else []
    one = rng.choice(entries[-20:]) if entries else None
    if what == "add":
        source.write_bytes(b"content" * rng.randrange(1, CONTENTS) * 100)
        yield add(registry, f"name{rng.randrange(5)}", source, one).id
    elif what == "note":
        yield registry.note("test", {"number": rng.randrange(1000)})
    elif what == "verify":
        assert registry.verify() == []
    elif one and what == "read":
        assert registry.resolve(one.name).name == one.name
    elif one:
        try:
            if what == "move":
                registry.move(rng.choice(["champion", "canary"]), one, "at random")
            else:
                registry.prune([one])
        except ValueError as error:  # it is an alias or a parent, or another process has removed it
            if not any(part in str(error) for part in ("Move the alias", "was made from", "has no")):
                raise


def add(registry: Registry, name: str, source: Path, parent: Entry | None) -> Entry:
    parents = [parent] if parent else []
    try:
        return registry.add(name, kind="model", spec={}, files={"file": source}, parents=parents)
    except NotRegistered:  # another process has removed the parent
        return registry.add(name, kind="model", spec={}, files={"file": source})


def torture(tmp_path: Path, operations: int, longest: float) -> tuple[Registry, list[list[object]], int]:
    """Let writers work until so many things are done; each is killed after a while, and another takes its place."""
    context, rng, kills = multiprocessing.get_context("fork"), random.Random(7), 0
    folder, log = tmp_path / "registry", tmp_path / "done"
    log.touch()
    writers: dict[multiprocessing.process.BaseProcess, float] = {}
    try:
        while len(log.read_bytes().splitlines()) < operations:
            while len(writers) < WRITERS:
                writer = context.Process(target=work, args=(folder, log, rng.randrange(1 << 40), operations))
                writer.start()
                writers[writer] = time.monotonic() + rng.uniform(0.02, longest)
            time.sleep(0.01)
            for writer, until in list(writers.items()):
                if time.monotonic() > until:
                    assert writer.exitcode is None, "a writer has failed"
                    writer.kill()
                    kills += 1
                    writer.join()
                    del writers[writer]
    finally:
        for writer in writers:
            writer.kill()
            writer.join()
    done = [json.loads(line) for line in log.read_bytes().splitlines() if line.endswith(b"]")]
    return Registry(folder), done, kills


def check(registry: Registry, done: list[list[object]]) -> None:
    assert registry.verify() == []
    live, removed = {entry.id for entry in registry.entries()}, set[object]()
    for event in registry.events("prune"):
        removed |= set(event["data"]["entries"])
    assert {one for what, *more in done if what == "add" for one in more} <= live | removed
    assert {one for what, *more in done if what == "note" for one in more} <= {
        event["n"] for event in registry.events("test")
    }
    assert set(registry.aliases().values()) <= live
    assert [event["n"] for event in registry.events()] == list(range(1, len(list(registry.events())) + 1))
    for path in (registry.folder / "incoming").iterdir():
        os.utime(path, (0, 0))
    registry.prune()
    kept = {path.name for path in (registry.folder / "entries").iterdir()}
    assert kept == {f"{id}.json" for id in live}
    assert {path.name for path in (registry.folder / "objects").iterdir()} == {one.place for one in registry.entries()}
    assert list((registry.folder / "incoming").iterdir()) == []
    assert registry.verify() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_writers_leave_it_whole(tmp_path: Path) -> None:
    registry, done, kills = torture(tmp_path, 300, 0.5)
    check(registry, done)
    assert kills >= 5


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_ten_thousand_operations_leave_it_whole(tmp_path: Path) -> None:
    registry, done, kills = torture(tmp_path, 10_000, 3.0)
    check(registry, done)
    assert kills >= 100
    print(f"{len(done)} operations, {kills} kills, {len(list(registry.events()))} lines")
