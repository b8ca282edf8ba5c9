"""Dataclasses that check what they are given."""

from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass
from typing import Any, Literal

import pytest

from jimbo.declared import Declared, check_declaration, declared, from_dict, from_text, help_lines, named_texts


@dataclass(frozen=True, slots=True)
class Inner(Declared):
    size: int = declared(min=1, max=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer(Declared):
    on: bool = declared(True, "turns it on")
    speed: float = declared(2.5, "how fast", min=0, max=1_000)
    name: str | None = declared(None, nonempty=True)
    note: str = ""
    count: int = 0
    sizes: tuple[int, ...] = ()
    names: Mapping[str, str] = declared(default_factory=dict, nonempty=True)
    pair: tuple[float, float] = declared((0.0, 1.0), max=1, min=0)
    worth: Mapping[str, float] = declared(None, keys=("a", "b"), min=0, max=9)
    rest: Any = None
    limit: int | None = None
    way: Literal["left", "right"] = "left"
    inner: Inner = Inner(3)


@dataclass(frozen=True, slots=True)
class Leaf:
    size: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """It is not a Declared, so only what ``from_dict`` makes of it is checked."""

    leaves: tuple[Leaf, ...]
    on: bool = False


DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]


def outer(**values: Any) -> Outer:
    return Outer(**{"worth": {}, **values})


def test_values_that_fit_are_taken() -> None:
    made = outer(on=False, speed=3, name="x", pair=[0, 1], worth={"a": 1}, rest=[object], inner={"size": 2})
    assert (made.on, made.speed, made.name, made.pair) == (False, 3, "x", (0, 1))
    assert (made.worth, made.inner) == ({"a": 1}, Inner(2))
    assert (outer().inner.size, outer().names) == (3, {})
    assert outer(note="", sizes=[3, 1, 2], count=2**63 - 1, names={"": "x"}).sizes == (3, 1, 2)


def test_whole_numbers_become_what_the_field_declares() -> None:
    made = outer(speed=3, pair=[0, 1], worth={"a": 1}, count=1)
    assert {type(value) for value in (made.speed, *made.pair, made.worth["a"])} == {float}
    assert type(made.count) is int


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"on": 1}, "on must be true or false, not 1"),
        ({"on": None}, "on must be true or false, not None"),
        ({"speed": "fast"}, 'speed must be a number from 0 to 1,000, not "fast"'),
        ({"speed": True}, "speed must be a number from 0 to 1,000, not True"),
        ({"speed": float("nan")}, "speed must be a number from 0 to 1,000, not nan"),
        ({"speed": float("inf")}, "speed must be a number from 0 to 1,000, not inf"),
        ({"speed": 10**400}, "speed must be a number from 0 to 1,000, not 1000"),
        ({"speed": -0.1}, "speed must be a number from 0 to 1,000, not -0.1"),
        ({"name": ""}, 'name must be text that is not empty, not ""'),
        ({"names": {"a": ""}}, 'names.a must be text that is not empty, not ""'),
        ({"names": {"a\nb": ""}}, 'names."a b" must be text that is not empty, not ""'),
        ({"names": {"\udcff": "a"}}, r'names cannot have "\udcff"'),
        ({"note": 5}, "note must be text, not 5"),
        ({"note": None}, "note must be text, not None"),
        ({"note": "a\ud800"}, r'note must be text, not "a\ud800"'),
        ({"count": 2**63}, "count is too large"),
        ({"count": -(2**63)}, "count is too large"),
        ({"count": 1.0}, "count must be a whole number, not 1.0"),
        ({"sizes": 5}, "sizes must be a list, not 5"),
        ({"sizes": "12"}, 'sizes must be a list, not "12"'),
        ({"sizes": [1, "2"]}, 'sizes[1] must be a whole number, not "2"'),
        ({"on": DEEP}, "on must be true or false, not [[[...]]]"),
        ({"on": 10**5000}, "on must be true or false, not something too long to show"),
        ({"name": 5}, "name must be text that is not empty, not 5"),
        ({"pair": [0]}, "pair must be a list of 2 numbers from 0 to 1, not [0]"),
        ({"pair": "01"}, 'pair must be a list of 2 numbers from 0 to 1, not "01"'),
        ({"pair": [0, 2]}, "pair[1] must be a number from 0 to 1, not 2"),
        ({"worth": []}, "worth must be named values, not []"),
        ({"worth": {"c": 1}}, 'worth cannot have "c"'),
        ({"worth": {1: 1}}, "worth cannot have 1"),
        ({"worth": {"a": "1"}}, 'worth.a must be a number from 0 to 9, not "1"'),
        ({"limit": "5"}, 'limit must be a whole number, not "5"'),
        ({"way": "up"}, 'way must be one of left, right, not "up"'),
        ({"way": ["left"]}, "way must be one of left, right, not ['left']"),
        ({"way": None}, "way must be one of left, right, not None"),
        ({"inner": 5}, "inner: expected named values, not 5"),
        ({"inner": {"size": 0}}, "inner: size must be a whole number from 1 to 5, not 0"),
        ({"inner": {"size": 1.0}}, "inner: size must be a whole number from 1 to 5, not 1.0"),
        ({"inner": {}}, "inner: size missing"),
        ({"inner": {"size": 1, "sise": 2}}, "inner: sise unknown; there is size"),
        ({"name": ["x" * 100]}, f"name must be text that is not empty, not ['{'x' * 58} ..."),
    ],
)
def test_others_are_refused_with_their_place(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as raised:
        outer(**values)
    assert str(raised.value).startswith(sentence)


def test_a_file_names_its_place() -> None:
    assert from_dict(Inner, {"size": 5}, "x.yaml") == Inner(5)
    with pytest.raises(ValueError, match=r"^x\.yaml: size must be a whole number from 1 to 5, not 6$"):
        from_dict(Inner, {"size": 6}, "x.yaml")


def test_a_plain_dataclass_is_filled() -> None:
    assert from_dict(Plain, {"leaves": [{"size": 1, "label": ""}]}) == Plain(leaves=(Leaf(1.0, ""),))
    assert type(from_dict(Leaf, {"size": 1, "label": ""}).size) is float


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "expected named values, not None"),
        ({}, "leaves missing"),
        ({"leaves": [], "on": 0}, "on must be true or false, not 0"),
        ({"leaves": {}}, "leaves must be a list, not {}"),
        ({"leaves": [5]}, "leaves[0]: expected named values, not 5"),
        ({"leaves": [{}]}, "leaves[0]: size, label missing"),
        (
            {"leaves": [{"size": 1, "label": ""}, {"size": "1", "label": ""}]},
            'leaves[1]: size must be a number, not "1"',
        ),
        ({"leaves": [{"size": 1, "label": 1}]}, "leaves[0]: label must be text, not 1"),
        ({"leaves": [], "more": 1}, "more unknown; there is leaves, on"),
        ({"leaves": [], 5: 1, None: 1, "": 1}, '5, None, "" unknown; there is leaves, on'),
        (
            {"leaves": [], "a": 1, "b c": 1, "\ud800\n": 1, "d": 1, "e": 1},
            r'a, "b c", "\ud800 " and 2 more unknown; there is leaves, on',
        ),
    ],
)
def test_a_plain_dataclass_names_what_does_not_fit(data: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as raised:
        from_dict(Plain, data)
    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        *(("on", text, True) for text in ("true", "True", "on", "YES", "1")),
        *(("on", text, False) for text in ("false", "False", "off", "no", "0")),
        *(("on", text, text) for text in ("maybe", "", "2", "tru")),
        ("speed", "3", 3.0),
        ("speed", "1e2", 100.0),
        ("speed", "fast", "fast"),
        ("speed", "inf", float("inf")),
        ("name", "5", "5"),
        ("limit", "5", 5),
        ("limit", "many", "many"),
        ("way", "left", "left"),
        ("sizes", "[1, 2]", [1, 2]),
        ("sizes", "[1", "[1"),
        ("names", '{"a": "b"}', {"a": "b"}),
        ("names", "[" * 100_000, "[" * 100_000),
    ],
)
def test_texts_mean_what_the_field_declares(name: str, text: str, value: object) -> None:
    read = from_text(Outer, name, text)
    assert (read, type(read)) == (value, type(value))


def test_the_help_comes_from_the_fields() -> None:
    lines = help_lines(Outer)
    assert lines[0] == "on=true: turns it on."
    assert lines[1] == "speed=2.5, a number from 0 to 1,000: how fast."
    by_name = {line.rstrip(".").partition("=")[0].partition(",")[0]: line for line in lines}
    assert by_name["name"] == "name."
    assert by_name["sizes"] == "sizes=[]."
    assert by_name["way"] == "way=left, one of left, right."
    assert help_lines(Inner) == ["size, a whole number from 1 to 5, must be given."]


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        (set[int], "set[int]"),
        (int | str, "int | str"),
        (dict[str, int], "dict[str, int]"),
        (Mapping[int, int], "collections.abc.Mapping[int, int]"),
        (tuple[set[int], ...], "tuple[set[int], ...]"),
        (Literal[1, 2], "typing.Literal[1, 2]"),
        (complex, "complex"),
        ("Nowhere", None),
    ],
)
def test_a_field_that_could_not_be_checked_is_refused(hint: Any, name: str | None) -> None:
    kind = make_dataclass("Odd", [("good", int, 1), ("odd", hint, None)], bases=(Declared,))
    with pytest.raises(ValueError, match=r"\S") as raised:
        check_declaration(kind)
    if name:
        assert str(raised.value).startswith(f"odd cannot have the type {name}. It can be bool, int, float, str, ")
    else:
        assert str(raised.value) == "the types of its fields cannot be read: NameError: name 'Nowhere' is not defined"


def test_fields_of_all_known_types_are_taken() -> None:
    check_declaration(Outer)
    hints = (
        None | int,
        Literal["a"] | None,
        tuple[float, float],
        Mapping[str, tuple[int, ...]],
        Inner,
    )
    for hint in hints:
        check_declaration(make_dataclass("Good", [("good", hint, None)], bases=(Declared,)))


def test_texts_with_names_are_taken_once() -> None:
    assert named_texts(["a=1", "b=x=y"], "--set") == {"a": "1", "b": "x=y"}
    for texts, known, sentence in (
        (["a"], (), "--set a has no value: write --set a=VALUE"),
        (["a=1", "a=1"], (), "a is given twice: leave out one --set a=1"),
        (["a=1"], ("a",), "a is given twice: leave out one --set a=1"),
    ):
        with pytest.raises(ValueError, match=f"^{sentence}$"):
            named_texts(texts, "--set", known)
