"""Rows made by hand."""

from dataclasses import replace
from typing import Any

from jimbo.eval import BlindScore, Episode
from jimbo.eval.rows import BlindEntry

NOTHING_TOLD = BlindEntry(
    clear=None, win=None, power=None, jokers=0, multipliers=0, interest=0, bought=0, sold=0, sold_soon=0
)


def episode(number: int = 0, *, won: bool = False, round: int = 1, blinds: int | None = None) -> Episode:
    """A run that beat all its blinds but, if it was lost, the last one."""
    last = 24 if won else round if blinds is None else blinds + 1
    keys = ("bl_small", "bl_big", "bl_hook")
    scores = tuple(
        BlindScore(
            ante=i // 3 + 1, round=i + 1, blind=keys[i % 3], score=450.0 if won or i + 1 < last else 150.0, target=300.0
        )
        for i in range(last)
    )
    ante = (last - 1) // 3 + 1
    return Episode(
        episode_id=number,
        agent="made",
        deck="b_red",
        stake="stake_white",
        seed=f"SEED{number}",
        nonce=1,
        result="win" if won else "loss",
        final_ante=9 if won else ante,
        ante_reached=ante,
        round=round,
        blinds_cleared=last if won else last - 1,
        final_money=10,
        final_chips=150.0,
        failure_reason="" if won else "blind_score_shortfall",
        failure_phase="" if won else "selecting_hand",
        death_blind="" if won else scores[-1].blind,
        boss_blind_id="bl_hook",
        steps=10,
        hand_steps=4,
        actions=9,
        seconds=0.5,
        decision_ms=2.0,
        hand_ms=3.5,
        macro_ms=1.0,
        best_hand=200.0,
        best_hand_name="Pair",
        money_by_round=tuple(range(4, 4 + last)),
        score_by_round=scores,
        jokers=("j_joker",),
    )


def noted(row: Episode, *entries: dict[str, Any]) -> Episode:
    """The same run with what was noted of its blinds, the last ones given; nothing was told of those before."""
    blank: list[dict[str, Any]] = [{}] * (len(row.score_by_round) - len(entries))
    made = [replace(NOTHING_TOLD, **values) for values in (*blank, *entries)]
    pairs = zip(row.score_by_round, made, strict=True)
    return replace(row, score_by_round=tuple(replace(score, entry=entry) for score, entry in pairs))
