"""The event aggregator by the name of JimBot's: ``python -m jimbo.mcp.server --host --port --log-level``.

``jimbo events serve`` is the same, with more options.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from jimbo.declared import fields_of, from_text
from jimbo.files import reason, sentence
from jimbo.serve.events.server import ServerSettings, farewell, greeting, run_server, settings_from
from jimbo.signals import one_interrupt

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C; return the exit code."""
    parser = argparse.ArgumentParser("python -m jimbo.mcp.server", description="Take events of games and trainings.")
    for entry in fields_of(ServerSettings):
        help = f"{entry.metadata['limits'].help}; default: {entry.default}"
        parser.add_argument(f"--{entry.name.replace('_', '-')}", metavar="VALUE", help=help)
    texts = {name: text for name, text in vars(parser.parse_args(arguments)).items() if text is not None}
    texts |= {"log_level": texts["log_level"].lower()} if "log_level" in texts else {}
    try:
        settings = settings_from({name: from_text(ServerSettings, name, text) for name, text in texts.items()})
        with one_interrupt():
            health = run_server(settings, started=lambda *told: print("\n".join(greeting(*told)), flush=True))
    except (ValueError, ImportError) as error:
        return _refused(str(error))
    except OSError as error:
        return _refused(reason(error))
    except KeyboardInterrupt:
        return 130
    print(f"{farewell(health)}.")
    return 0


def _refused(message: str) -> int:
    print(f"jimbo: {sentence(message)}", file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
