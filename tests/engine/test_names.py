"""Decks, stakes and challenges go by their keys, short keys and names, the same everywhere."""

from collections.abc import Callable

import numpy as np
import pytest

from jimbo.engine import Batch, Run
from jimbo.engine.catalog import CHALLENGES, DECKS, STAKES, Fact
from jimbo.seeds import Exploration, challenge_key, deck_key, stake_key


def short_form(key: str) -> str:
    return key.removeprefix("b_").removeprefix("stake_").removeprefix("c_").removesuffix("_1")


def spellings(fact: Fact) -> list[str]:
    short = short_form(fact.key)
    name = fact.name
    return [
        fact.key, fact.key.upper(), short, short.title(), short.replace("_", " "), short.replace("_", "-"),
        name, name.lower(), name.upper(), f"  {name} ", name.replace(" ", "_"), name.replace("'", "\u2019"),
        name.removeprefix("The "), f"The {name.removeprefix('The ')}",
    ]  # fmt: skip


PLAYABLE = {key: deck for key, deck in DECKS.items() if key != "b_challenge"}


@pytest.mark.parametrize(("key_of", "facts"), [(deck_key, PLAYABLE), (stake_key, STAKES), (challenge_key, CHALLENGES)])
def test_every_spelling_leads_to_its_key_alone(key_of: Callable[[str], str], facts: dict[str, Fact]) -> None:
    for key, fact in facts.items():
        for text in spellings(fact):
            assert key_of(text) == key


@pytest.mark.parametrize("text", ["", " ", "_", "the", "deck", "b_", "challenge", "b_challenge", "Challenge Deck"])
def test_what_names_no_deck_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f'There is no deck "{text}".*Allowed are red, blue, .*erratic[.]$'):
        deck_key(text)


@pytest.mark.parametrize(
    ("key_of", "text", "near"),
    [(deck_key, "Plasmo", "plasma"), (stake_key, "glod", "gold"), (challenge_key, "Knives Edge", "knife")],
)
def test_the_nearest_is_offered(key_of: Callable[[str], str], text: str, near: str) -> None:
    with pytest.raises(ValueError, match=f'Did you mean "{near}"[?] Allowed are'):
        key_of(text)
    with pytest.raises(ValueError, match=r'"xyzzy"\. Allowed are'):
        key_of("xyzzy")


def test_runs_take_all_of_them() -> None:
    assert Run(deck="red", stake="white", seed="NAMES") == Run(deck="b_red", stake="stake_white", seed="NAMES")
    run = Run(deck="Ghost Deck", stake="Gold Stake", seed="NAMES")
    assert (run.deck, run.stake) == ("b_ghost", "stake_gold")
    challenge = Run(challenge="omelette", seed="NAMES")
    assert (challenge.deck, challenge.challenge) == ("b_challenge", "c_omelette_1")
    for own in ("b_challenge", "challenge", "Challenge Deck"):
        assert Run(challenge="The Omelette", deck=own, seed="NAMES") == challenge


def test_batches_and_seed_reports_take_all_of_them() -> None:
    batch = Batch(2, deck="Magic Deck", stake="black")
    batch.set_start(1, challenge="fragile")
    batch.reset()
    assert (batch.run(0).deck, batch.run(0).stake) == ("b_magic", "stake_black")
    assert batch.run(1).challenge == "c_fragile_1"
    assert (Exploration(deck="Blue Deck", stake="Red").deck, Exploration(stake="Red").stake) == ("b_blue", "stake_red")


def test_a_challenge_with_another_deck_is_refused_everywhere() -> None:
    sentence = "The challenge Jokerless brings its own deck, so it cannot be played with the Blue Deck"
    with pytest.raises(ValueError, match=sentence):
        Run(deck="blue", challenge="jokerless")
    with pytest.raises(ValueError, match=sentence):
        Batch(1, deck="Blue Deck", challenge="c_jokerless_1")
    batch = Batch(1)
    with pytest.raises(ValueError, match=sentence):
        batch.set_start(0, deck="b_blue", challenge="Jokerless")
    batch.reset(np.array([True]))
    assert batch.run(0).deck == "b_red"
