"""Every command reads what every other writes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.backends import SaveBackend, SimBackend
from jimbo.cli.main import app
from jimbo.data import Decision, position_text, read_game, read_record, trace_lines, trace_of
from jimbo.engine import Action, PublicState, Run
from jimbo.serve.game import BadInput, RunInPlay
from jimbo.wire.codec.write import Memory, gamestate
from wire.made_saves import save_of, written

SEED = "TESTSEED"
STEPS = (Action("select_blind"), Action("discard", cards=[1]))


def jimbo(*words: str, lines: str = "") -> Result:
    result = CliRunner().invoke(app, [*words], input=lines, env={"COLUMNS": "100"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


def played() -> Run:
    """What every writer writes: a blind chosen, and one card discarded."""
    run = Run(seed=SEED)
    for action in STEPS:
        run.step(action)
    return run


# --- Who writes -------------------------------------------------------------------------------------------------------


def by_play(path: Path) -> None:
    assert jimbo("play", "--seed", SEED, lines=f"n\nd 2\nsave {path}\nq\n").exit_code == 0


def by_play_going_on(path: Path) -> None:
    """A file that another kind has been loaded from."""
    start = path.with_name("start.json")
    run = Run(seed=SEED)
    run.step(STEPS[0])
    start.write_text(run.to_json())
    assert jimbo("play", "--load", str(start), lines=f"d 2\nsave {path}\nq\n").exit_code == 0


def by_assist(path: Path) -> None:
    assert jimbo("assist", "--seed", SEED, "--agent", "greedy", "--record", str(path), lines="n\nd 2\n").exit_code == 0


def by_assist_as_lines(path: Path) -> None:
    told = jimbo("assist", "--seed", SEED, "--agent", "greedy", lines="n\nd 2\n").stdout
    path.write_text(told)


def by_watch(path: Path) -> None:
    """Another agent's run: whatever state it is in after two steps."""
    assert jimbo("watch", "--agent", "greedy", "--seed", SEED, "--record", str(path)).exit_code == 0


def by_rollout(path: Path) -> None:
    """One game of an agent in RecordV1."""
    whole = ("rollout", "--agent", "greedy", "--games", "1", "--out", "games.jsonl")
    assert jimbo(*whole).exit_code == 0
    path.write_bytes(Path("games.jsonl").read_bytes())


def as_trace(path: Path) -> None:
    by_play(path.with_name("played.run"))
    path.write_text(trace_lines(trace_of(read_record(path.with_name("played.run")), SimBackend())))


def as_state(path: Path) -> None:
    path.write_text(played().public_state().to_json())


def as_state_on_many_lines(path: Path) -> None:
    path.write_text(json.dumps(played().public_state().to_data(), indent=1))


def as_whole_state(path: Path) -> None:
    path.write_text(played().to_json())


def as_older_save(path: Path) -> None:
    path.write_bytes(played().save())


def as_save_of_the_game(path: Path) -> None:
    path.write_bytes(written(save_of(played())))


def as_position(path: Path) -> None:
    path.write_text(position_text(played().public_state()))


WRITERS = (
    by_play,
    by_play_going_on,
    by_assist,
    by_assist_as_lines,
    by_watch,
    by_rollout,
    as_trace,
    as_state,
    as_state_on_many_lines,
    as_whole_state,
    as_older_save,
    as_save_of_the_game,
    as_position,
)
WITH_STEPS = (by_play, by_play_going_on, by_assist, by_watch, as_trace)
ONLY_SEEN = (by_assist_as_lines, as_state, as_state_on_many_lines, as_save_of_the_game, as_position)
"""What tells no more than the player sees."""


# --- Who reads --------------------------------------------------------------------------------------------------------


def read_by_play(path: str, at: list[str], state: PublicState) -> Result:
    result = jimbo("play", "--load", path, *at, lines="n\nq\nn\n")
    assert f"discards {state.discards_left}" in result.stdout
    return result


def read_by_watch(path: str, at: list[str], state: PublicState) -> Result:
    result = jimbo("watch", "--agent", "greedy", "--load", path, *at, "--json")
    first = json.loads(result.stdout.splitlines()[1])
    assert state.refusal(Action(**first["action"])) is None
    return result


def read_by_assist(path: str, at: list[str], state: PublicState) -> Result:
    result = jimbo("assist", "--load", path, *at, "--once", "--json", "--agent", "greedy")
    told = PublicState.from_data(json.loads(result.stdout)["state"])
    assert (told.hand_limit, told.discards_left, told.dollars) == (8, state.discards_left, state.dollars)
    assert [(card.rank, card.suit) for card in told.hand] == [(card.rank, card.suit) for card in state.hand]
    return result


def read_by_advise(path: str, at: list[str], state: PublicState) -> Result:
    result = jimbo("advise", path, *at, "--json", "--agent", "greedy")
    data = json.loads(result.stdout)
    assert (data["phase"], data["ante"], data["money"]) == (state.phase, state.ante, state.dollars)
    return result


def read_by_score(path: str, at: list[str], state: PublicState) -> Result:
    result = jimbo("score", path, *at, "--json")
    best = json.loads(result.stdout)["expected"]
    assert best == state.imagine(0).preview(json.loads(result.stdout)["action"]["indices"], "expected").score
    return result


READERS = (read_by_play, read_by_watch, read_by_assist, read_by_advise, read_by_score)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("write", WRITERS)
def test_each_reads_what_each_writes(
    write: Callable[[Path], None], read: Callable[[str, list[str], PublicState], Result], tmp_path: Path
) -> None:
    path = tmp_path / "game.file"
    write(path)
    whole = write in (by_watch, by_rollout)
    at = ["--at", "2"] if whole else []
    game = read_game(path, 2 if whole else None)
    if not whole:
        assert game.state.discards_left == 3
        assert [card.rank for card in game.state.hand] == [card.rank for card in played().public_state().hand]
        assert (game.run == played()) == (write not in ONLY_SEEN)
    result = read(str(path), at, game.state)
    assert result.exit_code == 0
    drawn_anew = write in ONLY_SEEN and read in (read_by_play, read_by_watch, read_by_assist)
    sentence = f"jimbo: Of {path} only what the player sees is known: the run goes on in a world that looks the same"
    assert (sentence in result.stderr) == drawn_anew


@pytest.mark.parametrize("write", WRITERS)
def test_steps_are_replayed_where_there_are_any(write: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "game.file"
    write(path)
    result = jimbo("replay", str(path))
    if write is by_rollout:  # it has no end to be checked by
        assert (result.exit_code, "The run is " in result.stdout) == (1, True)
        return
    if write in WITH_STEPS:
        assert result.exit_code == 0
        assert result.stderr.startswith("Confirmed: all actions (")
    else:
        sentence = "holds no steps. This takes a run that jimbo play has saved, a record or a trace."
        assert (result.exit_code, result.stderr) == (2, f"jimbo: {path} {sentence}\n")


@pytest.mark.parametrize("write", WRITERS)
def test_runs_with_steps_are_reviewed_and_retried(write: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "game.file"
    write(path)
    step = 1 if write is by_play_going_on else 2
    reviewed = jimbo("review", str(path), "--retry", str(step), "--out", "again.run")
    if write not in (*WITH_STEPS, by_rollout):
        assert reviewed.exit_code == 2
        assert reviewed.stderr.count("\n") == 1
        assert "It takes a run: what jimbo play has saved" in reviewed.stderr
        return
    assert reviewed.exit_code == 0
    again, there = read_game("again.run"), read_game(path, step - 1)
    assert (again.run, again.decisions) == (there.run, tuple(Decision(one.action) for one in there.decisions))
    assert jimbo("play", "--load", "again.run", lines="q\nn\n").exit_code == 0
    judged = jimbo("review", str(path), "--json", "--agent", "greedy", "--effort", "0.02", "--top", "0")
    assert len(json.loads(judged.stdout)["decisions"]) >= step


def test_a_run_is_gone_on_with_anywhere_in_it(tmp_path: Path) -> None:
    by_watch(path := tmp_path / "watched.jsonl")
    steps = len(read_record(path).decisions)
    run = Run(seed=SEED)
    for at, decision in enumerate(read_record(path).decisions):
        assert read_game(path, at).run == run
        run.step(decision.action)
    for command in ("play", "watch --agent greedy", "assist --agent greedy --once"):
        over = jimbo(*command.split(), "--load", str(path))
        assert (over.exit_code, over.stderr) == (
            2,
            f"jimbo: The run in {path} is over. --at takes 0 to {steps - 1}, to go on earlier.\n",
        )
    late = jimbo("play", "--load", str(path), "--at", str(steps + 1))
    assert late.stderr == f"jimbo: {path} has {steps} decisions, so --at takes 0 to {steps}, not {steps + 1}.\n"


def test_a_run_that_goes_on_elsewhere_is_recorded_from_there(tmp_path: Path) -> None:
    as_save_of_the_game(save := tmp_path / "save.jkr")
    told = jimbo("watch", "--agent", "greedy", "--load", str(save), "--record", "on.jsonl")
    assert told.exit_code == 0
    assert jimbo("replay", "on.jsonl").exit_code == 0
    assert read_game("on.jsonl", 0).state == played().public_state()
    with_record = ("assist", "--load", str(save), "--agent", "greedy", "--execute", "--once", "--record", "one.jsonl")
    assert jimbo(*with_record).exit_code == 0
    assert jimbo("replay", "one.jsonl").exit_code == 0


def test_a_game_that_is_played_elsewhere_is_saved_as_it_is_seen(tmp_path: Path) -> None:
    as_save_of_the_game(tmp_path / "save.jkr")
    game = RunInPlay(SaveBackend(tmp_path / "save.jkr"))
    assert not game.unsaved
    assert game.save() == tmp_path / "state" / "jimbo" / "b_red.json"
    assert read_game(game.path or "").state == game.state
    with pytest.raises(BadInput, match=r"save\.jkr exists and is not a saved run, so it is left alone"):
        game.save(tmp_path / "save.jkr")


@pytest.mark.parametrize("form", ["lines", "answers", "list", "cut"])
def test_logs_of_the_mod_are_read_and_reviewed(form: str, tmp_path: Path) -> None:
    run, memory = Run(seed=SEED), Memory()
    states = [gamestate(run, memory)]
    for action in STEPS:
        before = run.public_state()
        run.step(action)
        memory.took(action.kind, action.index, before, run.public_state().on_deck)
        states.append(gamestate(run, memory))
    told = [{"result": one} for one in states] if form == "answers" else states
    path = tmp_path / "log"
    text = "".join(f"{json.dumps(one)}\n" for one in told)
    path.write_text(json.dumps(told, indent=1) if form == "list" else text + '{"cut": ' * (form == "cut"))
    assert read_game(path).state == played().public_state()
    assert read_game(path, 0).state.phase == "blind_select"
    assert jimbo("review", str(path), "--retry", "2", "--out", "again.run").exit_code == 0
    assert [one.action for one in read_game("again.run").decisions] == [STEPS[0]]


def test_lines_of_the_assistant_have_places(tmp_path: Path) -> None:
    by_assist_as_lines(path := tmp_path / "lines.jsonl")
    assert [read_game(path, at).state.discards_left for at in (0, 1, 2)] == [4, 4, 3]
    assert read_game(path).state.discards_left == 3
    late = jimbo("advise", str(path), "--at", "3")
    assert late.stderr == f"jimbo: {path} has 3 states, so --at takes 0 to 2, not 3.\n"


def test_one_game_of_a_rollout_is_taken() -> None:
    assert jimbo("rollout", "--agent", "greedy", "--games", "2", "--out", "two.jsonl").exit_code == 0
    told = jimbo("advise", "two.jsonl").stderr
    assert told.startswith("jimbo: two.jsonl, line ")
    assert told.endswith(": a second game begins, and one is needed here; jimbo rollout --games 1 records one.\n")


def test_what_a_wire_trace_keeps_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wire.jsonl.gz"
    made = jimbo("trace", "record", "--agent", "greedy", "--seed", SEED, "--max-steps", "2", "--out", str(path))
    assert made.exit_code == 0
    assert read_game(path).state.phase == "selecting_hand"
    assert jimbo("advise", str(path), "--agent", "greedy").exit_code == 0


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "game is empty. It takes a saved run, a record"),
        (b"hello", "game holds no game. It takes"),
        (b"hand: As Kx", 'game holds no position that can be read: "Kx" (character 10, in hand) is no playing card.'),
        (b"PAR1\xff\xfe", "game is neither text nor a save of the game. It takes"),
        (b"\x1f\x8bbroken", "game cannot be read: it is damaged. It takes"),
        (b"JIMBO-RUN-1 broken", "game cannot be resumed: the saved run is cut off."),
        (b"[" * 100_000, "game is not a state that can be played: it is nested too deeply. It takes"),
        (b'{"state":' * 100_000, "game is not a state that can be played: it is nested too deeply. It takes"),
        (b'{"schema": "jimbo_record_v2"}\n', "game, line 1, is not a line of a recorded run: the header"),
        (
            b'{"schema_version": "trace_v1", "type": "start"}',
            "game, line 1, is not a line of a trace: it lacks the field",
        ),
        (b'{"schema_version": "record_v1"}', "game, line 1: "),
        (b'{"schema_version": "public_v1", "deck": 5}', "game is not a state that can be played: public."),
        (b'{"schema_version": "state_v1", "deck": "b_red"}', "game is not a state that can be played: "),
        (b'{"ante_num": [], "state": "SHOP"}', "game is not a state that can be played: "),
    ],
)
def test_other_files_get_a_sentence(data: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(data)
    for words in (("advise", "game"), ("score", "game"), ("play", "--load", "game"), ("replay", "game")):
        result = jimbo(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"jimbo: {says}")
        assert result.stderr.count("\n") == 1


def test_a_record_that_cannot_be_played_names_where_to_go_on(tmp_path: Path) -> None:
    by_play(path := tmp_path / "kept.run")
    path.write_text(path.read_text().replace('"discard"', '"buy"'))
    told = jimbo("play", "--load", str(path)).stderr
    assert told.startswith(f"jimbo: {path}: decision 2 is not allowed, ")
    assert told.endswith("--at 1 goes on before it.\n")
    assert jimbo("play", "--load", str(path), "--at", "1", lines="q\nn\n").exit_code == 0


def test_a_record_that_ends_elsewhere_goes_on_with_a_word(tmp_path: Path) -> None:
    by_play(path := tmp_path / "kept.run")
    path.write_text(path.read_text().replace('"cards": [1]', '"cards": [2]'))
    told = jimbo("play", "--load", str(path), lines="q\nn\n")
    assert told.exit_code == 0
    assert told.stderr == (f"jimbo: {path} was recorded where the run went another way; it goes on as it goes here.\n")
