"""balatrobot's methods as functions. What an action did is known before it returns, whatever became of the answer."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jimbo.wire.errors import BadReply, InternalError, Late, NoReply, Refused, Unreachable, WireError
from jimbo.wire.gamestate import as_object, at_rest, state_of, valid_state
from jimbo.wire.methods import DEFAULT_PORT, SIMULATOR
from jimbo.wire.transport import Json, Transport

URL = f"http://127.0.0.1:{DEFAULT_PORT}"
TIMEOUT = 30.0
"""Seconds for an answer. Some calls of the mod are never answered, so a longer wait helps nobody."""
ASK_FOR = 2.0
"""Seconds for an answer to the question whether the game runs."""
SETTLE = 0.05
"""Seconds between two looks at a game that may still be moving."""
SETTLE_AT_MOST = 20.0
LOOK_AGAIN = 0.5
"""Seconds between two looks for what an action may still do whose answer is lost."""
ASK_AGAIN = (0.1, 0.5)
"""Seconds before a call that only looks is sent again, where its answer was lost."""
GRACE = 3.0
"""Seconds that an action may take whose connection was closed, or that failed, before it is sent once more."""
UNSETTLED = frozenset({"skip", "use", "sell", "pack", "buy", "buy_and_use", "reroll", "reroll_boss", "cash_out"})
"""Methods whose answer may come before all that they cause has happened."""

Sent = Callable[[str, Mapping[str, Any]], None]


class Client:
    """One instance of the game. ``sent`` is called with every action before it goes out."""

    def __init__(
        self, url: str = URL, *, timeout: float = TIMEOUT, settle: float = SETTLE, sent: Sent | None = None
    ) -> None:
        self._wire = Transport(url)
        self.url = self._wire.url
        self.timeout = timeout
        self._settle, self._sent = settle, sent
        self._last: Json | None = None

    def __repr__(self) -> str:
        return f"<Client of {self.url}>"

    # --- Looking ------------------------------------------------------------------------------------------------------

    def health(self, *, timeout: float | None = None) -> bool:
        """Whether the game answers."""
        return as_object(self._look("health", timeout)).get("status") == "ok"

    def answers(self) -> bool:
        """Whether the game answers soon; where nobody is, that is no error."""
        try:
            return self.health(timeout=ASK_FOR)
        except WireError:
            return False

    def gamestate(self) -> Json:
        self._last = self._state("gamestate", self._look("gamestate"))
        return self._last

    def discover(self) -> Json:
        """The OpenRPC document; its ``info.version`` is the mod's."""
        return as_object(self._look("rpc.discover"))

    def version(self) -> str:
        """The version of the mod, such as 1.5.2; empty where it does not tell."""
        return str(self._info().get("version") or "").lstrip("v")

    def simulated(self) -> bool:
        """Whether Jimbo's own server answers there, and not the mod."""
        return SIMULATOR in str(self._info().get("description"))

    def _info(self) -> Json:
        try:
            return as_object(self.discover().get("info"))
        except Refused:
            return {}

    def _look(self, method: str, timeout: float | None = None) -> Any:
        """The answer to a call that changes nothing, and can be sent again wherever its answer is lost."""
        for pause in ASK_AGAIN:
            try:
                return self._call(method, timeout=timeout)
            except (NoReply, BadReply, InternalError):
                time.sleep(pause)
        return self._call(method, timeout=timeout)

    def settled(self) -> Json:
        """The gamestate once the game rests and two looks agree."""
        end = time.monotonic() + SETTLE_AT_MOST
        before = self.gamestate()
        while True:
            time.sleep(self._settle)
            now = self.gamestate()
            if now == before and at_rest(now):
                return now
            if time.monotonic() > end:
                raise NoReply(
                    "the game does not come to rest", method="gamestate", url=self.url, state=str(now["state"])
                )
            before = now

    # --- A run --------------------------------------------------------------------------------------------------------

    def start(self, deck: str, stake: str, seed: str | None = None, challenge: str | None = None) -> Json:
        """In the mod's words; a challenge (version 2 only) takes the place of deck and stake."""
        named = {"challenge": challenge} if challenge else {"deck": deck, "stake": stake}
        return self.act("start", {**named, **({"seed": seed} if seed else {})})

    def menu(self) -> Json:
        return self.act("menu")

    def save(self, path: str) -> Json:
        return as_object(self._call("save", {"path": path}))

    def load(self, path: str) -> Json:
        self._last = None  # another run, which nobody has looked at yet
        return as_object(self._call("load", {"path": path}))

    def screenshot(self, path: str) -> Json:
        return as_object(self._call("screenshot", {"path": path}))

    # --- Blinds and hands ---------------------------------------------------------------------------------------------

    def select(self) -> Json:
        return self.act("select")

    def skip(self) -> Json:
        return self.act("skip")

    def play(self, cards: Sequence[int]) -> Json:
        return self.act("play", {"cards": list(cards)})

    def discard(self, cards: Sequence[int]) -> Json:
        return self.act("discard", {"cards": list(cards)})

    def rearrange_hand(self, order: Sequence[int]) -> Json:
        return self.act("rearrange", {"hand": list(order)})

    def rearrange_jokers(self, order: Sequence[int]) -> Json:
        return self.act("rearrange", {"jokers": list(order)})

    def rearrange_consumables(self, order: Sequence[int]) -> Json:
        return self.act("rearrange", {"consumables": list(order)})

    def cash_out(self) -> Json:
        return self.act("cash_out")

    # --- Shop and packs -----------------------------------------------------------------------------------------------

    def buy_card(self, card: int) -> Json:
        return self.act("buy", {"card": card})

    def buy_voucher(self, voucher: int) -> Json:
        return self.act("buy", {"voucher": voucher})

    def buy_pack(self, pack: int) -> Json:
        return self.act("buy", {"pack": pack})

    def reroll(self) -> Json:
        return self.act("reroll")

    def next_round(self) -> Json:
        return self.act("next_round")

    def pick(self, card: int, targets: Sequence[int] = ()) -> Json:
        return self.act("pack", {"card": card, **({"targets": list(targets)} if targets else {})})

    def skip_pack(self) -> Json:
        return self.act("pack", {"skip": True})

    def use(self, consumable: int, cards: Sequence[int] = ()) -> Json:
        return self.act("use", {"consumable": consumable, **({"cards": list(cards)} if cards else {})})

    def sell_joker(self, joker: int) -> Json:
        return self.act("sell", {"joker": joker})

    def sell_consumable(self, consumable: int) -> Json:
        return self.act("sell", {"consumable": consumable})

    # --- Version 2 ----------------------------------------------------------------------------------------------------

    def sort(self, by: str) -> Json:
        return self.act("sort", {"by": by})

    def buy_and_use(self, card: int) -> Json:
        return self.act("buy_and_use", {"card": card})

    def reroll_boss(self) -> Json:
        return self.act("reroll_boss")

    # --- For tests of the game ----------------------------------------------------------------------------------------

    def add(
        self,
        key: str,
        *,
        seal: str | None = None,
        edition: str | None = None,
        enhancement: str | None = None,
        eternal: bool | None = None,
        perishable: int | None = None,
        rental: bool | None = None,
    ) -> Json:
        marks = {"seal": seal, "edition": edition, "enhancement": enhancement}
        stickers = {"eternal": eternal, "perishable": perishable, "rental": rental}
        given = {name: value for name, value in {**marks, **stickers}.items() if value is not None}
        return self.act("add", {"key": key, **given})

    def set(
        self,
        *,
        money: int | None = None,
        chips: int | None = None,
        ante: int | None = None,
        round: int | None = None,
        hands: int | None = None,
        discards: int | None = None,
        shop: bool | None = None,
        boss: str | None = None,
    ) -> Json:
        """``boss`` only in version 2."""
        numbers = {"money": money, "chips": chips, "ante": ante, "round": round, "hands": hands, "discards": discards}
        given = {name: value for name, value in {**numbers, "shop": shop, "boss": boss}.items() if value is not None}
        return self.act("set", given)

    # --- How actions are sent -----------------------------------------------------------------------------------------

    def act(self, method: str, params: Mapping[str, Any] | None = None) -> Json:
        """An action, and the gamestate after it, at rest.

        Where the answer is lost, the gamestate tells whether the action took effect: then its state is the answer,
        else the action is sent once more. Nothing is sent again without looking for a while, and nothing at all that
        may still be carried out, because its answer was only late.
        """
        params = params or {}
        before = self._last if self._last is not None else self.settled()
        try:
            after = self._send(method, params)
        except (NoReply, BadReply, InternalError) as lost:  # the last also where the game was not ready yet
            found = self._found(lost, before)
            if found is None and isinstance(lost, Late):
                raise
            after = found or self._send(method, params)
        if method in UNSETTLED or not at_rest(after):
            after = self.settled()
        self._last = after
        return after

    def _send(self, method: str, params: Mapping[str, Any]) -> Json:
        if self._sent:
            self._sent(method, params)
        return self._state(method, self._call(method, params))

    def _found(self, lost: WireError, before: Json) -> Json | None:
        """The state after an action whose answer was lost; None if nothing has changed."""
        end = time.monotonic() + (self.timeout if isinstance(lost, Late) else GRACE)
        try:
            now = self.settled()
            while now == before and time.monotonic() < end:
                time.sleep(LOOK_AGAIN)
                now = self.settled()
        except (NoReply, BadReply, Unreachable) as error:
            raise NoReply(
                f"{lost.what}, and the gamestate is not answered either ({error.what})",
                method=lost.method,
                url=self.url,
                state=lost.state,
                remedy="Restart the game: whether the action took effect is not known",
            ) from None
        return None if now == before else now

    def _call(self, method: str, params: Mapping[str, Any] | None = None, timeout: float | None = None) -> Any:
        state = str(self._last["state"]) if self._last else None
        return self._wire.call(method, params or {}, timeout=timeout or self.timeout, state=state)

    def _state(self, method: str, result: Any) -> Json:
        if not valid_state(result):
            raise BadReply("the answer is not a gamestate", method=method, url=self.url, state=state_of(self._last))
        return dict(result)


class TimedClient(Client):
    """A client that measures the calls that were answered, from the connection to the answer read as JSON."""

    def __init__(self, url: str, **options: Any) -> None:
        super().__init__(url, **options)
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        """Seconds of each call, by method."""

    def _call(self, method: str, params: Mapping[str, Any] | None = None, timeout: float | None = None) -> Any:
        start = time.perf_counter()
        result = super()._call(method, params, timeout)
        self.seconds[method].append(time.perf_counter() - start)
        return result
