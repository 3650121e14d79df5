# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime as a rival of `inlay bench --rival`: says `ready`, then answers each line `run` with the seconds of one inference.

    python onnxruntime_rival.py MODEL --threads N [--shape NAME=1,3,224,224]... [--save FOLDER --inputs FOLDER]

With --save it runs once on the .npy files of --inputs and saves the results there instead.
"""
import argparse
import os
import sys
import time

import numpy
import onnxruntime

ELEMENTS = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32}


def session_of(path, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    # Its threads spin while it runs, and let go of the cores when it is done: others run in the same rounds.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def values_of(session, shapes):
    random = numpy.random.default_rng(1)
    values = {}
    for one in session.get_inputs():
        shape = shapes.get(one.name) or [d if isinstance(d, int) else 1 for d in one.shape]
        element = ELEMENTS[one.type]
        values[one.name] = random.random(shape, numpy.float32) if element is numpy.float32 else random.integers(0, 2, shape).astype(element)
    return values


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--shape", action="append", default=[])
    parser.add_argument("--inputs")
    parser.add_argument("--save")
    arguments = parser.parse_args()
    session = session_of(arguments.model, arguments.threads)
    if arguments.save:
        values = {one.name: numpy.load(os.path.join(arguments.inputs, one.name.replace("/", "_") + ".npy")) for one in session.get_inputs()}
        for one, value in zip(session.get_outputs(), session.run(None, values)):
            numpy.save(os.path.join(arguments.save, one.name.replace("/", "_") + ".npy"), value)
        return
    shapes = {}
    for text in arguments.shape:
        name, extents = text.rsplit("=", 1)
        shapes[name] = [int(e) for e in extents.split(",")]
    values = values_of(session, shapes)
    session.run(None, values)
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "run":
            start = time.perf_counter()
            session.run(None, values)
            print(f"{time.perf_counter() - start:.9f}", flush=True)


main()
