#!/bin/sh
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command whose output goes to a file, and shows on standard error that it is at work: ninja's counter where there is one, and the time.
#
#   sh examples/watch.sh WHAT LOG COMMAND...
#
# On a terminal one line that is drawn anew each second, else a line after a second and one every ten. Silent for what takes less than a second.
# The exit status is the command's.
set -u
what=$1
log=$2
shift 2

: >"$log"
"$@" >"$log" 2>&1 &
command=$!
trap 'kill "$command" 2>/dev/null; wait "$command"; exit 130' INT TERM

start=$(date +%s)
shown=-9
if [ -t 2 ]; then every=1; else every=10; fi
quick=0
while kill -0 "$command" 2>/dev/null; do
    # What is up to date is done in a moment, which is not to be rounded up to a second.
    if [ "$quick" -lt 10 ]; then
        quick=$((quick + 1))
        sleep 0.1
        continue
    fi
    now=$(($(date +%s) - start))
    if [ $((now - shown)) -ge "$every" ]; then
        shown=$now
        counter=$(grep -o '^\[[0-9]*/[0-9]*\]' "$log" | tail -n 1)
        line="$what: ${counter:+$counter }$now s so far"
        if [ -t 2 ]; then printf '\r\033[K%s' "$line" >&2; else echo "$line" >&2; fi
    fi
    sleep 1
done
if [ -t 2 ] && [ "$shown" -ge 0 ]; then printf '\r\033[K' >&2; fi
wait "$command"
