"""Which checker serves which file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from conformance import blueprint, facts, rng, runs, scoring, seeds, traces
from conformance.corpus import CorpusFile
from conformance.report import Apart, Case, Group

Checker = Callable[[CorpusFile], Iterator[Case | Group | Apart]]


@dataclass(frozen=True, slots=True)
class Corpus:
    files: re.Pattern[str]
    """Of the path relative to the folder; named groups are handed to the checker."""
    check: Checker
    bar: float = 1.0
    """The share of cases that must pass; 0 for a corpus that is only reported."""


def _corpus(files: str, check: Checker, bar: float = 1.0) -> Corpus:
    return Corpus(re.compile(files + r"(\.gz)?"), check, bar)


CORPORA = (
    _corpus(r"rng/luajit_vectors\.jsonl", rng.check_vectors),
    _corpus(r"rng/testseed_vectors\.json", rng.check_testseed),
    _corpus(r"seeds/analyzer_(?P<deck>[a-z]+)_(?P<stake>[a-z]+)\.jsonl", seeds.check_analyzer),
    _corpus(r"seeds/motely_[0-9A-Z]+\.json", seeds.check_motely),
    _corpus(r"seeds/erratic_bugged\w*\.json", seeds.check_erratic),
    _corpus(r"seeds/blueprint_\w+\.jsonl", blueprint.check),
    _corpus(r"seeds/balatro4j_facts\.json", facts.check_balatro4j),
    _corpus(r"seeds/live_game_reports\.json", facts.check_live_reports),
    _corpus(r"scoring/balatrolator_cases\.json", scoring.check_balatrolator),
    _corpus(r"scoring/balatrolator_hand_detection\.json", scoring.check_hand_detection),
    _corpus(r"scoring/jackdaw_scoring_tests\.json", scoring.check_jackdaw),
    _corpus(r"scoring/balatro_rs_joker_tests\.json", scoring.check_balatro_rs),
    _corpus(r"scoring/worked_by_hand\.jsonl", scoring.check_worked_by_hand),
    _corpus(r"scoring/consensus\w+\.jsonl", scoring.check_generated),
    _corpus(r"scoring/majority\w+\.jsonl", scoring.check_generated, bar=0.97),
    _corpus(r"scoring/disputed\.jsonl", scoring.check_disputed, bar=0.0),
    _corpus(r"real_runs/(initial|run)_\w+\.json", runs.check),
    _corpus(r"own_runs/run_\w+\.json", runs.check),
    _corpus(r"traces/[\w-]+\.jsonl", traces.check),
)

FOLDERS = ("rng", "seeds", "scoring", "real_runs", "own_runs", "traces")


def corpus_of(file: str) -> tuple[Corpus, dict[str, str]] | None:
    """The corpus that a file belongs to, and what its name says; None for an unknown file."""
    for corpus in CORPORA:
        if match := corpus.files.fullmatch(file):
            return corpus, match.groupdict()
    return None
