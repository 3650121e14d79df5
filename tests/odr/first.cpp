// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include INLAY_EVERYTHING

#include <cstdio>

#ifdef INLAY_ONE_FILE
static int second() { return 0; }
#else
int second();
#endif

int main() {
    std::printf("ok 1 - all headers compile together: %s\n1..1\n", INLAY_EVERYTHING);
    return second();
}
