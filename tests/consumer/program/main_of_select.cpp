// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/select.hpp>
#include <inlay/version.hpp>

#include <cstdio>

double cheapest(double alone, double together);

int main() {
    if (cheapest(1, 3) != 2 || cheapest(2, 3) != 3) return 1;
    std::printf("uses inlay %d.%d.%d\n", INLAY_VERSION_MAJOR, INLAY_VERSION_MINOR, INLAY_VERSION_PATCH);
}
