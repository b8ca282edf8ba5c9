"""One question to a language model, over the Messages API or an endpoint like OpenAI's, and its answer.

An answer is a call of one tool, never free text. A request ends within its time, whatever the server does, is
not repeated, follows no redirect, and reads no more than an answer can have. Keys come from the environment, and
whatever is reported has them cut out.
"""

from __future__ import annotations

import ipaddress
import json
import os
import queue
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Literal
from urllib.parse import urlsplit

from jimbo.extras import require
from jimbo.llm import bodies
from jimbo.llm.bodies import clean
from jimbo.llm.protocol import ModelAnswer, ModelClient, ModelQuestion, NoAnswer

EXTRA = "llm"
Api = Literal["anthropic", "openai"]
MAX_BYTES = 1 << 20
"""More than any answer has."""
_KEYS = {"anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"), "openai": ("OPENAI_API_KEY",)}
_PLACES = {"anthropic": "https://api.anthropic.com", "openai": "http://127.0.0.1:11434/v1"}
_SHORTEST_KEY = 6
"""Shorter ones are no secrets, and could be parts of words."""
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9_]*")


def make_client(
    api: Api, model: str, base_url: str | None = None, key_env: str | None = None, *, thinking: bool = False
) -> ModelClient:
    """A client of a service; ValueError says what is missing, ImportError which package.

    ``thinking``: the model may think before it calls the tool, which it cannot be forced to do then.
    """
    url = base_url or os.environ.get("ANTHROPIC_BASE_URL" if api == "anthropic" else "") or _PLACES[api]
    key = _key(api, url, key_env)
    return HttpClient(api, model, url.rstrip("/"), key, thinking=thinking)


def is_local(url: str) -> bool:
    """Whether a place is on this machine, so that asking it costs nothing and nobody can listen."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _key(api: Api, url: str, key_env: str | None) -> tuple[str, str] | None:
    """Name and value of the key to send; None where none is needed. No message has the value in it."""
    _check_url(url)
    if key_env is not None and not _ENV_NAME.fullmatch(key_env):
        raise ValueError(
            "key_env is the name of an environment variable, such as OPENROUTER_API_KEY, never the key itself"
        )
    names = (key_env,) if key_env else _KEYS[api]
    found = next(((name, value) for name in names if (value := os.environ.get(name, "").strip())), None)
    if found is None:
        if is_local(url) and not key_env:
            return None
        raise ValueError(f"{url} wants a key: put it into the environment variable {names[0]}")
    if not (found[1].isascii() and found[1].isprintable()):
        raise ValueError(
            f"the environment variable {found[0]} holds what cannot be a key: look for stray letters in it"
        )
    if urlsplit(url).scheme != "https" and not is_local(url):
        raise ValueError(f"a key must not travel in the open: use https instead of {url}")
    return found


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
        parts = urlsplit("")
    if not usable or not url.isprintable() or " " in url:
        raise ValueError("base_url must be a web address, such as http://127.0.0.1:11434/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("base_url must not hold a name, a key or anything behind a ?: keys come from the environment")


# --- HTTP -------------------------------------------------------------------------------------------------------------


class HttpClient:
    """Asks over HTTP. What goes out and what comes back differ by the API."""

    def __init__(self, api: Api, model: str, url: str, key: tuple[str, str] | None, *, thinking: bool = False) -> None:
        self.name, self._api, self._url, self._thinking = model, api, url, thinking
        self._key = key[1] if key else ""
        http = require("httpx2", EXTRA)
        self._http = http
        # A redirect would take the key along, and the size of an answer is known only by reading it.
        self._client = http.Client(
            follow_redirects=False,
            event_hooks={"response": [_cap]},
            headers={"Accept-Encoding": "identity"},
            timeout=None,
        )
        self._errors: tuple[type[Exception], ...] = (http.HTTPError,)
        self._post: Callable[[ModelQuestion, float], Any] = self._post_plain
        if api == "anthropic":
            by = (
                {"auth_token": self._key} if key and key[0] == "ANTHROPIC_AUTH_TOKEN" else {"api_key": self._key or "-"}
            )
            sdk = require("anthropic", EXTRA)
            self._anthropic = sdk.Anthropic(**by, base_url=url, max_retries=0, http_client=self._client)
            self._errors = (*self._errors, sdk.AnthropicError)
            self._post = self._post_messages

    def __repr__(self) -> str:
        return f"<HttpClient {self.name} at {self._url}>"

    def ask(self, question: ModelQuestion, timeout: float) -> ModelAnswer:
        """Wait in this thread for another one, which may hang for longer than any timeout of a socket."""
        results: queue.SimpleQueue[ModelAnswer | NoAnswer] = queue.SimpleQueue()

        def work() -> None:
            try:
                results.put(self._asked(question, timeout))
            except NoAnswer as error:
                results.put(error)
            except Exception as error:  # whatever a strange server makes of the libraries
                results.put(NoAnswer("nonsense", self._said(f"{type(error).__name__}: {error}")))

        threading.Thread(target=work, daemon=True, name="jimbo-llm").start()
        try:
            result = results.get(timeout=timeout)
        except queue.Empty:
            result = _late(timeout)
        if isinstance(result, NoAnswer):
            raise result
        return result

    def _asked(self, question: ModelQuestion, timeout: float) -> ModelAnswer:
        try:
            response = self._post(question, timeout)
        except self._errors as error:
            raise self._trouble(error, timeout) from None
        if response.status_code != 200:
            raise self._refusal(response.status_code, response.headers, response.text)
        try:
            data = json.loads(self._without_key(response.text))
        except (ValueError, RecursionError):
            raise NoAnswer("nonsense", "The answer is not JSON.") from None
        return (bodies.from_messages if self._api == "anthropic" else bodies.from_chat)(data, question)

    def _post_messages(self, question: ModelQuestion, timeout: float) -> Any:
        # Some models think unless they are told not to, and use up the tokens of the answer.
        quiet = {} if self._thinking else {"thinking": {"type": "disabled"}}
        raw = self._anthropic.messages.with_raw_response.create(
            model=self.name,
            max_tokens=question.max_tokens,
            system=question.system,
            messages=bodies.messages(question),
            tools=[bodies.tool(one) for one in question.tools],
            tool_choice=bodies.choice(question, free=self._thinking),
            timeout=timeout,
            **quiet,
        )
        return raw.http_response

    def _post_plain(self, question: ModelQuestion, timeout: float) -> Any:
        body = {
            "model": self.name,
            "max_tokens": question.max_tokens,
            "messages": bodies.chat_messages(question),
            "tools": [bodies.chat_tool(one) for one in question.tools],
            "tool_choice": bodies.chat_choice(question, free=self._thinking),
        }
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        return self._client.post(f"{self._url}/chat/completions", json=body, headers=headers, timeout=timeout)

    def _trouble(self, error: Exception, timeout: float) -> NoAnswer:
        """Why a library gave up."""
        response = getattr(error, "response", None)
        if response is not None:
            return self._refusal(response.status_code, response.headers, str(getattr(error, "message", "")))
        causes = (error, error.__cause__, error.__context__)
        if own := next((one for one in causes if isinstance(one, NoAnswer)), None):
            return own
        if any(isinstance(one, self._http.ConnectError | self._http.ConnectTimeout) for one in causes):
            return NoAnswer("unreachable", f"{self._url} cannot be reached.", free=True)
        if any(isinstance(one, self._http.TimeoutException) for one in causes):
            return _late(timeout)
        return NoAnswer("unreachable", self._said(f"The connection to {self._url} broke: {error}"))

    def _refusal(self, status: int, headers: Mapping[str, str], text: str) -> NoAnswer:
        said = self._said(text)
        if status == 429:
            return NoAnswer("rate_limited", "The service wants fewer requests.", free=True, wait=_seconds(headers))
        if status >= 500:
            return NoAnswer(
                "server_error", f"The service failed with HTTP {status}.", free=True, wait=_seconds(headers)
            )
        return NoAnswer("refused", f"The service refused the request with HTTP {status}: {said}", free=True)

    def _said(self, text: str) -> str:
        return clean(self._without_key(text))

    def _without_key(self, text: str) -> str:
        """Some services repeat what they were sent."""
        return text.replace(self._key, "[key]") if len(self._key) >= _SHORTEST_KEY else text


def _late(timeout: float) -> NoAnswer:
    return NoAnswer("timeout", f"No answer came within {timeout:g} seconds.")


def _seconds(headers: Mapping[str, str]) -> float | None:
    """What the header Retry-After asks for; dates are left aside."""
    text = headers.get("retry-after", "")
    return min(float(text), 3600.0) if re.fullmatch(r"\d{1,6}(\.\d{1,3})?", text) else None


@cache
def _capped_stream() -> Any:
    base: Any = require("httpx2", EXTRA).SyncByteStream

    class Capped(base):  # type: ignore[misc]
        """The stream of a response, which breaks off where it is longer than an answer can be."""

        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            left = MAX_BYTES
            for chunk in self._stream:
                left -= len(chunk)
                if left < 0:
                    raise NoAnswer("nonsense", f"The answer is longer than {MAX_BYTES:,} bytes.")
                yield chunk

        def close(self) -> None:
            self._stream.close()

    return Capped


def _cap(response: Any) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":  # it could become any size
        raise NoAnswer("nonsense", "The answer is compressed, which was not asked for.")
    response.stream = _capped_stream()(response.stream)
