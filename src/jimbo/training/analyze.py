"""``python -m jimbo.training.analyze``: the same as ``jimbo train rllib-analyze``."""

import runpy
import sys

if __name__ == "__main__":
    sys.argv[:1] = ["jimbo", "train", "rllib-analyze"]
    runpy.run_module("jimbo", run_name="__main__", alter_sys=True)
