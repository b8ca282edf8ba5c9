"""What reasons claim is true: worked out again by brute force, in other deals and by other ways."""

import itertools
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, stdev
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.engine import Action, PublicState, Run, best_joker_order, forecast, solve_blind
from jimbo.engine.catalog import DECKS, HANDS, JOKERS
from jimbo.engine.value import input_groups, judge_options, value_inputs
from jimbo.knowledge.neighbours import neighbours
from jimbo.models.value_file import load_value
from jimbo.serve.assistant import Adviser, Suggestion
from jimbo.text import build_reasons as b
from jimbo.text import card_name, card_short, full_deck, joker_name, joker_now
from jimbo.text import hand_reasons as h
from jimbo.text import reasons as r

GAMES = [("CLAIM1", "white"), ("CLAIM3", "gold"), ("CLAIM4", "gold")]
SAMPLED = 500
EFFORT = 0.2
OTHER = 100_000
"""Deals from here on were not seen by the reasons."""
ERRORS = 4.5
"""Standard errors that two samples may differ by; some thousand comparisons are made."""
TWO_DIGITS = 0.025
"""Of the logarithm of a score: it is told to two digits, and some blinds make nearly the same in most deals."""
ORDER = {fact.name: fact.order for fact in HANDS.values()}


@dataclass(frozen=True)
class Case:
    """A suggestion with a computed reason."""

    state: PublicState
    one: Suggestion
    listed: Sequence[Suggestion]
    actions: tuple[Action, ...]


@cache
def cases() -> list[Case]:
    """All reasons of the games."""
    found = []
    for seed, stake in GAMES:
        run, adviser, follows = Run(seed=seed, stake=stake), Adviser(make_agent("expert", effort=EFFORT)), False
        while not (run.public_state().over or run.won):
            state = run.public_state()
            advice = adviser.advise(state, follows=follows)
            follows = True
            found += [
                Case(state, one, advice.suggestions, steps_of(state, one)) for one in advice.suggestions if one.claims
            ]
            run.step(advice.suggestions[0].action)
    return found


def steps_of(state: PublicState, one: Suggestion) -> tuple[Action, ...]:
    """The action, and what it says that follows."""
    if not one.then or state.phase == "selecting_hand":
        return (one.action,)
    run = state.imagine(OTHER)
    run.step(one.action)
    after = run.public_state()
    names = one.then.split(" for ")[0].removeprefix("then ").removeprefix("buy ").removeprefix("take ")
    offers = after.shop if state.phase == "shop" else after.pack.cards if after.pack else []
    place = next(place for place, offer in enumerate(offers) if offer.name == names)
    return one.action, Action("buy" if state.phase == "shop" else "pick", index=place)


def test_sampled_claims_are_true_by_brute_force() -> None:
    sampled = random.Random(33).sample(cases(), SAMPLED)
    sampled += [case for case in cases() if any(isinstance(claim, RARE) for claim in case.one.claims)]
    checked: Counter[str] = Counter()
    wrong = []
    for case in sampled:
        for claim in case.one.claims:
            if check := CHECKS.get(type(claim)):
                checked[type(claim).__name__] += 1
                try:
                    check(case, claim)
                except (AssertionError, ValueError, StopIteration) as error:
                    wrong.append(f"{case.one.words}: {claim!r}: {error}")
    print(checked)
    assert not wrong, f"{len(wrong)} of {checked.total()}\n" + "\n".join(wrong)
    assert checked.total() > SAMPLED
    assert len(checked) > 15


def test_every_kind_of_claim_is_worked_out_again() -> None:
    kinds = {kind for module in (r, h, b) for kind in vars(module).values() if isinstance(kind, type)}
    assert {kind for kind in kinds if issubclass(kind, r.Claim) and kind is not r.Claim} == {*CHECKS, *UNCHECKED}


def test_few_reasons_fall_back_and_none_is_empty_of_numbers() -> None:
    fallbacks = [case for case in cases() if any(isinstance(claim, r.Adds) for claim in case.one.claims)]
    assert len(fallbacks) < 0.1 * len(cases())
    for case in cases():
        text = case.one.reason
        assert text.replace("Mr. ", "").count(". ") <= 1, text  # two sentences at most
        assert "High Card or better" not in text
        said = [claim for claim in case.one.claims if not isinstance(claim, r.Only | r.GoesOn)]
        assert not said or any(letter.isdigit() for letter in text) or says_a_fact(said), text


def says_a_fact(claims: Sequence[r.Claim]) -> bool:
    return all(
        isinstance(claim, h.Clears | h.TriedLess | h.Comes | b.Changes | b.Turns | b.Room | b.Behind)
        for claim in claims
    )


# --- Brute force ------------------------------------------------------------------------------------------------------


def close(said: float, found: Sequence[float], others: int, least: float = 0.0) -> None:
    """A mean of so many others agrees with these."""
    mean = fmean(found)
    spread = stdev(found)
    if all(value in (0, 1) for value in found):  # shares: both samples tell about the spread
        pooled = (said * others + mean * len(found)) / (others + len(found))
        spread = max(math.sqrt(pooled * (1 - pooled)), math.sqrt(0.25 / len(found)))
    error = spread * math.sqrt(1 / len(found) + 1 / others)
    assert abs(said - mean) <= ERRORS * error + least + 1e-9, f"{said} against {mean} +/- {error}"


def taken(case: Case, nonce: int) -> Run:
    run = case.state.imagine(OTHER + nonce)
    for action in case.actions:
        run.step(action)
    return run


def all_plays(run: Run) -> Iterator[Any]:
    """Every play of cards that show, scored."""
    shown = [place for place, card in enumerate(run.public_state().hand) if not card.face_down]
    for count in range(1, 6):
        for cards in itertools.combinations(shown, count):
            if run.refusal(Action("play", cards=list(cards))) is None:
                yield run.preview(list(cards), "expected")


def next_plays(case: Case, deals: int = 100) -> list[tuple[Any, float]]:
    """The best play of each deal, out of all there are, and what is needed."""
    found = []
    for nonce in range(deals):
        run = taken(case, nonce)
        if run.phase == "selecting_hand" and (plays := list(all_plays(run))):
            found.append((max(plays, key=lambda play: play.score), run.target - run.chips))
    return found


def comes(case: Case, claim: h.Comes) -> None:
    plays = next_plays(case)
    if claim.held:
        hand = case.state.hand
        kept = [place for place, card in enumerate(hand) if place not in case.one.action.cards]
        ways = (cards for count in range(1, 6) for cards in itertools.combinations(kept, count))
        run = case.state.imagine(0)
        made = {
            tuple(sorted(card_short(hand[place]) for place in cards)): run.preview(list(cards), "expected").hand
            for cards in ways
            if run.refusal(Action("play", cards=list(cards))) is None
        }
        assert made[tuple(sorted(claim.kept))] == claim.hand
        return
    close(claim.share, [float(ORDER[play.hand] >= ORDER[claim.hand]) for play, _ in plays], claim.deals)
    makes(case, claim, plays)


def makes(case: Case, claim: h.Comes | h.Makes, plays: Sequence[tuple[Any, float]] = ()) -> None:
    plays = plays or next_plays(case)
    close(claim.enough, [float(play.score >= needed) for play, needed in plays], claim.deals)
    close(claim.score, [play.score for play, _ in plays], claim.deals, 0.02 * claim.score)
    if claim.now is not None:
        assert claim.now == max(play.score for play in all_plays(case.state.imagine(0)))


def needed_of(state: PublicState) -> float:
    return state.blind.target - state.chips


def beats(case: Case, claim: h.Beats) -> None:
    assert claim.needed == needed_of(case.state)
    deck = DECKS[case.state.deck]
    for nonce in range(20):
        run = taken(case, nonce)
        assert run.phase == "round_eval"
        before = run.public_state().dollars
        sheet = run.public_state().payout
        run.step(Action("cash_out"))
        assert run.dollars == before + sheet.total
        assert claim.dollars == sheet.hands + sheet.discards
    hands, discards = case.state.hands_left - 1, case.state.discards_left
    assert claim.dollars == hands * deck.dollars_per_hand + discards * deck.dollars_per_discard


def falls_short(case: Case, claim: h.FallsShort) -> None:
    assert claim.needed == needed_of(case.state)
    assert claim.hands == case.state.hands_left - 1
    scored = [taken(case, nonce).chips - case.state.chips for nonce in range(60)]
    close(claim.score, scored, 80, 1e-6 * claim.score + 1)


def by_luck(case: Case, claim: h.ByLuck) -> None:
    close(claim.share, [float(taken(case, nonce).phase == "round_eval") for nonce in range(300)], 80)


def thrown_in(case: Case, claim: h.ThrownIn) -> None:
    run = case.state.imagine(0)
    places = [place for place in case.one.action.cards if card_short(case.state.hand[place]) in claim.cards]
    rest = [place for place in case.one.action.cards if place not in places]
    assert run.preview(rest, "expected").score >= run.preview(case.one.action.cards, "expected").score


def boss_takes(case: Case, claim: h.BossTakes) -> None:
    data = case.state.to_data()
    data["blind"] |= {"key": "bl_wall"}  # a boss that only asks for more
    for card in [*data["hand"], *data["jokers"]]:
        card.pop("debuffed", None)
        card.pop("debuffed_by_blind", None)
    run = PublicState.from_data(data).imagine(0)
    assert run.preview(case.one.action.cards, "expected").score == pytest.approx(claim.without)
    assert case.state.imagine(0).preview(case.one.action.cards, "expected").score == claim.score


def debuffed(case: Case, claim: h.Debuffed) -> None:
    assert claim.cards == sum(case.state.hand[place].debuffed for place in case.one.action.cards)


def ordered(case: Case, claim: h.Ordered) -> None:
    if not claim.deals:
        assert claim.after > claim.before
        return
    sides = [], []  # type: tuple[list[float], list[float]]
    for nonce in range(150):
        run = case.state.imagine(OTHER + nonce)
        moved = run.clone()
        if nonce == 0:
            order = best_joker_order(run)
        ids = [joker.id for joker in run.public_state().jokers]
        for to, place in enumerate(order):
            now = [joker.id for joker in moved.public_state().jokers].index(ids[place])
            if now != to:
                moved.step(Action("move_joker", index=now, to=to))
        for side, world in zip(sides, (run, moved), strict=True):
            if world.phase == "blind_select":
                world.step(Action("select_blind"))
            side.append(max(play.score for play in all_plays(world)))
    close(claim.before, sides[0], claim.deals, 0.02 * claim.before)
    close(claim.after, sides[1], claim.deals, 0.02 * claim.after)


def clears(case: Case, claim: h.Clears) -> None:
    """Tried again longer, in other deals, by the same solver."""
    solved = solve_blind(case.state.imagine(0), 1200, nonce=OTHER, value=load_value()[0])
    by_action = {one.action: one for one in solved if one.worlds >= 50}
    mine = by_action.get(case.one.action)
    words = {one.words: one.action for one in case.listed}
    other = by_action.get(words.get(claim.other, case.one.action))
    if claim.ends:
        ended = case.state.imagine(OTHER)
        ended.step(words[claim.other])
        assert ended.phase == "round_eval"
    if mine and other:
        error = 100 * math.hypot(mine.error, other.error, claim.error / 100)
        assert abs(100 * (mine.clear - other.clear) - claim.points) <= ERRORS * error


def chosen_one(case: Case) -> Suggestion:
    return next(one for one in case.listed if one.chosen)


def tried_less(case: Case, claim: h.TriedLess) -> None:
    """A chance that n deals have told is wrong by the root of p (1 - p) / n, and at least by 1 / 2n."""
    other = next(one for one in case.listed if one.words == claim.other) if claim.other else case.one
    best = chosen_one(case)
    assert (other.value or 0) > (best.value or 0)
    assert claim.deals < claim.of
    for one, deals in ((other, claim.deals), (best, claim.of)):
        chance = one.clear or 0
        error = math.sqrt(max(chance * (1 - chance), 0.25 / deals) / deals)
        assert error == pytest.approx(one.clear_error, rel=0.02 + 0.25 / deals)  # half a deal


def leaves(case: Case, claim: h.Leaves) -> None:
    """By the values, and, where longer trials tell them apart, in other deals too."""
    best = chosen_one(case)
    others = [best] if not case.one.chosen else [one for one in case.listed if one.value is not None]
    shown = [100 * (1 - (one.value or 0) / (best.value or 1)) for one in (others if case.one.chosen else [case.one])]
    assert min(abs(less - claim.percent) for less in shown) < 1e-6
    assert claim.to_choice == (not case.one.chosen)
    if case.one.chosen:
        return
    solved = solve_blind(case.state.imagine(0), 2000, nonce=OTHER, value=load_value()[0])
    found = {one.action: one for one in solved}
    mine, its = found.get(case.one.action), found.get(best.action)
    if mine and its and min(mine.worlds, its.worlds) >= 100:
        errors = (mine.error, its.error, case.one.clear_error or 0.0, best.clear_error or 0.0)
        error = 100 * math.hypot(*errors) / max(0.02, min(mine.clear, its.clear, case.one.clear or 1.0))
        least = 0.1 * abs(claim.percent) + 3  # what is left after a blind differs from deal to deal, too
        assert abs(100 * (1 - mine.value / its.value) - claim.percent) <= ERRORS * error + least


def boss_price(case: Case, claim: h.BossPrice) -> None:
    """Against the same step in a blind whose ability is gone."""
    data = case.state.to_data()
    data["blind"]["disabled"] = True
    there = PublicState.from_data(data).imagine(OTHER)
    here = case.state.imagine(OTHER)
    for run in (here, there):
        run.step(case.one.action)
    mine, other = here.public_state(), there.public_state()
    assert claim.dollars == other.dollars - mine.dollars
    levels = {one.hand: one.level for one in other.hands}
    assert set(claim.levels) == {one.hand for one in mine.hands if one.level < levels[one.hand]}


def unused(case: Case, claim: h.Unused) -> None:
    """By the sheets of the same blind, beaten with a hand or a discard more."""
    sheets = []
    for field in ("", "hands_left", "discards_left"):
        data = case.state.to_data()
        if field:
            data[field] += 1
        data["chips"] = data["blind"]["target"] - 1
        run = PublicState.from_data(data).imagine(0)
        plays = [action for action in run.legal_actions() if action.kind == "play"]
        run.step(max(plays, key=lambda play: run.preview(play.cards, "expected").score))
        sheets.append(run.public_state().payout)
    plain, hand, discard = sheets
    assert hand.hands - plain.hands == claim.hand
    assert discard.discards == plain.discards == 0


def ends_with(case: Case, claim: h.EndsWith) -> None:
    for nonce in range(5):
        run = taken(case, nonce)
        if run.phase == "selecting_hand":
            plays = [action for action in run.legal_actions() if action.kind == "play"]
            run.step(max(plays, key=lambda play: run.preview(play.cards, "expected").score))
        if run.phase != "round_eval":
            continue
        after = run.public_state()
        ending = {joker_name(joker): joker_now(joker, after) for joker in after.jokers}
        ending |= {f"Supernova for a {hand.hand}": f"+{hand.played} Mult" for hand in after.hands}
        ending["the money"] = f"${after.dollars + after.payout.total}"
        for what, mine, _ in claim.changes:
            assert ending[what] == mine


def logs(run: Run, place: int, deals: int = 100) -> list[float]:
    return [forecast(run, 6, 1, OTHER + deal, 0)[place].log_score for deal in range(deals)]


def place_of(case: Case, blind: str) -> int:
    left = [one for one in case.state.blinds if one.progress != "done"]
    return next(place for place, one in enumerate(left) if one.name == blind)


def slot_of(case: Case, blind: str) -> str:
    return next(one.slot for one in case.state.blinds if one.progress != "done" and one.name == blind)


def beaten(run: Run, slot: str, deals: int = 24) -> list[float]:
    while run.phase not in ("blind_select", "selecting_hand"):
        on = {"pack_opening": "skip_pack", "shop": "leave_shop", "round_eval": "cash_out"}
        run.step(Action(on[run.phase]))
    state = run.public_state()
    found = []
    for nonce in range(deals):
        data = state.to_data()
        if run.phase == "blind_select":
            data["on_deck"] = slot
        world = PublicState.from_data(data).imagine(OTHER + nonce)
        if world.phase == "blind_select":
            world.step(Action("select_blind"))
        found.append(solve_blind(world, 40, nonce=OTHER + nonce)[0].clear)
    return found


def against(case: Case, claim: b.Against) -> None:
    place, slot = place_of(case, claim.blind), slot_of(case, claim.blind)
    base = case.state.imagine(0)
    for told, state in ((claim.target_before, case.state), (claim.target, taken(case, 0).public_state())):
        assert told in {one.target for one in state.blinds if one.slot == slot}
    before, after = logs(base, place), logs(taken(case, 0), place)
    close(math.log(max(1.0, claim.before)), before, 32, TWO_DIGITS)
    close(math.log(max(1.0, claim.after)), after, 32, TWO_DIGITS)
    close(claim.beaten_before, beaten(base.clone(), slot), 16, 0.02)
    close(claim.beaten, beaten(taken(case, 0), slot), 16, 0.02)


def as_it_stands(case: Case, claim: b.AsItStands) -> None:
    run = case.state.imagine(0)
    close(math.log(max(1.0, claim.score)), logs(run, place_of(case, claim.blind)), 32, TWO_DIGITS)
    close(claim.beaten, beaten(run, slot_of(case, claim.blind)), 16, 0.02)


def gains(case: Case, place: int) -> list[float]:
    pairs = zip(logs(taken(case, 0), place), logs(case.state.imagine(0), place), strict=True)
    return [after - before for after, before in pairs]


def grows(case: Case, claim: b.Grows) -> None:
    close(math.log(claim.later), gains(case, 5), 32)


def promises(case: Case, claim: b.Promises) -> None:
    close(0.0, gains(case, 0), 32, 0.05)


def refunded(case: Case, deals: int = 64) -> list[float]:
    """Dollars after six blinds, the price given back, beyond those of the run without it."""
    run, base = taken(case, 0), case.state.imagine(0)
    run.dollars = base.dollars
    return [
        forecast(run, 6, 1, OTHER + deal, 0)[5].dollars - forecast(base, 6, 1, OTHER + deal, 0)[5].dollars
        for deal in range(deals)
    ]


def earns(case: Case, claim: b.Earns) -> None:
    close(claim.dollars, refunded(case), 32)


def chance(state: PublicState) -> float:
    """The package's value of a state before its next blind."""
    run = state.imagine(0)
    while run.phase not in ("blind_select", "selecting_hand"):
        on = {"pack_opening": "skip_pack", "shop": "leave_shop", "round_eval": "cash_out"}
        run.step(Action(on[run.phase]))
    options = judge_options(load_value()[0], run, 160, 0, 1)
    return next(one.win for one in options if not one.actions or one.actions[0].kind == "select_blind")


def price(case: Case, claim: b.Price) -> None:
    """By states written as JSON, in place of runs that are changed."""
    after = taken(case, 0).public_state()
    assert claim.dollars == case.state.dollars - after.dollars
    free = PublicState.from_data(after.to_data() | {"dollars": case.state.dollars})
    raw, whole = 100 * (chance(after) - chance(case.state)), claim.itself + claim.money
    if case.one.value is not None:
        assert whole == pytest.approx(case.one.value)
    else:
        assert whole == pytest.approx(raw)
    scale = whole / raw if abs(raw) >= 0.05 and 0.25 < whole / raw < 4 else 1.0
    assert claim.money == pytest.approx(scale * 100 * (chance(after) - chance(free)), abs=1e-6)


def split_parts(case: Case, claim: b.Split) -> None:
    """By changing the parts in every order, one after another; the signs again in other deals."""
    after = taken(case, 0).public_state()
    assert claim.dollars == case.state.dollars - after.dollars
    free = PublicState.from_data(after.to_data() | {"dollars": case.state.dollars})
    old, new, paid = (value_inputs(before_blind(state), 160, 8) for state in (case.state, free, after))
    raw = percent_of(paid) - percent_of(old)
    whole = case.one.value if case.one.value is not None else raw
    scale = whole / raw if abs(raw) >= 0.05 and 0.25 < whole / raw < 4 else 1.0
    assert claim.points == pytest.approx(whole)
    assert claim.money == pytest.approx(scale * (percent_of(paid) - percent_of(new)), abs=1e-3)
    assert sum(points for _, points in claim.parts) + claim.money + claim.rest == pytest.approx(claim.points)
    assert claim.dollars * claim.money <= 0  # more dollars never hurt
    room, least = after.joker_room - case.state.joker_room, min(after.joker_room, case.state.joker_room)
    exact = shapley(old, new)
    others = shapley(*(value_inputs(before_blind(state), 160, 32, OTHER) for state in (case.state, free)))
    for found in (exact, others):
        if exact["room"] * room <= 0 or least >= 2:
            found["later"] += found["room"]
    for name, points in claim.parts:
        assert points == pytest.approx(scale * exact[PART_OF_NAME.get(name, "risk")], abs=2e-2), name
    for name, points in claim.parts:
        assert points * others[PART_OF_NAME.get(name, "risk")] > 0, name
    told = dict(claim.parts)
    assert told.get("slot", 0.0) * room >= 0
    for place in {0, sum(one.progress != "done" for one in case.state.blinds) - 1}:
        measured = gains(case, place)
        error = stdev(measured) / math.sqrt(len(measured))
        mean = fmean(measured)
        assert abs(mean) < ERRORS * error + 0.02 or told.get("scores now", 0.0) * mean >= 0


PART_OF_NAME = {"scores now": "power", "income": "income", "slot": "room", "growth": "later", "later": "later"}
"""All others are stickers, and so risk."""


def percent_of(inputs: list[tuple[int, float]]) -> float:
    return 100 * load_value()[0].chances(inputs)[-1]


def before_blind(state: PublicState) -> Run:
    run = state.imagine(0)
    while run.phase not in ("blind_select", "selecting_hand"):
        on = {"pack_opening": "skip_pack", "shop": "leave_shop", "round_eval": "cash_out"}
        run.step(Action(on[run.phase]))
    return run


def shapley(old: list[tuple[int, float]], new: list[tuple[int, float]]) -> dict[str, float]:
    names = {group.name: group for group in input_groups()}
    parts = dict.fromkeys(range(sum(group.size for group in input_groups())), "later")
    for part, text in {
        "power": "power best_power log_power next_margin boss_margin plain_power levels cards suits ranks "
        "enhancements editions seals",
        "income": "dollars interest debt boss_dollars",
        "room": "joker_room",
        "risk": "spreads eternal perishable rounds_left stickers",
    }.items():
        for name in text.split():
            parts |= dict.fromkeys(range(names[name].start, names[name].start + names[name].size), part)
    first = names["limits"].start
    parts |= dict.fromkeys(range(first, first + 3), "power") | dict.fromkeys(range(first + 3, first + 6), "room")
    orders = list(itertools.permutations(("power", "income", "room", "risk", "later")))
    found = dict.fromkeys(orders[0], 0.0)
    known: dict[frozenset[str], float] = {}
    for order in orders:
        done: frozenset[str] = frozenset()
        for part in order:
            step = done | {part}
            for some in (done, step):
                if some not in known:
                    mixed = [one for one in old if parts[one[0]] not in some]
                    known[some] = percent_of(sorted(mixed + [one for one in new if parts[one[0]] in some]))
            found[part] += (known[step] - known[done]) / len(orders)
            done = step
    return found


def must(case: Case, claim: b.Must) -> None:
    data = case.state.to_data()
    poorer = PublicState.from_data(data | {"dollars": case.state.dollars - claim.dollars})
    assert claim.money == pytest.approx(100 * (chance(poorer) - chance(case.state)), abs=1e-6)
    if case.one.value is not None:
        assert claim.brings + claim.money == pytest.approx(case.one.value)


def turns(case: Case, claim: b.Turns) -> None:
    names = Counter(card_name(card) for card in full_deck(taken(case, 5).public_state()))
    assert all(names[name] >= times for name, times in Counter(claim.into).items())


def changes(case: Case, claim: b.Changes) -> None:
    after = taken(case, 5).public_state()
    hand, _, level = claim.what.partition(" at level ")
    field = claim.what.replace(" ", "_")
    if level:
        assert next(one.level for one in after.hands if one.hand == hand) == int(level)
    elif hasattr(after, field):
        assert (str(getattr(case.state, field)), str(getattr(after, field))) == (claim.before, claim.after)


def room(case: Case, claim: b.Room) -> None:
    after = taken(case, 3).public_state()
    assert {"joker": after.joker_room, "consumable": after.consumable_room}[claim.what] == claim.free
    key, change = f"{claim.what}_slots", -1 if claim.free else 1
    data = after.to_data()
    other = PublicState.from_data(data | {key: data[key] + change})
    assert claim.points == pytest.approx(100 * change * (chance(other) - chance(after)), abs=0.2)


def together(case: Case, claim: b.Together) -> None:
    place = len(case.state.blinds) - sum(one.progress == "done" for one in case.state.blinds) - 1
    close(math.log(claim.together), gains(case, place), 32)
    data = case.state.to_data()
    (gone,) = [at for at, joker in enumerate(case.state.jokers) if joker_name(joker) == claim.partner][:1]
    del data["jokers"][gone]
    without = PublicState.from_data(data)
    bought = without.imagine(0)
    bought.step(case.one.action)
    pairs = zip(logs(bought, place), logs(without.imagine(0), place), strict=True)
    close(math.log(claim.alone), [after - before for after, before in pairs], 32, 0.05)


def works_with(case: Case, claim: b.WorksWith) -> None:
    (owned,) = {joker.key for joker in case.state.jokers if joker_name(joker) == claim.partner}
    new = [key for key in taken(case, 0).joker_keys if key not in {joker.key for joker in case.state.jokers}]
    known = {one.key: one for one in neighbours(owned, case.state.stake, limit=150)}
    assert claim.strength in [known[key].strength for key in new if key in known]
    assert claim.strength >= 0.25


def missing(case: Case, claim: b.Missing) -> None:
    state = case.state
    if "multiplies" in claim.what:
        assert state.ante >= 5
        for joker in state.jokers:
            text = JOKERS[joker.key].text if joker.key and not joker.debuffed else ""
            assert not re.search(r"X\d[\d.]* Mult|X Mult", text)
        return
    base = state.imagine(0)
    made = [forecast(base, 6, 1, OTHER + deal, 0)[-1].dollars - state.dollars for deal in range(64)]
    said = int(re.findall(r"\$(\d+)", claim.what)[0])
    close(float(said), [max(0.0, dollars / 6) for dollars in made], 32, 0.6)
    assert said <= 4


def sooner(case: Case, claim: b.Sooner) -> None:
    other = next(one for one in case.listed if one.words == claim.other)
    assert (other.value or 0) - (case.one.value or 0) == pytest.approx(claim.points)
    assert claim.points == pytest.approx(max(one.value or 0 for one in case.listed) - (case.one.value or 0))
    mine, its = worth_of(case, case.one), worth_of(case, other)
    assert mine is None or its is None or not claim.less_sure or mine > its - 0.05


def worth_of(case: Case, one: Suggestion) -> float | None:
    """What the agent compares by: the chance to win and, for less, those to beat the next bosses."""
    options = judge_options(load_value()[0], case.state.imagine(0), 160, 4, 4)
    found = [option.worth for option in options if option.actions and option.actions[0] == one.action]
    return found[0] if len(found) == 1 else None


def behind(case: Case, claim: b.Behind) -> None:
    chosen = next(one for one in case.listed if one.chosen)
    assert claim.points == pytest.approx((case.one.value or 0) - (chosen.value or 0))


def forgoes(case: Case, claim: b.Forgoes) -> None:
    blind = next(one for one in case.state.blinds if one.progress == "now")
    assert (claim.blind, claim.dollars) == (blind.name, blind.reward)
    assert blind.tag
    assert claim.tag == blind.tag.name
    skipped = case.state.imagine(OTHER)
    skipped.step(Action("skip_blind"))
    assert claim.earned == skipped.dollars - case.state.dollars
    skip = next(one for one in case.listed if one.action.kind == "skip_blind")
    assert claim.points == pytest.approx(skip.value)


def rejected(case: Case, claim: b.Rejected) -> None:
    other = next(one for one in case.listed if one.words == claim.words)
    assert other.value == pytest.approx(claim.points)
    assert case.one.chosen
    assert all(one.value is None or one.value <= claim.points for one in case.listed if one is not case.one)


CHECKS: dict[type[r.Claim], Callable[[Case, Any], None]] = {
    h.Comes: comes,
    h.Makes: makes,
    h.Beats: beats,
    h.FallsShort: falls_short,
    h.ByLuck: by_luck,
    h.ThrownIn: thrown_in,
    h.BossTakes: boss_takes,
    h.Debuffed: debuffed,
    h.Ordered: ordered,
    h.Clears: clears,
    h.TriedLess: tried_less,
    h.Leaves: leaves,
    h.BossPrice: boss_price,
    h.Unused: unused,
    h.EndsWith: ends_with,
    b.Against: against,
    b.AsItStands: as_it_stands,
    b.Grows: grows,
    b.Promises: promises,
    b.Earns: earns,
    b.Price: price,
    b.Split: split_parts,
    b.Must: must,
    b.Changes: changes,
    b.Turns: turns,
    b.Room: room,
    b.Behind: behind,
    b.Forgoes: forgoes,
    b.Rejected: rejected,
    b.Together: together,
    b.Missing: missing,
    b.WorksWith: works_with,
    b.Sooner: sooner,
}
RARE = (h.BossPrice, h.EndsWith, h.Ordered, h.TriedLess, b.Grows, b.Sooner, b.Together, b.WorksWith)
"""Checked wherever they are said."""
UNCHECKED = {r.Adds, r.GoesOn, r.Only}
"""The fallback is the agent's own figure, and the others have none."""

pytestmark = pytest.mark.slow
