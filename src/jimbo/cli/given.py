"""Which options a command was given, as opposed to those that have their defaults."""

import typer


def given(context: typer.Context) -> dict[str, str]:
    """By the name of the parameter: how it is written on the command line."""
    flags = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name: flags[name] for name, source in sources.items() if source and source.name == "COMMANDLINE"}
