"""Agents of other authors: found, made, and completed where they say little."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jimbo.agents import BareAgent, Considered, Decision, agent_names, agent_options, make_agent
from jimbo.agents.protocol import Seat
from jimbo.agents.registry import BUILT_IN, agent_folder, agent_source, known_agents
from jimbo.backends import SimBackend
from jimbo.engine import Action
from jimbo.eval import play_episode

Write = Callable[[str, str], Path]

AGENTS = '''
import sys
from dataclasses import dataclass
from typing import Literal

from jimbo.declared import Declared, declared

class First:
    """Takes whatever comes first."""
    def act(self, state):
        return state.legal_actions()[0]

class Told:
    """Can be told things."""
    @dataclass(frozen=True)
    class Options(Declared):
        depth: int = declared(3, "how deep it looks", min=1, max=9)
        mood: Literal["bold", "shy"] = "shy"
        weights: tuple[float, ...] = ()
    def __init__(self, options):
        self.options = options
    def act(self, state):
        return state.legal_actions()[0]

class Needy(First):
    @dataclass(frozen=True)
    class Options(Declared):
        depth: int = declared(help="how deep it looks")
    def __init__(self, options): ...

class Outer:
    class Inner(First): ...

class Silent: ...
class WithArguments(First):
    def __init__(self, depth): ...
class IgnoresOptions(First):
    Options = Told.Options
class Lists(First):
    @dataclass(frozen=True)
    class Options(Declared):
        sizes: set[int] | None = None
class PlainOptions(First):
    Options = dict
class Undecorated(First):
    class Options(Declared):
        depth: int = 3
class Unresolved(First):
    @dataclass(frozen=True)
    class Options(Declared):
        depth: "Deep" = None
class Breaks(First):
    def __init__(self): {}["model"]
class Refuses(First):
    def __init__(self): raise ValueError("There is no model. Train one.")
class Leaves(First):
    def __init__(self): sys.exit(3)
made = First()
'''


@pytest.fixture
def bots(write: Write) -> Path:
    return write("bots.py", AGENTS)


# --- Finding and making -----------------------------------------------------------------------------------------------


def test_agents_are_loaded_when_they_are_asked_for() -> None:
    code = "import jimbo.agents.registry, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    places = {place.partition(":")[0] for place in BUILT_IN.values()}
    assert "jimbo.agents.registry" in loaded
    assert not places & set(loaded)


@pytest.mark.parametrize(("name", "place"), BUILT_IN.items())
def test_built_in_agents_are_classes_like_any_other(name: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "no-real-one")
    assert repr(make_agent(place)) == repr(make_agent(name))
    assert agent_options(place) is agent_options(name)
    assert (make_agent(name).name, make_agent(place).name) == (name, place)


def test_a_class_is_an_agent(bots: Path) -> None:
    agent = make_agent("bots:First")
    assert (agent.name, agent.clairvoyant) == ("bots:First", False)
    row = play_episode(agent, SimBackend(), seed="TESTSEED")
    assert (row.agent, row.result, row.error) == ("bots:First", "loss", None)
    assert make_agent("bots:Outer.Inner").name == "bots:Outer.Inner"
    assert agent_folder("bots:First") == bots.parent


def test_a_module_in_a_package(write: Write) -> None:
    write("mybots/__init__.py", "from mybots.first import First\n")
    write("mybots/first.py", "class First:\n    def act(self, state):\n        return state.legal_actions()[0]\n")
    for name in ("mybots:First", "mybots.first:First"):
        assert play_episode(make_agent(name), SimBackend(), seed="TESTSEED").error is None
    assert agent_source("mybots:First")["source_hash"] == agent_source("mybots.first:First")["source_hash"]


def test_options_reach_the_agent(bots: Path) -> None:
    given = make_agent("bots:Told", depth=5, mood="bold", weights=[1, 2.5])._agent.options  # type: ignore[attr-defined]
    assert (given.depth, given.mood, given.weights) == (5, "bold", (1.0, 2.5))
    default = make_agent("bots:Told")._agent.options  # type: ignore[attr-defined]
    assert (default.depth, default.mood, default.weights) == (3, "shy", ())
    make_agent("bots:Needy", depth=1)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("nobots:First", {}, "There is no module nobots in the current folder or among the installed packages. Change"),
        ("bots.deep:First", {}, "There is no module bots.deep in the current folder"),
        ("bots:Last", {}, "The module bots has no class Last. It has First, Told, Needy, WithArguments, Ign"),
        ("bots:Outer.Last", {}, "The module bots has no class Outer.Last. It has First"),
        ("bots:made", {}, "bots:made is not a class, but of type First. Name the class of the agent."),
        ("bots:Silent", {}, "The class bots:Silent is not an agent: give it a method act(self, state)."),
        ("bots:", {}, '"bots:" does not name a class. Write package.module:Class.'),
        (":First", {}, '":First" does not name a class. Write package.module:Class.'),
        ("my bots:First", {}, '"my bots:First" does not name a class. Write package.module:Class.'),
        ("bots:A:B", {}, '"bots:A:B" does not name a class.'),
        ("bots.py:First", {}, '"bots.py:First" does not name a class. Write the module as Python imports it: bots:Fi'),
        ("./my/bots.py:First", {}, "Write the module as Python imports it: my.bots:First."),
        (
            "bots",
            {},
            'There is no agent "bots". Choose one of random, greedy, expert, fast, risk_aware, network, claude, llm,',
        ),
        ("bots:First", {"depth": 1}, "The agent bots:First has no options, so depth cannot be given."),
        ("bots:Told", {"dept": 1}, "The agent bots:Told has no option dept. Its options are depth, mood, weights."),
        ("bots:Told", {"depth": 10}, "The agent bots:Told cannot be made: depth must be a whole number from 1 to 9, n"),
        ("bots:Told", {"mood": "sad"}, 'cannot be made: mood must be one of bold, shy, not "sad".'),
        ("bots:Told", {"weights": ["x"]}, 'weights[0] must be a number, not "x".'),
        ("bots:Needy", {}, "The agent bots:Needy must be given the option depth: --set depth=VALUE."),
        ("bots:WithArguments", {}, "WithArguments.__init__ must take no arguments unless the class declares Options."),
        ("bots:IgnoresOptions", {}, "IgnoresOptions.__init__ must take its options as the only argument."),
        ("bots:Lists", {}, "Lists.Options cannot be used: sizes cannot have the type set[int] | None. It can be bool"),
        ("bots:PlainOptions", {}, "PlainOptions.Options must be a dataclass that derives from jimbo.declared.Declared"),
        ("bots:Undecorated", {}, "Undecorated.Options must be a dataclass that derives from jimbo.declared.Declared."),
        ("bots:Unresolved", {}, "Unresolved.Options cannot be used: the types of its fields cannot be read: NameErro"),
        ("bots:Refuses", {}, "The agent bots:Refuses cannot be made: There is no model. Train one."),
        ("bots:Leaves", {}, "The agent bots:Leaves cannot be made: it ended itself with sys.exit(3)."),
    ],
)
@pytest.mark.usefixtures("bots")
def test_what_is_no_agent_is_refused_with_advice(name: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as raised:
        make_agent(name, **options)
    assert sentence in str(raised.value)


def test_a_constructor_that_fails_is_told_with_its_line(bots: Path) -> None:
    with pytest.raises(ValueError, match=r"\S") as raised:
        make_agent("bots:Breaks")
    line = 1 + AGENTS[: AGENTS.index('{}["model"]')].count("\n")
    assert str(raised.value) == f"The agent bots:Breaks cannot be made: KeyError: 'model' ({bots}, line {line})."


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("import no_such_library", "it needs no_such_library, which cannot be found. Install it."),
        ("x = = 1", "SyntaxError: invalid syntax (FILE, line 1)."),
        ("\n1 / 0", "ZeroDivisionError: division by zero (FILE, line 2)."),
        ("import sys; sys.exit()", "it ended itself with sys.exit()."),
        ("import os; os._exit(9)", "it ended itself with os._exit(9)."),
        ("raise BaseException('over')", "BaseException: over (FILE, line 1)."),
        (
            "class Dumb(Exception):\n    def __str__(self): raise ValueError\nraise Dumb",
            "Dumb (FILE, line 3).",
        ),
        ("raise RuntimeError('two\\nlines')", "RuntimeError: two lines (FILE, line 1)."),
    ],
)
def test_a_module_that_fails_is_told_with_its_line(write: Write, code: str, sentence: str) -> None:
    path = write("broken.py", code)
    with pytest.raises(ValueError, match=r"\S") as raised:
        make_agent("broken:First")
    assert str(raised.value) == f"The module broken cannot be imported: {sentence.replace('FILE', str(path))}"


# --- What authors may leave out ---------------------------------------------------------------------------------------


class Bare:
    """An agent of the least that is needed, which answers what it is told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, state: Any) -> Any:
        return self.answer


BLIND = Action("select_blind")


def error_of(agent: BareAgent) -> str | None:
    return play_episode(Seat(agent, "bare"), SimBackend(), seed="TESTSEED").error


def test_an_action_is_a_decision_without_reasons() -> None:
    state = SimBackend().reset(seed="TESTSEED")
    assert Seat(Bare(BLIND), "bare").act(state) == Decision(BLIND)
    decision = Decision(BLIND, (Considered(BLIND, float("inf"), ""),), "so be it", measure="score")
    assert Seat(Bare(decision), "bare").act(state) is decision


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, "act must return an Action or a Decision, not None"),
        ("select_blind", 'act must return an Action or a Decision, not "select_blind"'),
        (Decision(None), "action of a Decision must be an Action, not None"),  # type: ignore[arg-type]
        (Decision(BLIND, explanation=5), "explanation of a Decision must be a text, not 5"),  # type: ignore[arg-type]
        (Decision(BLIND, seconds="1"), 'seconds of a Decision must be a number, not "1"'),  # type: ignore[arg-type]
        (Decision(BLIND, BLIND), "considered of a Decision must be a tuple, not Action('select_blind')"),  # type: ignore[arg-type]
        (Decision(BLIND, (BLIND,)), "considered of a Decision must hold Considered actions, not Action("),  # type: ignore[arg-type]
        (Decision(BLIND, measure="hope"), "measure of a Decision must be one of value, score, clear, win"),  # type: ignore[arg-type]
        (Decision(BLIND, (Considered(BLIND, None, ""),)), "value of a Considered must be a number, not None"),  # type: ignore[arg-type]
        (Decision(BLIND, (Considered(BLIND, 1, 2),)), "text of a Considered must be a text, not 2"),  # type: ignore[arg-type]
        (Decision(BLIND, (Considered(BLIND, 1, "", "x"),)), 'clear of a Considered must be a number, not "x"'),  # type: ignore[arg-type]
        (Decision(BLIND, win=float("nan")), "win of a Decision must be a chance between 0 and 1, not nan"),
        (Decision(BLIND, win=7.0), "win of a Decision must be a chance between 0 and 1, not 7.0"),
        (Decision(BLIND, (Considered(BLIND, 1, "", -0.1),)), "clear of a Considered must be a chance between 0 and 1"),
    ],
)
def test_an_answer_that_cannot_be_shown_or_recorded_loses_the_run(answer: Any, sentence: str) -> None:
    error = error_of(Bare(answer))
    assert error is not None
    assert error.startswith(f"TypeError: {sentence}")


def test_an_agent_that_exits_loses_one_run_and_ends_nothing() -> None:
    class Exits:
        def act(self, state: Any) -> Action:
            sys.exit("enough")

    assert error_of(Exits()) == "RuntimeError: the agent called sys.exit('enough')"


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("nothing to say")

    __repr__ = __str__


class Final(BaseException):
    pass


@pytest.mark.parametrize(
    ("end", "error"),
    [
        (lambda: os._exit(9), "RuntimeError: the agent called os._exit(9)"),
        (lambda: throw(Final("enough")), "RuntimeError: the agent raised Final: enough"),
        (lambda: throw(GeneratorExit()), "RuntimeError: the agent raised GeneratorExit"),
        (lambda: throw(Unprintable()), "Unprintable"),
        (lambda: sys.exit(Unprintable()), "RuntimeError: the agent called sys.exit(...)"),
    ],
)
def test_an_agent_cannot_end_what_it_plays_in(end: Callable[[], Any], error: str) -> None:
    class Ends:
        def act(self, state: Any) -> Any:
            return end()

    assert error_of(Ends()) == error


def throw(error: BaseException) -> None:
    raise error


def test_what_an_agent_starts_may_end(tmp_path: Path) -> None:
    class Forks(Bare):
        def act(self, state: Any) -> Action:
            if (child := os.fork()) == 0:
                os._exit(5)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
            return super().act(state)

    assert error_of(Forks(BLIND)) != "AssertionError"


def test_an_interrupt_is_not_the_agents_own() -> None:
    class Interrupted:
        def act(self, state: Any) -> Action:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        error_of(Interrupted())


def test_a_reset_that_fails_loses_the_run() -> None:
    class Forgetful(Bare):
        def reset(self, nonce: int) -> None:
            raise OSError("no memory")

    assert error_of(Forgetful(BLIND)) == "OSError: no memory"


def test_a_new_run_is_told_once_and_before_anything_else() -> None:
    class Listens:
        heard: tuple[Any, ...] = ()

        def reset(self, nonce: int) -> None:
            self.heard += (nonce,)

        def act(self, state: Any) -> Any:
            self.heard += (state.phase,)
            return state.legal_actions()[0]

    agent = Listens()
    seat = Seat(agent, "listens")
    for nonce in (7, 8):
        play_episode(seat, SimBackend(), seed="TESTSEED", nonce=nonce, max_steps=2)
    assert agent.heard == (7, "blind_select", "selecting_hand", 8, "blind_select", "selecting_hand")


def test_an_agent_may_say_that_it_cheats() -> None:
    class Cheats(Bare):
        clairvoyant = True

    assert Seat(Cheats(BLIND), "cheats").clairvoyant
    assert not Seat(Bare(BLIND), "bare").clairvoyant


# --- Installed packages -----------------------------------------------------------------------------------------------


def test_an_installed_package_names_its_agents(bots: Path, install: Callable[..., None]) -> None:
    install("my-bots", "1.2", first="bots:First", told="bots:Told [extra]")
    assert agent_names() == (*BUILT_IN, "first", "told")
    assert make_agent("told", depth=2).name == "told"
    source = agent_source("first")
    assert (source["class"], source["package"]) == ("bots:First", "my-bots 1.2")
    assert re.fullmatch("[0-9a-f]{16}", source["source_hash"])
    assert agent_folder("first") is None


def test_a_package_that_cannot_be_loaded_stops_no_other(bots: Path, install: Callable[..., None]) -> None:
    install("my-bots", first="bots:First", broken="no_bots:First", odd="bots")
    assert agent_names() == (*BUILT_IN, "broken", "first", "odd")
    make_agent("first")
    for name, sentence in (
        ("broken", "The agent broken, which my-bots 1.0 brings, cannot be used. There is no module no_bots in the"),
        ("odd", 'The agent odd, which my-bots 1.0 brings, cannot be used. "bots" does not name a class. Write pack'),
    ):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            make_agent(name)


def test_names_that_clash_are_told(bots: Path, install: Callable[..., None]) -> None:
    install("my-bots", first="bots:First", greedy="bots:First", both="bots:First")
    install("your-bots", "2.0", both="bots:Told", **{"a b": "bots:First"})
    names, troubles = known_agents()
    assert [agent.name for agent in names] == [*BUILT_IN, "first"]
    assert troubles == [
        'The name "a b", by your-bots 2.0, is not made of letters, digits and _.- alone. Use --agent bots:First.',
        "my-bots 1.0 and your-bots 2.0 both bring an agent both. Use --agent bots:First or bots:Told.",
        "my-bots 1.0 brings an agent greedy, too, but that name means the built-in one. Use --agent bots:First.",
    ]
    assert repr(make_agent("greedy")) == "<GreedyAgent>"
    with pytest.raises(ValueError, match=r"my-bots 1\.0 and your-bots 2\.0 both bring an agent both"):
        make_agent("both")
    with pytest.raises(ValueError, match=r'"a b", by your-bots'):
        make_agent("a b")


def test_the_same_package_found_twice_is_no_clash(bots: Path, install: Callable[..., None]) -> None:
    install("my-bots", first="bots:First")
    sys.path.append(f"{bots.parent}/.")
    assert agent_names() == (*BUILT_IN, "first")
    make_agent("first")
