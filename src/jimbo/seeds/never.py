"""Why an item cannot turn up in any seed. The engine decides whether it can; the reasons are given here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from jimbo.engine import LAST_ANTE
from jimbo.engine.catalog import (
    BLINDS,
    BOOSTERS,
    CHALLENGES,
    CONSUMABLES,
    DECKS,
    JOKERS,
    TAGS,
    VOUCHERS,
    Fact,
    fact,
)
from jimbo.engine.seed_tools import blocked_at_start

SOUL = "c_soul"
SOUGHT: Mapping[str, Fact] = {**JOKERS, **CONSUMABLES, **VOUCHERS, **BOOSTERS, **TAGS, **BLINDS}
"""What can be searched for; of the blinds, bosses alone."""


def why_never(key: str, deck: str, last_ante: int, challenge: str | None = None, *, first_ante: int = 1) -> str | None:
    """Why an item cannot turn up in these antes, as a sentence; None if it can. Unknown keys raise ValueError."""
    if why := why_never_sought(key):
        return why
    reason = _no_source(key, deck, challenge) or _blocked(key, deck, challenge)
    reason = reason or _wrong_antes(key, first_ante, last_ante)
    return _sentence(key, reason) if reason else None


def why_never_sought(key: str) -> str | None:
    """Why it makes no sense to look for an item, or for seeds without it."""
    try:
        fact(key)
    except KeyError as error:
        raise ValueError(str(error.args[0])) from None
    if key in BLINDS and not BLINDS[key].boss:
        return _sentence(key, "it is there in every ante; only bosses differ from seed to seed")
    if key not in SOUGHT:
        return _sentence(key, "only jokers, consumables, vouchers, packs, tags and bosses can be searched for")
    return None


def why_never_cards(deck: str, challenge: str | None) -> str | None:
    """Why no playing card can turn up; None if some can."""
    if challenge and _kinds_banned("Standard", deck, challenge):
        return f"Playing cards cannot turn up: {CHALLENGES[challenge].name} bans Standard packs."
    return None


def start_name(deck: str, challenge: str | None) -> str:
    return CHALLENGES[challenge].name if challenge else f"the {DECKS[deck].name}"


def _sentence(key: str, reason: str) -> str:
    return f"{fact(key).name} ({key}) cannot turn up: {reason}."


@cache
def _blocked_keys(deck: str, challenge: str | None) -> frozenset[str]:
    return frozenset(blocked_at_start(deck, challenge))


def _kinds_banned(kind: str, deck: str, challenge: str | None) -> bool:
    keys = {key for key, booster in BOOSTERS.items() if booster.kind == kind}
    return keys <= _blocked_keys(deck, challenge)


def _no_source(key: str, deck: str, challenge: str | None) -> str | None:
    if key not in JOKERS or challenge is None:
        return None
    if JOKERS[key].rarity == "Legendary":
        closed = SOUL in _blocked_keys(deck, challenge)
    else:
        closed = CHALLENGES[challenge].no_shop_jokers and _kinds_banned("Buffoon", deck, challenge)
    return f"{CHALLENGES[challenge].name} offers no jokers" if closed else None


def _blocked(key: str, deck: str, challenge: str | None) -> str | None:
    if key not in _blocked_keys(deck, challenge):
        return None
    if challenge and key in _bans(challenge):
        return f"{CHALLENGES[challenge].name} bans it"
    held = _held(deck, challenge)
    if key in held:
        stays = "" if key in VOUCHERS else ", and it stays out of the pools while it is held"
        return f"{start_name(deck, challenge)} starts with it{stays}"
    return _condition(key)


def _bans(challenge: str) -> set[str]:
    rules = CHALLENGES[challenge]
    return {
        *rules.banned_jokers,
        *rules.banned_consumables,
        *rules.banned_vouchers,
        *rules.banned_boosters,
        *rules.banned_tags,
        *rules.banned_blinds,
    }


def _held(deck: str, challenge: str | None) -> set[str]:
    held = {*DECKS[deck].vouchers, *DECKS[deck].consumables}
    if challenge:
        rules = CHALLENGES[challenge]
        held |= {*rules.vouchers, *rules.consumables, *(joker.key for joker in rules.jokers)}
    return held


def _condition(key: str) -> str:
    """What must have happened before a blocked item can come up."""
    if key in VOUCHERS:
        return f"{fact(VOUCHERS[key].prerequisite or key).name} must be redeemed first"
    if key in CONSUMABLES:
        return f"{CONSUMABLES[key].hand} must be played first"
    gate = JOKERS[key].gate
    return f"the deck must hold a {fact(gate).name} first" if gate else "Gros Michel must go extinct first"


def _wrong_antes(key: str, first: int, last: int) -> str | None:
    earliest = 1
    if key in TAGS:
        earliest = TAGS[key].min_ante
    elif key in BLINDS:
        showdown = BLINDS[key].showdown
        earliest = LAST_ANTE if showdown else BLINDS[key].min_ante
        if last >= earliest and not any((ante % LAST_ANTE == 0) == showdown for ante in range(first, last + 1)):
            ante = f"every {LAST_ANTE}th ante"
            return f"it comes only in {ante}" if showdown else f"{ante} has a showdown boss"
    return f"it comes in ante {earliest} at the earliest" if earliest > last else None
