"""Fetches the libraries of the web page from the npm registry, checks them, and writes them to the package.

Run it by hand after a change of ``LIBRARIES``; it needs npm. ``vendor.json`` beside the files says what they are, and
tests compare them with it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "src/jimbo/serve/web/static/vendor"
LIBRARIES = {
    "preact@11.2.0": {"dist/preact.mjs": "preact.mjs", "hooks/dist/hooks.mjs": "hooks.mjs"},
    "htm@3.1.1": {"dist/htm.mjs": "htm.mjs"},
    "@preact/signals@2.11.4": {"dist/signals.mjs": "signals.mjs"},
    "@preact/signals-core@1.14.5": {"dist/signals-core.mjs": "signals-core.mjs"},
    "uplot@1.6.32": {"dist/uPlot.esm.js": "uPlot.esm.js", "dist/uPlot.min.css": "uPlot.min.css"},
}
"""What is taken of each package, and what it is called here."""


def main() -> None:
    entries, licences = [], []
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for spec, files in LIBRARIES.items():
            packed, integrity = _pack(spec, Path(work))
            with tarfile.open(packed) as archive:
                about = json.loads(_member(archive, "package.json"))
                for inside, name in files.items():
                    data = _member(archive, inside)
                    (FOLDER / name).write_bytes(data)
                    digest = hashlib.sha256(data).hexdigest()
                    entries.append(
                        {
                            "file": name,
                            "package": about["name"],
                            "version": about["version"],
                            "licence": about["license"],
                            "integrity": integrity,
                            "sha256": digest,
                        }
                    )
                licence = _member(archive, "LICENSE").decode().strip()
                licences.append(f"{about['name']} {about['version']}\n\n{licence}\n")
    (FOLDER / "vendor.json").write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    (FOLDER / "LICENSES.txt").write_text(f"\n{'-' * 80}\n\n".join(licences), encoding="utf-8")


def _pack(spec: str, work: Path) -> tuple[Path, str]:
    """Return a package's archive, compared with the hash that the registry names for it, and that hash."""
    told = subprocess.run(["npm", "view", spec, "dist.integrity"], capture_output=True, text=True, check=True)
    integrity = told.stdout.strip()
    made = subprocess.run(["npm", "pack", spec], cwd=work, capture_output=True, text=True, check=True)
    path = work / made.stdout.strip().splitlines()[-1]
    kind, _, wanted = integrity.partition("-")
    found = base64.b64encode(hashlib.new(kind, path.read_bytes()).digest()).decode()
    if found != wanted:
        raise SystemExit(f"{spec} is not what the registry says: {found} instead of {wanted}")
    return path, integrity


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(f"package/{name}")
    assert file is not None, name
    return file.read()


if __name__ == "__main__":
    main()
