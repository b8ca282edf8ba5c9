import pytest

pytest.register_assert_rewrite("rules.scene", "rules.rolls")
