"""The board as an MCP App: a page that loads nothing, shown by a host that speaks the protocol of Apps."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.server.apps import APP_MIME_TYPE

from jimbo.serve.mcp.board_app import DRAWN, URI, page
from serve.mcp.talking import SHOWS, server
from serve.web.browser.conftest import Watch, browser, watch  # noqa: F401  (fixtures)

CSP = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "media-src 'self' data:; connect-src 'none'"
)
"""What hosts must allow at most."""
HOST = """<!doctype html><body style="margin: 0"><script>
const seen = { methods: [], context: [], sizes: [] };
let frame;
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
const answers = {
  "ui/initialize": ({ protocolVersion }) => ({ protocolVersion, hostInfo: { name: "test", version: "1" },
    hostCapabilities: { serverTools: {} }, hostContext: { theme: window.theme ?? "light" } }),
  "tools/call": ({ name, arguments: given }) => window.callTool(name, given),
  "ui/update-model-context": (params) => { seen.context.push(params.content[0].text); return {}; },
};
window.addEventListener("message", async (event) => {
  const message = event.data;
  if (event.source !== frame?.contentWindow || message.jsonrpc !== "2.0" || !message.method) return;
  seen.methods.push(message.method);
  if (message.id !== undefined) {
    const answer = answers[message.method];
    const none = { error: { code: -32601, message: "There is none." } };
    send({ id: message.id, ...(answer ? { result: await answer(message.params) } : none) });
  } else if (message.method === "ui/notifications/initialized") {
    send({ method: "ui/notifications/tool-input", params: { arguments: window.given } });
    send({ method: "ui/notifications/tool-result", params: window.result });
  } else if (message.method === "ui/notifications/size-changed") {
    seen.sizes.push(message.params);
    frame.style.height = `${message.params.height}px`;
  }
});
function show(html) {
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style = "width: 900px; height: 300px; border: 0";
  frame.srcdoc = html;
  document.body.append(frame);
}
</script></body>"""


class AppHost:
    """A client that can show Apps, called from any thread."""

    def __init__(self, call: Any, read: Any) -> None:
        self._call, self._read = call, read

    def call(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = self._call(name, given).model_dump(mode="json", by_alias=True, exclude_none=True)
        return result

    def html(self) -> str:
        (content,) = self._read(URI).contents
        assert content.mime_type == APP_MIME_TYPE
        text: str = content.text
        return text


@contextmanager
def hosting() -> Iterator[AppHost]:
    with start_blocking_portal() as portal:
        made = portal.wrap_async_context_manager(Client(server("greedy"), extensions=[SHOWS]))
        with made as client:
            yield AppHost(
                lambda name, given: portal.call(client.call_tool, name, given),
                lambda uri: portal.call(client.read_resource, uri),
            )


def test_the_page_loads_nothing() -> None:
    html = page()
    assert re.findall(r"""(?:src|href)\s*=\s*["'](?!/play)[^"']*""", html) == []
    assert re.findall(r"\b(?:import|export)\b[^.]{0,40}\bfrom\b|@import|url\(", html) == []
    assert html.count("</script>") == 1


def test_only_a_client_that_shows_it_is_sent_the_board() -> None:
    with hosting() as host:
        seen = host.call("new_run", {"seed": "ALEEB"})
        drawn = seen["_meta"][DRAWN]
        assert drawn["can_act"]
        assert drawn["options"]["select_blind"]["text"] == "next"
        plain = Client(server("greedy"))
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(plain) as client:
            answer = portal.call(client.call_tool, "new_run", {"seed": "ALEEB"})
            listed = portal.call(client.list_tools).tools
        assert answer.structured_content == seen["structuredContent"]
        assert DRAWN not in (answer.meta or {})
        assert [one.name for one in listed if one.meta] == ["new_run", "look"]


# --- In a browser -----------------------------------------------------------------------------------------------------


class Shown:
    """The board in its frame, and the host around it."""

    def __init__(self, host: AppHost, outer: Any) -> None:
        self.host, self.outer = host, outer
        self.frame = outer.frame_locator("iframe")
        self.calls: list[str] = []

    def button(self, name: str) -> Any:
        return self.frame.get_by_role("button", name=name)

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = self.host.call("look", {"run": "r1"})["structuredContent"]
        return found


@pytest.fixture
def shown(browser: Any, watch: Watch) -> Iterator[Shown]:  # noqa: F811
    with hosting() as host:
        context = browser.new_context(viewport={"width": 920, "height": 1000})
        outer = context.new_page()
        watch.page(outer)
        found = Shown(host, outer)

        def call(name: str, given: dict[str, Any]) -> dict[str, Any]:
            found.calls.append(name)
            return host.call(name, given)

        outer.expose_function("callTool", call)
        outer.set_content(HOST)
        given = {"seed": "ALEEB"}
        outer.evaluate(
            "([given, result, html]) => { window.given = given; window.result = result; show(html); }",
            [given, host.call("new_run", given), with_csp(host.html())],
        )
        yield found
        context.close()


def with_csp(html: str) -> str:
    return html.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{CSP}">')


@pytest.mark.browser
def test_a_run_is_drawn_and_played_on(shown: Shown) -> None:
    shown.frame.get_by_role("heading", name="Choose a blind").wait_for()
    shown.button("play Small Blind").click()
    hand = shown.frame.get_by_role("region", name="Hand")
    cards = hand.get_by_role("button")
    cards.nth(7).wait_for()
    assert shown.look()["phase"] == "selecting_hand"
    for place in (0, 1):
        cards.nth(place).click()
    shown.frame.get_by_text("How it scores").or_(shown.frame.locator(".verdict-line")).first.wait_for()
    shown.button("discard").click()
    shown.frame.get_by_text("42 of 52").first.wait_for()
    assert shown.look()["discards"] == 3
    assert shown.outer.evaluate("seen.context.at(-1)").startswith("The player acted on the board of run r1: play Small")
    assert shown.calls[:2] == ["act", "score"]
    assert shown.outer.evaluate("seen.sizes.length") > 0
    assert shown.outer.evaluate("document.querySelector('iframe').getBoundingClientRect().height") > 400


@pytest.mark.browser
def test_what_the_model_did_meanwhile_is_drawn_and_told(shown: Shown) -> None:
    shown.frame.get_by_role("heading", name="Choose a blind").wait_for()
    seen = shown.look()
    shown.host.call("act", {"run": "r1", "token": seen["token"], "action": "next"})
    shown.button("play Small Blind").click()
    shown.frame.get_by_role("alert").get_by_text("Nothing was done: 1 step came after the state").wait_for()
    shown.frame.get_by_role("region", name="Hand").wait_for()
    assert shown.look()["token"].startswith("1-")


@pytest.mark.browser
def test_a_host_that_keeps_metadata_to_itself_is_shown_the_words(shown: Shown) -> None:
    plain = {name: part for name, part in shown.host.call("look", {"run": "r1"}).items() if name != "_meta"}
    shown.frame.get_by_role("heading", name="Choose a blind").wait_for()
    shown.outer.evaluate("(result) => send({ method: 'ui/notifications/tool-result', params: result })", plain)
    shown.frame.get_by_text("actions: next (play Small Blind) | skip").wait_for()
    shown.button("Look again").click()
    shown.frame.get_by_role("heading", name="Choose a blind").wait_for()


@pytest.mark.browser
def test_a_host_may_change_colours_and_take_the_board_away(shown: Shown) -> None:
    shown.frame.get_by_role("heading", name="Choose a blind").wait_for()
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = shown.frame.locator("html").evaluate(ground)
    shown.outer.evaluate("send({ method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } })")
    shown.frame.locator("html[data-theme=dark]").wait_for()
    assert shown.frame.locator("html").evaluate(ground) != light
    asked = """() => new Promise((done) => {
      window.addEventListener("message", (event) => event.data.id === "end" && done(event.data));
      send({ id: "end", method: "ui/resource-teardown", params: { reason: "test" } });
    })"""
    assert shown.outer.evaluate(asked) == {"jsonrpc": "2.0", "id": "end", "result": {}}
    assert json.dumps(shown.outer.evaluate("seen.methods[0]")) == '"ui/initialize"'
