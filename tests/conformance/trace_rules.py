"""Rules of the game that the model behind the traces does not follow.

Each says which difference of which step it accounts for, as narrowly as the rule allows, so that it cannot hide another
difference of the same step. ``exceptions.toml`` names the rules in force and argues for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from conformance.report import Case
from conformance.trace_mechanisms import MECHANISMS
from conformance.trace_taken import Item, Taken
from jimbo.engine.seed_tools import advance_state

Json = dict[str, Any]

COPIERS = {"j_blueprint", "j_brainstorm"}
PAID_AREAS = {"buy": "shop", "voucher": "shop_vouchers", "open": "boosters"}


def blocked_hand_runs_after_effects(taken: Taken, case: Case) -> bool:
    """Ice Cream and Seltzer go down by one step."""
    item = Item(taken, case)
    steps = {("j_ice_cream", "ab.extra.chips"): (100, 5), ("j_selzer", "ab.extra"): (10, 1)}
    fresh, step = steps.get((str(item.there.get("k")), str(item.field)), (0, 0))
    blocked = all(state["last"] and state["last"]["blocked"] for state in (taken.after, taken.found))
    return bool(taken.kind == "play" and blocked and step and (case.expected or fresh) - step == case.found)


def a_won_run_stays_won(taken: Taken, case: Case) -> bool:
    lost = taken.after["phase"] == "game_over" and taken.found["phase"] == "game_over"
    return case.path == "won" and taken.before["won"] and lost


def debuffed_chaos_gives_no_reroll(taken: Taken, case: Case) -> bool:
    debuffed = len(taken.owned("j_chaos", debuffed=True))
    if taken.kind != "select" or taken.after["free_rerolls"] - taken.found["free_rerolls"] != debuffed:
        return False
    return case.path == "free_rerolls" or (case.path == "reroll" and case.expected == 0)


def waiting_boss_tag_is_used(taken: Taken, case: Case) -> bool:
    tags: Sequence[str] = taken.before["tags"]
    if taken.kind != "leave" or "tag_boss" not in tags:
        return False
    first = tags.index("tag_boss")
    used = taken.found["tags"] == [*tags[:first], *tags[first + 1 :]]
    item = Item(taken, case)
    return used and taken.after["tags"] == tags and (item.area == "tags" or case.path in ("choices.Boss", "rng.boss"))


def gift_card_is_not_copied(taken: Taken, case: Case) -> bool:
    """A copy would add another dollar to every sell value."""
    item = Item(taken, case)
    raised = (item.area, item.field) in {("jokers", "sell"), ("jokers", "ab.extra_value"), ("cons", "sell")}
    if not raised or taken.kind != "play" or taken.after["phase"] != "round_eval" or not taken.owned("j_gift"):
        return False
    return 1 <= (case.expected or 0) - (case.found or 0) <= len(taken.owned(*COPIERS))


def parking_retriggers_only_on_success(taken: Taken, case: Case) -> bool:
    """More rolls were made there for held cards with a Red Seal, at most one each; a hit pays a dollar."""
    if taken.kind != "play" or not taken.owned("j_reserved_parking") or case.path not in ("dollars", "rng.parking"):
        return False
    played = set(taken.action["i"])
    again = sum("#Red" in card for place, card in enumerate(taken.before["hand"]) if place not in played)
    stream, rolls = taken.found["rng"].get("parking"), 0
    while stream is not None and stream != taken.after["rng"].get("parking") and rolls <= again:
        stream, rolls = advance_state(stream), rolls + 1
    if not 1 <= rolls <= again:
        return False
    return case.path == "rng.parking" or abs(case.expected - case.found) <= rolls


def injected_discount_acts_on_all_prices(taken: Taken, case: Case) -> bool:
    """What was there when the voucher was injected keeps its full price in the trace."""
    if taken.undiscounted is None:
        return False
    if case.path == "dollars" and taken.kind in PAID_AREAS:
        paid = taken.before[PAID_AREAS[taken.kind]][taken.action["n"]]["cost"]
        return bool(case.expected == taken.before["dollars"] - paid < case.found)
    if case.path == "dollars" and taken.kind == "sell":
        area = "jokers" if taken.action["area"] == "jokers" else "cons"
        value = taken.before[area][taken.action["n"]]["sell"]
        return bool(case.expected == taken.before["dollars"] + value > case.found)
    item = Item(taken, case)
    if item.field not in ("sell", "cost"):
        return False
    full = taken.undiscounted[item.area]
    return bool(item.place < len(full) and case.expected == full[item.place][item.field] > case.found)


def debuffed_jokers_are_chosen_from_too(taken: Taken, case: Case) -> bool:
    """Hex or Ectoplasm took another joker, because the model leaves debuffed ones out."""
    if taken.used not in ("c_hex", "c_ectoplasm"):
        return False
    before = {joker["id"]: joker for joker in taken.before["jokers"]}
    if not any("db" in joker and "ed" not in joker for joker in before.values()):
        return False
    there, here = _newly_edged(before, taken.after["jokers"]), _newly_edged(before, taken.found["jokers"])
    item = Item(taken, case)
    if item.area != "jokers" or len(there) != 1 or len(here) != 1 or there == here:
        return False
    if taken.used == "c_ectoplasm" and item.field not in ("ed", "sell"):
        return False
    return {item.there.get("id"), item.here.get("id")} <= there | here


def _newly_edged(before: dict[int, Json], jokers: Sequence[Json]) -> set[int]:
    """The jokers that have got an edition."""
    return {joker["id"] for joker in jokers if "ed" in joker and "ed" not in before.get(joker["id"], joker)}


RULES: dict[str, Callable[[Taken, Case], bool]] = {
    rule.__name__: rule
    for rule in (
        blocked_hand_runs_after_effects,
        a_won_run_stays_won,
        debuffed_chaos_gives_no_reroll,
        waiting_boss_tag_is_used,
        gift_card_is_not_copied,
        parking_retriggers_only_on_success,
        injected_discount_acts_on_all_prices,
        debuffed_jokers_are_chosen_from_too,
        *MECHANISMS,
    )
}


def explain(taken: Taken, case: Case) -> Case:
    """The difference with the names of the rules that account for it."""
    return case._replace(explained_by=tuple(name for name, rule in RULES.items() if rule(taken, case)))
