"""Lost runs for people: how many are in each bucket, which could have been saved, and what has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from jimbo.engine.catalog import BLINDS
from jimbo.eval.mining import BUCKETS, MISPLAYED, WIN, BucketDelta, LostRun, Mined
from jimbo.eval.statistics import wilson
from jimbo.eval.summary import agent_label
from jimbo.report.sections import UNKNOWN, CommandText, Document, Folded, Section, TextTable, share_text
from jimbo.text import counted, game_text, money_text, percent_text

_SHOWN = 8
"""Runs that are listed on a screen."""


def mining_report(mined: Mined, changes: Mapping[str, BucketDelta] | None) -> Document:
    settings, games = mined.evaluation.settings, len(mined.evaluation.episodes)
    where = game_text(settings.deck, settings.stake, settings.challenge)
    lost = counted(len(mined.failures), "lost run")
    sections = [Section("", parts=[_buckets(mined), *_remarks(mined)])]
    if changes:
        sections.append(Section("What has changed", parts=[_changes(changes)]))
    worst = sorted((one for one in mined.failures if one.misplay), key=lambda one: -_regret(one))
    if worst:
        heads = ("seed", "ante", "lost to", "given away", "saved", "step")
        table = TextTable(heads, [_misplay(one) for one in worst[:_SHOWN]])
        sections.append(Section("Hands that gave most away", parts=[table, *(one.watch for one in worst[:1])]))
    all_heads = ("seed", "bucket", "causes", "ante", "lost to", "entered at", "money", "given away", "to watch it")
    runs = Folded("All lost runs", [TextTable(all_heads, [_line(one) for one in mined.failures])])
    sections.append(Section("", parts=[runs], where="page"))
    return Document(f"{agent_label(settings)}: {lost} of {games}, {where}", sections=sections)


def _buckets(mined: Mined) -> TextTable:
    games = len(mined.evaluation.episodes)
    lines = []
    for bucket, count in mined.counts.items():
        inside = [one for one in mined.failures if one.bucket == bucket]
        ante = f"{median(one.ante for one in inside):g}" if inside else UNKNOWN
        lines.append((bucket, f"{count}", share_text(count / games, wilson(count, games)), ante, BUCKETS[bucket]))
    heads = ("bucket", "runs", "share", "ante", "meaning")
    return TextTable(heads, lines, left=True)


def _remarks(mined: Mined) -> Iterator[str]:
    looked = [one for one in mined.failures if one.entered is not None]
    saved = sum(one.bucket == MISPLAYED for one in looked)
    if looked:
        of = counted(len(looked), "lost run")
        yield f"{saved} of {of} would have gone on if the last blind had been played better."
    if missing := sum(
        one.entered is None and one.bucket not in (WIN, "other", "phase_stall") for one in mined.failures
    ):
        yield f"{counted(missing, 'run')} went another way when played again, so that no hand of theirs was looked at."


def _changes(changes: Mapping[str, BucketDelta]) -> TextTable:
    lines = []
    for bucket, change in changes.items():
        low, high = change.delta_ci95 or (None, None)
        interval = f"{100 * low:+.1f} to {100 * high:+.1f}" if low is not None and high is not None else UNKNOWN
        shares = percent_text(change.share), percent_text(change.other)
        lines.append((bucket, *shares, f"{100 * change.delta:+.1f} points", interval))
    return TextTable(("bucket", "now", "before", "difference", "95 %"), lines)


def _regret(failure: LostRun) -> float:
    return failure.misplay.regret if failure.misplay else 0.0


def _misplay(failure: LostRun) -> tuple[str, ...]:
    assert failure.misplay
    saved = "yes" if failure.misplay.saved else "no"
    lost_to = BLINDS[failure.blind].name
    return failure.seed, f"{failure.ante}", lost_to, percent_text(_regret(failure)), saved, f"{failure.misplay.step}"


def _line(failure: LostRun) -> tuple[str, ...]:
    return (
        failure.seed,
        failure.bucket,
        ", ".join(failure.causes),
        f"{failure.ante}",
        BLINDS[failure.blind].name if failure.blind else UNKNOWN,
        UNKNOWN if failure.clear is None else percent_text(failure.clear),
        UNKNOWN if failure.money is None else money_text(failure.money),
        percent_text(failure.misplay.regret) if failure.misplay else UNKNOWN,
        CommandText(failure.watch),
    )
