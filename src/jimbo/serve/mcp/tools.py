"""The tools of play: each takes a run by its handle and answers from what its player may know, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Annotated, Any, Literal

from anyio import from_thread
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from jimbo.engine import Phase, PublicState
from jimbo.files import finite
from jimbo.serve.assistant.advice import Suggestion
from jimbo.serve.assistant.scoring import Scored, score_selection
from jimbo.serve.game import BadInput, told
from jimbo.serve.mcp.answers import (
    AdvisedAnswer,
    AdvisedOption,
    Done,
    ExplainedItem,
    Look,
    ReviewedRun,
    ScoredAnswer,
    Tried,
)
from jimbo.serve.mcp.arguments import Name, Progress, RunArg, RunReviewer
from jimbo.serve.mcp.board_app import drawn
from jimbo.serve.mcp.catalogue import explained
from jimbo.serve.mcp.runs import HeldRun, NewRun, Runs, news
from jimbo.serve.mcp.trying import Trial, try_line
from jimbo.serve.mcp.view import brief, full, possible, where
from jimbo.serve.terminal.input import read_action, typed
from jimbo.serve.terminal.scoring import cards_of, judgement
from jimbo.text import action_words, chance_text, money_text, number_text, percent_text

MOST_ACTIONS = 12
MOST_CARDS = 20
MOST_OPTIONS = 9
MOST_WORST = 10
MOST_POSITION = 4_000
MOST_STEPS = 40
"""Lines of a score that are told; retriggers make hundreds."""


class Tools:
    """The tools of play, in the order in which clients list them."""

    def __init__(self, runs: Runs, reviewer: RunReviewer) -> None:
        self._runs, self._reviewer = runs, reviewer

    def new_run(
        self,
        context: Context[Any, Any],
        deck: Annotated[Name, Field(description="such as red; the default")] = "",
        stake: Annotated[Name, Field(description="white (the default) to gold")] = "",
        seed: Annotated[Name, Field(description="such as 7LB2WVPK; default: random")] = "",
        challenge: Annotated[Name, Field(description="a challenge in place of a deck, such as omelette")] = "",
        position: Annotated[
            str,
            Field(
                max_length=MOST_POSITION,
                description="begin in the middle, as in: hand: As Kd Qh 10c 2s; jokers: Blueprint, Joker; ante: 2",
            ),
        ] = "",
    ) -> Annotated[CallToolResult, Look]:
        """Start a run of Balatro and look at it. Every other tool takes its handle."""
        run = self._runs.start(NewRun(deck, stake, seed, challenge, position))
        return Look(**_look(run)).result(_drawn(context, run))

    def look(
        self,
        run: RunArg,
        context: Context[Any, Any],
        detail: Annotated[
            Literal["brief", "full"], Field(description="full adds what everything does, hand levels and the deck")
        ] = "brief",
    ) -> Annotated[CallToolResult, Look]:
        """See a run: what is on the table, and on the last line what can be done, written as act takes it."""
        with self._runs.use(run) as held:
            held.look()
            return Look(**_look(held, full if detail == "full" else brief)).result(_drawn(context, held))

    def act(
        self,
        run: RunArg,
        token: Annotated[Name, Field(description="token of the state that the action is meant for")],
        action: Annotated[Name, Field(description="such as play 1 2 5, discard 3, buy b1, use c1 2, sell j1, next")],
        context: Context[Any, Any],
    ) -> Annotated[CallToolResult, Done]:
        """Take one action, for good. After an error or a lost answer look again: nothing is ever repeated by itself."""
        with self._runs.use(run) as held:
            moment = held.act(token, lambda state: read_action(action, state))
            did = action_words(moment.decision.action, moment.before)
            return Done(**_look(held), did=did, events=news(told(moment))).result(_drawn(context, held))

    def advise(
        self, run: RunArg, top: Annotated[int, Field(ge=1, le=MOST_OPTIONS, description="how many options")] = 3
    ) -> Annotated[CallToolResult, AdvisedAnswer]:
        """Ask the engine's agent: the best actions with the chance to clear the blind or the change of the chance to
        win, and why. The first is what it would do."""
        with self._runs.use(run) as held:
            held.look()
            advice = held.session.ask()
            options = [_option(one, advice.measure) for one in islice(advice.suggestions, top)]
            note = "" if options else "The run is over; there is nothing to decide."
            return AdvisedAnswer(
                run=run,
                token=held.token,
                where=where(held.state),
                agent=advice.agent,
                win=advice.win,
                options=options,
                note=note,
            ).result()

    def score(
        self,
        run: RunArg,
        cards: Annotated[
            list[Annotated[int, Field(ge=1, le=99)]],
            Field(min_length=1, max_length=MOST_CARDS, description="places in the hand, from 1"),
        ],
        context: Context[Any, Any],
    ) -> Annotated[CallToolResult, ScoredAnswer]:
        """Work out exactly what a play would score, step by step, without playing it. Cards score in the order of the
        hand. Also named: the best play, and better orders of jokers and cards."""
        with self._runs.use(run) as held:
            state = held.look()
            played = read_action(f"play {' '.join(map(str, cards))}", state)
            scored = score_selection(state, played.cards)
            return _scored(held, scored).result(_drawn(context, held, scored))

    def what_if(
        self,
        run: RunArg,
        actions: Annotated[
            list[Name], Field(min_length=1, max_length=MOST_ACTIONS, description="one after the other, as for act")
        ],
    ) -> Annotated[CallToolResult, Tried]:
        """Try a line of actions without taking it: chances, money and score after it, over worlds that look like this
        one. What a draw or a shop brings is drawn anew in each, so cards after a draw differ from world to world."""
        with self._runs.use(run) as held:
            state = held.look()
            if state.over:
                raise BadInput("The run is over; there is nothing to try.")
            decision = held.session.ask().decision
            assert decision
            trial = try_line(state, actions, held.trier, decision)
            return Tried(
                run=run,
                token=held.token,
                tried=list(actions),
                worlds=len(trial.worlds),
                certain=trial.certain,
                win=trial.chance("win")[0],
                win_now=trial.now.win,
                clear=trial.chance("clear")[0],
                clear_now=trial.now.clear,
                view=_after(trial) if trial.certain else [],
                notes=list(_notes(trial)),
            ).result()

    def review(
        self,
        run: Annotated[Name, Field(description="handle of a run, or the name of a record of this server")],
        context: Context[Any, Any],
        top: Annotated[int, Field(ge=0, le=MOST_WORST, description="how many of the worst decisions")] = 3,
    ) -> Annotated[CallToolResult, ReviewedRun]:
        """Review what was done in a run so far: what the choices gave up, what was luck, and the worst decisions with
        what was better and why. A long run takes several calls."""
        played, in_play = self._reviewer.recorded(run), False
        if played is None:
            with self._runs.use(run, records=self._reviewer.records()) as held:
                held.look()
                played, in_play = held.played(), not held.session.ended
        return self._reviewer.review(run, played, top, _progress(context), in_play=in_play).result()

    def explain(
        self, item: Annotated[Name, Field(description="a name or a key, such as Blueprint, j_blueprint or flush")]
    ) -> Annotated[CallToolResult, ExplainedItem]:
        """Say what a joker, card, voucher, pack, tag, blind, hand, deck, stake, edition, seal, sticker or challenge
        does; of rules, the rules in short and how actions are written."""
        return ExplainedItem(items=explained(item)).result()


# --- Parts of answers -------------------------------------------------------------------------------------------------


def _look(run: HeldRun, view: Callable[[PublicState], list[str]] = brief) -> dict[str, Any]:
    state = run.state
    return {
        "run": run.handle,
        "token": run.token,
        "where": where(state),
        "phase": state.phase.value,
        "ante": state.ante,
        "money": state.dollars,
        "score": finite(state.chips),
        "target": finite(state.blind.target),
        "hands": state.hands_left,
        "discards": state.discards_left,
        "won": state.won,
        "over": state.over,
        "view": [*view(state), *(f"warning: {one}" for one in run.warnings())],
        "actions": possible(state),
        "seed": run.seed,
    }


def _drawn(context: Context[Any, Any], run: HeldRun, scored: Scored | None = None) -> dict[str, Any] | None:
    return drawn(context, run.state, run.seed, armed=run.armed, scored=scored)


def _option(one: Suggestion, measure: str) -> AdvisedOption:
    expected = one.expected.replace(" (what it adds to the chance to win)", " to the chance to win")
    clear = chance_text(one.clear, one.clear_error) if one.clear is not None else ""
    if clear and clear not in expected:
        expected = f"{expected}; {clear} to clear the blind" if expected else f"{clear} to clear the blind"
    return AdvisedOption(
        action=typed(one.action),
        words=one.words,
        then=one.then,
        clear=one.clear,
        win_change=one.value if measure == "win" else None,
        expected=expected,
        reason=one.reason,
    )


def _progress(context: Context[Any, Any]) -> Progress:
    """Tell the client from the thread that the tool runs in; the review ends there if the client has given up."""

    def tell(done: int, total: int) -> None:
        from_thread.check_cancelled()
        from_thread.run(context.report_progress, float(done), float(total))

    return tell


def _scored(run: HeldRun, scored: Scored) -> ScoredAnswer:
    state, score = run.state, scored.score
    beats, *notes = (line.plain for line in judgement(state, scored))
    steps = [str(line) for line in score.told]
    if len(steps) > MOST_STEPS:
        half = MOST_STEPS // 2
        steps = [*steps[:half], f"... {len(steps) - 2 * half} more ...", *steps[-half:]]
    return ScoredAnswer(
        run=run.handle,
        token=run.token,
        cards=cards_of(state, scored),
        hand=score.hand,
        expected=finite(scored.mean),
        least=finite(score.least),
        most=finite(score.most),
        needed=finite(score.needed),
        chance=scored.beats,
        beats=beats,
        steps=steps,
        notes=notes,
    )


def _after(trial: Trial) -> list[str]:
    state = trial.worlds[0].state
    return [f"after it: {where(state)}", *brief(state)]


def _notes(trial: Trial) -> Sequence[str]:
    worlds = trial.worlds
    notes = []
    for name, what in (("win", "chance to win"), ("clear", "chance to clear the blind")):
        (after, error), now = trial.chance(name), getattr(trial.now, name)
        if after is not None:
            before = f", before it {percent_text(now)}" if now is not None else ""
            notes.append(f"{what} after it {chance_text(after, None if trial.certain else error)}{before}")
    if trial.certain:
        return [*notes, "certain: no chance is involved"]
    notes.append(f"by chance: the mean of {len(worlds)} worlds")
    if stopped := [world for world in worlds if world.stopped]:
        first = stopped[0]
        notes.append(f"in {len(stopped)} of them action {first.step} was not possible: {first.stopped}")
    notes.append(f"money after it: {_range([world.state.dollars for world in worlds], money_text)}")
    if all(world.state.phase == Phase.selecting_hand for world in worlds):
        notes.append(f"score after it: {_range([world.state.chips for world in worlds], number_text)}")
    return notes


def _range(values: Sequence[float], text: Callable[[float], str]) -> str:
    low, high = min(values), max(values)
    return text(low) if low == high else f"{text(low)} to {text(high)}"
