// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_BORDER_FORMATS_HPP
#define INLAY_CANDIDATE_BORDER_FORMATS_HPP

#include <concepts>
#include <cstddef>
#include <vector>

#include <inlay/candidate/region_view.hpp>

namespace inlay {

/// One way a back end takes a region: a format for each input and each result of the region. Products of formats are never formed:
/// a back end lists the tuples that it takes.
struct border_formats {
    std::vector<format> inputs;
    std::vector<format> results;

    friend bool operator==(const border_formats&, const border_formats&) = default;
};

/// Every input and result of the region row-major in the CPU's main memory.
[[nodiscard]] inline border_formats plain_borders(const region_view& r) {
    border_formats b{std::vector<format>(r.input_count), std::vector<format>(r.results.size())};
    for (std::size_t i = 0; i < b.inputs.size(); ++i) b.inputs[i] = plain_format(r.values[i].type->of_tensor.element);
    for (std::size_t i = 0; i < b.results.size(); ++i) b.results[i] = plain_format(r.type(r.results[i]).element);
    return b;
}

/// It lists the border formats that it takes for a region with `formats(region)`.
template <class B>
concept has_formats = requires(const B& b, const region_view& r) {
    { b.formats(r) } -> std::convertible_to<std::vector<border_formats>>;
};

}  // namespace inlay

#endif
