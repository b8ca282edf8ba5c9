"""docs/events.md says what is there: its messages can be sent, its program prints what is shown."""

import contextlib
import io
import json
import re
import urllib.request
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from jimbo.serve.events import app, stream
from jimbo.serve.events.metrics import LIMITED
from jimbo.serve.events.server import VARIABLE, ServerSettings
from jimbo.telemetry import messages, sender, source
from jimbo.telemetry.events import EVENTS, TOPICS
from jimbo.telemetry.messages import REASONS, checked_message
from serve.events.running import Served

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "events.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())


def json_blocks() -> list[list[dict[str, Any]]]:
    return [
        [json.loads(line) for line in block.splitlines()] for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    ]


def test_every_type_is_shown_and_every_message_can_be_sent(standing: Served) -> None:
    needed, free, topics, *_ = json_blocks()
    assert sorted(one["type"] for one in (*needed, *free, *topics)) == sorted(EVENTS)
    for message in (*needed, *free, *topics):
        assert checked_message(message)["data"] == message["data"]
        known = {entry.name for entry in fields(EVENTS[message["type"]])}
        assert message["data"].keys() <= known
    for message in needed:
        required = {entry.name for entry in fields(EVENTS[message["type"]]) if entry.default is MISSING}
        assert message["data"].keys() == required
    assert not any(entry.default is MISSING for one in free for entry in fields(EVENTS[one["type"]]))
    batch = json.dumps([*needed, *free, *topics])
    assert standing.post("/api/v1/events/batch", batch)[1]["accepted"] == len(EVENTS)


def test_answers_are_those_that_are_shown(standing: Served) -> None:
    *_, answers, health = json_blocks()
    good = json.dumps({"type": "training.loss", "source": "lab", "payload": {"loss": 0.5}})
    assert good in PAGE
    assert standing.post("/api/v1/events", good)[1] == answers[0]
    assert standing.post("/api/v1/events", "{}")[1] == answers[1]
    assert standing.post("/api/v1/events/batch", f'[{good}, {{"type": 1}}, {good}]')[1] == answers[2]
    assert standing.health().keys() == health[0].keys()


def test_refusals_are_those_that_are_shown(standing: Served) -> None:
    refusals = json_blocks()[3]
    with standing.client() as client:
        client.send(json.dumps({"type": "hand_played", "data": {"hand_type": "Pair", "cards": []}}))
        assert json.loads(client.recv(timeout=10))["data"] == refusals[0]["data"]
    assert {f"`{reason}`" for reason in (*REASONS, LIMITED, "queue_full")} <= set(re.findall(r"`\w+`", PAGE))


def test_every_metric_is_named(standing: Served) -> None:
    with urllib.request.urlopen(f"{standing.http}/metrics", timeout=20) as answer:
        names = set(re.findall(r"^# TYPE (\w+)", answer.read().decode(), re.MULTILINE))
    assert {
        name for row in re.findall(r"^\| (`mcp.*?) \|", PAGE, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    } == names


def test_limits_and_settings_are_those_of_the_code() -> None:
    rows = dict(re.findall(r"^\| ([^|`]+) \| ([^|]+) \|$", PAGE, re.MULTILINE))
    assert rows["a message"] == f"{messages.MAX_EVENT:,} bytes"
    assert rows["a text"] == f"{messages.MAX_TEXT:,} characters"
    assert rows["a list"] == f"{messages.MAX_ITEMS} items"
    assert (
        rows["an object"]
        == f"{messages.MAX_PROPERTIES} properties, with names of at most {messages.MAX_KEY} characters"
    )
    assert rows["nesting"].startswith(f"{messages.MAX_DEPTH} levels")
    settings = ServerSettings()
    assert rows["a WebSocket client"].startswith(f"{settings.per_minute} events in a minute")
    for entry in fields(ServerSettings):
        assert f"`{VARIABLE}{entry.name.upper()}`" in PAGE
    assert f"At most {settings.max_queue_size:,} wait (`--max-queue-size`)" in TEXT
    assert f"for {settings.batch_window_ms:.0f} ms (`--batch-window-ms`)" in TEXT
    assert f"At most {sender.QUEUE:,} events wait in a process" in TEXT
    assert f"at most {100 * sender.SHARE:g} % of the processor time or {100 * sender.WAITING_SHARE:g} % of all" in TEXT
    assert f"serves {app.MOST_CLIENTS} clients at once" in TEXT
    assert f"{stream.MOST_WATCHERS} can watch at once" in TEXT
    assert f"{stream.KEPT:,} events that are kept" in TEXT
    assert all(f"`{topic}`" in PAGE for topic in TOPICS)
    assert source.DEFAULT_URL in PAGE


def test_the_program_prints_what_is_shown() -> None:
    (program,) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(program[0], {"__name__": "__main__"})
    assert shown.getvalue() == program[1]
