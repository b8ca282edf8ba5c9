"""A situation of the game, built on a fresh run of the engine."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jimbo.engine import Action, Run
from jimbo.engine.catalog import BLINDS, JOKERS
from rules.rolls import Rolls, fixed_states
from rules.tokens import card_json, fields_of, number_cards

OUT_OF_REACH = 1e12
"""The target unless a scene sets one: no hand ends the round by accident."""
OWN = "own"
"""As target: what the blind itself asks for."""
SEED = "RULES"

Spec = str | Mapping[str, Any]
"""A joker, consumable or tag: "j_wee:count=16,e_foil,eternal", or its fields with "key"."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A situation. What is left out is as in a fresh run."""

    deck: str = "b_red"
    stake: str = "white"
    challenge: str | None = None
    seed: str = SEED
    phase: str = "selecting_hand"
    blind: str = "bl_small"
    """Being played, or the next one. A boss has already acted on the cards; jokers came after it was selected."""
    ante: int = 1
    jokers: Sequence[Spec] = ()
    """Left to right and in creation order. The word `debuffed` makes one that has perished; passives count."""
    hand: str = ""
    """Cards in hand, left to right."""
    deck_cards: str | None = None
    """Draw pile, the last drawn next; the rest of the deck if None."""
    discard_cards: str = ""
    consumables: Sequence[Spec] = ()
    vouchers: Sequence[str] = ()
    tags: Sequence[Spec] = ()
    """Held ones; "tag_orbital:orbital_hand=Pair"."""
    money: int | None = None
    hands: int | None = None
    """Left in this round."""
    discards: int | None = None
    """Left in this round."""
    hand_size: int | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    played: Mapping[str, int] = field(default_factory=dict)
    """How often each poker hand was played in the run."""
    target: float | str = OUT_OF_REACH
    chips: float = 0
    """Scored so far in this round."""
    targets: Mapping[str, Any] = field(default_factory=dict)
    """What some jokers look for: idol_rank, idol_suit, mail_rank, ancient_suit, castle_suit."""
    memory: Mapping[str, Any] = field(default_factory=dict)
    shop: Sequence[Spec] = ()
    """Cards on sale: joker and consumable keys, or card tokens. The field `free` makes one free."""
    shop_vouchers: Sequence[Spec] = ()
    boosters: Sequence[Spec] = ()
    pack: str | None = None
    """Key of the open pack, for phase pack_opening."""
    pack_cards: Sequence[Spec] = ()
    picks: int = 1
    state: Mapping[str, Any] = field(default_factory=dict)
    """Any other field by its path: {"round.hands_played": 1}."""
    rolls: Rolls = field(default_factory=dict)

    def build(self) -> Run:
        run = self._prepared()
        in_round = self.phase == "selecting_hand"
        if in_round:
            run.step(Action("select_blind"))
            state = json.loads(run.to_json())
            self._set_zones(state)
            run = Run.from_json(json.dumps(state))
        next_id = json.loads(run.to_json())["memory"]["next_id"]
        self._add_working_jokers(run)
        state = json.loads(run.to_json())
        self._set_jokers(state, next_id)
        if not in_round:
            self._set_zones(state)
        self._set_rest(state)
        state["rng"]["streams"] = fresh_state(self)["rng"]["streams"] | fixed_states(self.seed, self.rolls)
        return Run.from_json(json.dumps(state))

    def _prepared(self) -> Run:
        """At blind choice, with the scene's cards as the whole deck."""
        state = fresh_state(self)
        zones = self._zones(state)
        state["memory"]["next_id"] = number_cards(list(zones.values()), state["memory"]["next_id"])
        state["zones"]["deck"] = [_unforced(card) for zone in zones.values() for card in zone]
        state["round"]["ante"] = self.ante
        if BLINDS[self.blind].boss:
            state["round"] |= {"on_deck": "boss", "boss": self.blind}
        else:
            state["round"]["on_deck"] = self.blind.removeprefix("bl_")
        run = Run.from_json(json.dumps(state))
        for voucher in self.vouchers:
            run.debug_redeem(voucher)
        return run

    def _zones(self, fresh: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        zones = {
            "hand": [card_json(token) for token in self.hand.split()],
            "discard": [card_json(token) for token in self.discard_cards.split()],
        }
        if self.deck_cards is not None:
            return zones | {"deck": [card_json(token) for token in self.deck_cards.split()]}
        used = [card["key"] for zone in zones.values() for card in zone]
        rest = []
        for card in fresh["zones"]["deck"]:
            if card["key"] in used:
                used.remove(card["key"])
            else:
                rest.append(card)
        return zones | {"deck": rest}

    def _set_zones(self, state: dict[str, Any]) -> None:
        """Every card to its place, with the debuffs that the blind has given it."""
        debuffed = {card["uid"] for zone in state["zones"].values() for card in zone if "debuffed" in card["state"]}
        zones = self._zones(fresh_state(self))
        number_cards(list(zones.values()), fresh_state(self)["memory"]["next_id"])
        for card in (card for zone in zones.values() for card in zone):
            if card["uid"] in debuffed and "debuffed" not in card["state"]:
                card["state"].append("debuffed")
        state["zones"] |= zones

    def _add_working_jokers(self, run: Run) -> None:
        """The engine itself takes them in, with what they give."""
        for key, fields in map(parse, self.jokers):
            if "debuffed" not in fields:
                stickers = {name: fields.get(name, False) for name in ("eternal", "perishable", "rental")}
                run.debug_add_joker(key, fields.get("edition", "e_base"), **stickers)

    def _set_jokers(self, state: dict[str, Any], uid: int) -> None:
        """Debuffed ones have perished before they could give anything. Creation order is the order of the list."""
        specs = [parse(spec) for spec in self.jokers]
        working = sum("debuffed" not in fields for _, fields in specs)
        split = len(state["jokers"]) - working
        taken_in = iter(state["jokers"][split:])
        jokers = state["jokers"][:split]
        for n, (key, fields) in enumerate(specs):
            perished = {"perishable": True, "perish_left": 0, "disabled": True}
            joker = json.loads(_fresh_joker(key)) | perished if fields.pop("debuffed", False) else next(taken_in)
            jokers.append(joker | {"uid": uid + n} | fields)
        state["jokers"] = jokers
        state["memory"]["next_id"] = max([uid, *(joker["uid"] + 1 for joker in jokers)])

    def _set_rest(self, state: dict[str, Any]) -> None:
        uid = state["memory"]["next_id"]
        state["phase"] = self.phase
        if self.consumables:
            state["consumables"] = [_item(spec, uid + n, sell_bonus=0) for n, spec in enumerate(self.consumables)]
            state["memory"]["next_id"] = uid + len(self.consumables)
        state["tags"] = [{"orbital_hand": "High Card"} | _keyed(spec) for spec in self.tags]
        self._set_numbers(state)
        self._set_offers(state)
        state["memory"] |= self.memory
        state["targets"] |= self.targets
        for path, value in self.state.items():
            *groups, name = path.split(".")
            place = state
            for group in groups:
                place = place[group]
            if name not in place:
                raise KeyError(path)
            place[name] = value

    def _set_numbers(self, state: dict[str, Any]) -> None:
        given = {"hands_left": self.hands, "discards_left": self.discards, "hand_size": self.hand_size}
        state["round"] |= {name: value for name, value in given.items() if value is not None}
        if self.money is not None:
            state["economy"]["money"] = self.money
        state["score"]["chips"] = self.chips
        if self.phase == "selecting_hand" and self.target != OWN:
            state["round"]["blind"]["target"] = self.target
        for hand, level in self.levels.items():
            state["hands"][hand]["level"] = level
        for hand, times in self.played.items():
            state["hands"][hand]["played"] = times

    def _set_offers(self, state: dict[str, Any]) -> None:
        uids = iter(range(state["memory"]["next_id"], 10_000))
        cards = [_shop_card(spec, next(uids)) for spec in self.shop]
        vouchers = [{"free": False, "from_tag": False} | _keyed(spec) for spec in self.shop_vouchers]
        boosters = [{"free": False} | _keyed(spec) for spec in self.boosters]
        state["shop"] |= {"cards": cards, "vouchers": vouchers, "boosters": boosters}
        if self.pack is not None:
            inside = [_offer(spec, next(uids)) for spec in self.pack_cards]
            state["pack"] |= {"key": self.pack, "picks_left": self.picks, "cards": inside}
        state["memory"]["next_id"] = next(uids)


def fresh_state(scene: Scene) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(_fresh_text(scene.deck, scene.stake, scene.seed, scene.challenge))
    return state


@cache
def _fresh_text(deck: str, stake: str, seed: str, challenge: str | None) -> str:
    return Run(deck=None if challenge else deck, stake=stake, seed=seed, challenge=challenge).to_json()


@cache
def _fresh_joker(key: str) -> str:
    run = Run()
    run.debug_add_joker(key)
    return json.dumps(json.loads(run.to_json())["jokers"][0])


def _unforced(card: dict[str, Any]) -> dict[str, Any]:
    return card | {"state": [mark for mark in card["state"] if mark != "forced"]}


def _as_undealt(card: dict[str, Any]) -> dict[str, Any]:
    return card | {"state": [name for name in card["state"] if name not in ("forced", "face_down")]}


def parse(spec: Spec) -> tuple[str, dict[str, Any]]:
    if isinstance(spec, str):
        return fields_of(spec)
    fields = dict(spec)
    return fields.pop("key"), fields


def _keyed(spec: Spec) -> dict[str, Any]:
    key, fields = parse(spec)
    return {"key": key} | fields


def _item(spec: Spec, uid: int, **defaults: Any) -> dict[str, Any]:
    return {"uid": uid, "edition": "e_base"} | defaults | _keyed(spec)


def _offer(spec: Spec, uid: int) -> dict[str, Any]:
    key, fields = parse(spec)
    offer = {
        "kind": "playing_card",
        "joker": "j_joker",
        "consumable": "c_fool",
        "edition": "e_base",
        "eternal": False,
        "perishable": False,
        "rental": False,
        "card": {"key": "S_2", "uid": 0},
        "uid": uid,
    }
    if key in JOKERS:
        return offer | {"kind": "joker", "joker": key} | fields
    if key.startswith("c_"):
        return offer | {"kind": "consumable", "consumable": key} | fields
    return offer | {"card": card_json(key) | {"uid": uid}} | fields


def _shop_card(spec: Spec, uid: int) -> dict[str, Any]:
    key, fields = parse(spec)
    free = fields.pop("free", False)
    return {"offer": _offer({"key": key} | fields, uid), "free": free}
