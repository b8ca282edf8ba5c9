"""Events as rows of tables: one for each blind, decision, payment, combination of jokers and measured number.

What a row needs comes in several events, so a little is remembered of every game that goes on. The data of events may
come from other programs: nothing is taken for granted but its types.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jimbo.telemetry.tables import (
    DecisionPoints,
    EconomicFlow,
    GameMetrics,
    JokerSynergies,
    NamedMetrics,
    TableRow,
)

MOST_GAMES = 1000
"""Games that are remembered; the one of which nothing was heard for the longest time is forgotten first."""
MOST_BOUGHT = 200
_BACK = 1_000_000_000
"""Nanoseconds that a clock must go back before it is believed."""
Data = Mapping[str, Any]


@dataclass(slots=True)
class BlindSoFar:
    """The blind that is played."""

    data: Data = field(default_factory=dict)
    scored: float = 0.0
    hands: int = 0
    discards: int = 0
    joker_score: float = 0.0
    """Scores of its hands, with and without what jokers brought, and with what each brings alone."""
    plain_score: float = 0.0
    lone_gain: float = 0.0
    chips: float = 0.0
    mult: float = 0.0
    jokers: set[str] = field(default_factory=set)


@dataclass(slots=True)
class HandSoFar:
    """A hand as it is scored: chips and mult without jokers, and what each joker adds and multiplies."""

    chips: float
    mult: float
    parts: dict[str, list[float]] = field(default_factory=dict)


@dataclass(slots=True)
class GameSoFar:
    """What is remembered of a game that goes on."""

    start: Data = field(default_factory=dict)
    agent: str = ""
    blind: BlindSoFar = field(default_factory=BlindSoFar)
    hand: HandSoFar | None = None
    ended_blind: GameMetrics | None = None
    """Its outcome may still be the outcome of the game."""
    decision: DecisionPoints | None = None
    """The last one, until it is known what came of it."""
    money: float | None = None
    paid: dict[str, float] = field(default_factory=dict)
    events: int = 0
    """Since the last row of a blind."""


class RowMaker:
    """Makes rows of events, in the order in which they come."""

    def __init__(self, session_id: str, program: str) -> None:
        """Both name whoever reports the events, unless an event names another."""
        self._session, self._program = session_id, program
        self._games: OrderedDict[tuple[str, str], GameSoFar] = OrderedDict()
        self._last: OrderedDict[str, int] = OrderedDict()

    def rows(
        self, timestamp: float, game_id: str, kind: str, data: Data, session: str = "", program: str = ""
    ) -> list[TableRow]:
        """Return the rows that an event completes."""
        session = session or self._session
        at = _Place(self._time(int(timestamp * 1e9), session), session, program or self._program, game_id)
        if (of_metrics := _METRICS.get(kind)) is not None:
            return list(of_metrics(self, at, data))
        if kind not in _GAMES:
            return []
        game, made = self._game(at, kind, data)
        if game.hand is not None and kind != "joker_triggered":
            _score_hand(game)
        if game.ended_blind is not None and kind in _GO_ON:
            made.append(game.ended_blind)
            game.ended_blind = None
        game.events += 1
        made += _GAMES[kind](self, game, at, data)
        if kind == "game_over":
            self._games.pop((at.session, game_id), None)
        return made

    def rest(self) -> list[TableRow]:
        """Return the rows that were held back, when no more events will come."""
        held = [row for game in self._games.values() for row in _held(game)]
        self._games.clear()
        return held

    def _time(self, now: int, session: str) -> int:
        """Return this time in nanoseconds, or a little later, so that no other row of the session has it."""
        last = self._last.get(session, 0)
        if now <= last < now + _BACK:
            now = last + 1
        self._last[session] = now
        self._last.move_to_end(session)
        if len(self._last) > MOST_GAMES:
            self._last.popitem(last=False)
        return now

    def _later(self, at: _Place) -> _Place:
        """Return the place of one more row of the same event."""
        at.time = self._time(at.time, at.session)
        return at

    def _game(self, at: _Place, kind: str, data: Data) -> tuple[GameSoFar, list[TableRow]]:
        """Return what is known of a game, and the rows of one that is forgotten because of it."""
        key, held = (at.session, at.game_id), list[TableRow]()
        if kind == "game_start" or key not in self._games:
            known = data if kind == "game_start" else {}
            if key in self._games:
                held = _held(self._games[key])
            elif len(self._games) >= MOST_GAMES:
                held = _held(self._games.popitem(last=False)[1])
            self._games[key] = GameSoFar(start=known, agent=_text(known.get("agent")))
        self._games.move_to_end(key)
        return self._games[key], held

    # --- Decisions ----------------------------------------------------------------------------------------------------

    def _decision(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        win = _number(data.get("win"))
        yield from _settled(game, win)
        ante = data.get("ante")
        game.decision = DecisionPoints(
            timestamp=at.time,
            session_id=at.session,
            program=at.program,
            game_id=at.game_id,
            agent=game.agent,
            decision_type=_text(data.get("action")),
            phase=_text(data.get("phase")),
            context=f"ante {ante}, step {data.get('step')}" if ante is not None else None,
            action_taken=_text(data.get("words") or data.get("action")),
            confidence=win,
            used_llm=bool(data.get("used_llm")),
            milliseconds=_number(data.get("milliseconds")),
        )

    # --- Blinds -------------------------------------------------------------------------------------------------------

    def _round_started(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        game.blind = BlindSoFar(data)
        yield from ()

    def _snapshot(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        game.money = _number(data.get("money"))
        if _number(data.get("required_score")) and not game.blind.data:
            game.blind.data = {"required_score": data["required_score"]}
        yield from ()

    def _hand(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        blind = game.blind
        blind.hands += 1
        score = _number(data.get("score")) or 0.0
        total = _number(data.get("total"))
        blind.scored = blind.scored + score if total is None else total
        chips, mult = _number(data.get("chips")), _number(data.get("mult"))
        if chips is not None and mult is not None:
            game.hand = HandSoFar(chips, mult)
        yield from ()

    def _discard(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        game.blind.discards += 1
        yield from ()

    def _joker(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        amount, kind = _number(data.get("amount")), data.get("trigger_type")
        if game.hand is not None and amount is not None and kind in _EFFECTS:
            parts = game.hand.parts.setdefault(_text(data.get("joker_id")), [0.0, 0.0, 1.0])
            place = _EFFECTS[kind]
            parts[place] = parts[place] * amount if kind == "x_mult" else parts[place] + amount
        yield from ()

    def _round_ended(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        blind = game.blind
        required = _number(blind.data.get("required_score"))
        game.money = _number(data.get("money"))
        row = GameMetrics(
            timestamp=at.time,
            session_id=at.session,
            program=at.program,
            game_id=at.game_id,
            agent=game.agent,
            stake=_text(game.start.get("stake")),
            deck=_text(game.start.get("deck")),
            blind_type=_text(blind.data.get("blind_type")),
            outcome="lost" if data.get("won") is False else "beaten",
            blind=_text(blind.data.get("blind")) or None,
            round=_whole(data.get("round")),
            ante=_whole(data.get("ante")),
            chips_scored=blind.scored,
            chips_required=required,
            money=game.money,
            hands_played=blind.hands,
            discards_used=blind.discards,
            joker_count=_whole(data.get("jokers")),
            score_ratio=blind.scored / required if required else None,
            event_count=game.events,
        )
        game.ended_blind, game.events, game.blind = row, 0, BlindSoFar()
        if blind.jokers:
            yield _synergy(game, self._later(at), blind, row.ante)

    def _over(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        reason, score = _text(data.get("reason")), _number(data.get("final_score"))
        if game.ended_blind is None:
            yield from self._round_ended(game, at, {"round": data.get("round_reached"), "ante": data.get("ante")})
            self._later(at)
        row = game.ended_blind
        if row is not None:
            row.outcome, game.ended_blind = reason, None
            yield row
        yield from _settled(game, {"won": 1.0, "lost": 0.0}.get(reason))
        yield at.metric("game_score", score, f"{reason}, {game.agent}" if game.agent else reason)

    # --- Money --------------------------------------------------------------------------------------------------------

    def _bought(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        cost, after, item = _number(data.get("cost")) or 0.0, _number(data.get("money")), _text(data.get("card_id"))
        before = after + cost if after is not None else None
        yield from self._other(game, at, before)
        if len(game.paid) < MOST_BOUGHT:
            game.paid[item] = cost
        yield _flow(game, at, f"purchase_{_text(data.get('card_type')) or 'other'}", -cost, before, after, item)

    def _sold(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        value, after, item = _number(data.get("value")) or 0.0, _number(data.get("money")), _text(data.get("card_id"))
        before = after - value if after is not None else None
        yield from self._other(game, at, before)
        paid = game.paid.pop(item, None)
        roi = (value - paid) / paid if paid else None
        yield _flow(game, at, f"sale_{_text(data.get('card_type')) or 'other'}", value, before, after, item, roi)

    def _shop(self, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
        money, before = _number(data.get("money")), game.money
        if money is not None and before is not None and money != before:
            yield _flow(game, at, "reward", money - before, before, money, None)
        game.money = money

    def _other(self, game: GameSoFar, at: _Place, before: float | None) -> Iterator[TableRow]:
        """Money that came or went since the last payment without an event: rerolls, tarots, tags."""
        if before is not None and game.money is not None and before != game.money:
            yield _flow(game, at, "other", before - game.money, game.money, before, None)
            self._later(at)

    # --- Measured numbers ---------------------------------------------------------------------------------------------

    def _failure(self, at: _Place, data: Data) -> Iterator[TableRow]:
        yield at.metric("errors", 1.0, _text(data.get("message")))

    def _sample(self, at: _Place, data: Data) -> Iterator[TableRow]:
        yield at.metric(_text(data.get("name")), _number(data.get("value")), _text(data.get("unit")))

    def _training_row(self, at: _Place, data: Data) -> Iterator[TableRow]:
        row = data.get("row")
        for name, value in _flat(row if isinstance(row, Mapping) else {}):
            yield at.metric(name, value, "best" if data.get("best") else "")
            self._later(at)

    def _progress(self, at: _Place, data: Data) -> Iterator[TableRow]:
        yield at.metric("progress", _number(data.get("done")), _text(data.get("phase")))

    def _started(self, at: _Place, data: Data) -> Iterator[TableRow]:
        yield at.metric("program_started", 1.0, _text(data.get("program")))

    def _ended(self, at: _Place, data: Data) -> Iterator[TableRow]:
        yield at.metric("program_ended", 1.0, _text(data.get("program")))
        yield self._later(at).metric("events_dropped", _number(data.get("dropped")) or 0.0, "")

    def _alert(self, at: _Place, data: Data) -> Iterator[TableRow]:
        yield at.metric("alert", _number(data.get("value")), _text(data.get("message")))

    def _skipped(self, at: _Place, data: Data) -> Iterator[TableRow]:
        yield at.metric("games_skipped", _number(data.get("games")), "to save time")


@dataclass(slots=True)
class _Place:
    """When and where an event happened."""

    time: int
    session: str
    program: str
    game_id: str

    def metric(self, name: str, value: float | None, note: str) -> NamedMetrics:
        return NamedMetrics(
            timestamp=self.time,
            session_id=self.session,
            program=self.program,
            game_id=self.game_id or None,
            name=name,
            value=value,
            note=note or None,
        )


_GameHandler = Callable[[RowMaker, GameSoFar, _Place, Data], Iterator[TableRow]]
_MetricHandler = Callable[[RowMaker, _Place, Data], Iterator[TableRow]]


def _nothing(_maker: RowMaker, game: GameSoFar, at: _Place, data: Data) -> Iterator[TableRow]:
    yield from ()


_GAMES: Mapping[str, _GameHandler] = {
    "game_start": _nothing,
    "strategy.decision": RowMaker._decision,
    "round_started": RowMaker._round_started,
    "hand_played": RowMaker._hand,
    "card_discarded": RowMaker._discard,
    "joker_triggered": RowMaker._joker,
    "card_enhanced": _nothing,
    "blind_defeated": _nothing,
    "round_ended": RowMaker._round_ended,
    "shop_entered": RowMaker._shop,
    "card_purchased": RowMaker._bought,
    "card_sold": RowMaker._sold,
    "game_over": RowMaker._over,
    "state_snapshot": RowMaker._snapshot,
}
_GO_ON = ("strategy.decision", "round_started", "shop_entered", "state_snapshot", "game_start")
"""After these, the blind before was not the last."""
_METRICS: Mapping[str, _MetricHandler] = {
    "error": RowMaker._failure,
    "monitoring.measured": RowMaker._sample,
    "monitoring.alert": RowMaker._alert,
    "training.row": RowMaker._training_row,
    "training.progress": RowMaker._progress,
    "monitoring.started": RowMaker._started,
    "monitoring.ended": RowMaker._ended,
    "monitoring.skipped": RowMaker._skipped,
}
_EFFECTS = {"chips": 0, "mult": 1, "x_mult": 2}
"""What jokers do to a score, by its place in ``HandSoFar.parts``."""


def _held(game: GameSoFar) -> list[TableRow]:
    return [row for row in (game.ended_blind, game.decision) if row is not None]


def _settled(game: GameSoFar, win: float | None) -> Iterator[TableRow]:
    """The last decision, now that it is known how the chance to win has changed since."""
    if (row := game.decision) is not None:
        if win is not None and row.confidence is not None:
            row.outcome_delta = win - row.confidence
        game.decision = None
        yield row


def _flow(
    game: GameSoFar,
    at: _Place,
    kind: str,
    amount: float,
    before: float | None,
    after: float | None,
    item: str | None,
    roi: float | None = None,
) -> EconomicFlow:
    game.money = after
    return EconomicFlow(
        timestamp=at.time,
        session_id=at.session,
        program=at.program,
        game_id=at.game_id,
        agent=game.agent,
        transaction_type=kind,
        amount=amount,
        balance_before=before,
        balance_after=after,
        item_purchased=item,
        roi=roi,
    )


def _score_hand(game: GameSoFar) -> None:
    """Add a hand that has been scored to its blind."""
    hand, blind, game.hand = game.hand, game.blind, None
    if hand is None or not hand.parts:
        return
    plain = hand.chips * hand.mult
    chips = sum(part[0] for part in hand.parts.values())
    mult = (hand.mult + sum(part[1] for part in hand.parts.values())) * math.prod(
        part[2] for part in hand.parts.values()
    )
    blind.plain_score += plain
    blind.joker_score += (hand.chips + chips) * mult
    blind.lone_gain += sum((hand.chips + c) * (hand.mult + m) * x - plain for c, m, x in hand.parts.values())
    blind.chips += chips
    blind.mult += mult - hand.mult
    blind.jokers |= hand.parts.keys()


def _synergy(game: GameSoFar, at: _Place, blind: BlindSoFar, ante: int | None) -> JokerSynergies:
    gain = blind.joker_score - blind.plain_score
    together = min(1.0, max(0.0, 1 - blind.lone_gain / gain)) if gain > 0 and len(blind.jokers) > 1 else None
    return JokerSynergies(
        timestamp=at.time,
        session_id=at.session,
        program=at.program,
        game_id=at.game_id,
        agent=game.agent,
        joker_combination="+".join(sorted(blind.jokers)),
        ante=ante,
        synergy_score=together,
        chips_generated=blind.chips,
        mult_generated=blind.mult,
        effectiveness=gain / blind.joker_score if blind.joker_score > 0 else None,
    )


def _flat(row: Data, before: str = "") -> Iterator[tuple[str, float]]:
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        elif (number := _number(value)) is not None:
            yield f"{before}{name}", number


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63 else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
