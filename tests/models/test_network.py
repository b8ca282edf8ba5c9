"""The network, its files, and its ONNX form."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
from jimbo.models import SIZES, NetworkConfig, config_of  # noqa: E402
from jimbo.models.checkpoint import BadModel, load_network, save_network  # noqa: E402
from jimbo.models.export import TOLERANCE, ExportFailed, export_network, largest_difference  # noqa: E402
from jimbo.models.inputs import network_inputs, padded  # noqa: E402
from jimbo.models.network import EntityNetwork, judged  # noqa: E402
from jimbo.models.outputs import BLINDS_AHEAD, OUTPUT_NAMES, Outputs  # noqa: E402
from jimbo.models.runtime import OnnxPolicy, load_policy, model_file  # noqa: E402
from jimbo.models.value_file import read_value  # noqa: E402
from models.games import recorded  # noqa: E402

SAMPLES = recorded()
SMALL = NetworkConfig(width=16, layers=1, heads=2)


def network(config: NetworkConfig = SMALL, seed: int = 1) -> EntityNetwork:
    torch.manual_seed(seed)
    return EntityNetwork(config).eval()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "best.onnx"
    export_network(network(), path, {"method": "none"}, SAMPLES.take(np.arange(40)))
    return path


def logits(model: EntityNetwork, *indices: int) -> list[np.ndarray]:
    batch = padded(SAMPLES, np.array(indices))
    with torch.no_grad():
        found = judged(model, network_inputs(*batch)).logits.numpy()
    return [row[mask] for row, mask in zip(found, batch[3], strict=True)]


def test_a_decision_is_judged_the_same_alone_and_among_others() -> None:
    model = network()
    together = logits(model, *range(0, len(SAMPLES), 11))
    for place, index in enumerate(range(0, len(SAMPLES), 11)):
        assert np.allclose(together[place], logits(model, index)[0], atol=1e-5)


def test_the_order_of_the_hand_does_not_matter_but_its_cards_do() -> None:
    model = network()
    index = int(np.flatnonzero(SAMPLES.observations["n_hand"] == 8)[0])
    before = logits(model, index)[0]
    seen = SAMPLES.observations.copy()
    for name in [name for name in seen.dtype.names if name.startswith("hand_") and seen[name].ndim == 2]:
        seen[name][index, :8] = seen[name][index, :8][::-1]
    ids = SAMPLES.candidate_ids.copy()
    own = slice(SAMPLES.starts[index], SAMPLES.starts[index + 1])
    ids[own, -5:] = np.where(ids[own, -5:] > 0, 9 - ids[own, -5:], 0)
    turned = padded(replace(SAMPLES, observations=seen, candidate_ids=ids), np.array([index]))
    only_cards = padded(replace(SAMPLES, candidate_ids=ids), np.array([index]))
    with torch.no_grad():
        assert np.allclose(judged(model, network_inputs(*turned)).logits[0].numpy(), before, atol=1e-5)
        assert not np.allclose(judged(model, network_inputs(*only_cards)).logits[0].numpy(), before, atol=1e-3)


@pytest.mark.parametrize("size", SIZES)
def test_sizes_have_names(size: str) -> None:
    assert config_of(size) is SIZES[size]
    assert sum(weight.numel() for weight in EntityNetwork(SIZES[size]).parameters()) < 3_000_000


def test_bad_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match='There is no size "huge"'):
        config_of("huge")
    with pytest.raises(ValueError, match="width must be a multiple of heads"):
        NetworkConfig(width=30, heads=4)


# --- Files ------------------------------------------------------------------------------------------------------------


def test_a_network_comes_back_from_its_files(tmp_path: Path) -> None:
    save_network(network(), tmp_path / "best", {"method": "none", "note": 1})
    again, card = load_network(tmp_path / "best.safetensors")
    assert (logits(again.eval(), 3)[0] == logits(network(), 3)[0]).all()
    assert (card["method"], card["note"], card["config"]["width"]) == ("none", 1, 16)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "best.json").write_text("{"), "cannot be used: it is not JSON"),
        (lambda folder: (folder / "best.json").write_text("{}"), "is not a network of the format"),
        (lambda folder: (folder / "best.json").unlink(), "cannot be read: No such file"),
        (lambda folder: (folder / "best.safetensors").write_bytes(b"1234"), "is not a file of weights, or was cut"),
        (lambda folder: (folder / "best.safetensors").open("ab").write(b"more"), "was cut or added to"),
        (lambda folder: save_network(with_weight(np.inf), folder / "best", {}), "weights that are not finite numbers"),
        (lambda folder: (folder / "best.safetensors").unlink(), "cannot be read: No such file"),
        (lambda folder: change(folder, "schema_hash", "0123"), "was made for other observations"),
        (lambda folder: change(folder, "config", {"width": 24, "heads": 2}), "does not hold the weights"),
        (lambda folder: change(folder, "config", {"width": "wide"}), "config: width must be"),
    ],
)
def test_files_that_are_not_a_network_are_refused(tmp_path: Path, spoil: object, message: str) -> None:
    save_network(network(), tmp_path / "best", {})
    spoil(tmp_path)  # type: ignore[operator]
    with pytest.raises(BadModel, match=message):
        load_network(tmp_path / "best")


def change(folder: Path, name: str, value: object) -> None:
    card = json.loads((folder / "best.json").read_text())
    (folder / "best.json").write_text(json.dumps({**card, name: value}))


def with_weight(number: float) -> EntityNetwork:
    """A network in which one of the weights is this."""
    model = network()
    with torch.no_grad():
        model.candidates.own.bias[0] = number
    return model


# --- ONNX -------------------------------------------------------------------------------------------------------------


def test_the_exported_network_says_the_same(exported: Path) -> None:
    assert largest_difference(network(), OnnxPolicy(exported), SAMPLES) < 1e-4


class Spoilt(OnnxPolicy):
    """Adds a number to one of its answers."""

    def spoil(self, name: str, more: float) -> None:
        self._name, self._more = name, more

    def evaluate(self, *batch: Any) -> Outputs:
        said = super().evaluate(*batch)
        return said._replace(**{self._name: getattr(said, self._name) + self._more})


@pytest.mark.parametrize("more", [0.5, -0.5, np.nan])
@pytest.mark.parametrize("name", OUTPUT_NAMES)
def test_every_answer_is_compared(exported: Path, name: str, more: float) -> None:
    policy, samples = Spoilt(exported), SAMPLES.take(np.arange(40))
    policy.spoil(name, 0.0)
    values = getattr(policy.evaluate(*padded(samples, np.arange(40))), name)
    policy.spoil(name, more)
    largest = max(1.0, np.abs(values[np.isfinite(values)]).max())
    found = largest_difference(network(), policy, samples)
    assert found == pytest.approx(abs(more) / largest, abs=1e-4, nan_ok=True)


def test_large_logits_may_differ_by_more(tmp_path: Path) -> None:
    """A float has seven digits, wherever its point is."""
    model = network()
    with torch.no_grad():
        for weight in model.candidates.parameters():
            weight *= 30
    samples = SAMPLES.take(np.arange(40))
    assert max(np.abs(row).max() for row in logits(model, *range(40))) > 1000
    assert export_network(model, tmp_path / "best.onnx", {}, samples) < 1e-4
    policy = Spoilt(tmp_path / "best.onnx")
    policy.spoil("logits", 5 * TOLERANCE)
    assert largest_difference(model, policy, samples) < TOLERANCE


def test_what_is_left_out_while_learning_is_there_in_play(tmp_path: Path) -> None:
    model = network(replace(SMALL, dropout=0.5))
    assert export_network(model.train(), tmp_path / "best.onnx", {}, SAMPLES.take(np.arange(40))) < 1e-4
    assert not model.training


def test_any_batch_and_any_number_of_candidates(exported: Path) -> None:
    policy = load_policy(exported.parent)
    for size in (1, 2, 33):
        batch = padded(SAMPLES, np.arange(size))
        found = policy.evaluate(*batch)
        assert found.logits.shape == batch[3].shape
        assert (np.isneginf(found.logits) == ~batch[3]).all()
        assert found.probabilities().sum(axis=1) == pytest.approx(1)
        assert found.clear.shape == (size, 6)
        assert ((found.win >= 0) & (found.win <= 1)).all()
        assert ((found.ante >= 1) & (found.ante <= 8)).all()


def test_the_file_tells_what_it_is(exported: Path) -> None:
    policy = OnnxPolicy(exported)
    assert policy.card["method"] == "none"
    assert policy.config == SMALL
    assert len(policy.hash) == 16


@pytest.mark.parametrize("difference", [2 * TOLERANCE, np.nan, np.inf])
def test_an_export_that_differs_is_not_kept(difference: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jimbo.models.export.largest_difference", lambda *_: difference)
    with pytest.raises(
        ExportFailed, match=rf"best\.onnx was not written: .* differs by {difference:g} from .* --lr\.$"
    ):
        export_network(network(), tmp_path / "best.onnx", {}, SAMPLES.take(np.arange(4)))
    assert not list(tmp_path.iterdir())


def test_files_that_do_not_play_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("hello")
    with pytest.raises(BadModel, match="is not a network that ONNX Runtime can read"):
        load_policy(tmp_path / "text.onnx")
    with pytest.raises(BadModel, match="cannot be read: No such file"):
        load_policy(tmp_path / "none.onnx")
    with pytest.raises(BadModel, match=r"holds no best\.onnx"):
        model_file(tmp_path)
    with pytest.raises(BadModel, match=r"There is no best\.onnx beside"):
        model_file(tmp_path / "best.safetensors")


def test_missing_weights_are_named_and_not_the_card_beside_them(tmp_path: Path) -> None:
    for name in ("none.safetensors", "none.json"):
        with pytest.raises(BadModel, match=r"none\.safetensors cannot be read: No such file"):
            load_network(tmp_path / name)
    save_network(network(), tmp_path / "half", {})
    (tmp_path / "half.json").unlink()
    with pytest.raises(BadModel, match=r"half\.json cannot be read: No such file"):
        load_network(tmp_path / "half.safetensors")
    with pytest.raises(BadModel, match=r"none\.safetensors cannot be read: No such file"):
        read_value(tmp_path / "none.safetensors")


def test_weights_that_are_too_large_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.safetensors").open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(BadModel, match=r"huge\.safetensors cannot be read: File too large"):
        load_network(tmp_path / "huge.safetensors")


@pytest.mark.parametrize("stored", ["raw_data", "float_data"])
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_a_file_with_weights_that_are_no_numbers_is_refused(
    exported: Path, tmp_path: Path, stored: str, number: float
) -> None:
    model = onnx.load(str(exported))
    weight = next(entry for entry in model.graph.initializer if len(entry.dims) == 2)
    numbers = onnx.numpy_helper.to_array(weight).copy()
    numbers[-1, -1] = number  # of the last thing in a table, which hardly any decision meets
    if stored == "raw_data":
        weight.raw_data = numbers.tobytes()
    else:
        weight.ClearField("raw_data")
        weight.float_data.extend(numbers.ravel().tolist())
    onnx.save(model, str(tmp_path / "bad.onnx"))
    with pytest.raises(BadModel, match=r"bad\.onnx cannot be used: it holds weights that are not finite numbers"):
        load_policy(tmp_path / "bad.onnx")


def other_name(graph: Any) -> None:
    for node in graph.node:
        node.output[:] = ["chance" if name == "win" else name for name in node.output]
    graph.output[1].name = "chance"


def one_more(graph: Any) -> None:
    graph.output.add().CopyFrom(onnx.helper.make_tensor_value_info(graph.node[0].output[0], 1, None))


def other_size(graph: Any) -> None:
    """Twice what it says of the blinds ahead."""
    for node in graph.node:
        node.output[:] = ["half" if name == "clear" else name for name in node.output]
    graph.node.append(onnx.helper.make_node("Concat", ["half", "half"], ["clear"], axis=1))
    graph.output[2].type.tensor_type.shape.dim[1].dim_value = 2 * BLINDS_AHEAD


@pytest.mark.parametrize("change", [other_name, one_more, other_size])
def test_a_file_with_other_outputs_is_refused(exported: Path, tmp_path: Path, change: Any) -> None:
    model = onnx.load(str(exported))
    change(model.graph)
    onnx.save(model, str(tmp_path / "other.onnx"))
    with pytest.raises(BadModel, match=r"other\.onnx (cannot be used: its inputs|is not a network that ONNX)"):
        load_policy(tmp_path / "other.onnx")
