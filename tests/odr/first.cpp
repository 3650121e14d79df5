// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include INLAY_EVERYTHING

#include <cstdio>

int second();

int main() {
    std::printf("ok 1 - two files include everything and link: %s\n1..1\n", INLAY_EVERYTHING);
    return second();
}
