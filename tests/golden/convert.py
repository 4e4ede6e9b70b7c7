#!/usr/bin/env python3
"""Turns the golden .npz files (weights, inputs and outputs of the authors' own network code) into safetensors files with
this project's tensor names.  Usage: convert.py weights|case IN.npz OUT.safetensors   (needs NumPy)

`weights` writes the weights as a checkpoint that moco reads; `case` writes the inputs and outputs for the tests."""
import json
import re
import struct
import sys

import numpy as np


def own_name(name):
    net, rest = re.match(r"(init|update)\.GNN\.(.*)", name).groups()
    suffix = {"w": ".w", "b": ".b", "scale": ".scale", "offset": ".offset"}[rest.rsplit(".", 1)[1]]
    layer = rest.rsplit(".", 1)[0]
    found = re.match(r"GNN_Blocks\.(edge|node|global)_fn_(linear|ln)(?:_(\d+))?$", layer)
    if found:
        part, kind, block = found.groups()
        return f"{net}.blocks.{block or 0}.{part}{'_norm' if kind == 'ln' else ''}{suffix}"
    found = re.match(r"GCN_Layer(?:_(\d+))?\.(W1|W2|W3|global_fn_linear)$", layer)
    if found:
        block, part = found.groups()
        own = {"W1": "self", "W2": "neighbour", "W3": "mix", "global_fn_linear": "global"}[part]
        return f"{net}.blocks.{block or 0}.{own}{suffix}"
    return f"{net}.{layer}{suffix}"


def main():
    what, source, target = sys.argv[1:]
    arrays = np.load(source)
    metadata = {"origin": "authors' network code, float32 at highest matmul precision"}
    if what == "weights":
        config = {"problem": "tsp" if "neighbours" in arrays.files else "mis", "rule": "gnn", "hidden": 128, "blocks": 3,
                  "gcn": "authors", "global_pooling": "sum", "learning_rate": 0.2}
        metadata.update({"moco.format": "1", "moco.config": json.dumps(config)})
    header, blobs, offset = {"__metadata__": metadata}, [], 0
    for name in arrays.files:
        weight = name.startswith(("init.", "update."))
        if weight != (what == "weights"):
            continue
        value = arrays[name]
        value = np.ascontiguousarray(value.astype("<f4" if value.dtype.kind == "f" else "<i4"))
        blob = value.tobytes()
        header[own_name(name) if weight else name] = {
            "dtype": "F32" if value.dtype.kind == "f" else "I32",
            "shape": list(arrays[name].shape),
            "data_offsets": [offset, offset + len(blob)],
        }
        blobs.append(blob)
        offset += len(blob)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(target, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


main()
