"""What an evaluation says, in words: the block that people read, and the same for machines."""

from __future__ import annotations

from typing import Any

from jimbo.az.match import Match
from jimbo.az.players import RandomPlayer
from jimbo.eval.statistics import Interval, no_difference_p, tango_interval, wilson
from jimbo.text import counted

_LINE = "=" * 50
_MUCH, _LITTLE = 0.7, 0.3
"""Shares of wins above which a model is significantly better, and below which it is worse without more."""
RANDOM = RandomPlayer.name
SEATS = (("X", "first"), ("O", "second"))


def verdict(match: Match, other: str) -> str:
    """Better or worse only where the interval of wins less losses leaves out 0; equivalent where it is narrow.

    Better: significantly above 70 % of wins, else slightly. Worse: slightly from 30 % on. Random play is to be won
    against; among good players draws are half a win.
    """
    rate = match.rate("wins") if other == RANDOM else match.score
    low, high = margin(match)
    name = "random play" if other == RANDOM else other
    if low > 0:
        how, end = ("significantly", "!") if rate > _MUCH else ("slightly", ".")
        return f"✓ Model is {how} better than {name}{end}"
    if high < 0:
        return f"✗ Model is {'slightly ' if rate >= _LITTLE else ''}worse than {name}."
    if (1 + low) / 2 > _LITTLE and (1 + high) / 2 < _MUCH:
        return f"~ Model is roughly equivalent to {name}."
    games = f"{counted(match.games, 'game')} {'does' if match.games == 1 else 'do'}"
    return f"~ No verdict: {games} not tell Model and {name} apart."


def margin(match: Match) -> Interval:
    """The 95 % interval of wins less losses, as a share of the games."""
    return tango_interval(match.wins, match.losses, match.games)


def sign_test(match: Match) -> float:
    """The p-value of wins and losses being equally likely; below 0.05 exactly when ``margin`` leaves out 0."""
    return no_difference_p([1] * match.wins + [-1] * match.losses)


def block(match: Match, name: str, other: str, *, seats: bool = True) -> str:
    """``seats``: whether there are seats and moves; two runs of Balatro have neither in common."""
    low, high = wilson(match.wins, match.games)
    worst, best = margin(match)
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
        f"  Wins less losses: {100 * (match.wins - match.losses) / match.games:+.1f}%, 95 % interval "
        f"{100 * worst:+.1f}% to {100 * best:+.1f}%, sign test p = {sign_test(match):.2g}",
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
        "margin_ci95": list(margin(match)),
        "sign_test_p": sign_test(match),
        "wins_by_seat": list(match.won),
        "opponent_wins_by_seat": list(match.lost),
        "avg_game_length": match.mean_length,
        "verdict": verdict(match, other),
    }
