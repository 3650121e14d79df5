#!/usr/bin/env python3
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""What networks come to on models of accelerators: accelerator.py [--only NAME,...] [--target 'accel -rows=16 ..., vector_dsp'] [--roofline FILE.svg]

Quantises each network (quantize.py, kept in build/models/quantized), gives the accelerators every layer that they have, each to the first that
has it, and prints cycles, the share of what each can do in a cycle that is used, by all layers and by those that use weights more than once (a
product of one row does not), bytes from and to DRAM, and frames a second of its layers alone. Beside some stands what silicon was published to
reach, as plausibility: other machines, other precision, other batches.

--roofline draws the layers of the networks under the roofs of their machines: what they do in a cycle against what they do for each byte. A byte
that is loaded and one that is stored go side by side, so that the memory's roof is twice what one engine moves.
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import roofline  # noqa: E402
import shared  # noqa: E402

NETWORKS = ["alexnet", "vgg16", "resnet50", "squeezenet", "inception_v1", "densenet121", "mobilenet_v2"]
# What silicon was published to do: frames a second of how many million MACs each, by how many units for products, at how many MHz.
PUBLISHED = {
    "alexnet": ("Eyeriss, convolutions (Chen et al., JSSC 2017)", 34.7, 666, 168, 200),
    "vgg16": ("Eyeriss, convolutions (Chen et al., JSSC 2017)", 0.7, 15350, 168, 200),
    "resnet50": ("Gemmini, 16x16 (Genc et al., DAC 2021)", 22.8, 4089, 256, 1000),
}


def published(name):
    """What silicon was published to reach on a network, as a share of its peak."""
    if name not in PUBLISHED:
        return ""
    where, frames, mega_macs, units, mhz = PUBLISHED[name]
    return f"{100 * frames * mega_macs / (units * mhz):.0f}% {where}"


def machines_of(target):
    """The accelerators that a target names, in its order, and the bytes that the engines of each move in a cycle."""
    done = subprocess.run([shared.TOOL, "targets", "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        shared.fail(f"the tool lists no targets: {shared.last_line(done)}")
    known = {t["kind"]: {o["name"]: o["default"] for o in t["options"]} for t in json.loads(done.stdout)["targets"]}
    made = {}
    for one in target.split(","):
        kind, *words = one.split()
        if "dma_bytes" not in known.get(kind, {}):
            shared.fail(f"'{kind}' is no accelerator that moves bytes by engines")
        given = dict(w.lstrip("-").split("=", 1) for w in words if "=" in w)
        made[kind] = 2 * int(given.get("dma_bytes", known[kind]["dma_bytes"]))
    return made


def peak_of(part):
    """What its machine can do in a cycle for a part of the plan."""
    return round(part["macs"] / (part["cycles"] * part["utilization"]))


def used(parts):
    """The share of what the machine can do in the cycles of these parts that they do."""
    most = sum(p["cycles"] * peak_of(p) for p in parts if p["macs"] > 0)
    return f"{100 * sum(p['macs'] for p in parts) / most:6.1f}%" if most else f"{'-':>7}"


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--only", default="", help="names of networks, with commas between")
    words.add_argument("--target", default="accel", help="the accelerators with their options, with commas between")
    words.add_argument("--roofline", metavar="FILE.svg", help="where a picture of all layers goes")
    given = words.parse_args()
    shared.need_tool()
    machines = machines_of(given.target)
    entries = shared.models()
    layers = {kind: [] for kind in machines}
    names = given.only.split(",") if given.only else NETWORKS
    print(f"{'network':14} {'machine':10} {'layers':>6} {'mega MACs':>9} {'kilocycles':>10} {'used':>7} {'reusing':>7} {'DRAM MB':>8} {'frames/s':>8}")
    for name in names:
        if name not in entries:
            shared.fail(f"there is no model '{name}'; known are {', '.join(entries)}")
        file = shared.quantized(name, entries[name])
        if file is None:
            continue
        done = subprocess.run([shared.TOOL, "price", file, "--by-steps", "--target", given.target + ", c", "--costs", "model", "--partitioner", "eager", "--quiet",
                               "--json"], capture_output=True, text=True)
        if done.returncode != 0:
            shared.fail(f"{name}: {shared.last_line(done)}")
        all_parts = json.loads(done.stdout)["partitions"]
        for kind in machines:
            parts = [p for p in all_parts if p["backend"] == kind and p.get("cycles", 0) > 0]
            if not parts:
                shared.say(f"{name}: {kind} has none of its layers")
                continue
            layers[kind] += [{"name": f"{name} {p['nodes'][-1]}", "operations": p["macs"], "bytes": p["bytes"]["dram"], "cycles": p["cycles"], "peak": peak_of(p)}
                             for p in parts if p["macs"] > 0]
            cycles, macs = sum(p["cycles"] for p in parts), sum(p["macs"] for p in parts)
            reusing = [p for p in parts if p["macs"] > 4 * p["bytes"]["dram"]]
            print(f"{name:14} {kind:10} {sum(len(p['composites']) for p in parts):6} {macs / 1e6:9.1f} {cycles / 1e3:10.1f} {used(parts)} {used(reusing)} "
                  f"{sum(p['bytes']['dram'] for p in parts) / 1e6:8.1f} {1 / sum(p['seconds'] for p in parts):8.1f}   "
                  f"{published(name) if kind == 'accel' else ''}".rstrip(), flush=True)
    if given.roofline:
        drawn = [{"name": kind, "peaks": sorted({one["peak"] for one in layers[kind]}), "bytes_per_cycle": moved, "layers": layers[kind]}
                 for kind, moved in machines.items() if layers[kind]]
        if not drawn:
            shared.fail("no accelerator has a layer, and so there is no picture")
        with open(given.roofline, "w", encoding="utf-8") as out:
            out.write(roofline.roofline(", ".join(names), drawn))


if __name__ == "__main__":
    main()
