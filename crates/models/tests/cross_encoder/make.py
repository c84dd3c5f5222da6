#!/usr/bin/env python3
"""Makes the small cross-encoders of the tests beside it.

    python make.py            (needs the package `onnx`, 1.16 or newer)

A passage scores by the share of the question's known words that it has, which is what a real
cross-encoder would never stop at, but which a test can foretell: logit = 8 * share - 4. The weight
of a word is looked up in a table as an embedding is; marks and unknown words weigh nothing.

- `one_logit/`  takes ids, mask and types, and gives `logits` of shape [1, 1], as MiniLM's exports do.
- `two_logits/` takes ids and mask only, and gives [1, 2] under another name, as classifiers do; it
  tells the question from the passage by the separator between them.
"""

import json
from pathlib import Path

from onnx import TensorProto, checker, helper, numpy_helper
import numpy

HERE = Path(__file__).parent
MARKS = ["[CLS]", "[SEP]", "[UNK]"]
WORDS = """
    account address adresse ancre annuler arrive attendre achat billing bill business cancel carte
    change changer choose choisir client code colis commande compte connexion contrat cost days
    delivered delivery délai expédition facture forgot forgotten garantie guarantee heures invoice
    jours livraison livré login mois month mot new nouveau numéro offer order oublié paiement parcel
    pass password passe payment pays price prix produit rembourse remboursement refund reset
    retour return réinitialiser service shipping sign support ticket transporteur two warranty
""".split()
TOKENS = MARKS + sorted(set(WORDS))


def tokenizer() -> dict:
    """Words, lower case, with the marks of a pair around them."""

    def mark(name: str, kind: int) -> dict:
        return {"SpecialToken": {"id": name, "type_id": kind}}

    def text(name: str, kind: int) -> dict:
        return {"Sequence": {"id": name, "type_id": kind}}

    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [mark("[CLS]", 0), text("A", 0), mark("[SEP]", 0)],
            "pair": [mark("[CLS]", 0), text("A", 0), mark("[SEP]", 0), text("B", 1), mark("[SEP]", 1)],
            "special_tokens": {
                name: {"id": name, "ids": [TOKENS.index(name)], "tokens": [name]}
                for name in ["[CLS]", "[SEP]"]
            },
        },
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {token: number for number, token in enumerate(TOKENS)},
            "unk_token": "[UNK]",
        },
    }


def constant(name: str, values, kind=numpy.float32):
    return numpy_helper.from_array(numpy.array(values, dtype=kind), name)


def graph(has_types: bool):
    """The graph; everything is of the shape [batch, tokens] until it says otherwise."""
    weights = [0.0] * len(MARKS) + [1.0] * (len(TOKENS) - len(MARKS))
    constants = [
        constant("weights", weights),
        constant("one", 1.0),
        constant("half", 0.5),
        constant("tiny", 1e-6),
        constant("eight", 8.0),
        constant("four", 4.0),
        constant("last", [1], numpy.int64),
        constant("as_column", [2], numpy.int64),
        constant("as_row", [1], numpy.int64),
    ]
    nodes = []

    def node(operator: str, inputs: list[str], output: str, **attributes) -> str:
        nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    if has_types:
        node("Cast", ["token_type_ids"], "type", to=TensorProto.FLOAT)
    else:
        # A token belongs to the passage when a separator stands before it.
        constants.append(constant("separator", TOKENS.index("[SEP]"), numpy.int64))
        constants.append(constant("axis", 1, numpy.int64))
        node("Equal", ["input_ids", "separator"], "is_separator")
        node("Cast", ["is_separator"], "separators", to=TensorProto.FLOAT)
        node("CumSum", ["separators", "axis"], "separators_before", exclusive=1)
        node("Min", ["separators_before", "one"], "type")
    node("Gather", ["weights", "input_ids"], "weight")
    node("Mul", ["weight", "mask"], "word")
    node("Sub", ["one", "type"], "not_type")
    node("Mul", ["word", "not_type"], "of_question")
    node("Mul", ["word", "type"], "of_passage")
    # [batch, tokens, tokens]: whether a word of the question is one of the passage.
    node("Unsqueeze", ["input_ids", "as_column"], "ids_column")
    node("Unsqueeze", ["input_ids", "as_row"], "ids_row")
    node("Equal", ["ids_column", "ids_row"], "is_same")
    node("Cast", ["is_same"], "same", to=TensorProto.FLOAT)
    node("Unsqueeze", ["of_passage", "as_row"], "passage_row")
    node("Mul", ["same", "passage_row"], "shared")
    node("ReduceMax", ["shared", "as_column"], "has_word", keepdims=0)
    # [batch, 1]: the share of the question's words.
    node("Mul", ["of_question", "has_word"], "found")
    node("ReduceSum", ["found", "last"], "found_count", keepdims=1)
    node("ReduceSum", ["of_question", "last"], "asked_count", keepdims=1)
    node("Add", ["asked_count", "tiny"], "asked")
    node("Div", ["found_count", "asked"], "share")
    node("Mul", ["share", "eight"], "scaled")
    node("Sub", ["scaled", "four"], "logits" if has_types else "score")
    names = ["input_ids", "attention_mask"]
    if has_types:
        names.append("token_type_ids")
        output = ("logits", 1)
    else:
        node("Mul", ["score", "half"], "by")
        node("Neg", ["by"], "against")
        node("Concat", ["against", "by"], "output_0", axis=1)
        output = ("output_0", 2)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in names
    ]
    outputs = [helper.make_tensor_value_info(output[0], TensorProto.FLOAT, ["batch", output[1]])]
    return helper.make_graph(nodes, "shared_words", inputs, outputs, constants)


def main() -> None:
    for name, has_types in [("one_logit", True), ("two_logits", False)]:
        folder = HERE / name
        folder.mkdir(exist_ok=True)
        model = helper.make_model(
            graph(has_types), opset_imports=[helper.make_opsetid("", 18)], ir_version=9
        )
        checker.check_model(model, full_check=True)
        (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
        text = json.dumps(tokenizer(), ensure_ascii=False, indent=1)
        (folder / "tokenizer.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
