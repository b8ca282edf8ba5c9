"""The commands that show the runs of an evaluation."""

from __future__ import annotations

import shlex

from jimbo.agents.registry import agent_folder
from jimbo.agents.typed_options import option_text
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Settings


def watch_command(settings: Settings, row: Episode) -> str:
    """What to type to see exactly this run, decision by decision, in whatever folder."""
    folder = agent_folder(settings.agent)
    parts = ["jimbo", "watch", "--agent", settings.agent, "--seed", row.seed]
    parts += ["--challenge", settings.challenge] if settings.challenge else ["--deck", settings.deck]
    parts += ["--stake", settings.stake]
    for name, value in settings.options.items():
        parts += ["--set", f"{name}={option_text(value)}"]
    command = shlex.join([*parts, "--nonce", str(row.nonce)])
    return f"cd {shlex.quote(str(folder))} && {command}" if folder else command
