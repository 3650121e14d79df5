// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CUDNN_READ_WHOLE_HPP
#define INLAY_TESTS_BACKEND_CUDNN_READ_WHOLE_HPP

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../take.hpp"

namespace cudnn_test {

using namespace inlay_test;
using extents = std::vector<std::int64_t>;

/// The region of a whole program as a family of operators read it, and how far it is from the program's meaning where `computed(plan,
/// region)`, a kernel on the processor, computes it.
template <class Plan>
struct read_match {
    std::string refusal{};
    Plan plan{};
    double worst = 0;  // largest difference over the largest value
};
template <class Family, class Computed>
[[nodiscard]] read_match<typename Family::plan> read_whole(const inlay::ir_module& g, Computed&& computed) {
    const whole_region whole(g);
    auto plan = Family::read_region(whole.view());
    if (!plan) return {plan.failure().message};
    const inlay::kernel k(computed(*plan, whole.view()));
    // The plan of a convolution points into the region, which does not outlive this.
    const double worst = expectation(g, -2, 2).worst_difference(k, whole.view(), inlay::plain_borders(whole.view()));
    return {"", *std::move(plan), worst};
}

/// All places of a box of these extents, one after the other, with their number.
template <class F>
void for_each_place(const std::vector<int>& box, F&& f) {
    std::vector<int> place(box.size(), 0);
    int count = 1;
    for (const int n : box) count *= n;
    for (int number = 0; number < count; ++number) {
        for (int rest = number, i = static_cast<int>(box.size()); i-- > 0; rest /= box[static_cast<std::size_t>(i)])
            place[static_cast<std::size_t>(i)] = rest % box[static_cast<std::size_t>(i)];
        f(number, place);
    }
}

/// Where a window's place reads, of a tensor in row-major order: its number among those of the spatial axes; -1 outside.
[[nodiscard]] inline int read_at(const inlay::detail::cudnn_window& w, const inlay::detail::cudnn_shape& x, const std::vector<int>& y_place,
                                 const std::vector<int>& in_window) {
    int at = 0;
    for (std::size_t i = 0; i < w.kernel.size(); ++i) {
        const int where = y_place[i + 2] * w.strides[i] - w.pads[i] + in_window[i] * w.dilations[i];
        if (where < 0 || where >= x.extents[i + 2]) return -1;
        at = at * x.extents[i + 2] + where;
    }
    return at;
}
[[nodiscard]] inline int spatial_places(const inlay::detail::cudnn_shape& x) {
    int count = 1;
    for (std::size_t i = 2; i < x.extents.size(); ++i) count *= x.extents[i];
    return count;
}

}  // namespace cudnn_test

#endif
