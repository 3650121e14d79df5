// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include INLAY_EVERYTHING_REVERSED

int second();
int second() { return 0; }
