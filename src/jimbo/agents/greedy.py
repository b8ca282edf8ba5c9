"""Plays the hand that scores most, buys the first joker it can pay: the plain baseline."""

from __future__ import annotations

from jimbo.agents.protocol import Considered, Decision
from jimbo.backends import PublicView
from jimbo.engine.run import Action, JokerView
from jimbo.text import number_text

_ONWARD = {
    "blind_select": Action("select_blind"),
    "round_eval": Action("cash_out"),
    "shop": Action("leave_shop"),
    "pack_opening": Action("skip_pack"),
}


class GreedyAgent:
    """No discards, no search, no plan."""

    name = "greedy"
    clairvoyant = False

    def __repr__(self) -> str:
        return "<GreedyAgent>"

    def reset(self, nonce: int) -> None:
        """Nothing is left to chance."""

    def act(self, view: PublicView) -> Decision:
        if view.phase == "selecting_hand":
            return _best_play(view)
        if view.phase == "shop":
            for index, item in enumerate(view.state.shop):
                buy = Action("buy", index=index)
                if isinstance(item.card, JokerView) and view.seen.refusal(buy) is None:
                    return Decision(buy, explanation=f"buys {item.card.name}")
        return Decision(_ONWARD[view.phase])


def _best_play(view: PublicView) -> Decision:
    plays = [action for action in view.legal_actions() if action.kind == "play"]
    scored = [(view.seen.preview(play.cards, "expected"), play) for play in plays]
    scored.sort(key=lambda pair: -pair[0].score)
    considered = tuple(
        Considered(play, hand.score, hand.hand, chosen=place == 0) for place, (hand, play) in enumerate(scored[:5])
    )
    best, play = scored[0]
    return Decision(play, considered, f"{best.hand} scores {number_text(best.score)}", measure="score")
