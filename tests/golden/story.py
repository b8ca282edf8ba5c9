"""Runs told line by line: each action, and what of the things a player sees it changed.

The moves are read from the story itself, so it does not depend on who played, and what it says changes only when a rule
does. Some moves are help: edits that no rule makes, without which hardly any run would get far.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from jimbo.engine import Action, Run

State = dict[str, Any]


class Help(NamedTuple):
    """More levels for a poker hand, or without one more chips in this round."""

    amount: int
    hand: str | None = None

    def give(self, run: Run) -> None:
        if self.hand:
            run.debug_raise_level(self.hand, self.amount)
        else:
            run.chips += self.amount


Move = Action | Help
Player = Callable[[Run], Move | None]
"""What to do next, None at the end of the story."""


class Start(NamedTuple):
    seed: str
    deck: str
    stake: str
    challenge: str | None = None

    def run(self) -> Run:
        deck = None if self.challenge else self.deck
        return Run(seed=self.seed, deck=deck, stake=self.stake, challenge=self.challenge)


def story(start: Start, moves: Iterable[Move], player: Player = lambda _: None) -> str:
    """The recorded moves as far as they are allowed, then the player's."""
    run = start.run()
    lines = [" ".join(filter(None, start)), *_told(run, moves, player)]
    end = f"end: ante {run.ante}, round {run.round}, ${run.dollars}, {run.phase}, {'won' if run.won else 'not won'}"
    return "\n".join([*lines, end]) + "\n"


def _told(run: Run, moves: Iterable[Move], player: Player) -> Iterator[str]:
    shown: dict[str, str] = {}
    for move in _played(run, moves, player):
        state = json.loads(run.to_json())
        seen = _seen(run, state)
        news = [f"{name} {text or 'none'}".strip() for name, text in seen.items() if text != shown.get(name, "")]
        shown |= seen
        yield " | ".join([spoken(move), *news])
        if isinstance(move, Action) and move.kind == "cash_out":
            yield f"state {fingerprint(state)}"


def _played(run: Run, moves: Iterable[Move], player: Player) -> Iterator[Move]:
    """Each move when it has been made."""
    for move in moves:
        if isinstance(move, Action) and run.refusal(move) is not None:
            break
        _make(run, move)
        yield move
    while (move := player(run)) is not None:
        _make(run, move)
        yield move


def _make(run: Run, move: Move) -> None:
    if isinstance(move, Help):
        move.give(run)
    else:
        run.step(move)


# --- Moves as text ----------------------------------------------------------------------------------------------------

_WITHOUT_INDEX = {"play", "discard", "select_blind", "skip_blind", "reroll_boss", "cash_out", "reroll", "leave_shop"}
_WITHOUT_INDEX |= {"skip_pack", "sort_hand_by_rank", "sort_hand_by_suit"}
_ACTION = re.compile(r"(\w+)(?: #(\d+))?(?:>(\d+))?(?: ([\d,]+))?")
_HELP = re.compile(r"help: (\d+) (?:levels for (.+)|chips)")


def spoken(move: Move) -> str:
    """``play 0,2,3``, ``use #0 4``, ``move_joker #2>0``, ``help: 3 levels for Pair``, ``help: 500 chips``."""
    if isinstance(move, Help):
        return f"help: {move.amount} levels for {move.hand}" if move.hand else f"help: {move.amount} chips"
    index = "" if move.kind in _WITHOUT_INDEX else f" #{move.index}"
    to = f">{move.to}" if move.kind.startswith("move_") else ""
    cards = " " + ",".join(map(str, move.cards)) if move.cards else ""
    return f"{move.kind}{index}{to}{cards}"


def recorded(text: str) -> tuple[Start, list[Move]]:
    """The start and the moves of a story."""
    first, *lines, _end = text.splitlines()
    told = (line.split("|")[0].strip() for line in lines if not line.startswith("state "))
    return Start(*first.split(" ")), [_move(line) for line in told]


def _move(text: str) -> Move:
    if helped := _HELP.fullmatch(text):
        return Help(int(helped[1]), helped[2])
    found = _ACTION.fullmatch(text)
    assert found, f"{text!r} is not a move"
    kind, index, to, cards = found.groups()
    positions = [int(card) for card in cards.split(",")] if cards else []
    return Action(kind, index=int(index or 0), to=int(to or 0), cards=positions)


# --- What a player sees -----------------------------------------------------------------------------------------------


def _seen(run: Run, state: State) -> dict[str, str]:
    """By name; what stays as it was is not told again, nor what is out of sight."""
    return {
        "": state["phase"],
        "ante": f"{run.ante} round {run.round}",
        "money": f"${run.dollars}",
        **_IN_SIGHT[state["phase"]](run, state),
        "jokers": " ".join(map(_joker, state["jokers"])),
        "consumables": " ".join(card["key"] + _edition(card) for card in state["consumables"]),
        "tags": " ".join(tag["key"] for tag in state["tags"]),
        "redeemed": " ".join(state["vouchers"]),
        "levels": ", ".join(f"{name} {hand['level']}" for name, hand in state["hands"].items() if hand["level"] != 1),
    }


def _blind_select(run: Run, state: State) -> dict[str, str]:
    tags = state["round"]["skip_tags"]
    names = {"small": tags["small"]["key"], "big": tags["big"]["key"], "boss": state["round"]["boss"]}
    blinds = (f"{blind.slot} {_number(blind.target)} {names[blind.slot]}" for blind in run.public_state().blinds)
    return {"blinds": ", ".join(blinds)}


def _round(run: Run, state: State) -> dict[str, str]:
    score = state["score"]
    return {
        "scored": f"{score['last_hand']} {_number(score['last_chips'])} x {_number(score['last_mult'])}",
        "chips": f"{_number(run.chips)} of {_number(run.target)}",
        "left": f"{run.hands_left}h {run.discards_left}d",
        **_hand(run, state),
    }


def _hand(_run: Run, state: State) -> dict[str, str]:
    return {"hand": " ".join(map(_card, state["zones"]["hand"]))}


def _shop(run: Run, state: State) -> dict[str, str]:
    shop, seen = state["shop"], run.public_state()
    return {
        "shop": _priced(map(_offered, shop["cards"]), [offer.price for offer in seen.shop]),
        "voucher": _priced((voucher.key for voucher in seen.shop_vouchers), [v.price for v in seen.shop_vouchers]),
        "packs": _priced((pack.key for pack in seen.shop_boosters), [pack.price for pack in seen.shop_boosters]),
        "reroll": f"${seen.reroll_price}",
    }


def _pack(run: Run, state: State) -> dict[str, str]:
    offers = " ".join(map(_offer, state["pack"]["cards"]))
    return {"pack": f"{state['pack']['picks_left']} of {offers}", **_hand(run, state)}


_IN_SIGHT = {
    "blind_select": _blind_select,
    "selecting_hand": _round,
    "round_eval": _round,
    "game_over": _round,
    "shop": _shop,
    "pack_opening": _pack,
}


def _number(number: float) -> str:
    return f"{number:.14g}" if isinstance(number, int | float) else str(number)


def _priced(names: Iterable[str], prices: Iterable[int]) -> str:
    return ", ".join(f"{name} ${price}" for name, price in zip(names, prices, strict=True))


def _offered(card: State) -> str:
    return _offer(card["offer"])


def _offer(offer: State) -> str:
    if offer["kind"] == "playing_card":
        return _card(offer["card"])
    stickers = "".join(f"+{name}" for name in ("eternal", "perishable", "rental") if offer[name])
    return f"{offer[offer['kind']]}{_edition(offer)}{stickers}"


_SHOWN = ("debuffed", "forced")


def _card(card: State) -> str:
    if "face_down" in card["state"]:
        return "??"
    marks = [*card["modifier"], *(mark for mark in card["state"] if mark in _SHOWN)]
    return card["key"] + "".join(f"+{mark.removeprefix('m_').removeprefix('e_')}" for mark in marks)


def _joker(joker: State) -> str:
    if joker["face_down"]:
        return "??"
    numbers = f"({joker['count']:g},{joker['x_mult']:g})" if joker["count"] or joker["x_mult"] != 1 else ""
    stickers = "".join(f"+{name}" for name in ("eternal", "perishable", "rental") if joker[name])
    return f"{joker['joker_id']}{_edition(joker)}{stickers}{numbers}{'!' if joker['disabled'] else ''}"


def _edition(card: State) -> str:
    return "" if card["edition"] == "e_base" else "+" + card["edition"].removeprefix("e_")


# --- What is hidden ---------------------------------------------------------------------------------------------------

_PLAYING_CARD = ("key", "modifier", "state")
HASHED: dict[str, tuple[str, ...]] = {
    "round": ("ante", "round_num", "hand_size", "hands_per_round", "discards_per_round", "joker_slots", "boss"),
    "economy": ("money", "inflation", "reroll_increase"),
    "zones.deck": _PLAYING_CARD,
    "zones.discard": _PLAYING_CARD,
    "jokers": ("joker_id", "edition", "count", "x_mult", "sell_bonus", "perish_left", "disabled"),
    "consumables": ("key", "edition", "sell_bonus"),
    "hands.*": ("level", "played"),
    "targets": ("idol_rank", "idol_suit", "mail_rank", "ancient_suit", "castle_suit"),
    "memory": ("hands_played", "unused_discards", "skips", "tarots_used", "used_planets", "last_used"),
    "rng": ("streams",),
}
"""The fields of the state that a fingerprint is made of. A field that is not named here does not change it."""


def fingerprint(state: State) -> str:
    named = {path: [[part[name] for name in names] for part in _parts(state, path)] for path, names in HASHED.items()}
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()[:16]


def _parts(state: Any, path: str) -> list[State]:
    """The object at a path, all those of a list, or behind a ``*`` all those of an object."""
    for name in path.split("."):
        state = list(state.values()) if name == "*" else state[name]
    return state if isinstance(state, list) else [state]
