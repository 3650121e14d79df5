// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_LIMITS_HPP
#define INLAY_TARGET_LIMITS_HPP

#include <cstdint>

namespace inlay {

/// The largest region that a back end takes; zero means no limit.
struct limits {
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;  // of inputs, constants and results together
};

}  // namespace inlay

#endif
