"""What a player may know of the run in a save: told as the mod would tell it, then with what only a save has.

The random streams, the seed and the order of the draw pile are in the save, too. None of them is read.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jimbo.engine import LAST_ANTE, PublicState, Run
from jimbo.engine.catalog import BLINDS, BOOSTERS, CHALLENGES, CONSUMABLES, DECKS, HANDS, JOKERS, STAKES, TAGS, VOUCHERS
from jimbo.text.spellings import BLIND_WORDS, RANK_WORDS, SUIT_WORDS, fold
from jimbo.wire.codec.areas import Pairing
from jimbo.wire.codec.read import laid_over, with_limits
from jimbo.wire.gamestate import PACK_OPENED, SLOTS, Json, cards_of
from jimbo.wire.saves.cards import SavedCards, add_to_card, face_down
from jimbo.wire.saves.table import BadSave, Table, parsed, plain, unpacked

STATES: Mapping[int, str] = {
    1: "SELECTING_HAND",
    4: "GAME_OVER",
    5: "SHOP",
    7: "BLIND_SELECT",
    8: "ROUND_EVAL",
    **dict.fromkeys((9, 10, 15, 17, 18, 999), PACK_OPENED),
}
"""The game's numbers of the states in which it waits for the player."""
_TARGETS = ("idol_rank", "idol_suit", "mail_rank", "ancient_suit", "castle_suit")
_ANY_SEED = "JIMBO"
_MULTIPLY = "multiply"
_USE = "use_card"
_PILES = ("deck", "discard", "play")
"""Areas of playing cards beside the hand."""
_AREAS: Mapping[str, tuple[str, Mapping[str, Any], str]] = {
    "jokers": ("jokers", JOKERS, "among the jokers"),
    "consumables": ("consumeables", CONSUMABLES, "among the consumables"),
    "vouchers": ("shop_vouchers", VOUCHERS, "in the shop"),
    "packs": ("shop_booster", BOOSTERS, "in the shop"),
}
"""The mod's names of areas, those of the save, and what can lie there."""
_OTHERS = ("jokers", "consumeables", "shop_jokers", "shop_vouchers", "shop_booster", "pack_cards")


@dataclass(frozen=True, slots=True)
class Saved:
    """A save, as far as its player may know it."""

    state: PublicState
    notes: tuple[str, ...]
    """Sentences on what the game itself does not have, or what the save does not tell."""


def read_save(data: bytes) -> Saved:
    """Read the bytes of a ``save.jkr``; BadSave with a few words for whatever is not a run that can be played."""
    try:
        return _Reader(Table(parsed(unpacked(data)))).read()
    except BadSave:
        raise
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise BadSave(f"no run can look like this ({plain(str(error))})") from error


class _Reader:
    def __init__(self, save: Table) -> None:
        self._save, self._game = save, save.table("GAME")
        self._now, self._resets = self._game.table("current_round"), self._game.table("round_resets")
        areas = save.table("cardAreas")
        self._configs = {name: areas.table(name).table("config") for name in areas.names()}
        self._in = defaultdict(list, {name: areas.table(name).table("cards").listed() for name in areas.names()})
        self._piled = [card for area in _PILES for card in self._in[area]]
        others = [card for area in _OTHERS for card in self._in[area]]
        numbers = enumerate([*_by_creation([*self._piled, *self._in["hand"]]), *_by_looks(others)], 1)
        self._notes: list[str] = []
        self._cards = SavedCards(self._notes, {id(card): number for number, card in numbers})

    def read(self) -> Saved:
        told = self._told()
        laid = laid_over(self._started(), told, Pairing(), seen=())
        data = laid.to_data()
        self._add(data)
        state = with_limits(Run.from_json(json.dumps(data)), told).public_state()
        self._compare(state, told)
        return Saved(state, tuple(self._notes))

    # --- As the mod would tell it -------------------------------------------------------------------------------------

    def _started(self) -> Run:
        """Any run with this deck: all that is seen of it is laid over."""
        challenge = self._game.text("challenge", "")
        if challenge in CHALLENGES:
            return Run(challenge=challenge, seed=_ANY_SEED)
        if challenge:
            raise BadSave(f'the challenge "{plain(challenge)}" is unknown: it may come from a mod')
        return Run(deck=self._deck(), stake=self._stake(), seed=_ANY_SEED)

    def _deck(self) -> str:
        for key in (self._save.table("BACK").text("key", ""), self._game.table("selected_back_key").text("key", "")):
            if key in DECKS:
                return key
        name = self._save.table("BACK").text("name", "")
        found = next((key for key, fact in DECKS.items() if fact.name == name), None)
        if found is None:
            raise BadSave(f'the deck "{plain(name)}" is unknown: it may come from a mod')
        return found

    def _stake(self) -> str:
        stake = self._game.whole("stake", 1)
        if not 1 <= stake <= len(STAKES):
            raise BadSave(f"stake {stake} is unknown: it may come from a mod")
        return list(STAKES)[stake - 1]

    def _told(self) -> Json:
        told: Json = {
            "state": self._state(),
            "deck": self._deck(),
            "stake": self._stake(),
            "ante_num": self._resets.whole("ante"),
            "round_num": self._game.whole("round"),
            "money": self._game.whole("dollars"),
            "won": self._game.flag("won"),
            "used_vouchers": list(self._owned_vouchers()),
            "tags": [{"key": key} for key, _ in self._tags()],
            "round": {
                **{name: self._now.whole(name) for name in ("hands_left", "discards_left")},
                **{name: self._now.whole(name, 0) for name in ("hands_played", "discards_used")},
                "reroll_cost": self._now.whole("reroll_cost"),
                "chips": self._game.number("chips", 0),
                "most_played_hand": self._now.text("most_played_poker_hand", ""),
            },
            "hands": self._hands(),
            "blinds": self._blinds(),
        }
        return told | self._told_cards()

    def _state(self) -> str:
        number = self._save.whole("STATE")
        if number not in STATES:
            raise BadSave(f"the game was between two decisions (its state {number}); it will save again soon")
        self._say_what_was_used()
        state = STATES[number]
        if state == PACK_OPENED and not self._in["pack_cards"]:
            return "SHOP" if "shop_jokers" in self._configs else "BLIND_SELECT"
        return state

    def _say_what_was_used(self) -> None:
        action = self._save.table("ACTION")
        if action.text("type", "") != _USE:
            return
        used = next(
            (
                card
                for cards in self._in.values()
                for card in cards
                if card.whole("sort_id", -1) == action.whole("card")
            ),
            None,
        )
        name = plain(used.text("label", "")) if used else "a card"
        if used in self._in["shop_booster"]:
            note = f"The game saved as {name} was opened, and what is in it is not saved: the advice is for the shop."
        else:
            note = f"The game saved just before {name} was used: the advice is for that moment."
        self._cards.note(note)

    def _told_cards(self) -> Json:
        cards = self._cards
        told: Json = {
            "cards": {"cards": [cards.playing(card) for card in self._piled]},
            "hand": {"cards": [cards.playing(card, in_hand=True) for card in self._in["hand"]]},
            "shop": {"cards": cards.offers(self._in["shop_jokers"], "in the shop")},
            "pack": {"cards": cards.offers(self._in["pack_cards"], "in the pack")},
        }
        if "hand" in self._configs:
            told["hand"]["limit"] = self._limit("hand")
        for name, (area, known, where) in _AREAS.items():
            own = cards.others(self._in[area], known, where)
            told[name] = {"cards": own}
            if area in self._configs:
                told[name]["limit"] = self._limit(area) - len(self._in[area]) + len(own)
        return told

    def _limit(self, area: str) -> int:
        """A mod has a table of limits."""
        config = self._configs[area]
        return (
            config.whole("card_limit") if "card_limit" in config else config.table("card_limits").whole("total_slots")
        )

    def _hands(self) -> Json:
        told = self._game.table("hands")
        return {
            name: {field: told.table(name).whole(field, 0) for field in ("played", "played_this_round")}
            | {"level": told.table(name).whole("level", 1)}
            for name in HANDS
        }

    def _blinds(self) -> Json:
        states, choices = self._resets.table("blind_states"), self._resets.table("blind_choices")
        blinds = {}
        for slot in SLOTS:
            name = slot.capitalize()
            key = choices.text(name, f"bl_{slot}")
            if key not in BLINDS:
                raise BadSave(f'the blind "{plain(key)}" is unknown: it may come from a mod')
            blinds[slot] = {"key": key, "status": states.text(name).upper()}
            if slot != "boss":
                blinds[slot]["tag_name"] = self._resets.table("blind_tags").text(name)
        return blinds

    def _tags(self) -> Iterator[tuple[str, Table]]:
        for tag in self._save.table("tags").listed():
            key = tag.text("key", "")
            if key in TAGS:
                yield key, tag
            else:
                self._cards.note(f"The tag {plain(key)} is not of the game itself: the advice leaves it out.")

    def _owned_vouchers(self) -> Iterator[str]:
        used = self._game.table("used_vouchers")
        for key in used.names():
            if key in VOUCHERS and used.flag(key):
                yield key
            elif used.flag(key):
                self._cards.note(f"The voucher {plain(key)} is not of the game itself: the advice leaves it out.")

    # --- What only a save tells ---------------------------------------------------------------------------------------

    def _add(self, data: Json) -> None:
        """Puts exact numbers into a run that looks like the save otherwise."""
        self._add_round(data)
        self._add_blind(data)
        self._add_memory(data)
        active = data["round"]["blind"]["key"] if data["round"]["blind"]["active"] else ""
        self._add_cards(data, active)
        known = [card for card in self._in["jokers"] if card.table("save_fields").text("center") in JOKERS]
        for joker, card in zip(data["jokers"], known, strict=True):
            self._cards.add_to_joker(joker, card, active)
        consumables = [c for c in self._in["consumeables"] if c.table("save_fields").text("center") in CONSUMABLES]
        for consumable, card in zip(data["consumables"], consumables, strict=True):
            consumable["sell_bonus"] = card.table("ability").whole("extra_value", 0)
        for tag, (_, told) in zip(data["tags"], self._tags(), strict=True):
            tag["orbital_hand"] = _hand(told.table("ability").text("orbital_hand", ""))
        if data["phase"] == "pack_opening":
            self._add_pack(data["pack"])

    def _add_pack(self, pack: Json) -> None:
        """Which pack it is does not stand there: the smallest of its kind in which so much can be left."""
        kind, left = BOOSTERS[pack["key"]].kind, self._game.whole("pack_choices", pack["picks_left"])
        fit = [b for b in BOOSTERS.values() if b.kind == kind and b.picks >= left and b.cards >= len(pack["cards"])]
        if not fit or left < 1:
            raise BadSave("no pack of the game offers that much")
        pack |= {"picks_left": left, "key": min(fit, key=lambda booster: (booster.cards, booster.picks)).key}

    def _add_round(self, data: Json) -> None:
        own, sort = data["round"], self._game.text("sort", "")
        own |= {
            f"{name}_per_round": self._resets.whole(name, own[f"{name}_per_round"]) for name in ("hands", "discards")
        }
        own |= {"boss_rerolled": self._resets.flag("boss_rerolled"), "sorts_by_suit": "suit" in sort}
        own["shop_slots"] = self._game.table("shop").whole("joker_max", own["shop_slots"])
        orbital = self._game.table("orbital_choices").table(own["ante"])
        for slot in ("small", "big"):
            if own["skip_tags"][slot]["key"] == "tag_orbital":
                own["skip_tags"][slot]["orbital_hand"] = _hand(orbital.text(slot.capitalize(), ""))
        voucher = self._now.text_or_first("voucher")
        own["voucher"] = voucher if voucher in VOUCHERS and voucher not in data["vouchers"] else None
        for entry in data["shop"]["vouchers"]:
            entry["from_tag"] = entry["key"] != own["voucher"]
        data["shop"]["first_booster_made"] |= self._game.flag("first_shop_buffoon") or own["round_num"] > 1
        data["economy"] |= {
            "reroll_increase": self._now.whole("reroll_cost_increase", 0),
            "free_rerolls": self._now.whole("free_rerolls", 0),
            "inflation": self._game.whole("inflation", 0),
        }

    def _add_blind(self, data: Json) -> None:
        told, own, blind = self._save.table("BLIND"), data["round"], data["round"]["blind"]
        last = self._game.table("last_blind").text("name", "")
        name = told.text("config_blind", "") or told.text("name", "") or last or "bl_small"
        key = BLIND_WORDS.get(fold(name))
        if key is None:
            raise BadSave(f'the blind "{plain(name)}" is unknown: it may come from a mod')
        blind |= {"key": key, "disabled": told.flag("disabled"), "taken": 0, "only_hand": None}
        blind |= {"reward": told.whole("dollars", 0), "target": told.number("chips", 0)}
        if blind["active"] and not blind["disabled"]:
            started = {name: own[f"{name}_per_round"] for name in ("hands", "discards")}
            if key == "bl_water":
                blind["taken"] = max(0, started["discards"] - own["discards_left"] - own["discards_used"])
            elif key == "bl_needle":
                blind["taken"] = max(0, started["hands"] - own["hands_left"] - own["hands_played"])
            elif key == "bl_mouth":
                blind["only_hand"] = self._only_hand(data)

    def _only_hand(self, data: Json) -> str | None:
        """The hand that The Mouth allows: the one of this round."""
        told = self._save.table("BLIND").text("only_hand", "") if self._save.table("BLIND").flag("only_hand") else ""
        played = [name for name, hand in data["hands"].items() if hand["played_this_round"]]
        return told if told in HANDS else played[0] if len(played) == 1 else None

    def _add_memory(self, data: Json) -> None:
        game, memory, score = self._game, data["memory"], data["score"]
        usage = game.table("consumeable_usage")
        used = {key: usage.table(key).whole("count", 0) for key in usage.names() if key in CONSUMABLES}
        kinds = {key: CONSUMABLES[key].kind for key, times in used.items() if times}
        last, bosses = game.text("last_tarot_planet", ""), game.table("bosses_used")
        times = bosses.table("boss") if "boss" in bosses else bosses
        memory |= {
            "hands_played": game.whole("hands_played", 0),
            "unused_discards": game.whole("unused_discards", 0),
            "skips": game.whole("skips", 0),
            "tarots_used": sum(used[key] for key, kind in kinds.items() if kind == "Tarot"),
            "used_planets": [key for key in CONSUMABLES if kinds.get(key) == "Planet"],
            "last_used": last if last in CONSUMABLES else None,
            "ectoplasms": max(0, game.whole("ecto_minus", 1) - 1),
            "gros_michel_extinct": game.table("pool_flags").flag("gros_michel_extinct"),
            "boss_uses": {key: times.whole(key) for key in BLINDS if times.whole(key, 0) > 0},
        }
        hand = game.text("last_hand_played", "")
        score |= {"last_any": hand in HANDS, "last_hand": _hand(hand), "last_score": 0}
        data["targets"] |= dict(self._targets())

    def _targets(self) -> Iterator[tuple[str, str]]:
        """What jokers look for; the engine shows it only while such a joker is in sight."""
        for joker in ("idol", "mail", "ancient", "castle"):
            told = self._now.table(f"{joker}_card")
            for name, words in (("rank", RANK_WORDS), ("suit", SUIT_WORDS)):
                if f"{joker}_{name}" in _TARGETS and (word := told.text(name, "")):
                    yield f"{joker}_{name}", words[fold(word)]

    def _add_cards(self, data: Json, active: str) -> None:
        """``active``: the blind in play. The discard pile was told as part of the draw pile."""
        zones, challenge = data["zones"], data["challenge"]
        wears = bool(challenge) and CHALLENGES[challenge].debuff_played_cards
        boss = bool(active) and BLINDS[active].boss
        for laid, card in zip([*zones["deck"], *zones["hand"]], [*self._piled, *self._in["hand"]], strict=True):
            add_to_card(laid, card, bell=active == "bl_final_bell", wears=wears, boss=boss)
        left = len(self._in["deck"])
        zones["deck"], zones["discard"] = zones["deck"][:left], zones["deck"][left:]

    # --- What no run of the game itself would show --------------------------------------------------------------------

    def _compare(self, state: PublicState, told: Json) -> None:
        note = self._cards.note
        asked = [card["cost"]["buy"] for area in ("shop", "vouchers", "packs") for card in cards_of(told, area)]
        offers = [(offer.name or "a playing card", offer.price) for offer in state.shop]
        offers += [(voucher.name, voucher.price) for voucher in state.shop_vouchers]
        offers += [(pack.name, pack.price) for pack in state.shop_boosters]
        for price, (what, usual) in zip(asked, offers, strict=False):
            if usual != price:
                note(f"The game asks ${price} for {what}; by its own rules it costs ${usual}.")
        for hand in state.hands:
            own = self._game.table("hands").table(hand.hand)
            if (own.number("chips", hand.chips), own.number("mult", hand.mult)) != (hand.chips, hand.mult):
                note(f"{hand.hand} does not have the chips and mult of its level: a mod may have changed it.")
        if self._save.table("SCORING_CALC").text("key", _MULTIPLY) != _MULTIPLY:
            note("A mod has changed how a hand's score is made of chips and mult; the advice multiplies them.")
        if (ante := self._game.whole("win_ante", LAST_ANTE)) != LAST_ANTE:
            note(f"This run is won in ante {ante}; the advice is for the usual {LAST_ANTE}.")


def _by_creation(cards: list[Table]) -> list[Table]:
    """By what the game gave each playing card when it was made: where it lies must not show."""
    return sorted(cards, key=lambda card: (card.whole("playing_card", 0), _looks(card)))


def _by_looks(cards: list[Table]) -> list[Table]:
    """As they lie; those that lie face down come last, in an order that does not tell where."""
    hidden = [card for card in cards if face_down(card)]
    return [card for card in cards if not face_down(card)] + sorted(hidden, key=_looks)


def _looks(card: Table) -> tuple[str, str]:
    fields = card.table("save_fields")
    return fields.text("card", ""), fields.text("center", "")


def _hand(name: str) -> str:
    return name if name in HANDS else "High Card"
