"""``jimbo play``: scripted games through standard input."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import Result
from rich.console import Console
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.console import THEME
from jimbo.engine import Action, Run
from jimbo.serve.terminal.screen import screen
from serve.reading import read_until, run_in

# Beats the small blind of TESTSEED and stops at the cash-out.
FIRST_ROUND = ("n", "p 4567", "p 1 2", "d 1-4", "d 2 4 6 8", "p 1 2 3 5 8")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(*lines: str, options: tuple[str, ...] = ("--seed", "TESTSEED"), columns: int = 80) -> Result:
    result = CliRunner().invoke(
        app, ["play", *options], input="".join(f"{line}\n" for line in lines), env={"COLUMNS": str(columns)}
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def after(output: str, line: str) -> str:
    """What a line answered, up to the next one."""
    return output.split(f"\n> {line}\n", 1)[1].split("\n> ", 1)[0]


def saved(run: Run, path: Path) -> tuple[str, ...]:
    path.write_bytes(run.save())
    return ("--load", str(path))


def test_a_round_is_played_and_explained() -> None:
    output = play(*FIRST_ROUND).stdout
    assert "▶ Small Blind  300  $3  skip: Economy Tag" in output
    assert "All Hearts are debuffed." in output
    two_pair = after(output, "p 4567")
    for text in ("Two Pair  level 1", "20 x 2", "9♠  +9 Chips", "Two Pair: 48 x 2 = 96", "Drawn: 10♣, 8♣, 7♥, A♠"):
        assert text in two_pair
    assert "96 of 300" in two_pair
    assert "Discarded: A♦, K♥, Q♣, Q♦" in after(output, "d 1-4")
    end = after(output, "p 1 2 3 5 8")
    for text in ("Flush: 70 x 4 = 280", "Small Blind: beaten with 440", "$3  reward of Small Blind", "$4  in all"):
        assert text in end


def test_the_shop_sells() -> None:
    output = play(*FIRST_ROUND, "n", "b 1", "i j1", "s j1", "r", "n").stdout
    assert "b1    $5  Raised Fist" in output
    assert "v1   $10  Crystal Ball" in output
    assert "o1    $4  Buffoon Pack" in output
    assert "Raised Fist joins the jokers" in after(output, "b 1")
    assert "Sells for $2." in after(output, "i j1")
    assert "Raised Fist: +$2" in after(output, "s j1")
    assert "reroll $6" in after(output, "r")


def test_a_pack_is_opened_and_a_card_taken() -> None:
    output = play(*FIRST_ROUND, "n", "o 1", "k 2").stdout
    opened = after(output, "o 1")
    assert "Take 1   k1  Abstract Joker" in opened
    assert "k2  Astronomer" in opened
    assert "Astronomer joins the jokers" in after(output, "k 2")


def test_a_tarot_of_a_pack_takes_targets(tmp_path: Path) -> None:
    run = Run(seed="TESTSEED")
    state = json.loads(run.to_json())
    state["tags"] = [{"key": "tag_charm", "orbital_hand": "Pair"}]
    run = Run.from_json(json.dumps(state))
    output = play("x", "k 1 9", "x", options=saved(run, tmp_path / "charm.run")).stdout
    pack = after(output, "x")
    assert "Mega Arcana Pack" in pack
    assert "Take 2   k1" in pack
    assert "╭8────╮" in pack
    assert "There is no card 9 in the hand; it has 8." in output


def test_consumables_and_moves(tmp_path: Path) -> None:
    run = Run(seed="TESTSEED")
    for key in ("j_blueprint", "j_runner", "j_greedy_joker"):
        run.debug_add_joker(key)
    run.debug_add_consumable("c_magician")
    run.debug_add_consumable("c_jupiter")
    options = saved(run, tmp_path / "rich.run")
    output = play("u 2", "n", "m j1 3", "u 1", "u 1 1 2 3", "u c1 1 2", "s c1", options=options).stdout
    assert "= Runner" in output
    assert "Flush: +1 level" in after(output, "u 2")
    assert "j3 ★ Blueprint copies nothing" in " ".join(after(output, "m j1 3").split())
    wrong = "The Magician: it needs 1 to 2 cards from the hand, written after its number."
    assert after(output, "u 1") == wrong
    assert after(output, "u 1 1 2 3") == wrong
    assert "A♥ becomes Lucky A♥" in after(output, "u c1 1 2")
    assert "│Lucky│" in after(output, "u c1 1 2")
    assert "you have no consumables" in after(output, "s c1")


def test_joker_numbers_grow_before_the_eyes(tmp_path: Path) -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_joker("j_green_joker")
    output = play("n", "p 1", options=saved(run, tmp_path / "green.run")).stdout
    assert "Green Joker: now +1 Mult" in output
    assert "Green Joker  +1 Mult" in after(output, "p 1")


def test_a_new_edition_is_told(tmp_path: Path) -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_joker("j_joker")
    run.debug_add_consumable("c_hex")
    assert "Joker becomes Polychrome" in play("u 1", options=saved(run, tmp_path / "hex.run")).stdout


def test_previews_touch_nothing() -> None:
    output = play("n", "pv 4 5 6 7", "pv 4 5 all", "").stdout
    assert "Two Pair: 48 x 2 = 96" in after(output, "pv 4 5 6 7")
    assert "Needs 204 more to beat the Small Blind: 300 needed." in after(output, "pv 4 5 6 7")
    assert "0 of 300" in output.split("> \n")[1]


@pytest.mark.parametrize(
    ("boss", "told"),
    [
        ("bl_tooth", ["Bull  +4 Chips       19 x 1", "The Tooth: -$2"]),
        ("bl_psychic", ["High Card: 0 x 0 = 0", "The Psychic: High Card does not score"]),
    ],
)
def test_a_preview_tells_what_the_boss_does(tmp_path: Path, boss: str, told: list[str]) -> None:
    run = Run(seed="TOOTH")
    run.debug_add_joker("j_bull")
    run.debug_set_boss(boss)
    for _ in range(2):
        run.step(Action("skip_blind"))
    run.step(Action("select_blind"))
    lines = after(play("pv 1 2", options=saved(run, tmp_path / "boss.run")).stdout, "pv 1 2").splitlines()
    assert [line for line in lines if line.rstrip() in told] == told


def test_a_preview_tells_what_luck_could_do(tmp_path: Path) -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_joker("j_misprint")
    output = play("n", "pv 1", options=saved(run, tmp_path / "luck.run")).stdout
    assert "With luck 384, on average 200." in output


def test_a_preview_changes_the_table_for_itself_alone(tmp_path: Path) -> None:
    run = Run(seed="TESTSEED")
    for key in ("j_joker", "j_ride_the_bus"):
        run.debug_add_joker(key)
    lines = ("n", "pv", "pv 4 5", "pv 4 5 -j1", "pv 4 5 j2=12", "pv 4 5 j1=3", "pv -j3", "pv 4 5")
    output = play(*lines, options=saved(run, tmp_path / "table.run")).stdout
    assert "Two Pair: 48 x 7 = 336" in after(output, "pv")
    assert "Pair: 28 x 7 = 196" in after(output, "pv 4 5")
    assert "Pair: 28 x 3 = 84" in after(output, "pv 4 5 -j1")
    assert "Pair: 28 x 19 = 532" in after(output, "pv 4 5 j2=12")
    assert "Joker has no number of its own" in after(output, "pv 4 5 j1=3")
    assert "There is no j3; you have 2 jokers." in after(output, "pv -j3")
    assert output.count("Pair: 28 x 7 = 196") == 2


def test_undo_by_any_number_of_steps() -> None:
    output = play("n", "p 1", "p 1", "undo", "undo 5", "undo").stdout
    assert "Undid 1 step." in after(output, "undo")
    assert "hands 3" in after(output, "undo")
    assert "Undid 2 steps." in after(output, "undo 5")
    assert "Choose a blind" in after(output, "undo 5")
    assert output.rstrip().count("There is nothing to undo.") == 1


def test_undone_steps_come_out_the_same() -> None:
    output = play("n", "d 1 2", "undo", "d 1 2").stdout
    first, second = output.split("\n> d 1 2\n")[1:]
    assert first.splitlines()[:7] == second.splitlines()[:7]


def test_sorting_lasts() -> None:
    output = play("n", "sort suit", "d 1").stdout
    assert "│  9♠ │ │  A♥ │ │  K♥ │" in after(output, "sort suit")
    cells = [cell.strip() for cell in after(output, "d 1").split("│")]
    suits = [cell[-1] for cell in cells if cell[-1:] in tuple("♠♥♣♦")]
    assert len(suits) == 8
    assert suits == sorted(suits, key="♠♥♣♦".index)


def test_save_and_resume(tmp_path: Path) -> None:
    path = tmp_path / "Mine.run"
    output = play("n", "p 4567", f"save {path}", "q").stdout
    assert f"Resume with: jimbo play --load {path}" in output
    assert "save?" not in output
    resumed = play("p 1 2", options=("--load", str(path))).stdout
    assert "96 of 300" in resumed
    assert "Pair: 32 x 2 = 64" in resumed
    # What was played since is kept in the same file.
    assert run_in(path).chips == 160


def test_a_save_says_what_folder_it_made(tmp_path: Path) -> None:
    output = play("n", "save new/deep/a.run", "save new/deep/b.run", "q").stdout
    assert after(output, "save new/deep/a.run").startswith("Saved in the new folder new/deep. Resume with: jimbo play")
    assert after(output, "save new/deep/b.run").startswith("Saved. Resume with: jimbo play --load new/deep/b.run")


def test_quitting_offers_to_save(state_folder: Path) -> None:
    assert not state_folder.exists()
    assert play("n", "q", "n").exit_code == 0
    assert not state_folder.exists()
    play("n", "q", "")
    assert run_in(state_folder / "TESTSEED.run").phase == "selecting_hand"
    play("n", "q", "elsewhere.run")
    assert Path("elsewhere.run").is_file()
    assert "save?" not in play("q").stdout


def test_the_end_of_input_keeps_the_run(state_folder: Path) -> None:
    result = play("n", "p 1")
    assert result.exit_code == 0
    path = state_folder / "TESTSEED.run"
    assert f"Resume with: jimbo play --load {path}" in result.stdout
    play("n")
    assert run_in(path).hands_left == 3
    assert (state_folder / "TESTSEED-2.run").is_file()


def test_the_run_ends() -> None:
    output = play("n", "p 1", "p 1", "p 1", "p 1", "p 1", "n", "undo", "q", "n").stdout
    assert "Small Blind: not beaten, only" in output
    assert "Lost to Small Blind" in output
    assert "Cards are played only during a round." in output
    assert "There is nothing to go on to any more." in output
    assert "Undid 1 step." in output


def test_a_lost_run_is_not_kept(state_folder: Path) -> None:
    assert "Saved" not in play("n", "p 1", "p 1", "p 1", "p 1").stdout
    assert not state_folder.exists()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("p", "Which cards?"),
        ("p 9", "There is no card 9 in the hand; it has 8."),
        ("p 0", "There is no card 0"),
        ("p x", '"x" is not a card'),
        ("p 1-6", "Select at most five cards of the hand; you chose 6."),
        ("n", "nothing to go on to during a round. Play (p) or discard (d) cards."),
        ("x", "nothing to skip"),
        ("r", "nothing to reroll"),
        ("b 1", "no card on sale"),
        ("v", "no voucher"),
        ("o 1", "no pack on sale"),
        ("k 1", "no open pack"),
        ("u 1", "no consumable"),
        ("s j1", "you have no jokers"),
        ("s 1", "Write s j1 or s c1."),
        ("s", "Sell what?"),
        ("m j1 2", "you have no jokers"),
        ("m 1 1", "It is already there."),
        ("m 1", "Move what where?"),
        ("sort colour", "sort rank or sort suit"),
        ("undo x", "How many steps?"),
        ("i", "Inspect what?"),
        ("i j1", "There is no j1 here."),
        ("i zzz", 'There is no "zzz" on the screen'),
        ("l now", "too much"),
        ("dance", '"dance" is not a command'),
        ("!", '"!" is not a command'),
        ("save /no/such/folder\0/x", "cannot be written"),
    ],
)
def test_wrong_lines_get_a_sentence_and_lose_nothing(line: str, complaint: str) -> None:
    output = play("n", line, "").stdout
    screens = output.split("━━ Ante 1 · Round 1 · Small Blind")
    assert complaint in " ".join(screens[1].split())
    assert screens[1].split("\n> ")[0] == screens[2].split("\n> ")[0].rsplit("\nSaved", 1)[0]


def test_no_other_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    assert "left alone" in play("n", f"save {path}", "q", "n").stdout
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--seed", "x" * 33], "a seed of 33 bytes is not valid"),
        (["--deck", "rde"], 'Did you mean "red"?'),
        (["--stake", "pink"], "Allowed are white"),
        (["--challenge", "omelet"], 'Did you mean "omelette"?'),
        (["--challenge", "omelette", "--deck", "red"], "either a challenge or a deck"),
        (["--load", "x.run", "--seed", "A"], "leave --seed out"),
        (["--load", "/no/such/file"], "cannot be read"),
        (["--load", "text.run"], "text.run holds no game. It takes a saved run, a record"),
        (["--load", "cut.run"], "cannot be resumed"),
        (["--load", "."], "cannot be read"),
    ],
)
def test_bad_options_get_a_sentence(options: list[str], complaint: str) -> None:
    Path("text.run").write_text("hello")
    Path("cut.run").write_bytes(Run().save()[:-100])
    result = play(options=tuple(options))
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert result.stdout == ""


def test_every_deck_and_challenge_starts() -> None:
    assert "Challenge Deck" not in play(options=("--challenge", "omelette")).stdout
    assert "The Omelette" in play(options=("--challenge", "c_omelette_1", "--seed", "A")).stdout
    assert "Ghost Deck · Gold Stake" in play(options=("--deck", "ghost", "--stake", "gold", "--seed", "A")).stdout


def test_help_fits_the_phase() -> None:
    output = play("?", "n", "?", "l", "dk").stdout
    assert "skip it for its tag" in after(output, "?")
    assert "discard these cards" in output
    assert "Straight Flush       1    100     8" in output
    assert "Flush Five" not in output
    assert "44 of 52 cards left to draw" in output


def at_the_boss(run: Run) -> Run:
    state = json.loads(run.to_json())
    state["round"]["on_deck"] = "boss"
    return Run.from_json(json.dumps(state))


def test_a_boss_is_not_offered_to_be_skipped(tmp_path: Path) -> None:
    assert "n play · x skip · ? help" in play().stdout
    output = play("?", "x", options=saved(at_the_boss(Run(seed="TESTSEED")), tmp_path / "boss.run")).stdout
    assert "\nn play · ? help\n" in output
    assert "skip" not in after(output, "?")
    assert after(output, "x").startswith("A boss blind cannot be skipped.")


def test_what_can_do_nothing_is_not_hinted_at(tmp_path: Path) -> None:
    assert "p 1 2 play · d 1 2 discard · pv 1 2 preview · i 1 inspect · ? help" in play("n").stdout
    run = Run(seed="TESTSEED")
    assert "reroll" not in play("?", options=saved(run, tmp_path / "a.run")).stdout
    run.debug_redeem("v_retcon")
    run.debug_add_consumable("c_magician")
    output = play("?", "n", "d 1", "d 1", "d 1", "d 1", options=saved(run, tmp_path / "b.run")).stdout
    assert "n play · x skip · r reroll the boss · ? help" in output
    assert "reroll the boss for $10" in after(output, "?")
    assert "p 1 2 play · pv 1 2 preview · u 1 use · i 1 inspect · ? help" in output


def test_a_won_run_is_won_in_ante_8(tmp_path: Path) -> None:
    run = Run(seed="TESTSEED")
    run.debug_set_ante(8)
    run.debug_raise_level("High Card", 900)
    options = saved(at_the_boss(run), tmp_path / "last.run")
    output = play("n", "p 1", "n", "n", "n", "undo", options=options).stdout
    assert "The run is won in ante 8! It can continue, ante by ante." in after(output, "p 1")
    assert "You have won in ante 8! Play on for as long as you like, or leave with q." in after(output, "p 1")
    assert output.count("You have won") == 1


def test_face_down_cards_stay_unknown(tmp_path: Path) -> None:
    run = Run(seed="TESTSEED")
    run.debug_set_boss("bl_house")
    state = json.loads(run.to_json())
    state["round"]["on_deck"] = "boss"
    run = Run.from_json(json.dumps(state))
    output = play("n", "i 1", "pv 1", "dk", options=saved(run, tmp_path / "house.run")).stdout
    dealt = after(output, "n")
    assert "Drawn: 8 face-down cards" in dealt
    assert "╭1───?╮" in dealt
    assert "A♥" not in dealt
    assert "A card, face down" in after(output, "i 1")
    assert "nobody knows" in after(output, "pv 1")
    assert "52 of 52 cards left to draw" in after(output, "dk")


def crowded(*more_jokers: str) -> Run:
    """A hand, jokers and consumables with everything on them."""
    run = Run(seed="TESTSEED", stake="gold")
    for key, edition in (
        ("j_abstract", "e_negative"),
        ("j_yorick", "e_polychrome"),
        ("j_castle", "e_holo"),
        ("j_obelisk", "e_foil"),
        ("j_todo_list", "e_base"),
        *((key, "e_base") for key in more_jokers),
    ):
        run.debug_add_joker(key, edition, perishable=True, rental=True)
    for key in ("c_death", "c_wheel_of_fortune", "c_ectoplasm"):
        run.debug_add_consumable(key, "e_negative")
    run.debug_set_boss("bl_final_bell")
    state = json.loads(run.to_json())
    state["round"]["on_deck"] = "boss"
    for card in state["zones"]["deck"]:
        card["modifier"] = ["e_polychrome", "m_steel", "seal_purple"]
        card["bonus"] = 25
    run = Run.from_json(json.dumps(state))
    run.step(Action("select_blind"))
    return run


def shown(run: Run, columns: int, lines: int) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=columns, theme=THEME).print(screen(run.public_state(), run.seed, columns, lines - 1))
    return file.getvalue().splitlines()


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (120, 40)])
def test_a_crowded_screen_fits(columns: int, lines: int) -> None:
    for run, seal in ((crowded(), "●Purp"), (crowded("j_turtle_bean", "j_juggler"), "Purp")):
        screen_lines = shown(run, columns, lines)
        assert len(screen_lines) < lines
        assert max(map(len, screen_lines)) <= columns
        text = "\n".join(screen_lines)
        for part in ("One card is always selected.", "Abstract Joker", "Ectoplasm", "Steel", "Poly", seal):
            assert part in text


def test_ctrl_c_at_the_terminal_leaves_cleanly(state_folder: Path) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-c", "from jimbo.cli.main import app; app()", "play", "--seed", "TESTSEED"]
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment)
    os.close(follower)
    try:
        seen = read_until(leader, "> ")
        os.write(leader, b"n\n")
        seen += read_until(leader, "help\r\n> ")
        time.sleep(0.5)  # a signal between showing the prompt and reading would wait for a key
        process.send_signal(signal.SIGINT)
        seen += read_until(leader, "--load")
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        os.close(leader)
    assert "Traceback" not in seen
    assert (state_folder / "TESTSEED.run").is_file()
