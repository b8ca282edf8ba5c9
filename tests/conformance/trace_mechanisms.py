"""Differences that come from mechanisms which the model behind the traces does not have: effects that wait until every
joker has been asked, bosses that look at cards again at once, a live hand size, hands that only draws sort.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from conformance.report import Case
from conformance.trace_format import State
from conformance.trace_taken import Item, Taken

COPIERS = ("j_blueprint", "j_brainstorm")
SCORE = {"chips", "last.chips", "last.mult", "last.total"}
CARD_MAKERS = {"c_immolate", "c_ectoplasm", "c_grim", "c_familiar", "c_incantation", "c_cryptid"}
SORTERS = {
    "c_fool",
    "c_high_priestess",
    "c_emperor",
    "c_judgement",
    "c_wraith",
    "c_soul",
    "c_grim",
    "c_familiar",
    "c_incantation",
    "c_cryptid",
}
"""What makes the model sort the hand."""
HELD_JOKERS = ("j_baron", "j_mime", "j_raised_fist", "j_shoot_the_moon", "j_reserved_parking", "j_blackboard")
DEBUFFERS = {"bl_club", "bl_goad", "bl_head", "bl_window", "bl_plant", "bl_pillar", "bl_final_leaf"}
SUIT_BOSSES = {"bl_club": "C", "bl_goad": "S", "bl_head": "H", "bl_window": "D"}


def debuffs_are_looked_at_at_once(taken: Taken, case: Case) -> bool:
    """The mark of a debuff on a card, after a consumable or a sale under a boss that debuffs cards, or after the dagger
    has taken a joker that widened its debuff."""
    dagger = taken.kind == "select" and taken.owned("j_ceremonial") and taken.owned("j_smeared", "j_pareidolia")
    boss = _boss(taken.after if dagger else taken.before)
    if not (dagger or taken.kind in ("use", "sell")) or boss not in DEBUFFERS:
        return False
    if Item(taken, case).area not in ("hand", "deck"):
        return False
    if not isinstance(case.expected, str) or not isinstance(case.found, str):
        return False
    return _plain([case.expected]) == _plain([case.found])


def only_draws_sort_the_hand(taken: Taken, case: Case) -> bool:
    """The same cards in another order: of the hand, or of the hand that was put under the pile at the end of a pack."""
    drew_nothing = taken.kind == "play" and len(taken.found["deck"]) == len(taken.before["deck"])
    if not drew_nothing and taken.used not in SORTERS:
        return False
    area = Item(taken, case).area
    if area == "hand":
        return _another_order(taken.after["hand"], taken.found["hand"])
    put_back = len(taken.found["deck"]) - len(taken.before["deck"])
    there, here = taken.after["deck"], taken.found["deck"]
    if area != "deck" or put_back <= 0 or there[put_back:] != here[put_back:]:
        return False
    return _another_order(there[:put_back], here[:put_back])


def nothing_is_drawn_at_the_end_of_a_pack(taken: Taken, case: Case) -> bool:
    """The next card of the draw pile went to its bottom, with the hand."""
    if taken.kind != "pick" or taken.used not in CARD_MAKERS or Item(taken, case).area != "deck":
        return False
    here, there = taken.found["deck"], taken.after["deck"]
    bottom = len(here) - len(taken.before["deck"]) + 1
    if there[bottom:] != here[bottom - 1 : -1]:
        return False
    return _same_cards(there[:bottom], [here[-1], *here[: bottom - 1]])


def a_larger_hand_draws_at_once(taken: Taken, case: Case) -> bool:
    """Cards came from the pile into the hand as the hand size rose, face down under some bosses."""
    rise = taken.found["hand_size"] - taken.before["hand_size"]
    rolled = case.path == "rng.wheel" and _boss(taken.before) == "bl_wheel"
    if taken.kind not in ("sell", "use", "play") or rise <= 0:
        return False
    if Item(taken, case).area not in ("hand", "deck") and not rolled:
        return False
    drawn = taken.after["deck"][len(taken.found["deck"]) :]
    there, here = ([card.replace("^", "") for card in cards] for cards in (taken.after["hand"], taken.found["hand"]))
    return 0 < len(drawn) <= rise and _same_cards([*there, *drawn], here)


def copy_by_dna_is_held(taken: Taken, case: Case) -> bool:
    """Steel, Baron and the like count the copy of the single card that was played."""
    if taken.kind != "play" or not taken.owned("j_dna") or taken.before["hands_played"] or len(taken.action["i"]) != 1:
        return False
    steel = "/steel" in taken.before["hand"][taken.action["i"][0]]
    if not steel and not taken.owned(*HELD_JOKERS):
        return False
    parked = taken.owned("j_reserved_parking") and case.path in ("dollars", "rng.parking")
    return bool(case.path in SCORE or parked or taken.found["phase"] != taken.after["phase"])


def vampire_bares_a_suit(taken: Taken, case: Case) -> bool:
    """A Stone card that Vampire turns back is of the suit that the boss debuffs, and scores nothing."""
    boss = _boss(taken.before)
    if taken.kind != "play" or not taken.owned("j_vampire") or boss not in SUIT_BOSSES:
        return False
    played = [taken.before["hand"][place] for place in taken.action["i"]]
    bared = any("/stone" in card and card[1] == SUIT_BOSSES[boss] for card in played)
    return bared and (case.path in SCORE or taken.found["phase"] != taken.after["phase"])


def targets_hold_the_forced_card(taken: Taken, case: Case) -> bool:
    if case.path != "action" or taken.kind != "use" or "Cerulean Bell" not in str(case.found):
        return False
    forced = {place for place, card in enumerate(taken.before["hand"]) if "@" in card}
    return bool(forced - set(taken.action.get("i", ())))


def jokers_are_asked_before_things_happen(taken: Taken, case: Case) -> bool:
    """Riff-raff beside Ceremonial Dagger or Madness, or the dagger under Amber Acorn."""
    beside = taken.owned("j_riff_raff") and taken.owned("j_ceremonial", "j_madness")
    under_acorn = taken.owned("j_ceremonial") and (taken.after["blind"] or {}).get("key") == "bl_final_acorn"
    if taken.kind != "select" or not (beside or under_acorn):
        return False
    streams = ("rng.Joker1rif", "rng.edirif", "rng.madness", "rng.aajk")
    return Item(taken, case).area == "jokers" or case.path.startswith(streams)


def a_lowered_target_is_reached_at_once(taken: Taken, case: Case) -> bool:
    """The round goes on there."""
    before, after = taken.before["blind"], taken.after["blind"]
    over = taken.found["phase"] == "round_eval" and taken.after["phase"] == "selecting_hand"
    if taken.kind not in ("sell", "use") or not over or not before or not after:
        return False
    return bool(before["target"] > after["target"] <= taken.after["chips"])


def an_emptied_hand_is_drawn_anew(taken: Taken, case: Case) -> bool:
    """The round ends there, or goes on without cards."""
    drawn = [card.replace("^", "") for card in _plain(taken.found["hand"])]
    from_the_pile = drawn and set(drawn) <= set(_plain(taken.before["deck"]))
    goes_on = taken.found["phase"] == "selecting_hand" and not taken.after["hand"]
    return bool(taken.used in ("c_hanged_man", "c_immolate") and goes_on and from_the_pile)


def negative_consumable_keeps_its_slot(taken: Taken, case: Case) -> bool:
    if taken.kind != "use" or taken.used not in ("c_fool", "c_emperor", "c_high_priestess"):
        return False
    negative = taken.before["cons"][taken.action["n"]].get("ed") == "neg"
    return negative and (Item(taken, case).area == "cons" or case.path.startswith(("rng.Tarotemp", "rng.Planetpri")))


def matador_rests_at_hook_and_tooth(taken: Taken, case: Case) -> bool:
    if taken.kind != "play" or _boss(taken.before) not in ("bl_hook", "bl_tooth"):
        return False
    if case.path in ("earn.interest", "earn.total"):  # what more money brings when the round is won
        return bool(taken.owned("j_matador") and 0 < case.expected - case.found <= 5)
    if case.path != "dollars":
        return False
    max_gain = 8 * (len(taken.owned("j_matador")) + len(taken.owned(*COPIERS)))
    more = case.expected - case.found
    return bool(taken.owned("j_matador") and 0 < more <= max_gain and more % 8 == 0)


def the_ox_empties_the_purse_at_once(taken: Taken, case: Case) -> bool:
    """Vagabond makes a tarot."""
    if taken.kind != "play" or _boss(taken.before) != "bl_ox" or not taken.owned("j_vagabond"):
        return False
    return Item(taken, case).area == "cons" or case.path.startswith("rng.Tarotvag")


def hallucination_acts_in_packs_of_tags(taken: Taken, case: Case) -> bool:
    by_tag = taken.kind == "skip" or len(taken.found["tags"]) < len(taken.before["tags"])
    if not by_tag or taken.found["phase"] != "pack_opening":
        return False
    return bool(
        taken.owned("j_hallucination")
        and (Item(taken, case).area == "cons" or case.path.startswith(("rng.halu", "rng.Tarothal")))
    )


def equal_cards_lie_by_the_suit_they_were_created_with(taken: Taken, case: Case) -> bool:
    """Cards of one rank and suit have changed places: in the hand, or in the hand that a pack put under the pile."""
    area = Item(taken, case).area
    if area not in ("hand", "deck"):
        return False
    there, here = taken.after[area], taken.found[area]
    places = {(one[:2], other[:2]) for one, other in zip(there, here, strict=False) if one != other}
    equal = all(one == other for one, other in places)
    return equal and Counter(there) == Counter(here) and case.expected in here and case.found in there


def marble_puts_its_stone_under_the_pile(taken: Taken, case: Case) -> bool:
    """The Stone cards lie below the deck that was shuffled without them."""
    if taken.kind != "select" or not taken.owned("j_marble") or Item(taken, case).area not in ("hand", "deck"):
        return False
    there, here = ([*state["hand"], *state["deck"]] for state in (taken.after, taken.found))
    stones = len(here) - len(taken.before["hand"]) - len(taken.before["deck"])
    under = taken.found["deck"][:stones]
    return all("/stone" in card for card in under) and Counter(map(_face_up, there)) == Counter(map(_face_up, here))


def reroll_vouchers_cut_the_present_price(taken: Taken, case: Case) -> bool:
    if taken.kind != "voucher" or case.path != "reroll":
        return False
    return bool(case.found == max(0, taken.before["reroll"] - 2) < case.expected)


MECHANISMS: tuple[Callable[[Taken, Case], bool], ...] = (
    debuffs_are_looked_at_at_once,
    only_draws_sort_the_hand,
    nothing_is_drawn_at_the_end_of_a_pack,
    a_larger_hand_draws_at_once,
    copy_by_dna_is_held,
    vampire_bares_a_suit,
    targets_hold_the_forced_card,
    jokers_are_asked_before_things_happen,
    a_lowered_target_is_reached_at_once,
    an_emptied_hand_is_drawn_anew,
    negative_consumable_keeps_its_slot,
    matador_rests_at_hook_and_tooth,
    the_ox_empties_the_purse_at_once,
    hallucination_acts_in_packs_of_tags,
    reroll_vouchers_cut_the_present_price,
    equal_cards_lie_by_the_suit_they_were_created_with,
    marble_puts_its_stone_under_the_pile,
)


def _boss(state: State) -> str | None:
    """The blind of a round, unless it has lost its ability."""
    blind = state["blind"]
    return blind["key"] if blind and state["phase"] == "selecting_hand" and not blind.get("disabled") else None


def _plain(cards: Sequence[str]) -> list[str]:
    return [card.replace("!", "") for card in cards]


def _face_up(card: str) -> str:
    """The card without what the deal makes of it: debuffed, face down, forced."""
    return card.rstrip("!^@")


def _same_cards(there: Sequence[str], here: Sequence[str]) -> bool:
    """In any order, debuffed or not: another rule is about that."""
    return Counter(_plain(there)) == Counter(_plain(here))


def _another_order(there: Sequence[str], here: Sequence[str]) -> bool:
    return _same_cards(there, here) and _plain(there) != _plain(here)
