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

echo
echo "How long each step took:"
printf '%s' "$times"
