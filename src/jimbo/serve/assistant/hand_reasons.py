"""Why a play or a discard: what it beats or lacks, what the cards that stay are kept for, and how often that comes.

Shares come from deals of the cards that the player has not seen, as the rules deal and score them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from statistics import fmean

from jimbo.data.record import Considered, Decision
from jimbo.engine import (
    MAX_SELECTED,
    Action,
    ActionKind,
    Phase,
    PublicState,
    Run,
    best_hand_order,
    best_joker_order,
)
from jimbo.engine.catalog import BLINDS, DECKS, JOKERS
from jimbo.serve.assistant.deals import HAND_ORDER, OFTEN, Deals, best_play, deal, every_play, in_order
from jimbo.serve.assistant.prospects import Prospects, Score
from jimbo.serve.assistant.what_if import onward
from jimbo.text import action_words, card_short, joker_name, joker_now, money_text
from jimbo.text.hand_reasons import (
    Beats,
    BossPrice,
    BossTakes,
    ByLuck,
    Clears,
    Comes,
    Debuffed,
    EndsWith,
    FallsShort,
    Leaves,
    Makes,
    Ordered,
    ThrownIn,
    TriedLess,
    Unused,
)
from jimbo.text.reasons import Claim

DEALS, OTHER_DEALS = 500, 250
"""Of the choice and of others; a share is true to about two or three percentage points."""
_PLAYS, _OTHER_PLAYS = 22_000, 9_000
"""That are scored where every play of every deal must be: 100 and 40 deals of eight cards, fewer of more."""
_PROBES = 6
"""Deals by which it is found out whether that must be."""
_ORDER_DEALS = 64
_END_DEALS = 8
_SURE = 0.995
_MATTERS = 0.02
"""Of a score, or of what a run is worth: less is not told."""
_SHOWN = 3
"""Decimals of a value that a table shows."""


class HandReasons:
    """Claims about what can be done in one state with a hand to play."""

    def __init__(self, prospects: Prospects, decision: Decision, chosen: Considered | None) -> None:
        self._prospects, self._state, self._run = prospects, prospects.state, prospects.run
        self._considered, self._chosen = decision.considered, chosen
        self._worth = decision.measure == "clear"
        """Whether the agent's values are clears and what they leave."""

    def groups(self, action: Action, one: Considered | None, *, is_choice: bool) -> Iterator[Sequence[Claim]]:
        """The claims of each sentence."""
        if action.kind == ActionKind.move_card:
            yield from self._order(one)
            return
        choice, other = DEALS, OTHER_DEALS
        if self._of_all:
            plays = sum(math.comb(self._state.hand_size, cards) for cards in range(1, MAX_SELECTED + 1))
            choice, other = (min(DEALS, most // max(1, plays)) + 2 for most in (_PLAYS, _OTHER_PLAYS))
        own = list(self._own(action, choice if is_choice else other))
        compared = list(self._compared(action, one, is_choice=is_choice))
        if is_choice:
            yield own[:2]
            yield (compared or own[2:])[:3]
        else:
            yield compared[:2]
            yield own[:1]

    @cached_property
    def _of_all(self) -> bool:
        """Whether this build's best plays are others than the engine thinks of, such as those that leave dear cards."""
        for nonce in range(_PROBES):
            run = self._state.imagine(nonce)
            discard = Action("discard", cards=list(range(min(nonce, len(run.hand)))))
            if nonce and run.refusal(discard) is None:
                run.step(discard)
            found, best = best_play(run), best_play(run, of_all=True)
            if found and best and found[1].score < best[1].score:
                return True
        return False

    # --- The action itself --------------------------------------------------------------------------------------------

    def _own(self, action: Action, deals: int) -> Iterator[Claim]:
        state = self._state
        found = deal(state, action, deals, of_all=self._of_all)
        if action.kind == ActionKind.play:
            score = self._prospects.score(action)
            yield from self._result(action, score, found)
            yield from self._boss(action, score)
            if found.beaten < found.count and (thrown := self._thrown_in(action, score, found)):
                yield thrown
            now = None
        else:
            yield from self._boss(action, None)
            now = self._now
        if found.best and not found.beaten and not found.hides:
            yield from self._outlook(action, found, now)

    @cached_property
    def _now(self) -> float:
        """What the best play makes of the cards that show."""
        hand = self._state.hand
        if any(card.face_down for card in hand):
            plays = (cards for cards in every_play(hand) if self._run.refusal(Action("play", cards=cards)) is None)
            return max((self._expected(cards) for cards in plays), default=0.0)
        best = best_play(self._run, of_all=self._of_all)
        return best[1].score if best else 0.0

    def _result(self, action: Action, score: Score | None, found: Deals) -> Iterator[Claim]:
        """What the play does to the blind."""
        if score is None:
            return
        left = self._state.hands_left - 1
        if found.beaten == found.count and not score.least < score.needed <= score.most:
            yield self._beats(action, score)
        elif found.beaten:
            yield ByLuck(found.beaten / found.count, score.least, score.most, score.needed)
        else:
            expected = fmean(found.scored) if score.guessed else score.expected
            yield FallsShort(expected, score.needed, left, score.guessed)

    def _beats(self, action: Action, score: Score) -> Beats:
        after = self._run.clone()
        after.step(action)
        paid = after.public_state().payout
        discards = self._state.discards_left if paid.discards else 0
        hands = self._state.hands_left - 1 if paid.hands else 0
        return Beats(score.expected, score.needed, hands, discards, paid.hands + paid.discards)

    def _thrown_in(self, action: Action, score: Score | None, found: Deals) -> ThrownIn | None:
        """Cards without which it scores the same; none where the boss takes other cards for it."""
        if score is None or len(action.cards) < 2:
            return None
        junk: list[int] = []
        for place in reversed(action.cards):
            rest = [other for other in action.cards if other != place and other not in junk]
            play = Action("play", cards=rest)
            if rest and self._state.refusal(play) is None and self._expected(play.cards) >= score.expected:
                junk.append(place)
        drawn = min(len(junk), self._state.draw_pile)
        if not junk or not drawn:
            return None
        return ThrownIn(tuple(card_short(self._state.hand[place]) for place in sorted(junk)), drawn)

    def _expected(self, cards: Sequence[int]) -> float:
        return self._run.preview(cards, "expected").score

    def _outlook(self, action: Action, found: Deals, now: float | None) -> Iterator[Claim]:
        """What the cards that stay are kept for."""
        aim = found.aim(now or 0.0)
        share = found.share(aim)
        held, cards = self._held(action, found, aim) if share >= OFTEN else ("", ())
        used = {self._state.hand[place].id for place in cards} or found.used(aim)
        kept = [
            card_short(card)
            for place, card in enumerate(self._state.hand)
            if place not in action.cards and not card.face_down and card.id in used
        ]
        plain = not HAND_ORDER[aim] or (share >= _SURE and not kept)
        if plain or (now is not None and share >= 1 and found.score <= now):
            yield Makes(found.score, now, found.enough, found.count)
        else:
            yield Comes(tuple(kept), held or aim, share, found.enough, found.score, now, found.count, bool(held))

    def _held(self, action: Action, found: Deals, aim: str) -> tuple[str, Sequence[int]]:
        """The hand that cards which stay are already, at least ``aim``, and the fewest that make it; empty if it must
        come."""
        hand, least = self._state.hand, HAND_ORDER[aim]
        stay = {place for place, card in enumerate(hand) if place not in action.cards and card.id in found.stay}
        plays = [cards for cards in every_play(hand) if stay.issuperset(cards)]
        allowed = [cards for cards in plays if self._run.refusal(Action(ActionKind.play, cards=cards)) is None]
        made = [(cards, self._run.preview(cards, "expected")) for cards in allowed]
        those = [(-len(cards), play.score, play.hand, cards) for cards, play in made if HAND_ORDER[play.hand] >= least]
        return max(those)[2:] if those else ("", ())

    # --- The boss -----------------------------------------------------------------------------------------------------

    @cached_property
    def _boss_name(self) -> str:
        """Empty where there is none, or it has no effect."""
        fact, blind = BLINDS[self._state.blind.key], self._state.blind
        return fact.name if fact.boss and blind.active and not blind.disabled else ""

    @cached_property
    def _without_boss(self) -> Run:
        """The same hand without the boss's ability."""
        data = self._state.to_data()
        data["blind"]["disabled"] = True
        for card in data["hand"]:
            if not card.get("worn"):
                card.pop("debuffed", None)
        for joker in data["jokers"]:
            if joker.pop("debuffed_by_blind", None):
                joker.pop("debuffed", None)
        return PublicState.from_data(data).imagine(0)

    def _boss(self, action: Action, score: Score | None) -> Iterator[Claim]:
        if not self._boss_name or any(card.face_down for card in self._state.hand):
            return
        if action.kind == ActionKind.discard:
            weak = sum(self._state.hand[place].debuffed for place in action.cards)
            if 2 * weak >= len(action.cards):
                yield Debuffed(weak, len(action.cards), self._boss_name)
            return
        if score is None:
            return
        without = self._without_boss.preview(action.cards, "expected").score
        if abs(without - score.expected) > _MATTERS * without:
            yield BossTakes(self._boss_name, score.expected, without)
        yield from self._boss_price(action)

    def _boss_price(self, action: Action) -> Iterator[Claim]:
        """What the step costs here and not without the boss; the end of the blind has a sheet of its own."""
        here, there = self._run.clone(), self._without_boss.clone()
        here.step(action)
        there.step(action)
        if here.phase != Phase.selecting_hand or there.phase != Phase.selecting_hand:
            return
        mine, other = here.public_state(), there.public_state()
        lower = [a.hand for a, b in zip(mine.hands, other.hands, strict=True) if a.level < b.level]
        if mine.dollars < other.dollars or lower:
            yield BossPrice(self._boss_name, other.dollars - mine.dollars, tuple(lower))

    # --- Against others -----------------------------------------------------------------------------------------------

    def _compared(self, action: Action, one: Considered | None, *, is_choice: bool) -> Iterator[Claim]:
        if one is None or self._chosen is None or one.clear is None:
            return
        other = self._rival(one) if is_choice else self._chosen
        if other is None or other.clear is None:
            return
        words = action_words(other.action, self._state)
        error = 100 * math.hypot(one.error or 0.0, other.error or 0.0)
        points = 100 * (one.clear - other.clear)
        best, shown = (one, other) if is_choice else (other, one)
        ahead = -points if is_choice else points
        told = round(best.value, _SHOWN) if is_choice else (1 + _MATTERS) * best.value
        more = round(shown.value, _SHOWN) > told or ahead > error
        if shown.value > best.value and more and _deals(shown) < _deals(best):
            yield TriedLess(words if is_choice else "", _deals(shown), _deals(best))
            return
        ends = other.action.kind == ActionKind.play and self._ends(other.action)
        at_once = ends and not self._may_end(action)
        yield Clears(words, points, error, to_choice=not is_choice, ends=at_once)
        less = 100 * (1 - shown.value / best.value) if self._worth and best.value > 0 else 0.0
        otherwise = list(self._ends_with(action, other.action)) if abs(points) <= error and is_choice and ends else []
        yield from otherwise
        if (abs(points) <= error and abs(less) > 100 * _MATTERS) or (ahead > error and less > 0) or otherwise:
            yield Leaves(less, to_choice=not is_choice)
        elif is_choice and abs(points) <= error and not ends and self._pays and _spares(action, other.action):
            yield Unused(self._pays)

    @cached_property
    def _pays(self) -> int:
        """Dollars for a hand left over, where a discard left over brings nothing."""
        deck = DECKS[self._state.deck]
        read = any(joker.key and "discard" in JOKERS[joker.key].text.lower() for joker in self._state.jokers)
        return 0 if read or self._state.challenge or deck.dollars_per_discard else deck.dollars_per_hand

    def _rival(self, one: Considered) -> Considered | None:
        """What shows more than the choice; else a play that ends the blind at once; else the best of the others."""
        others = [other for other in self._considered if other is not one and other.clear is not None]
        better = [other for other in others if round(other.value, 3) > round(one.value, 3)]
        ends = [other for other in others if other.action.kind == ActionKind.play and self._ends(other.action)]
        unlike = [other for other in others if other.action.kind != one.action.kind]
        return next(iter([*better, *ends, *unlike, *others]), None)

    def _ends(self, play: Action) -> bool:
        score = self._prospects.score(play)
        return score is not None and score.least >= score.needed

    def _may_end(self, action: Action) -> bool:
        if action.kind != ActionKind.play:
            return False
        score = self._prospects.score(action)
        return score is None or score.most >= score.needed

    def _ends_with(self, action: Action, at_once: Action) -> Iterator[Claim]:
        """What differs after the blind in all deals in which the next play ends it."""
        found: list[dict[str, tuple[str, str]]] = []
        for nonce in range(1, _END_DEALS + 1):
            ended = self._state.imagine(nonce), self._state.imagine(nonce)
            for run, step in zip(ended, (action, at_once), strict=True):
                run.step(step)
            if ended[0].phase == Phase.selecting_hand and (best := best_play(ended[0])):
                ended[0].step(Action("play", cards=best[0]))
            if all(run.phase == Phase.round_eval for run in ended):
                mine, others = (_ending(run.public_state()) for run in ended)
                found.append({key: (mine[key], others[key]) for key in mine if mine[key] != others.get(key, mine[key])})
        same = [key for key in (found[0] if found else ()) if all(one.get(key) == found[0][key] for one in found)]
        if same:
            yield EndsWith(tuple((key, *found[0][key]) for key in same))

    # --- Orders -------------------------------------------------------------------------------------------------------

    def _order(self, one: Considered | None) -> Iterator[Sequence[Claim]]:
        if one is None or one.action.kind != ActionKind.play or self._state.refusal(one.action) is not None:
            return
        before, order = self._expected(one.action.cards), best_hand_order(self._run, one.action)
        moved, _ = in_order(self._run, ActionKind.move_card, order)
        after = moved.preview(list(range(len(order))), "expected").score
        if after > before:
            cards = " ".join(card_short(self._state.hand[place]) for place in one.action.cards)
            yield [Ordered(cards, before, after, 0)]


def _deals(one: Considered) -> int:
    """In how many deals a chance was found: its standard error tells."""
    chance, error = one.clear or 0.0, one.error or 1.0
    return round(max(chance * (1 - chance) / error**2, 0.5 / error))


def _spares(action: Action, other: Action) -> bool:
    """A discard in place of a play."""
    return action.kind == ActionKind.discard and other.kind == ActionKind.play


def _ending(state: PublicState) -> dict[str, str]:
    """What may differ once a blind is beaten: the money after the cash-out, and what jokers have come to."""
    grown = {joker_name(joker): joker_now(joker, state) for joker in state.jokers if joker.count or joker.x_mult != 1}
    if any(joker.key == "j_supernova" and not joker.debuffed for joker in state.jokers):
        grown |= {f"Supernova for a {hand.hand}": f"+{hand.played} Mult" for hand in state.hands if hand.played}
    return grown | {"the money": money_text(state.dollars + state.payout.total)}


def joker_order(state: PublicState) -> Ordered | None:
    """What the best order of jokers makes of the best play of a first hand, in the mean of some deals."""
    sums = [0.0, 0.0]
    for nonce in range(1, _ORDER_DEALS + 1):
        run = state.imagine(nonce)
        if nonce == 1:
            order = best_joker_order(run)
        moved, _ = in_order(run, ActionKind.move_joker, order)
        for side, world in enumerate(map(onward, (run, moved))):
            if world.phase == Phase.blind_select:
                world.step(Action("select_blind"))
            best = best_play(world)
            sums[side] += best[1].score if best else 0.0
    before, after = (total / _ORDER_DEALS for total in sums)
    return Ordered("the best play of a first hand", before, after, _ORDER_DEALS)
