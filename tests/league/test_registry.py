"""The registry: what is added is found again, aliases move, and every changed byte is told."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jimbo.league import Entry, NotRegistered, Registry
from jimbo.league.journal import HEAD, Damaged, Journal
from jimbo.league.journal import NAME as JOURNAL

Change = Callable[[bytes], bytes]


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "registry")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "best.onnx"
    path.write_bytes(b"weights")
    return path


def add(registry: Registry, name: str, model: Path, *parents: Entry) -> Entry:
    spec = {"agent": "network", "options": {}, "files": {"model": "best.onnx"}}
    return registry.add(name, kind="model", spec=spec, files={"best.onnx": model}, parents=parents)


def test_an_entry_is_found_by_name_by_id_and_by_alias(registry: Registry, model: Path) -> None:
    first, second = add(registry, "bc", model), add(registry, "pv", model)
    registry.move("champion", second, "the better one")
    again = Registry(registry.folder)
    assert again.resolve("bc") == first
    assert again.resolve("registry:champion") == second == again.resolve(second.id[:8])
    assert again.entries() == [first, second]
    assert again.path_of(first, "best.onnx").read_bytes() == b"weights"
    assert {"versions", "schemas", "game_version"} <= first.about.keys()


def test_a_name_means_the_newest(registry: Registry, model: Path) -> None:
    add(registry, "bc", model)
    model.write_bytes(b"better weights")
    newest = add(registry, "bc", model)
    assert registry.resolve("bc") == newest
    assert registry.path_of(newest, "best.onnx").read_bytes() == b"better weights"


def test_files_of_the_same_content_are_kept_once(registry: Registry, model: Path) -> None:
    paths = {registry.path_of(add(registry, name, model), "best.onnx") for name in ("a", "b")}
    assert len(paths) == 1


def test_what_is_not_there_is_named_with_what_is(registry: Registry, model: Path) -> None:
    with pytest.raises(NotRegistered, match="It is empty"):
        registry.resolve("champion")
    add(registry, "bc_long_name", model)
    with pytest.raises(NotRegistered, match="There is bc_long_name; jimbo registry list"):
        registry.resolve("bc_long_nam")


def test_the_champion_leaves_its_place_to_the_next_and_can_come_back(registry: Registry, model: Path) -> None:
    first, second = add(registry, "a", model), add(registry, "b", model)
    registry.move("champion", first, "the only one")
    registry.move("champion", second, "won 3 points more")
    assert registry.aliases() == {"champion": second.id, "previous": first.id}
    registry.move("champion", "previous", "the canary died")
    assert registry.aliases() == {"champion": first.id, "previous": second.id}
    assert [move["why"] for move in registry.history("champion")] == [
        "the only one",
        "won 3 points more",
        "the canary died",
    ]


def test_an_alias_can_be_taken_away(registry: Registry, model: Path) -> None:
    registry.move("canary", add(registry, "a", model), "shadows the champion")
    registry.move("canary", None, "it is over")
    assert registry.aliases() == {}


def test_events_of_others_are_kept_in_order(registry: Registry) -> None:
    assert registry.note("gate", {"verdict": "promote"}) < registry.note("gate", {"verdict": "reject"})
    assert [event["data"]["verdict"] for event in Registry(registry.folder).events("gate")] == ["promote", "reject"]
    with pytest.raises(ValueError, match="a kind of event that the registry writes itself"):
        registry.note("alias", {})


@pytest.mark.parametrize("name", ["", "a b", "../a", "a/b", "registry:a", "x" * 101, "champion"])
def test_a_name_that_cannot_be_used_is_refused(registry: Registry, model: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"Choose another name|is not a name"):
        add(registry, name, model)
    assert registry.entries() == []


@pytest.mark.parametrize("file", ["../best.onnx", "/best.onnx", "a//b", "", "a\\b"])
def test_a_file_cannot_be_put_elsewhere(registry: Registry, model: Path, file: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name of a file"):
        registry.add("a", kind="model", spec={}, files={file: model})


def test_a_folder_of_other_files_is_refused(tmp_path: Path, model: Path) -> None:
    with pytest.raises(ValueError, match=r"holds other files \(best.onnx\)"):
        add(Registry(tmp_path), "a", model)


# --- Prune ------------------------------------------------------------------------------------------------------------


def test_prune_removes_what_is_named_and_its_files(registry: Registry, model: Path) -> None:
    kept = add(registry, "kept", model)
    model.write_bytes(b"other weights")
    gone = add(registry, "gone", model)
    path = registry.path_of(gone, "best.onnx")
    assert len(registry.prune([gone])) == 2
    assert not path.exists()
    assert Registry(registry.folder).entries() == [kept]
    assert registry.name_of(gone.id) == "gone"
    assert registry.verify() == []


def test_prune_keeps_what_is_needed(registry: Registry, model: Path) -> None:
    parent = add(registry, "parent", model)
    child = add(registry, "child", model, parent)
    registry.move("champion", child, "the best")
    with pytest.raises(ValueError, match="was made from parent"):
        registry.prune([parent])
    with pytest.raises(ValueError, match="is the champion"):
        registry.prune([child, parent])
    registry.move("champion", None, "none is good")
    registry.move("previous", None, "nor was it before")
    registry.prune([child, parent])
    assert registry.entries() == []
    with pytest.raises(NotRegistered):
        registry.move("champion", child, "it is gone")


# --- Damage -----------------------------------------------------------------------------------------------------------


def test_every_changed_byte_is_told_with_its_file(registry: Registry, model: Path) -> None:
    entry = add(registry, "a", model)
    registry.move("champion", entry, "the first")
    assert registry.verify() == []
    for path in sorted(path for path in registry.folder.rglob("*") if path.is_file() and path.name != ".lock"):
        data = path.read_bytes()
        path.chmod(0o644)
        for place in range(len(data)):
            path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            files = [problem.file for problem in Registry(registry.folder).verify()]
            own = path.relative_to(registry.folder).as_posix()
            assert own in files, (path, place)
        path.write_bytes(data)
    assert Registry(registry.folder).verify() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"x\n",
        lambda data: b"".join(data.splitlines(True)[:-1]),
        lambda data: b"".join(data.splitlines(True)[1:]),
        lambda data: b"".join(reversed(data.splitlines(True))),
    ],
    ids=["empty", "cut", "longer", "last line", "first line", "other order"],
)
def test_a_changed_journal_stops_writers(registry: Registry, model: Path, change: Change) -> None:
    add(registry, "a", model)
    path = registry.folder / JOURNAL
    path.write_bytes(change(path.read_bytes()))
    changed = path.read_bytes()
    with pytest.raises(Damaged, match=JOURNAL):
        Registry(registry.folder).note("gate", {})
    assert path.read_bytes() == changed
    assert [problem.file for problem in Registry(registry.folder).verify()] == [JOURNAL]


def test_missing_and_strange_files_are_told(registry: Registry, model: Path) -> None:
    entry = add(registry, "a", model)
    path = registry.path_of(entry, "best.onnx")
    path.with_name("other").touch()
    path.unlink()
    assert {problem.file.rpartition("/")[2] for problem in registry.verify()} == {"best.onnx", "other"}


def test_what_another_process_writes_meanwhile_is_no_damage(
    registry: Registry, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(registry, "a", model)
    other, compare = Registry(registry.folder), Journal._compare

    def meanwhile(self: Journal, head: str) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(Journal, "_compare", compare)
            other.note("gate", {})
        compare(self, head)

    monkeypatch.setattr(Journal, "_compare", meanwhile)
    assert registry.verify() == []


def test_a_line_that_was_cut_by_a_kill_is_dropped(registry: Registry) -> None:
    registry.note("gate", {"number": 1})
    with (registry.folder / JOURNAL).open("ab") as file:
        file.write(b'{"n":3,"at"')
    assert registry.verify() == []
    registry.note("gate", {"number": 2})
    assert [event["data"]["number"] for event in Registry(registry.folder).events("gate")] == [1, 2]


def test_a_journal_that_does_not_fit_its_entries_is_refused(registry: Registry) -> None:
    registry.note("gate", {})
    registry._journal.append("prune", {"entries": ["0" * 64]})
    with pytest.raises(Damaged, match="line 3, does not fit"):
        Registry(registry.folder).entries()


def test_a_full_disk_leaves_it_whole(registry: Registry, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(registry, "a", model)
    before = {path: path.read_bytes() for path in registry.folder.rglob("*") if path.is_file()}

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    for name in ("shutil.copyfileobj", "jimbo.league.registry.write_bytes", "jimbo.league.journal.add_line"):
        with monkeypatch.context() as patched:
            patched.setattr(name, full)
            with pytest.raises(OSError, match="No space left"):
                add(registry, "b", model)
        registry.prune()
        assert {path: path.read_bytes() for path in registry.folder.rglob("*") if path.is_file()} == before
        assert json.loads((registry.folder / HEAD).read_text())["lines"] == 2
    assert registry.verify() == []


def test_prune_makes_room_on_a_full_disk(registry: Registry, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = add(registry, "a", model)
    leftover = registry.folder / "entries" / f"{'0' * 64}.json"
    leftover.touch()

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("jimbo.league.journal.add_line", full)
    with pytest.raises(OSError, match="No space left"):
        registry.prune([entry])
    assert not leftover.exists()
    assert registry.entries() == [entry]
    assert registry.verify() == []
