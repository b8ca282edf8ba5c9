"""``rng/``: the hash, the streams and the generator, number by number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from conformance.corpus import CorpusFile
from conformance.names import deck_key, stake_key
from conformance.report import Case, each
from jimbo.engine import Run
from jimbo.engine.seed_tools import Streams, advance_state, has_stream, pseudohash, randint_from, random_from

# What TESTSEED's element draws choose from, and with which key.
ELEMENT_KEY = "element_test"
ELEMENTS = {"alpha": 1, "beta": 2, "gamma": 3, "delta": 4, "epsilon": 5}


class TextStream:
    """One stream built from its key text by the formulas alone, as a second way to what ``Streams`` does."""

    def __init__(self, seed: str, key: str) -> None:
        self.state = pseudohash(key + seed)
        self._hashed_seed = pseudohash(seed)

    def node(self) -> float:
        self.state = advance_state(self.state)
        return (self.state + self._hashed_seed) / 2


def check_vectors(file: CorpusFile) -> Iterator[Case]:
    """Hash, then four draws of [state, node, random(), random(1, m)], each from a freshly seeded generator."""
    for record in file.records():
        seed, key = record["seed"], record["key"]
        path = f"{seed}.{key}"
        yield Case(f"{path}.hashed_seed", record["hashed_seed"], pseudohash(seed))
        yield Case(f"{path}.hash", record["hash"], pseudohash(key + seed))
        yield from _by_text(path, record)
        if has_stream(key):
            yield from _by_key(path, record)


def _by_text(path: str, record: Any) -> Iterator[Case]:
    stream = TextStream(record["seed"], record["key"])
    for i, draw in enumerate(record["draws"]):
        node = stream.node()
        found = [stream.state, node, random_from(node), randint_from(node, 1, record["m"])]
        yield from each(f"{path}.draws[{i}]", draw, found)


def _by_key(path: str, record: Any) -> Iterator[Case]:
    """The same through the integer keys that the engine itself uses. Every draw advances: one set for each kind."""
    key = record["key"]
    nodes, floats, ints = (Streams(record["seed"]) for _ in range(3))
    yield Case(f"{path}.streams.hashed_seed", record["hashed_seed"], nodes.hashed_seed)
    for i, draw in enumerate(record["draws"]):
        node = nodes.node(key)
        found = [nodes.state(key), node, floats.random(key), ints.randint(key, 1, record["m"])]
        yield from each(f"{path}.streams.draws[{i}]", draw, found)


def check_testseed(file: CorpusFile) -> Iterator[Case]:
    for document in file.records():
        yield from _oracle(document["rng_oracle"])
        yield from _pipeline(document["pipeline"])
        for i, case in enumerate(document["run_init"]["cases"]):
            yield from _run_init(f"run_init.cases[{i}]", case)


def _oracle(oracle: Any) -> Iterator[Case]:
    seed = oracle["seed"]
    yield Case("rng_oracle.hashed_seed", oracle["hashed_seed"], pseudohash(seed))
    for key, value in oracle["pseudohash"].items():
        yield Case(f"rng_oracle.pseudohash.{key}", value, pseudohash(key + seed))
    for key, calls in oracle["pseudoseed"].items():
        stream = TextStream(seed, key)
        for i, call in enumerate(calls):
            yield Case(f"rng_oracle.pseudoseed.{key}[{i}].result", call["result"], stream.node())
            yield Case(f"rng_oracle.pseudoseed.{key}[{i}].stored", call["stored"], stream.state)
    for i, call in enumerate(oracle["predict_seed"]):
        node = TextStream(call["predict_with"], call["key"]).node()
        yield Case(f"rng_oracle.predict_seed[{i}].result", call["result"], node)


def _pipeline(pipeline: Any) -> Iterator[Case]:
    seed = pipeline["seed"]
    yield Case("pipeline.hashed_seed", pipeline["hashed_seed"], pseudohash(seed))
    for key, calls in pipeline["pseudorandom_pipeline"].items():
        stream = TextStream(seed, key)
        for i, call in enumerate(calls):
            node = stream.node()
            yield Case(f"pipeline.pseudorandom_pipeline.{key}[{i}].float", call["float"], random_from(node))
            yield Case(f"pipeline.pseudorandom_pipeline.{key}[{i}].int", call["int"], randint_from(node, 1, 10))
    streams = Streams(seed)
    for i, trial in enumerate(pipeline["shuffle_pipeline"]):
        order = streams.shuffle("shuffle", len(trial["result"]))
        yield from each(f"pipeline.shuffle_pipeline[{i}].result", trial["result"], [place + 1 for place in order])
    elements = TextStream(seed, ELEMENT_KEY)
    for i, trial in enumerate(pipeline["element_pipeline"]):
        key = sorted(ELEMENTS)[randint_from(elements.node(), 1, len(ELEMENTS)) - 1]
        yield Case(f"pipeline.element_pipeline[{i}].key", trial["key"], key)
        yield Case(f"pipeline.element_pipeline[{i}].value", trial["value"], ELEMENTS[key])


def _run_init(path: str, case: Any) -> Iterator[Case]:
    state = json.loads(Run(deck_key(case["back"]), stake_key(case["stake"]), case["seed"]).to_json())
    numbers, draw_pile = state["round"], [card["key"] for card in state["zones"]["deck"]]
    found = {
        "dollars": state["economy"]["money"],
        "hands": numbers["hands_per_round"],
        "discards": numbers["discards_per_round"],
        "hand_size": numbers["hand_size"],
        "joker_slots": numbers["joker_slots"],
        "consumable_slots": numbers["consumable_slots"],
        "ante": numbers["ante"],
        "boss": numbers["boss"],
        "small_tag": numbers["skip_tags"]["small"]["key"],
        "big_tag": numbers["skip_tags"]["big"]["key"],
        "voucher": numbers["voucher"],
        "deck_size": len(draw_pile),
    }
    for name, value in found.items():
        yield Case(f"{path}.{name}", case[name], value)
    yield from each(f"{path}.deck_first5", case["deck_first5"], draw_pile[:5])
    yield from each(f"{path}.deck_last5", case["deck_last5"], draw_pile[-5:])
