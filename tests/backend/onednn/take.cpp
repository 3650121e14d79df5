// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "take.hpp"

#include <algorithm>

namespace onednn_test {

using namespace inlay;

taken take(const onednn& self, const ir_module& g, double tolerance, float low, float high) {
    taken t = take_by(self, g, tolerance, low, high);
    for (const taken_way& w : t.ways)
        CHECK_MESSAGE(!detail::onednn_is_reference(w.note), w.formats, " runs on the library's plain loops: ", w.note);
    return t;
}

taken expect_taken(const ir_module& g, std::size_t nodes, const onednn& self, double tolerance, float low, float high) {
    taken t = take(self, g, tolerance, low, high);
    check_taken(t, nodes);
    return t;
}

std::string why_not(const ir_module& g, const onednn& self) { return largest_match(self, g).refusal; }

std::size_t ways_in_slices(const ir_module& g, std::string_view composite) { return inlay_test::ways_in_slices(onednn(), g, composite); }

bool has_blocked_way(const ir_module& g, std::string_view composite) {
    const sized_match match = largest_match(onednn(), g);
    return std::any_of(match.ways.begin(), match.ways.end(), [&](const candidate& c) {
        return c.name == composite && c.formats.results[0].order.kind == layout::form::channels_blocked;
    });
}

}  // namespace onednn_test
