"""A run in a browser: by mouse, by keys alone, on a small screen, over reloads and restarts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from serve.web.serving import serving, settings_for

Begin = Callable[..., Any]
NAMES = "[...document.querySelectorAll('.hand .card')].map(card => card.ariaLabel)"


def hand(page: Any) -> Any:
    return page.get_by_role("region", name="Hand").get_by_role("button")


def names(page: Any) -> list[str]:
    found: list[str] = hand(page).evaluate_all("cards => cards.map(card => card.ariaLabel)")
    return found


def play_blind(page: Any) -> None:
    page.get_by_role("button", name="play Small Blind", exact=True).click()
    hand(page).nth(7).wait_for()


def discard(page: Any) -> None:
    """Discard a card, and wait for the next."""
    before = names(page)
    hand(page).first.click()
    page.get_by_role("button", name=re.compile("^discard ")).click()
    page.wait_for_function(
        "before => [...document.querySelectorAll('.hand .card')].map(one => one.ariaLabel).join() !== before",
        arg=",".join(before),
    )


def test_a_run_is_started_and_a_hand_is_scored(begin: Begin) -> None:
    page = begin()
    play_blind(page)
    assert names(page) == ["10♣", "10♦", "9♠", "7♠", "6♥", "5♥", "4♥", "2♦"]
    hand(page).nth(0).click()
    hand(page).nth(1).click()
    page.get_by_text("60 Pair").wait_for()
    page.get_by_text("needs 240 more").wait_for()
    page.get_by_role("button", name="play 10♣ 10♦").click()
    page.get_by_text("Pair: scores 60 (30 x 2)").wait_for()
    page.get_by_text("240 to go").wait_for()


def test_what_is_refused_says_why(begin: Begin) -> None:
    page = begin()
    play_blind(page)
    for place in range(6):
        hand(page).nth(place).click()
    button = page.get_by_role("button", name=re.compile("^play 10♣"))
    page.get_by_text("chose 6").first.wait_for()
    assert button.get_attribute("aria-disabled") == "true"
    page.keyboard.press("p")
    assert "chose 6" in page.get_by_role("alert").last.inner_text()


def test_a_score_comes_at_once(begin: Begin) -> None:
    """The time on a busy machine means little; that only the last choice is shown does."""
    page = begin()
    play_blind(page)
    for place in (0, 1, 2, 3, 4):
        hand(page).nth(place).click()
    for place in (2, 3, 4):
        hand(page).nth(place).click()
    page.get_by_text("60 Pair").wait_for()
    assert page.locator(".scored").get_by_text("High Card").count() == 0


def test_a_run_by_keys_alone(begin: Begin) -> None:
    page = begin()
    page.keyboard.press("c")
    hand(page).nth(7).wait_for()
    for key in "12":
        page.keyboard.press(key)
    page.get_by_text("60 Pair").wait_for()
    page.keyboard.press("Escape")
    page.get_by_text("Choose cards to see what they score.").wait_for()
    page.keyboard.press("3")
    page.get_by_role("button", name="discard 9♠", exact=True).wait_for()
    page.keyboard.press("d")
    page.get_by_text("discard 9♠").wait_for()
    page.keyboard.press("u")
    page.get_by_text("undo 1 step").wait_for()
    assert names(page)[2] == "9♠"
    page.keyboard.press("s")
    page.wait_for_function(f"() => {NAMES}[0] === '9♠'")


def test_arrows_go_through_the_hand_and_move_cards(begin: Begin) -> None:
    page = begin()
    play_blind(page)
    hand(page).first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert hand(page).nth(1).get_attribute("aria-pressed") == "true"
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function(f"() => {NAMES}[2] === '10♦'")
    assert names(page)[:3] == ["10♣", "9♠", "10♦"]


def test_a_card_is_dragged_to_another_place(begin: Begin) -> None:
    page = begin()
    play_blind(page)
    first, fourth = (hand(page).nth(place).bounding_box() for place in (0, 3))
    page.mouse.move(first["x"] + 20, first["y"] + 40)
    page.mouse.down()
    page.mouse.move(first["x"] + 60, first["y"] + 40)
    page.mouse.move(fourth["x"] + 0.8 * fourth["width"], fourth["y"] + 40, steps=4)
    page.mouse.up()
    page.wait_for_function(f"() => {NAMES}[3] === '10♣'")
    assert names(page)[:4] == ["10♦", "9♠", "7♠", "10♣"]
    assert page.get_by_role("button", pressed=True).count() == 0


def test_the_adviser_is_asked_and_obeyed(begin: Begin) -> None:
    page = begin()
    play_blind(page)
    page.get_by_role("button", name="Hint").click()
    first = page.get_by_role("list", name="Suggestions, best first").get_by_role("listitem").first
    words = first.locator(".words").inner_text()
    first.hover()
    assert page.locator(".card.picked").count() > 0
    first.get_by_role("button", name="Do it").click()
    page.get_by_text(f"▶ {words}").wait_for()


def test_suggestions_always_come_and_are_refused(begin: Begin) -> None:
    page = begin()
    page.get_by_role("combobox", name="Suggestions").select_option(label="always")
    play_blind(page)
    listed = page.get_by_role("list", name="Suggestions, best first").locator(".words")
    listed.nth(1).wait_for()
    before = listed.all_inner_texts()
    page.keyboard.press("n")
    page.wait_for_function(
        "second => document.querySelector('.suggestions .words').innerText === second", arg=before[1]
    )
    page.keyboard.press("y")
    page.get_by_text(f"▶ {before[1]}").wait_for()


def test_in_a_lesson_nothing_is_told_before_the_choice(begin: Begin) -> None:
    page = begin()
    page.get_by_role("combobox", name="Suggestions").select_option(label="after I choose")
    page.get_by_text("You choose first").wait_for()
    play_blind(page)
    assert page.get_by_role("list", name="Suggestions, best first").count() == 0
    hand(page).nth(7).click()
    page.get_by_role("button", name="play 2♦", exact=True).click()
    page.get_by_text("The agent would have chosen").first.wait_for()
    assert page.get_by_role("button", name="Autoplay").is_disabled()


def test_autoplay_and_its_end(begin: Begin) -> None:
    page = begin()
    page.get_by_role("slider").fill("0.1")
    page.keyboard.press("a")
    page.get_by_role("button", name="Stop").wait_for()
    page.get_by_text("▶").nth(2).wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Autoplay").wait_for()


def test_jokers_are_dragged_and_put_in_a_better_order(page: Any, url: str) -> None:
    position = "hand: Kd 10h 10c 9h As 8c; jokers: Cavendish, Jolly Joker, Misprint; blind: Big Blind"
    page.goto(f"{url}/board?{urlencode({'p': position})}")
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/play/anew-*")
    jokers = page.get_by_role("region", name="Jokers").get_by_role("button")
    first, third = (jokers.nth(place).bounding_box() for place in (0, 2))
    page.mouse.move(third["x"] + 20, third["y"] + 40)
    page.mouse.down()
    page.mouse.move(first["x"] + 10, first["y"] + 40, steps=5)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('.jokers .item').ariaLabel.startsWith('Misprint')")
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("list", name="Suggestions, best first").wait_for()
    for key in "23":
        page.keyboard.press(key)
    page.get_by_text("Better order of the jokers:").wait_for()
    page.get_by_role("button", name="Put them so").click()
    page.wait_for_function(
        "() => [...document.querySelectorAll('.jokers .item')].at(-1).ariaLabel.startsWith('Cavendish')"
    )
    page.get_by_text("Better order of the jokers:").wait_for(state="detached")


def test_the_shop_and_what_its_cards_do(begin: Begin) -> None:
    page = begin("ALEEB")
    page.get_by_role("combobox", name="Suggestions").select_option(label="always")
    shop = page.get_by_role("region", name="Shop")
    for _ in range(30):
        if shop.count():
            break
        page.get_by_role("button", name=re.compile("^Do it")).first.wait_for()
        steps = page.locator(".log li").count()
        page.keyboard.press("y")
        page.wait_for_function("steps => document.querySelectorAll('.log li').length > steps", arg=steps)
    page.get_by_role("button", name=re.compile("^leave the shop")).wait_for()
    shop.get_by_role("button", name=re.compile("^Rocket")).click()
    looked = page.get_by_role("region", name="Rocket")
    looked.get_by_text("$1 at the end of the round").wait_for()
    shop.get_by_role("button", name="buy Rocket for $6").click()
    jokers = page.get_by_role("region", name="Jokers")
    jokers.get_by_role("button", name=re.compile("^Rocket")).click()
    page.get_by_role("button", name=re.compile("^sell Rocket for")).wait_for()


# --- Addresses, reloads, restarts, tabs -------------------------------------------------------------------------------


def test_a_reload_keeps_the_run(begin: Begin) -> None:
    page = begin()
    play_blind(page)
    before = names(page)
    page.reload()
    hand(page).nth(7).wait_for()
    assert names(page) == before


def test_the_back_button_goes_from_page_to_page(begin: Begin, url: str) -> None:
    page = begin()
    page.get_by_role("link", name="Health").click()
    page.get_by_role("heading", name="Health").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Choose a blind").wait_for()
    page.go_back()
    page.get_by_role("button", name="Start").wait_for()
    page.get_by_role("link", name=re.compile("^ALEEB Red Deck")).click()
    page.get_by_role("heading", name="Choose a blind").wait_for()
    assert urlsplit(page.url).path.startswith("/play/ALEEB-")


def test_two_tabs_show_one_game(begin: Begin, context: Any) -> None:
    page = begin()
    other = context.new_page()
    other.goto(page.url)
    other.get_by_role("heading", name="Choose a blind").wait_for()
    play_blind(page)
    hand(other).nth(7).wait_for()
    discard(page)
    other.wait_for_function("first => document.querySelector('.hand .card').ariaLabel === first", arg=names(page)[0])
    other.keyboard.press("u")
    page.get_by_text("undo 1 step").wait_for()
    assert names(page) == names(other)


def test_the_server_is_started_anew_under_an_open_page(page: Any, tmp_path: Path, watch: Any) -> None:
    watch.allowed = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
    settings = settings_for(tmp_path)
    with serving(settings) as url:
        page.goto(f"{url}/play")
        page.get_by_label("Seed").fill("ALEEB")
        page.get_by_role("button", name="Start").click()
        play_blind(page)
        discard(page)
        before = names(page)
    page.get_by_text("The server does not answer").wait_for()
    with serving(settings, urlsplit(url).port or 0):
        page.get_by_text("The server does not answer").wait_for(state="detached")
        assert names(page) == before
        page.keyboard.press("u")
        page.get_by_text("undo 1 step").wait_for()


def test_a_game_that_is_gone_says_so(page: Any, url: str, watch: Any) -> None:
    watch.allowed = ("404",)
    page.goto(f"{url}/play/nothing-here")
    page.get_by_text("There is no such game here").wait_for()
    page.get_by_role("link", name="New run").click()
    page.get_by_role("button", name="Start").wait_for()


def test_what_if_goes_another_way_and_back(begin: Begin) -> None:
    page = begin()
    play_blind(page)
    main = page.url
    page.get_by_role("button", name="What if: the same cards to come").click()
    page.get_by_text("A branch of").wait_for()
    hand(page).nth(7).wait_for()
    discard(page)
    page.get_by_role("link", name="Back to it").click()
    page.get_by_text("A branch of").wait_for(state="detached")
    assert page.url == main
    hand(page).nth(7).wait_for()
    assert names(page)[0] == "10♣"
    page.get_by_role("button", name="What if: what is hidden dealt anew").click()
    page.get_by_text("It is not kept.").wait_for()


# --- Sizes, colours, help ---------------------------------------------------------------------------------------------


def wide(page: Any) -> bool:
    """Whether something sticks out to the right."""
    found: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return found


def test_all_of_it_fits_into_a_small_screen(begin: Begin, page: Any) -> None:
    page.set_viewport_size({"width": 380, "height": 700})
    begin()
    assert not wide(page)
    play_blind(page)
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("list", name="Suggestions, best first").wait_for()
    assert not wide(page)
    page.get_by_text("Deck", exact=True).last.click()
    assert not wide(page)


def test_keys_are_listed_and_the_list_is_left(begin: Begin) -> None:
    page = begin()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.get_by_text("play the chosen cards").wait_for()
    page.keyboard.press("c")  # not for the game now
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    page.get_by_role("heading", name="Choose a blind").wait_for()
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.get_by_role("heading", name="Training").wait_for()


def test_light_and_dark_are_kept(begin: Begin) -> None:
    page = begin()
    ground = "getComputedStyle(document.body.parentElement).backgroundColor"
    page.get_by_role("button", name="Colours: as the system").click()
    light = page.evaluate(ground)
    page.keyboard.press("t")
    page.get_by_role("button", name="Colours: dark").wait_for()
    dark = page.evaluate(ground)
    assert light != dark
    page.reload()
    page.get_by_role("button", name="Colours: dark").wait_for()
    assert page.evaluate(ground) == dark


def test_suits_are_told_apart_without_colours(begin: Begin) -> None:
    """Each has a shape of its own, and its name for those who cannot see it."""
    page = begin()
    play_blind(page)
    shapes = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.hand .card')].map("
        "card => [card.ariaLabel.slice(-1), card.querySelector('path').getAttribute('d')]))"
    )
    assert set(shapes) == {"♣", "♦", "♠", "♥"}
    assert len(set(shapes.values())) == 4


def test_nothing_moves_while_the_adviser_thinks(begin: Begin) -> None:
    """The hand stays where it is, and its cards are the same elements."""
    page = begin()
    play_blind(page)
    page.evaluate("document.querySelector('.hand .card').dataset.mark = 'here'")
    before = hand(page).first.bounding_box()
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("list", name="Suggestions, best first").wait_for()
    assert hand(page).first.bounding_box() == before
    assert hand(page).first.get_attribute("data-mark") == "here"
