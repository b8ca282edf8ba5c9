"""A review as a document of the one kind: a terminal shows it, and it makes a page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from statistics import fmean

from jimbo.data.record import versions
from jimbo.report.sections import Document, Headline, Html, Section, TextTable
from jimbo.report.svg import Axis, Drawing, Tick, TimelineMoment, share_axis, timeline
from jimbo.serve.review.review import Review, Reviewed
from jimbo.serve.review.telling import (
    NOTHING,
    Explained,
    better_words,
    done_words,
    grades_text,
    is_move,
    luck_text,
    result_text,
    share_text,
    summary,
    where,
)
from jimbo.text import counted, game_text, percent_text, points_text

_WIDE, _HIGH = 64, 6
"""Columns and rows of the chart in a terminal."""
_TOPS = (0.1, 0.2, 0.5, 1.0)
"""Where its scale may end."""
MARKED = 0.02
"""From which share of a chance given up a decision is marked."""
_KEYS = "j and k, or the arrows right and left, go from decision to decision, n and p from loss to loss."
_SCRIPT = """
const rows = [...document.querySelectorAll("[data-step]")], lost = rows.filter(row => row.dataset.lost);
const go = (list, by) => {
  const here = rows.findIndex(row => "#" + row.id === location.hash);
  const left = list.filter(row => by > 0 ? rows.indexOf(row) > here : here >= 0 && rows.indexOf(row) < here);
  const next = by > 0 ? left[0] : left[left.length - 1];
  if (next) { location.hash = next.id; next.scrollIntoView({ block: "center" }); }
};
const keys = { j: [rows, 1], ArrowRight: [rows, 1], k: [rows, -1], ArrowLeft: [rows, -1], n: [lost, 1], p: [lost, -1] };
document.addEventListener("keydown", event => {
  const found = !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];
  if (found) { event.preventDefault(); go(...found); }
});
"""


def review_document(review: Review, worst: Sequence[Explained]) -> Document:
    """Make the document; ``worst`` as ``explained`` returns them."""
    run, start = review.run, review.run.positions[0].state
    seed = run.seed and f"seed {run.seed}"
    about = (run.source, run.player, game_text(start.deck, start.stake, start.challenge), seed)
    stopped = [] if review.whole else [f"The first {_of(review)} are reviewed, because the review was stopped."]
    return Document(
        title="Review of a run",
        about=" · ".join(filter(None, about)),
        made_with=f"jimbo {versions()['jimbo']}, judged by {review.judge.agent} with effort {review.judge.effort:g}",
        notes=[*stopped, *run.notes],
        headlines=list(headlines(review)),
        sections=[
            Section("", parts=[TextTable(("", ""), [*summary(review)], left=True)], where="terminal"),
            Section("The chance to win", parts=[_chart(review)], where="terminal"),
            Section("The chance to win", _ABOUT_PLOT, [_plot(review)], where="page"),
            *(_worst_sections(worst) if worst or not review.given_up else ()),
            Section("Every decision", _KEYS, [_all(review)], where="page"),
        ],
        script=_SCRIPT,
    )


_ABOUT_PLOT = (
    "Before each decision, if the expert went on from there. A circle marks a choice that gave up 2 points or more; "
    "a click on it, or anywhere in the plot, leads to the decision."
)


def _of(review: Review) -> str:
    return f"{len(review.decisions)} of {counted(review.run.decisions, 'decision')}"


# --- The sums ---------------------------------------------------------------------------------------------------------


def headlines(review: Review) -> Iterator[Headline]:
    """The result, the accuracy, and how chance, choices and cards add up."""
    yield Headline("Result", result_text(review), [f"{counted(len(review.decisions), 'decision')}"])
    yield Headline("Accuracy", percent_text(review.accuracy), [grades_text(review)])
    yield Headline(
        "From start to end",
        f"{percent_text(review.start)} to {percent_text(review.end)}",
        [f"the choices gave up {share_text(review.given_up)}", luck_text(review)],
    )


# --- The chance, decision by decision ---------------------------------------------------------------------------------


def _course(review: Review) -> list[float]:
    return [*(one.win for one in review.decisions), review.end]


def _chart(review: Review) -> str:
    """Columns of the chance to win, with marks under those in which most was given up."""
    course = _course(review)
    width = min(_WIDE, len(course))
    top = next(top for top in _TOPS if max(course) <= top)
    columns = [course[at * len(course) // width : (at + 1) * len(course) // width] for at in range(width)]
    heights = [round(_HIGH * fmean(column) / top) for column in columns]
    labels = {_HIGH: top, _HIGH // 2: top / 2}
    rows = []
    for row in range(_HIGH, 0, -1):
        label = f"{100 * labels[row]:3.0f} %" if row in labels else ""
        rows.append(f"{label:<5} {''.join('█' if height >= row else ' ' for height in heights)}".rstrip())
    lost, antes = [0.0] * width, [" "] * width
    for place, one in reversed(list(enumerate(review.decisions))):
        column = min(width - 1, place * width // len(course))
        lost[column] += one.given_up
        antes[column] = f"{one.state.ante % 10}"
    shown = ("" if ante == before else ante for before, ante in pairwise(["", *antes]))
    rows += [f"  0 % {'─' * width}", f"ante  {''.join(ante or ' ' for ante in shown)}".rstrip()]
    marks = "".join("x" if given_up >= MARKED else " " for given_up in lost)
    return "\n".join([*rows, f"lost  {marks}".rstrip()] if marks.strip() else rows)


def _plot(review: Review) -> Drawing:
    end = len(review.decisions) + 1
    moments = [
        TimelineMoment(one.step, one.win, _hint(one), f"#d{one.step}", marked=one.given_up >= MARKED)
        for one in review.decisions
        if not is_move(one)
    ]
    moments.append(TimelineMoment(end, review.end, f"the end: {percent_text(review.end)}"))
    return timeline(moments, Axis(1, max(2, end), _antes(review), "decision"), share_axis("chance to win"))


def _antes(review: Review) -> list[Tick]:
    """Where each ante begins."""
    ticks, known = [], 0
    for one in review.decisions:
        if one.state.ante > known:
            known = one.state.ante
            ticks.append((float(one.step), f"ante {known}" if known == 1 else f"{known}"))
    return ticks


def _hint(one: Reviewed) -> str:
    gave_up = f", gave up {share_text(one.given_up)}" if one.given_up else ""
    return f"{one.step} · {where(one)} · {done_words(one)}: {percent_text(one.win)}{gave_up}"


# --- Decisions --------------------------------------------------------------------------------------------------------


def _worst_sections(worst: Sequence[Explained]) -> Iterator[Section]:
    if not worst:
        yield Section("The worst decisions", parts=["No decision gave anything up beyond the error of its estimate."])
        return
    title = "The worst decision" if len(worst) == 1 else f"The {counted(len(worst), 'worst decision')}"
    lines: list[tuple[str, str]] = []
    for told in worst:
        lines += [(f"{told.one.step}", f"{where(told.one)}: gave up {cost_words(told.one)}"), *_rows(told)]
    strong = [place for place, (name, _) in enumerate(lines) if name.isdigit()]
    yield Section(title, parts=[TextTable(("", ""), lines, left=True, strong=strong)], where="terminal")
    heads = ("", "where", "done", "better", "why", "gave up")
    cells = [
        (
            Html(f'<a href="#d{told.one.step}">{told.one.step}</a>'),
            where(told.one),
            f"{told.done}{f'. {told.own}' if told.own else ''}",
            told.better,
            told.reason,
            cost_words(told.one),
        )
        for told in worst
    ]
    yield Section(title, parts=[TextTable(heads, cells, wraps=True)], where="page")


def _rows(told: Explained) -> Iterator[tuple[str, str]]:
    yield "  done", f"{told.done}{f'  ({told.own})' if told.own else ''}"
    yield "  better", told.better
    if told.reason:
        yield "  why", told.reason


def cost_words(one: Reviewed) -> str:
    """``5.0 points +/- 0.6 of 62 %, a mistake``."""
    grade = f", {'an' if one.grade == 'inaccuracy' else 'a'} {one.grade}" if one.grade else ""
    return f"{share_text(one.given_up)} +/- {100 * one.error:.1f} of {percent_text(one.win)}{grade}"


def _all(review: Review) -> TextTable:
    """Every decision but those that only put cards in order, each with a name that links lead to."""
    lines = []
    for one in review.decisions:
        if is_move(one):
            continue
        lost = ' data-lost="1"' if one.given_up >= MARKED else ""
        lines.append(
            (
                Html(f'<a id="d{one.step}" data-step="{one.step}"{lost}>{one.step}</a>'),
                where(one),
                done_words(one),
                percent_text(one.win),
                share_text(one.given_up) if one.given_up else "",
                points_text(100 * one.luck) if abs(one.luck) >= NOTHING else "",
                better_words(one),
                Html(f"<b>{escape(one.grade)}</b>"),
            )
        )
    heads = ("", "where", "done", "chance to win", "gave up", "luck", "better", "")
    return TextTable(heads, lines, wraps=True)
