"""YAML that people write: what is taken, and the sentence for everything else."""

from pathlib import Path

import pytest

from jimbo.yaml_files import read_yaml

TENFOLD = "".join(
    f"{name}: &{name} [{', '.join(f'*{chr(ord(name) - 1)}' for _ in range(10))}]\n" for name in "bcdefghi"
)

REFUSED = [
    ("a: 1\nb: 2\na: 3\n", "line 3, is not valid YAML: a appears twice"),
    ("a:\n  b: {c: 1, c: 2}\n", "line 2, is not valid YAML: c appears twice"),
    ("null: 5\n", "line 1, is not valid YAML: the name null is not text: put it in quotes"),
    ("? \n: 5\n", "line 1, is not valid YAML: the name that is empty is not text: put it in quotes"),
    ("a:\n  yes: 5\n", "line 2, is not valid YAML: the name yes is not text: put it in quotes"),
    ("1.5: 5\n", "line 1, is not valid YAML: the name 1.5 is not text: put it in quotes"),
    ("? [a, b]\n: 5\n", "line 1, is not valid YAML: a list or a mapping cannot be a name"),
    ("a:\n  {b: 1}: 5\n", "line 2, is not valid YAML: a list or a mapping cannot be a name"),
    ("a: &a [*a]\n", "line 1, is not valid YAML: it stands for too many values"),
    (f"a: &a [1]\n{TENFOLD}", "is not valid YAML: it stands for too many values"),
    ("a: 1e400000000000000000000\nb: 2020-13-45\n", "is not valid YAML: month must be in 1..12"),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSED, ids=[sentence[-40:] for _, sentence in REFUSED])
def test_what_cannot_be_settings_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"^config ") as raised:
        read_yaml(path)
    assert str(raised.value).startswith(f"config {path}")
    assert str(raised.value).endswith(sentence)


def test_settings_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text("lr: 1e-3\nschedule: {0: easy, 500: hard}\none: &one {a: 1, b: 2}\nother:\n  <<: *one\n  b: 3\n")
    assert read_yaml(path) == {
        "lr": 1e-3,
        "schedule": {0: "easy", 500: "hard"},
        "one": {"a": 1, "b": 2},
        "other": {"a": 1, "b": 3},
    }


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="config /dev/zero cannot be read: File too large"):
        read_yaml(Path("/dev/zero"))
