"""A real HTTP server in the place of a model's service: it speaks both APIs, and fails in every way one can fail."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Asked = dict[str, Any]
Choose = Callable[[Asked, dict[str, Any]], dict[str, Any]]
"""From the body of a request and the schema of its tool to the arguments that are answered."""


def first_option(_: Asked, schema: dict[str, Any]) -> dict[str, Any]:
    """What fits the schema: the first of some words, half for a number."""
    made: dict[str, Any] = {}
    for name, wanted in schema["properties"].items():
        kind = wanted["type"]
        made[name] = {"string": wanted.get("enum", ["n"])[0], "number": 0.5, "array": ["a"]}[kind]
    return made


def last_option(body: Asked, schema: dict[str, Any]) -> dict[str, Any]:
    return first_option(body, schema) | {"option": schema["properties"]["option"]["enum"][-1]}


def told(body: Asked) -> list[str]:
    """What tools answered, the last at the end, after the prompt."""
    found = []
    for message in body["messages"]:
        content = message["content"]
        if message["role"] != "assistant":
            found.append(content if isinstance(content, str) else content[0]["content"])
    return found


def plays(body: Asked, schema: dict[str, Any]) -> dict[str, Any]:
    """A plain player: five cards of the hand, and on. An adviser takes the first option."""
    takes = schema["properties"].keys()
    if "action" not in takes:
        known = {"run": "r1", "item": "Blueprint", "cards": [1, 2]}
        plain = {name: known[name] for name in takes & known.keys()}
        return plain or first_option(body, schema)
    line = next(text for text in reversed(told(body)) if "\nactions: " in text)
    token = re.findall(r"token ([^\s,]+)", line)[-1]
    can = re.findall(r"^actions: (.*)", line, re.MULTILINE)[-1]
    action = next((action for word, action in _PLAIN.items() if re.search(rf"(^|\| ){word}\b", can)), "sell j1")
    return {"run": "r1", "token": token, "action": action}


_PLAIN = {"play": "play 1-5", "next": "next", "skip": "skip"}


class Service:
    """What the server is told to do, and what it has seen."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.tool: str | Callable[[Asked], str] = "act"
        """What is called where there are several tools."""
        self.words = ""
        """Said before the call."""
        self.faults: list[str] = []
        """What goes wrong with the requests to come, in turn; ``ok`` for one that is answered. The last stays."""
        self.seen: list[Asked] = []
        self.headers: list[dict[str, str]] = []
        self.tokens: tuple[int, int] | None = (1200, 80)
        """What each answer says that it took; None: a token for each byte that was sent, and there can be no more."""
        self.url = ""
        self.stop = threading.Event()

    def fault(self) -> str:
        if not self.faults:
            return "ok"
        return self.faults.pop(0) if len(self.faults) > 1 else self.faults[0]


def _answer(service: Service, path: str, body: Asked) -> Asked:
    is_chat = path.endswith("/chat/completions")
    offered = [one["function"] if is_chat else one for one in body["tools"]]
    wanted = service.tool(body) if callable(service.tool) else service.tool
    tool = next((one for one in offered if one["name"] == wanted), offered[0])
    arguments = service.choose(body, tool["parameters" if is_chat else "input_schema"])
    tokens = service.tokens or (len(json.dumps(body, ensure_ascii=False).encode()), len(json.dumps(arguments)))
    if is_chat:
        call = {"id": "c", "type": "function", "function": {"name": tool["name"], "arguments": json.dumps(arguments)}}
        message = {"role": "assistant", "content": service.words or None, "tool_calls": [call]}
        usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
        return {"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}], "usage": usage}
    words = [{"type": "text", "text": service.words}] if service.words else []
    content = [*words, {"type": "tool_use", "id": "t", "name": tool["name"], "input": arguments}]
    usage = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "usage": usage,
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        service: Service = self.server.service  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        service.seen.append(body)
        service.headers.append({name.lower(): value for name, value in self.headers.items()})
        getattr(self, f"_{service.fault()}")(service, body)

    def _send(self, status: int, data: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def _ok(self, service: Service, body: Asked) -> None:
        self._send(200, json.dumps(_answer(service, self.path, body)).encode())

    def _changed(self, service: Service, body: Asked, **changes: object) -> None:
        made = service.choose
        service.choose = lambda asked, schema: made(asked, schema) | changes
        self._ok(service, body)
        service.choose = made

    def _free_text(self, service: Service, body: Asked) -> None:
        content = [{"type": "text", "text": "I would buy the joker."}]
        usage = {"input_tokens": 900, "output_tokens": 20}
        self._send(200, json.dumps({"content": content, "usage": usage, "choices": [{"message": {}}]}).encode())

    def _unknown_option(self, service: Service, body: Asked) -> None:
        self._changed(service, body, option="Z", action="fly 7", failure_reason=7)

    def _not_json(self, service: Service, body: Asked) -> None:
        self._send(200, b"<html>a page of a proxy</html>")

    def _empty(self, service: Service, body: Asked) -> None:
        self._send(200, b"")

    def _odd(self, service: Service, body: Asked) -> None:
        self._send(200, b'[[{"content": {"usage": -1}}]]')

    def _huge(self, service: Service, body: Asked) -> None:
        self._send(200, b'{"content": "' + b"x" * (4 << 20) + b'"}')

    def _zipped(self, service: Service, body: Asked) -> None:
        self._send(200, b"\x1f\x8b" + b"x" * 40, content_encoding="gzip")

    def _limited(self, service: Service, body: Asked) -> None:
        self._send(429, b'{"error": {"message": "slow down"}}', retry_after="2")

    def _overloaded(self, service: Service, body: Asked) -> None:
        self._send(529, b'{"error": {"message": "overloaded"}}')

    def _broken(self, service: Service, body: Asked) -> None:
        self._send(500, b"oops")

    def _unauthorized(self, service: Service, body: Asked) -> None:
        """As some services do, it repeats the key."""
        key = self.headers.get("x-api-key") or self.headers.get("authorization", "")
        self._send(401, json.dumps({"error": {"message": f"invalid key {key}"}}).encode())

    def _echo(self, service: Service, body: Asked) -> None:
        """An answer with the key in its reason."""
        key = self.headers.get("x-api-key") or self.headers.get("authorization", "")
        self._changed(service, body, reason=f"your key is {key}")

    def _redirected(self, service: Service, body: Asked) -> None:
        self._send(307, b"", location=f"{service.url}/elsewhere")

    def _hangs_up(self, service: Service, body: Asked) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)

    def _half(self, service: Service, body: Asked) -> None:
        self.send_response(200)
        self.send_header("content-length", "1000")
        self.end_headers()
        self.wfile.write(b'{"content"')
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def _stalls(self, service: Service, body: Asked) -> None:
        service.stop.wait(30)

    def _drips(self, service: Service, body: Asked) -> None:
        """A byte now and then, so that no timeout of a socket ever comes."""
        self.send_response(200)
        self.send_header("content-length", "100000")
        self.end_headers()
        while not service.stop.is_set():
            try:
                self.wfile.write(b" ")
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.02)


FAULTS = (
    *("free_text", "unknown_option", "not_json", "empty", "odd", "huge", "zipped", "limited", "overloaded", "broken"),
    *("unauthorized", "redirected", "hangs_up", "half", "stalls", "drips"),
)
"""Everything but an answer."""


@contextmanager
def service(choose: Choose = first_option) -> Iterator[Service]:
    made = Service(choose)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    server.service = made  # type: ignore[attr-defined]
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.stop.set()
        server.shutdown()
        server.server_close()


if __name__ == "__main__":  # PYTHONPATH=tests python -m llm.stand_in, to see commands at work without a model
    with service(plays) as running:
        running.tokens = None
        print(running.url, flush=True)
        threading.Event().wait()
