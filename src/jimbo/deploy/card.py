"""The card of a package, README.md: what it plays, how strong that is, how to check and run it. For people, and in the
form that hubs of models read."""

from __future__ import annotations

import json

from jimbo.deploy.contents import InferenceConfig, Metadata
from jimbo.deploy.layout import GOLDEN
from jimbo.eval.runner import Evaluation
from jimbo.eval.summary import summarize
from jimbo.report.evaluation import NUMBERS
from jimbo.text import counted, game_text

_SHOWN = ("games", "won", "win rate", "ante 1 cleared", "mean ante", "mean round", "ms per decision")
_COMMANDS = """jimbo package verify PACKAGE
jimbo package run PACKAGE --games 10
jimbo package run PACKAGE --serve
"""
_TAGS = ("balatro", "jimbo", "game-playing")


def card(metadata: Metadata, config: InferenceConfig, evaluation: Evaluation, *, signed: bool) -> str:
    """Return the page; it says nothing that the other files do not prove."""
    settings, summary = evaluation.settings, summarize(evaluation.episodes)
    place = game_text(settings.deck, settings.stake, settings.challenge)
    seeds = f"{counted(len(settings.seeds.seeds), 'seed')} of {settings.seeds.name}, version {settings.seeds.version}"
    options = "".join(f"\n- `{name}`: {json.dumps(value)}" for name, value in sorted(config.options.items()))
    models = "".join(f"\n- `{name}`: [{file}]({file})" for name, file in sorted(config.files.items()))
    numbers = "\n".join(f"| {name} | {' '.join(NUMBERS[name](summary).split())} |" for name in _SHOWN)
    there = metadata.compatibility
    parts = [
        _front_matter(metadata),
        f"# {metadata.package_id}",
        f"The agent `{config.agent}` of Jimbo (`jimbo-balatro`), an exact simulator of Balatro "
        f"{there.game_version}. It plays from public information alone.",
        f"Options:{options}{models}" if options or models else "It has no options.",
        "## How strong it is",
        f"{place}, {seeds}; intervals are 95 %. Times are those of the machine that measured.",
        f"| | |\n|---|---|\n{numbers}",
        "What it does elsewhere, on other decks and stakes, was not measured here.",
        "## Use",
        f"```\n{_COMMANDS}```",
        _needs(metadata, config),
        f"`{GOLDEN}` holds {metadata.golden_decisions} decisions, which `verify` asks for again. "
        f"{'The checksums are signed (minisign).' if signed else 'The package is not signed.'}",
    ]
    return "\n\n".join(parts) + "\n"


def _front_matter(metadata: Metadata) -> str:
    tags = "".join(f"\n  - {tag}" for tag in _TAGS)
    return f"---\nlibrary_name: jimbo-balatro\npipeline_tag: reinforcement-learning\ntags:{tags}\n---"


def _needs(metadata: Metadata, config: InferenceConfig) -> str:
    there = metadata.compatibility
    extras = f" with the extra `{', '.join(metadata.requires)}`" if metadata.requires else ""
    text = (
        f"Needs Jimbo {there.sim_version}{extras}, or another version with the same rules "
        f"(`{there.rules_signature}`) and schemas."
    )
    source = config.agent_source
    if not source:
        return text
    brought = source.get("package") or "a module of its author"
    return f"{text} The agent's code is not in the package: it comes with {brought}, class `{source.get('class')}`."
