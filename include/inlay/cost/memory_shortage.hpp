// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_MEMORY_SHORTAGE_HPP
#define INLAY_COST_MEMORY_SHORTAGE_HPP

#include <string_view>

namespace inlay {

/// Whether the reason of a failure is that there was too little memory. Such a failure is not kept: a later call may have more.
[[nodiscard]] constexpr bool is_memory_shortage(std::string_view reason) {
    return reason.find("there is no memory") != std::string_view::npos || reason.find("bad_alloc") != std::string_view::npos;
}

}  // namespace inlay

#endif
