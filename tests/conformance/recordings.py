"""Recordings made from the engine's own runs, in the form of the transcriptions of the real game.

``python -m conformance.recordings SEED`` prints one.
"""

import copy
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from jimbo.engine import Action, PublicConsumable, PublicJoker, Run
from jimbo.engine.catalog import CONSUMABLES

Json = dict[str, Any]

LIVE = {
    "mult": "j_ceremonial j_ride_the_bus j_green_joker j_red_card j_flash j_trousers j_popcorn",
    "chips": "j_runner j_square j_ice_cream j_castle j_wee",
    "x_mult": "j_constellation j_hologram j_vampire j_obelisk j_lucky_cat j_campfire j_glass j_hit_the_road j_ramen "
    "j_madness j_yorick",
    "extra": "j_selzer",
}
"""Which field of the game shows the growing number of a joker; all but x_mult are the engine's ``count``."""
CONSTANTS = {"j_gros_michel": {"odds": 6}, "j_joker": {"mult": 4}, "j_half": {"mult": 20}, "j_scholar": {"chips": 20}}
WORDS = {"e_foil": "FOIL", "e_holo": "HOLO", "e_polychrome": "POLYCHROME", "e_negative": "NEGATIVE"}


def state_of(run: Run) -> Json:
    state: Json = json.loads(run.to_json())
    return state


def joker_fields(joker: Json, sell: int) -> Json:
    key = joker["joker_id"]
    fields = {"key": key, "sell": sell, "debuff": joker["disabled"], **CONSTANTS.get(key, {})}
    for name, keys in LIVE.items():
        if key in keys.split():
            fields[name] = joker["x_mult"] if name == "x_mult" else joker["count"]
    if joker["edition"] != "e_base":
        fields["edition"] = WORDS[joker["edition"]]
    return fields


def consumable_fields(item: Json, sell: int) -> Json:
    hand = CONSUMABLES[item["key"]].hand
    return {"key": item["key"], "sell": sell, **({"poker_hand": hand} if hand else {})}


def offer_fields(card: Json, cost: int) -> Json:
    offer = card["offer"]
    edition = {} if offer.get("edition", "e_base") == "e_base" else {"edition": WORDS[offer["edition"]]}
    key = offer["card"]["key"] if offer["kind"] == "playing_card" else offer[offer["kind"]]
    return {"key": key, "cost": cost, **edition}


def sell_values(items: Sequence[PublicJoker | PublicConsumable]) -> list[int]:
    return [item.sell_value for item in items]


def after(run: Run) -> Json:
    """What a recording would say of the run now."""
    state, seen = state_of(run), run.public_state()
    now, zones = state["round"], state["zones"]
    stated = {
        "ante": now["ante"],
        "round": now["round_num"],
        "money": state["economy"]["money"],
        "chips": state["score"]["chips"],
        "hands_left": now["hands_left"],
        "discards_left": now["discards_left"],
        "hand": [card["key"] for card in zones["hand"] if not card["modifier"]],
        "deck_order": [card["key"] for card in zones["deck"]],
        "jokers": list(map(joker_fields, state["jokers"], sell_values(seen.jokers))),
        "consumables": list(map(consumable_fields, state["consumables"], sell_values(seen.consumables))),
        "used_vouchers": sorted(state["vouchers"]),
        "hand_levels": {hand: {"level": stats["level"]} for hand, stats in state["hands"].items()},
    }
    if run.phase == "shop":
        stated["shop"] = list(map(offer_fields, state["shop"]["cards"], [offer.price for offer in seen.shop]))
    if any(card["modifier"] for card in zones["hand"]):
        del stated["hand"]
    return stated


class Recorder:
    """Plays and writes down what it does."""

    def __init__(self, seed: str) -> None:
        self.run = Run(seed=seed)
        self.steps: list[Json] = []
        self._write({"type": "start"})

    def take(self, action: Action, recorded: Json) -> None:
        self.run.step(action)
        self._write(recorded)

    def _write(self, recorded: Json) -> None:
        self.steps.append({"action": recorded, "after": after(self.run)})

    @property
    def recording(self) -> Json:
        return {"deck": "RED", "stake": "WHITE", "seed": self.run.seed, "steps": copy.deepcopy(self.steps)}

    # --- A player who buys what it can ------------------------------------------------------------------------------

    def play_round(self) -> bool:
        """Whether the round was won."""
        self.take(Action("select_blind"), {"type": "select_blind"})
        while self.run.phase == "selecting_hand":
            plays = [action for action in self.run.legal_actions() if action.kind == "play"]
            best = max(plays, key=lambda action: self.run.preview(action.cards).score)
            self.take(best, {"type": "play_cards", "cards": best.cards})
        if self.run.phase == "round_eval":
            self.take(Action("cash_out"), {"type": "cash_out"})
        return self.run.phase == "shop"

    def shop(self) -> None:
        while action := next(filter(self._wanted, self.run.legal_actions()), None):
            if action.kind == "redeem":
                self.take(action, {"type": "buy_voucher", "voucher": action.index})
            else:
                self.take(action, {"type": "buy_shop_card", "card": action.index, "mode": "store"})
        jokers = len(state_of(self.run)["jokers"])
        if jokers > 1:
            # The last joker goes to the front: the new first one was the last.
            order = [jokers - 1, *range(jokers - 1)]
            self.take(Action("move_joker", jokers - 1, 0), {"type": "reorder_jokers", "order": order})
        self.take(Action("leave_shop"), {"type": "leave_shop"})

    def _wanted(self, action: Action) -> bool:
        return action.kind in ("buy", "redeem")


def whole_recording(seed: str, rounds: int = 4) -> Json:
    recorder = Recorder(seed)
    for _ in range(rounds):
        if not recorder.play_round():
            break
        recorder.shop()
    return recorder.recording


def mutations(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value of a piece of JSON changed, with the path of the change."""
    if isinstance(value, dict):
        for name, part in value.items():
            for where, changed in mutations(part, f"{path}.{name}"):
                yield where, {**value, name: changed}
    elif isinstance(value, list):
        for i, part in enumerate(value):
            for where, changed in mutations(part, f"{path}[{i}]"):
                yield where, [*value[:i], changed, *value[i + 1 :]]
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int | float):
        yield path, value + 1
    elif isinstance(value, str):
        yield path, f"{value}x"


if __name__ == "__main__":
    recording = whole_recording(sys.argv[1])
    steps = ",\n".join(json.dumps(step, separators=(",", ":")) for step in recording.pop("steps"))
    source = {"source": "this project's own simulator, not the game"}
    print(f'{json.dumps(source | recording)[:-1]}, "steps": [\n{steps}\n]}}')
