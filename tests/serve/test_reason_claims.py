"""What reasons claim is true: worked out again by brute force, in other deals and by other ways."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, stdev
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.engine import Action, PublicState, Run, forecast, solve_blind
from jimbo.engine.catalog import DECKS, HANDS
from jimbo.engine.value import judge_options
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


def test_few_reasons_fall_back_and_none_is_empty_of_numbers() -> None:
    fallbacks = [case for case in cases() if any(isinstance(claim, r.Adds) for claim in case.one.claims)]
    assert len(fallbacks) < 0.1 * len(cases())
    for case in cases():
        text = case.one.reason
        assert text.count(". ") <= 1, text  # two sentences at most
        assert "High Card or better" not in text
        said = [claim for claim in case.one.claims if not isinstance(claim, r.Only)]
        assert not said or any(letter.isdigit() for letter in text) or says_a_fact(said), text


def says_a_fact(claims: Sequence[r.Claim]) -> bool:
    return all(isinstance(claim, h.Clears | h.TriedLess | b.Changes | b.Turns | b.Room | b.Behind) for claim in claims)


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
    if claim.deals:
        return
    assert claim.after > claim.before


def clears(case: Case, claim: h.Clears) -> None:
    """Tried again longer, in other deals, by the same solver."""
    solved = solve_blind(case.state.imagine(0), 1200, nonce=OTHER, value=load_value()[0])
    by_action = {one.action: one for one in solved if one.worlds >= 50}
    mine = by_action.get(case.one.action)
    words = {one.words: one.action for one in case.listed}
    other = by_action.get(words.get(claim.other, case.one.action))
    if mine and other:
        error = 100 * math.hypot(mine.error, other.error, claim.error / 100)
        assert abs(100 * (mine.clear - other.clear) - claim.points) <= ERRORS * error


def tried_less(case: Case, claim: h.TriedLess) -> None:
    other = next(one for one in case.listed if one.words == claim.other)
    assert (other.value or 0) > (case.one.value or 0)
    assert (other.clear_error or 0) > (case.one.clear_error or 0)


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
    before, after = logs(base, place), logs(taken(case, 0), place)
    close(math.log(max(1.0, claim.before)), before, 32)
    close(math.log(max(1.0, claim.after)), after, 32)
    close(claim.beaten_before, beaten(base.clone(), slot), 16, 0.02)
    close(claim.beaten, beaten(taken(case, 0), slot), 16, 0.02)


def as_it_stands(case: Case, claim: b.AsItStands) -> None:
    run = case.state.imagine(0)
    close(math.log(max(1.0, claim.score)), logs(run, place_of(case, claim.blind)), 32)
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


def behind(case: Case, claim: b.Behind) -> None:
    chosen = next(one for one in case.listed if one.chosen)
    assert claim.points == pytest.approx((case.one.value or 0) - (chosen.value or 0))


def forgoes(case: Case, claim: b.Forgoes) -> None:
    blind = next(one for one in case.state.blinds if one.progress == "now")
    assert (claim.blind, claim.dollars) == (blind.name, blind.reward)
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
    h.EndsWith: ends_with,
    b.Against: against,
    b.AsItStands: as_it_stands,
    b.Grows: grows,
    b.Promises: promises,
    b.Earns: earns,
    b.Price: price,
    b.Must: must,
    b.Changes: changes,
    b.Turns: turns,
    b.Room: room,
    b.Behind: behind,
    b.Forgoes: forgoes,
    b.Rejected: rejected,
}

pytestmark = pytest.mark.slow
