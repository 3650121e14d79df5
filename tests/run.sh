#!/bin/sh
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
#
# Installs what the tests need, builds them, runs them, and counts:
#
#   sh tests/run.sh              one compiler ($CXX, or g++), everything about the tree included
#   sh tests/run.sh --all        also the benchmarks' programs (built, not run), what depends on a compiler by clang 16 or 19 with ASan and UBSan,
#                                TSan for the runtime, each header alone, kernels of other instruction sets under QEMU, CUDA kernels compiled
#                                by NVIDIA's compiler, fuzzing, all the broken files of the tool's tests, the whole ONNX conformance run,
#                                1,000 random networks, 100 seeds of each fault of kernels in each way in, 10,000 random programs that are
#                                planned for devices, and ten minutes of random programs
#                                in many ways, some of them against ONNX Runtime and ONNX's reference evaluator
#   sh tests/run.sh --sanitize   the unit tests under ASan and UBSan, alone, but for those of ops, passes, loops, codegen, plan, backend and search
#
# A suite that passed is not run again while nothing that it reads has changed; with --fresh behind any of these it is.
#
# The last line is `N passed, M failed, K skipped`; each skip stands above it with its reason. Exit status 1 if anything failed.
set -eu
cd "$(dirname "$0")/.."

mode=
fresh=
for argument in "$@"; do
    case "$argument" in
        --all | --sanitize) mode=$argument ;;
        --fresh) fresh=--fresh ;;
        *)
            echo "tests/run.sh: unknown argument '$argument'; say nothing, --all or --sanitize, and perhaps --fresh" >&2
            exit 2
            ;;
    esac
done

if [ "$mode" = --all ]; then
    sh examples/install.sh tests all
    export INLAY_FUZZ_SECONDS=40
    export INLAY_EVERY_CASE=1
    export INLAY_EMULATED=1
    export INLAY_RANDOM_PROGRAMS=10000
else
    sh examples/install.sh tests
fi

suites=build/suites
mkdir -p "$suites"
suites=$(cd "$suites" && pwd)
results="$suites/results.$$"
: >"$results"
trap 'rm -f "$results" "$results.failed"' EXIT

# stage LABEL COMPILER OPTIMIZATION ARGUMENTS...: configures, builds and runs one build directory, but for the suites that $without names. A
# build that fails counts as one failure.
stage() {
    label=$1
    compiler=$2
    optimization=$3
    shift 3
    directory="$suites/$label"
    start=$(date +%s)
    # Meson takes a folder that it has begun for a configured one, even where it was interrupted.
    if [ -e "$directory/meson-private/coredata.dat" ]; then set -- "$@" --reconfigure; fi
    # What is written in C is compiled by the same compiler, so that one program has one kind of sanitizer.
    c_compiler=$(echo "$compiler" | sed 's/clang++/clang/; s/g++/gcc/; s/c++/cc/')
    # Meson looks for ccache by itself only where CXX is not set.
    if command -v ccache >/dev/null; then compiler="ccache $compiler"; fi
    if ! CC=$c_compiler CXX=$compiler sh examples/watch.sh "$label: configure" "$directory.log" meson setup "$directory" -Dbuildtype=plain \
        -Doptimization="$optimization" -Dwarning_level=0 "$@"; then
        cat "$directory.log"
        echo "$label: the configuration failed"
        echo "0 1 0" >>"$results"
        return
    fi
    # Not more jobs than cores: a compiler takes half a gigabyte and more.
    if ! sh examples/watch.sh "$label: build" "$directory.log" ninja -C "$directory" -k 0 -j "$(nproc)"; then
        grep -v '^\[' "$directory.log" | head -n 400
        echo "$label: the build failed after $(($(date +%s) - start)) s; its log is in $directory.log"
        echo "0 1 0" >>"$results"
    else
        echo "$label: build: $(($(date +%s) - start)) s"
    fi
    python3 tests/report.py "$directory" "$label" "$results" $fresh ${without:+--without "$without"} || true
}
without=

# tap_stage LABEL COMMAND...: runs a command whose output is TAP, and counts its lines.
tap_stage() {
    label=$1
    shift
    log="$suites/$label.log"
    start=$(date +%s)
    "$@" >"$log" || grep -v '^ok' "$log" || true
    grep '^ok .*# SKIP' "$log" | sed "s/^ok [0-9]* - \(.*\) # SKIP /skipped: $label: \1: /" || true
    awk '/^ok .*# SKIP/ { s++; next } /^ok/ { p++ } /^not ok/ { f++ } END { print p + 0, f + 0 + (p + f + s == 0), s + 0 }' "$log" >>"$results"
    echo "$label: $(tail -n 1 "$results"): $(($(date +%s) - start)) s"
}

# sanitized LABEL COMPILER ARGUMENTS...: a stage under ASan and UBSan.
sanitized() {
    label=$1
    compiler=$2
    shift 2
    # The run-time part of clang warns of a symbolizer that it looks up and cannot start, in the middle of what a tool says.
    symbolizer=
    case "$compiler" in
        clang*)
            symbolizer=$(command -v "llvm-symbolizer-${compiler##*-}" || command -v llvm-symbolizer-14 || true)
            symbolizer=:external_symbolizer_path=$symbolizer
            ;;
    esac
    # Leaks are looked for; what third parties keep for ever is listed in the file named here.
    export ASAN_OPTIONS="detect_stack_use_after_return=1:strict_init_order=1:allocator_may_return_null=1$symbolizer"
    export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0$symbolizer"
    export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1$symbolizer"
    export INLAY_TIMEOUT_FACTOR=4
    # Optimising what the sanitizers add takes g++ several times as long as compiling the file.
    # Kernels differ by the instruction set in how wide their vectors are; the stage before has run them all.
    stage "$label" "$compiler" 0 -Db_sanitize=address,undefined -Db_lundef=false -Dbenchmarks=disabled -Dinstruction_sets=native "$@"
    unset INLAY_TIMEOUT_FACTOR
}

folders=$(python3 tests/source_tree.py folders)
if [ "$mode" = --sanitize ]; then
    # These tests take longest to build by far.
    quick_folders=$(echo "$folders" | tr ',' '\n' | grep -vx -e ops -e passes -e loops -e codegen -e plan -e backend -e search | paste -sd, -)
    sanitized asan_ubsan "${CXX:-g++}" -Dexamples=disabled -Dtest_folders="$quick_folders"
    for folder in ops passes loops codegen plan backend search; do
        echo "skipped: $folder under ASan and UBSan: it takes too long to build for every change; sh tests/run.sh --all runs it"
        echo "0 0 1" >>"$results"
    done
else
    benchmarks=disabled
    if [ "$mode" = --all ]; then benchmarks=auto; fi
    stage "$(basename "${CXX:-g++}")" "${CXX:-g++}" 0 -Dbenchmarks="$benchmarks"
fi

if [ "$mode" = --all ]; then
    # These have run, whatever compiles the rest.
    unset INLAY_FUZZ_SECONDS INLAY_EVERY_CASE INLAY_EMULATED INLAY_RANDOM_PROGRAMS
    # The second compiler is the one that adds the sanitizers: it takes half as long as g++ for what they add.
    # The release of clang that is the second compiler of Debian 12, or of Debian 13.
    clang=$(for name in clang++-16 clang++-19; do command -v "$name" >/dev/null && echo "$name" && break; done || true)
    if [ -n "$clang" ]; then
        # Those about the text of the tree are no other with another compiler; the last ones are about what the tool measures and reads.
        without='layering,mirror,names,format,includes,rules,switches,harness,pages,consumer,fuzz,emulated'
        without="$without,tool bad_input,tool prices,tool random_networks,tool seeded_faults,differential"
        sanitized "$clang" "$clang"
        without=
    else
        echo "skipped: clang++: neither clang++-16 nor clang++-19 is installed"
        echo "0 0 1" >>"$results"
        sanitized asan_ubsan "${CXX:-g++}" -Dexamples=disabled -Dtest_folders="$folders"
    fi
    TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp:halt_on_error=1"
    export TSAN_OPTIONS
    # Those of runtime have kernels of cpu_simd and a store of weights among what threads share.
    stage tsan "${CXX:-g++}" 1 -Db_sanitize=thread -Db_lundef=false -Dexamples=disabled -Dbenchmarks=disabled -Dtest_folders=runtime \
        -Dinstruction_sets=native
    # Each header truly alone: what tests/odr and the text cannot see.
    tap_stage headers_alone python3 tests/headers/alone.py
    sh tests/conformance.sh "$results" || true
    # With the optimised tool, since plain enumeration takes long.
    sh examples/build.sh || true
    INLAY_RANDOM_NETWORKS=1000 INLAY_RANDOM_NODES=8
    export INLAY_RANDOM_NETWORKS INLAY_RANDOM_NODES
    sh examples/install.sh models onnx || true
    sh examples/install.sh cuda || true
    tap_stage cuda python3 tests/cuda.py "$PWD/build/examples/inlay/inlay"
    tap_stage random_networks python3 tests/tool/random_networks.py "$PWD/build/examples/inlay/inlay"
    tap_stage differential python3 tests/differential/run.py "$PWD/build/examples/inlay/inlay" --seconds 600 --at-least 3000
    if sh examples/install.sh rivals onnx; then
        tap_stage interpreter python3 tests/differential/run.py "$PWD/build/examples/inlay/inlay" --seconds 180 --ways eager \
            --sources operator,operator,form,bodies --rivals build/venv/bin/python
    else
        echo "skipped: the interpreter beside ONNX Runtime and ONNX's reference evaluator: PyPI has not given them"
        echo "0 0 1" >>"$results"
    fi
fi

awk '{ passed += $1; failed += $2; skipped += $3 }
     END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || passed == 0 }' "$results"
