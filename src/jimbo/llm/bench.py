"""The benchmark of language models: games that a model plays, what became of them, and what they took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.agents.protocol import Seat
from jimbo.data.record import Decision, Header, Record, ending_of
from jimbo.data.record_files import record_text
from jimbo.engine import PublicState
from jimbo.eval.episodes import EpisodeBuffer
from jimbo.eval.rows import Episode, ModelUse
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.summary import summary_data
from jimbo.files import write_text
from jimbo.llm.access import OutOfBudget
from jimbo.llm.account import AskingAgent
from jimbo.report.evaluation import RESULTS, evaluation_report
from jimbo.report.sections import Document, Section, TextTable
from jimbo.rollout.games import EndedGame, GameBuffer, GivenUp
from jimbo.rollout.loop import Moment
from jimbo.text import counted, money_text, percent_text

STORE, RECORDS = "llm.sqlite", "records"
PLAYERS = ("llm", "claude")
"""The agents that ask a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSettings(Settings):
    """Games of an agent that asks a model."""

    folder: Path
    """Where the store of limits and answers is kept, and the records of the games."""
    access: Mapping[str, Any] = field(default_factory=dict)
    """Options of the agent that do not decide how games go."""

    def record_of(self, row: Episode) -> Path:
        return self.folder / RECORDS / record_name(row.episode_id, row.seed)

    def make_player(self) -> Agent:
        return make_agent(self.agent, **{**self.options, **self.access, "store": str(self.folder / STORE)})

    def make_buffer(self, player: Agent, url: str | None) -> GameBuffer:
        seated: Any = player.seated if isinstance(player, Seat) else None
        assert isinstance(seated, AskingAgent)
        return _BenchBuffer(seated, self)


class _BenchBuffer(EpisodeBuffer):
    """Keeps what the model was asked with each row, and a record of each game."""

    def __init__(self, player: AskingAgent, settings: BenchSettings) -> None:
        super().__init__()
        self._player, self._settings = player, settings

    def started(self, state: PublicState) -> None:
        EpisodeBuffer.started(self, state)
        self._decisions: list[Decision] = []

    def happened(self, moment: Moment) -> None:
        EpisodeBuffer.happened(self, moment)
        self._decisions.append(moment.decision)
        if tell := getattr(self._player, "happened", None):
            tell(moment)

    def ended(self, ended: EndedGame) -> Any:
        """A game that the money did not last for has no row: it goes on when there is more."""
        if ended.failure and isinstance(ended.failure.__cause__, OutOfBudget):
            return GivenUp(ended.id[1], ended.seed, str(ended.failure.__cause__).rstrip("."))
        self._record(ended)
        return EpisodeBuffer.ended(self, ended)

    def _row(self, ended: EndedGame, reason: str) -> Episode:
        return replace(super()._row(ended, reason), model_use=self._player.use)

    def _record(self, ended: EndedGame) -> None:
        spec, state = self._settings, ended.state
        header = Header(
            seed=ended.seed,
            deck=state.deck,
            stake=state.stake,
            challenge=state.challenge,
            agent=spec.agent,
            options=spec.options,
            nonce=ended.nonce,
        )
        record = Record(header, tuple(self._decisions), end=ending_of(state, ended.steps, None))
        folder = spec.folder / RECORDS
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / record_name(ended.id[1], ended.seed), record_text(record))


def record_name(number: int, seed: str) -> str:
    return f"{number + 1:04}-{seed}.jsonl"


# --- Numbers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSummary:
    """What games took, in all and on average."""

    games: int
    mean_final_round: float
    wins: int
    decisions: int
    calls: int
    failed_calls: int
    illegal_calls: int
    illegal_share: float
    """Of the calls that were answered."""
    fallbacks: int
    consultation_rate: float
    """Calls for each decision."""
    input_tokens: int
    output_tokens: int
    dollars: float
    dollars_per_game: float
    seconds_per_call: float
    """Of those that were sent."""


def bench_summary(rows: Sequence[Episode]) -> BenchSummary:
    """ValueError without a game of a model."""
    uses = [row.model_use for row in rows if row.model_use is not None]
    if not uses:
        raise ValueError("No game of a model has been finished.")

    def total(name: str) -> Any:
        return sum(getattr(use, name) for use in uses)

    calls, failed, illegal = total("calls"), total("failed"), total("illegal")
    return BenchSummary(
        games=len(rows),
        mean_final_round=fmean(row.round for row in rows),
        wins=sum(row.won for row in rows),
        decisions=total("decisions"),
        calls=calls,
        failed_calls=failed,
        illegal_calls=illegal,
        illegal_share=illegal / max(1, calls - failed),
        fallbacks=total("fallbacks"),
        consultation_rate=calls / max(1, total("decisions")),
        input_tokens=total("input_tokens"),
        output_tokens=total("output_tokens"),
        dollars=total("dollars"),
        dollars_per_game=total("dollars") / len(rows),
        seconds_per_call=total("seconds") / max(1, calls - total("repeated")),
    )


def bench_data(evaluation: Evaluation) -> dict[str, Any]:
    """The benchmark for machines: an evaluation, with what the model was asked."""
    data = summary_data(evaluation)
    runs = [
        run | {"model_use": asdict(row.model_use) if row.model_use else None}
        for run, row in zip(data["runs"], evaluation.episodes, strict=True)
    ]
    return {**data, "llm": asdict(bench_summary(evaluation.episodes)), "runs": runs}


# --- The report -------------------------------------------------------------------------------------------------------


def bench_report(evaluation: Evaluation) -> Document:
    """The report of an evaluation, with what the model was asked and what that took."""
    report = evaluation_report(evaluation)
    own = [_numbers(bench_summary(evaluation.episodes)), _games(evaluation.episodes)]
    return replace(report, sections=[*own, *report.sections])


def _numbers(found: BenchSummary) -> Section:
    lines = [
        ("mean final round", f"{found.mean_final_round:.2f}"),
        ("won", f"{found.wins} of {found.games}"),
        ("decisions", f"{found.decisions:,}"),
        ("calls", f"{found.calls:,} ({percent_text(found.consultation_rate)} of the decisions)"),
        ("  failed", f"{found.failed_calls:,}"),
        ("  illegal", f"{found.illegal_calls:,} ({percent_text(found.illegal_share)} of the answers)"),
        ("decisions by another agent", f"{found.fallbacks:,}"),
        ("tokens in", f"{found.input_tokens:,}"),
        ("tokens out", f"{found.output_tokens:,}"),
        ("cost", f"{_cost(found.dollars)} ({_cost(found.dollars_per_game)} for each game)"),
        ("seconds for each call", f"{found.seconds_per_call:.2f}"),
    ]
    return Section("The model", parts=[TextTable(("", "in all"), lines, left=True)], half=True)


def _games(rows: Sequence[Episode]) -> Section:
    heads = ("record", "result", "round", "calls", "failed", "illegal", "tokens in", "tokens out", "cost")
    lines = [_game(row, row.model_use) for row in rows if row.model_use]
    text = (
        f"{counted(len(lines), 'record')} in the folder {RECORDS}: jimbo replay FILE shows one, decision by decision."
    )
    return Section("Games", text, [TextTable(heads, lines)], where="page")


def _game(row: Episode, use: ModelUse) -> list[str]:
    return [
        record_name(row.episode_id, row.seed),
        f"{RESULTS[row.result]} in ante {row.ante_reached}",
        f"{row.round}",
        *(f"{number:,}" for number in (use.calls, use.failed, use.illegal, use.input_tokens, use.output_tokens)),
        _cost(use.dollars),
    ]


def _cost(dollars: float) -> str:
    return money_text(dollars) if dollars == 0 else f"${dollars:.4f}"
