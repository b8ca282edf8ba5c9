"""``python -m jimbo.training.run``: the same as ``jimbo train rllib``."""

import runpy
import sys

if __name__ == "__main__":
    sys.argv[:1] = ["jimbo", "train", "rllib"]
    runpy.run_module("jimbo", run_name="__main__", alter_sys=True)
