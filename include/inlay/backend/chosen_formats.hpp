// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CHOSEN_FORMATS_HPP
#define INLAY_BACKEND_CHOSEN_FORMATS_HPP

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// The formats that were chosen for a region's border. Error: none were; `who` emits the region.
[[nodiscard]] inline outcome<border_formats> chosen_formats(const region_view& r, std::string_view who) {
    if (r.input_formats.size() != r.input_count || r.result_formats.size() != r.results.size())
        return error{std::string(who) + " emits a region whose border formats are chosen; this one has " +
                     std::to_string(r.input_formats.size()) + " for " + std::to_string(r.input_count) + " inputs"};
    return border_formats{{r.input_formats.begin(), r.input_formats.end()}, {r.result_formats.begin(), r.result_formats.end()}};
}

/// Error: the formats that were chosen are none of those that `who` offers.
[[nodiscard]] inline outcome<void> check_offered(const border_formats& chosen, const std::vector<border_formats>& offered,
                                                 std::string_view who) {
    if (std::find(offered.begin(), offered.end(), chosen) != offered.end()) return {};
    return error{std::string(who) + " does not take this region with a result in the format " + to_string(chosen.results[0]) +
                 " and these inputs; ask it for its formats"};
}

}  // namespace inlay::detail

#endif
