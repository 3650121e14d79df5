// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_OUTSIDE_MEMORY_HPP
#define INLAY_ACCELERATOR_OUTSIDE_MEMORY_HPP

#include <cstddef>

namespace inlay {

/// A memory outside of an accelerator, which instructions name by `base`.
struct outside_memory {
    const std::byte* read = nullptr;
    std::byte* write = nullptr;  // null: nothing is stored there
    std::size_t bytes = 0;
};

}  // namespace inlay

#endif
