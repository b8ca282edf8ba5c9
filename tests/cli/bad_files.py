"""Files that are wrong in all sorts of ways, beside some that are right."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.engine import Run

DEEP = "[" * 100_000

BROKEN_RECORDS: dict[str, tuple[int, Callable[[Any], Any]]] = {
    "no_action.jsonl": (2, lambda data: data.pop("action")),
    "action_list.jsonl": (2, lambda data: data.update(action=[1, 2])),
    "action_kind.jsonl": (2, lambda data: data["action"].update(kind="dance")),
    "action_index.jsonl": (2, lambda data: data["action"].update(index=2**70)),
    "candidates.jsonl": (2, lambda data: data.update(candidates=5)),
    "explanation.jsonl": (2, lambda data: data.update(explanation=5)),
    "seconds.jsonl": (2, lambda data: data.update(seconds="long")),
    "seconds_large.jsonl": (2, lambda data: data.update(seconds=10**400)),
    "header_seed.jsonl": (0, lambda data: data.update(seed=5)),
    "header_agent.jsonl": (0, lambda data: data.update(agent="")),
    "header_version.jsonl": (0, lambda data: data["versions"].update(jimbo="")),
    "header_surrogate.jsonl": (0, lambda data: data.update(seed="\udcff")),
    "header_options.jsonl": (0, lambda data: data.update(options=[])),
    "header_nonce.jsonl": (0, lambda data: data.update(nonce="0")),
    "header_more.jsonl": (0, lambda data: data.update(more=1)),
    "end.jsonl": (-1, lambda data: data.update(end=5)),
    "end_hash.jsonl": (-1, lambda data: data["end"].update(state_hash="")),
    "end_steps.jsonl": (-1, lambda data: data["end"].update(steps="many")),
}


def write_bad_files(folder: Path) -> None:
    lines = _record()
    files: dict[str, str | bytes] = {
        "record.jsonl": "\n".join([*lines, ""]),
        "text.txt": "hello\n",
        "empty": "",
        "binary": b"\xff\xfe",
        "deep.jsonl": f"{lines[0]}\n{DEEP}\n",
        "deep.yaml": DEEP[:5000],
        "list.yaml": "- 1\n",
        "broken.yaml": "effort:\n  rollouts: [1\nvalue: 2\n",
        "experiments.yaml": "- {algorithm: PPO}\n",
        "odd.yaml": "null: 5\n",
        "steps.yaml": "steps: many\n",
        "seeds.txt": "TESTSEED\nbad\x07seed\n",
        "comments.txt": "# nothing\n",
        "cut.run": Run().save()[:-100],
        "mine.run": Run(seed="MINE").save(),
        "state/jimbo/readme": "where games are saved by default",
    }
    for name, (line, change) in BROKEN_RECORDS.items():
        changed = [json.loads(text) for text in lines]
        change(changed[line])
        files[name] = "".join(f"{json.dumps(data)}\n" for data in changed)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    for name, target in {"loop": "loop", "endless.jsonl": "/dev/zero", "endless.onnx": "/dev/zero"}.items():
        (folder / name).symlink_to(target)
    with (folder / "huge.onnx").open("wb") as file:
        file.truncate(10 << 30)


def _record() -> list[str]:
    watch = ["watch", "--agent", "greedy", "--seed", "CXQGWN36", "--json"]
    return CliRunner().invoke(app, watch).stdout.splitlines()


def folder_of(path: Path) -> dict[str, bytes | None]:
    """Everything in a folder by name; None for a folder in it."""
    return {
        str(p.relative_to(path)): p.read_bytes() if p.is_file() and p.name != "huge.onnx" else None
        for p in sorted(path.rglob("*"))
    }
