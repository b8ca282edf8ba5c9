"""The health of the machine and of the server."""

from starlette.testclient import TestClient

from jimbo import __version__
from jimbo.engine import signature
from jimbo.serve.doctor import check_all


def test_programs_get_numbers_and_people_a_page(client: TestClient) -> None:
    told = client.get("/health").json()
    assert (told["status"], told["version"], told["rules"]) == ("ok", __version__, signature())
    assert client.get("/health").json()["seconds"] >= told["seconds"] >= 0
    page = client.get("/health", headers={"accept": "text/html,*/*"})
    assert page.headers["content-type"].startswith("text/html")


def test_the_findings_are_those_of_the_doctor(client: TestClient) -> None:
    told = client.get("/api/doctor").json()
    found = check_all(real=False, url=None)
    assert [(one["what"], one["status"]) for one in told["findings"]] == [(one.what, one.status) for one in found]
    assert told["ok"] == all(one.status != "missing" for one in found)


def test_the_page_is_asked_for_again_only_when_it_has_changed(client: TestClient) -> None:
    tag = client.get("/play").headers["etag"]
    assert client.get("/training", headers={"if-none-match": tag}).status_code == 304
