"""No tool tells what is hidden: when the hidden part of a run is drawn anew, every answer is the same."""

import random
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.backends.sim import SimBackend
from jimbo.engine import Action, PublicState, Run
from jimbo.serve.mcp import RunLimits, Runs, make_server
from jimbo.serve.mcp.board_app import DRAWN
from jimbo.serve.mcp.reviewing import Reviewer
from jimbo.serve.mcp.view import possible
from jimbo.serve.review import Judge
from jimbo.serve.terminal.input import typed
from serve.mcp.talking import SHOWS, Talk, talk

RUNS = 200
QUICK = 25
EXPERT_EVERY = 20
DECKS = ("b_red", "b_magic", "b_ghost", "b_erratic", "b_plasma", "b_zodiac")
STAKES = ("white", "gold")


def positions() -> list[Run]:
    """Runs at random moments, reached by an agent that sometimes does anything at all; every fourth where something
    first lies face down, if it comes to that."""
    found = []
    for number in range(RUNS):
        chance = random.Random(number)
        run = Run(deck=chance.choice(DECKS), stake=chance.choice(STAKES), seed=f"FAIR{number}")
        agent = make_agent("fast", rollouts=4)
        agent.reset(number)
        steps = chance.randrange(1, 200)
        for _ in range(steps):
            after = run.clone()
            anything = chance.random() < 0.1
            after.step(chance.choice(run.legal_actions()) if anything else agent.act(run.public_state()).action)
            if after.public_state().over:
                break
            run = after
            if number % 4 == 0 and hides_something(run.public_state()):
                break
        found.append(run)
    return found


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    return positions()


def answers(run: Run, step: Action | None, cards: list[int], agent: str, *, reveal: bool = False) -> list[Any]:
    """All that the tools and resources tell of a run, before a step and after it."""
    sim = SimBackend(reveal=reveal)
    sim.load(run.save())
    options: dict[str, Any] = {"effort": 0.05} if agent == "expert" else {}
    held = Runs(lambda asked: sim, lambda: make_agent(agent, **options), RunLimits())
    reviewer = Reviewer(Judge(agent, options, 0.02))

    async def ask(talk: Talk) -> list[Any]:
        got: list[Any] = []

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            answer = await talk.client.call_tool(tool, arguments)
            got.append((tool, answer.structured_content, answer.content[0].text, (answer.meta or {}).get(DRAWN)))
            return answer.structured_content or {}

        token = (await call("new_run"))["token"]
        for detail in ("brief", "full"):
            await call("look", run="r1", detail=detail)
        await call("advise", run="r1", top=9)
        if cards:
            await call("score", run="r1", cards=cards)
        actions = possible(run.public_state())
        for action in actions[:4]:
            await call("what_if", run="r1", actions=[action])
        await call("what_if", run="r1", actions=["next", "next"])
        await call("act", run="r1", token="0-000000", action="next")
        if step:
            await call("act", run="r1", token=token, action=typed(step))
            await call("act", run="r1", token=token, action=typed(step))
            await call("review", run="r1")
        got.append(await talk.read("jimbo://run/r1/log"))
        got.append(await talk.read("jimbo://run/r1/state"))
        return got

    return talk(make_server(held, reviewer=reviewer), ask, extensions=[SHOWS])


def silent_step(run: Run, twin: Run, chance: random.Random) -> Action | None:
    """A step after which nobody sees a difference; None where all show something new. A hand is no such step: what a
    boss then does to the cards is seen, even if it leaves no trace."""
    actions = [one for one in run.legal_actions() if one.kind not in ("play", "discard")]
    chance.shuffle(actions)
    for action in actions[:60]:
        after = [one.clone() for one in (run, twin)]
        for one in after:
            one.step(action)
        if after[0].public_state() == after[1].public_state() and not after[0].public_state().over:
            return action
    return None


def differing(run: Run, agent: str, number: int, *, reveal: bool = False) -> list[Any]:
    state = run.public_state()
    chance = random.Random(number)
    twin = state.imagine(number + 1)
    assert twin.public_state() == state
    places = [place for place, card in enumerate(state.hand, 1) if not card.face_down]
    cards = chance.sample(places, min(len(places), chance.randint(1, 5))) if state.phase == "selecting_hand" else []
    step = silent_step(run, twin, chance)
    first, second = (answers(one, step, cards, agent, reveal=reveal) for one in (run, twin))
    return [(one, other) for one, other in zip(first, second, strict=True) if one != other]


def test_these_are_all_kinds_of_moments(runs: list[Run]) -> None:
    states = [run.public_state() for run in runs]
    phases = {"blind_select", "selecting_hand", "round_eval", "shop", "pack_opening"}
    assert {state.phase for state in states} == phases
    assert sum(map(hides_something, states)) >= 5
    assert max(state.ante for state in states) >= 5


@pytest.mark.parametrize(
    "part", [range(QUICK), pytest.param(range(QUICK, RUNS), marks=pytest.mark.slow)], ids=["some", "all others"]
)
def test_answers_depend_on_nothing_hidden(runs: list[Run], part: range) -> None:
    for number in part:
        assert differing(runs[number], "expert" if number % EXPERT_EVERY == 0 else "greedy", number) == [], number


def hides_something(state: PublicState) -> bool:
    """Something lies face down."""
    return any(card.face_down for card in state.hand) or any(joker.face_down for joker in state.jokers)


def test_this_would_find_a_tool_that_tells(runs: list[Run]) -> None:
    """With states that reveal everything, the answers differ."""
    told = [number for number, run in enumerate(runs[:20]) if differing(run, "greedy", number, reveal=True)]
    assert len(told) >= 5
