// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/outcome.hpp>
#include <inlay/version.hpp>

#include <cstdio>

int main() { std::printf("uses inlay %d.%d.%d\n", INLAY_VERSION_MAJOR, INLAY_VERSION_MINOR, INLAY_VERSION_PATCH); }
