"""The client of the event aggregator by the name of JimBot's: ``python -m jimbo.mcp.client --test-connection``.

``jimbo events test`` and ``jimbo events mock`` are the same.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from jimbo.files import sentence
from jimbo.serve.events.client import NoAggregator, check_connection, send_mock_events
from jimbo.serve.events.server import farewell
from jimbo.signals import one_interrupt
from jimbo.telemetry.program import TOKEN
from jimbo.telemetry.source import DEFAULT_URL

UNREACHABLE, BAD_INPUT = 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Test the connection, or send the events of simulated games; return the exit code."""
    parser = argparse.ArgumentParser("python -m jimbo.mcp.client", description="Try an event aggregator.")
    parser.add_argument("--url", default=DEFAULT_URL, help="its address; default: %(default)s")
    parser.add_argument("--test-connection", action="store_true", help="say whether it answers")
    parser.add_argument("--mock-events", action="store_true", help="send it the events of simulated games")
    parser.add_argument("--rate", type=float, default=5.0, help="events in a second; default: %(default)s")
    parser.add_argument("--duration", type=float, default=10.0, help="seconds; default: %(default)s")
    asked = parser.parse_args(arguments)
    if not (asked.test_connection or asked.mock_events):
        parser.error("choose --test-connection or --mock-events")
    if not (0.01 <= asked.rate <= 100_000 and 0 <= asked.duration <= 1_000_000):
        parser.error("--rate takes 0.01 to 100,000 events a second, and --duration 0 to 1,000,000 seconds")
    token = os.environ.get(TOKEN, "")
    try:
        with one_interrupt():
            if asked.test_connection:
                found = check_connection(asked.url, token)
                print(f"{asked.url} answers within {found['round_trip_ms']:g} ms. {farewell(found)}.")
            if asked.mock_events:
                sent = send_mock_events(asked.url, asked.rate, asked.duration, token)
                print(f"{sent.sent:,} events sent, {sent.dropped:,} dropped, {sent.refused:,} refused.")
    except (ValueError, ImportError, NoAggregator) as error:
        print(f"jimbo: {sentence(str(error))}", file=sys.stderr)
        return UNREACHABLE if isinstance(error, NoAggregator) else BAD_INPUT
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
