// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cudnn/softmax.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "read_whole.hpp"

using namespace inlay;
using namespace cudnn_test;
using detail::cudnn_softmax;
using detail::softmax_layout;

namespace {

/// What cuDNN makes of a layout, on the processor.
struct played_softmax {
    softmax_layout s;

    bool run(const run_arguments& a) const {
        const auto* const from = static_cast<const float*>(a.inputs[0]);
        auto* const to = static_cast<float*>(a.results[0]);
        const int step = s.shape.strides()[1], count = s.shape.extents[1];
        std::vector<int> rows = s.shape.extents;
        rows[1] = 1;
        for_each_place(rows, [&](int number, const std::vector<int>&) {
            const int first = number / step * step * count + number % step;
            double sum = 0;
            for (int i = 0; i < count; ++i) sum += std::exp(static_cast<double>(from[first + i * step]));
            for (int i = 0; i < count; ++i) {
                const auto x = static_cast<double>(from[first + i * step]);
                to[first + i * step] =
                    static_cast<float>(s.algorithm == detail::cudnn_library::softmax_logarithm ? x - std::log(sum) : std::exp(x) / sum);
            }
        });
        return true;
    }
};

}  // namespace

TEST_CASE("softmax and its logarithm along any axis are what their layouts say") {
    for (const char* op : {"onnx.Softmax", "onnx.LogSoftmax"})
        for (const extents& x : {extents{7}, extents{3, 40}, extents{2, 3, 5, 4}})
            for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(x.size()); ++axis) {
                small_graph t;
                const auto m = read_whole<cudnn_softmax>(t.finish(t.call(op, {t.input(x)}, {{"axis", axis}})),
                                                         [](const softmax_layout& s, const region_view&) { return played_softmax{s}; });
                CHECK(m.refusal == "");
                CHECK(m.plan.shape.extents[1] == x[static_cast<std::size_t>(axis)]);
                CHECK(m.worst < 2e-6);
            }
}
