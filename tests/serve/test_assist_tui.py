"""The assistant on the whole screen, played by keys."""

import asyncio
import html
import re
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from jimbo.agents import make_agent
from jimbo.agents.protocol import Seat
from jimbo.backends import SimBackend
from jimbo.data import Decision, RecordStopped
from jimbo.data.game_files import LoadedGame, read_game
from jimbo.engine import Action, PublicState
from jimbo.rollout import Moment, Observer
from jimbo.serve.assistant import LessonLog, Session
from jimbo.serve.game import RunInPlay
from jimbo.serve.terminal.help import commands
from jimbo.serve.tui import AssistantApp, PlayedElsewhere
from jimbo.serve.tui.app import SMALLEST
from jimbo.serve.tui.keys import IN_WINDOWS, KEYS, Key
from jimbo.serve.tui.panels import SaveFirst, Window
from rules.scene import Scene

HAND = Scene(hand="KS KH 7D 5C 3H 2S 9D 8H", target=300, jokers=["j_joker"], consumables=["c_hermit"])
PHASES = {
    "blind_select": Scene(phase="blind_select"),
    "selecting_hand": HAND,
    "shop": Scene(phase="shop", shop=["j_joker"], boosters=["p_buffoon_normal_1"], shop_vouchers=["v_grabber"]),
    "pack_opening": Scene(phase="pack_opening", pack="p_buffoon_normal_1", pack_cards=["j_joker", "j_banner"]),
}
CHARACTER = 12.2
"""The width of one in a picture."""
SIZES = ((80, 24), (50, 14), (160, 50))
TINY = (20, 6)

Keys = Callable[[Pilot[None]], Awaitable[None]]


class Here:
    """An app under test."""

    def __init__(self, session: Session, pilot: Pilot[None]) -> None:
        self.session, self.pilot = session, pilot
        assert isinstance(pilot.app, AssistantApp)
        self.app = pilot.app

    async def advised(self) -> None:
        """The agent has answered, and the screen shows it."""
        await self.until(lambda: self.session.advice is not None)

    async def until(self, true: Callable[[], bool]) -> None:
        ends = time.monotonic() + 20
        while not true():
            assert time.monotonic() < ends, "nothing happened"
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, line: str) -> None:
        """Quicker than key by key."""
        await self.pilot.press("colon")
        typed = self.app.query_one("#line", Input)
        assert self.app.focused is typed
        typed.value = line
        await self.press("enter")

    def text(self) -> str:
        """All that is on the screen, line by line."""
        lines: dict[str, str] = {}
        for x, y, text in re.findall(r'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', self._picture()):
            column = round(float(x) / CHARACTER)
            lines[y] = lines.get(y, "").ljust(column) + html.unescape(text).replace("\xa0", " ")
        return "\n".join(lines.values())

    def _picture(self) -> str:
        """Without what a window lies upon."""
        return self.app.export_screenshot(simplify=True).split("-matrix", 2)[2]


def backend_of(scene: Scene) -> SimBackend:
    backend = SimBackend()
    backend.load(scene.build().save())
    return backend


def session_of(
    scene: Scene = HAND, agent: str = "greedy", *observers: Observer, lesson: LessonLog | None = None
) -> Session:
    return Session(RunInPlay(backend_of(scene), observers), make_agent(agent), lesson=lesson)


def on_screen(
    session: Session,
    play: Callable[[Here], Awaitable[None]],
    size: tuple[int, int] = SIZES[0],
    elsewhere: PlayedElsewhere | None = None,
) -> Here:
    async def run() -> Here:
        app = AssistantApp(session, 0.0, elsewhere)
        async with app.run_test(size=size) as pilot:
            here = Here(session, pilot)
            await here.advised()
            await play(here)
            return here

    return asyncio.run(run())


def test_a_small_terminal_is_told_what_it_lacks() -> None:
    async def look(here: Here) -> None:
        await here.pilot.resize_terminal(SMALLEST[0] - 1, 30)
        await here.pilot.pause()
        assert "49 x 30 is too small: make it 50 x 14 or larger" in " ".join(here.text().split())
        assert "suggests" not in here.text()
        await here.pilot.resize_terminal(*SMALLEST)
        await here.pilot.pause()
        assert "too small" not in here.text()
        assert "greedy suggests" in here.text()
        await here.pilot.press("b")
        await here.pilot.resize_terminal(SMALLEST[0] - 1, 30)
        await here.pilot.press("escape")
        await here.pilot.pause()
        assert "49 x 30 is too small" in " ".join(here.text().split())

    on_screen(session_of(), look)


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_is_shown_on_every_screen(phase: str) -> None:
    session = session_of(PHASES[phase])

    async def look(here: Here) -> None:
        await here.pilot.resize_terminal(*TINY)  # too small for everything, but no reason to fail
        for size in SIZES:
            await here.pilot.resize_terminal(*size)
            await here.pilot.pause()
            text = here.text()
            for part in ("Ante 1", "greedy suggests", session.suggestions()[0].words.split()[0], "accept"):
                assert part in text, size
            assert max(map(len, text.splitlines())) <= size[0]
        await here.press("enter")
        await here.advised()
        assert len(session.log) == 1

    on_screen(session, look, SIZES[-1])


def test_a_hand_with_all_there_is_to_know() -> None:
    async def look(here: Here) -> None:
        text = here.text()
        for part in (
            "0 of 300",
            "j1  Joker",
            "The Hermit",
            "│  K♠ │",
            "▶1",
            "180 (60 %)  play K♠ K♥",
            "Joker  +4 Mult",
            "30 x 6",
            "Pair: 30 x 6 = 180",
            "Pair needs 120 more: 180, 60.0 % of what is needed",
        ):
            assert part in text, part

    on_screen(session_of(), look)


def test_suggestions_are_pointed_at_and_accepted() -> None:
    session = session_of()
    wanted = session.suggestions()[2].action

    async def play(here: Here) -> None:
        await here.press("down", "down", "down", "up", "3")
        assert "▶3" in here.text()
        await here.press("1", "up", "9", "j", "j")
        assert "▶3" in here.text()
        await here.press("enter")
        await here.advised()

    on_screen(session, play)
    assert session.log[0].words == f"play {_cards(wanted)}"


def _cards(action: Action) -> str:
    hand = session_of().state.hand
    return " ".join(f"{hand[i].rank}{dict(zip('SHCD', '♠♥♣♦', strict=True))[hand[i].suit or '']}" for i in action.cards)


def test_a_refused_suggestion_gives_way_to_the_next() -> None:
    session = session_of()
    first, second = (one.words for one in session.suggestions()[:2])

    async def play(here: Here) -> None:
        await here.press("n")
        listed = [one.words for one in session.suggestions()]
        assert first not in listed
        assert listed[0] == second
        assert re.search(rf"▶1 +180 +180 \(60 %\)  {second}", here.text())

    on_screen(session, play)


def test_steps_are_undone() -> None:
    session = session_of()
    before = session.state

    async def play(here: Here) -> None:
        await here.press("enter")
        await here.advised()
        assert session.state != before
        await here.press("u")
        await here.advised()
        assert session.state == before
        await here.press("u")
        assert "There is nothing to undo." in here.text()

    on_screen(session, play)
    assert [entry.by for entry in session.log] == ["agent", "player"]


def test_autoplay_plays_to_the_end() -> None:
    session = session_of(Scene(hand="2S 3H 7D 5C", hands=2, target=300, discards=0))

    async def play(here: Here) -> None:
        await here.press("a")
        await here.until(lambda: session.state.over and session.advice is not None)
        text = here.text()
        assert "The run is over. u undoes a step, q leaves." in text
        await here.press("enter")
        assert "The run is over; nothing can be done." in here.text()
        await here.press("n", "b", "a")  # nothing to refuse, to explain or to play
        assert session.state.over

    on_screen(session, play)


def test_autoplay_can_be_stopped() -> None:
    session = session_of(Scene(hand="2S 3H 7D 5C", target=1e9))

    async def play(here: Here) -> None:
        here.app._pause = 30.0
        await here.press("a")
        await here.advised()
        assert len(session.log) == 1  # the next step waits
        assert "Autoplay" in here.text()
        await here.press("escape")
        assert "Autoplay" not in here.text()

    on_screen(session, play)


def test_autoplay_goes_on_below_a_window() -> None:
    session = session_of(Scene(hand="2S 3H 7D 5C", hands=3, target=300, discards=0))

    async def play(here: Here) -> None:
        await here.press("a", "l")
        assert isinstance(here.app.screen, Window)
        await here.until(lambda: session.state.over and session.advice is not None)
        await here.press("escape")
        assert "Lost to Small Blind" in here.text()

    on_screen(session, play)


def test_a_won_run_stops_autoplay_and_may_go_on() -> None:
    session = session_of(Scene(hand="KS KH 7D 5C", blind="bl_final_vessel", ante=8, target=10))

    async def play(here: Here) -> None:
        await here.press("a")
        await here.until(lambda: session.state.won and session.advice is not None)
        text = here.text()
        assert "The run is won." in text
        assert "cash out" in text
        assert len(session.log) == 1
        await here.press("enter")
        await here.advised()
        assert session.state.phase == "shop"

    on_screen(session, play)


def test_anything_else_can_be_typed(tmp_path: Path) -> None:
    session = session_of()

    async def play(here: Here) -> None:
        await here.type("p 99")
        assert "There is no card 9 in the hand; it has 8." in here.text()
        await here.press("colon", *"d 345", "enter")
        await here.advised()
        assert session.log[-1].words == "discard 7♦ 5♣ 3♥"
        await here.press("slash", *"nothing", "escape")
        assert here.app.query_one("#line", Input).value == ""
        assert not here.app.query_one("#line", Input).has_class("open")
        await here.type("undo")
        await here.advised()
        assert session.log[-1].words == "undo 1 step"
        await here.type(f"save {tmp_path / 'x'}")
        assert "Saved in" in here.text()
        await here.type("q")

    on_screen(session, play)
    assert len(session.log) == 2


def test_questions_change_nothing() -> None:
    session = session_of()

    async def play(here: Here) -> None:
        advice = session.advice
        for line, answer in (("i j1", "Sells for"), ("pv 1", "High Card")):
            await here.type(line)
            assert isinstance(here.app.screen, Window)
            assert answer in here.text()
            await here.press("escape")
        await here.type("i j9")
        assert "There is no j9 here." in here.text()
        assert session.advice is advice  # the agent was not asked again

    on_screen(session, play)


def test_windows() -> None:
    session = session_of()

    async def play(here: Here) -> None:
        for key, part in (("question_mark", "refuse it"), ("b", "Pair: 30 x 6 = 180"), ("l", "Nothing was done yet.")):
            await here.press(key)
            assert isinstance(here.app.screen, Window)
            assert part in here.text()
            await here.press("down", "up", "pagedown", "pageup", "q")
            assert not isinstance(here.app.screen, Window)
        await here.press("enter")
        await here.advised()
        await here.press("l")
        assert "play K♠ K♥" in here.text()

    on_screen(session, play)
    assert len(session.log) == 1


# --- Keys -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("keys", "window"), [(KEYS, False), (IN_WINDOWS, True)])
def test_every_key_of_the_help_works_and_every_working_key_is_in_it(keys: tuple[Key, ...], window: bool) -> None:
    done: list[str] = []
    wanted = {name.strip() for key in keys for name in key.keys.split(",")}
    actions = {key.action.split("(")[0] for key in keys}

    async def play(here: Here) -> None:
        if window:
            await here.press("question_mark")
        where = here.app.screen if window else here.app
        for action in actions:
            name = f"action_{action}"
            setattr(where, name, lambda *_values, action=action: done.append(action))
        for key in keys:
            for name in key.keys.split(","):
                done.clear()
                await here.press(name.strip())
                assert done == [key.action.split("(")[0]], name
        bound = {part for keys_ in where._bindings.key_to_bindings for part in keys_.split(",")}
        hidden = {"ctrl+c", "ctrl+q", "ctrl+p", "tab", "shift+tab", "ctrl+i", "ctrl+shift+c", "super+c"}
        assert bound - wanted - hidden == set()

    on_screen(session_of(), play)


def test_the_help_lists_the_keys_and_what_can_be_typed() -> None:
    session = session_of()

    async def play(here: Here) -> None:
        await here.press("question_mark")
        text = here.text()
        for key in (*KEYS, *IN_WINDOWS):
            assert f"{key.shown} " in text
            assert key.meaning in text
        for command, meaning in commands(session.state):
            assert command in text
            assert meaning.split(";")[0] in text  # the rest may stand in the next line
        await here.press("escape")
        for line in ("h", "hint", "l", "dk", "?"):
            await here.type(line)
            assert isinstance(here.app.screen, Window), line
            await here.press("escape")

    on_screen(session, play, (100, 70))


def test_undo_takes_back_a_refusal_first() -> None:
    session = session_of()
    listed = [one.words for one in session.suggestions()]

    async def play(here: Here) -> None:
        await here.press("n", "n", "u")
        assert [one.words for one in session.suggestions()][:2] == listed[1:3]
        assert re.search(rf"▶1 .*{re.escape(listed[1])}", here.text())
        await here.press("u")
        assert [one.words for one in session.suggestions()] == listed
        await here.press("u")
        assert "There is nothing to undo." in here.text()

    on_screen(session, play)


def test_the_score_of_what_is_typed_is_shown_first() -> None:
    async def play(here: Here) -> None:
        await here.press("colon", *"p 12")
        assert "Pair needs 120 more: 180, 60.0 % of what is needed" in here.text()
        await here.press("escape")

    on_screen(session_of(), play)

    async def beats(here: Here) -> None:
        assert "Pair beats the blind: 180, 360.0 % of what is needed" in here.text()

    on_screen(session_of(Scene(hand="KS KH 7D 5C", target=50, jokers=["j_joker"])), beats)


# --- Leaving ----------------------------------------------------------------------------------------------------------


def saved_session(path: Path) -> tuple[Session, RunInPlay]:
    """A game of a file that is gone since."""
    backend = backend_of(HAND)
    game = RunInPlay(backend, after=LoadedGame(backend.state(), "saved run", str(path), held=b"it"))
    return Session(game, make_agent("greedy")), game


@pytest.mark.parametrize(("answer", "saved", "left"), [("y", True, True), ("n", False, True), ("escape", False, False)])
def test_q_asks_before_a_run_is_lost(tmp_path: Path, answer: str, saved: bool, left: bool) -> None:
    path = tmp_path / "mine.run"
    session, game = saved_session(path)

    async def play(here: Here) -> None:
        await here.press("enter")
        await here.advised()
        await here.press("q")
        assert isinstance(here.app.screen, SaveFirst)
        assert "Save the run?" in here.text()
        await here.press(answer)
        assert here.app._exit is left

    here = on_screen(session, play)
    assert path.exists() is saved
    assert here.app.dropped is (answer == "n")
    if saved:
        assert read_game(path).state == game.state


def test_nothing_is_asked_where_nothing_would_be_lost(tmp_path: Path) -> None:
    session, _ = saved_session(tmp_path / "mine.run")

    async def play(here: Here) -> None:
        await here.press("q")
        assert here.app._exit

    on_screen(session, play)


def test_a_run_is_saved_under_a_name(tmp_path: Path) -> None:
    session, _ = saved_session(tmp_path / "mine.run")

    async def play(here: Here) -> None:
        await here.press("enter")
        await here.advised()
        await here.type(f"save {tmp_path / 'other.run'}")
        assert "Saved in" in here.text()
        await here.press("question_mark")
        assert "save FILE" in here.text()

    on_screen(session, play, (100, 70))
    assert read_game(tmp_path / "other.run").state == session.state


# --- A game that is played elsewhere ----------------------------------------------------------------------------------


class Watched(SimBackend):
    """Somebody else plays it, too."""

    needs_arming = True

    def look(self) -> PublicState:
        return self.state()


def elsewhere_session(*, armed: bool) -> tuple[Session, Watched]:
    backend = Watched()
    backend.load(HAND.build().save())
    return Session(RunInPlay(backend, armed=armed), make_agent("greedy")), backend


def test_a_game_elsewhere_is_followed() -> None:
    session, backend = elsewhere_session(armed=False)

    async def play(here: Here) -> None:
        await here.until(lambda: "told once" in here.text())
        await here.press("enter")
        await here.until(lambda: "armed" in here.text())
        assert backend.state() == session.state
        backend.apply(Action("discard", cards=[2, 3]))
        await here.until(lambda: session.state.discards_left == 3 and session.advice is not None)
        assert "discards 3" in here.text()

    on_screen(session, play, (100, 40), PlayedElsewhere(0.01, lambda: ("told once",)))
    assert session.log == []


def test_an_armed_game_is_played_and_a_stale_screen_is_not_acted_on() -> None:
    session, backend = elsewhere_session(armed=True)

    async def play(here: Here) -> None:
        await here.press("enter")
        await here.until(lambda: len(session.log) == 1 and session.advice is not None)
        assert backend.state() == session.state
        here.app._watcher._every = 30.0
        await here.pilot.pause(0.05)
        backend.apply(Action("discard", cards=[0, 1]))
        await here.press("enter")
        await here.until(lambda: "Somebody else has moved" in here.text())
        assert len(session.log) == 1

    on_screen(session, play, (100, 40), PlayedElsewhere(0.01, acts=True))


def test_a_game_that_is_gone_ends_the_screen() -> None:
    session, backend = elsewhere_session(armed=False)

    async def play(here: Here) -> None:
        def gone() -> PublicState:
            raise OSError("gone")

        backend.look = gone  # type: ignore[method-assign]
        await here.until(lambda: here.app.ended_by is not None)

    assert isinstance(on_screen(session, play, elsewhere=PlayedElsewhere(0.01)).app.ended_by, OSError)


# --- Lessons ----------------------------------------------------------------------------------------------------------


def test_in_a_lesson_the_player_chooses_first() -> None:
    session = session_of(lesson=LessonLog())

    async def play(here: Here) -> None:
        text = here.text()
        assert "Your turn: choose first" in text
        assert "refuse" not in text
        assert "180" not in text
        await here.press("n", "a", "b", "2")
        await here.type("hint")
        assert "In a lesson you choose first" in here.text()
        assert session.state.hands_left == 4
        await here.press("enter", "colon", *"p 3", "enter")
        await here.advised()
        text = " ".join(here.text().split())
        assert "You chose: play 7♦." in text
        assert "The agent would have chosen: play K♠ K♥. Your choice gives up" in text
        await here.type("undo")
        await here.advised()
        await here.type("p 1 2")
        await here.advised()
        assert "The agent would have done the same." in here.text()

    on_screen(session, play, (100, 40))
    assert session.lesson
    assert [one.same for one in session.lesson.compared] == [False]  # a state counts once


class Slow:
    """Thinks until it is told to stop."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked = 0

    def act(self, state: PublicState) -> Decision:
        self.asked += 1
        assert self.go.wait(20)
        return Decision(next(action for action in state.legal_actions() if action.kind == "play"))


def test_the_screen_does_not_wait_for_the_agent() -> None:
    backend = SimBackend()
    backend.load(HAND.build().save())
    slow = Slow()
    session = Session(RunInPlay(backend), Seat(slow, "slow"))

    async def run() -> None:
        app = AssistantApp(session, 0.0)
        async with app.run_test(size=(80, 24)) as pilot:
            here = Here(session, pilot)
            await here.press("enter", "n")
            assert "slow is thinking" in here.text()
            assert "The agent is still thinking." in here.text()
            await here.type("d 3")  # the player does not wait
            await here.type("d 3")
            assert len(session.log) == 2
            slow.go.set()
            await here.advised()
            assert session.advice
            assert session.advice.state == session.state  # what was asked before is out of date
        assert slow.asked == 2  # the state in between was over before anybody looked at it

    asyncio.run(run())


def test_an_agent_that_fails_leaves_the_game_to_the_player() -> None:
    class Breaks:
        def act(self, _state: PublicState) -> Decision:
            raise KeyError("gone")

    backend = SimBackend()
    backend.load(HAND.build().save())
    session = Session(RunInPlay(backend), Seat(Breaks(), "breaks"))

    async def run() -> None:
        async with AssistantApp(session, 0.0).run_test(size=(80, 24)) as pilot:
            here = Here(session, pilot)
            await here.until(lambda: "The agent failed" in here.text())
            assert "KeyError: 'gone'" in here.text().replace("&#x27;", "'")
            await here.type("p 1 2")
            assert session.log[0].words == "play K♠ K♥"

    asyncio.run(run())


class Full(Observer):
    def happened(self, moment: Moment) -> None:
        raise RecordStopped("No space left on device")


def test_what_ends_it_is_known() -> None:
    async def interrupt(here: Here) -> None:
        await here.press("ctrl+c")

    async def interrupt_window(here: Here) -> None:
        await here.press("question_mark", "ctrl+c")

    async def step(here: Here) -> None:
        await here.press("enter")

    async def leave(here: Here) -> None:
        await here.press("q")

    assert isinstance(on_screen(session_of(), interrupt).app.ended_by, KeyboardInterrupt)
    assert isinstance(on_screen(session_of(), interrupt_window).app.ended_by, KeyboardInterrupt)
    assert isinstance(on_screen(session_of(HAND, "greedy", Full()), step).app.ended_by, RecordStopped)
    assert on_screen(session_of(), leave).app.ended_by is None
