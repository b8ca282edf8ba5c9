"""Bad input of every kind, and a machine that refuses: one sentence, an exit code, nothing half-written, no traceback.

Every row works in the same folder, which must be afterwards as it was before.
"""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from typer.testing import CliRunner

import jimbo.env  # noqa: F401
from cli.bad_files import DEEP, folder_of, write_bad_files
from jimbo.agents import make_agent
from jimbo.agents.expert import ExpertOptions
from jimbo.cli import bench
from jimbo.cli.main import app
from jimbo.data import read_record
from jimbo.data.game_files import read_game
from jimbo.engine import Action, Run, solve_blind
from jimbo.engine.batch import Batch
from jimbo.eval import Settings, evaluate, seed_set
from jimbo.files import write_text
from jimbo.seeds import Exploration, Search, checked_seed, deck_key, stake_key


@pytest.fixture(scope="module")
def filled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    write_bad_files(folder)
    return folder


@pytest.fixture(autouse=True)
def here(filled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(filled_folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(filled_folder / "state"))
    monkeypatch.setenv("COLUMNS", "100")
    before = folder_of(filled_folder)
    yield filled_folder
    assert folder_of(filled_folder) == before


def plain(text: str) -> str:
    """On one line, without the frame that the parser of the command line draws around its errors."""
    return " ".join(re.sub(r"[│╭╮╰╯─|+]|\\u25\w\w", " ", text).split())


WATCH, EVAL = "watch --agent", "eval --seeds 1 --agent"
EXPERT = f"{EVAL} expert --option"
CONFIG = "train rl --out-dir x --config"
COMMANDS: list[tuple[str, str]] = [
    # The command as a whole.
    ("dance", "No such command"),
    ("--dance", "No such option"),
    ("seed", "Usage"),
    ("seed dance", "No such command"),
    # Starting a game.
    (f"play --seed {'toolong' * 5}", "a seed of 35 bytes is not valid"),
    ("play --seed ''", 'seed "" is not valid'),
    ("play --seed \udcff", "is not valid"),
    ("play --deck rde", 'Did you mean "red"?'),
    ("play --deck ''", 'There is no deck ""'),
    ("play --stake pink", "Allowed are white"),
    ("play --challenge ''", 'There is no challenge ""'),
    ("play --challenge omelette --deck red", "either a challenge or a deck"),
    ("play --load mine.run --seed ''", "leave --seed out"),
    ("play --load nothing.run", "nothing.run cannot be read: No such file or directory"),
    ("play --load /dev/zero", "/dev/zero cannot be read: File too large"),
    ("play --load .", ". cannot be read: Is a directory"),
    ("play --load text.txt/x", "text.txt/x cannot be read: Not a directory"),
    ("play --load text.txt", "text.txt holds no game"),
    ("play --load empty", "empty is empty"),
    ("play --load cut.run", "cut.run cannot be resumed"),
    # Seeds.
    ("seed show", "Name a seed"),
    (f"seed show {'bad' * 11}", "a seed of 33 bytes is not valid"),
    ("seed show \udcff", "is not valid"),
    ("seed show A --antes 0", "Antes 0-0 do not exist"),
    ("seed show A --antes 8-1", "Antes 8-1 do not exist"),
    ("seed show A --antes x", "is not a range of antes"),
    (f"seed show A --antes {'9' * 5000}", "is not a range of antes"),
    ("seed show A --queue -1", "--queue"),
    ("seed show A --queue nan", "--queue"),
    ("seed show A --deck ''", 'There is no deck ""'),
    ("seed show --file nothing", "nothing cannot be read: No such file or directory"),
    ("seed show --file .", "cannot be read: Is a directory"),
    ("seed show --file binary", "binary cannot be read: not UTF-8 text"),
    ("seed show --file seeds.txt", "seeds.txt, line 2"),
    ("seed show --file comments.txt", "comments.txt holds no seed"),
    ("seed find", "--has"),
    ("seed find --has j_nothing", "j_nothing"),
    ("seed find --has j_joker --by-ante 0", "--by-ante"),
    ("seed find --has j_joker --limit 0", "--limit"),
    ("seed find --has j_joker --tries -5", "--tries"),
    ("seed find --has j_joker --threads 0", "--threads"),
    ("seed find --has j_joker --start ''", 'seed "" is not valid'),
    ("seed find --has j_joker --start 11111111 --random", "either --start or --random"),
    # Watching and its records.
    ("watch", "--agent"),
    (f"{WATCH} nobody", 'There is no agent "nobody". Choose one of random, greedy, expert'),
    (f"{WATCH} greedy --seed ''", 'seed "" is not valid'),
    (f"{WATCH} greedy --delay inf", "--delay takes seconds, a number from 0 to 3600, not inf"),
    (f"{WATCH} greedy --delay nan", "--delay takes seconds, a number from 0 to 3600, not nan"),
    (f"{WATCH} greedy --delay=-1", "--delay takes seconds, a number from 0 to 3600, not -1"),
    (f"{WATCH} greedy --delay soon", "--delay"),
    (f"{WATCH} greedy --delay 1 --step", "either --delay or --step"),
    (f"{WATCH} greedy --until-ante 1", "--until-ante"),
    (f"{WATCH} greedy --nonce -1", "--nonce"),
    (f"{WATCH} greedy --nonce {2**63}", "9223372036854775807"),
    (f"{WATCH} greedy --effort 0.2", "The agent greedy has no options, so effort cannot be given"),
    (f"{WATCH} expert --effort nan", "effort must be a number from 0.001 to 1,000, not nan"),
    (f"{WATCH} greedy --record text.txt", "text.txt already exists and is left alone"),
    (f"{WATCH} greedy --record .", "is a directory"),
    (f"{WATCH} greedy --record /dev/full", "/dev/full already exists and is left alone"),
    (f"{WATCH} greedy --record nowhere/x", "nowhere/x cannot be written: No such file or directory"),
    (f"{WATCH} greedy --record text.txt/x", "text.txt/x cannot be written: Not a directory"),
    ("replay nothing", "nothing cannot be read: No such file or directory"),
    ("replay .", ". cannot be read: Is a directory"),
    ("replay binary", "binary is neither text nor a save of the game"),
    ("replay empty", "empty is empty"),
    ("replay text.txt", "text.txt holds no game"),
    ("replay deep.yaml", "deep.yaml is not a state that can be played: it is nested too deeply"),
    ("replay deep.jsonl", "deep.jsonl, line 2, is not a line of a recorded run: it is nested too deeply"),
    ("replay record.jsonl --delay inf", "--delay takes seconds"),
    ("replay no_action.jsonl", "line 3, is not a line of a recorded run: action is missing"),
    ("replay action_list.jsonl", "line 3, is not a line of a recorded run: [1, 2] is not an action"),
    ("replay action_kind.jsonl", 'line 3, is not a line of a recorded run: there is no action "dance"'),
    ("replay action_index.jsonl", "line 3, is not a line of a recorded run"),
    ("replay candidates.jsonl", "line 3, is not a line of a recorded run: candidates must be a list, not 5"),
    ("replay explanation.jsonl", "line 3, is not a line of a recorded run: explanation must be text, not 5"),
    ("replay seconds.jsonl", 'line 3, is not a line of a recorded run: seconds must be a number, not "long"'),
    ("replay seconds_large.jsonl", "line 3, is not a line of a recorded run: seconds is too large"),
    ("replay header_seed.jsonl", "line 1, is not a line of a recorded run: the header: seed must be text"),
    ("replay header_agent.jsonl", 'the header: agent must be text that is not empty, not ""'),
    ("replay header_version.jsonl", 'the header: versions.jimbo must be text that is not empty, not ""'),
    ("replay header_surrogate.jsonl", "line 1, is not a line of a recorded run: half of a surrogate pair"),
    ("replay header_options.jsonl", "the header: options must be named values, not []"),
    ("replay header_nonce.jsonl", 'the header: nonce must be a whole number, not "0"'),
    ("replay header_more.jsonl", "the header: more unknown"),
    ("replay end.jsonl", "is not a line of a recorded run: end: expected named values, not 5"),
    ("replay end_hash.jsonl", 'end: state_hash must be text that is not empty, not ""'),
    ("replay end_steps.jsonl", 'end: steps must be a whole number, not "many"'),
    # Options of agents.
    (f"{EXPERT} solver=maybe", 'solver must be true or false, not "maybe"'),
    (f"{EXPERT} solver=", 'solver must be true or false, not ""'),
    (f"{EXPERT} solver=2", 'solver must be true or false, not "2"'),
    (f"{EXPERT} effort=-1", "effort must be a number from 0.001 to 1,000, not -1.0"),
    (f"{EXPERT} effort=0", "effort must be a number from 0.001 to 1,000, not 0.0"),
    (f"{EXPERT} effort=inf", "effort must be a number from 0.001 to 1,000, not inf"),
    (f"{EXPERT} effort=1e9", "effort must be a number from 0.001 to 1,000, not 1000000000.0"),
    (f"{EXPERT} effort=soon", 'effort must be a number from 0.001 to 1,000, not "soon"'),
    (f"{EXPERT} effort={'[' * 5000}", "effort must be a number from 0.001 to 1,000"),
    (f"{EXPERT} budget_ms=0", "budget_ms must be a number from 0.01 to 1,000,000, not 0"),
    (
        f"{EXPERT} speed=1",
        "no option speed. Its options are effort, model, calibration, budget_ms, solver, consumables, joker_order",
    ),
    (f"{EXPERT} solver", '"solver" is not an option of an agent. Write key=value'),
    (f"{EXPERT} =5", '"=5" is not an option of an agent. Write key=value'),
    (f"{EXPERT} model=\udcff", "is not an option of an agent. Write key=value"),
    (f"{EXPERT} solver=on --option solver=off", "The option solver of the agent expert is given twice"),
    (f"{EXPERT} effort=1 --effort 1", "The option effort of the agent expert is given twice"),
    (f"{EVAL} greedy --vs expert --vs-option solver=maybe", "solver must be true or false"),
    (f"{EVAL} greedy --vs-option solver=off", "name it with --vs"),
    (f"{EVAL} greedy --option depth=3", "has no options, so depth cannot be given"),
    (f"{EXPERT} model=", 'model must be text that is not empty, not ""'),
    (f"{CONFIG} 5", "config 5 cannot be read: No such file or directory"),
    (f"{CONFIG} .", "config . cannot be read: Is a directory"),
    (f"{CONFIG} binary", "config binary cannot be read: not UTF-8 text"),
    (f"{CONFIG} empty", "config empty does not hold named values"),
    (f"{CONFIG} list.yaml", "config list.yaml does not hold named values"),
    (f"{CONFIG} broken.yaml", "config broken.yaml, line 3, is not valid YAML"),
    (f"{CONFIG} deep.yaml", "config deep.yaml is not valid YAML: nested too deeply"),
    # Other options of an evaluation.
    (f"{EVAL} greedy --deck ''", 'There is no deck ""'),
    (f"{EVAL} greedy --workers 0", "--workers"),
    (f"{EVAL} greedy --seed-set dev", 'There is no seed set "dev"'),
    ("eval --agent greedy --games nan", "--games"),
    ("eval --agent greedy --seeds 0", "--games"),
    # Measuring and comparing.
    ("bench --threads 1", "--threads"),
    (f"bench --threads {10**20}", "--threads"),
    # Numbers without sense.
    (f"rollout --out x.jsonl --agent greedy --episodes {10**23}", "--games"),
    ("rollout --out x.jsonl --agent greedy --timeout-sec 1e300", "--timeout-sec"),
    (f"rollout --out x.jsonl --agent greedy --max-steps-per-episode {10**23}", "--max-steps-per-episode"),
    ("eval --agent greedy --seeds 1 --workers 99999", "--workers"),
    (f"eval --agent greedy --games {10**23}", "--games"),
    (f"eval --agent greedy --seeds 1 --agent-number {10**23}", "--nonce"),
    (f"seed find --has j_joker --tries {10**23}", "--tries"),
    ("sweep --timeout 1e300", "--timeout"),
    ("train rl --out-dir x --threads 99999", "--threads"),
    ("train value --out-dir x --threads 99999", "--threads"),
    (f"train bc --data x.jsonl --out-dir x --batch-size {10**9}", "--batch-size"),
    (f"train bc --data x.jsonl --out-dir x --epochs {10**9}", "--epochs"),
    (f"train compare experiments.yaml --games {10**9}", "--games"),
    (f"train throughput --n-envs {10**9}", "--n-envs"),
    (f"az loop --out-dir x --optimal-positions {10**8}", "--optimal-positions can be at most 3,000 in tictactoe"),
    (f"az evaluate --optimal-positions {10**8}", "--optimal-positions can be at most 3,000 in tictactoe"),
    (f"az loop --out-dir x --batch-size {10**6}", "--batch-size is 1,000,000, but an iteration has at most"),
    (f"az train --batch-size {10**9}", "batch_size must be a whole number from 1 to 1,000,000, not 1000000000"),
    (f"az evaluate --games {10**23}", "games must be a whole number from 1 to 100,000"),
    ("az train --wait-interval 1e300", "wait_interval must be a number from 0.01 to 86,400.0, not"),
    # Files without an end, or too large.
    ("seed show --file /dev/zero", "/dev/zero cannot be read: File too large"),
    ("replay /dev/zero", "/dev/zero cannot be read: File too large"),
    ("data summary endless.jsonl", "endless.jsonl cannot be read: File too large"),
    ("eval --seeds 1 --model endless.onnx", "endless.onnx cannot be read: File too large"),
    ("eval --seeds 1 --model huge.onnx", "huge.onnx cannot be read: File too large"),
    ("trace diff /dev/zero /dev/zero", "/dev/zero cannot be read: File too large"),
    (f"{CONFIG} /dev/zero", "config /dev/zero cannot be read: File too large"),
    # Places for results, before there are any.
    ("rollout --out loop --agent greedy --format jsonl", "loop must end in .jsonl"),
    ("rollout --out loop/x.jsonl --agent greedy", "loop/x.jsonl cannot be written: "),
    ("rollout --out \udcff.jsonl --agent greedy", "jsonl cannot be written: its name is not UTF-8"),
    ("eval --agent greedy --seeds 1 --out loop", "loop cannot be used: Too many levels of symbolic links"),
    ("eval --agent greedy --seeds 1 --out \udcff", "cannot be used: its name is not UTF-8"),
    ("what-wins --out .", ". cannot be written: Is a directory"),
    ("what-wins --out loop", "loop cannot be written: Too many levels of symbolic links"),
    ("train compare experiments.yaml --out-dir text.txt", "text.txt cannot be used: Not a directory"),
    ("train throughput --out-dir text.txt", "text.txt cannot be used: Not a directory"),
    ("train throughput --out-dir loop", "loop cannot be used: Too many levels of symbolic links"),
    ("train bc --data x.jsonl --out-dir text.txt", "text.txt cannot be used: Not a directory"),
    ("train distill --data x.jsonl --out-dir .", ". holds other files"),
    ("data convert record.jsonl --out loop/x.parquet", "loop/x.parquet cannot be written: Too many levels of symbolic"),
    # Settings.
    ("train rl --out-dir x --config odd.yaml", "config odd.yaml, line 1, is not valid YAML: the name null is not text"),
    ("az train --config odd.yaml", "config odd.yaml, line 1, is not valid YAML: the name null is not text"),
    ("az train --config steps.yaml", 'config steps.yaml: steps must be a whole number of at least 0, not "many"'),
    ("train rl --out-dir x --config steps.yaml", "config steps.yaml: steps must be a whole number of at least 1"),
    ("train sb3 --out-dir x --config steps.yaml", "config steps.yaml: steps unknown; there is "),
    ("train rl --out-dir x --set rows=64 --set rows=32", "rows is given twice: leave out one --set rows=32"),
    ("train rl --out-dir x --rows 64 --set rows=32", "rows is given twice: leave out one --set rows=32"),
    ("train value --out-dir x --set seed=1 --set seed=2", "seed is given twice: leave out one --set seed=2"),
    ("train sb3 --out-dir x --set gamma=1 --set gamma=0.9", "gamma is given twice: leave out one --set gamma=0.9"),
]


@pytest.mark.parametrize(("line", "sentence"), COMMANDS, ids=lambda text: text[:60].replace("\udcff", "?"))
def test_a_command_is_refused(line: str, sentence: str) -> None:
    arguments = ["" if word == "''" else word for word in line.split(" ")]
    result = CliRunner().invoke(app, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2
    assert sentence in plain(result.stderr + (result.stdout if sentence == "Usage" else ""))
    assert result.stdout == "" or sentence == "Usage"
    assert "Traceback" not in result.stderr


LINES: list[tuple[str, str]] = [
    (f"undo {'9' * 5000}", "How many steps?"),
    (f"p {'9' * 5000}", "is not a card"),
    (f"p 1-{'9' * 5000}", "is not a card"),
    ("p ²", "is not a card"),
    ("\x00", "is not a command"),
    ("save .", ". exists and is not a saved run, so it is left alone"),
    ("save text.txt", "text.txt exists and is not a saved run, so it is left alone"),
    ("save mine.run", "mine.run exists and holds another game, so it is left alone"),
    ("save text.txt/x.run", "text.txt/x.run cannot be written: text.txt is not a folder"),
    ("save /dev/full", "/dev/full exists and is not a saved run, so it is left alone"),
    ("save ~nobody-of-this-name/x.run", "cannot be written: Could not determine home directory"),
    ("save a\0b", "cannot be written: embedded null byte"),
    (f"save {'x' * 300}", "cannot be written: File name too long"),
]


@pytest.mark.parametrize(("line", "sentence"), LINES, ids=lambda text: text[:60])
def test_a_line_of_a_game_is_refused(line: str, sentence: str) -> None:
    result = CliRunner().invoke(app, ["play", "--seed", "TESTSEED"], input=f"n\n{line}\nq\nn\n")
    assert result.exit_code == 0
    assert sentence in plain(result.stdout)
    assert "save?" in result.stdout  # the game went on


# --- The Python surface -----------------------------------------------------------------------------------------------

CALLS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: Run(deck="b_none"), ValueError, 'There is no deck "b_none"'),
    (lambda: Run(stake="pink"), ValueError, 'There is no stake "pink"'),
    (lambda: Run(seed="\udcff"), ValueError, "a seed has 1 to 32 bytes"),
    (lambda: Run(challenge="c_none"), ValueError, "c_none"),
    (lambda: Run.from_json(""), ValueError, "not valid JSON at character 1"),
    (lambda: Run.from_json(DEEP), ValueError, "too deeply nested"),
    (lambda: Run.from_json("{}"), ValueError, "schema_version"),
    (lambda: Run.from_json(Run().to_json().replace('"b_red"', '"b_x"')), ValueError, "state.deck"),
    (lambda: Run.load(b"hello"), ValueError, "not a saved run"),
    (lambda: Run.load(Run().save()[:-1]), ValueError, "not valid JSON"),
    (lambda: Run().step(Action("play", cards=[0])), ValueError, "not possible in this phase"),
    (lambda: Run().preview([0]), ValueError, "not possible in this phase"),
    (lambda: Action("dance"), ValueError, "dance"),
    (lambda: Action("play", cards=[-1]), ValueError, "0 to 63"),
    (lambda: Action("buy", index=-1), ValueError, "0 to 255"),
    (lambda: solve_blind(Run()), ValueError, "no hand to play"),
    (lambda: Batch(0), ValueError, "at least one row"),
    (lambda: Batch(1, deck="b_none"), ValueError, "b_none"),
    (lambda: gymnasium.make("jimbo/Run-v0", dance=1), TypeError, "there is no option dance"),
    (lambda: gymnasium.make("jimbo/Run-v0", actions="all"), ValueError, "actions must be 'steps', 'candidates' or"),
    (lambda: gymnasium.make("jimbo/Run-v0", max_steps=-1), ValueError, "max_steps must be at least 0"),
    (lambda: gymnasium.make("jimbo/Run-v0", deck="b_none").reset(), ValueError, "b_none"),
    (lambda: Exploration(first_ante=0), ValueError, "Antes 0-8 do not exist"),
    (lambda: Exploration(stake=""), ValueError, 'There is no stake ""'),
    (lambda: Exploration().report("two\nlines"), ValueError, "is not valid"),
    (lambda: Search([]), ValueError, "at least one"),
    (lambda: Search(["j_nothing"]), ValueError, "j_nothing"),
    (lambda: Search(["j_joker"], start="0"), ValueError, "cannot start"),
    (lambda: checked_seed("\udcff"), ValueError, "is not valid"),
    (lambda: deck_key("rde"), ValueError, 'Did you mean "red"?'),
    (lambda: stake_key("wihte"), ValueError, 'Did you mean "white"?'),
    (lambda: make_agent("nobody"), ValueError, 'There is no agent "nobody"'),
    (lambda: make_agent("greedy", depth=1), ValueError, "has no options, so depth cannot be given"),
    (lambda: make_agent("expert", speed=1), ValueError, "has no option speed. Its options are effort"),
    (lambda: make_agent("expert", effort=-1), ValueError, "effort must be a number from 0.001 to 1,000, not -1"),
    (lambda: make_agent("expert", effort=math.inf), ValueError, "effort must be a number"),
    (
        lambda: make_agent("expert", effort="5"),
        ValueError,
        'effort must be a number from 0.001 to 1,000, not "5"',
    ),
    (lambda: make_agent("expert", solver="off"), ValueError, 'solver must be true or false, not "off"'),
    (lambda: make_agent("expert", model=5), ValueError, "model must be text that is not empty, not 5"),
    (lambda: ExpertOptions(clairvoyant=1), ValueError, "clairvoyant must be true or false, not 1"),
    (lambda: read_game(Path("text.txt")), ValueError, "text.txt holds no game"),
    (lambda: read_record(Path("deep.jsonl")), ValueError, "line 2, is not a line of a recorded run: it is nested"),
    (lambda: seed_set("dev"), ValueError, 'There is no seed set "dev"'),
    (lambda: evaluate(Settings(agent="nobody", seeds=seed_set("dev-100", 1)), workers=1), ValueError, "no agent"),
    (lambda: write_text(Path("text.txt/x"), "x"), OSError, "Not a directory"),
    (lambda: write_text(Path("nowhere/x"), "x"), OSError, "No such file or directory"),
    (lambda: write_text(Path("/dev/full"), "x"), OSError, "No space left on device"),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), CALLS)
def test_a_call_is_refused(call: Callable[[], Any], kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


# --- The machine ------------------------------------------------------------------------------------------------------

RUN = "from jimbo.cli.entry import run; run()"
SHOW, GREEDY = "jimbo seed show TESTSEED --antes 1", "jimbo watch --agent greedy --seed TESTSEED"
FULL = "jimbo: Standard output cannot be written: No space left on device."
CLOSED = "jimbo: Standard output cannot be written: Bad file descriptor."
# A shell line, its exit code, and what is said on the error stream; nothing else may be.
SHELL: list[tuple[str, int, str]] = [
    (f"{SHOW} > /dev/full", 2, FULL),
    (f"{SHOW} --json > /dev/full", 2, FULL),
    ("jimbo --help > /dev/full", 2, FULL),
    (f"{GREEDY} > /dev/full", 2, FULL),
    ("jimbo play --seed TESTSEED < /dev/null > /dev/full", 2, FULL),
    ("jimbo replay record.jsonl --json > /dev/full", 2, FULL),
    (f"{SHOW} >&-", 2, CLOSED),
    (f"{GREEDY} --json >&-", 2, CLOSED),
    ("jimbo eval --agent greedy --seeds 1 --workers 1 >&-", 2, CLOSED),
    ("jimbo play --seed TESTSEED < /dev/zero > /dev/null", 2, "jimbo: Standard input: File too large."),
    ("jimbo seed show --file - < /dev/zero", 2, "jimbo: standard input cannot be read: File too large."),
    ("jimbo play --seed TESTSEED <&-", 0, ""),
    ("jimbo seed show --file - <&-", 2, "jimbo: standard input holds no seeds."),
    (f"{GREEDY} --step <&-", 0, ""),
    (f"set -o pipefail; {SHOW} | true", 1, ""),
    ("set -o pipefail; jimbo seed find --has j_joker --limit 9999 --json | true", 1, ""),
    (f"COLUMNS=abc LINES=-1 {SHOW}", 0, ""),
    (f"COLUMNS=0 {SHOW} | grep -q Boss", 0, ""),
    (f"TERM=dumb {SHOW}", 0, ""),
    (f"unset HOME TERM LANG; {SHOW}", 0, ""),
    ("ulimit -f 0; echo n | jimbo play --seed TESTSEED", 2, "jimbo: The run is not saved."),
]


@pytest.mark.parametrize(("line", "code", "sentence"), SHELL, ids=lambda value: str(value)[:60])
def test_a_machine_that_refuses(line: str, code: int, sentence: str) -> None:
    program = f'jimbo() {{ "{sys.executable}" -c "{RUN}" "$@"; }}; export -f jimbo'
    done = subprocess.run(
        ["bash", "-c", f"{program}; {line}"], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == (1 if sentence else 0), done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_no_encoding_gives_a_traceback(encoding: str) -> None:
    """Whether there is a likeness in ASCII or a sentence."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    for options in (["seed", "show", "TESTSEED"], ["dance"], ["play", "--seed", "TESTSEED"]):
        done = subprocess.run(
            [sys.executable, "-c", RUN, *options], capture_output=True, env=environment, stdin=subprocess.DEVNULL
        )
        assert done.returncode in (0, 2)
        assert b"Traceback" not in done.stderr


def test_figures_that_cannot_be_recorded_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "HISTORY", Path("text.txt"))
    monkeypatch.setattr(bench, "_run", lambda _: {"figure": 5, "machine": {}})
    monkeypatch.setattr(bench, "add_line", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    result = CliRunner().invoke(app, ["bench", "--record", "--json"])
    assert result.exit_code == 2
    assert json.loads(result.stdout)["figure"] == 5
    assert result.stderr == "jimbo: text.txt cannot be written: No space left on device.\n"


def test_ctrl_c_stops_a_search_quietly() -> None:
    command = [
        sys.executable,
        "-c",
        RUN,
        "seed",
        "find",
        "--has",
        "j_joker",
        "--has",
        "j_blueprint",
        "--limit",
        "99999",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        process.stdout.readline()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert "Traceback" not in errors
    assert errors.startswith("Stopped.")
