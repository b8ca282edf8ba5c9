"""Events of a small game, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jimbo.telemetry.events import (
    BlindDefeated,
    CardDiscarded,
    CardPurchased,
    CardSold,
    DecisionMade,
    EventData,
    GameOver,
    GameStart,
    HandPlayed,
    JokerTriggered,
    RoundEnded,
    RoundStarted,
    ShopEntered,
)

Tell = Callable[[EventData, str], None]


def small_game(agent: str = "fast", *, won: bool = True) -> Iterator[EventData]:
    """A blind that two jokers beat, a shop, and a second blind in which the run ends."""
    yield GameStart(seed="ALEEB", stake="stake_white", deck="b_red", agent=agent)
    yield decision(1, "select_blind", 0.5, "blind_select")
    yield RoundStarted(round=1, ante=1, blind_type="small", blind="bl_small", required_score=300)
    yield decision(2, "discard", 0.4)
    yield CardDiscarded(cards=["2H", "3C"])
    yield decision(3, "play", 0.6)
    yield HandPlayed(hand_type="Pair", cards=["AH", "AS"], score=576, total=576, required_score=300, chips=32, mult=2)
    yield JokerTriggered(joker_id="j_joker", trigger_type="mult", effect="+4 Mult", amount=4)
    yield JokerTriggered(joker_id="j_cavendish", trigger_type="x_mult", effect="X3 Mult", amount=3)
    yield BlindDefeated(blind_type="small", score=576, required_score=300, blind="bl_small", ante=1)
    yield RoundEnded(round=1, ante=1, won=True, hands_left=3, discards_left=2, money=4, jokers=2)
    yield ShopEntered(round=1, money=9, available_items=["j_rocket"])
    yield decision(4, "buy", 0.6, "shop")
    yield CardPurchased(card_type="joker", card_id="j_rocket", cost=6, money=3)
    yield decision(5, "sell_joker", 0.7, "shop")
    yield CardSold(card_type="joker", card_id="j_rocket", value=3, money=4)
    yield decision(6, "select_blind", 0.7, "blind_select")
    yield RoundStarted(round=2, ante=1, blind_type="big", blind="bl_big", required_score=450)
    yield decision(7, "play", 0.7)
    yield HandPlayed(hand_type="Pair", cards=["KH", "KS"], score=225, total=225, required_score=450)
    yield RoundEnded(round=2, ante=1, won=won, hands_left=0, discards_left=3, money=4, jokers=1)
    yield GameOver(final_score=225, round_reached=2, reason="won" if won else "lost", ante=1, won=won, steps=7)


def decision(step: int, action: str, win: float | None, phase: str = "selecting_hand") -> DecisionMade:
    return DecisionMade(
        step=step, phase=phase, action=action, words=f"{action} it", ante=1, win=win, milliseconds=2.5 * step
    )
