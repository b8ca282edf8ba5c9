"""Whether the game answers, and which version of its mod."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jimbo.serve.doctor.finding import Finding, bad, good

if TYPE_CHECKING:
    from jimbo.wire.client import Client

OLDEST = (1, 4)
"""Version of the mod."""
ASK_FOR = 3.0
_OCCUPIED = "another program has this port, or the game hangs: name its address with --base-url, or restart it"


def check_game(url: str | None, *, real: bool) -> list[Finding]:
    """The port, and if a game answers there its mod. ValueError for a url that is none."""
    from jimbo.wire.client import URL, Client
    from jimbo.wire.errors import Unreachable, WireError

    client = Client(url or URL, timeout=ASK_FOR)
    try:
        healthy = client.health()
    except Unreachable:
        return [_nobody(client.url, must_answer=url is not None)]
    except WireError as error:
        return [bad("port", f"{client.url}: {error.what}", _OCCUPIED, needed=real)]
    if not healthy:
        return [bad("port", f"{client.url}: the game says that it is not well", "restart the game", needed=real)]
    return [good("port", f"{client.url}: the game answers"), *_mod(client, real=real)]


def _nobody(url: str, *, must_answer: bool) -> Finding:
    start = "start the game with its mod: uvx balatrobot serve"
    if must_answer:
        return bad("port", f"{url}: nobody answers there", start, needed=True)
    return good("port", f"{url}: free, no game is running")


def _mod(client: Client, *, real: bool) -> Iterator[Finding]:
    from jimbo.wire.codec import in_english
    from jimbo.wire.errors import OtherLanguage, WireError

    update = "install balatrobot 1.4 or newer from https://github.com/coder/balatrobot/releases"
    try:
        state, version, simulated = client.gamestate(), client.version(), client.simulated()
    except WireError as error:
        yield bad("mod", f"{error.method}: {error.what}", update, needed=real)
        return
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        found = f"balatrobot {version}" if version else "it does not report its version"
        yield bad("mod", found, update, needed=real)
        return
    speaks = "not the game but Jimbo's own server, which speaks " if simulated else ""
    yield good("mod", f"{speaks}balatrobot {version}, the game is in {state['state']}")
    if not in_english(state):
        yield bad("language", "the game's texts are not English", OtherLanguage.remedy, needed=False)
