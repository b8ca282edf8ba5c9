"""Games of the page by its requests: every phase, hints, lessons, undo, branches, autoplay, files."""

import asyncio
import json
import random
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from jimbo.agents import make_agent
from jimbo.backends.sim import SimBackend
from jimbo.data.record_files import read_record
from jimbo.engine import Action, Run
from jimbo.rollout.loop import AgentFailed
from jimbo.serve.assistant.prospects import Prospects
from jimbo.serve.web.app import make_app
from jimbo.serve.web.board import board, options, weigh
from jimbo.serve.web.game import PageGame, Start
from serve.web.serving import LOCAL, Stream, serving, settings_for

Json = dict[str, Any]


def begin(client: TestClient, seed: str = "ALEEB", **more: str) -> str:
    answer = client.post("/api/games", json={"seed": seed, **more})
    assert answer.status_code == 201, answer.text
    return f"/api/games/{answer.json()['id']}"


def act(client: TestClient, game: str, kind: str, *cards: int, index: int = 0, to: int = 0) -> Json:
    action = {"kind": kind, "index": index, "to": to, "cards": list(cards)}
    answer = client.post(f"{game}/act", json={"action": action})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def ready(client: TestClient, game: str) -> Json:
    """The view once the adviser has answered."""
    for _ in range(500):
        view: Json = client.get(game).json()
        if view["advice"]["status"] != "thinking":
            return view
        time.sleep(0.01)
    raise AssertionError("the adviser is still thinking")


# --- What is seen -----------------------------------------------------------------------------------------------------


def test_a_new_run_is_that_of_the_simulator(client: TestClient) -> None:
    view = client.get(begin(client, "aleeb", deck="b_blue", stake="stake_red")).json()
    run = Run(deck="b_blue", stake="red", seed="ALEEB")
    assert view["board"] == board(run.public_state(), "ALEEB")
    assert (view["board"]["game"], view["steps"], view["mode"]) == ("Blue Deck · Red Stake", 0, "request")
    assert set(view["options"]) == {"select_blind", "skip_blind"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"deck": "b_none"}, "b_none"),
        ({"stake": "wood"}, "wood"),
        ({"challenge": "c_none"}, "c_none"),
        ({"seed": "x" * 40}, "seed"),
        ({"seed": 7}, "seed is a short text."),
        ({"deck": "b_red", "challenge": "c_omelette_1"}, "choose either a challenge or a deck"),
    ],
)
def test_a_run_that_there_is_not(client: TestClient, asked: Json, said: str) -> None:
    answer = client.post("/api/games", json=asked)
    assert answer.status_code == 400
    assert said in answer.json()["error"]


def test_the_score_is_exact(client: TestClient) -> None:
    game = begin(client)
    act(client, game, "select_blind")
    run = Run(deck="b_red", stake="white", seed="ALEEB")
    run.step(Action("select_blind"))
    found = client.post(f"{game}/weigh", json={"cards": [1, 0]}).json()
    exact = Prospects(run.public_state()).score(Action("play", cards=[0, 1]))
    assert exact is not None
    assert found["cards"] == [0, 1]
    assert (found["score"]["hand"], found["score"]["text"]) == (exact.hand, str(exact))
    assert [part["text"] for part in found["score"]["parts"]] == [str(line) for line in exact.told]
    assert found["options"]["play"]["action"]["cards"] == [0, 1]


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ([0, 1, 2, 3, 4, 5], "chose 6"),
        ([99], "There is no such card"),
        ("0", "named by their places"),
        ([True], "places"),
        ([-1], "places"),
    ],
)
def test_cards_that_make_no_hand(client: TestClient, cards: Any, said: str) -> None:
    game = begin(client)
    act(client, game, "select_blind")
    answer = client.post(f"{game}/weigh", json={"cards": cards}).json()
    assert said in answer.get("error", "") + answer.get("why", "")


def test_every_option_is_what_the_rules_say() -> None:
    """Over whole random games: what is offered is allowed, what is refused says why, and nothing allowed is missing."""
    chance, phases = random.Random(7), set()
    for seed in ("ALEEB", "TESTSEED", "7LB2WVPK"):
        run = Run(deck="b_red", stake="gold", seed=seed)
        for _ in range(150):
            state = run.public_state()
            phases.add(str(state.phase))
            if state.over:
                break
            cards = sorted(chance.sample(range(len(state.hand)), min(2, len(state.hand))))
            found = options(state, cards)
            for option in found.values():
                refusal = state.refusal(Action(**option["action"]))
                assert (refusal is None) == (option["why_not"] is None)
            board(state, seed)
            if state.phase == "selecting_hand":
                weigh(state, cards)
            offered = {Action(**one["action"]) for one in found.values()}
            for action in state.legal_actions():
                moved = action.kind in ("move_joker", "move_card", "move_consumable")
                if not moved and (not action.cards or list(action.cards) == cards):
                    assert action in offered or (action.cards and len(action.cards) != len(cards)), action
            run.step(chance.choice([one for one in state.legal_actions() if one.kind != "sell_joker"]))
    assert phases >= {"blind_select", "selecting_hand", "shop", "round_eval", "pack_opening"} or "game_over" in phases


# --- What is done -----------------------------------------------------------------------------------------------------


def test_a_step_and_its_undoing(client: TestClient) -> None:
    game = begin(client)
    act(client, game, "select_blind")
    view = act(client, game, "play", 0, 1)
    assert (view["steps"], view["log"][-1]["words"], view["log"][-1]["by"]) == (2, "play 10♣ 10♦", "player")
    assert "Pair: scores 60 (30 x 2)" in [told["text"] for told in view["log"][-1]["told"]]
    back = client.post(f"{game}/undo", json={"steps": 1}).json()
    assert (back["steps"], back["board"]["hand"][0]["name"]) == (1, "10♣")
    assert client.post(f"{game}/undo", json={"steps": 5}).json()["steps"] == 0
    assert client.post(f"{game}/undo", json={}).json()["error"] == "There is nothing to undo."


def test_cards_are_moved(client: TestClient) -> None:
    game = begin(client)
    before = [card["id"] for card in act(client, game, "select_blind")["board"]["hand"]]
    after = [card["id"] for card in act(client, game, "move_card", index=0, to=3)["board"]["hand"]]
    assert after == [*before[1:4], before[0], *before[4:]]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"kind": "buy"}, "not possible while you are choosing a blind"),
        ({"kind": "play", "cards": [0]}, "not possible"),
        ({"kind": "no_such_thing"}, "There is no such action."),
        ({"kind": "buy", "index": -1}, "index is a whole number"),
        ({"kind": "buy", "index": True}, "index is a whole number"),
        ({"kind": "play", "cards": [0] * 99}, "Cards are named"),
        ("play", "Say what to do"),
        (None, "Say what to do"),
    ],
)
def test_what_cannot_be_done_changes_nothing(client: TestClient, action: Any, said: str) -> None:
    game = begin(client)
    answer = client.post(f"{game}/act", json={"action": action})
    assert answer.status_code == 400
    assert said in answer.json()["error"]
    assert client.get(game).json()["steps"] == 0


def test_what_was_meant_for_an_earlier_state_is_not_done(client: TestClient) -> None:
    """Two pages show one game, and one of them lags behind."""
    game = begin(client)
    action = {"kind": "select_blind", "index": 0, "to": 0, "cards": []}
    assert client.post(f"{game}/act", json={"action": action, "step": 0}).status_code == 200
    late = client.post(f"{game}/act", json={"action": {**action, "kind": "sort_hand_by_suit"}, "step": 0})
    assert (late.status_code, late.json()["error"]) == (409, "The game has gone on since; look again.")


@pytest.mark.parametrize("id", ["none", "..", "%2e%2e%2fetc", "a" * 100, "x.y"])
def test_a_game_that_there_is_not(client: TestClient, id: str) -> None:
    answer = client.get(f"/api/games/{id}/record")
    assert answer.status_code == 404
    assert " " in answer.json()["error"]


# --- The adviser ------------------------------------------------------------------------------------------------------


def test_a_hint_comes_when_it_is_asked_for(client: TestClient) -> None:
    game = begin(client)
    act(client, game, "select_blind")
    assert client.get(game).json()["advice"]["status"] == "off"
    client.post(f"{game}/hint", json={})
    advice = ready(client, game)["advice"]
    assert advice["status"] == "ready"
    assert advice["suggestions"][0]["chosen"]
    assert advice["score"]["text"] == advice["suggestions"][0]["score"]["text"]
    assert act(client, game, "sort_hand_by_suit")["advice"]["status"] == "off"


def test_suggestions_are_accepted_and_refused(client: TestClient) -> None:
    game = begin(client)
    client.post(f"{game}/mode", json={"mode": "always"})
    act(client, game, "select_blind")
    first, second = (one["words"] for one in ready(client, game)["advice"]["suggestions"][:2])
    after = client.post(f"{game}/refuse", json={"place": 0}).json()
    assert after["advice"]["suggestions"][0]["words"] == second
    assert after["steps"] == 1
    view = client.post(f"{game}/undo", json={"steps": 1}).json()  # the refusal, not the step
    assert (view["steps"], view["advice"]["suggestions"][0]["words"]) == (1, first)
    view = client.post(f"{game}/accept", json={"place": 0}).json()
    assert (view["log"][-1]["words"], view["log"][-1]["by"], view["steps"]) == (first, "agent", 2)
    assert client.post(f"{game}/accept", json={"place": 77}).json()["error"].startswith("There is no suggestion 78")


def test_in_a_lesson_the_choice_comes_first(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, "expert", options={"effort": 0.1})
    with TestClient(make_app(settings), base_url=LOCAL) as client:
        game = begin(client)
        client.post(f"{game}/mode", json={"mode": "teach"})
        act(client, game, "select_blind")
        view = client.get(game).json()
        assert view["advice"]["status"] == "lesson"
        assert "suggestions" not in view["advice"]
        compared = act(client, game, "play", 7)["advice"]["compared"]
        assert compared["words"].startswith("play ")
        assert compared["verdict"].startswith("The agent would")
        assert not compared["good"]
        error = client.post(f"{game}/auto", json={"on": True}).json()["error"]
        assert error == "In a lesson the choice is yours: there is no autoplay."
        assert client.post(f"{game}/mode", json={"mode": "none"}).status_code == 400


def test_an_adviser_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: Any, _state: Any, **_: Any) -> Any:
        raise AgentFailed("greedy", 1, ValueError("no idea"))

    monkeypatch.setattr("jimbo.serve.assistant.advice.Adviser.advise", fail)
    with TestClient(make_app(settings_for(tmp_path)), base_url=LOCAL) as client:
        game = begin(client)
        client.post(f"{game}/hint", json={})
        advice = ready(client, game)["advice"]
        assert (advice["status"], "no idea" in advice["why"]) == ("failed", True)
        assert "no idea" in client.post(f"{game}/accept", json={}).json()["error"]
        assert act(client, game, "select_blind")["steps"] == 1


def test_the_newest_question_wins(tmp_path: Path) -> None:
    """Steps are taken while the adviser thinks; what it says at last is about the last state, and nobody waited."""

    class Slow:
        name, clairvoyant = "slow", False

        def __init__(self) -> None:
            self._agent = make_agent("greedy")
            self.asked = 0

        def reset(self, nonce: int) -> None:
            self._agent.reset(nonce)

        def act(self, state: Any, /) -> Any:
            self.asked += 1
            time.sleep(0.15)
            return self._agent.act(state)

    agent = Slow()

    async def play() -> tuple[float, Json]:
        backend = SimBackend()
        backend.reset(seed="ALEEB")
        game = PageGame("x", backend, agent, Start(None), ThreadPoolExecutor(1))
        game.set_mode("always")
        began = time.monotonic()
        for kind in ("select_blind", *("sort_hand_by_suit", "sort_hand_by_rank") * 4):
            await game.act(Action(kind))
            await asyncio.sleep(0)
        seconds = time.monotonic() - began
        while game.view()["advice"]["status"] == "thinking":
            await asyncio.sleep(0.01)
        return seconds, game.view()

    seconds, view = asyncio.run(play())
    assert seconds < 0.15
    assert view["advice"]["status"] == "ready"
    assert agent.asked <= 3
    legal = {tuple(one["action"]["cards"]) for one in view["advice"]["suggestions"]}
    assert all(max(cards, default=0) < 8 for cards in legal)


# --- Autoplay and streams ---------------------------------------------------------------------------------------------


def test_autoplay_plays_to_the_end_and_every_watcher_sees_it(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path)) as url:

        def post(path: str, body: Json) -> Json:
            asked = urllib.request.Request(
                f"{url}{path}", json.dumps(body).encode(), {"content-type": "application/json"}
            )
            with urllib.request.urlopen(asked) as answer:
                found: Json = json.load(answer)
                return found

        id = post("/api/games", {"seed": "ALEEB"})["id"]
        with Stream(url, f"/api/games/{id}/events") as one, Stream(url, f"/api/games/{id}/events") as two:
            assert one.answer.headers["content-type"].startswith("text/event-stream")
            post(f"/api/games/{id}/auto", {"on": True, "pause": 0})
            last = []
            for stream in (one, two):
                steps = [-1]
                while True:
                    _, name, view = stream.next()
                    assert name == "view"
                    assert view["steps"] >= steps[-1]
                    steps.append(view["steps"])
                    if view["board"]["end"] and not view["auto"]:
                        break
                last.append(view)
            assert last[0] == last[1]
            assert last[0]["board"]["end"]["why"].startswith("Lost to")


def test_autoplay_stops_when_it_is_told_to(client: TestClient) -> None:
    game = begin(client)
    assert client.post(f"{game}/auto", json={"on": True, "pause": 30}).json()["auto"]
    assert not client.post(f"{game}/auto", json={"on": False}).json()["auto"]
    assert client.get(game).json()["steps"] == 0
    assert client.post(f"{game}/auto", json={"on": True, "pause": "fast"}).status_code == 400


# --- Branches and files -----------------------------------------------------------------------------------------------


def test_a_branch_has_the_same_cards_to_come(client: TestClient) -> None:
    game = begin(client)
    act(client, game, "select_blind")
    branch = f"/api/games/{client.post(f'{game}/branch', json={'deal': 'same'}).json()['id']}"
    assert client.get(branch).json()["branched_at"] == 1
    discarded = [act(client, one, "discard", 0, 1, 2)["board"]["hand"] for one in (game, branch)]
    assert discarded[0] == discarded[1]
    act(client, branch, "play", 0)
    assert client.get(game).json()["steps"] == 2


def test_a_branch_dealt_anew_agrees_only_in_what_was_known(client: TestClient) -> None:
    game = begin(client)
    known = act(client, game, "select_blind")["board"]
    hands = []
    for _ in range(3):
        branch = f"/api/games/{client.post(f'{game}/branch', json={'deal': 'anew'}).json()['id']}"
        view = client.get(branch).json()
        assert {**view["board"], "seed": ""} == {**known, "seed": ""}
        assert not view["kept"]
        assert "belong to no seed" in client.get(f"{branch}/record").json()["error"]
        hands.append([card["id"] for card in act(client, branch, "discard", 0, 1, 2, 3, 4)["board"]["hand"]])
    assert hands[0] != hands[1] or hands[1] != hands[2]
    assert client.post(f"{game}/branch", json={"deal": "marked"}).status_code == 400


def test_a_run_is_there_again_after_a_restart(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with TestClient(make_app(settings), base_url=LOCAL) as client:
        game = begin(client)
        act(client, game, "select_blind")
        act(client, game, "play", 0, 1)
        act(client, game, "discard", 0)
        before = client.post(f"{game}/undo", json={"steps": 1}).json()
    with TestClient(make_app(settings), base_url=LOCAL) as client:
        after = client.get(game).json()
        assert after["board"] == before["board"]
        assert after["boot"] != before["boot"]
        assert after["log"][-1]["words"] == "play 10♣ 10♦"
        assert client.post(f"{game}/undo", json={}).json()["steps"] == 1
        listed = client.get("/api/games").json()["games"]
        assert [(one["seed"], one["place"]) for one in listed] == [("ALEEB", "Small Blind")]


def test_the_record_is_one_that_replays(client: TestClient, tmp_path: Path) -> None:
    game = begin(client)
    act(client, game, "select_blind")
    act(client, game, "play", 0, 1)
    path = tmp_path / "run.jsonl"
    path.write_bytes(client.get(f"{game}/record").content)
    record = read_record(path)
    assert (record.header.seed, len(record.decisions), record.end is not None) == ("ALEEB", 2, True)


@pytest.mark.parametrize("damage", ["", "{}", "not json", "[" * 100_000, '{"schema": "jimbo_record_v2"}', "\x00\xff"])
def test_a_damaged_file_is_named_without_its_place(client: TestClient, tmp_path: Path, damage: str) -> None:
    (tmp_path / "games").mkdir(exist_ok=True)
    (tmp_path / "games" / "bad-1.jsonl").write_text(damage, encoding="latin-1")
    answer = client.get("/api/games/bad-1")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("bad-1.jsonl")
    assert str(tmp_path) not in answer.text
    assert client.get("/api/games").json()["games"] == []


def test_a_line_that_was_cut_is_no_trouble(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with TestClient(make_app(settings), base_url=LOCAL) as client:
        game = begin(client)
        act(client, game, "select_blind")
        act(client, game, "play", 0)
    (path,) = (tmp_path / "games").iterdir()
    path.write_bytes(path.read_bytes()[:-20])
    with TestClient(make_app(settings), base_url=LOCAL) as client:
        assert client.get(game).json()["steps"] == 1
        act(client, game, "discard", 0)
    assert len(read_record(path).decisions) == 2


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("a file")
    with TestClient(make_app(settings_for(tmp_path)), base_url=LOCAL) as client:
        game = begin(client)
        act(client, game, "select_blind")
        for _ in range(100):
            if trouble := client.get(game).json()["trouble"]:
                break
            time.sleep(0.01)
        assert trouble == "This run cannot be saved: File exists." or "Not a directory" in trouble
