"""What an evaluation says, in words: the block that people read, and the same for machines."""

from __future__ import annotations

from typing import Any

from jimbo.az.match import Match
from jimbo.az.players import RandomPlayer
from jimbo.eval.statistics import wilson

_LINE = "=" * 50
_BANDS = (
    (0.7, "significantly better than"),
    (0.5, "slightly better than"),
    (0.3, "roughly equivalent to"),
    (-1.0, "worse than"),
)
RANDOM = RandomPlayer.name
SEATS = (("X", "first"), ("O", "second"))


def verdict(match: Match, other: str) -> str:
    """Above 70 % significantly better, above 50 % slightly better, above 30 % equivalent, else worse.

    Random play is to be won against; among good players draws are half a win.
    """
    rate = match.rate("wins") if other == RANDOM else match.score
    words = next(words for lowest, words in _BANDS if rate > lowest)
    sign = "✓" if rate > _BANDS[1][0] else "✗" if words.startswith("worse") else "~"
    end = "!" if rate > _BANDS[0][0] else "."
    return f"{sign} Model is {words} {'random play' if other == RANDOM else other}{end}"


def block(match: Match, name: str, other: str, *, seats: bool = True) -> str:
    """``seats``: whether there are seats and moves; two runs of Balatro have neither in common."""
    low, high = wilson(match.wins, match.games)
    lines = [
        _LINE,
        f"Evaluation Results: {name} vs {other}",
        _LINE,
        f"Games played: {match.games}",
        "",
        *_side(name, match.wins, match.won if seats else (), match.games),
        f"  95 % interval of the win rate: {100 * low:.1f}% to {100 * high:.1f}%",
        "",
        *_side(other, match.losses, match.lost if seats else (), match.games),
        "",
        f"Draws: {match.draws} ({100 * match.rate('draws'):.1f}%)",
        *([f"Average game length: {match.mean_length:.1f} moves"] if seats else []),
        _LINE,
        "",
        verdict(match, other),
    ]
    return "\n".join(lines)


def _side(name: str, wins: int, by_seat: tuple[int, ...], games: int) -> list[str]:
    seats = [f"    As {sign} ({seat}): {count}" for (sign, seat), count in zip(SEATS, by_seat, strict=False)]
    return [f"{name}:", f"  Wins: {wins} ({100 * wins / games:.1f}%)", *seats]


def as_data(match: Match, name: str, other: str) -> dict[str, Any]:
    return {
        "model": name,
        "opponent": other,
        "games_played": match.games,
        "wins": match.wins,
        "losses": match.losses,
        "draws": match.draws,
        "win_rate": match.rate("wins"),
        "draw_rate": match.rate("draws"),
        "loss_rate": match.rate("losses"),
        "win_rate_ci95": list(wilson(match.wins, match.games)),
        "wins_by_seat": list(match.won),
        "opponent_wins_by_seat": list(match.lost),
        "avg_game_length": match.mean_length,
        "verdict": verdict(match, other),
    }
