"""``python -m jimbo.training.export``: the same as ``jimbo train rllib-export``."""

import runpy
import sys

if __name__ == "__main__":
    sys.argv[:1] = ["jimbo", "train", "rllib-export"]
    runpy.run_module("jimbo", run_name="__main__", alter_sys=True)
