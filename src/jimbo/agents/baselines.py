"""The plain agents: one plays at random, one plays the hand that scores most."""

from __future__ import annotations

import random

from jimbo.agents.protocol import Considered, Decision
from jimbo.engine import Action, PublicState
from jimbo.text import number_text

_ONWARD = {
    "blind_select": Action("select_blind"),
    "round_eval": Action("cash_out"),
    "shop": Action("leave_shop"),
    "pack_opening": Action("skip_pack"),
}


class RandomAgent:
    """Chooses uniformly among all allowed actions but sales and rearranging."""

    def __init__(self) -> None:
        self.reset(0)

    def __repr__(self) -> str:
        return "<RandomAgent>"

    def reset(self, nonce: int) -> None:
        self._random = random.Random(nonce)

    def act(self, state: PublicState) -> Decision:
        return Decision(state.draw_action(self._random.getrandbits(64)), explanation="drawn at random")


class GreedyAgent:
    """Plays the hand that scores most and buys the first joker it can pay: no discards, no search, no plan."""

    def __repr__(self) -> str:
        return "<GreedyAgent>"

    def act(self, state: PublicState) -> Decision:
        if state.phase == "selecting_hand":
            return _best_play(state)
        if state.phase == "shop":
            for index, offer in enumerate(state.shop):
                buy = Action("buy", index=index)
                if offer.joker and state.refusal(buy) is None:
                    return Decision(buy, explanation=f"buys {offer.name}")
        return Decision(_ONWARD[state.phase])


def _best_play(state: PublicState) -> Decision:
    plays = [action for action in state.legal_actions() if action.kind == "play"]
    run = state.imagine(0)
    scored = [(run.preview(play.cards, "expected"), play) for play in plays]
    scored.sort(key=lambda pair: -pair[0].score)
    considered = tuple(
        Considered(play, hand.score, hand.hand, chosen=place == 0) for place, (hand, play) in enumerate(scored[:5])
    )
    best, play = scored[0]
    return Decision(play, considered, f"{best.hand} scores {number_text(best.score)}", measure="score")
