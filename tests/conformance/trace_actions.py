"""The actions of a trace, and the injections by which its author set up situations."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from conformance.trace_cards import EDITIONS, SEALS
from jimbo.engine import Action, Run

Json = dict[str, Any]
Record = Mapping[str, Any]

ACTIONS: dict[str, Callable[[Record], Action]] = {
    "select": lambda a: Action("select_blind"),
    "skip": lambda a: Action("skip_blind"),
    "play": lambda a: Action("play", cards=a["i"]),
    "discard": lambda a: Action("discard", cards=a["i"]),
    "use": lambda a: Action("use", a["n"], cards=a.get("i", [])),
    "cash_out": lambda a: Action("cash_out"),
    "leave": lambda a: Action("leave_shop"),
    "buy": lambda a: Action("buy", a["n"]),
    "voucher": lambda a: Action("redeem", a["n"]),
    "open": lambda a: Action("open_booster", a["n"]),
    "reroll": lambda a: Action("reroll"),
    "sell": lambda a: Action("sell_joker" if a["area"] == "jokers" else "sell_consumable", a["n"]),
    "pick": lambda a: Action("pick", a["n"], cards=a.get("i", [])),
    "skip_pack": lambda a: Action("skip_pack"),
    "move_card": lambda a: Action("move_card", a["n"], a["n"] + a["d"]),
    "move_joker": lambda a: Action("move_joker", a["n"], a["n"] + a["d"]),
    "sort": lambda a: Action(f"sort_hand_by_{a['by']}"),
}


def act(run: Run, action: Record) -> Run:
    """The run after an action. Raises IllegalAction where the engine does not allow it."""
    if action["t"] == "start":
        return run
    if action["t"] == "inject":
        return inject(run, action["ops"])
    if action["t"] not in ACTIONS:
        raise ValueError(f'no action "{action["t"]}" is known')
    run.step(ACTIONS[action["t"]](action))
    return run


def inject(run: Run, ops: list[Json]) -> Run:
    for op in ops:
        if op["op"] in ENGINE_EDITS:
            ENGINE_EDITS[op["op"]](run, op)
        elif op["op"] in STATE_EDITS:
            state = json.loads(run.to_json())
            STATE_EDITS[op["op"]](state, op)
            run = Run.from_json(json.dumps(state))
        else:
            raise ValueError(f'no injection "{op["op"]}" is known')
    return run


# --- By the engine's own edits ----------------------------------------------------------------------------------------


def _add_joker(run: Run, op: Json) -> None:
    stickers = op.get("st") or ""
    run.debug_add_joker(op["k"], _edition(op), "E" in stickers, "P" in stickers, "R" in stickers)


def _edition(op: Json) -> str:
    return EDITIONS[op["ed"]] if op.get("ed") else "e_base"


def _set_dollars(run: Run, op: Json) -> None:
    run.dollars = op["v"]


ENGINE_EDITS: dict[str, Callable[[Run, Json], None]] = {
    "joker": _add_joker,
    "cons": lambda run, op: run.debug_add_consumable(op["k"]),
    "voucher": lambda run, op: run.debug_redeem(op["k"]),
    "boss": lambda run, op: run.debug_set_boss(op["k"]),
    "ante": lambda run, op: run.debug_set_ante(op["v"]),
    "dollars": _set_dollars,
    "level": lambda run, op: run.debug_raise_level(op["hand"], op["n"]),
}

# --- Through the state as JSON ----------------------------------------------------------------------------------------


def _set_on_deck(state: Json, op: Json) -> None:
    state["round"]["on_deck"] = op["b"].lower()


def _set_skip_tag(state: Json, op: Json) -> None:
    state["round"]["skip_tags"][op["b"].lower()]["key"] = op["k"]


def _set_per_round(state: Json, op: Json) -> None:
    for name in ("hands", "discards"):
        if op.get(name) is not None:
            state["round"][f"{name}_per_round"] = op[name]


def _drop_consumable(state: Json, op: Json) -> None:
    del state["consumables"][op["n"]]


def _modify_card(state: Json, op: Json) -> None:
    card = state["zones"]["deck"][op["n"]]
    modifiers = {key.split("_")[0]: key for key in card["modifier"]}
    if op.get("enh"):
        modifiers["m"] = f"m_{op['enh'].removeprefix('m_')}"
    if op.get("ed"):
        modifiers["e"] = EDITIONS[op["ed"]]
    if op.get("seal"):
        modifiers["seal"] = SEALS[op["seal"]]
    card["modifier"] = list(modifiers.values())


def _set_front(zone: str) -> Callable[[Json, Json], None]:
    def set_front(state: Json, op: Json) -> None:
        state["zones"][zone][op["n"]]["key"] = f"{op['c'][1]}_{op['c'][0]}"

    return set_front


STATE_EDITS: dict[str, Callable[[Json, Json], None]] = {
    "goto": _set_on_deck,
    "tag": _set_skip_tag,
    "per_round": _set_per_round,
    "drop_cons": _drop_consumable,
    "card": _modify_card,
    "base": _set_front("deck"),
    "hand_base": _set_front("hand"),
}
