"""Blinds and tags in words."""

from jimbo.engine import PublicState, Run
from jimbo.engine.catalog import TAGS
from jimbo.text.blinds import tag_text


def test_an_orbital_tag_names_its_hand() -> None:
    data = Run(seed="TAGS").public_state().to_data()
    data["skip_tags"] = [{"key": "tag_orbital", "hand": "Full House"}, {"key": "tag_rare"}]
    orbital, rare = PublicState.from_data(data).skip_tags
    assert "Full House" in tag_text(orbital)
    assert tag_text(orbital) != TAGS["tag_orbital"].text
    assert tag_text(rare) == TAGS["tag_rare"].text
