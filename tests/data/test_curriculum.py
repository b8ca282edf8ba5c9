"""What runs are lost to, as weights of decisions."""

from pathlib import Path

import numpy as np
import pytest

from jimbo.data.curriculum import Emphasis, FailureCurriculum, curriculum_hash, read_curriculum, write_curriculum

MADE = FailureCurriculum(
    buckets={
        "resource_exhausted": Emphasis(weight=1.0, phase="hands", antes={"2": 1.0}),
        "shop_misplay": Emphasis(weight=0.5, phase="shops", antes={"5": 0.5, "6": 0.5}),
    }
)


def test_decisions_like_those_that_lost_count_more() -> None:
    antes, in_hand = np.array([1, 2, 2, 5, 5]), np.array([True, True, False, True, False])
    weights = MADE.weights(antes, in_hand)
    assert weights.mean() == pytest.approx(1.0)
    assert weights[1] > weights[4] > weights[0] == weights[2] == weights[3]


def test_without_phases_every_bucket_counts() -> None:
    weights = MADE.weights(np.array([1, 2, 5]))
    assert weights[1] > weights[2] > weights[0]
    assert MADE.weights(np.array([], int)).size == 0
    assert FailureCurriculum().weights(np.array([0, 3, 9])).tolist() == [1, 1, 1]


def test_it_is_kept_and_read(tmp_path: Path) -> None:
    path = tmp_path / "curriculum.json"
    write_curriculum(path, MADE)
    assert read_curriculum(path) == MADE
    known = curriculum_hash(str(path))
    write_curriculum(path, FailureCurriculum())
    assert curriculum_hash(str(path)) != known
    assert curriculum_hash(None) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "cannot be used"),
        ('{"buckets": {"x": {"weight": -1, "antes": {}}}}', "weight"),
        ('{"buckets": {"x": {"weight": 1, "antes": {"99": 1}}}}', "99"),
        ('{"schema": "other"}', "jimbo_curriculum_v1"),
        ("[]", "named values"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "curriculum.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        read_curriculum(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="jimbo mine writes one"):
        read_curriculum(tmp_path / "none.json")
