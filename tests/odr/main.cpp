// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

int main() { std::puts("ok 1 - all headers compile together, and stand in a program twice\n1..1"); }
