#!/usr/bin/env python3
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""What networks come to on the accelerator's model: accelerator.py [--only NAME,...] [--target 'accel -rows=16 ...']

Quantises each network (quantize.py, kept in build/models/quantized), gives the accelerator every layer that it has, and prints cycles, the
share of the array that is used, bytes from and to DRAM, and frames a second of its layers alone. Beside some stands what silicon was
published to reach, as plausibility: other machines, other precision, other batches.
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shared  # noqa: E402

NETWORKS = ["alexnet", "vgg19", "resnet50", "squeezenet", "inception_v1", "densenet121"]
# Share of peak that a chip was published to reach on convolutions.
PUBLISHED = {"alexnet": "Eyeriss 69 % (Chen et al., JSSC 2017)", "vgg19": "Eyeriss 32 % on VGG-16 (Chen et al., JSSC 2017)",
             "resnet50": "Gemmini 36 %, 16x16 (Genc et al., DAC 2021)"}


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--only", default="", help="names of networks, with commas between")
    words.add_argument("--target", default="accel", help="the accelerator with its options")
    given = words.parse_args()
    shared.need_tool()
    entries = shared.models()
    folder = os.path.join(shared.BUILD, "models", "quantized")
    os.makedirs(folder, exist_ok=True)
    print(f"{'network':14} {'layers':>6} {'mega MACs':>9} {'kilocycles':>10} {'array used':>10} {'DRAM MB':>8} {'frames/s':>8}")
    for name in given.only.split(",") if given.only else NETWORKS:
        if name not in entries:
            shared.fail(f"there is no model '{name}'; known are {', '.join(entries)}")
        file = os.path.join(folder, name + ".onnx")
        if not os.path.exists(file):
            made = subprocess.run([sys.executable, os.path.join(shared.HERE, "quantize.py"), shared.path_of(entries[name]), file], capture_output=True, text=True)
            if made.returncode != 0:
                shared.say(f"{name}: {shared.last_line(made)}")
                continue
        done = subprocess.run([shared.TOOL, "price", file, "--by-steps", "--target", given.target + ", c", "--costs", "model", "--partitioner", "eager", "--quiet",
                               "--json"], capture_output=True, text=True)
        if done.returncode != 0:
            shared.fail(f"{name}: {shared.last_line(done)}")
        parts = [p for p in json.loads(done.stdout)["partitions"] if p["backend"] == "accel"]
        cycles, macs = sum(p["cycles"] for p in parts), sum(p["macs"] for p in parts)
        if cycles == 0:
            shared.say(f"{name}: the accelerator has none of its layers")
            continue
        size = parts[0]["macs"] / (parts[0]["cycles"] * parts[0]["utilization"])
        seconds = sum(p["seconds"] for p in parts)
        print(f"{name:14} {sum(len(p['composites']) for p in parts):6} {macs / 1e6:9.1f} {cycles / 1e3:10.1f} {100 * macs / (cycles * size):9.1f}% "
              f"{sum(p['bytes']['dram'] for p in parts) / 1e6:8.1f} {1 / seconds:8.1f}   {PUBLISHED.get(name, '')}", flush=True)


if __name__ == "__main__":
    main()
