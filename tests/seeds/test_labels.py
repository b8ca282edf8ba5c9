"""What is said of a seed is true: what is certain stays in other lines, and what an item depends on changes it."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from jimbo.engine import Action, Phase, PublicOffer, Run
from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, JOKERS, VOUCHERS
from jimbo.engine.seed_tools import advance_state, pseudohash, rest_report
from jimbo.seeds.conditions import RANKS, SUITS
from jimbo.seeds.exploration import Exploration
from jimbo.seeds.labels import Label, Labels, Place, item_words, label_rest, places
from jimbo.seeds.line import BadLine, LineStart, action_of, beat, do, leave, play_line, read_words, word_of

SEEDS = ("TESTSEED", "ALEEB", "7LB2WVPK", "2K9H9HN", "JIMBO", "SEED34", "PERKEO", "A1B2C3D4")
ANTES, QUEUE = 3, 14
GIFT = 2000
LINES = 5


@pytest.mark.parametrize("deck", ["b_red", "b_ghost", "b_magic", "b_zodiac", "b_nebula"])
def test_a_run_that_begins_holds_what_its_seed_does(deck: str) -> None:
    for seed in SEEDS[:3]:
        for stake in ("white", "gold"):
            told = json.loads(rest_report(Run(deck, stake, seed), 8, 20))
            assert told == json.loads(Exploration(deck, stake, 1, 8, 20).json(seed))["antes"]


# --- Playing otherwise ------------------------------------------------------------------------------------------------


def name_of(key: str) -> str:
    if key in JOKERS or key in CONSUMABLES:
        return (JOKERS.get(key) or CONSUMABLES[key]).name
    return f"{RANKS[key[-1]]} of {SUITS[key[0]]}"


def card_of(offer: PublicOffer) -> dict[str, object]:
    if offer.card is not None:
        card = offer.card
        names = {"key": f"{card.suit}_{card.rank.replace('10', 'T')}", "edition": card.edition, "seal": card.seal}
        return {name: value for name, value in {**names, "enhancement": card.enhancement}.items() if value}
    return {"key": offer.joker or offer.consumable}


def uses(run: Run, key: str) -> int:
    """How often a stream was used."""
    now = run.to_data()["rng"]["streams"].get(key)
    if now is None:
        return 0
    state = advance_state(pseudohash(f"{key}{run.seed}"))
    for number in range(1, 300):
        if state == now:
            return number
        state = advance_state(state)
    raise AssertionError(key)


@dataclass
class Watcher:
    """Plays words, and notes what stood where."""

    run: Run
    cards: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    packs: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    numbers: dict[int, int] = field(default_factory=dict)
    """Which pack of its ante each pack on the table is."""
    seen: dict[Place, str] = field(default_factory=dict)
    opened: defaultdict[tuple[int, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    had: defaultdict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    """What was had or shown before a card of a shop came."""
    ever: set[str] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._blinds()

    def _blinds(self) -> None:
        state = self.run.public_state()
        if state.ante not in self.begun:
            self.begun.add(state.ante)
            self.seen[state.ante, "boss", 0, 0] = state.boss
            for at, tag in enumerate(state.skip_tags):
                self.seen[state.ante, "tag", at, 0] = tag.key

    def _shown(self, ante: int) -> None:
        """New cards of the queue: as many as its stream was used for; cards of tags come before them."""
        used = uses(self.run, f"cdt{ante}")
        shop = self.run.public_state().shop
        for number in range(self.cards[ante], used):
            at = len(shop) - (used - number)
            if 0 <= at < len(shop):
                self.seen[ante, "shop", number, 0] = str(card_of(shop[at])["key"])
                self.had[ante, "shop", number, 0] = self.ever | {one.joker or one.consumable or "" for one in shop[:at]}
        self.cards[ante] = used

    def do(self, word: str) -> None:
        before = self.run.public_state()
        held = {tag.key for tag in before.tags}
        do(self.run, word)
        now = self.run.public_state()
        self._blinds()
        if word.startswith("beat") and now.phase == Phase.shop:
            place = (now.ante, "voucher", 0, 0)
            if (
                now.shop_vouchers
                and place not in self.seen
                and not held & {"tag_voucher"}
                and now.ante == max(self.begun)
            ):
                self.seen[place] = now.shop_vouchers[0].key
            for at, pack in enumerate(now.shop_boosters):
                self.numbers[at] = self.packs[now.ante]
                self.seen[now.ante, "pack", self.packs[now.ante], 0] = pack.key
                self.packs[now.ante] += 1
        if now.phase == Phase.shop:
            self._shown(now.ante)
        if word.startswith("open"):
            self._open(int(word[4:]) - 1, before.ante, before.shop_boosters)
        elif now.phase == Phase.pack_opening and before.phase != Phase.pack_opening and now.pack:
            kind = BOOSTERS[now.pack.key].kind
            self.opened[now.ante, kind].append(-1)
        self.ever |= {joker.key for joker in now.jokers} | {card.key for card in now.consumables}
        self.ever |= {offer.joker or offer.consumable or "" for offer in now.shop}

    def _open(self, at: int, ante: int, shown: object) -> None:
        state = self.run.public_state()
        number = self.numbers.pop(at)
        self.numbers = {place - (place > at): one for place, one in self.numbers.items()}
        assert state.pack
        kind = BOOSTERS[state.pack.key].kind
        for place, offer in enumerate(state.pack.cards):
            self.seen[ante, "card", number, place] = str(card_of(offer)["key"])
        self.opened[ante, kind].append(number)


def random_words(watcher: Watcher, chance: random.Random, antes: int) -> Iterator[str]:
    """Words that can be done, of all kinds, until an ante is over."""
    while watcher.run.ante <= antes:
        run = watcher.run
        if run.phase == Phase.game_over:
            return
        can = [action for action in run.legal_actions() if action.kind in KINDS_TRIED]
        words = [word_of(action) for action in can] + (["beat"] * 2 if run.phase != Phase.pack_opening else [])
        words += ["skip"] if run.phase == Phase.shop and run.on_deck != "boss" else []
        yield chance.choice(words)


KINDS_TRIED = ("skip_blind", "reroll_boss", "buy", "redeem", "open_booster", "reroll", "pick", "skip_pack", "use")


def wander(seed: str, number: int, antes: int = ANTES) -> Watcher:
    watcher = Watcher(LineStart(seed, dollars=GIFT).run())
    chance = random.Random(f"{seed}{number}")
    for word in random_words(watcher, chance, antes):
        try:
            watcher.do(word)
        except BadLine:
            break
    return watcher


def keys_of(labels: Labels) -> dict[Place, str]:
    return {place: str(item["key"]) for place, item in places(labels.antes)}


def test_other_lines_find_what_is_certain_unchanged() -> None:
    looked: defaultdict[str, int] = defaultdict(int)
    otherwise: defaultdict[str, int] = defaultdict(int)
    for seed in SEEDS:
        labels = label_rest(LineStart(seed).run(), ANTES, QUEUE)
        expected = keys_of(labels)
        for number in range(LINES):
            for place, key in wander(seed, number).seen.items():
                if place not in expected:
                    continue
                kind = labels.of[place].kind
                looked[f"{kind} {place[1]}"] += 1
                otherwise[kind] += key != expected[place]
                assert kind != "certain" or key == expected[place], (seed, number, place, key)
    assert looked["certain boss"] > 50
    assert looked["certain voucher"] > 20
    assert looked["certain tag"] > 150
    assert looked["certain pack"] > 100
    assert looked["certain shop"] > 10
    assert looked["certain card"] > 10
    assert otherwise["own"] + otherwise["depends"] > 50  # the lines do change what can be changed


def test_what_only_having_it_changes_stays_where_nobody_has_it() -> None:
    looked = 0
    for seed in SEEDS:
        labels = label_rest(LineStart(seed).run(), ANTES, QUEUE)
        expected = keys_of(labels)
        for number in range(LINES):
            watcher = wander(seed, number)
            for place, key in watcher.seen.items():
                label = labels.of.get(place)
                if place[1] == "shop" and label and label.kind == "own" and expected[place] not in watcher.had[place]:
                    looked += 1
                    assert key == expected[place], (seed, number, place, key)
    assert looked > 100


# --- What an item depends on ------------------------------------------------------------------------------------------


def held(run: Run, keys: tuple[str, ...]) -> None:
    for key in keys:
        if key in JOKERS:
            run.debug_add_joker(key)
        elif key in CONSUMABLES:
            run.debug_add_consumable(key)
        elif key in VOUCHERS:
            run.debug_redeem(key)
        elif key.startswith("m_"):
            run.debug_add_card("H_2", enhancement=key, to="deck")


def walk(run: Run, antes: int, rerolls: int, *, opens: bool = True, alone: frozenset[int] = frozenset()) -> Watcher:
    """Visit all shops, reroll in the last of an ante, and open packs there or then."""
    watcher = Watcher(run)
    while True:
        watcher.do("beat")
        if run.ante > antes:
            return watcher
        while opens and run.public_state().shop_boosters:
            watcher.do("open1")
            if run.phase == Phase.pack_opening:
                watcher.do("pass")
        if run.on_deck == "boss":
            for _ in range(rerolls):
                watcher.do("reroll")


@pytest.mark.parametrize("seed", SEEDS[:5])
def test_what_a_card_depends_on_changes_it(seed: str) -> None:
    """Every cause with what comes instead is tried in a run: the card is in its place then."""
    labels = label_rest(LineStart(seed).run(), 2, 8)
    tried = 0
    groups: defaultdict[tuple[str, ...], dict[Place, str]] = defaultdict(dict)
    for place, label in labels.of.items():
        for cause in label.causes:
            if cause.then and cause.keys and place[1] == "shop" and cause.kind != "hand" and cause.kind != "extinct":
                groups[cause.keys][place] = cause.then
    plain = walk(LineStart(seed, dollars=GIFT).run(), 2, 3, opens=False)
    for keys, changed in groups.items():
        run = LineStart(seed, dollars=GIFT).run()
        held(run, keys)
        watcher = walk(run, 2, 3, opens=False)
        for place, then in changed.items():
            if place not in watcher.seen or place not in plain.seen:
                continue
            tried += 1
            key = watcher.seen[place]
            assert name_of(key) in then, (keys, place, then, key)
            assert item_words(dict(places(labels.antes))[place]) != then
    assert tried > 10


def test_packs_opened_before_change_what_comes_next() -> None:
    """Real lines: the later pack alone, and after the one before it."""
    tried = 0
    for seed in SEEDS:
        labels = label_rest(LineStart(seed).run(), 1, 0)
        base = dict(places(labels.antes))
        for place, label in labels.of.items():
            then = next((cause.then for cause in label.causes if cause.kind == "opened"), "")
            if place[1] != "card" or not then or place[3] or place[2] < 2 or "Celestial" in then:
                continue
            packs = labels.antes[0]["packs"]
            kind = BOOSTERS[packs[place[2]]["key"]].kind
            if kind not in ("Standard", "Buffoon") or any(BOOSTERS[p["key"]].kind == kind for p in packs[2 : place[2]]):
                continue
            before = [at + 1 for at, pack in enumerate(packs[:2]) if BOOSTERS[pack["key"]].kind == kind]
            opening = " ".join(f"open{at - done} pass" for done, at in enumerate(before))
            for line, wanted in ((f"beat {opening}", item_words(base[place])), ("beat", then)):
                run = play_line(LineStart(seed, dollars=GIFT), read_words(f"{line} beat open{place[2] - 1}")).run
                pack = run.public_state().pack
                assert pack
                name = str(card_of(pack.cards[0])["key"])
                shown = next(str(i["key"]) for i in (base[place],)) if wanted != then else None
                assert shown in (None, name)
                assert shown is not None or name != base[place]["key"] or item_words(base[place]) != wanted
                tried += 1
    assert tried >= 2


def test_a_voucher_depends_on_those_before_it() -> None:
    tried = 0
    for seed in SEEDS:
        labels = label_rest(LineStart(seed).run(), 4, 0)
        for place, label in labels.of.items():
            for cause in label.causes:
                if place[1] != "voucher" or not cause.then or {"v_hieroglyph", "v_petroglyph"} & set(cause.keys):
                    continue
                run = LineStart(seed).run()
                held(run, cause.keys)
                while run.ante < place[0]:
                    leave(run)
                    beat(run)
                assert VOUCHERS[run.public_state().shop_vouchers[0].key].name == cause.then
                tried += 1
    assert tried > 5


def test_bosses_depend_on_rerolls() -> None:
    tried = 0
    for seed in SEEDS:
        labels = label_rest(LineStart(seed).run(), 5, 0)
        for place, label in labels.of.items():
            for cause in label.causes:
                if cause.kind != "reroll" or not cause.then:
                    continue
                run = LineStart(seed, dollars=GIFT).run()
                run.debug_redeem("v_directors_cut")
                while run.ante < place[0]:
                    if run.ante == place[0] - 1 and run.on_deck == "boss":
                        run.step(Action("reroll_boss"))
                    beat(run)
                    leave(run)
                assert run.public_state().boss != dict(places(labels.antes))[place]["key"]
                tried += 1
    assert tried > 3


def test_the_first_shop_may_be_that_of_ante_two() -> None:
    """Skipping both blinds of ante 1 puts the first Buffoon Pack into ante 2, and the packs there come one later."""
    for seed in SEEDS:
        labels = label_rest(LineStart(seed).run(), 2, 0)
        run = play_line(LineStart(seed), ("skip", "skip")).run
        while run.phase == Phase.pack_opening:
            run.step(Action("skip_pack"))
        beat(run)
        packs = run.public_state().shop_boosters
        then = next((c.then for c in labels.of[2, "pack", 0, 0].causes if c.kind == "skipped"), None)
        assert packs[0].key == "p_buffoon_normal_1"
        assert then in (None, BOOSTERS[packs[0].key].name)


def test_a_line_in_the_middle_is_labelled_too() -> None:
    run = play_line(LineStart("TESTSEED"), read_words("beat beat buy2")).run
    labels = label_rest(run, 3, 10)
    assert [ante["ante"] for ante in labels.antes] == [1, 2, 3]
    assert labels.of[2, "tag", 0, 0] == Label()
    assert all(card["key"] != "j_smeared" for card in labels.antes[0]["shop"])


def test_words_that_are_none() -> None:
    for text in ("jump", "buy", "buy0", "beat999", "take1:0", "buy1:1-2-3-4-5-6", "x" * 9000, "beat " * 900):
        with pytest.raises(BadLine) as wrong:
            play_line(LineStart("TESTSEED"), read_words(text))
        assert str(wrong.value).endswith(".")
    with pytest.raises(BadLine, match=r"^Step 2: \"buy1\" cannot be done: .+\.$") as late:
        play_line(LineStart("TESTSEED"), ("skip", "buy1"))
    assert late.value.done == 1
    assert word_of(action_of("take2:1-3")) == "take2:1-3"
