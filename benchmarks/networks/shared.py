# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""What the programs of this folder share: where things stand, the models, the rivals and the words of a call."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build")
TOOL = os.environ.get("INLAY", os.path.join(BUILD, "examples", "inlay", "inlay"))

# What each rival is called, and its package; NAME_rival.py runs it.
RIVALS = {"onnxruntime": "onnxruntime==1.32.0", "openvino": "openvino==2026.4.1"}
PACKAGES = ["numpy==2.4.6", *RIVALS.values()]


# Too small for a race of its own, a block of a network, or much like another one.
NOT_RACED = {"bert_tiny", "mobilenet_block", "attention_layer", "vgg16"}


def say(sentence):
    print(f"{os.path.basename(sys.argv[0])}: {sentence}", file=sys.stderr)


def fail(sentence):
    say(sentence)
    sys.exit(2)


def own_and_tool_options():
    """The words of the call before `--`, and those after it, which go to the tool."""
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1:]


def need_tool(path=TOOL):
    if not os.path.exists(path):
        fail(f"there is no {os.path.relpath(path, ROOT)}; run sh examples/build.sh first")


def last_line(done):
    return (done.stderr.strip().splitlines() or ["no reason given"])[-1]


def environment(name="rivals", packages=None):
    """A Python with the packages of the rivals, or with others, made where it is missing. What cannot be installed is told of."""
    packages = packages or PACKAGES
    folder = os.path.join(BUILD, name)
    python = os.path.join(folder, "bin", "python")
    stamp = os.path.join(folder, "packages.txt")
    wanted = "\n".join(packages) + "\n"
    if os.path.exists(stamp) and open(stamp, encoding="utf-8").read() == wanted:
        return python
    say(f"installing {', '.join(packages)} into {folder}")
    made = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, text=True)
    if made.returncode != 0:
        fail(f"no Python environment could be made in {folder}: {last_line(made)}")
    complete = True
    for package in packages:
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--only-binary=:all:", package], capture_output=True, text=True)
        if done.returncode != 0:
            say(f"{package} could not be installed: {last_line(done)}")
            complete = False
    if complete:
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    return python


def rival_command(python, name, *words):
    """The words that start a rival."""
    return [python, os.path.join(HERE, f"{name}_rival.py"), *words]


def models():
    done = subprocess.run([sys.executable, os.path.join(ROOT, "benchmarks", "models", "prepare.py")])
    if done.returncode != 0:
        fail("the models could not be prepared")
    with open(os.path.join(BUILD, "models", "manifest.json"), encoding="utf-8") as file:
        return json.load(file)["models"]


def path_of(entry):
    return os.path.join(BUILD, "models", entry["file"])


def chosen_names(only, known):
    """The models that ONLY names, separated by commas; otherwise all whole networks."""
    names = only.split(",") if only else [n for n in known if n not in NOT_RACED]
    for name in names:
        if name not in known:
            fail(f"there is no model '{name}'; known are {', '.join(known)}")
    return names


def shape_options(entry):
    return [word for name, extents in entry["shapes"].items() for word in ("--shape", f"{name}={','.join(map(str, extents))}")]


def quantized(name, entry):
    """The file of a network that quantize.py made of it, kept in build/models/quantized; None, and why, where it makes none."""
    folder = os.path.join(BUILD, "models", "quantized")
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, name + ".onnx")
    if not os.path.exists(file):
        made = subprocess.run([sys.executable, os.path.join(HERE, "quantize.py"), path_of(entry), file, *shape_options(entry)], capture_output=True, text=True)
        if made.returncode != 0:
            say(f"{name}: {last_line(made)}")
            return None
    return file
