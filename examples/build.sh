#!/bin/sh
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
#
# Configures build/ and builds the tool build/examples/inlay/inlay and the text reader's program beside it, and nothing else. Shows how
# far it is on standard error; silent when they are up to date.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
if [ ! -e build/build.ninja ]; then
    # Meson takes a folder that it has begun for a configured one, even where it was interrupted.
    if [ -e build/meson-private/coredata.dat ]; then set -- --reconfigure; fi
    sh examples/watch.sh configure build/configure.log meson setup build -Dbuildtype=release -Dtests=disabled -Dbenchmarks=disabled \
        -Dinstruction_sets=native "$@" || {
        cat build/configure.log >&2
        echo "examples/build.sh: the configuration failed; its output stands above." >&2
        exit 1
    }
fi
sh examples/watch.sh build build/build.log ninja -C build -j "$(nproc)" examples/inlay/inlay examples/read_text/read_text || {
    grep -v '^\[' build/build.log | head -n 60 >&2
    echo "examples/build.sh: the build failed; the whole output is in build/build.log." >&2
    exit 1
}
