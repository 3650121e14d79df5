// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_SAMPLE_TEXT_HPP
#define INLAY_MEASURE_SAMPLE_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace inlay {

/// A number for people: seven digits, `nan`, `inf`.
[[nodiscard]] inline std::string sampled_number(double v) {
    if (v != v) return "nan";
    char text[40];
    std::snprintf(text, sizeof text, "%.7g", v);
    return text;
}

/// Element `i`, in row-major order, of a tensor of these extents: `[0,2,1]`. Precondition: the tensor has it.
[[nodiscard]] inline std::string place_text(const std::vector<std::int64_t>& extents, std::int64_t i) {
    std::vector<std::int64_t> at(extents.size(), 0);
    for (std::size_t a = extents.size(); a-- > 0; i /= extents[a]) at[a] = i % extents[a];
    std::string text = "[";
    for (std::size_t a = 0; a < at.size(); ++a) text += (a == 0 ? "" : ",") + std::to_string(at[a]);
    return text + "]";
}

}  // namespace inlay

#endif
