"""Runs reviewed through the tools: in bounded time, runs in play and records of the server, and nothing else."""

from pathlib import Path
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.serve.mcp import RunLimits, Runs, make_server
from jimbo.serve.mcp.records import keeping
from jimbo.serve.mcp.reviewing import Reviewer
from jimbo.serve.mcp.runs import simulated
from jimbo.serve.mcp.server import SayingServer
from jimbo.serve.review import Judge, explained, read_run, review_run
from serve.mcp.talking import Talk, talk

JUDGE = Judge("greedy", {}, 0.02)
POSITION = "hand: As Ah Kd 9c 7d 4s 3h 2c; jokers: Joker; ante: 2; blind: The Needle; needs: 150; hands: 1; discards: 0"


def server(folder: Path | None = None, **reviewer: Any) -> SayingServer:
    runs = Runs(simulated, lambda: make_agent("greedy"), RunLimits(), keep=keeping(folder) if folder else None)
    return make_server(runs, reviewer=Reviewer(JUDGE, folder, **reviewer))


async def play_badly(talk: Talk, steps: int = 1_000, **begin: str) -> dict[str, Any]:
    """Play single cards until the run is lost, or for some steps."""
    seen = await talk("new_run", **begin)
    while not seen["over"] and steps:
        action = "next" if seen["phase"] != "selecting_hand" else "play 1"
        seen = await talk("act", run=seen["run"], token=seen["token"], action=action)
        steps -= 1
    return seen


def test_a_review_is_that_of_the_command(tmp_path: Path) -> None:
    async def lose(talk: Talk) -> dict[str, Any]:
        await play_badly(talk, seed="ALEEB")
        told = await talk("review", run="r1", top=10)
        assert talk.said.startswith("review of r1\nresult: lost in ante 1, ")
        return told

    told = talk(server(tmp_path), lose)
    (path,) = tmp_path.iterdir()
    known = review_run(read_run(path), JUDGE)
    assert (told["decisions"], told["reviewed"]) == (known.run.decisions,) * 2
    assert told["accuracy"] == known.accuracy < 1
    assert told["start"] + told["gave"] - told["took"] - told["given_up"] == pytest.approx(told["end"])
    assert [(one["step"], one["better"], one["reason"]) for one in told["worst"]] == [
        (one.one.step, one.better, one.reason) for one in explained(known)
    ]


def test_a_record_is_reviewed_by_its_name_and_no_other_file(tmp_path: Path) -> None:
    folder = tmp_path / "runs"

    async def lose(talk: Talk) -> None:
        own = await play_badly(talk, seed="ALEEB")
        (path,) = folder.iterdir()
        assert own["run"] == "r1"
        of_run = await talk("review", run="r1")
        of_record = await talk("review", run=path.stem)
        assert of_record == of_run | {"run": path.stem}
        (tmp_path / "20260101-000000-r1.jsonl").write_bytes(path.read_bytes())
        (folder / "other.jsonl").write_bytes(path.read_bytes())
        (folder / "20260101-000000-r2.jsonl").symlink_to(path)
        names = (
            path.name,
            f"/runs/{path.name}",
            "other",
            "../20260101-000000-r1",
            "20260101-000000-r2",
            "r1/../r1",
            "",
        )
        for name in names:
            said = await talk.refusal("review", run=name)
            assert said.startswith(f'There is no run "{name[:40]}"')
            assert path.stem in said

    talk(server(folder), lose)
    talk(server(), lambda talk: refused_without_records(talk))


async def refused_without_records(talk: Talk) -> None:
    assert "Records" not in await talk.refusal("review", run="20260101-000000-r1")


def test_a_run_in_play_is_reviewed_and_goes_on() -> None:
    async def play(talk: Talk) -> None:
        seen = await talk("new_run", seed="ALEEB")
        assert await talk.refusal("review", run="r1") == (
            "Nothing has been done in this run yet, so there is nothing to review."
        )
        for action in ("next", "play 1", "play 1"):
            seen = await talk("act", run="r1", token=seen["token"], action=action)
        told = await talk("review", run="r1")
        assert (told["ending"], told["decisions"], told["reviewed"]) == ("in play, ante 1", 3, 3)
        assert (await talk("look", run="r1"))["token"] == seen["token"]

    talk(server(), play)


def test_a_review_without_time_goes_on_in_the_next_call() -> None:
    async def ask(talk: Talk) -> dict[str, Any]:
        seen = await play_badly(talk, 4, seed="ALEEB")
        told = await talk("review", run=seen["run"])
        assert told["reviewed"] == 1
        assert told["notes"][0] == (
            "The time sufficed for the first 1 of 4 decisions; the same call again goes on from there."
        )
        assert all(not one["reason"] for one in told["worst"])
        assert talk.heard == [(1, 4), (2, 4)]
        assert (await talk("review", run="r1"))["reviewed"] == 3
        return await talk("review", run="r1")

    hurried, whole = talk(server(seconds=-1.0), ask), talk(server(), whole_of_four)
    assert hurried["reviewed"] == whole["reviewed"] == 4
    assert hurried["accuracy"] == whole["accuracy"]


async def whole_of_four(talk: Talk) -> dict[str, Any]:
    await play_badly(talk, 4, seed="ALEEB")
    return await talk("review", run="r1")


# --- Typed positions --------------------------------------------------------------------------------------------------


def test_a_run_begins_as_a_position_says_and_its_record_can_be_reviewed(tmp_path: Path) -> None:
    async def play(talk: Talk) -> dict[str, Any]:
        seen = await talk("new_run", position=POSITION)
        assert (seen["ante"], seen["target"], seen["hands"], seen["seed"]) == (2, 150, 1, "")
        assert seen["view"][3] == "hand: 1 A♠, 2 A♥, 3 K♦, 4 9♣, 5 7♦, 6 4♠, 7 3♥, 8 2♣"
        score = await talk("score", run="r1", cards=[1, 2])
        assert (score["expected"], score["chance"]) == (192.0, 1.0)
        seen = await talk("act", run="r1", token=seen["token"], action="play 8")
        assert (seen["over"], seen["seed"]) == (True, "")
        return await talk("review", run="r1")

    told = talk(server(tmp_path), play)
    assert told["worst"][0]["better"].startswith("play ")
    (path,) = tmp_path.iterdir()
    run = read_run(path)
    assert run.exact
    assert run.notes == ()
    assert review_run(run, JUDGE).accuracy == told["accuracy"]


def test_what_is_wrong_with_a_position_is_told() -> None:
    async def ask(talk: Talk) -> None:
        assert "handd" in await talk.refusal("new_run", position="handd: As")
        said = await talk.refusal("new_run", position=POSITION, seed="ALEEB")
        assert said == "A position says all that there is to say. Leave deck, stake, seed and challenge out."

    talk(server(), ask)
