"""``jimbo replay``: what was recorded can be played again, what was changed cannot."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app


def jimbo(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "80"})


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    assert jimbo("watch", "--agent", "greedy", "--seed", "CXQGWN36", "--record", str(path)).exit_code == 0
    return path


def changed(path: Path, line: int, change: Any) -> Path:
    """The file with one of its lines passed through a function."""
    lines = path.read_text().splitlines()
    data = json.loads(lines[line])
    change(data)
    lines[line] = json.dumps(data)
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_record_is_shown_as_it_was_watched(record: Path) -> None:
    watched = jimbo("watch", "--agent", "greedy", "--seed", "CXQGWN36")
    result = jimbo("replay", str(record))
    assert result.exit_code == 0
    assert result.stdout == watched.stdout
    assert "Confirmed: all " in result.stderr
    assert "the last state agrees" in result.stderr


def test_json_gives_the_lines_again(record: Path) -> None:
    result = jimbo("replay", str(record), "--json")
    assert result.exit_code == 0
    assert result.stdout == record.read_text()


def test_a_record_without_a_word_of_challenges_is_read(record: Path) -> None:
    assert jimbo("replay", str(changed(record, 0, lambda data: data.pop("challenge")))).exit_code == 0


def test_another_legal_action_is_noticed(record: Path) -> None:
    result = jimbo("replay", str(changed(record, -2, lambda data: data["action"].update(cards=[1]))))
    assert result.exit_code == 1
    assert "a different state from the one recorded" in result.stderr
    assert "Confirmed" not in result.stderr


def test_an_illegal_action_is_noticed(record: Path) -> None:
    result = jimbo("replay", str(changed(record, 2, lambda data: data["action"].update(kind="cash_out", cards=[]))))
    assert result.exit_code == 1
    assert "Not confirmed. Decision 2 of the record is not allowed" in result.stderr


def test_another_seed_is_noticed(record: Path) -> None:
    result = jimbo("replay", str(changed(record, 0, lambda data: data.update(seed="TESTSEED"))))
    assert result.exit_code == 1
    assert "Not confirmed" in result.stderr


def test_another_version_is_mentioned(record: Path) -> None:
    changed(record, 0, lambda data: data["versions"].update(jimbo="0.0.1"))
    assert jimbo("replay", str(record)).exit_code == 0
    changed(record, -1, lambda data: data["end"].update(state_hash="0"))
    assert "recorded by a different version: 0.0.1" in jimbo("replay", str(record)).stderr


def test_a_cut_record_is_not_confirmed(record: Path) -> None:
    record.write_text("".join(record.read_text().splitlines(keepends=True)[:-1]))
    result = jimbo("replay", str(record))
    assert result.exit_code == 1
    assert "has no end" in result.stderr


@pytest.mark.parametrize(
    ("line", "change", "complaint"),
    [
        (0, lambda data: data.update(schema="other"), "it is of the schema other"),
        (0, lambda data: data.update(deck="b_nothing"), "line 1, is not a line"),
        (0, lambda data: data.update(challenge="c_nothing_1"), "line 1, is not a line"),
        (0, lambda data: data.update(challenge=5), "line 1, is not a line"),
        (0, lambda data: data.update(challenge="c_omelette_1"), "A challenge brings its own deck"),
        (0, lambda data: data.update(deck="b_challenge"), "line 1, is not a line"),
        (0, lambda data: data.update(seed=5), "seed must be text"),
        (0, lambda data: data.update(seed="two\nlines"), "seed"),
        (2, lambda data: data.pop("action"), "line 3, is not a line"),
        (2, lambda data: data["action"].update(kind="dance"), "line 3, is not a line"),
        (2, lambda data: data.update(candidates=[{}]), "line 3, is not a line"),
        (2, lambda data: data.update(measure="luck"), 'there is no measure "luck".'),
        (-1, lambda data: data["end"].pop("steps"), "is not a line"),
    ],
)
def test_broken_files_get_a_sentence(record: Path, line: int, change: Any, complaint: str) -> None:
    result = jimbo("replay", str(changed(record, line, change)))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in result.stderr
    assert ".." not in result.stderr


def test_an_infinite_score_is_read(record: Path) -> None:
    result = jimbo("replay", str(changed(record, 2, lambda data: data["candidates"][0].update(value=float("inf")))))
    assert result.exit_code == 0
    assert "naneinf" in result.stdout


def test_records_of_the_first_form_get_a_sentence(record: Path) -> None:
    result = jimbo("replay", str(changed(record, 0, lambda data: data.update(schema="jimbo_record_v1"))))
    assert result.exit_code == 2
    assert 'must be a header of the schema jimbo_record_v2, not "jimbo_record_v1".' in result.stderr


def test_an_agent_may_leave_it_to_its_action_to_say_what_it_chose(record: Path) -> None:
    def without(data: Any) -> None:
        data["measure"] = "value"
        for considered in data["candidates"]:
            considered["chosen"] = False

    result = jimbo("replay", str(changed(record, 2, without)))
    assert result.exit_code == 0
    assert "considered, by the agent's own value" in result.stdout
    assert result.stdout.count("▶") == jimbo("watch", "--agent", "greedy", "--seed", "CXQGWN36").stdout.count("▶")


def test_a_record_of_another_world_is_compared_by_what_its_player_saw(record: Path) -> None:
    changed(record, -1, lambda data: data["end"].update(state_hash=None))
    assert jimbo("replay", str(record)).exit_code == 0
    changed(record, -1, lambda data: data["end"].update(public_hash="0"))
    assert jimbo("replay", str(record)).exit_code == 1


def test_other_files_get_a_sentence(tmp_path: Path) -> None:
    for content, complaint in ((b"", "is empty"), (b"hello\n", "holds no game"), (b"\xff\xfe", "is neither text")):
        (tmp_path / "file").write_bytes(content)
        result = jimbo("replay", str(tmp_path / "file"))
        assert result.exit_code == 2
        assert complaint in result.stderr
    assert "cannot be read" in jimbo("replay", str(tmp_path / "nothing")).stderr
    assert jimbo("replay", str(tmp_path / "file"), "--step", "--delay", "1").exit_code == 2
