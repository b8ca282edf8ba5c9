"""What Prometheus's own checker says of the metrics, where it is installed."""

import os
import shutil
import subprocess
import urllib.request

import pytest

from serve.events.running import Served

PROMTOOL = shutil.which(os.environ.get("PROMTOOL", "promtool"))


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed (Debian: prometheus)")
@pytest.mark.parametrize(
    ("query", "remarks"),
    [("?units=base", ""), ("", "mcp_batch_latency_ms metric names should not contain abbreviated units\n")],
)
def test_promtool_has_one_remark_and_none_without_milliseconds(standing: Served, query: str, remarks: str) -> None:
    with urllib.request.urlopen(f"{standing.http}/metrics{query}", timeout=20) as answer:
        text = answer.read()
    assert PROMTOOL
    done = subprocess.run([PROMTOOL, "check", "metrics"], input=text, capture_output=True, check=False)
    assert (done.stdout + done.stderr).decode() == remarks
    assert done.returncode == (3 if remarks else 0)
