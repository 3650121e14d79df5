// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_CONVERT_ELEMENTS_HPP
#define INLAY_OPS_LOOPS_CONVERT_ELEMENTS_HPP

#include <limits>
#include <optional>
#include <type_traits>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

namespace detail {

template <class To, class Wide>
To from_wide(Wide value, [[maybe_unused]] bool saturates = true) {
    if constexpr (requires { To::narrowed(static_cast<double>(value), saturates); }) {
        return To::narrowed(static_cast<double>(value), saturates);
    } else if constexpr (std::is_class_v<To>) {
        return To::narrowed(static_cast<double>(value));
    } else if constexpr (std::is_same_v<To, bool>) {
        return value != Wide(0);
    } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<Wide>) {
        // C++ leaves open what a number out of range becomes; here it becomes the nearest end, and NaN zero.
        if (value != value) return To(0);
        if (value <= static_cast<Wide>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
        if (value >= static_cast<Wide>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
        return static_cast<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

}  // namespace detail

/// The tensor with its elements as another type, as ONNX's Cast has it: to integers towards zero, to bool by comparison with zero, to
/// narrower integers modulo their range. `saturates`: a number beyond the range of an 8-bit float becomes its largest one, else NaN or
/// infinity. Returns nullopt if either type is text or unknown, or if memory runs out.
[[nodiscard]] INLAY_FUNCTION std::optional<tensor> convert_elements(const tensor& from, element_type to, bool saturates = true);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/loops/convert_elements.ipp>
#endif

#endif
