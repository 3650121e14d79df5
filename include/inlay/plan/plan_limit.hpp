// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_LIMIT_HPP
#define INLAY_PLAN_PLAN_LIMIT_HPP

#include <cstdint>
#include <string>
#include <vector>

#include <inlay/core/id.hpp>

namespace inlay {

/// What a plan comes to, besides being a cover.
enum class plan_amount : std::uint8_t {
    /// Its price.
    seconds,
    /// The most bytes of tensors that are alive at one time while its nodes run in their order, constants not counted.
    peak_bytes,
    /// The seconds of the composites of some back ends, without conversions.
    load,
    /// The bytes of the constants that the composites of some back ends read, each constant once.
    constant_bytes,
};

/// The most that a plan may come to.
struct plan_limit {
    plan_amount of = plan_amount::seconds;
    double most = 0;
    std::vector<backend_id> backends{};  // of load and constant_bytes
    std::string text{};                  // what messages call it
};

}  // namespace inlay

#endif
