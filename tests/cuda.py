# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compiles the CUDA kernels of networks for some architectures: cuda.py PROGRAM

What is declared by hand of NVIDIA's driver and libraries is held to their headers, by tests/cuda_headers.

The networks are ONNX's light ones in build/models/onnx and, by tensor cores, one large product and one convolution; they are planned by the model of
cuda_cxx. Nothing is run: there need be no device. The first one's are compiled by NVIDIA's library, NVRTC, too. So are kernels of CUTLASS's, of several
products, with its headers. A line of TAP for each network and architecture, and for each library; a skip where NVIDIA's compiler, the headers or the network
are not here.
"""
import concurrent.futures
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
# Files of tests/cuda_headers, and the header that each one needs.
HEADERS = {"driver": "cuda.h", "nvrtc": "nvrtc.h", "cublas_lt": "cublasLt.h", "cudnn": "cudnn.h"}


def compiler():
    """NVIDIA's: the variable NVCC, nvcc in PATH, or what sh examples/install.sh cuda fetched; None where there is none."""
    fetched = glob.glob(os.path.join(source_tree.ROOT, "build", "venv", "lib", "python3*", "site-packages", "nvidia", "cu13", "bin", "nvcc"))
    for one in (os.environ.get("NVCC"), shutil.which("nvcc"), *fetched):
        if one and shutil.which(one):
            return one
    return None


def folder_of(header, nvcc):
    """The folder with a header of NVIDIA's: that of the toolkit, or the system's; None where there is none."""
    toolkits = [os.environ.get("CUDA_HOME"), os.path.dirname(os.path.dirname(os.path.realpath(nvcc))) if nvcc else None, "/usr/local/cuda", "/usr"]
    for folder in toolkits:
        if folder and os.path.exists(os.path.join(folder, "include", header)):
            return os.path.join(folder, "include")
    return None


def declared(name, folder):
    """Compiles what holds our declarations to a header; what is wrong."""
    source = os.path.join(source_tree.ROOT, "tests", "cuda_headers", name + ".cpp")
    ran = subprocess.run([os.environ.get("CXX", "g++").split()[-1], "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations",
                          "-I", source_tree.INCLUDE, "-isystem", folder, source], capture_output=True, text=True, timeout=600, check=False, stdin=subprocess.DEVNULL)
    return [] if ran.returncode == 0 else [f"the compiler ended with {ran.returncode}: {ran.stderr[-1500:]}"]


def by_library(folder):
    """Builds the program that compiles by NVIDIA's library; what is wrong, and whether there is no library."""
    made = os.path.join(folder, "compile_by_nvrtc")
    source = os.path.join(source_tree.ROOT, "tests", "cuda_headers", "compile_by_nvrtc.cpp")
    ran = subprocess.run([*os.environ.get("CXX", "g++").split(), "-std=c++20", "-I", source_tree.INCLUDE, source, "-o", made, "-ldl"],
                         capture_output=True, text=True, timeout=600, check=False, stdin=subprocess.DEVNULL)
    if ran.returncode != 0:
        return [f"the compiler ended with {ran.returncode}: {ran.stderr[-1500:]}"], False
    return [], subprocess.run([made, "sm_80"], capture_output=True, timeout=600, check=False, stdin=subprocess.DEVNULL).returncode == 77


def compiled_by_library(program, texts, architecture):
    """Compiles each text, without the launcher behind its kernels, by NVIDIA's library; what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for part, text in texts.items():
            names.append(os.path.join(folder, f"part_{part}.cu"))
            with open(names[-1], "w", encoding="utf-8") as out:
                out.write(text[:text.rindex('extern "C" int ')])
        ran = subprocess.run([program, architecture, *names], capture_output=True, text=True, timeout=3600, check=False, stdin=subprocess.DEVNULL)
    return [] if ran.returncode == 0 else [f"it ended with {ran.returncode}: {ran.stdout[-1500:]}{ran.stderr[-1500:]}"]


FLOAT32, FLOAT16, BFLOAT16 = 1, 10, 16  # element types as ONNX has them


def product(folder, element=FLOAT32):
    """A network of one product that is whole tiles of a tensor core's."""
    path, whole = os.path.join(folder, "product.onnx"), [2048, 2048]
    one = seeds.graph([seeds.node("MatMul", ["a", "b"], ["y"])], [seeds.value_info("a", whole, element), seeds.value_info("b", whole, element)],
                      [seeds.value_info("y", whole, element)])
    with open(path, "wb") as out:
        out.write(seeds.model(one))
    return path


def convolution(folder, element=FLOAT32):
    """A network of one convolution, none of whose extents is a multiple of a tile's."""
    path = os.path.join(folder, "convolution.onnx")
    one = seeds.graph([seeds.node("Conv", ["x", "w"], ["y"], attributes=[seeds.integers("pads", [1, 1, 1, 1])])],
                      [seeds.value_info("x", [2, 40, 27, 27], element), seeds.value_info("w", [100, 40, 3, 3], element)],
                      [seeds.value_info("y", [2, 100, 27, 27], element)])
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


# How operands come to a tensor core: the target's option, what the network has them in, and whether warpgroups take whole tiles of them.
ROUNDED = {
    "rounded to float16": (" -precision=float16", FLOAT32, True),
    "rounded to bfloat16": (" -precision=bfloat16", FLOAT32, True),
    "rounded to tf32": (" -precision=tf32", FLOAT32, False),
    "stored in float16": ("", FLOAT16, True),
    "stored in bfloat16": ("", BFLOAT16, True),
}


def on_tensor_cores(program, make, way, architecture):
    """The text of each part of a network that is to be on a tensor core, and what is wrong."""
    option, element, has_warpgroups = ROUNDED[way]
    with tempfile.TemporaryDirectory() as folder:
        texts, problems = kernels(program, make(folder, element), architecture, option)
    is_by_warpgroups = make is product and has_warpgroups and architecture == "sm_90a"
    instruction = "wgmma.mma_async" if is_by_warpgroups else "mma.sync.aligned"
    if not problems and not any(instruction in text for text in texts.values()):
        problems = [f"no part of it has {instruction}"]
    return texts, problems


def cutlass_texts(folder):
    """Kernels of CUTLASS's by the name of their file in a folder, the folder of its headers, None where there is none, and what is wrong."""
    made = os.path.join(folder, "print_cutlass")
    source = os.path.join(source_tree.ROOT, "tests", "cuda_headers", "print_cutlass.cpp")
    ran = subprocess.run([*os.environ.get("CXX", "g++").split(), "-std=c++20", "-I", source_tree.INCLUDE, source, "-o", made], capture_output=True, text=True,
                         timeout=600, check=False, stdin=subprocess.DEVNULL)
    if ran.returncode != 0:
        return [], None, [f"the compiler ended with {ran.returncode}: {ran.stderr[-1500:]}"]
    home = os.environ.get("CUTLASS_HOME") or os.path.join(source_tree.ROOT, "build", "cutlass")
    ran = subprocess.run([made, home, folder], capture_output=True, text=True, timeout=600, check=False, stdin=subprocess.DEVNULL)
    if ran.returncode == 77:
        return [], None, []
    names = sorted(name for name in os.listdir(folder) if name.endswith(".cu"))
    problems = [] if ran.returncode == 0 and names else [f"{made} ended with {ran.returncode}: {ran.stdout[-1500:]}"]
    return names, ran.stdout.strip(), problems


def compiled_with(nvcc, headers, folder, name, architecture):
    """Compiles one text with CUTLASS's headers; what the compiler says where it fails, else None."""
    ran = subprocess.run([nvcc, "-O3", "-std=c++17", "-w", f"-arch={architecture}", f"-I{headers}", "-cubin", "-o", "kernel.cubin", name], cwd=folder,
                         capture_output=True, text=True, timeout=3600, check=False, stdin=subprocess.DEVNULL)
    if ran.returncode == 0 and not os.path.getsize(os.path.join(folder, "kernel.cubin")):
        return "gave no code"
    return None if ran.returncode == 0 else ran.stdout[-1500:] + ran.stderr[-1500:]


def check_cutlass(nvcc, tap):
    """Kernels of CUTLASS's compile, and do not where a launch would take something else for granted."""
    with tempfile.TemporaryDirectory() as folder:
        names, headers, problems = cutlass_texts(folder)
        titles = {a: f"kernels of CUTLASS's compile for {a}" for a in ARCHITECTURES}
        mismatch = "a kernel of CUTLASS's that has other threads or bytes than its launch does not compile"
        for title in (*titles.values(), mismatch):
            if not problems and nvcc is None:
                tap.skip(title, "NVIDIA's compiler is not here; sh examples/install.sh cuda fetches it")
            elif not problems and headers is None:
                tap.skip(title, "CUTLASS's headers are not here; sh examples/install.sh cuda fetches them")
            elif problems:
                tap.verdict(title, problems)
        if problems or nvcc is None or headers is None:
            return
        for architecture, title in titles.items():
            said = {name: compiled_with(nvcc, headers, folder, name, architecture) for name in names}
            tap.verdict(title, [f"{name}: {text}" for name, text in said.items() if text is not None])
        wrong = []
        with open(os.path.join(folder, names[0]), encoding="utf-8") as file:
            text = file.read()
        for found, other, word in (("kThreadCount == ", "kThreadCount == 1", "another number of threads than its launch"),
                                   ("SharedStorage) <= ", "SharedStorage) <= 0 * ", "shares more bytes in a block than its launch")):
            with open(os.path.join(folder, "other.cu"), "w", encoding="utf-8") as out:
                out.write(text.replace(found, other))
            said = compiled_with(nvcc, headers, folder, "other.cu", ARCHITECTURES[0])
            if text.count(found) != 1 or word not in (said or ""):
                wrong.append(f"with {other} the compiler says {said}, and not: {word}")
        tap.verdict(mismatch, wrong)


def main(arguments):
    program = os.path.abspath(arguments[0])
    tap = Tap()
    nvcc = compiler()
    for name, header in HEADERS.items():
        title = f"what is declared by hand of {name} is as in {header}"
        folder = folder_of(header, nvcc)
        if folder is None:
            tap.skip(title, "the header is not here; it comes with NVIDIA's CUDA toolkit")
        else:
            tap.verdict(title, declared(name, folder))
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

    def made(make, way, architecture):
        texts, problems = on_tensor_cores(program, make, way, architecture)
        return problems or compiled(nvcc, texts, architecture)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {f"a {m.__name__} on tensor cores compiles for {a}, operands {w}": pool.submit(made, m, w, a) if nvcc else None
                   for m in (product, convolution) for w in ROUNDED for a in ARCHITECTURES}
        for title, one in running.items():
            if one is None:
                tap.skip(title, "NVIDIA's compiler is not here; sh examples/install.sh cuda fetches it")
            else:
                tap.verdict(title, one.result())
    check_library(program, tap)
    check_cutlass(nvcc, tap)
    return tap.done()


def check_library(program, tap):
    """The kernels of the first network by NVIDIA's library in place of its compiler."""
    model = os.path.join(source_tree.ROOT, "build", "models", "onnx", "light", f"light_{NETWORKS[0]}.onnx")
    with tempfile.TemporaryDirectory() as folder:
        problems, is_absent = by_library(folder)
        for architecture in ARCHITECTURES:
            title = f"all kernels of {NETWORKS[0]} are compiled for {architecture} by the library, too"
            if is_absent:
                tap.skip(title, "NVIDIA's run-time compiler, libnvrtc, is not here; it comes with the CUDA toolkit")
            elif not os.path.exists(model):
                tap.skip(title, "the network is not here; sh examples/install.sh models onnx fetches it")
            elif problems:
                tap.verdict(title, problems)
            else:
                texts, wrong = kernels(program, model, architecture)
                tap.verdict(title, wrong or compiled_by_library(os.path.join(folder, "compile_by_nvrtc"), texts, architecture))
            title = f"products and convolutions on tensor cores are compiled for {architecture} by the library, too"
            if is_absent:
                tap.skip(title, "NVIDIA's run-time compiler, libnvrtc, is not here; it comes with the CUDA toolkit")
                continue
            problems_of = list(problems)
            for make, way in [(m, w) for m in (product, convolution) for w in ROUNDED]:
                texts, wrong = on_tensor_cores(program, make, way, architecture)
                problems_of += wrong or compiled_by_library(os.path.join(folder, "compile_by_nvrtc"), texts, architecture)
            tap.verdict(title, problems_of)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
