"""What the shell can complete: the values of options, each with a word of explanation.

Everything is imported when it is asked for: the shell asks for the names of verbs and options far more often.
"""

from collections.abc import Iterable, Mapping

Value = tuple[str, str]
"""What is typed, and what is shown beside it."""


def agents(incomplete: str) -> list[Value]:
    from jimbo.agents.registry import agent_names

    return _starting(incomplete, ((name, "") for name in agent_names()))


def seed_sets(incomplete: str) -> list[Value]:
    from jimbo.seeds.seed_sets import seed_set_names

    return _starting(incomplete, ((name, "") for name in seed_set_names()))


def decks(incomplete: str) -> list[Value]:
    from jimbo.engine.catalog import DECKS

    return _keys(incomplete, {key: fact.name for key, fact in DECKS.items() if key != "b_challenge"}, "b_")


def stakes(incomplete: str) -> list[Value]:
    from jimbo.engine.catalog import STAKES

    return _keys(incomplete, {key: fact.name for key, fact in STAKES.items()}, "stake_")


def challenges(incomplete: str) -> list[Value]:
    from jimbo.engine.catalog import CHALLENGES

    return _keys(incomplete, {key: fact.name for key, fact in CHALLENGES.items()}, "c_", "_1")


def items(incomplete: str) -> list[Value]:
    """What can be searched for in seeds."""
    from jimbo.engine.catalog import BLINDS, BOOSTERS, CONSUMABLES, JOKERS, TAGS, VOUCHERS

    bosses = {key: fact for key, fact in BLINDS.items() if fact.boss}
    kinds = (JOKERS, CONSUMABLES, VOUCHERS, BOOSTERS, TAGS, bosses)
    return _starting(incomplete, ((key, fact.name) for facts in kinds for key, fact in facts.items()))


def _keys(incomplete: str, names: Mapping[str, str], prefix: str, suffix: str = "") -> list[Value]:
    """In their short form, unless somebody has begun the long one."""
    if incomplete.startswith(prefix):
        return _starting(incomplete, names.items())
    return _starting(incomplete, ((key.removeprefix(prefix).removesuffix(suffix), name) for key, name in names.items()))


def _starting(incomplete: str, values: Iterable[Value]) -> list[Value]:
    return [value for value in values if value[0].startswith(incomplete)]
