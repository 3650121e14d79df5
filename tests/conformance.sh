#!/bin/sh
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
#
# Runs `inlay check` over the node and pytorch-* folders of Debian's libonnx-testdata: as it comes, and preferring each other back end.
# Nothing may fail, and at least 280 node tests must pass each time. One process for each core.
#
#   conformance.sh [RESULTS_FILE [PREFERRED...]]     PREFERRED is a back end, or `any` for no preference; without one, all
set -eu
cd "$(dirname "$0")/.."
results=${1:-/dev/null}
if [ $# -gt 0 ]; then shift; fi
tool=${INLAY:-build/examples/inlay/inlay}
data=${INLAY_ONNX_TESTDATA:-/usr/share/libonnx-testdata/data}

skip() {
    echo "skipped: conformance: $1"
    echo "0 0 1" >>"$results"
    exit 0
}

[ -d "$data/node" ] || skip "the ONNX test data is not installed (Debian's libonnx-testdata)"
if [ -z "${INLAY:-}" ]; then
    [ -e examples/inlay/meson.build ] || skip "examples/inlay is not there yet"
    sh examples/build.sh
fi

if [ $# -eq 0 ]; then
    printf '%s\n' any onednn xnnpack openblas cpu_simd cpu_loops portable_c |
        INLAY=$tool xargs -n 1 -P "$(nproc)" sh tests/conformance.sh "$results"
    exit
fi

# What ONNX 1.17 expects and later releases and ONNX Runtime do not: bytes that wrap where the text saturates them, and windows that count
# what lies beyond the pads. And an expansion whose branch for other ranks splits five numbers into four parts.
left_out='test_qlinearmatmul_.D_int8_float(16|32)'
left_out="$left_out|test_averagepool_3d_dilations_large_count_include_pad_is_1_ceil_mode_is_True"
left_out="$left_out|test_affine_grid_3d(_align_corners)?_expanded"

passed=0
failed=0
for prefer in "$@"; do
    if [ "$prefer" = any ]; then prefer=; fi
    for folder in node pytorch-converted pytorch-operator; do
        name="conformance: $folder${prefer:+, preferring $prefer}"
        log=build/suites/conformance.$folder.${prefer:-any}.log
        mkdir -p build/suites
        start=$(date +%s)
        status=0
        # It takes part where it is named.
        target=
        if [ "$prefer" = portable_c ]; then target='--target portable_c'; fi
        # shellcheck disable=SC2046,SC2086  # the target is two words, the folders are many
        "$tool" check --quiet $target ${prefer:+--prefer "$prefer"} $(ls -d "$data/$folder"/*/ | grep -v -E "/($left_out)/\$") >"$log" || status=$?
        last=$(tail -n 1 "$log")
        number=$(echo "$last" | sed -n 's/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed, \([0-9][0-9]*\) unsupported$/\1/p')
        bad=$(echo "$last" | sed -n 's/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed, \([0-9][0-9]*\) unsupported$/\2/p')
        echo "$name: $last: $(($(date +%s) - start)) s"
        grep '^fail' "$log" | head -n 20 || true
        if [ "$status" -ne 0 ] || [ "${bad:-1}" -ne 0 ]; then
            failed=$((failed + 1))
        elif [ "$folder" = node ] && [ "${number:-0}" -lt 280 ]; then
            echo "$name: $number passed, but at least 280 should"
            failed=$((failed + 1))
        else
            passed=$((passed + 1))
        fi
    done
done
echo "$passed $failed 0" >>"$results"
[ "$failed" -eq 0 ]
