"""A plain policy played on a seed, told line by line. What it tells changes only when a rule changes."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from jimbo.engine import Action, Run
from jimbo.engine.catalog import CHALLENGES, DECKS, STAKES

MAX_STEPS = 150
STAKE_KEYS = list(STAKES)
PLAYABLE = [key for key in DECKS if key != "b_challenge"]


def golden_runs() -> dict[str, dict[str, str]]:
    """Seed to the start of its run: every deck twice, every stake, some challenges. The seed names what it shows."""
    runs: dict[str, dict[str, str]] = {}
    for place, deck in enumerate(PLAYABLE):
        for level in (place % 8, (place + 3) % 8):
            seed = f"{deck.removeprefix('b_').upper()[:7]}{level + 1}"
            runs[seed] = {"deck": deck, "stake": STAKE_KEYS[level]}
    for challenge in list(CHALLENGES)[::4]:
        seed = challenge.removeprefix("c_").replace("_", "").upper()[:8]
        runs[seed] = {"challenge": challenge}
    return runs


def story(seed: str, start: dict[str, str]) -> str:
    """The run as text."""
    run = Run(seed=seed, **start)
    lines = [" ".join([seed, *start.values()]), *_told(run)]
    return "\n".join(lines) + "\n"


def _told(run: Run) -> Iterator[str]:
    for step in range(MAX_STEPS):
        if run.phase == "game_over":
            break
        phase, action = run.phase, _choose(run)
        run.step(action)
        state = json.loads(run.to_json())
        yield f"{step:3} {_spoken(action):24} {_seen(phase, run, state)}"
        if step % 10 == 9:
            yield f"    state {hashlib.sha256(run.to_json().encode()).hexdigest()[:16]}"
    yield f"end: ante {run.ante}, round {run.round}, ${run.dollars}, {run.phase}, won {run.won}"


# --- The policy -------------------------------------------------------------------------------------------------------


def _choose(run: Run) -> Action:
    actions = run.legal_actions()
    by_kind: dict[str, list[Action]] = {}
    for action in actions:
        by_kind.setdefault(action.kind, []).append(action)
    if uses := by_kind.get("use"):
        return uses[0]
    return _CHOICES[run.phase](run, by_kind)


def _blind(run: Run, by_kind: dict[str, list[Action]]) -> Action:
    skip = by_kind.get("skip_blind", [])
    return skip[0] if skip and run.round % 4 == 3 else by_kind["select_blind"][0]


def _hand(run: Run, by_kind: dict[str, list[Action]]) -> Action:
    best = max(by_kind["play"], key=lambda action: run.preview(action.cards).score)
    enough = run.preview(best.cards).score * run.hands_left >= run.target - run.chips
    if enough or "discard" not in by_kind:
        return best
    unneeded = [place for place in range(max(a.cards[-1] for a in by_kind["play"]) + 1) if place not in best.cards]
    discard = Action("discard", cards=unneeded[-5:])
    return discard if unneeded and run.refusal(discard) is None else best


def _shop(run: Run, by_kind: dict[str, list[Action]]) -> Action:
    for kind, least in (("buy", 4), ("redeem", 14), ("open_booster", 8), ("reroll", 20)):
        if kind in by_kind and run.dollars >= least:
            return by_kind[kind][0]
    return by_kind["leave_shop"][0]


def _pack(_run: Run, by_kind: dict[str, list[Action]]) -> Action:
    return (by_kind.get("pick") or by_kind["skip_pack"])[-1]


_CHOICES = {
    "blind_select": _blind,
    "selecting_hand": _hand,
    "round_eval": lambda _run, by_kind: by_kind["cash_out"][0],
    "shop": _shop,
    "pack_opening": _pack,
}


# --- The telling ------------------------------------------------------------------------------------------------------


def _spoken(action: Action) -> str:
    words = [action.kind]
    if action.kind not in ("play", "discard", "select_blind", "skip_blind", "cash_out", "leave_shop", "reroll"):
        words.append(str(action.index))
    if action.cards:
        words.append(",".join(map(str, action.cards)))
    return " ".join(words)


def _seen(phase: str, run: Run, state: dict[str, Any]) -> str:
    """What changed to the eye: the score of a hand, the hand, the shop, a pack."""
    parts = [f"ante {run.ante} ${run.dollars}"]
    score = state["score"]
    if phase == "selecting_hand":
        parts.append(f"{score['last_hand']} {score['last_chips']:g} x {score['last_mult']:g}")
        parts.append(f"{run.chips:g}/{run.target:g} hands {run.hands_left} discards {run.discards_left}")
    if run.phase in ("selecting_hand", "pack_opening"):
        parts.append("hand " + " ".join(_card(card) for card in state["zones"]["hand"]))
    if run.phase == "shop":
        parts.append("shop " + " ".join(_offer(card["offer"]) for card in state["shop"]["cards"]))
        parts.append(" ".join(pack["key"] for pack in state["shop"]["boosters"]))
    if run.phase == "pack_opening":
        parts.append("pack " + " ".join(_offer(offer) for offer in state["pack"]["cards"]))
    parts.append("jokers " + " ".join(_joker(joker) for joker in state["jokers"]))
    return " | ".join(parts)


def _card(card: dict[str, Any]) -> str:
    marks = [*card["modifier"], *(mark for mark in card["state"] if mark != "played_this_ante")]
    return card["key"] + "".join(f"+{mark.removeprefix('m_').removeprefix('e_')}" for mark in marks)


def _offer(offer: dict[str, Any]) -> str:
    if offer["kind"] == "playing_card":
        return _card(offer["card"])
    stickers = "".join(f"+{name}" for name in ("eternal", "perishable", "rental") if offer[name])
    edition = "" if offer["edition"] == "e_base" else "+" + offer["edition"].removeprefix("e_")
    return str(offer[offer["kind"]]) + edition + stickers


def _joker(joker: dict[str, Any]) -> str:
    numbers = f"({joker['count']:g},{joker['x_mult']:g})" if joker["count"] or joker["x_mult"] != 1 else ""
    edition = "" if joker["edition"] == "e_base" else "+" + joker["edition"].removeprefix("e_")
    return joker["joker_id"].removeprefix("j_") + edition + numbers + ("!" if joker["disabled"] else "")
