"""A game with an agent at one's side."""

import json
from contextlib import suppress

import pytest

from jimbo.agents import Considered, Decision, make_agent
from jimbo.agents.protocol import Seat
from jimbo.backends import SimBackend
from jimbo.engine import Action, PublicState
from jimbo.rollout import Moment, Observer, Rollout
from jimbo.serve.assistant import Session
from jimbo.serve.game import BadInput, RunInPlay
from jimbo.serve.terminal.assist import answers
from rules.scene import Scene

PLAY, OTHER, DISCARD = Action("play", cards=[0, 1]), Action("play", cards=[2]), Action("discard", cards=[2, 3])


class Plans:
    """Says the same of every hand, and counts what it is asked; forgets when it is reset."""

    def __init__(self) -> None:
        self.asked = 0

    def reset(self, _nonce: int) -> None:
        self.asked = 0

    def act(self, state: PublicState) -> Decision:
        self.asked += 1
        if state.phase != "selecting_hand":
            return Decision(state.legal_actions()[0])
        listed = (
            Considered(PLAY, 0.9, "", chosen=True),
            Considered(OTHER, 0.5, "why not"),
            Considered(DISCARD, 0.1, ""),
        )
        return Decision(PLAY, listed, f"asked {self.asked}", measure="choice")


class Seen(Observer):
    def __init__(self) -> None:
        self.decisions: list[Decision] = []

    def happened(self, moment: Moment) -> None:
        self.decisions.append(moment.decision)


def backend_of(scene: Scene) -> SimBackend:
    backend = SimBackend()
    backend.load(scene.build().save())
    return backend


HAND = Scene(hand="KS KH 7D 5C 3H 2S 2D 8H")


def session_of(topk: int = 3, **options: bool) -> tuple[Session, Seen]:
    seen = Seen()
    return Session(RunInPlay(backend_of(HAND), [seen], **options), Seat(Plans(), "plans"), topk=topk), seen


def test_what_is_accepted_is_done_and_told_to_observers() -> None:
    session, seen = session_of()
    moment = session.accept()
    assert moment.decision.action == PLAY
    assert seen.decisions == [moment.decision]
    assert moment.decision.explanation == "asked 1"
    assert session.state == moment.after
    (entry,) = session.log
    assert (entry.by, entry.words) == ("agent", "play K♠ K♥")
    assert "Pair: scores 60 (30 x 2)" in map(str, entry.told)


def test_another_suggestion_is_recorded_as_chosen_by_the_player() -> None:
    session, seen = session_of()
    session.accept(1)
    (decision,) = seen.decisions
    assert decision.action == OTHER
    assert [one.chosen for one in decision.considered] == [False, True, False]
    assert decision.explanation == "the player's own choice"
    assert decision.measure == "choice"


def test_something_else_is_recorded_with_what_was_turned_down() -> None:
    session, seen = session_of()
    session.ask()
    session.play(Action("play", cards=[4]))
    assert [one.chosen for one in seen.decisions[0].considered] == [False] * 3
    assert session.log[0].by == "player"
    session.play(PLAY)  # nobody was asked
    assert seen.decisions[1].considered == ()


def test_an_agent_goes_on_with_its_plan_only_while_it_is_followed() -> None:
    session, _ = session_of()
    reasons = []
    for do in (session.accept, session.accept, lambda: session.accept(1), session.undo, lambda: session.play(PLAY)):
        reasons.append(session.suggestions()[0].reason)
        do()
    assert reasons == ["asked 1", "asked 2", "asked 3", "asked 1", "asked 1"]
    assert session.suggestions()[0].reason == "asked 2"  # the play was the agent's own choice


def test_refusing_asks_for_the_next_best_until_nothing_is_left() -> None:
    session, _ = session_of(topk=2)
    assert [one.action for one in session.suggestions()] == [PLAY, OTHER]
    session.refuse()
    assert [one.action for one in session.suggestions()] == [OTHER, DISCARD]
    session.refuse(1)
    session.refuse()
    others = session.suggestions()
    assert len(others) == 2
    assert not {one.action for one in others} & {PLAY, OTHER, DISCARD}
    assert others[0].value is None
    assert others[0].reason == "the agent has not considered it"
    assert others[0].score
    assert _refuse_all(session) > 20
    with pytest.raises(BadInput, match="There is nothing else to do here"):
        session.refuse()
    assert len(session.suggestions()) == 1
    session.accept()
    assert session.suggestions()[0].action == PLAY  # nothing is refused for ever


def _refuse_all(session: Session) -> int:
    """All but the last; returns how many those were."""
    refused = 0
    with suppress(BadInput):
        while True:
            session.refuse()
            refused += 1
    return refused


def test_there_is_no_suggestion_beyond_the_last() -> None:
    session, _ = session_of()
    with pytest.raises(BadInput, match="There is no suggestion 4; there are 3"):
        session.accept(3)
    with pytest.raises(BadInput, match="There is no suggestion 0; there are 3"):
        session.refuse(-1)


def test_steps_are_undone() -> None:
    session, _ = session_of()
    before = session.state
    session.accept()
    session.accept()
    assert session.undo(2) == 2
    assert session.state == before
    assert [entry.words for entry in session.log][-1] == "undo 2 steps"
    with pytest.raises(BadInput, match="There is nothing to undo"):
        session.undo()


def test_a_recorded_run_is_not_undone() -> None:
    session, _ = session_of(recorded=True)
    session.accept()
    with pytest.raises(BadInput, match="A run that is recorded cannot be undone"):
        session.undo()


class Forward:
    """A world that cannot be left and gone back to, and that must be armed."""

    needs_arming = True

    def __init__(self, backend: SimBackend) -> None:
        self._backend = backend
        self.state, self.apply, self.full_state = backend.state, backend.apply, backend.full_state
        self.reset, self.close, self.cannot = backend.reset, backend.close, backend.cannot


def test_a_game_that_needs_arming_takes_no_step_without_it() -> None:
    session = Session(RunInPlay(Forward(backend_of(HAND))), Seat(Plans(), "plans"))
    before = session.state
    with pytest.raises(BadInput, match="Nothing was done: this game takes no steps from here until it is armed"):
        session.accept()
    assert session.state == before
    assert session.log == []
    armed = Session(RunInPlay(Forward(backend_of(HAND)), armed=True), Seat(Plans(), "plans"))
    armed.accept()
    assert armed.state != before
    with pytest.raises(BadInput, match="Steps of this game cannot be undone"):
        armed.undo()


def test_autoplay_is_the_agent_itself() -> None:
    backend = SimBackend()
    backend.reset(seed="CXQGWN36")
    seen = Seen()
    session = Session(RunInPlay(backend, [seen]), make_agent("expert", effort=0.12))
    for _ in zip(range(60), session.autoplay(), strict=False):
        pass
    rollout = Rollout(SimBackend())
    rollout.start(seed="CXQGWN36")
    alone = [moment.decision for moment in rollout.play(make_agent("expert", effort=0.12), 0, max_steps=60)]
    assert seen.decisions[:60] == alone
    assert len(alone) == 60


def test_autoplay_ends_with_the_run() -> None:
    backend = SimBackend()
    backend.reset(seed="CXQGWN36")
    session = Session(RunInPlay(backend), make_agent("greedy"))
    moments = list(session.autoplay())
    assert session.state.over
    assert session.suggestions() == ()
    assert len(session.log) == len(moments)
    with pytest.raises(BadInput, match="The run is over"):
        session.accept()


# --- Lines for programs -----------------------------------------------------------------------------------------------


def test_every_line_is_answered() -> None:
    session, _ = session_of()
    lines = ["accept", "refuse", "p 3", "undo 2", "sort rank", "auto 1", "", "q", "accept"]
    first, *rest = map(json.loads, answers(session, lines))
    assert (first["done"], first["suggestions"][0]["words"]) == ([], "play K♠ K♥")
    assert len(rest) == 7  # nothing is done after q
    done = [[entry["words"] for entry in answer["done"]] for answer in rest]
    assert done[:4] == [["play K♠ K♥"], [], ["play " + _card(rest[1], 2)], ["undo 2 steps"]]
    assert done[4] == ["sort the hand by rank"]
    assert len(done[5]) == 1
    assert done[6] == []
    assert rest[0]["done"][0]["events"][-1].startswith("Drawn: ")
    assert rest[3]["state"] == first["state"]


def _card(answer: dict, place: int) -> str:
    card = answer["state"]["hand"][place]
    return f"{card['rank']}{dict(zip('SHCD', '♠♥♣♦', strict=True))[card['suit']]}"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("accept 9", "There is no suggestion 9; there are 3."),
        ("accept x", '"x" is not a number from 1 on. Write accept, or accept 2.'),
        ("accept 0", '"0" is not a number from 1 on. Write accept, or accept 2.'),
        ("frobnicate", '"frobnicate" is not a command. Write accept, refuse or auto, an action as in jimbo play'),
        ("?", '"help" is for people; the field state tells everything. Write accept, refuse or auto, an action'),
        ("b 1", "There is no card on sale here."),
        ("i boss", '"inspect" is for people'),
        ("undo", "There is nothing to undo."),
    ],
)
def test_a_line_that_makes_no_sense_is_answered_with_a_sentence(line: str, sentence: str) -> None:
    session, _ = session_of()
    before = session.state
    _, answer = map(json.loads, answers(session, [line]))
    assert answer.keys() == {"schema", "error"}
    assert answer["error"].startswith(sentence)
    assert session.state == before
