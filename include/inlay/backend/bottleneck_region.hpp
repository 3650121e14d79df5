// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_BOTTLENECK_REGION_HPP
#define INLAY_BACKEND_BOTTLENECK_REGION_HPP

#include <cstddef>
#include <string>
#include <utility>

#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/expanded_depthwise.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// A depthwise convolution between 1 x 1 convolutions, each with what follows it: the inverted residual of MobileNetV2 (Sandler and others,
/// 2018); or without the first one, the separable convolution of MobileNetV1.
struct bottleneck_region : expanded_depthwise {
    anchored_convolution project;

    static constexpr auto pattern() {
        using namespace dsl;
        constexpr auto before = read_by<depthwise_at<true>>(any) | read_by<depthwise_at<false>>(any);
        return anchored_convolution::pattern_behind(op<"onnx.Conv">(before, rest));
    }

    /// Reads a region. Error: another region, other convolutions, or another tensor that is taken in before the last convolution.
    [[nodiscard]] static outcome<bottleneck_region> read(const region_view& r) {
        if (auto fine = check_float_region(r, 4); !fine) return fine.failure();
        std::size_t calls = 0;
        auto last = convolution_at(r, r.results[0], calls);
        if (!last) return last.failure();
        auto before = ending_at(r, last->x);
        if (!before) return before.failure();
        bottleneck_region p{*std::move(before), *std::move(last)};
        p.calls += calls;
        if (p.calls != r.calls().size())
            return error{"the region's " + std::to_string(r.calls().size()) + " operators are no bottleneck of up to three convolutions"};
        if (!is_pointwise(p.project)) return not_pointwise();
        return p;
    }
};

}  // namespace inlay::detail

#endif
