"""Choices of a player, compared with an agent's."""

import pytest

from jimbo.agents import Considered, Decision, make_agent
from jimbo.agents.protocol import Seat
from jimbo.backends import SimBackend
from jimbo.engine import Action, PublicState
from jimbo.serve.assistant import LessonLog, RunInPlay, Session
from jimbo.serve.assistant.what_if import chance_to_win, error_of, worth
from jimbo.serve.game import BadInput
from rules.scene import Scene

HAND = Scene(hand="KS KH 7D 5C 3H 2S 2D 8H", target=300)
SHOP = Scene(phase="shop", shop=["j_joker", "j_banner"], money=10)


class Says:
    """An agent with some figures."""

    def __init__(self, *considered: Considered, measure: str) -> None:
        self._decision = Decision(considered[0].action, considered, measure=measure)  # type: ignore[arg-type]

    def act(self, state: PublicState) -> Decision:
        legal = state.refusal(self._decision.action) is None
        return self._decision if legal else Decision(state.legal_actions()[0])


def lesson_of(scene: Scene, *considered: Considered, measure: str) -> Session:
    backend = SimBackend()
    backend.load(scene.build().save())
    agent = Seat(Says(*considered, measure=measure), "says")
    return Session(RunInPlay(backend), agent, lesson=LessonLog())


BUY, OTHER, LEAVE = Action("buy", index=0), Action("buy", index=1), Action("leave_shop")


def shop_lesson() -> Session:
    listed = Considered(BUY, 4.0, ""), Considered(OTHER, 1.5, ""), Considered(LEAVE, 3.96, "")
    return lesson_of(SHOP, *listed, measure="win")


@pytest.mark.parametrize(
    ("action", "points", "verdict"),
    [
        (BUY, 0.0, "The agent would have done the same."),
        (
            OTHER,
            2.5,
            "The agent would have chosen: buy Joker for $2. Your choice gives up 2.5 points of the chance to win.",
        ),
        (LEAVE, 0.04, "The agent would have chosen: buy Joker for $2. Your choice is as good."),
    ],
)
def test_what_the_agent_considered_is_compared_by_its_figures(action: Action, points: float, verdict: str) -> None:
    session = shop_lesson()
    session.play(action)
    compared = session.log[-1].compared
    assert compared
    assert compared.points == pytest.approx(points)
    assert compared.verdict == verdict
    assert compared.reasons[0][1] == compared.best.reason


def test_a_hand_gives_up_a_share_of_the_chance_to_win() -> None:
    play, other = Action("play", cards=[0, 1]), Action("discard", cards=[2, 3])
    listed = Considered(play, 0.8, "", 0.9, 0.01), Considered(other, 0.6, "", 0.7, 0.01)
    session = lesson_of(HAND, *listed, measure="clear")
    win = chance_to_win(session.state.imagine(0))
    session.play(other)
    compared = session.log[-1].compared
    assert compared
    assert compared.points == pytest.approx(100 * win * 0.25)
    assert compared.clear == pytest.approx(20.0)
    assert "20.0 points of the chance to clear the blind" in compared.verdict
    assert [who for who, _ in compared.reasons] == ["Play K♠ K♥", "Your choice"]


def test_what_nobody_considered_is_tried_in_the_same_worlds() -> None:
    session = shop_lesson()
    state, poor = session.state, Action("sell_joker", index=0)
    session.play(Action("reroll"))
    compared = session.log[-1].compared
    assert compared
    assert compared.mine is None
    lost = [100 * (a - b) for a, b in zip(worth(state, BUY), worth(state, Action("reroll")), strict=True)]
    assert compared.points == pytest.approx(sum(lost) / len(lost))
    assert compared.error == pytest.approx(error_of(lost))
    with pytest.raises(BadInput):
        session.play(poor)
    assert len(session.log) == 1


def test_a_worse_play_is_worth_less() -> None:
    state = HAND.build().public_state()
    pair, junk = (worth(state, Action("play", cards=cards)) for cards in ([0, 1, 5, 6], [2]))
    assert sum(pair) > sum(junk)
    assert all(0 <= chance <= 1 for chance in (*pair, *junk))


def test_a_state_counts_once_and_an_order_not_at_all() -> None:
    session = shop_lesson()
    assert session.lesson
    session.play(OTHER)
    session.undo()
    session.play(BUY)
    assert [one.words for one in session.lesson.compared] == ["buy Banner for $5"]
    hand = lesson_of(HAND, Considered(Action("play", cards=[0]), 1.0, ""), measure="score")
    hand.play(Action("sort_hand_by_suit"))
    assert hand.lesson
    assert hand.lesson.compared == []


def test_the_summary_has_shares_the_sum_and_the_dearest() -> None:
    session = shop_lesson()
    assert session.lesson
    assert session.lesson.summary == "No choice was compared."
    session.play(OTHER)
    assert session.lesson.summary == (
        "1 choice: 0 as the agent's, 0 as good, 1 worse (0 % equal).\n"
        "Given up in all: 2.5 points of the chance to win.\n"
        "  2.5 points in ante 1, Shop: buy Banner for $5; better: buy Joker for $2"
    )
    data = session.lesson.to_data()
    assert (data["choices"], data["same"], data["equal"]) == (1, 0, 0)
    assert data["points"] == pytest.approx(2.5)
    assert data["dearest"][0]["place"] == "ante 1, Shop"


def test_nothing_is_accepted_or_refused_in_a_lesson() -> None:
    session = shop_lesson()
    for act in (session.accept, session.refuse):
        with pytest.raises(BadInput, match="choose first"):
            act()
    assert session.log == []


def test_an_expert_is_compared_with_itself() -> None:
    backend = SimBackend()
    backend.reset(seed="ALEEB")
    session = Session(RunInPlay(backend), make_agent("expert", effort=0.2), lesson=LessonLog())
    for _ in range(12):
        session.play(session.ask().suggestions[0].action)
    assert session.lesson
    assert session.lesson.compared
    assert all(one.same for one in session.lesson.compared)
