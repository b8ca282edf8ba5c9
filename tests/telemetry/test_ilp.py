"""Lines for databases: any text arrives as it is, an answer is understood, a break loses nothing."""

from __future__ import annotations

import re
import socket
import threading
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jimbo.telemetry.events import MetricSample
from jimbo.telemetry.ilp import IlpHttpSink, ilp_line
from jimbo.telemetry.sender import Packed
from jimbo.telemetry.tables import DecisionPoints, NamedMetrics, TableRow
from jimbo.telemetry.targets import sender_to
from telemetry.answering import Answers, answering


def metric(**more: object) -> NamedMetrics:
    return NamedMetrics(**({"timestamp": 5, "session_id": "s", "program": "p", "name": "n", "value": 1.0} | more))  # type: ignore[arg-type]


def test_a_row_is_a_line() -> None:
    row = DecisionPoints(
        timestamp=12,
        session_id="s",
        program="jimbo rollout",
        agent="a,b=c",
        phase="shop",
        action_taken='say "hi" \\ \nthere',
        confidence=1,  # a number all the same, or a database would give the column another kind
        used_llm=True,
    )
    assert ilp_line(row) == (
        "decision_points,session_id=s,program=jimbo\\ rollout,agent=a\\,b\\=c,phase=shop "
        'action_taken="say \\"hi\\" \\\\ \nthere",confidence=1.0,used_llm=t 12\n'
    )


@pytest.mark.parametrize("text", ["a\nb", "a\\", "\\,", "a\rb", "\x00"])
def test_what_no_tag_can_hold_is_a_field(text: str) -> None:
    line = ilp_line(metric(name=text))
    assert line.startswith("metrics,session_id=s,program=p ")
    assert read(line)["name"] == text


def test_a_row_without_values_is_a_line_all_the_same() -> None:
    assert ilp_line(metric(value=None)) == "metrics,session_id=s,program=p,name=n rows=1i 5\n"


def read(line: str) -> dict[str, str]:
    """The texts of a line, by a reader of its own: what stands before a blank that nothing escapes are tags."""
    tags, fields = re.fullmatch(r"\w+((?:\\.|[^\\ ])*) (.*) -?\d+\n", line, re.DOTALL).groups()  # type: ignore[union-attr]
    found = {
        name: re.sub(r"\\(.)", r"\1", value) for name, value in re.findall(r",(\w+)=((?:\\[,= ]|[^\\,= ])*)", tags)
    }
    return found | {
        name: re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)
        for name, value in re.findall(r'(\w+)="((?:\\.|[^\\"])*)"', fields, re.DOTALL)
    }


@given(st.text(min_size=1), st.text(min_size=1), st.text(min_size=1))
def test_texts_can_be_read_back(name: str, program: str, note: str) -> None:
    found = read(ilp_line(metric(name=name, program=program, note=note)))
    assert (found["name"], found["program"], found["note"]) == (name, program, note)


def sink(url: str, token: str = "") -> IlpHttpSink:
    return IlpHttpSink(urlsplit(url), "s", "p", token)


def sent(answer: tuple[int, bytes], token: str = "", path: str = "/write?db=a%20b") -> tuple[tuple[int, str], Answers]:
    rows: list[TableRow] = [metric()]
    with answering(answer) as (url, heard):
        made = sink(f"ilp+{url}{path}", token)
        try:
            return made.send(Packed(made.encoded(rows), 10)), heard
        finally:
            made.hang_up()


def test_an_answer_says_what_became_of_rows() -> None:
    taken, heard = sent((204, b""))
    assert taken == (10, "")
    assert heard.paths == ["/write?db=a+b"]
    assert heard.bodies == [b"metrics,session_id=s,program=p,name=n value=1.0 5\n"]
    partial = b'{"error":"partial write: points beyond retention policy dropped=3"}'
    count, message = sent((400, partial))[0]
    assert (count, message.startswith("The database answered with status 400: ")) == (7, True)
    assert sent((400, b"unable to parse"))[0][0] == 0


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
def test_what_may_be_taken_later_is_sent_again(status: int) -> None:
    with pytest.raises(ValueError, match=f"status {status}: database not found"):
        sent((status, b'{"error":"x"} database not found'[14:]))


@pytest.mark.parametrize(
    ("token", "path", "header"),
    [
        ("secret", "/write", "Bearer secret"),
        ("me:secret", "/write", "Basic bWU6c2VjcmV0"),
        ("secret", "/api/v2/write?bucket=b&org=o", "Token secret"),
        ("", "/write", None),
    ],
)
def test_databases_are_shown_the_token(token: str, path: str, header: str | None) -> None:
    assert sent((204, b""), token, path)[1].authorizations == [header]


def test_lines_over_tcp_come_whole_and_a_new_connection_is_made() -> None:
    lines: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def take(times: int) -> None:
            for _ in range(times):
                link, _ = server.accept()
                with link, link.makefile("rb") as file:
                    lines.append(file.readline())  # and hang up

        thread = threading.Thread(target=take, args=(2,), daemon=True)
        thread.start()
        sender = sender_to(f"ilp+tcp://127.0.0.1:{port}", name="p")
        sender.tell(MetricSample(name="a", value=1))
        while not lines:
            threading.Event().wait(0.01)
        sender.tell(MetricSample(name="b", value=2))
        sender.close(5)
        thread.join(5)
    assert [line.split(b",name=")[1][:1] for line in lines] == [b"a", b"b"]
    assert (sender.told, sender.arrived, sender.dropped) == (2, 2, 0)
