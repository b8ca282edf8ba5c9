"""What a gate decided, with everything that it rests on: for machines, for people, and as one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from jimbo.eval.statistics import tango_interval
from jimbo.eval.store import REPORT, write_json
from jimbo.files import write_text
from jimbo.league.guards import GuardResult
from jimbo.league.sequential import Outcome, SequentialTest, Tally
from jimbo.league.spec import GateSpec, GateStage
from jimbo.report import html, markdown
from jimbo.report.sections import Document, Headline, Section, TextTable
from jimbo.text import counted

Verdict = Literal["promote", "reject", "equivalent", "inconclusive"]
SCHEMA = "jimbo_gate_decision_v1"
DECISION = "gate_decision.json"
_MARKDOWN = "gate_decision.md"
_ABOUT_GAMES = (
    "Pairs of games on the same seeds: won by both, by the challenger alone (gained), by the champion alone (lost), by "
    "neither. The intervals are those of a fixed number of pairs; a test that stops early finds larger differences."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageResult:
    """How a stage of a gate ended."""

    name: str
    effort: float
    test: SequentialTest
    tally: Tally
    outcome: Outcome
    fault: str
    """Why the challenger cannot be used, where the stage ended for that."""

    @staticmethod
    def of(stage: GateStage, tally: Tally, outcome: Outcome, fault: str) -> StageResult:
        return StageResult(
            name=stage.name, effort=stage.effort, test=stage.test, tally=tally, outcome=outcome, fault=fault
        )

    @property
    def line(self) -> str:
        return self.test.line(self.tally)

    @property
    def data(self) -> dict[str, Any]:
        tally, pairs = self.tally, self.tally.pairs
        ci95 = [100 * end for end in tango_interval(tally.better, tally.worse, pairs)] if pairs else None
        return {
            **asdict(self),
            "pairs": pairs,
            "points": tally.points,
            "ci95": ci95,
            "llr": self.test.ratio(tally) if pairs else 0.0,
            "bounds": list(self.test.bounds),
            "line": self.line,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecision:
    """The end of a gate."""

    spec: GateSpec
    verdict: Verdict
    reason: str
    stages: Sequence[StageResult]
    guards: Sequence[GuardResult]
    about: Mapping[str, Any] = field(default_factory=dict)
    """Who played whom, on which panel, and after how many tests of the champion."""

    @property
    def gains(self) -> bool:
        """Whether the games answered the question with yes."""
        return self.stages[-1].name == "full" and self.stages[-1].outcome == "h1" and not self.stages[-1].fault

    @property
    def guarded(self) -> bool:
        """Whether every guard passed."""
        return all(guard.passed for guard in self.guards)

    @property
    def data(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "gate": self.spec.name,
            "spec_hash": self.spec.hash,
            "verdict": self.verdict,
            "reason": self.reason,
            "perf_gate_pass": self.gains,
            "risk_guard_pass": self.guarded,
            **self.about,
            "stages": [stage.data for stage in self.stages],
            "guards": [guard.data for guard in self.guards],
            "spec": self.spec.data,
        }

    def keep(self, folder: Path) -> None:
        write_json(folder / DECISION, self.data)
        write_text(folder / _MARKDOWN, markdown(self.report()))
        write_text(folder / REPORT, html(self.report()))

    def report(self) -> Document:
        names = [self.about[side]["name"] for side in ("challenger", "champion")]
        tests, wrong = self.about["tests_of_champion"], self.about["expected_false_promotions"]
        return Document(
            f"{self.verdict}: {names[0]} against {names[1]}, gate {self.spec.name}",
            headlines=(Headline("verdict", self.verdict, (self.reason,)),),
            sections=[
                Section("", parts=(f"Reason: {self.reason}.",), where="terminal"),
                Section("Games", _ABOUT_GAMES, (_stage_table(self.stages), *(stage.line for stage in self.stages))),
                Section("Guards", parts=(_guard_table(self.guards),)),
                Section(
                    "Tests of this champion",
                    parts=(f"Begun so far: {tests}. False promotions to expect of them: {wrong:g}.",),
                ),
            ],
        )


def _stage_table(stages: Sequence[StageResult]) -> TextTable:
    heads = ("stage", "pairs", "both", "gained", "lost", "neither", "points (95 %)", "answer")
    lines = []
    for stage in stages:
        tally, data = stage.tally, stage.data
        low, high = data["ci95"] or (-100.0, 100.0)
        counts = (tally.pairs, tally.both, tally.better, tally.worse, tally.neither)
        points = f"{tally.points:+.2f} ({low:+.2f} to {high:+.2f})"
        answer = "stopped" if stage.fault else {"h0": "no", "h1": "yes", "open": "open"}[stage.outcome]
        lines.append([stage.name, *(f"{count:,}" for count in counts), points, answer])
    return TextTable(heads, lines)


def _guard_table(guards: Sequence[GuardResult]) -> TextTable:
    lines = [
        [guard.name, "passed" if guard.passed else "failed", "" if guard.p is None else f"{guard.p:.3g}", guard.text]
        for guard in guards
    ]
    failed = [place for place, guard in enumerate(guards) if not guard.passed]
    return TextTable(("guard", "result", "p", "what was seen"), lines, left=True, strong=failed)


def decided(
    spec: GateSpec, *, stages: Sequence[StageResult], guards: Sequence[GuardResult], about: Mapping[str, Any]
) -> GateDecision:
    """The verdict on what was played."""
    verdict, reason = _verdict(spec, stages[-1], guards)
    return GateDecision(spec=spec, verdict=verdict, reason=reason, stages=stages, guards=guards, about=about)


def _verdict(spec: GateSpec, last: StageResult, guards: Sequence[GuardResult]) -> tuple[Verdict, str]:
    games, test, tally = spec.games, last.test, last.tally
    seen = f"{tally.points:+.2f} points in {counted(tally.pairs, 'pair')}"
    if last.fault:
        return "reject", next(f"legality: {guard.text}" for guard in guards if guard.name == "legality")
    if last.outcome == "open":
        return "inconclusive", f"no answer yet: {seen}"
    if last.outcome == "h0":
        mirrored = SequentialTest(2 * test.h0 - test.h1, test.h0, test.alpha, test.beta)
        if games.kind == "gain" and mirrored.ratio(tally) >= mirrored.bounds[1]:
            return "equivalent", f"it is neither better by {test.h1:g} nor worse by as much: {seen}"
        wanted = f"not better by {test.h1:g}" if games.kind == "gain" else f"worse by {-test.h0:g} or more"
        return "reject", f"it is {wanted}: {seen}"
    if failed := [f"{guard.name}: {guard.text}" for guard in guards if not guard.passed]:
        return "reject", "; ".join(failed)
    wanted = f"better by more than {test.h0:g}" if games.kind == "gain" else f"not worse by {-test.h0:g}"
    return "promote", f"it is {wanted}: {seen}"
