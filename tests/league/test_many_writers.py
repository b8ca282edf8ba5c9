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
    source = log.with_suffix(".source")
    for _ in range(count):
        what = rng.choices(["add", "move", "note", "prune", "read", "verify"], [36, 16, 18, 20, 9, 1])[0]
        done.write((json.dumps([what, *step(what, registry, rng, source)]) + "\n").encode())


def step(what: str, registry: Registry, rng: random.Random, source: Path) -> Iterator[object]:
    entries = registry.entries() if what != "note" else []
    one = rng.choice(entries[-20:]) if entries else None
    if what == "add":
        one = one if rng.random() < 0.3 else None
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
            if not any(part in str(error) for part in ("so it stays", "was made from", "has no")):
                raise


def add(registry: Registry, name: str, source: Path, parent: Entry | None) -> Entry:
    parents = [parent] if parent else []
    try:
        return registry.add(name, kind="model", spec={}, files={"file": source}, parents=parents)
    except NotRegistered:  # another process has removed the parent
        return registry.add(name, kind="model", spec={}, files={"file": source})


def torture(tmp_path: Path, operations: int, most: int) -> tuple[Registry, list[list[object]], int]:
    """Let writers work until so many things are done; each is killed in the middle of its work, and others follow."""
    context, rng, kills = multiprocessing.get_context("fork"), random.Random(7), 0
    folder, logs = tmp_path / "registry", []
    writers: dict[multiprocessing.process.BaseProcess, tuple[Path, int]] = {}
    try:
        while sum(len(lines(log)) for log in logs) < operations:
            while len(writers) < WRITERS:
                logs.append(tmp_path / f"done{len(logs)}")
                writer = context.Process(target=work, args=(folder, logs[-1], rng.randrange(1 << 40), operations))
                writer.start()
                writers[writer] = logs[-1], rng.randint(1, most)
            time.sleep(rng.uniform(0.0, 0.02))
            for writer, (log, enough) in list(writers.items()):
                assert writer.exitcode is None, "a writer has failed"
                if len(lines(log)) >= enough:
                    writer.kill()
                    kills += 1
                    writer.join()
                    del writers[writer]
    finally:
        for writer in writers:
            writer.kill()
            writer.join()
    return Registry(folder), [json.loads(line) for log in logs for line in lines(log)], kills


def lines(log: Path) -> list[bytes]:
    return log.read_bytes().splitlines() if log.exists() else []


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
    registry, done, kills = torture(tmp_path, 300, 25)
    check(registry, done)
    assert kills >= 10


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_ten_thousand_operations_leave_it_whole(tmp_path: Path) -> None:
    registry, done, kills = torture(tmp_path, 10_000, 150)
    check(registry, done)
    assert kills >= 100
    print(f"{len(done)} operations, {kills} kills, {len(list(registry.events()))} lines")
