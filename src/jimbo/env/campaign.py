"""``jimbo/Campaign-v0``: whole runs at the decisions that matter; the engine plays the hands."""

from __future__ import annotations

from typing import ClassVar

from jimbo.engine import Action
from jimbo.env.options import CampaignOptions, EpisodeOptions
from jimbo.env.run_env import RunEnv
from jimbo.env.vector_env import RunVectorEnv


class CampaignEnv(RunEnv):
    """``jimbo/Campaign-v0``: a run in which the agent buys, sells, picks, uses, rerolls and skips.

    Hands, the order of jokers and cards, and what a blind pays are played by the engine, and so is everything without
    an alternative. What is left are the options of the agents ``expert`` and ``fast``, each shown by the run as it
    stands after it; an action is the number of an option (``Discrete``). The first one is always to do nothing: leave
    the shop, skip the pack, play the blind, use nothing.

    Keyword arguments are the fields of ``CampaignOptions``, and ``render_mode``; observations are those of
    ``OptionLayout``. Everything else is as in ``RunEnv``. In ``info["result"]`` ``length`` counts the agent's
    decisions, ``decisions`` all actions of the engine.
    """

    options_type: ClassVar[type[EpisodeOptions]] = CampaignOptions

    def option_actions(self) -> list[list[Action]]:
        """Return what each option does: actions that follow one another; none: nothing."""
        return self._rows.option_actions(0)


class CampaignVectorEnv(RunVectorEnv):
    """``num_envs`` environments ``jimbo/Campaign-v0`` that the compiled core steps together; see ``RunVectorEnv``.

    Keyword arguments are the fields of ``CampaignOptions``, and ``autoreset_mode``.
    """

    options_type: ClassVar[type[EpisodeOptions]] = CampaignOptions

    def option_actions(self, row: int) -> list[list[Action]]:
        """Return what each option of a row does: actions that follow one another; none: nothing."""
        return self._rows.option_actions(row)
