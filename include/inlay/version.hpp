// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_VERSION_HPP
#define INLAY_VERSION_HPP

/// The version of the library, as three numbers that the preprocessor can compare. While the first is 0, the second changes
/// whenever a public name or its meaning does.
#define INLAY_VERSION_MAJOR 0
#define INLAY_VERSION_MINOR 1
#define INLAY_VERSION_PATCH 0

#endif
