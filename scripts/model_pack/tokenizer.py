"""Writes the tokenizer's files in the form that the `tokenizers` library reads.

The pieces come from the weights file. The character map is SentencePiece's own `nmt_nfkc`,
the one the original model was trained with, taken from the `sentencepiece` package.
"""

import base64
import json
from typing import Dict, List, Tuple

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

MAX_TOKENS = 512
SPECIAL_TOKENS = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 250001}


def tokenizer_files(pieces: List[Tuple[str, float]]) -> Dict[str, bytes]:
    """The four JSON files of a pack that describe its tokens, by name."""
    for token, index in SPECIAL_TOKENS.items():
        if pieces[index][0] != token:
            raise ValueError(f"piece {index} is {pieces[index][0]!r}, not {token!r}")
    return {
        "tokenizer.json": _json(_tokenizer(pieces), indent=None),
        "config.json": _json(CONFIG),
        "tokenizer_config.json": _json(TOKENIZER_CONFIG),
        "special_tokens_map.json": _json(SPECIAL_TOKENS_MAP),
    }


def _tokenizer(pieces: List[Tuple[str, float]]) -> dict:
    metaspace = {
        "type": "Metaspace",
        "replacement": "\u2581",
        "prepend_scheme": "always",
        "split": True,
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": index,
                "content": token,
                "single_word": False,
                "lstrip": token == "<mask>",
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for token, index in SPECIAL_TOKENS.items()
        ],
        "normalizer": {
            "type": "Precompiled",
            "precompiled_charsmap": base64.b64encode(_character_map()).decode("ascii"),
        },
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [_special("<s>", 0), _sequence("A", 0), _special("</s>", 0)],
            "pair": [
                _special("<s>", 0),
                _sequence("A", 0),
                _special("</s>", 0),
                _special("</s>", 0),
                _sequence("B", 0),
                _special("</s>", 0),
            ],
            "special_tokens": {
                token: {"id": token, "ids": [SPECIAL_TOKENS[token]], "tokens": [token]}
                for token in ("<s>", "</s>")
            },
        },
        "decoder": metaspace,
        "model": {
            "type": "Unigram",
            "unk_id": SPECIAL_TOKENS["<unk>"],
            "vocab": [[piece, score] for piece, score in pieces],
            "byte_fallback": False,
        },
    }


def _character_map() -> bytes:
    normalizer = sentencepiece.SentencePieceNormalizer(rule_name="nmt_nfkc")
    spec = sentencepiece_model_pb2.ModelProto.FromString(normalizer.serialized_model_proto())
    return spec.normalizer_spec.precompiled_charsmap


def _special(token: str, type_id: int) -> dict:
    return {"SpecialToken": {"id": token, "type_id": type_id}}


def _sequence(name: str, type_id: int) -> dict:
    return {"Sequence": {"id": name, "type_id": type_id}}


def _json(value: dict, indent=2) -> bytes:
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    return (text + "\n").encode("utf-8")


SPECIAL_TOKENS_MAP = {
    "bos_token": "<s>",
    "eos_token": "</s>",
    "unk_token": "<unk>",
    "sep_token": "</s>",
    "pad_token": "<pad>",
    "cls_token": "<s>",
    "mask_token": "<mask>",
}

TOKENIZER_CONFIG = {
    "tokenizer_class": "XLMRobertaTokenizer",
    "model_max_length": MAX_TOKENS,
    "clean_up_tokenization_spaces": True,
    **SPECIAL_TOKENS_MAP,
}

CONFIG = {
    "architectures": ["BertModel"],
    "model_type": "bert",
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": MAX_TOKENS,
    "type_vocab_size": 2,
    "vocab_size": 250002,
    "pad_token_id": SPECIAL_TOKENS["<pad>"],
    "tokenizer_class": "XLMRobertaTokenizer",
}
