"""A service in the place of a model's, and nothing of the user's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from llm.stand_in import Service, service

KEY = "sk-ant-SECRET-0123456789"


@pytest.fixture(autouse=True)
def nothing_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "CLAUDE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("LLM_REQUESTS_PER_HOUR", "LLM_CACHE_SIZE", "LLM_CONFIDENCE_THRESHOLD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return KEY


@pytest.fixture
def stand_in() -> Iterator[Service]:
    pytest.importorskip("anthropic")
    with service() as made:
        yield made
