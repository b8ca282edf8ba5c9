"""What seed reports say of challenges against runs of them."""

import json

import pytest

from jimbo.engine import Action, PublicOffer, Run
from jimbo.engine.catalog import CHALLENGES
from jimbo.seeds import Card, Exploration
from jimbo.text.cards import front


def seen(offer: PublicOffer) -> Card:
    if offer.card:
        return Card(front(offer.card), "", offer.card.edition, offer.card.enhancement, offer.card.seal)
    stickers = tuple(name for name in ("eternal", "perishable", "rental") if getattr(offer, name))
    return Card(str(offer.joker or offer.consumable), "", offer.edition, stickers=stickers)


def unnamed(card: Card) -> Card:
    return Card(card.key, "", card.edition, card.enhancement, card.seal, card.stickers)


def changed(run: Run, part: str, **values: object) -> Run:
    state = json.loads(run.to_json())
    state[part] |= values
    return Run.from_json(json.dumps(state))


def first_shop(challenge: str, seed: str) -> Run:
    """The small blind asks for nothing, and there is money for rerolls."""
    run = Run(seed=seed, stake="gold", challenge=challenge)
    run.step(Action("select_blind"))
    blind = json.loads(run.to_json())["round"]["blind"]
    run = changed(run, "round", blind=blind | {"target": 0})
    run.step(next(action for action in run.legal_actions() if action.kind == "play"))
    run.step(Action("cash_out"))
    return changed(run, "economy", money=1000)


@pytest.mark.parametrize("challenge", CHALLENGES)
def test_a_report_shows_what_the_run_shows(challenge: str) -> None:
    for seed in ("11111111", "TESTSEED", "ABC"):
        ante = Exploration(stake="gold", last_ante=1, queue=12, challenge=challenge).report(seed).antes[0]
        start = Run(seed=seed, stake="gold", challenge=challenge).public_state()
        assert start.blinds[2].key == ante.boss.key
        assert [blind.tag.key for blind in start.blinds if blind.tag] == [tag.key for tag in ante.tags]
        run = first_shop(challenge, seed)
        shop = run.public_state()
        assert [voucher.key for voucher in shop.shop_vouchers] == [ante.voucher.key]
        assert [booster.key for booster in shop.shop_boosters] == [pack.key for pack in ante.packs[:2]]
        queue: list[Card] = []
        while len(queue) < len(ante.shop):
            queue += [seen(offer) for offer in run.public_state().shop]
            run.step(Action("reroll"))
        assert queue == [unnamed(card) for card in ante.shop]
        run = changed(run, "shop", cards=[])
        run.step(Action("open_booster"))
        opened = run.public_state().pack
        assert opened is not None
        assert [seen(card) for card in opened.cards] == [unnamed(card) for card in ante.packs[0].cards]


def test_a_report_names_its_challenge() -> None:
    report = Exploration(challenge="omelette", last_ante=1).report("A")
    assert (report.deck, report.challenge) == ("b_challenge", "c_omelette_1")
    assert Exploration(last_ante=1).report("A").challenge is None


def test_a_challenge_brings_its_own_deck() -> None:
    with pytest.raises(ValueError, match="brings its own deck"):
        Exploration("b_blue", challenge="omelette")
    with pytest.raises(ValueError, match='Did you mean "omelette"'):
        Exploration(challenge="omelet")


def test_only_the_erratic_deck_is_reported() -> None:
    report = Exploration("erratic", last_ante=1).report("TESTSEED")
    run = Run(deck="b_erratic", seed="TESTSEED").public_state()
    assert sorted(report.starting_deck) == sorted(front(card) for card in run.unseen)
    assert Exploration("blue", last_ante=1).report("TESTSEED").starting_deck == ()
