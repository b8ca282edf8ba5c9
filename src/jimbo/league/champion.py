"""Who plays, and who may take its place: the statuses of entries, and the decisions that move the champion.

An entry is a candidate until it is challenged. Then smoke (a few games), gated (a gate said promote), canary (it
shadows the champion), champion, retired; or rejected, or rolled back. Every change is a line of the registry's journal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from jimbo.eval.runner import Settings, evaluate
from jimbo.eval.store import write_json
from jimbo.files import write_text
from jimbo.league.decision import GateDecision
from jimbo.league.entry import SHOWN_ID, Entry
from jimbo.league.gate import Contestant, Progress, contestant_of, gates_of, run_gate
from jimbo.league.guards import SeedPair, determinism, legality
from jimbo.league.journal import Damaged
from jimbo.league.registry import CANARY, CHAMPION, PREVIOUS, Registry
from jimbo.league.spec import GateSpec
from jimbo.report import markdown
from jimbo.report.sections import Document, Section, TextTable
from jimbo.seeds.seed_sets import seed_set

Status = Literal["candidate", "smoke", "gated", "canary", "champion", "retired", "rejected", "rolled back"]
Final = Literal["promote", "hold_for_more_data", "reject", "rolled_back"]
STATUS, DECIDED = "status", "gate_decision"
"""Kinds of events in the journal."""
DECISION_SCHEMA = "champion_decision_v3"
DECISION_FILES = ("champion_decision.json", "champion_decision.md")
_SMOKE_GAMES = 2
_HOLDS: Mapping[str, Final] = {"inconclusive": "hold_for_more_data", "equivalent": "reject", "reject": "reject"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionDecision:
    """Whether an entry becomes the champion, or ceases to be it, and why."""

    final: Final
    reason: str
    candidate: Entry
    baseline: Entry | None
    """The champion before."""
    statuses: Mapping[str, Status]
    """After the decision, by name."""
    gate: Mapping[str, Any] | None
    """What the gate decided."""

    @property
    def data(self) -> dict[str, Any]:
        gate = self.gate or {}
        return {
            "schema": DECISION_SCHEMA,
            "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "final_decision": self.final,
            "reason": self.reason,
            "baseline": _named(self.baseline),
            "candidate": _named(self.candidate),
            "perf_gate_pass": gate.get("perf_gate_pass", False),
            "risk_guard_pass": gate.get("risk_guard_pass", False),
            "statuses": dict(self.statuses),
            "gate": self.gate,
        }

    def keep(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / DECISION_FILES[0], self.data)
        write_text(folder / DECISION_FILES[1], markdown(self.report()))

    def report(self) -> Document:
        rows = [[name, status] for name, status in self.statuses.items()]
        gate = self.gate or {}
        lines = [stage["line"] for stage in gate.get("stages", ())]
        return Document(
            f"{self.final}: {self.candidate.name}",
            sections=[
                Section("", parts=(f"Reason: {self.reason}.", TextTable(("entry", "status"), rows, left=True))),
                *([Section(f"Gate {gate['gate']}: {gate['verdict']}", parts=lines)] if lines else ()),
            ],
        )


def _named(entry: Entry | None) -> dict[str, str] | None:
    return {"name": entry.name, "entry": entry.id} if entry else None


# --- Statuses ---------------------------------------------------------------------------------------------------------


def statuses(registry: Registry) -> dict[str, Status]:
    """By the ids of entries that were ever challenged."""
    return {event["data"]["entry"]: event["data"]["status"] for event in registry.events(STATUS)}


def status_of(registry: Registry, entry: Entry) -> Status:
    return statuses(registry).get(entry.id, "candidate")


def note_status(registry: Registry, entry: Entry, status: Status, why: str) -> None:
    """Write a status into the journal, unless it stands there already."""
    if status_of(registry, entry) != status:
        registry.note(STATUS, {"entry": entry.id, "status": status, "why": why})


def aliased(registry: Registry, alias: str) -> Entry | None:
    """The entry that an alias means, if it means any."""
    meant = registry.aliases().get(alias)
    return registry.resolve(meant) if meant else None


def league_folder(registry: Registry, entry: Entry) -> Path:
    """Where the games and decisions about an entry are kept, if nobody says otherwise."""
    return registry.folder / "league" / f"{entry.name}-{entry.id[:SHOWN_ID]}"


def league_data(registry: Registry) -> dict[str, Any]:
    """How the league stands, for machines."""
    now = statuses(registry)
    champion = aliased(registry, CHAMPION)
    tests = gates_of(registry, champion.id) if champion else []
    whys = {event["data"]["entry"]: event for event in registry.events(STATUS)}
    return {
        "schema": "jimbo_league_v1",
        **{alias: _named(aliased(registry, alias)) for alias in (CHAMPION, PREVIOUS, CANARY)},
        "tests_of_champion": len(tests),
        "expected_false_promotions": round(sum(test["alpha"] for test in tests), 6),
        "entries": [
            {
                "name": registry.name_of(id),
                "entry": id,
                "status": status,
                "why": whys[id]["data"]["why"],
                "at": whys[id]["at"],
            }
            for id, status in now.items()
        ],
    }


# --- Challenge --------------------------------------------------------------------------------------------------------


def challenge(
    registry: Registry,
    entry: Entry,
    spec: GateSpec,
    *,
    folder: Path,
    workers: int | None = None,
    progress: Progress = lambda moment: None,
) -> GateDecision | str:
    """Smoke games, then the gate against the champion; the decision, or why the smoke games ended it."""
    if (champion := aliased(registry, CHAMPION)) is None:
        raise ValueError(f"There is no champion yet. jimbo league promote {entry.name} makes it the first one.")
    if champion.id == entry.id:
        raise ValueError(f"{entry.name} is the champion already.")
    theirs = contestant_of(registry, champion)
    try:
        ours = contestant_of(registry, entry)
        trouble = _smoke(registry, entry, ours, spec)
    except Damaged:
        raise
    except ValueError as error:
        trouble = str(error).rstrip(".")
    if trouble:
        note_status(registry, entry, "rejected", f"smoke games: {trouble}")
        return trouble
    place = folder / f"gate-{spec.name}-{spec.hash[:SHOWN_ID]}-{champion.id[:SHOWN_ID]}"
    decision = run_gate(spec, ours, theirs, registry=registry, folder=place, workers=workers, progress=progress)
    known = (event["data"]["panel"] for event in registry.events(DECIDED))
    if decision.about["panel"] not in known:
        registry.note(DECIDED, {name: value for name, value in decision.data.items() if name != "spec"})
        status: Status = {"promote": "gated", "reject": "rejected"}.get(decision.verdict, "candidate")  # type: ignore[assignment]
        note_status(registry, entry, status, f"gate {spec.name}: {decision.verdict}, {decision.reason}")
    return decision


def _smoke(registry: Registry, entry: Entry, player: Contestant, spec: GateSpec) -> str:
    """A few games, played twice; what is wrong with them, if anything is."""
    if status_of(registry, entry) == "candidate":
        note_status(registry, entry, "smoke", "a few games first")
    place = spec.games.places[0]
    settings = Settings(
        agent=player.agent,
        options=player.options,
        deck=place.deck,
        stake=place.stake,
        seeds=seed_set("dev-100", _SMOKE_GAMES),
    )
    first, again = (evaluate(settings, workers=1, timeout=spec.games.seconds) for _ in range(2))
    if first.stopped or again.stopped:
        raise KeyboardInterrupt
    if first.trouble or again.trouble:
        raise ValueError(first.trouble or again.trouble)
    guards = [legality(first.episodes), *determinism(list(map(SeedPair, first.episodes, again.episodes)))]
    return next((f"{guard.name}: {guard.text}" for guard in guards if not guard.passed), "")


# --- Promotion and rollback -------------------------------------------------------------------------------------------


def promote(registry: Registry, entry: Entry) -> ChampionDecision:
    """Put an entry in the champion's place, if the gate against this champion said so; otherwise the reason why not.

    The first champion needs no gate.
    """
    champion = aliased(registry, CHAMPION)
    if champion and champion.id == entry.id:
        raise ValueError(f"{entry.name} is the champion already.")
    gate = _last_gate(registry, entry, champion)
    final, reason = _judged(registry, entry, champion, gate)
    if final == "promote":
        canary = aliased(registry, CANARY)
        registry.move(CHAMPION, entry, reason, **({CANARY: None} if canary and canary.id == entry.id else {}))
        note_status(registry, entry, "champion", reason)
        if champion:
            note_status(registry, champion, "retired", f"{entry.name} took its place")
    return _decision(registry, final, reason, entry, champion, gate)


def _judged(
    registry: Registry, entry: Entry, champion: Entry | None, gate: Mapping[str, Any] | None
) -> tuple[Final, str]:
    try:
        contestant_of(registry, entry)
    except Damaged as error:
        return "reject", str(error).rstrip(".")
    if champion is None:
        return "promote", "it is the first champion"
    status = status_of(registry, entry)
    if status == "rolled back":
        return "rolled_back", _why(registry, entry)
    if gate is None:
        if status == "rejected":
            return "reject", _why(registry, entry)
        return "hold_for_more_data", f"no gate has compared it with {champion.name}"
    if gate["verdict"] != "promote":
        return _HOLDS[gate["verdict"]], f"gate {gate['gate']}: {gate['verdict']}, {gate['reason']}"
    return "promote", f"gate {gate['gate']}: {gate['reason']}"


def _last_gate(registry: Registry, entry: Entry, champion: Entry | None) -> Mapping[str, Any] | None:
    """The last decision about an entry against this champion."""
    found = [
        event["data"]
        for event in registry.events(DECIDED)
        if champion
        and event["data"]["challenger"]["entry"] == entry.id
        and event["data"]["champion"]["entry"] == champion.id
    ]
    return found[-1] if found else None


def _why(registry: Registry, entry: Entry) -> str:
    whys: list[str] = [event["data"]["why"] for event in registry.events(STATUS) if event["data"]["entry"] == entry.id]
    return whys[-1]


def rollback(registry: Registry, why: str) -> ChampionDecision:
    """Take the champion back: the one before it plays again. ValueError where there is none."""
    champion, before = aliased(registry, CHAMPION), aliased(registry, PREVIOUS)
    if champion is None or before is None:
        raise ValueError("There is no champion before this one to go back to.")
    earlier = [move["entry"] for move in registry.history(CHAMPION)]
    gone = {id for id, status in statuses(registry).items() if status == "rolled back"} | {champion.id, before.id}
    note_status(registry, champion, "rolled back", why)  # first: a kill here must not let it be promoted again
    earliest = next((id for id in reversed(earlier) if id and id not in gone), None)
    registry.move(CHAMPION, before, why, **{PREVIOUS: earliest})
    note_status(registry, before, "champion", f"{champion.name} was rolled back")
    return _decision(registry, "rolled_back", why, champion, champion, None)


def end_canary(registry: Registry, entry: Entry, why: str) -> ChampionDecision:
    """Roll back an entry that shadows the champion, or is it."""
    champion = aliased(registry, CHAMPION)
    if champion and champion.id == entry.id:
        return rollback(registry, why)
    note_status(registry, entry, "rolled back", why)
    if registry.aliases().get(CANARY) == entry.id:
        registry.move(CANARY, None, why)
    return _decision(registry, "rolled_back", why, entry, champion, _last_gate(registry, entry, champion))


def _decision(
    registry: Registry,
    final: Final,
    reason: str,
    entry: Entry,
    champion: Entry | None,
    gate: Mapping[str, Any] | None,
) -> ChampionDecision:
    told = {one.name: status_of(registry, one) for one in (champion, entry) if one}
    return ChampionDecision(final=final, reason=reason, candidate=entry, baseline=champion, statuses=told, gate=gate)
