"""Runs through the tools: a whole one by advice alone, tokens, limits, and what is refused."""

import random
import re
from typing import Any

import anyio
import pytest
from mcp import MCPError

from jimbo.agents import make_agent
from jimbo.serve.mcp import RunLimits, Runs, make_server
from jimbo.serve.mcp.runs import simulated
from serve.mcp.talking import Talk, server, talk


def test_a_client_that_only_follows_advice_wins() -> None:
    async def follow(talk: Talk) -> dict[str, Any]:
        seen = await talk("new_run", seed="TESTSEED")
        run = seen["run"]
        while not (seen["won"] or seen["over"]):
            best = (await talk("advise", run=run, top=1))["options"][0]
            seen = await talk("act", run=run, token=seen["token"], action=best["action"])
        log = await talk.read(f"jimbo://run/{run}/log")
        assert len(re.findall(r"^\d+\. ", log, re.MULTILINE)) == int(seen["token"].split("-")[0])
        assert "The run is won in ante 8!" in log
        return seen

    seen = talk(server("expert", effort=0.1), follow)
    assert (seen["won"], seen["ante"]) == (True, 9)


def test_whoever_chose_no_seed_is_told_it_at_the_end() -> None:
    async def lose(talk: Talk) -> None:
        seen = await talk("new_run", stake="gold", deck="black")
        while not seen["over"]:
            assert seen["seed"] == ""
            action = "next" if seen["phase"] != "selecting_hand" else "play 1"
            seen = await talk("act", run=seen["run"], token=seen["token"], action=action)
        assert len(seen["seed"]) == 8
        assert seen["actions"] == []
        assert talk.said.splitlines()[-1] == "actions: none, the run is over"
        assert seen["view"][0].startswith("end: lost to Small Blind with ")
        assert (await talk("advise", run="r1"))["note"] == "The run is over; there is nothing to decide."
        assert "The run is over" in await talk.refusal("what_if", run="r1", actions=["next"])
        await talk.refusal("act", run="r1", token=seen["token"], action="next")

    talk(server(), lose)


# --- Tokens -----------------------------------------------------------------------------------------------------------


def test_a_write_for_another_state_is_refused_with_what_came_since() -> None:
    async def repeat(talk: Talk) -> None:
        old = (await talk("new_run", seed="ALEEB"))["token"]
        new = (await talk("act", run="r1", token=old, action="next"))["token"]
        said = await talk.refusal("act", run="r1", token=old, action="next")
        assert said.splitlines() == [
            f"Nothing was done: 1 step came after the state of token {old}:",
            "- play Small Blind",
            "  Small Blind: score at least 300",
            "  Drawn: 10♦, 4♥, 7♠, 10♣, 2♦, 9♠, 6♥, 5♥",
            f"The token is {new} now. Look again, then decide.",
        ]
        assert (await talk("look", run="r1"))["token"] == new
        for wrong in ("", "1", "nonsense", "9-abcdef", "99999999999999999999999-a", "-1-a", "1-000000"):
            assert "is no token of run r1" in await talk.refusal("act", run="r1", token=wrong, action="discard 1")
        assert (await talk("look", run="r1"))["token"] == new

    talk(server(), repeat)


def test_of_many_writes_at_once_one_is_done() -> None:
    async def rush(talk: Talk) -> None:
        token = (await talk("new_run", seed="ALEEB"))["token"]
        results = []

        async def act() -> None:
            results.append(await talk.client.call_tool("act", {"run": "r1", "token": token, "action": "next"}))

        async with anyio.create_task_group() as group:
            for _ in range(12):
                group.start_soon(act)
        assert sorted(bool(one.is_error) for one in results) == [False] + [True] * 11
        assert all("1 step came after" in one.content[0].text for one in results if one.is_error)

    talk(server(), rush)


def test_a_long_past_is_cut() -> None:
    async def wander(talk: Talk) -> None:
        old = token = (await talk("new_run", seed="ALEEB"))["token"]
        token = (await talk("act", run="r1", token=token, action="next"))["token"]
        for place in (2, 3) * 10:
            token = (await talk("act", run="r1", token=token, action=f"move 1 {place}"))["token"]
        said = await talk.refusal("act", run="r1", token=old, action="next")
        assert said.startswith(f"Nothing was done: 21 steps came after the state of token {old} (the last 12 of 21):")
        assert said.count("\n- move ") == 12

    talk(server(), wander)


def test_a_state_that_comes_again_has_another_token() -> None:
    async def there_and_back(talk: Talk) -> None:
        start = (await talk("new_run", seed="ALEEB"))["token"]
        dealt = (await talk("act", run="r1", token=start, action="next"))["token"]
        there = (await talk("act", run="r1", token=dealt, action="move 1 2"))["token"]
        back = (await talk("act", run="r1", token=there, action="move 1 2"))["token"]
        assert dealt.split("-")[1] == back.split("-")[1]
        assert dealt != back

    talk(server(), there_and_back)


# --- Limits -----------------------------------------------------------------------------------------------------------


def test_only_so_many_runs_are_held() -> None:
    async def fill(talk: Talk) -> None:
        for _ in range(2):
            await talk("new_run")
        said = await talk.refusal("new_run")
        assert said == "2 runs are held already and none has ended. Play one of them: r1, r2."
        seen = await talk("look", run="r1")
        while not seen["over"]:
            action = "next" if seen["phase"] != "selecting_hand" else "play 1"
            seen = await talk("act", run="r1", token=seen["token"], action=action)
        assert (await talk("new_run"))["run"] == "r3"
        said = await talk.refusal("look", run="r1")
        assert said == (
            'There is no run "r1"; a run without a call for 120 minutes is dropped. Held are: r2, r3. '
            "new_run starts one."
        )

    talk(server(limits=RunLimits(runs=2)), fill)


def test_a_run_that_nobody_calls_is_dropped() -> None:
    now = [0.0]
    runs = Runs(simulated, lambda: make_agent("greedy"), RunLimits(idle_minutes=10), clock=lambda: now[0])

    async def wait(talk: Talk) -> None:
        await talk("new_run")
        await talk("new_run")
        now[0] += 9 * 60
        await talk("look", run="r1")
        now[0] += 2 * 60
        assert "Held are: r1." in await talk.refusal("look", run="r2")
        await talk("look", run="r1")
        now[0] += 11 * 60
        assert "Held are" not in await talk.refusal("look", run="r1")

    talk(make_server(runs), wait)


# --- Bad input --------------------------------------------------------------------------------------------------------

LONG = "x" * 101
REFUSED = [
    ("lok", {}, 'There is no tool "lok". There are new_run, look, act, advise, score, what_if, review, explain.'),
    ("look", {}, "look needs the argument run."),
    ("look", {"run": "r1", "details": "full"}, 'look has no argument "details". It takes run, detail.'),
    ("look", {"run": "r1", "detail": "most"}, "look, argument detail: input should be 'brief' or 'full'."),
    ("look", {"run": LONG}, "look, argument run: string should have at most 100 characters."),
    ("look", {"run": 7}, "look, argument run: input should be a valid string."),
    ("new_run", {"deck": "pink"}, 'There is no deck "pink". Allowed are red, blue,'),
    ("new_run", {"stake": "pink"}, 'There is no stake "pink". Allowed are white,'),
    ("new_run", {"challenge": "pink"}, 'There is no challenge "pink". Allowed are omelette,'),
    ("new_run", {"deck": "red", "challenge": "omelette"}, "A challenge brings its own deck;"),
    ("new_run", {"seed": "\n\0"}, "not valid: a seed has 1 to 32 bytes"),
    ("advise", {"run": "r1", "top": 0}, "advise, argument top: input should be greater than or equal to 1."),
    ("advise", {"run": "r1", "top": "many"}, "advise, argument top: input should be a valid integer"),
    ("score", {"run": "r1", "cards": []}, "score, argument cards: list should have at least 1 item, not 0."),
    ("score", {"run": "r1", "cards": [1] * 21}, "score, argument cards: list should have at most 20 items, not 21."),
    ("score", {"run": "r1", "cards": ["ace"]}, "score, argument cards.1: input should be a valid integer"),
    ("score", {"run": "r1", "cards": [9]}, "There is no card 9 in the hand; it has 8."),
    ("score", {"run": "r1", "cards": [1, 2, 3, 4, 5, 6]}, "Select at most five cards of the hand; you chose 6."),
    ("what_if", {"run": "r1", "actions": ["discard 1"] * 13}, "list should have at most 12 items, not 13."),
    (
        "what_if",
        {"run": "r1", "actions": ["discard 1", "buy b1"]},
        "Action 2, 'buy b1': There is no card on sale here.",
    ),
    ("what_if", {"run": "r1", "actions": [LONG]}, "what_if, argument actions.1: string should have at most 100"),
    ("explain", {"item": "bluprint"}, 'There is no item "bluprint". Did you mean Blueprint'),
    ("explain", {"item": "xyzzy"}, 'There is no item "xyzzy". Kinds of items are jokers,'),
    ("explain", {"item": ""}, 'There is no item "".'),
    ("act", {"run": "r1"}, "act needs the argument token."),
    *(
        ("act", {"run": "r1", "token": "now", "action": action}, said)
        for action, said in {
            "": "is not an action of the game. Possible now: play 1 2 (any 1 to 5 cards) | discard 1 2",
            "dance": '"dance" is not a command. Possible now: play 1 2 (any 1 to 5 cards) | discard 1 2',
            "leave the shop": "That is not possible during a round. Possible now: play 1 2",
            "undo": '"undo" is not an action of the game.',
            "hint": '"hint" is not an action of the game.',
            "save /tmp/run": '"save" is not an action of the game.',
            "q": '"quit" is not an action of the game.',
            "play": "Which cards? Write their numbers, such as p 1 2 3.",
            "play A♥": '"a♥" is not a card; the cards of the hand are numbered 1 to 8.',
            "next": "There is nothing to go on to during a round.",
            "sell j1": "There is no j1; you have no jokers.",
            "((((": "is not a command",
        }.items()
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "said"), REFUSED)
def test_bad_input_gets_a_sentence_and_changes_nothing(tool: str, arguments: dict[str, Any], said: str) -> None:
    async def ask(talk: Talk) -> None:
        token = (await talk("new_run", seed="ALEEB"))["token"]
        before = await talk("act", run="r1", token=token, action="next")
        given = arguments | ({"token": before["token"]} if arguments.get("token") == "now" else {})
        refusal = await talk.refusal(tool, **given)
        assert said in refusal
        assert refusal.endswith((".", "?"))
        assert "Error executing" not in refusal
        assert (await talk("look", run="r1"))["token"] == before["token"]

    talk(server(), ask)


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("jimbo://run/r9/log", 'There is no run "r9"'),
        ("jimbo://run/r9/state", 'There is no run "r9"'),
        ("jimbo://items/foo", 'There are no items "foo". There are jokers,'),
        ("jimbo://run/../../etc/passwd/log", "Unknown resource"),
    ],
)
def test_a_resource_that_is_not_there(uri: str, said: str) -> None:
    async def ask(talk: Talk) -> str:
        with pytest.raises(MCPError) as refused:
            await talk.read(uri)
        return str(refused.value)

    assert said in talk(server(), ask)


@pytest.mark.parametrize(
    ("prompt", "arguments", "said"),
    [
        ("coach", {}, "The prompt coach takes run."),
        ("coach", {"run": "r1", "more": "x"}, "The prompt coach takes run."),
        ("coach", {"run": LONG}, "An argument of a prompt has at most 100 characters."),
        ("win", {"run": "r1"}, 'There is no prompt "win". There are coach, review, plan_shop.'),
    ],
)
def test_a_prompt_that_is_not_there(prompt: str, arguments: dict[str, str], said: str) -> None:
    async def ask(talk: Talk) -> str:
        with pytest.raises(MCPError) as refused:
            await talk.client.get_prompt(prompt, arguments)
        return str(refused.value)

    assert talk(server(), ask) == said


WORDS = "play discard buy buy_and_use use sell move pick open redeem reroll next skip sort undo save j1 c1 b1 v1 o1 k1 "
WORDS += "1 2 3 9 99 -1 1-3 1-99999999 ( ) [ , A♥ é \u202e on the cards rank suit full r1 0-000000"


def test_any_call_gets_an_answer_or_a_sentence() -> None:
    chance = random.Random(0)

    def text() -> str:
        return " ".join(chance.choice(WORDS.split()) for _ in range(chance.randint(0, 6)))

    def value() -> object:
        numbers = [chance.randint(-1, 12) for _ in range(chance.randint(0, 6))]
        return chance.choice([text(), text(), chance.randint(-5, 50), [text(), text()], numbers, None, 1e308, {"a": 1}])

    async def call(talk: Talk) -> None:
        tools = [tool for tool in (await talk.client.list_tools()).tools if tool.name != "seed_find"]
        seen = await talk("new_run", seed="ALEEB", deck="ghost")
        answered = 0
        for _ in range(600):
            tool = chance.choice([*tools, *(one for one in tools if one.name in ("act", "what_if"))])
            action = chance.choice(seen["actions"] or ["next"])
            right = {"run": seen["run"], "token": seen["token"], "action": action, "actions": [action], "cards": [1, 2]}
            needed = tool.input_schema.get("required", ())
            names = [
                name for name in tool.input_schema["properties"] if chance.random() < (0.95 if name in needed else 0.2)
            ]
            arguments = {name: right[name] if name in right and chance.random() < 0.9 else value() for name in names}
            answer = await talk.client.call_tool(tool.name, arguments)
            said = answer.content[0].text
            assert not answer.is_error or (said.endswith((".", "?")) and "Error executing" not in said), arguments
            answered += not answer.is_error
            if tool.name in ("act", "new_run") and not answer.is_error:
                seen = answer.structured_content
        assert 150 < answered < 500

    talk(server(seeds=True, limits=RunLimits(runs=1_000)), call)


def test_an_agent_that_fails_is_told() -> None:
    class Broken:
        name, clairvoyant = "broken", False

        def reset(self, nonce: int) -> None: ...

        def act(self, state: object, /) -> Any:
            raise RuntimeError("no idea")

    async def ask(talk: Talk) -> str:
        await talk("new_run")
        return await talk.refusal("advise", run="r1")

    said = talk(make_server(Runs(simulated, Broken, RunLimits())), ask)
    assert said == "The agent broken failed in decision 1: RuntimeError: no idea."
