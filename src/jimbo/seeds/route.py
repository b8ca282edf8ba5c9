"""A route: the cheapest line that gets what is wished for, found by doing it.

Every step of the search is a step of the rules: what is bought has its price, money comes from blinds and interest, and
what a shop shows depends on all that came before.
"""

from __future__ import annotations

import heapq
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from jimbo.engine import Action, Phase, PublicOffer, PublicState, Run
from jimbo.engine.catalog import BLINDS, BOOSTERS, JOKERS, TAGS, VOUCHERS
from jimbo.engine.seed_tools import rest_report
from jimbo.seeds.conditions import Has, PlayingCard, Thing
from jimbo.seeds.line import BEAT, NOTHING, BadLine, LineStart, Spent, do, is_between
from jimbo.seeds.never import SOUL

MOST_WISHES = 12
MOST_NODES = 60_000
SECONDS = 20.0
LAST_ANTE = 12
"""To which a route leads at most."""
_DEEPEST = 40
"""Cards of a shop's queue that are looked at."""
_GIVING = ("Joker", "Pack", "Voucher")
"""What a tag gives that may be wished for, by a word of its text."""


@dataclass(frozen=True, slots=True)
class Got:
    """A wish that came true."""

    wish: int
    """Its number."""
    name: str
    word: int
    """After how many words of the line."""
    ante: int
    how: str
    dollars: int


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """The cheapest line, or how far the search came."""

    words: tuple[str, ...]
    spent: Spent
    got: tuple[Got, ...]
    missing: tuple[int, ...]
    """Wishes that it does not get."""
    money: int
    """What is left at its end."""
    tried: int
    """Lines."""
    seconds: float
    is_cheapest: bool
    """Whether everything cheaper was tried; the search may have run out of time."""
    unseen: tuple[int, ...]
    """Wishes that turn up nowhere on the way, so that they were left out."""
    hands_left: int

    @property
    def assumed(self) -> str:
        hands = (
            "no hand left, so that it pays its reward and interest"
            if not self.hands_left
            else (f"{self.hands_left} hand{'s' if self.hands_left > 1 else ''} left")
        )
        return (
            f"Every blind is counted as beaten with {hands}; nothing is bought but what the line says, and nothing is "
            "sold. The cost is what is paid for cards, packs, vouchers and rerolls, then rerolls, then skips."
        )


@dataclass(slots=True)
class _Node:
    run: Run
    words: tuple[str, ...] = ()
    spent: Spent = NOTHING
    got: tuple[Got, ...] = ()
    open: frozenset[int] = frozenset()
    coming: dict[int, int] | None = None
    """How often each wish comes from here on, as far as can be seen; by ``-1 - wish``, in the queue of this ante."""

    @property
    def cost(self) -> tuple[int, int, int, int]:
        return self.spent.dollars, self.spent.rerolls, self.spent.skips, len(self.words) - len(self.got)


def find_route(
    start: LineStart,
    wishes: Sequence[Has],
    *,
    by_ante: int = 8,
    hands_left: int = 0,
    seconds: float = SECONDS,
    nodes: int = MOST_NODES,
    words: Sequence[str] = (),
) -> FoundRoute:
    """Search for the cheapest line that gets every wish, after some words that are done already.

    ValueError for wishes that make no sense. Of a search that finds none, the line that gets most is returned.
    """
    if not 1 <= len(wishes) <= MOST_WISHES:
        raise ValueError(f"Name from 1 to {MOST_WISHES} wishes, such as blueprint @ 1-3.")
    if not 1 <= by_ante <= LAST_ANTE:
        raise ValueError(f"A route leads to antes 1 to {LAST_ANTE}.")
    wished = [wish if wish.antes else replace(wish, antes=(1, by_ante)) for wish in wishes]
    for wish in wished:
        assert wish.antes
        if not 1 <= wish.antes[0] <= wish.antes[1] <= LAST_ANTE:
            raise ValueError(f"Antes {wish.antes[0]}-{wish.antes[1]} are not on a route: allowed are 1 to {LAST_ANTE}.")
    search = _Search(start, wished, hands_left, nodes, time.monotonic() + seconds)
    route = search.found(tuple(words))
    if route.missing == route.unseen:
        return route
    # One that cannot be paid for alone keeps the search from the others.
    done, here = tuple(words), set(range(len(wished))) - set(route.unseen)
    without = frozenset(wish for wish in here if not _gets(search, wish, done))
    route = max(route, search.found(done, without), key=_worth) if without else route
    while set(route.missing) - without - set(route.unseen) and len(without) < len(here):
        # They exclude each other: the one is left out without which the others come.
        fewer = {wish: search.found(done, without | {wish}) for wish in sorted(here - without)}
        least = max(fewer, key=lambda wish: _worth(fewer[wish]))
        without, route = without | {least}, max(route, fewer[least], key=_worth)
        if time.monotonic() > search.end or len(route.got) == len(here) - len(without):
            break
    return route


def _worth(route: FoundRoute) -> tuple[int, int, int, int]:
    """More wishes first, then a lower cost."""
    return len(route.got), -route.spent.dollars, -route.spent.rerolls, -route.spent.skips


def _gets(search: _Search, wish: int, words: tuple[str, ...]) -> bool:
    others = frozenset(range(len(search.wishes))) - {wish}
    return wish not in search.found(words, others, nodes=MOST_NODES // 20).missing


class _Search:
    def __init__(self, start: LineStart, wishes: Sequence[Has], hands_left: int, nodes: int, end: float) -> None:
        self._start, self.wishes = start, wishes
        self._keys = [frozenset(one.key for one in wish.any_of if isinstance(one, Thing)) for wish in wishes]
        self._any_card = [any(isinstance(one, PlayingCard) for one in wish.any_of) for wish in wishes]
        self._legends = [any(_is_legendary(key) for key in keys) for keys in self._keys]
        self._hands, self.end, self._nodes = hands_left, end, nodes
        self._beat = f"{BEAT}{hands_left or ''}"

    def found(
        self, words: tuple[str, ...], without: frozenset[int] = frozenset(), nodes: int | None = None
    ) -> FoundRoute:
        """``without``: wishes that are not asked for."""
        began, tried, order = time.monotonic(), 0, count()
        first = _Node(self._start.run(), open=frozenset(range(len(self.wishes))) - without)
        for word in words:
            first = self._done(first, word)
        unseen = frozenset(wish for wish in first.open if not self._can_come(first, wish))
        first.open -= unseen
        best, whole = first, False
        waiting = [(first.cost, next(order), first)]
        seen: dict[tuple[Any, ...], list[tuple[tuple[int, int, int, int], int]]] = {}
        while waiting:
            if tried >= (nodes or self._nodes) or time.monotonic() > self.end:
                break
            _, _, node = heapq.heappop(waiting)
            tried += 1
            if len(node.got) > len(best.got):
                best = node
            if not node.open:
                whole = True
                break
            for following in self._next(node):
                if not all(self._can_come(following, wish) for wish in following.open):
                    continue
                key, money = self._key(following), following.run.dollars
                known = seen.setdefault(key, [])
                if any(cost <= following.cost and money <= dollars for cost, dollars in known):
                    continue
                known.append((following.cost, money))
                heapq.heappush(waiting, (following.cost, next(order), following))
        return FoundRoute(
            best.words,
            best.spent,
            best.got,
            tuple(sorted(best.open | unseen | without)),
            best.run.dollars,
            tried,
            time.monotonic() - began,
            whole or not waiting,
            tuple(sorted(unseen)),
            self._hands,
        )

    def _key(self, node: _Node) -> tuple[Any, ...]:
        state = node.run.public_state()
        return (
            state.ante,
            state.round,
            str(state.phase),
            str(state.on_deck),
            state.reroll_price,
            tuple((offer.joker or offer.consumable or "", offer.edition) for offer in state.shop),
            tuple(pack.key for pack in state.shop_boosters),
            tuple((one.joker or one.consumable or "") for one in (state.pack.cards if state.pack else ())),
            tuple(state.vouchers),
            tuple(tag.key for tag in state.tags),
            node.open,
        )

    # --- What can be done ---------------------------------------------------------------------------------------------

    def _next(self, node: _Node) -> Iterator[_Node]:
        state = node.run.public_state()
        if state.phase == Phase.pack_opening:
            yield from self._with_pack(node, state)
        elif state.phase == Phase.shop:
            yield from self._with_shop(node, state)
        if state.phase in (Phase.shop, Phase.blind_select):
            yield from self._on(node, state)

    def _tried(self, node: _Node, word: str) -> Iterator[_Node]:
        try:
            yield self._done(node, word)
        except (BadLine, ValueError):
            return

    def _with_pack(self, node: _Node, state: PublicState) -> Iterator[_Node]:
        assert state.pack
        for at, offer in enumerate(state.pack.cards):
            if self._wish_for(node, state.ante, offer) is not None:
                for cards in self._targets(node.run, at):
                    yield from self._tried(node, f"take{at + 1}{cards}")
                    break
        yield from self._tried(node, "pass")

    def _targets(self, run: Run, at: int) -> Iterator[str]:
        """How a card of a pack can be taken: the first choice of targets that is allowed."""
        for action in run.legal_actions():
            if action.kind == "pick" and action.index == at:
                yield ":" + "-".join(str(card + 1) for card in action.cards) if action.cards else ""

    def _with_shop(self, node: _Node, state: PublicState) -> Iterator[_Node]:
        ante = state.ante
        for at, offer in enumerate(state.shop):
            if self._wish_for(node, ante, offer) is not None:
                yield from self._tried(node, f"buy{at + 1}")
        for at, voucher in enumerate(state.shop_vouchers):
            if self._wish_named(node, ante, voucher.key) is not None:
                yield from self._tried(node, f"redeem{at + 1}")
        for at, booster in enumerate(state.shop_boosters):
            if self._is_worth_opening(node, ante, at, booster.key):
                yield from self._tried(node, f"open{at + 1}")
        if self._comes_in_queue(node, ante):
            yield from self._tried(node, "reroll")

    def _is_worth_opening(self, node: _Node, ante: int, at: int, key: str) -> bool:
        """Whether a pack is wished for, holds a wish, or lets a later one of its kind hold one."""
        if self._wish_named(node, ante, key) is not None:
            return True
        tried = node.run.clone()
        tried.dollars += 1000
        tried.step(Action("open_booster", index=at))
        state = tried.public_state()
        if state.pack and any(self._wish_for(node, ante, offer) is not None for offer in state.pack.cards):
            return True
        if state.phase == Phase.pack_opening:
            tried.step(Action("skip_pack"))
        return self._packs_hold(node, tried) > self._packs_hold(node, node.run)

    def _packs_hold(self, node: _Node, run: Run) -> int:
        """How many wishes the packs hold that come in this ante."""
        ante = json.loads(rest_report(run, run.ante, 0))[0]
        cards = [card for pack in ante["packs"] for card in pack["cards"]]
        return sum(any(self._is_card(wish, card) for card in cards) for wish in self._due(node, run.ante))

    def _comes_in_queue(self, node: _Node, ante: int) -> bool:
        coming = self._coming(node)
        return any(coming.get(-1 - wish) for wish in self._due(node, ante))

    def _coming(self, node: _Node) -> dict[int, int]:
        if node.coming is None:
            node.coming = {}
            last = max([node.run.ante, *(self._antes(wish)[1] for wish in node.open)])
            told = json.loads(rest_report(node.run, last, _DEEPEST))
            alone = json.loads(rest_report(node.run, last, 0, [], True))
            for ante, other in zip(told, alone, strict=True):
                cards = [card for one in (ante, other) for pack in one["packs"] for card in pack["cards"]]
                named = [ante["boss"], ante["voucher"], *ante["tags"], *ante["packs"]]
                for wish in self._due(node, ante["ante"]):
                    in_queue = sum(self._is_card(wish, card) for card in ante["shop"])
                    elsewhere = sum(self._is_card(wish, card) for card in cards)
                    elsewhere += sum(self._is_named(wish, one["key"]) for one in named)
                    node.coming[wish] = node.coming.get(wish, 0) + in_queue + elsewhere
                    if ante["ante"] == node.run.ante:
                        node.coming[-1 - wish] = in_queue
        return node.coming

    def _can_come(self, node: _Node, wish: int) -> bool:
        """Whether a wish stands on the table, or comes later as far as can be seen."""
        state = node.run.public_state()
        if self._is_due(wish, state.ante):
            offers = [*state.shop, *(state.pack.cards if state.pack else ())]
            named = [one.key for one in state.shop_vouchers] + [one.key for one in state.shop_boosters]
            if any(self._is_card(wish, _card_of(offer)) for offer in offers) or any(
                self._is_named(wish, key) for key in named
            ):
                return True
        return bool(self._coming(node).get(wish))

    def _on(self, node: _Node, state: PublicState) -> Iterator[_Node]:
        """To the next blind, and past it."""
        yield from self._tried(node, self._beat)
        if state.on_deck == "boss":
            return
        tag = state.skip_tags[0 if state.on_deck == "small" else 1].key
        if self._wish_named(node, state.ante, tag) is not None or self._tag_gives(node, tag):
            yield from self._tried(node, "skip")

    def _tag_gives(self, node: _Node, tag: str) -> bool:
        """Whether a tag brings a card, a pack or a voucher that is wished for, at once or in the next shop."""
        if not any(word in TAGS[tag].text for word in _GIVING):
            return False
        for skipped in self._tried(node, "skip"):
            if len(skipped.got) > len(node.got) or skipped.run.phase == Phase.pack_opening:
                return True
            for shown in self._tried(skipped, self._beat):
                state = shown.run.public_state()
                free = [offer for offer in state.shop if offer.price == 0]
                if any(self._wish_for(shown, state.ante, offer) is not None for offer in free):
                    return True
                more = state.shop_vouchers[1:]
                return any(self._wish_named(shown, state.ante, one.key) is not None for one in more)
        return False

    # --- Wishes -------------------------------------------------------------------------------------------------------

    def _due(self, node: _Node, ante: int) -> list[int]:
        return [wish for wish in sorted(node.open) if self._is_due(wish, ante)]

    def _antes(self, wish: int) -> tuple[int, int]:
        antes = self.wishes[wish].antes
        assert antes
        return antes

    def _is_due(self, wish: int, ante: int) -> bool:
        first, last = self._antes(wish)
        return first <= ante <= last

    def _wish_named(self, node: _Node, ante: int, key: str) -> int | None:
        """The open wish for a voucher, a pack, a tag or a boss."""
        return next((wish for wish in self._due(node, ante) if self._is_named(wish, key)), None)

    def _is_named(self, wish: int, key: str) -> bool:
        return key in self._keys[wish]

    def _wish_for(self, node: _Node, ante: int, offer: PublicOffer, *, soul: bool = True) -> int | None:
        card = _card_of(offer)
        return next((wish for wish in self._due(node, ante) if self._is_card(wish, card, soul=soul)), None)

    def _is_card(self, wish: int, card: dict[str, Any], *, soul: bool = True) -> bool:
        """``soul``: The Soul counts for a legendary joker, which it may give."""
        if card["key"] not in self._keys[wish] and not self._any_card[wish]:
            return soul and card["key"] == SOUL and self._legends[wish]
        return any(_is_it(thing, card) for thing in self.wishes[wish].any_of)

    def _done(self, node: _Node, word: str) -> _Node:
        """Do a word, and see which wish it grants."""
        run = node.run.clone()
        before = run.public_state()
        spent = do(run, word, node.spent)
        if not is_between(run):
            raise BadLine("The run is over.")
        made = _Node(run, (*node.words, word), spent, node.got, node.open)
        paid = spent.dollars - node.spent.dollars
        for wish, name, how in self._granted(node, word, before, run):
            got = Got(wish, name, len(made.words), before.ante, how, paid)
            made.got, made.open = (*made.got, got), made.open - {wish}
        return made

    def _granted(self, node: _Node, word: str, before: PublicState, run: Run) -> Iterator[tuple[int, str, str]]:
        at = int("".join(filter(str.isdigit, word.partition(":")[0])) or 1) - 1
        ante = before.ante
        if word.startswith("buy") and (wish := self._wish_for(node, ante, before.shop[at])) is not None:
            yield wish, before.shop[at].name, "bought"
        elif word.startswith("take") and before.pack:
            offer = before.pack.cards[at]
            if (wish := self._wish_for(node, ante, offer, soul=False)) is not None:
                yield wish, offer.name or str(_card_of(offer)["key"]), f"from the {before.pack.name}"
            had = len(before.jokers)
            for joker in run.public_state().jokers[had:]:  # what The Soul gave
                card = {"key": joker.key, "edition": joker.edition}
                for legend in self._due(node, ante):
                    if _is_legendary(joker.key or "") and self._is_card(legend, card):
                        yield legend, joker.name, f"The Soul of the {before.pack.name}"
        elif word.startswith("redeem"):
            key = before.shop_vouchers[at].key
            if (wish := self._wish_named(node, ante, key)) is not None:
                yield wish, VOUCHERS[key].name, "redeemed"
        elif word.startswith("open"):
            key = before.shop_boosters[at].key
            if (wish := self._wish_named(node, ante, key)) is not None:
                yield wish, BOOSTERS[key].name, "opened"
        elif word == "skip":
            key = before.skip_tags[0 if before.on_deck == "small" else 1].key
            if (wish := self._wish_named(node, ante, key)) is not None:
                yield wish, TAGS[key].name, "by skipping"
        elif (
            word.startswith(BEAT)
            and before.on_deck == "boss"
            and (wish := self._wish_named(node, ante, before.boss)) is not None
        ):
            yield wish, BLINDS[before.boss].name, "beaten"


def _is_legendary(key: str) -> bool:
    return key in JOKERS and JOKERS[key].rarity == "Legendary"


def _card_of(offer: PublicOffer) -> dict[str, Any]:
    """A card on offer, as reports tell it."""
    if offer.card is not None:
        card = offer.card
        told = {"edition": card.edition, "enhancement": card.enhancement, "seal": card.seal}
        return {"key": f"{card.suit}_{(card.rank or '').replace('10', 'T')}", **told}
    return {"key": offer.joker or offer.consumable, "edition": offer.edition}


def _is_it(thing: Thing | PlayingCard, card: dict[str, Any]) -> bool:
    if isinstance(thing, Thing):
        return bool(card["key"] == thing.key) and thing.edition in (None, card.get("edition"))
    suit, _, rank = str(card["key"]).partition("_")
    if len(suit) != 1 or len(rank) != 1:
        return False
    stone = card.get("enhancement") == "m_stone"
    if stone and (thing.rank or thing.suit):
        return False
    wanted = {"enhancement": thing.enhancement, "seal": thing.seal, "edition": thing.edition}
    return (
        thing.rank in (None, rank)
        and thing.suit in (None, suit)
        and all(value is None or card.get(name) == value for name, value in wanted.items())
    )
