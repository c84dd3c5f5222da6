"""Writes the encoder as an ONNX graph that any ONNX Runtime runs: standard operators only.

The word embeddings stay in their 4-bit blocks and are unpacked for the tokens at hand, which
loses nothing. The matrices become 7-bit integers with one scale per output column; their
inputs become 8-bit integers while running, with one scale per token. ONNX Runtime joins each
QuantizeLinear, DequantizeLinear and MatMul into one integer product. Seven bits, because its
AVX2 kernel adds two products in 16 bits and would saturate with eight. Pooling is left to the
caller: the output is `last_hidden_state`.
"""

from typing import List

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .weights import BLOCK, Weights

HIDDEN, HEADS, HEAD, INNER, VOCABULARY, POSITIONS = 384, 12, 32, 1536, 250002, 512
BLOCKS = HIDDEN // BLOCK
OPSET = 20
IR_VERSION = 9
WEIGHT_LIMIT = 64
LAYER_NORM_EPSILON = 1e-12
# Added to the score of a padding token; far below any real score, and finite in f32.
MASKED = -1e9

# Names of constants that every layer uses.
LAST_AXIS, UNIT_STEP, UNIT_ZERO = "last_axis", "unit_step", "unit_zero"
SPLIT_HEADS, HEAD_SCALE, WHOLE_ROW = "split_heads", "head_scale", "whole_row"


def build_model(weights: Weights) -> bytes:
    """The serialized ONNX model. The same weights always give the same bytes."""
    graph = _Graph()
    graph.constant(LAST_AXIS, np.array([-1], np.int64))
    graph.constant(UNIT_STEP, np.float32(1 / 127))
    graph.constant(UNIT_ZERO, np.uint8(128))
    graph.constant(SPLIT_HEADS, np.array([0, 0, HEADS, HEAD], np.int64))
    graph.constant(HEAD_SCALE, np.float32([HEAD**-0.5]))
    graph.constant(WHOLE_ROW, np.array([0, 0, HIDDEN], np.int64))
    hidden = _embeddings(graph, weights)
    mask = _attention_mask(graph)
    for layer in range(weights.layers):
        hidden = _encoder_layer(graph, weights, f"l{layer}", hidden, mask)
    graph.node("Identity", [hidden], output="last_hidden_state")
    return graph.serialize()


class _Graph:
    """Nodes and constants in the order they are added; names are counted, so they repeat."""

    def __init__(self):
        self.nodes: List[onnx.NodeProto] = []
        self.constants: List[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        # Little-endian and contiguous, whatever the machine: the bytes go into the file.
        value = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def node(self, operator: str, inputs: List[str], output: str = "", **attributes) -> str:
        output = output or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def nodes_with_outputs(
        self, operator: str, inputs: List[str], count: int, **attributes
    ) -> List[str]:
        outputs = [f"{operator.lower()}_{len(self.nodes)}_{i}" for i in range(count)]
        self.nodes.append(helper.make_node(operator, inputs, outputs, **attributes))
        return outputs

    def serialize(self) -> bytes:
        def int64(name):
            return helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])

        output = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", HIDDEN]
        )
        graph = helper.make_graph(
            self.nodes,
            "multilingual-e5-small",
            [int64("input_ids"), int64("attention_mask"), int64("token_type_ids")],
            [output],
            self.constants,
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="ancre",
        )
        onnx.checker.check_model(model)
        return model.SerializeToString(deterministic=True)


def _embeddings(graph: _Graph, weights: Weights) -> str:
    words = _word_embeddings(graph, weights)
    types = graph.constant("type_embeddings", weights.f32("emb.type").reshape(2, HIDDEN))
    positions = graph.constant(
        "position_embeddings", weights.f32("emb.pos").reshape(POSITIONS, HIDDEN)
    )
    length = graph.node("Shape", ["input_ids"], start=1, end=2)
    first = graph.constant("zero", np.array([0], np.int64))
    positions = graph.node("Slice", [positions, first, length, first])
    total = graph.node("Add", [words, graph.node("Gather", [types, "token_type_ids"])])
    total = graph.node("Add", [total, positions])
    return _layer_norm(graph, weights, "emb.ln", total)


def _word_embeddings(graph: _Graph, weights: Weights) -> str:
    # The file has 35 rows after the last piece that no token uses.
    scales, codes = weights.q4_blocks("emb.word")
    scales = scales.reshape(-1, BLOCKS)[:VOCABULARY]
    codes = codes.reshape(-1, HIDDEN // 2)[:VOCABULARY]
    codes = graph.constant("word_codes", codes)
    scales = graph.constant("word_scales", scales)
    half = graph.constant("half_block", np.array([0, 0, BLOCKS, BLOCK // 2], np.int64))
    packed = graph.node("Reshape", [graph.node("Gather", [codes, "input_ids"]), half])
    low = graph.node("BitwiseAnd", [packed, graph.constant("low_bits", np.uint8([15]))])
    four = graph.constant("four", np.uint8([4]))
    high = graph.node("BitShift", [packed, four], direction="RIGHT")
    codes = graph.node("Concat", [low, high], axis=3)
    codes = graph.node("Cast", [codes], to=TensorProto.FLOAT)
    codes = graph.node("Sub", [codes, graph.constant("code_zero", np.float32([8]))])
    scales = graph.node("Gather", [scales, "input_ids"])
    scales = graph.node("Cast", [scales], to=TensorProto.FLOAT)
    words = graph.node("Mul", [codes, graph.node("Unsqueeze", [scales, LAST_AXIS])])
    return graph.node("Reshape", [words, WHOLE_ROW])


def _attention_mask(graph: _Graph) -> str:
    """[batch, 1, 1, tokens]: 0 for a token, MASKED for padding."""
    axes = graph.constant("mask_axes", np.array([1, 2], np.int64))
    mask = graph.node("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    mask = graph.node("Sub", [graph.constant("one", np.float32([1])), mask])
    mask = graph.node("Mul", [mask, graph.constant("masked", np.float32([MASKED]))])
    return graph.node("Unsqueeze", [mask, axes])


def _encoder_layer(graph: _Graph, weights: Weights, layer: str, hidden: str, mask: str) -> str:
    attended = _attention(graph, weights, layer, hidden, mask)
    attended = _dense(graph, weights, f"{layer}.ao", [f"{layer}.ao"], HIDDEN, attended)
    total = graph.node("Add", [hidden, attended])
    hidden = _layer_norm(graph, weights, f"{layer}.aln", total)
    inner = _dense(graph, weights, f"{layer}.fi", [f"{layer}.fi"], INNER, hidden)
    inner = graph.node("Gelu", [inner])
    inner = _dense(graph, weights, f"{layer}.fo", [f"{layer}.fo"], HIDDEN, inner)
    return _layer_norm(graph, weights, f"{layer}.oln", graph.node("Add", [hidden, inner]))


def _attention(graph: _Graph, weights: Weights, layer: str, hidden: str, mask: str) -> str:
    # Query, key and value in one product: their input is quantized once.
    parts = [f"{layer}.{part}" for part in "qkv"]
    joined = _dense(graph, weights, f"{layer}.qkv", parts, HIDDEN, hidden)
    thirds = graph.nodes_with_outputs("Split", [joined], 3, axis=2, num_outputs=3)
    query, key, value = (graph.node("Reshape", [third, SPLIT_HEADS]) for third in thirds)
    query = graph.node("Transpose", [query], perm=[0, 2, 1, 3])
    key = graph.node("Transpose", [key], perm=[0, 2, 3, 1])
    value = graph.node("Transpose", [value], perm=[0, 2, 1, 3])
    scores = graph.node("Mul", [graph.node("MatMul", [query, key]), HEAD_SCALE])
    scores = graph.node("Softmax", [graph.node("Add", [scores, mask])], axis=-1)
    mixed = graph.node("MatMul", [scores, value])
    mixed = graph.node("Transpose", [mixed], perm=[0, 2, 1, 3])
    return graph.node("Reshape", [mixed, WHOLE_ROW])


def _dense(
    graph: _Graph, weights: Weights, name: str, parts: List[str], width: int, inputs: str
) -> str:
    """inputs · W + b in integers, where W and b stand side by side for each of `parts`."""
    matrices = [weights.q4_as_f32(f"{part}.w", width).T for part in parts]
    integers, scales = _quantize_columns(np.concatenate(matrices, axis=1))
    bias = np.concatenate([weights.f32(f"{part}.b") for part in parts])
    matrix = graph.node(
        "DequantizeLinear",
        [
            graph.constant(f"{name}.w", integers),
            graph.constant(f"{name}.scale", scales),
            graph.constant(f"{name}.zero", np.zeros(len(scales), np.int8)),
        ],
        axis=1,
    )
    # Each token is divided by its own largest value, so that one token's outlier costs the
    # others no precision, and a text has the same vector alone and in a batch.
    largest = graph.node("ReduceMax", [graph.node("Abs", [inputs]), LAST_AXIS])
    unit = graph.node("Div", [inputs, largest])
    unit = graph.node("QuantizeLinear", [unit, UNIT_STEP, UNIT_ZERO])
    unit = graph.node("DequantizeLinear", [unit, UNIT_STEP, UNIT_ZERO])
    product = graph.node("Mul", [graph.node("MatMul", [unit, matrix]), largest])
    return graph.node("Add", [product, graph.constant(f"{name}.b", bias)])


def _quantize_columns(matrix: np.ndarray):
    """Symmetric integers in [-64, 64] and the f32 scale of each column."""
    scales = (np.abs(matrix).max(axis=0) / np.float32(WEIGHT_LIMIT)).astype(np.float32)
    return np.rint(matrix / scales).astype(np.int8), scales


def _layer_norm(graph: _Graph, weights: Weights, name: str, inputs: str) -> str:
    scale = graph.constant(f"{name}.w", weights.f32(f"{name}.w"))
    bias = graph.constant(f"{name}.b", weights.f32(f"{name}.b"))
    return graph.node(
        "LayerNormalization", [inputs, scale, bias], epsilon=LAYER_NORM_EPSILON, axis=-1
    )
