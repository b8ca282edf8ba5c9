"""Packages that somebody has changed: each is refused with one sentence, before anything of it is used."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deploy.packing import (
    SYMLINK,
    Files,
    changed,
    edited,
    entry,
    golden_line,
    listed_at,
    packed,
    patched,
    with_sums,
    without,
    zipped,
)
from jimbo.deploy.layout import (
    CHECKSUMS,
    CONFIG,
    GOLDEN,
    MANIFEST,
    METADATA,
    METRICS,
    SIGNATURE,
    unpack,
    write_files,
    zip_bytes,
)
from jimbo.deploy.minisign import PublicKey
from jimbo.deploy.running import opened, verify
from jimbo.models.value_file import read_value, write_value

MODEL = "model/value.safetensors"
TORCH = b"PK\x03\x04archive/data.pkl"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return packed(tmp_path_factory.mktemp("eval") / "fast").files


def checked(path: Path, **options: Any) -> None:
    with opened(path, **options) as package:
        verify(package)


def test_the_package_itself_is_whole(files: Files, tmp_path: Path) -> None:
    for name in ("package.zip", "package"):
        write_files(files, tmp_path / name)
        checked(tmp_path / name)


def left(files: Files, name: str) -> Files:
    return {known: data for known, data in files.items() if known != name}


def other_weights(files: Files) -> Files:
    return with_sums({**files, MODEL: value_bytes(files, lambda weight: weight + np.float32(0.01))})


def no_numbers(files: Files) -> Files:
    return with_sums({**files, MODEL: value_bytes(files, lambda weight: weight * np.float32("nan"))})


def value_bytes(files: Files, change: Callable[[Any], Any]) -> bytes:
    folder = Path(os.environ["PYTEST_FOLDER"])
    unpack({name: data for name, data in files.items() if name.startswith("model/")}, folder)
    weights, _ = read_value(folder / MODEL)
    write_value(folder / "other.safetensors", {name: change(weight) for name, weight in weights.items()}, {})
    return (folder / "other.safetensors").read_bytes()


@pytest.fixture(autouse=True)
def folder_of_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("PYTEST_FOLDER", str(tmp_path / "work"))


FEW = b"\n".join([b"{}"] * 199)
ZIPS: dict[str, tuple[Callable[[Files], bytes], str]] = {
    "zip slip": (zipped(("../evil.json", b"{}")), "leads out of the package"),
    "an absolute path": (zipped(("/tmp/evil.json", b"{}")), "leads out of the package"),
    "a path of Windows": (zipped(("..\\evil.json", b"{}")), "leads out of the package"),
    "a drive": (zipped(("C:evil.json", b"{}")), "leads out of the package"),
    "a link": (zipped((entry("model/more.json", SYMLINK), b"/etc/passwd")), "is a link"),
    "a folder": (zipped((entry("model/", 0o040755 << 16), b"")), "has no place"),
    "names that differ in case": (zipped(("model/VALUE.safetensors", b"")), "one file on some systems"),
    "too many files": (zipped(*((f"config/{number}.json", b"{}") for number in range(60))), "at most 64"),
    "a compressed file": (zipped(compression=zipfile.ZIP_DEFLATED), "is compressed"),
    "an encrypted file": (patched(listed_at("README.md", 8), b"\x01\x00"), "cut or changed"),
    "a huge declared size": (patched(listed_at(GOLDEN, 20), b"\xff\xff\xff\x7f" * 2), "said to have 2,147,483,647"),
    "files that overlap": (patched(listed_at(GOLDEN, 20), b"\x00\x00\x00\x03" * 2), "more bytes than it has"),
    "a cut zip": (lambda files: zip_bytes(files)[:-100], "not a zip that can be read"),
    "a zip that lost its first half": (lambda files: zip_bytes(files)[1_000_000:], "cut or changed"),
    "something after the zip": (lambda files: zip_bytes(files) + b"#!/bin/sh", "holds more than its files"),
    "something before the zip": (lambda files: b"#!/bin/sh\n" + zip_bytes(files), "holds more than its files"),
    "another time": (patched(listed_at("README.md", 12), b"\x01\x02"), "holds more than its files"),
    "a flipped bit": (patched(lambda data: data.index(b'"schema_hash"'), b"S"), "cut or changed"),
    "no zip at all": (lambda files: pickle.dumps(files), "not a zip"),
    "nothing": (lambda files: b"", "not a zip"),
}
CONTENTS: dict[str, tuple[Callable[[Files], Files], str]] = {
    "an unlisted file": (lambda files: {**files, "config/more.json": b"{}"}, "is not listed"),
    "a missing file": (
        lambda files: {name: data for name, data in files.items() if name != "model/value.json"},
        "missing",
    ),
    "a changed file": (lambda files: {**files, "README.md": files["README.md"].replace(b"won", b"WON")}, "was changed"),
    "a cut model": (lambda files: {**files, MODEL: files[MODEL][:-1000]}, "or cut"),
    "a cut model, listed": (lambda files: changed(MODEL, files[MODEL][:-1000])(files), "was cut or added to"),
    "a longer model, listed": (lambda files: changed(MODEL, files[MODEL] + b"more")(files), "was cut or added to"),
    "no metadata": (without(METADATA), "metadata.json is missing"),
    "no golden decisions": (without(GOLDEN), "golden.jsonl is missing"),
    "no checksums": (lambda files: left(files, CHECKSUMS), "checksums.json is missing"),
    "a pickle": (changed("model/best.pt", pickle.dumps({})), "models are .onnx or .safetensors"),
    "a pickle called ONNX": (changed("model/best.onnx", pickle.dumps([1])), "is a pickle"),
    "PyTorch's archive as weights": (changed("model/best.safetensors", TORCH), "is a pickle"),
    "a pickle in place of the model": (changed(MODEL, pickle.dumps({"a": 1})), "is a pickle"),
    "code": (changed("config/run.py", b"print()"), "has no place"),
    "a hidden file": (changed(".profile", b""), "has no place"),
    "another schema": (edited(METADATA, schema="deploy_package_v2"), "this version reads deploy_package_v1"),
    "an unknown field": (edited(METADATA, run="rm -rf"), "run unknown"),
    "a number that is none": (changed(METADATA, b'{"golden_decisions": NaN}'), "not a number"),
    "metadata that are nested too deeply": (changed(METADATA, b"[" * 100_000), "metadata.json cannot be used"),
    "checksums that are a list": (lambda files: {**files, CHECKSUMS: b"[]"}, "it is not an object"),
    "another schema of decisions": (edited(CONFIG, schema="x"), "has the schema 'x'"),
    "an agent that is not here": (edited(CONFIG, agent="stockfish"), "there is none here"),
    "an agent that is code": (edited(CONFIG, agent="os:system"), "add --trust-code"),
    "an option that does not exist": (edited(CONFIG, options={"speed": 3}), "has no option speed"),
    "an option out of range": (edited(CONFIG, options={"rollouts": -1}), "rollouts must be"),
    "a model from elsewhere": (edited(CONFIG, options={"model": "/etc/passwd"}, files={}), "not hold the model"),
    "a file from elsewhere": (edited(CONFIG, options={"rollouts": "/etc/passwd"}), "not in the package"),
    "the model of whoever runs it": (edited(CONFIG, files={}), "does not hold the model"),
    "a model that is not there": (edited(CONFIG, files={"model": "model/best.onnx"}), "which is not in the package"),
    "a path for a model": (edited(CONFIG, files={"model": "../../etc/passwd"}), "which is not in the package"),
    "another manifest": (edited(MANIFEST, models=[]), "describes other models"),
    "another agent's strength": (edited(METRICS, agent="expert"), "is about another agent"),
    "few golden decisions": (changed(GOLDEN, FEW), "golden.jsonl cannot be used"),
    "another decision": (golden_line(lambda line: line["action"].update(kind="skip_blind")), "does not play as it did"),
    "another value": (golden_line(lambda line: line.update(value=0.123)), "does not play as it did"),
    "a tolerance of everything": (golden_line(lambda line: line.update(tolerance=1e9)), "tolerance must be"),
    "a state that cannot be": (golden_line(lambda line: line["state"].update(dollars="many")), "cannot be checked"),
    "a swapped model": (other_weights, "does not play as it did"),
    "a model without numbers": (no_numbers, "not finite"),
    "a signature that is none": (lambda files: {**files, SIGNATURE: b"me"}, "it is not a signature of minisign"),
}


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(ValueError, match=r".") as refused:
        checked(path, **options)
    text = str(refused.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert not re.search(r"Error|Traceback", text)
    return text


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_with_a_name_twice(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "package.zip"
    path.write_bytes(zipped(("README.md", b"other"))(files))
    assert "is there twice" in refusal(path)


@pytest.mark.parametrize("case", ZIPS)
def test_a_zip_that_was_tampered_with(case: str, files: Files, tmp_path: Path) -> None:
    make, sentence = ZIPS[case]
    path = tmp_path / "package.zip"
    path.write_bytes(make(files))
    assert sentence in refusal(path)
    assert sorted(name.name for name in tmp_path.iterdir()) == ["package.zip", "work"]


@pytest.mark.parametrize("case", CONTENTS)
def test_contents_that_were_tampered_with(case: str, files: Files, tmp_path: Path) -> None:
    make, sentence = CONTENTS[case]
    path = tmp_path / "package.zip"
    path.write_bytes(zip_bytes(make(files)))
    assert sentence in refusal(path)


def _link(folder: Path) -> None:
    shutil.move(folder / "README.md", folder.parent / "elsewhere")
    (folder / "README.md").symlink_to(folder.parent / "elsewhere")


def _linked_folder(folder: Path) -> None:
    shutil.move(folder / "model", folder.parent / "elsewhere")
    (folder / "model").symlink_to(folder.parent / "elsewhere")


FOLDERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link": (_link, "is a link"),
    "a linked folder": (_linked_folder, "is a link"),
    "a pipe": (lambda folder: os.mkfifo(folder / "config" / "more.json"), "is not a file"),
    "an unlisted file": (lambda folder: (folder / "config" / "more.json").write_text("{}"), "is not listed"),
    "notes": (lambda folder: (folder / "notes.txt").write_text("mine"), "has no place"),
    "a folder": (lambda folder: (folder / "src").mkdir(), "has no place"),
    "a changed model": (lambda folder: (folder / MODEL).write_bytes(b"x"), "was changed"),
    "no folder": (shutil.rmtree, "cannot be read"),
}


@pytest.mark.parametrize("case", FOLDERS)
def test_a_folder_that_was_tampered_with(case: str, files: Files, tmp_path: Path) -> None:
    change, sentence = FOLDERS[case]
    folder = tmp_path / "package"
    write_files(files, folder)
    change(folder)
    assert sentence in refusal(folder)


def test_a_file_that_is_too_large_is_not_read(files: Files, tmp_path: Path) -> None:
    folder = tmp_path / "package"
    write_files(files, folder)
    os.truncate(folder / GOLDEN, 65 << 20)  # a hole: nothing is on the disk
    assert "is said to have 68,157,440 bytes" in refusal(folder)


def test_a_package_without_the_signature_that_was_asked_for(files: Files, tmp_path: Path) -> None:
    write_files(files, tmp_path / "package.zip")
    assert "is not signed" in refusal(tmp_path / "package.zip", trusted_key=PublicKey(b"12345678", bytes(32)))


def test_a_network_with_weights_elsewhere(files: Files, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    make, types = onnx.helper, onnx.TensorProto
    weights = make.make_tensor("w", types.FLOAT, [1], np.ones(1, np.float32).tobytes(), raw=True)
    value = make.make_tensor_value_info("y", types.FLOAT, [1])
    model = make.make_model(make.make_graph([make.make_node("Identity", ["w"], ["y"])], "g", [], [value], [weights]))
    onnx.external_data_helper.set_external_data(model.graph.initializer[0], "../../etc/passwd")
    model.graph.initializer[0].ClearField("raw_data")
    path = tmp_path / "package.zip"
    path.write_bytes(zip_bytes(changed("model/more.onnx", model.SerializeToString())(files)))
    assert "keeps weights in other files" in refusal(path)
