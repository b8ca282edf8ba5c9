"""A client of the page without a socket, for what needs none."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from jimbo.serve.web.app import make_app
from serve.web.serving import LOCAL, settings_for


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(settings_for(tmp_path)), base_url=LOCAL) as found:
        yield found
