"""``import jimbo`` registers the environments with gymnasium, whichever comes first, and costs nothing."""

import subprocess
import sys

import pytest

MADE = "env = gymnasium.make('jimbo/Run-v0'); env.reset(seed=1); print(env.unwrapped)"


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "code",
    [
        f"import gymnasium, jimbo; {MADE}",
        f"import jimbo, gymnasium; {MADE}",
        f"import jimbo.engine; from gymnasium.spaces import Box; import gymnasium; {MADE}",
        f"import jimbo, importlib.util as util; util.find_spec('gymnasium'); import gymnasium; {MADE}",
        "import gymnasium; print(gymnasium.make('jimbo:jimbo/Run-v0').unwrapped)",
        "import jimbo, gymnasium; print(gymnasium.make_vec('jimbo/Run-v0', num_envs=2))",
    ],
)
def test_the_environments_are_there_with_jimbo(code: str) -> None:
    assert "Run" in run(code)


def test_importing_jimbo_loads_nothing_else_and_needs_no_gymnasium() -> None:
    assert (
        run("import sys, jimbo; print({'gymnasium', 'numpy', 'jimbo.env', 'jimbo.engine'} & set(sys.modules))")
        == "set()"
    )
    assert "no gymnasium" in run(
        "import sys; sys.modules['gymnasium'] = None; import jimbo\ntry: import gymnasium\n"
        "except ImportError: print('no gymnasium')"
    )
