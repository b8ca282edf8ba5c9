"""Verification itself: small folders made from the engine's own truth, then with a wrong value or a broken file."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from conformance import Case, CorpusError, Difference, FileResult, verify_folder
from conformance.exceptions import load_rules
from conformance.rng import TextStream
from conformance.runner import check_file
from conformance.seeds import ANALYZER, ANALYZER_TEXT
from conformance.seeds import explore as engine_antes
from jimbo.engine.seed_tools import pseudohash, randint_from, random_from
from jimbo.seeds import explore


def vector(seed: str, key: str) -> dict[str, Any]:
    stream = TextStream(seed, key)
    draws = []
    for _ in range(4):
        node = stream.node()
        draws.append([stream.state, node, random_from(node), randint_from(node, 1, 6)])
    hashes = {"hashed_seed": pseudohash(seed), "hash": pseudohash(key + seed)}
    return {"seed": seed, "key": key, **hashes, "m": 6, "draws": draws}


def write_lines(path: Path, records: list[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(record) + "\n" for record in records)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)


def write_vectors(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "rng" / "luajit_vectors.jsonl.gz"
    write_lines(path, list(records or [vector("TESTSEED", "cdt1"), vector("A", "no_key_of_the_game")]))
    return path


def bosses(*seeds: str) -> dict[str, Any]:
    """A file of reports, which needs nothing but what explore says."""
    facts = {seed: [ante.boss.name for ante in explore(seed, last_ante=3).antes] for seed in seeds}
    return {"reports": [{"what": "bosses", "facts": facts}]}


def only(folder: Path) -> FileResult:
    (result,) = verify_folder(folder).files
    return result


def error_of(folder: Path, *, processes: int = 1) -> str:
    """Of the only file, which is broken."""
    report = verify_folder(folder, processes=processes)
    (result,) = report.files
    assert not report.ok
    assert not result.checked
    assert result.error is not None
    assert report.errors == (result.error,)
    return result.error


def test_right_values_pass(tmp_path: Path) -> None:
    write_vectors(tmp_path)
    result = only(tmp_path)
    # 18 values of each by formula, and 17 by key where the game has the key.
    assert (result.cases, result.passed, result.failed, result.excepted) == (18 + 18 + 17, 53, 0, 0)
    assert result.checked
    assert result.bar == 1.0
    assert result.first_difference is None


def test_one_wrong_bit_is_found(tmp_path: Path) -> None:
    wrong = vector("TESTSEED", "cdt1")
    wrong["draws"][2][1] += 2**-53
    write_vectors(tmp_path, vector("A", "boss"), wrong)
    report = verify_folder(tmp_path)
    assert not report.ok
    (result,) = report.files
    assert result.failed == 2  # by formula and by key
    assert result.first_difference is not None
    assert result.first_difference.path == "TESTSEED.cdt1.draws[2][1]"
    assert result.first_difference.expected == wrong["draws"][2][1]
    assert result.first_difference.found == wrong["draws"][2][1] - 2**-53


def analyzer_record(seed: str, deck: str, stake: str) -> dict[str, Any]:
    antes = [
        {
            "b": ante["boss"]["name"],
            "v": ante["voucher"]["name"],
            "t": [tag["name"] for tag in ante["tags"]],
            "s": ANALYZER_TEXT.cards(ante["shop"]),
            "p": [ANALYZER_TEXT.pack(pack) for pack in ante["packs"]],
        }
        for ante in engine_antes(seed, deck, stake, 3, 20, ANALYZER)
    ]
    return {"seed": seed, "antes": antes}


def test_a_wrong_card_is_found_in_an_analyzer_file(tmp_path: Path) -> None:
    """The file's name says which deck and stake it is about."""
    path = tmp_path / "seeds" / "analyzer_plasma_gold.jsonl.gz"
    record = analyzer_record("TESTSEED", "b_plasma", "gold")
    write_lines(path, [record])
    assert only(tmp_path).failed == 0
    right, record["antes"][2]["s"][5] = record["antes"][2]["s"][5], "Foil Nobody"
    write_lines(path, [analyzer_record("A", "b_plasma", "gold"), record])
    result = only(tmp_path)
    assert result.failed == 1
    assert result.first_difference == Difference("TESTSEED.antes[2].shop[5]", "Foil Nobody", right)


def test_missing_and_surplus_items_are_differences(tmp_path: Path) -> None:
    record = analyzer_record("TESTSEED", "b_red", "white")
    record["antes"][0]["t"].pop()
    record["antes"][1]["p"].pop()
    record["antes"][2]["p"][0].append("One Too Many")
    write_lines(tmp_path / "seeds" / "analyzer_red_white.jsonl", [record])
    assert only(tmp_path).failed == 3


def test_nan_equals_nan() -> None:
    assert Case("", float("nan"), float("nan")).passed
    assert not Case("", float("nan"), 1.0).passed
    assert not Case("", None, float("nan")).passed


def test_seed_facts(tmp_path: Path) -> None:
    facts = bosses("AAAAAAAA", "BBBBBBBB")
    facts["reports"].append({"facts": {"JHZ7FPM": {"ante": 1, "soul": True, "mystery": 1}}})
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "live_game_reports.json").write_text(json.dumps(facts))
    result = only(tmp_path)
    # A fact of a kind that is not known must not count as passed.
    assert (result.passed, result.failed) == (7, 1)
    assert result.first_difference is not None
    assert result.first_difference.path == "JHZ7FPM.mystery"


def test_initial_states(tmp_path: Path) -> None:
    state = {"phase": "BLIND_SELECT", "money": 4, "hands_left": 4, "discards_left": 4, "note": "free text"}
    state["blinds"] = {"small": {"score": 300}, "boss": {"name": "The Hook", "score": 600}}
    steps = [{"action": {"type": "start"}, "after": state}]
    (tmp_path / "real_runs").mkdir()
    path = tmp_path / "real_runs" / "initial_x.json"
    path.write_text(json.dumps({"deck": "RED", "stake": "WHITE", "seed": "2411", "steps": steps}))
    result = only(tmp_path)
    assert (result.passed, result.failed) == (7, 0)
    state["blinds"]["boss"]["name"] = "The Wall"
    path.write_text(json.dumps({"deck": "RED", "stake": "WHITE", "seed": "2411", "steps": steps}))
    first = only(tmp_path).first_difference
    assert first is not None
    assert first.path == "steps[0].after.blinds.boss.name"


def test_unknown_files_are_not_checked(tmp_path: Path) -> None:
    write_vectors(tmp_path)
    (tmp_path / "scoring").mkdir()
    (tmp_path / "scoring" / "new_cases.json").write_text("this is not even JSON")
    (tmp_path / "README.md").write_text("what this is")
    report = verify_folder(tmp_path)
    assert report.ok
    assert [(file.file, file.checked) for file in report.files] == [
        ("rng/luajit_vectors.jsonl.gz", True),
        ("scoring/new_cases.json", False),
    ]


def test_a_folder_of_the_corpus_can_be_given_alone(tmp_path: Path) -> None:
    write_vectors(tmp_path)
    assert only(tmp_path / "rng").file == "rng/luajit_vectors.jsonl.gz"


def test_processes_find_the_same(tmp_path: Path) -> None:
    write_vectors(tmp_path)
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "live_game_reports.json").write_text(json.dumps(bosses("A")))
    assert verify_folder(tmp_path, processes=2) == verify_folder(tmp_path)


def test_broken_json_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "rng" / "luajit_vectors.jsonl"
    write_lines(path, [vector("A", "boss")])
    path.write_text(path.read_text() + '{"seed": \n')
    assert error_of(tmp_path) == "rng/luajit_vectors.jsonl, line 2: not valid JSON: Expecting value (column 1)"


def test_text_that_is_not_utf_8_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "rng" / "luajit_vectors.jsonl"
    write_lines(path, [vector("A", "boss")])
    path.write_bytes(path.read_bytes() + b'{"seed": "\xff"}\n')
    assert error_of(tmp_path).startswith("rng/luajit_vectors.jsonl, line 2: the file is not UTF-8 text")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"seed":\n' + '{"a":' * 5000 + "1" + "}" * 5000 + "\n}"])
def test_what_lies_too_deep_names_the_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "seeds" / "live_game_reports.json"
    path.parent.mkdir()
    path.write_text(text)
    line = 1 + text.startswith("{")
    assert error_of(tmp_path) == f"seeds/{path.name}, line {line}: lists and objects are nested too deeply"


def test_a_broken_file_stops_no_other(tmp_path: Path) -> None:
    write_vectors(tmp_path).write_text("plain text")
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "live_game_reports.json").write_text(json.dumps(bosses("A")))
    for processes in (1, 2):
        broken, right = verify_folder(tmp_path, processes=processes).files
        assert broken.error is not None
        assert (right.checked, right.passed, right.failed, right.error) == (True, 3, 0, None)


def test_every_difference_is_kept_if_wanted(tmp_path: Path) -> None:
    wrong = vector("A", "no_key_of_the_game")
    wrong["draws"][2][1] = wrong["draws"][3][2] = 0.5
    write_vectors(tmp_path, wrong)
    (short,) = verify_folder(tmp_path).files
    assert (short.difference_count, short.differences) == (2, None)
    (full,) = verify_folder(tmp_path, every_difference=True).files
    assert full.differences is not None
    assert [difference.path[-11:] for difference in full.differences] == ["draws[2][1]", "draws[3][2]"]
    assert short.first_difference == full.first_difference == full.differences[0]


def test_truncated_gzip_is_an_error(tmp_path: Path) -> None:
    path = write_vectors(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    assert re.match(r"rng/luajit_vectors\.jsonl\.gz, line \d+: the file cannot be read", error_of(tmp_path))


def test_a_file_that_is_no_gzip_is_an_error(tmp_path: Path) -> None:
    write_vectors(tmp_path).write_text("plain text")
    assert "cannot be read" in error_of(tmp_path, processes=2)


@pytest.mark.parametrize(
    "record",
    [
        {"seed": "A", "key": "boss"},
        {**vector("A", "boss"), "draws": 5},
        ["a list"],
        {**vector("A", "boss"), "seed": "two\nlines"},
    ],
)
def test_records_of_another_layout_are_errors(tmp_path: Path, record: Any) -> None:
    write_vectors(tmp_path, vector("A", "boss"), record)
    error = error_of(tmp_path)
    assert "line 2: not in the layout" in error
    assert "\n" not in error


def test_a_file_without_cases_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "rng" / "luajit_vectors.jsonl"
    write_lines(path, [])
    assert "nothing to check" in error_of(tmp_path)


def test_an_unknown_deck_in_a_file_name_is_an_error(tmp_path: Path) -> None:
    write_lines(tmp_path / "seeds" / "analyzer_pink_white.jsonl", [{"seed": "A", "antes": []}])
    assert 'there is no deck "pink"' in error_of(tmp_path)


def test_missing_and_empty_folders_are_errors(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="does not exist"):
        verify_folder(tmp_path / "nowhere")
    with pytest.raises(CorpusError, match="no file of a known layout"):
        verify_folder(tmp_path)


RULES = """
[[exception]]
file = "rng/*"
case = "TESTSEED.cdt1*draws[2][1]"
reason = "a test"
"""


def test_exceptions_count_apart(tmp_path: Path) -> None:
    rules = tmp_path / "exceptions.toml"
    rules.write_text(RULES)
    wrong = vector("TESTSEED", "cdt1")
    wrong["draws"][2][1] = 0.5
    path = write_vectors(tmp_path, wrong)
    result = check_file(path, "rng/luajit_vectors.jsonl.gz", load_rules(rules))
    assert (result.cases, result.passed, result.failed, result.excepted) == (35, 33, 0, 2)
    assert result.meets_bar
    assert result.first_difference is None


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        ("[[exception]]\nfile = 'a'\ncase = 'b'\n", "needs exactly the fields"),
        ("[[exception]]\nfile = 'a'\ncase = 'b'\nreason = ' '\n", "reason must be text"),
        ("[[exception]]\nfile = 'a'\ncase = []\nreason = 'c'\n", "at least one case"),
        ("[[exception]]\nfile = 'a'\ncase = ['b', 3]\nreason = 'c'\n", "case must be text"),
        ("[[exception]]\nfile = 'a'\ncase = 'b'\nreason = 'c'\nwho = 'd'\n", "needs exactly the fields"),
        ("[[exemption]]\nfile = 'a'\n", "only \\[\\[exception\\]\\] tables"),
        ("[[exception]", "exceptions.toml"),
    ],
)
def test_incomplete_exceptions_are_refused(tmp_path: Path, rules: str, complaint: str) -> None:
    path = tmp_path / "exceptions.toml"
    path.write_text(rules)
    with pytest.raises(ValueError, match=complaint):
        load_rules(path)


def test_several_cases_share_a_rule(tmp_path: Path) -> None:
    path = tmp_path / "exceptions.toml"
    path.write_text("[[exception]]\nfile = 'rng/*'\ncase = ['a.x', 'b[*]']\nreason = 'c'\n")
    (rule,) = load_rules(path)
    cases = [Case(path, 1, 2) for path in ("a.x", "b[1]", "a.y")]
    assert [rule.covers("rng/f", case) for case in cases] == [True, True, False]
    assert not rule.covers("seeds/f", cases[0])


def test_the_reviewed_exceptions_load() -> None:
    load_rules()
