"""Limits: whatever is asked, no more is sent than the bucket and the money allow, by however many processes."""

import random
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from jimbo.llm.access import Access, Withheld
from jimbo.llm.protocol import ModelAnswer, ModelQuestion, NoAnswer, ToolCall, Usage, answering
from jimbo.llm.store import DAY, CallLimits, CallStore, RequestHeld, Slot, StoreFailed

QUESTION = ModelQuestion("s", "p" * 1000, [answering("choose", "", {"reason": {"type": "string"}})], 500)
PRICE = (1.0, 5.0)
MOST = Usage(QUESTION.most_input_tokens, 500).dollars(PRICE)


class Time:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Scripted:
    """A client that answers as it is told, and takes its time."""

    name = "scripted"

    def __init__(self, time: Time, results: Mapping[str, float] | None = None) -> None:
        self.time, self.results, self.chance, self.sent = time, results or {"ok": 1.0}, random.Random(7), []

    def ask(self, question: ModelQuestion, timeout: float) -> ModelAnswer:
        self.sent.append(self.time.now)
        kind = self.chance.choices([*self.results], [*self.results.values()])[0]
        self.time.now += self.chance.uniform(0.1, timeout)
        if kind != "ok":
            free = kind in ("rate_limited", "server_error", "refused")
            raise NoAnswer(kind, "No.", free=free, wait=2.0 if kind == "rate_limited" else None)  # type: ignore[arg-type]
        return ModelAnswer(
            ToolCall("choose", {"reason": ""}), Usage(self.chance.randint(300, 900), self.chance.randint(10, 500))
        )


def asked(access: Access, times: int, time: Time, pause: float) -> list[str]:
    """What became of so many questions."""
    found = []
    for _ in range(times):
        time.now += pause
        try:
            access.ask(QUESTION)
            found.append("ok")
        except (NoAnswer, Withheld) as error:
            found.append(error.kind)
    return found


@pytest.mark.parametrize(
    "results",
    [
        {"ok": 1.0},
        {"ok": 0.5, "timeout": 0.2, "rate_limited": 0.1, "server_error": 0.1, "nonsense": 0.1},
        {"timeout": 1.0},
    ],
)
def test_a_thousand_questions_send_no_more_than_the_bucket_allows(tmp_path: Path, results: dict[str, float]) -> None:
    time = Time()
    client = Scripted(time, results)
    limits = CallLimits(CallStore(tmp_path / "llm.sqlite", time), 100, 1e9)
    access = Access(client, limits, PRICE, 5.0, clock=time, sleep=time.sleep)
    asked(access, 1000, time, 5.0)
    assert len(client.sent) > 20
    assert access.account.asked == len(client.sent)
    for start in client.sent:
        within = sum(start <= at < start + 3600 for at in client.sent)
        assert within <= 100 + limits.capacity
    for start in client.sent:
        assert sum(start <= at < start + 1 for at in client.sent) <= limits.capacity


@pytest.mark.parametrize("results", [{"ok": 1.0}, {"ok": 0.5, "timeout": 0.5}, {"timeout": 1.0}])
def test_a_thousand_questions_cost_no_more_than_the_budget(tmp_path: Path, results: dict[str, float]) -> None:
    time = Time()
    client, store = Scripted(time, results), CallStore(tmp_path / "llm.sqlite", time)
    budget = 20.5 * MOST
    limits = CallLimits(store, 1_000_000, budget, None)
    access = Access(client, limits, PRICE, 5.0, clock=time, sleep=time.sleep)
    found = asked(access, 1000, time, 400.0)
    assert access.account.dollars <= budget
    assert limits.spent() == pytest.approx(access.account.dollars)
    assert limits.spent() > budget - MOST  # and all of it is used
    assert found[-1] == "budget"
    assert len(client.sent) >= 20


def test_a_day_later_there_is_money_again(tmp_path: Path) -> None:
    time = Time()
    limits = CallLimits(CallStore(tmp_path / "llm.sqlite", time), 100, 1.0, DAY)
    assert isinstance(limits.take(1.0), Slot)
    refused = limits.take(0.1)
    assert isinstance(refused, RequestHeld)
    assert "$1 in 24 hours" in refused.why
    assert refused.wait is None
    time.now += DAY + 1
    assert isinstance(limits.take(1.0), Slot)


def test_a_slot_is_taken_before_the_request_and_stays_taken(tmp_path: Path) -> None:
    time = Time()
    limits = CallLimits(CallStore(tmp_path / "llm.sqlite", time), 36, 1e9)
    assert limits.left() == 10
    for left in range(9, -1, -1):
        slot = limits.take(0.5)
        assert isinstance(slot, Slot)
        limits.settle(slot, 0.0)
        assert limits.left() == left
    refused = limits.take(0.5)
    assert isinstance(refused, RequestHeld)
    assert refused.wait == pytest.approx(100.0)
    time.now -= 1000  # a clock that is set back fills nothing
    assert isinstance(limits.take(0.5), RequestHeld)


def test_what_a_request_can_cost_at_most_stays_spent_where_nobody_says(tmp_path: Path) -> None:
    time = Time()
    limits = CallLimits(CallStore(tmp_path / "llm.sqlite", time), 100, 1e9)
    access = Access(Scripted(time, {"timeout": 1.0}), limits, PRICE, 5.0, clock=time)
    with pytest.raises(NoAnswer):
        access.ask(QUESTION)
    assert limits.spent() == pytest.approx(MOST)
    assert access.account.dollars == pytest.approx(MOST)
    free = Access(Scripted(time, {"refused": 1.0}), limits, PRICE, 5.0, clock=time)
    with pytest.raises(NoAnswer):
        free.ask(QUESTION)
    assert limits.spent() == pytest.approx(MOST)


_TAKE = """
import sys
from pathlib import Path
from jimbo.llm.store import CallLimits, CallStore, Slot
limits = CallLimits(CallStore(Path(sys.argv[1])), 36, 1.0, None)
print(sum(isinstance(limits.take(0.03), Slot) for _ in range(50)))
"""


def test_processes_share_the_limits(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _TAKE, str(tmp_path / "llm.sqlite")]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    taken = sum(int(worker.communicate(timeout=120)[0]) for worker in workers)
    assert 10 <= taken <= 11  # a hundredth of a slot comes back each second


# --- Pauses -----------------------------------------------------------------------------------------------------------


def test_a_service_is_left_alone_after_failures(tmp_path: Path) -> None:
    time = Time()
    client = Scripted(time, {"server_error": 1.0})
    access = Access(client, CallLimits(CallStore(tmp_path / "a", time), 10_000, 1e9), PRICE, 1.0, clock=time)
    found = asked(access, 200, time, 1.0)
    assert found.count("pause") > 150
    assert len(client.sent) < 20
    client.results = {"ok": 1.0}
    time.now += 400
    assert asked(access, 1, time, 0.0) == ["ok"]


def test_retry_after_is_kept_to(tmp_path: Path) -> None:
    time = Time()
    client = Scripted(time, {"rate_limited": 1.0})
    access = Access(client, CallLimits(CallStore(tmp_path / "a", time), 10_000, 1e9), PRICE, 0.2, clock=time)
    assert asked(access, 2, time, 0.0) == ["rate_limited", "pause"]
    time.now += 2.0
    assert asked(access, 1, time, 0.0) == ["rate_limited"]


def test_patience_waits_for_a_slot_and_for_the_service(tmp_path: Path) -> None:
    time = Time()
    client = Scripted(time)
    access = Access(
        client, CallLimits(CallStore(tmp_path / "a", time), 360, 1e9), PRICE, 0.2, clock=time, sleep=time.sleep
    )
    for _ in range(60):
        assert access.ask(QUESTION, patience=10.0)
    assert access.limits.left() < 1
    client.results = {"rate_limited": 0.4, "ok": 0.6}
    for _ in range(20):
        assert access.ask(QUESTION, patience=900.0)
    client.results, sent = {"nonsense": 1.0}, len(client.sent)
    with pytest.raises(NoAnswer):
        access.ask(QUESTION, patience=300.0)
    assert len(client.sent) == sent + 1  # which would only cost more


def test_what_people_should_mend_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    time = Time()
    client = Scripted(time, {"refused": 1.0})
    access = Access(client, CallLimits(CallStore(tmp_path / "a", time), 10_000, 1e9), PRICE, 0.2, clock=time)
    asked(access, 10, time, 100.0)
    assert capsys.readouterr().err == "jimbo: scripted is not asked: No.\n"


# --- The store --------------------------------------------------------------------------------------------------------


def test_without_a_store_nothing_is_asked(tmp_path: Path) -> None:
    other = tmp_path / "llm.sqlite"
    with sqlite3.connect(other) as made:
        made.execute("CREATE TABLE bookmarks (name)")
    made.close()
    before = other.read_bytes()
    time = Time()
    client = Scripted(time)
    access = Access(client, CallLimits(CallStore(other, time), 100, 1.0), PRICE, 1.0, clock=time)
    with pytest.raises(Withheld, match="Without it no limit can be kept") as found:
        access.ask(QUESTION)
    assert found.value.kind == "store"
    assert client.sent == []
    assert other.read_bytes() == before


@pytest.mark.parametrize("text", ["x", "a text of some length " * 500])
def test_a_file_of_others_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match="holds something else than limits and answers"):
        CallStore(path)
    assert path.read_text() == text


def test_a_place_where_no_file_can_be() -> None:
    with pytest.raises(ValueError, match="cannot be used"):
        CallStore(Path("/proc/nothing/llm.sqlite"))


def test_a_store_that_another_program_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jimbo.llm.store._PATIENCE", 0.1)
    path = tmp_path / "llm.sqlite"
    limits = CallLimits(CallStore(path), 100, 1.0)
    limits.take(0.1)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreFailed, match="locked"):
        CallLimits(CallStore(path), 100, 1.0).take(0.1)
    holder.execute("ROLLBACK")
    holder.close()
