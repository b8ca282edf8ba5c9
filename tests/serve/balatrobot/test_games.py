"""Whole games of random actions: the run behind the wire stays the run that the same actions make in the engine."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from jimbo.engine import Action, Run
from jimbo.wire.gamestate import DECK_KEYS, STAKE_KEYS
from serve.balatrobot.game import Game, Json

LAST = 10  # the ante after which nothing is won any more
CALLS: dict[str, Callable[[Action], tuple[str, Json]]] = {
    "select_blind": lambda a: ("select", {}),
    "skip_blind": lambda a: ("skip", {}),
    "play": lambda a: ("play", {"cards": a.cards}),
    "discard": lambda a: ("discard", {"cards": a.cards}),
    "cash_out": lambda a: ("cash_out", {}),
    "buy": lambda a: ("buy", {"card": a.index}),
    "redeem": lambda a: ("buy", {"voucher": a.index}),
    "open_booster": lambda a: ("buy", {"pack": a.index}),
    "reroll": lambda a: ("reroll", {}),
    "leave_shop": lambda a: ("next_round", {}),
    "pick": lambda a: ("pack", {"card": a.index, "targets": a.cards}),
    "skip_pack": lambda a: ("pack", {"skip": True}),
    "use": lambda a: ("use", {"consumable": a.index, "cards": a.cards}),
    "sell_joker": lambda a: ("sell", {"joker": a.index}),
    "sell_consumable": lambda a: ("sell", {"consumable": a.index}),
}
NOT_HERE = (
    "Method 'sell' requires",
    "Method 'use' requires",
    "Consumable 'Aura'",
    "Cannot purchase",
    "Cannot select joker",
)
"""What the rules allow and the mod does not: to sell and use elsewhere, Aura, Negative cards without room."""


def playthrough(game: Game, deck: str, stake: str, chance: random.Random) -> int:
    """Returns how many calls were taken."""
    seed = f"{chance.randrange(36**6):X}"
    run, taken = Run(deck=DECK_KEYS[deck], stake=STAKE_KEYS[stake], seed=seed), 0
    game.call("start", deck=deck, stake=stake, seed=seed)
    while run.phase != "game_over":
        if chance.random() < 0.1:
            run.dollars = 60
            game.call("set", money=60)
        action = chosen(run, chance)
        if action.kind == "play" and run.ante <= LAST and chance.random() < 0.5:  # or no random game would get anywhere
            run.chips = 10**12
            game.call("set", chips=10**12)
        method, params = CALLS[action.kind](action)
        reply = game.reply({"jsonrpc": "2.0", "method": method, "params": params, "id": 1})
        if "error" in reply:
            assert reply["error"]["message"].startswith(NOT_HERE), (run, action, reply)
            continue
        run.step(action)
        assert game.served._table.run == run, (run, action)
        assert_tells(reply["result"], run)
        taken += 1
    game.call("menu")
    return taken


def chosen(run: Run, chance: random.Random) -> Action:
    actions = [action for action in run.legal_actions() if action.kind in CALLS]
    kind = chance.choice(sorted({action.kind for action in actions}))
    return chance.choice([action for action in actions if action.kind == kind])


def assert_tells(state: Json, run: Run) -> None:
    seen = run.public_state()
    assert [card["key"] for card in state["jokers"]["cards"]] == run.joker_keys
    assert state["money"] == run.dollars
    assert state["round"]["hands_left"] == seen.hands_left
    for area, count in (("hand", len(seen.hand)), ("cards", seen.draw_pile), ("consumables", len(seen.consumables))):
        assert state[area]["count"] == len(state[area]["cards"]) == count
    ids = [card["id"] for area in state.values() if isinstance(area, dict) for card in area.get("cards", [])]
    assert len({*ids}) == len(ids)


@pytest.mark.parametrize("deck", DECK_KEYS)
def test_games_with_every_deck(deck: str, tmp_path: Path) -> None:
    chance, game = random.Random(deck), Game(tmp_path)
    assert sum(playthrough(game, deck, chance.choice([*STAKE_KEYS]), chance) for _ in range(3)) > 50


@pytest.mark.slow
def test_many_games(tmp_path: Path) -> None:
    chance, game = random.Random(7), Game(tmp_path)
    for _ in range(300):
        playthrough(game, chance.choice([*DECK_KEYS]), chance.choice([*STAKE_KEYS]), chance)
