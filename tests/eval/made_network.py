"""A network file that was not trained but written: it likes candidates by the sum of their numbers."""

import json
from pathlib import Path

import pytest

from jimbo.models import config_of
from jimbo.models.checkpoint import card_of
from jimbo.models.outputs import BLINDS_AHEAD
from jimbo.models.runtime import CARD_KEY

ANTES = 8


def write_network(path: Path, method: str = "pv") -> Path:
    """P(win) is 0.5, P(1 more blind) 0.5, and every ante is as likely as any other."""
    onnx = pytest.importorskip("onnx")
    make, types = onnx.helper, onnx.TensorProto

    def one_of(name: str, values: object) -> object:
        return make.make_tensor(name, types.INT64, [len(values)], values)  # type: ignore[arg-type]

    zeros = make.make_tensor("zero", types.FLOAT, [1], [0.0])
    numbers = make.make_tensor_value_info("candidate_numbers", types.FLOAT, ["batch", "candidates", "numbers"])
    shapes = {
        "logits": ["batch", "candidates"],
        "win": ["batch"],
        "clear": ["batch", BLINDS_AHEAD],
        "ante": ["batch", ANTES],
    }
    nodes = [
        make.make_node("ReduceSum", ["candidate_numbers", "last"], ["logits"], keepdims=0),
        make.make_node("Shape", ["candidate_numbers"], ["batch"], start=0, end=1),
        make.make_node("ConstantOfShape", ["batch"], ["win"], value=zeros),
        make.make_node("Concat", ["batch", "ahead"], ["clear_shape"], axis=0),
        make.make_node("ConstantOfShape", ["clear_shape"], ["clear"], value=zeros),
        make.make_node("Concat", ["batch", "antes"], ["ante_shape"], axis=0),
        make.make_node("ConstantOfShape", ["ante_shape"], ["ante"], value=zeros),
    ]
    outputs = [make.make_tensor_value_info(name, types.FLOAT, shape) for name, shape in shapes.items()]
    constants = [one_of("last", [-1]), one_of("ahead", [BLINDS_AHEAD]), one_of("antes", [ANTES])]
    graph = make.make_graph(nodes, "made", [numbers], outputs, constants)
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 18)], ir_version=9)
    entry = model.metadata_props.add()
    entry.key, entry.value = CARD_KEY, json.dumps(card_of(config_of("tiny"), {"method": method}))
    onnx.save(model, str(path))
    return path
