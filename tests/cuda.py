# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compiles the CUDA kernels of networks for some architectures: cuda.py PROGRAM

The networks are ONNX's light ones in build/models/onnx and one large product, by tensor cores; they are planned by the model of cuda_cxx. Nothing is run:
there need be no device. A line of TAP for each network and architecture; a skip where NVIDIA's compiler or the network is not here.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz"))
import seeds  # noqa: E402
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

NETWORKS = ("squeezenet", "shufflenet")
ARCHITECTURES = ("sm_80", "sm_90a")


def compiler():
    """NVIDIA's: the variable NVCC, nvcc in PATH, or what sh examples/install.sh cuda fetched; None where there is none."""
    fetched = glob.glob(os.path.join(source_tree.ROOT, "build", "venv", "lib", "python3*", "site-packages", "nvidia", "cu13", "bin", "nvcc"))
    for one in (os.environ.get("NVCC"), shutil.which("nvcc"), *fetched):
        if one and shutil.which(one):
            return one
    return None


def product(folder):
    """A network of one product that is whole tiles of a tensor core's."""
    path, whole = os.path.join(folder, "product.onnx"), [2048, 2048]
    one = seeds.graph([seeds.node("MatMul", ["a", "b"], ["y"])], [seeds.value_info("a", whole), seeds.value_info("b", whole)],
                      [seeds.value_info("y", whole)])
    with open(path, "wb") as out:
        out.write(seeds.model(one))
    return path


def kernels(program, model, architecture, more=""):
    """The text of each part of a network in CUDA C++, and what is wrong."""
    target = f"cuda_cxx -model=true -arch={architecture}{more}"
    ran = subprocess.run([program, "lower", model, "--target", target, "--costs", "model", "--cuda", "--json"], capture_output=True, text=True,
                         timeout=600, check=False, stdin=subprocess.DEVNULL)
    if ran.returncode != 0:
        return {}, [f"inlay lower ended with {ran.returncode}: {ran.stderr[-2000:]}"]
    parts = [p for p in json.loads(ran.stdout)["parts"] if p["backend"] == "cuda_cxx"]
    problems = [f"part {p['part']} ({', '.join(p['nodes'])}) has no kernels: {p['reason']}" for p in parts if p["cuda"] is None]
    return {p["part"]: p["cuda"] for p in parts if p["cuda"] is not None}, problems


def compiled(nvcc, texts, architecture):
    """Compiles each text by itself; what is wrong."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for part, text in texts.items():
            names.append(f"part_{part}.cu")
            with open(os.path.join(folder, names[-1]), "w", encoding="utf-8") as out:
                out.write(text)
        ran = subprocess.run([nvcc, "-std=c++17", "-O1", f"-arch={architecture}", "-cubin", *names], cwd=folder, capture_output=True, text=True,
                             timeout=3600, check=False, stdin=subprocess.DEVNULL)
        if ran.returncode != 0:
            problems.append(f"nvcc ended with {ran.returncode}: {ran.stdout[-1500:]}{ran.stderr[-1500:]}")
        for name in names:
            if ran.returncode == 0 and not os.path.getsize(os.path.join(folder, name.replace(".cu", ".cubin"))):
                problems.append(f"{name} gave no code")
    return problems


def main(arguments):
    program = os.path.abspath(arguments[0])
    tap = Tap()
    nvcc = compiler()
    for network in NETWORKS:
        model = os.path.join(source_tree.ROOT, "build", "models", "onnx", "light", f"light_{network}.onnx")
        for architecture in ARCHITECTURES:
            title = f"all kernels of {network} compile for {architecture}"
            if nvcc is None:
                tap.skip(title, "NVIDIA's compiler is not here; sh examples/install.sh cuda fetches it")
            elif not os.path.exists(model):
                tap.skip(title, "the network is not here; sh examples/install.sh models onnx fetches it")
            else:
                texts, problems = kernels(program, model, architecture)
                if not texts and not problems:
                    problems = ["no part of it is on cuda_cxx"]
                tap.verdict(title, problems or compiled(nvcc, texts, architecture))
    for architecture in ARCHITECTURES:
        title = f"a product on tensor cores compiles for {architecture}"
        if nvcc is None:
            tap.skip(title, "NVIDIA's compiler is not here; sh examples/install.sh cuda fetches it")
            continue
        with tempfile.TemporaryDirectory() as folder:
            texts, problems = kernels(program, product(folder), architecture, " -precision=float16")
        if not problems and not any("mma.sync.aligned" in text for text in texts.values()):
            problems = ["no part of it is on a tensor core"]
        tap.verdict(title, problems or compiled(nvcc, texts, architecture))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
