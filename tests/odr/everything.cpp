// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include INLAY_EVERYTHING
