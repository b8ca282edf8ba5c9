"""Changes to a run that no rule makes, and what only worlds without secrets ask for."""

import pytest

from jimbo.engine import Action, Run


@pytest.fixture
def shop() -> Run:
    run = Run(seed="2507")
    run.step(Action("select_blind"))
    run.chips = 10_000
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    return run


def test_the_draw_pile_is_drawn_from_its_end() -> None:
    run = Run(seed="2507")
    run.step(Action("select_blind"))
    pile = [card.id for card in run.draw_pile]
    assert len(pile) == 44
    run.step(Action("discard", cards=[0, 1]))
    assert {*pile[-2:]} <= {card.id for card in run.hand}
    assert [card.id for card in run.draw_pile] == pile[:-2]


def test_prices_of_what_is_owned(shop: Run) -> None:
    shop.debug_add_joker("j_joker", "e_polychrome")
    shop.debug_add_joker("j_joker", rental=True)
    shop.debug_add_consumable("c_fool")
    assert (shop.joker_prices, shop.consumable_prices) == ([7, 1], [3])
    assert (shop.card_price(), shop.card_price("e_foil")) == (1, 3)
    shop.debug_redeem("v_liquidation")
    assert (shop.joker_prices, shop.consumable_prices, shop.card_price("e_foil")) == ([3, 1], [1], 1)


def test_a_shop_is_stocked_anew(shop: Run) -> None:
    before = shop.public_state()
    shop.debug_restock()
    after = shop.public_state()
    assert [len(after.shop), len(after.shop_vouchers), len(after.shop_boosters)] == [2, 1, 2]
    assert [offer.id for offer in after.shop] != [offer.id for offer in before.shop]
    assert after.next_id == before.next_id + 5


def test_goods_are_put_on_sale(shop: Run) -> None:
    shop.debug_show("v_blank")
    shop.debug_show("p_spectral_mega_1")
    state = shop.public_state()
    assert [item.key for item in state.shop_vouchers] == ["v_hone", "v_blank"]
    assert state.shop_boosters[-1].key == "p_spectral_mega_1"
    shop.dollars = 100
    shop.step(Action("redeem", 1))
    assert shop.voucher_keys == ["v_blank"]
    with pytest.raises(ValueError, match='there is no voucher or pack "x"'):
        shop.debug_show("x")
    for _ in range(7):
        shop.debug_show("v_blank")
    with pytest.raises(ValueError, match="no room for another voucher"):
        shop.debug_show("v_blank")


@pytest.mark.parametrize("edit", [lambda run: run.debug_restock(), lambda run: run.debug_show("v_blank")])
def test_only_in_a_shop(edit: object) -> None:
    with pytest.raises(ValueError, match="no shop is open"):
        edit(Run())  # type: ignore[operator]


def test_rounds_and_perishing() -> None:
    run = Run()
    run.debug_set_round(7)
    assert run.round == 7
    run.debug_add_joker("j_joker", perishable=True, rounds=2)
    assert run.public_state().jokers[0].perish_left == 2
    with pytest.raises(ValueError, match="6 does not lie between 1 and 5"):
        run.debug_add_joker("j_joker", perishable=True, rounds=6)
