"""What the adviser says of each thing that can be done, beside its suggestions."""

from dataclasses import replace

from jimbo.agents import make_agent
from jimbo.data.position import read_position
from jimbo.serve.assistant.advice import Adviser
from jimbo.serve.web.advice import advice_view
from jimbo.serve.web.board import options
from jimbo.text import action_words

SHOP = "money: 12; jokers: Jolly Joker; ante: 2; shop: Rocket, The Moon; packs: Buffoon Pack"


def test_everything_in_the_shop_has_what_it_adds() -> None:
    state = read_position(SHOP)
    advice = Adviser(make_agent("fast")).advise(state)
    told = advice_view(advice, advice.suggestions[:2])
    assert len(told["suggestions"]) == 2
    assert {"buy:0", "reroll", "leave_shop"} <= told["values"].keys() <= options(state).keys()
    by_words = {one.words: one.value_text for one in advice.suggestions if not one.then}
    for name, value in told["values"].items():
        assert value["text"] == by_words[options(state)[name]["words"]]
    assert told["values"]["leave_shop"]["cards"] == []


def test_the_best_play_is_told_whatever_is_suggested() -> None:
    state = read_position("hand: As Kd 10h 10c 9h 8c 7d 2s; blind: Big Blind")
    advice = Adviser(make_agent("fast")).advise(state)
    only_discards = [one for one in advice.suggestions if one.action.kind == "discard"]
    assert only_discards
    told = advice_view(replace(advice, suggestions=tuple(only_discards)), only_discards)
    assert (told["score"]["hand"], told["score"]["expected"]) == ("Pair", "60")
    assert told["score"]["verdict"].startswith("needs ")


def test_what_is_taken_for_some_cards_names_them() -> None:
    state = read_position("hand: As Kd 10h 10c 9h 8c 7d 2s; jokers: Jolly Joker; consumables: The Moon")
    advice = Adviser(make_agent("fast")).advise(state)
    assert advice_view(advice, advice.suggestions)["values"] == {}  # in a blind the suggestions have chances
    assert all(action_words(one.action, state) == one.words for one in advice.suggestions)
