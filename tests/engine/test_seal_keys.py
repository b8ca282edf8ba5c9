"""A seal has one key, wherever it is written."""

import json

import pytest

from jimbo.engine import Run, vocabulary
from jimbo.engine.catalog import CHALLENGES, SEALS, fact
from jimbo.seeds import explore

KEYS = ["seal_gold", "seal_red", "seal_blue", "seal_purple"]


def test_catalogue_and_observations_agree() -> None:
    assert list(SEALS) == KEYS
    assert vocabulary("seal") == ("", *KEYS)
    assert fact("seal_gold").name == "Gold Seal"
    assert {card.seal for challenge in CHALLENGES.values() for card in challenge.deck} == {None, "seal_red"}


@pytest.mark.parametrize("key", KEYS)
def test_states_and_views_agree(key: str) -> None:
    run = Run(seed="SEALS")
    run.debug_add_card("H_T", seal=key, to="deck")
    (modifiers,) = [card["modifier"] for card in json.loads(run.to_json())["zones"]["deck"] if card["modifier"]]
    assert modifiers == [key]
    assert [card.seal for card in Run.load(run.save()).public_state().unseen if card.seal] == [key]


def test_seed_reports_agree() -> None:
    antes = explore("TESTSEED", last_ante=8).antes
    seals = {card.seal for ante in antes for pack in ante.packs for card in pack.cards}
    assert seals == {None, *KEYS}


def test_the_game_s_own_words_are_refused_with_a_sentence() -> None:
    run = Run(seed="SEALS")
    with pytest.raises(ValueError, match='there is no seal "Red"'):
        run.debug_add_card("H_T", seal="Red", to="deck")
    state = json.loads(run.to_json())
    state["zones"]["deck"][3]["modifier"] = ["Red"]
    with pytest.raises(ValueError, match=r'state\.zones\.deck.*"Red" is not a modifier of a card'):
        Run.from_json(json.dumps(state))
