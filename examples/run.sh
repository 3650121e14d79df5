#!/bin/sh
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is needed, builds the tool, fetches a text recogniser, and runs it on the cheapest mix of back ends on this machine:
#
#   sh examples/run.sh
#
# Asks before installing only if a person sits at the terminal. The second time it needs no network.
set -eu
cd "$(dirname "$0")/.."

# step NAME COMMAND...: runs the command and says how long it took.
times=
step() {
    name=$1
    shift
    start=$(date +%s.%N)
    "$@"
    seconds=$(awk "BEGIN { printf \"%.1f\", $(date +%s.%N) - $start }")
    times="$times  $(printf '%-10s %7s s' "$name" "$seconds")
"
}

step install sh examples/install.sh tool
step build sh examples/build.sh
step fetch sh examples/install.sh models rapidocr

inlay=build/examples/inlay/inlay
read_text=build/examples/read_text/read_text
model=build/models/rapidocr/ch_PP-OCRv4_rec_infer.onnx
threads=$(getconf _NPROCESSORS_ONLN)
[ "$threads" -le 8 ] || threads=8

decide() {
    $inlay partition $model --shape "x=$shape" --threads "$threads" --out build/plan.json
}
compute() {
    $inlay run $model --shape "x=$shape" --threads "$threads" --plan build/plan.json --input x=build/line.npy --output build/results
}
decode() {
    printf 'The line reads: %s\n' "$($read_text decode $model build/results/*.npy)"
}

rm -rf build/results
shape=$($read_text prepare examples/read_text/line.pgm build/line.npy)
echo
echo "Which back end runs which part of the recogniser, on $threads threads:"
step decide decide
echo
step run compute
step decode decode

echo
echo "How long each step took:"
printf '%s' "$times"
