"""Rows in a real InfluxDB: fast, all of them, with any text, and through a crash of the server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jimbo.telemetry.events import CardPurchased, DecisionMade, EventData, GameStart, MetricSample
from jimbo.telemetry.targets import sender_to
from telemetry.servers import Influx, influx

pytestmark = pytest.mark.servers
ROWS = 100_000
FASTEST = 50_000
"""Rows in a second of processor time, at least."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Influx]:
    with influx(tmp_path) as made:
        yield made


def test_a_hundred_thousand_rows_arrive_and_cost_little(database: Influx) -> None:
    """The processor time of everything: making events and rows of them, lines, and sending these."""
    events: list[tuple[EventData, str]] = []
    for number in range(ROWS // 2):
        bought = CardPurchased(card_type="joker", card_id="j_joker", cost=5, money=5)
        decided = DecisionMade(step=number, phase="shop", action="buy", words='buy "it", now', win=0.5, milliseconds=2)
        events += [(decided, f"g{number // 100}"), (bought, f"g{number}")]
    sender = sender_to(database.url, size=ROWS)
    began = time.process_time()
    for event, game in events:
        sender.tell(event, game)
    sender.close(120)
    took = time.process_time() - began
    rate = ROWS / took
    print(f"{rate:,.0f} rows a second of processor time")
    assert (sender.arrived, sender.dropped, sender.trouble) == (sender.told, 0, "")
    assert sender.told >= ROWS  # and perhaps a sign of life
    assert database.count("decision_points", "confidence") == ROWS // 2
    assert database.count("economic_flow", "amount") == ROWS // 2
    assert rate > FASTEST


NASTY = [
    "quotes \" and '",
    "lines\nand\r\nlines",
    "commas, and = signs",
    "back\\slash, \\",
    "blank at the end ",
    "Jöker ☃ 🃏 \u2028 \u202e",
    "a,b=c d=1i 5\nmetrics value=666 7",
    '",value=666 7\n',
    "tab\tand\x00zero",
    "#comment",
]


@pytest.mark.parametrize("text", NASTY)
def test_texts_arrive_as_they_are(database: Influx, text: str) -> None:
    sender = sender_to(database.url, name=text)
    sender.tell(GameStart(seed="A", stake=text, deck=text, agent=text), text)
    sender.tell(DecisionMade(step=1, phase=text, action=text, words=text, win=0.5), text)
    sender.tell(CardPurchased(card_type="joker", card_id=text, cost=5, money=5), text)
    sender.tell(MetricSample(name=text, value=1, unit=text))
    sender.close(20)
    assert (sender.arrived, sender.dropped, sender.trouble) == (4, 0, "")
    (decision,) = database.ask("SELECT * FROM decision_points")
    assert {decision[name] for name in ("program", "agent", "phase", "decision_type", "action_taken", "game_id")} == {
        text
    }
    (bought,) = database.ask("SELECT * FROM economic_flow")
    assert bought["item_purchased"] == bought["agent"] == text
    (measured,) = database.ask("SELECT * FROM metrics")
    assert (measured["name"], measured["note"], measured["value"]) == (text, text, 1)


def test_a_server_that_is_killed_for_ten_seconds_stops_nothing(database: Influx) -> None:
    """A third of the rows are told before it is killed, a third while it is away, a third after it is back."""
    sender = sender_to(database.url, size=2000)

    def work(rows: int, seconds: float) -> float:
        """The longest that the program was held up."""
        longest = 0.0
        for number in range(rows):
            before = time.thread_time()
            sender.tell(MetricSample(name="x", value=number))
            longest = max(longest, time.thread_time() - before)
            time.sleep(seconds / rows)
        return longest

    held = [work(1000, 1.0)]
    database.kill()
    held.append(work(4000, 10.0))
    assert sender.trouble
    assert sender.dropped > 0  # 2,000 wait at most
    database.start()
    held.append(work(1000, 5.0))
    sender.close(30)
    assert max(held) < 0.05
    assert sender.told == sender.arrived + sender.dropped
    assert sender.left == 0
    assert sender.arrived >= 3500
    # A batch that was written and not answered is sent again: the same times, so that nothing is there twice.
    assert database.count("metrics", "value") == sender.arrived
