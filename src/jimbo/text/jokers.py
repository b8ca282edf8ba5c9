"""What a joker is worth at the moment, in a few words, as the game writes it under the joker's text."""

from collections.abc import Callable

from jimbo.engine.catalog import CHALLENGES, DECKS, HANDS
from jimbo.engine.run_view import SUIT_SYMBOLS, JokerView, RunView
from jimbo.text.numbers import counted, money_text, number_text

_Now = Callable[[JokerView, RunView], str]
_FULL_DECK = 52
_WITHOUT_FACES = 40


def joker_now(joker: JokerView, run: RunView) -> str:
    """Its present number or target, such as ``+30 Chips`` or ``K♠``; empty for a joker that has none."""
    now = _NOW.get(joker.key)
    return now(joker, run) if now else ""


def chips_text(amount: float) -> str:
    return f"+{number_text(amount)} Chips"


def mult_text(amount: float) -> str:
    return f"+{number_text(amount)} Mult"


def x_mult_text(factor: float) -> str:
    return f"X{number_text(factor)} Mult"


def _starting_deck(run: RunView) -> int:
    if run.challenge:
        return len(CHALLENGES[run.challenge].deck) or _FULL_DECK
    return _WITHOUT_FACES if DECKS[run.deck].remove_faces else _FULL_DECK


def _enhanced(run: RunView, key: str) -> int:
    return sum(card.enhancement == key for card in run.cards)


def _stencil(_joker: JokerView, run: RunView) -> str:
    empty = run.joker_slots - len(run.jokers) + sum(joker.key == "j_stencil" for joker in run.jokers)
    return x_mult_text(max(1, empty))


def _loyalty(joker: JokerView, run: RunView) -> str:
    wait = 5 - (run.hands_played - joker.count) % 6
    return f"{counted(wait, 'hand')} to go" if wait else "next hand"


def _swashbuckler(joker: JokerView, run: RunView) -> str:
    return mult_text(sum(other.sell_value for other in run.jokers if other.uid != joker.uid))


def _nines(_joker: JokerView, run: RunView) -> str:
    return money_text(sum(card.rank == "9" and not card.is_stone for card in run.cards))


def _license(_joker: JokerView, run: RunView) -> str:
    return f"{sum(card.enhancement is not None for card in run.cards)} of 16"


def _invisible(joker: JokerView, _run: RunView) -> str:
    return "ready" if joker.count >= 2 else f"{joker.count} of 2 rounds"


def _copied(joker: JokerView, run: RunView) -> str:
    """Follows a chain of copying jokers to its end."""
    at: int = next(i for i, other in enumerate(run.jokers) if other.uid == joker.uid)
    for _ in run.jokers:
        at = 0 if run.jokers[at].key == "j_brainstorm" else at + 1
        if at >= len(run.jokers) or run.jokers[at].debuffed:
            break
        if run.jokers[at].key not in ("j_blueprint", "j_brainstorm"):
            found = run.jokers[at]
            return f"= {found.name}" if found.fact.copyable else "copies nothing"
    return "copies nothing"


def _count_as(text: Callable[[float], str], *keys: str) -> dict[str, _Now]:
    return {key: lambda joker, run: text(joker.count) for key in keys}


def _own_x_mult(*keys: str) -> dict[str, _Now]:
    return {key: lambda joker, run: x_mult_text(joker.x_mult) for key in keys}


_NOW: dict[str, _Now] = {
    # What they have grown to.
    **_count_as(
        mult_text,
        "j_ceremonial",
        "j_ride_the_bus",
        "j_green_joker",
        "j_red_card",
        "j_flash",
        "j_trousers",
        "j_popcorn",
    ),
    **_count_as(chips_text, "j_runner", "j_square", "j_ice_cream", "j_wee"),
    **_own_x_mult(
        "j_constellation",
        "j_hologram",
        "j_vampire",
        "j_obelisk",
        "j_lucky_cat",
        "j_campfire",
        "j_glass",
        "j_hit_the_road",
        "j_ramen",
        "j_madness",
        "j_caino",
    ),
    "j_yorick": lambda joker, run: f"{x_mult_text(joker.x_mult)}, {joker.count} to go",
    "j_castle": lambda joker, run: f"{chips_text(joker.count)}, {SUIT_SYMBOLS[run.targets.castle_suit]}",
    "j_rocket": lambda joker, run: money_text(joker.count),
    # What is left of them.
    "j_loyalty_card": _loyalty,
    "j_selzer": lambda joker, run: f"{counted(joker.count, 'hand')} left",
    "j_turtle_bean": lambda joker, run: f"+{joker.count} hand size",
    "j_invisible": _invisible,
    # What they look for.
    "j_todo_list": lambda joker, run: tuple(HANDS)[joker.count] if joker.count >= 0 else "",
    "j_idol": lambda joker, run: run.targets.idol_rank + SUIT_SYMBOLS[run.targets.idol_suit],
    "j_mail": lambda joker, run: run.targets.mail_rank,
    "j_ancient": lambda joker, run: SUIT_SYMBOLS[run.targets.ancient_suit],
    "j_blueprint": _copied,
    "j_brainstorm": _copied,
    # What they count anew each time.
    "j_stencil": _stencil,
    "j_banner": lambda joker, run: chips_text(30 * run.discards_left),
    "j_steel_joker": lambda joker, run: x_mult_text(1 + 0.2 * _enhanced(run, "m_steel")),
    "j_abstract": lambda joker, run: mult_text(3 * len(run.jokers)),
    "j_blue_joker": lambda joker, run: chips_text(2 * len(run.draw_pile)),
    "j_cloud_9": _nines,
    "j_erosion": lambda joker, run: mult_text(4 * max(0, _starting_deck(run) - len(run.cards))),
    "j_fortune_teller": lambda joker, run: mult_text(run.tarots_used),
    "j_stone": lambda joker, run: chips_text(25 * _enhanced(run, "m_stone")),
    "j_bull": lambda joker, run: chips_text(2 * max(0, run.dollars)),
    "j_swashbuckler": _swashbuckler,
    "j_throwback": lambda joker, run: x_mult_text(1 + 0.25 * run.skips),
    "j_satellite": lambda joker, run: money_text(run.planets_used),
    "j_drivers_license": _license,
    "j_bootstraps": lambda joker, run: mult_text(2 * (max(0, run.dollars) // 5)),
}
