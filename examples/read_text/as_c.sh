#!/bin/sh
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
#
# Reads the line of text by one program in C: emits PP-OCR's recogniser, compiles it with read_line.c, and runs that.
#
#   sh examples/read_text/as_c.sh [FOLDER]     builds in FOLDER, build/read_line without one; $CC compiles, $RUN runs (qemu-riscv64-static)
#
# `sh examples/run.sh` builds the tools and fetches the model first. INLAY and READ_TEXT name other tools than those of build/.
set -eu
cd "$(dirname "$0")/../.."
folder=${1:-build/read_line}
inlay=${INLAY:-build/examples/inlay/inlay}
read_text=${READ_TEXT:-build/examples/read_text/read_text}
model=build/models/rapidocr/ch_PP-OCRv4_rec_infer.onnx

mkdir -p "$folder"
shape=$("$read_text" prepare examples/read_text/line.pgm "$folder/line.npy")
"$inlay" emit "$model" --shape "x=$shape" --target c --costs model --name ppocr_rec --without-data --quiet --out "$folder" >/dev/null
"$read_text" characters "$model" >"$folder/characters.txt"
of_result() { python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['outputs'][0]$1)" "$folder/manifest.json"; }
# shellcheck disable=SC2086  # a compiler and a runner may be several words
${CC:-cc} -std=c99 -O2 ${CFLAGS:-} -ffp-contract=off -I "$folder" -DWIDTH="${shape##*,}" -DPLACES="$(of_result "['shape'][1]")" \
    -DCLASSES="$(of_result "['shape'][2]")" -DRESULT="$(of_result "['member']")" -o "$folder/read_line" \
    examples/read_text/read_line.c "$folder/ppocr_rec.c" "$folder/ppocr_rec_weights.c" -lm
# shellcheck disable=SC2086
printf 'The line reads: %s\n' "$(${RUN:-} "$folder/read_line" examples/read_text/line.pgm "$folder/characters.txt")"
