"""Files that are broken or hostile: a sentence on one line, in time."""

import random
import time

import pytest

from jimbo.backends import SimBackend
from jimbo.data import Decision, Record, trace_lines, trace_of
from jimbo.data.game_files import LoadedGame, game_in
from jimbo.data.record import ending_of, header_at
from jimbo.data.record_files import record_text
from jimbo.engine import Action, Run
from wire.made_saves import save_of, written

ACTIONS = (Action("select_blind"), Action("discard", cards=[0, 1]), Action("play", cards=[0, 1]))
ODD = (b"null", b"[]", b"-1", b"1e400", b"99999999999999999999", b'"x"', b"\n", b"true", b"\x1b[31m", b"\xff")


def kinds() -> list[bytes]:
    run = Run(seed="BROKEN")
    header = header_at(run, "player")
    for action in ACTIONS:
        run.step(action)
    end = ending_of(run.public_state(), len(ACTIONS), run.to_data())
    record = Record(header, tuple(map(Decision, ACTIONS)), end=end)
    trace = trace_lines(trace_of(record, SimBackend()))
    state = run.public_state().to_json()
    texts = (record_text(record), trace, state, run.to_json(), "hand: As Kd; jokers: Baron (foil)")
    return [*(text.encode() for text in texts), run.save(), written(save_of(run))]


def refusal(data: bytes) -> str:
    """What is said of a file; nothing of one that holds a game."""
    try:
        game_in(data, "file")
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", range(7))
def test_a_changed_file_is_a_game_or_a_sentence(kind: int) -> None:
    whole, draw = kinds()[kind], random.Random(kind)
    assert isinstance(game_in(whole, "file"), LoadedGame)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(data) + 1)
            data[place : place + draw.choice((0, 1, 20))] = draw.choice((b"", bytes([draw.randrange(256)]), *ODD))
        said = refusal(bytes(data))
        assert said.isprintable()
        assert len(said) < 2000


def test_a_file_of_very_many_steps_is_read_in_time() -> None:
    run = Run(seed="LONG")
    sorts = (Action("select_blind"), *[Action("sort_hand_by_rank")] * 20_000)
    record = Record(header_at(run, "player"), tuple(map(Decision, sorts)))
    began = time.process_time()
    assert len(game_in(record_text(record).encode(), "file").decisions) == len(sorts)
    assert time.process_time() - began < 3
