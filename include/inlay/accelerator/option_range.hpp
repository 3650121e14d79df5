// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_OPTION_RANGE_HPP
#define INLAY_ACCELERATOR_OPTION_RANGE_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <inlay/core/outcome.hpp>

namespace inlay {

/// A number that an option of a machine has, and what it may be.
struct option_range {
    std::string_view option;
    std::int64_t value = 0, low = 0, high = 0;
};

/// The error is one sentence on the first option of a target that is out of its range.
[[nodiscard]] inline outcome<void> check_ranges(std::string_view target, std::span<const option_range> all) {
    for (const option_range& one : all)
        if (one.value < one.low || one.value > one.high)
            return error{"option '-" + std::string(one.option) + "' of target '" + std::string(target) + "' takes " +
                         std::to_string(one.low) + " to " + std::to_string(one.high) + ", not " + std::to_string(one.value)};
    return {};
}

}  // namespace inlay

#endif
