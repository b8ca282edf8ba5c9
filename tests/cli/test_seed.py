"""``jimbo seed show`` and ``jimbo seed find``."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.seeds import ASSUMED, Exploration


def run(*arguments: str, stdin: str | None = None, columns: int = 80) -> Result:
    return CliRunner().invoke(app, ["seed", *arguments], input=stdin, env={"COLUMNS": str(columns)})


@pytest.mark.parametrize("columns", [80, 120])
def test_show_fits_the_terminal(columns: int) -> None:
    result = run("show", "TESTSEED", "--stake", "gold", "--deck", "ghost", columns=columns)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(len(line) for line in lines) <= columns
    assert sum(line.startswith("Ante ") for line in lines) == 8


def test_show_names_what_counts() -> None:
    result = run("show", "TESTSEED", "66HETU9", "--antes", "1")
    for text in ("Seed TESTSEED", "The Head", "Crystal Ball", "Raised Fist", "Jumbo Standard Pack", "9♦", "Steel 10♥"):
        assert text in result.stdout
    assert "The Soul → ♛ Triboulet Negative" in result.stdout
    assert " ".join(result.stdout.split()).endswith(ASSUMED)


def test_show_json_is_one_line_per_seed() -> None:
    result = run("show", "A", "TESTSEED", "--antes", "2-3", "--queue", "4", "--json")
    assert result.exit_code == 0
    exploration = Exploration(first_ante=2, last_ante=3, queue=4)
    assert result.stdout == exploration.json("A") + "\n" + exploration.json("TESTSEED") + "\n"
    assert [ante["ante"] for ante in json.loads(result.stdout.splitlines()[0])["antes"]] == [2, 3]


def test_show_reads_files_and_stdin(tmp_path: Path) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text("# two seeds\nA\n\n  B  # the second\n")
    for result in (run("show", "--file", str(path), "--json"), run("show", "--file", "-", "--json", stdin="A\nB\n")):
        assert [json.loads(line)["seed"] for line in result.stdout.splitlines()] == ["A", "B"]


def test_lower_case_is_read_as_upper_case() -> None:
    shown, same = (run("show", seed, "--antes", "1", "--json").stdout for seed in ("testseed", "TESTSEED"))
    assert shown == same
    found = run("find", "--has", "blueprint", "--start", "abcd1234", "--limit", "1", "--json")
    assert json.loads(found.stdout.splitlines()[0])["seed"].startswith("ABCD")


@pytest.mark.parametrize("seed", ["AAAAAAA-0", "TEST_1", "[/b] & <b>", "0123456789"])
def test_what_the_game_takes_only_from_mods_is_shown_too(seed: str) -> None:
    assert f"Seed {seed.upper()}" in run("show", seed, "--antes", "1").stdout


def test_show_as_typed() -> None:
    result = run("show", "ab0", "--as-typed", "--antes", "1", "--json")
    assert json.loads(result.stdout)["seed"] == "ABO"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["LONG" * 9], "a seed of 36 bytes is not valid"),
        (["\x1b[2J"], "without control characters"),
        (["A", "--deck", "rde"], 'Did you mean "red"?'),
        (["A", "--stake", "pink"], "Allowed are white, red"),
        (["A", "--challenge", "cruelty", "--deck", "blue"], "brings its own deck"),
        (["A", "--challenge", "cruel"], 'Did you mean "cruelty"?'),
        (["A", "--antes", "0-3"], "allowed are 1 to 39"),
        (["A", "--antes", "40"], "allowed are 1 to 39"),
        (["A", "--antes", "3-1"], "allowed are 1 to 39"),
        (["A", "--antes", "one"], "is not a range of antes"),
        ([], "Name a seed"),
        (["--file", "/no/such/file"], "cannot be read"),
    ],
)
def test_show_refuses_bad_input(arguments: list[str], complaint: str) -> None:
    for options in ([], ["--json"]):
        result = run("show", *arguments, *options)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert complaint in result.stderr


def test_a_bad_line_prints_nothing_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text(f"A\nB\n{'no seed' * 5}\n")
    result = run("show", "--file", str(path), "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "seeds.txt, line 3" in result.stderr


def test_find_prints_seeds_that_show_confirms() -> None:
    result = run("find", "--has", "j_blueprint", "--has", "v_hieroglyph", "--by-ante", "2", "--limit", "3", "--json")
    assert result.exit_code == 0
    hits = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(hits) == 3
    for hit in hits:
        shown = run("show", hit["seed"], "--antes", "1-2", "--json").stdout
        assert "j_blueprint" in shown
        assert "v_hieroglyph" in shown
        assert [place["key"] for place in hit["places"]] == ["j_blueprint", "v_hieroglyph"]


def test_find_goes_on_where_it_stopped() -> None:
    whole = run("find", "--has", "j_baron", "--limit", "6").stdout.splitlines()
    first = run("find", "--has", "j_baron", "--limit", "3")
    start = first.stderr.split("--start ")[1].split()[0]
    second = run("find", "--has", "j_baron", "--limit", "3", "--start", start)
    assert first.stdout.splitlines() + second.stdout.splitlines() == whole


def test_find_says_where() -> None:
    result = run("find", "--has", "p_spectral_mega_1", "--has", "bl_hook", "--by-ante", "3", "--limit", "1")
    assert "Mega Spectral Pack ante" in result.stdout
    assert "The Hook ante" in result.stdout
    assert ", boss" in result.stdout


def test_find_by_conditions() -> None:
    """The first seed lacks the boss, has the joker in ante 2 and the card in antes 1 to 3."""
    options = ["--has", "blueprint|brainstorm @ 2", "--has", "red seal king", "--not", "the hook @ 1", "--by-ante", "3"]
    result = run("find", *options, "--limit", "2", "--json")
    assert result.exit_code == 0
    hits = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(hits) == 2
    for hit in hits:
        antes = json.loads(run("show", hit["seed"], "--antes", "1-3", "--json").stdout)["antes"]
        joker, card = hit["places"]
        assert joker["ante"] == 2
        assert joker["key"] in ("j_blueprint", "j_brainstorm")
        assert list(joker) == ["key", "ante", "where", "position", "pack"]
        assert card["key"][-1] == "K"
        assert {"key": card["key"], "seal": "seal_red"}.items() <= card.items()
        cards = antes[card["ante"] - 1]["packs"][card["position"] - 1]["cards"]
        assert (card["key"], "seal_red") in [(there["key"], there.get("seal")) for there in cards]
        assert antes[0]["boss"]["key"] != "bl_hook"


def test_find_names_editions_and_cards() -> None:
    wanted = ["--has", "negative perkeo @ 1-8", "--has", "steel king @ 1-8"]
    result = run("find", *wanted, "--start", "11111E3K", "--tries", "1")
    perkeo = "Perkeo Negative ante 4, from The Soul in pack 2 (Jumbo Arcana Pack)"
    assert result.stdout == f"11111E3K  {perkeo}  Steel K♥ Purple Seal ante 6, pack 4 (Jumbo Standard Pack)\n"


def test_find_in_the_erratic_deck() -> None:
    options = [
        "find",
        "--deck",
        "erratic",
        "--deck-has",
        "20 hearts",
        "--deck-has",
        "1-1 ace of spades",
        "--limit",
        "1",
    ]
    text = run(*options).stdout
    seed = text.split()[0]
    hit = json.loads(run(*options, "--json").stdout)
    fronts = json.loads(run("show", seed, "--deck", "erratic", "--antes", "1", "--json").stdout)["starting_deck"]
    hearts = sum(front[0] == "H" for front in fronts)
    assert hit == {
        "seed": seed,
        "places": [],
        "deck": [{"suit": "H", "count": hearts}, {"rank": "A", "suit": "S", "count": 1}],
    }
    assert text == f"{seed}  {hearts} Hearts in the deck  1 Ace of Spades in the deck\n"


def test_show_counts_the_erratic_deck() -> None:
    shown = run("show", "11111111", "--deck", "erratic", "--antes", "1").stdout
    fronts = Exploration("erratic", last_ante=1).report("11111111").starting_deck
    assert f"♠ {sum(front[0] == 'S' for front in fronts)}  ♥" in shown
    assert f"K {sum(front[-1] == 'K' for front in fronts)}  A" in shown


def test_challenges() -> None:
    shown = run("show", "A", "--challenge", "c_jokerless_1", "--antes", "1")
    assert "Seed A  Jokerless, White Stake" in shown.stdout
    assert "No Joker slots and no Jokers." in shown.stdout
    report = json.loads(run("show", "A", "--challenge", "jokerless", "--json").stdout)
    assert (report["deck"], report["challenge"]) == ("b_challenge", "c_jokerless_1")
    assert not any(card["key"].startswith("j_") for ante in report["antes"] for card in ante["shop"])
    result = run("find", "--challenge", "bram_poker", "--has", "glass king", "--limit", "1")
    assert "Glass K" in result.stdout


def test_find_stops_after_its_tries() -> None:
    result = run("find", "--has", "j_joker", "--tries", "100", "--limit", "1000")
    assert result.exit_code == 0
    assert "found among 100 seeds" in result.stderr


def test_find_from_a_random_start() -> None:
    result = run("find", "--has", "j_joker", "--random", "--limit", "1")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--has", "j_bluprint"], "j_blueprint"),
        (["--has", "bluprint"], "Did you mean Blueprint?"),
        (["--not", "the needel @ 1"], "Did you mean The Needle, "),
        (["--has", "blueprint @ x"], "such as @ 3, or a range, such as @ 1-3"),
        (["--has", "blueprint @ 99"], "allowed are 1 to 39"),
        (["--deck-has", "12 hearts"], "only the Erratic Deck does not"),
        (["--deck", "erratic", "--deck-has", "hearts"], 'for example "12 hearts"'),
        (["--has", "egg", "--challenge", "omelette"], "The Omelette starts with it"),
        (["--has", "egg", "--challenge", "cruelty", "--deck", "red"], "brings its own deck"),
        (["--has", "egg", "--challenge", "cruel"], 'Did you mean "cruelty"?'),
        (["--has", "bl_small"], "cannot turn up"),
        (["--has", "j_joker", "--start", "A"], "8 characters"),
        (["--has", "j_joker", "--start", "11111111", "--random"], "either --start or --random"),
        (["--has", "j_joker", "--deck", "nope"], "no deck"),
        (["--has", "j_joker", "--by-ante", "99"], "by-ante"),
        ([], "--has"),
    ],
)
def test_find_refuses_bad_input(arguments: list[str], complaint: str) -> None:
    result = run("find", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in result.stderr
