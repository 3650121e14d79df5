// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/fold_batch_norm.hpp>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/convolution.hpp>
#include <inlay/ops/onnx/normalization.hpp>

#include "ops/rewritten_alike.hpp"

using namespace inlay;
using ops_here = op_table<onnx_arithmetic<>, onnx_math<>, onnx_convolution<>, onnx_normalizations<>>;

namespace {

struct network {
    bool bias = false;
    bool absent_bias = false;
    bool read_twice = false;
    bool known = true;
    float variance = 0.5f;

    [[nodiscard]] rewritten<ir_module> folded() const {
        rewriting_program p;
        const node_id x = p.input({1, 2, 5, 5});
        const node_id other = p.input({3});
        std::vector<node_id> operands{x, p.varied({3, 2, 3, 3})};
        if (bias) operands.push_back(p.varied({3}));
        if (absent_bias) operands.push_back(p.unit());
        attribute_map how;
        how.set("pads", std::vector<std::int64_t>{1, 0, 1, 0});
        const node_id conv = p.call("Conv", operands, how);
        attribute_map epsilon;
        epsilon.set("epsilon", 0.01);
        const node_id bn = p.call("BatchNormalization",
                                  {conv, known ? p.varied({3}) : other, p.varied({3}), p.varied({3}), p.filled({3}, variance)}, epsilon);
        return rewritten_alike<ops_here>(p.finish<ops_here>(read_twice ? p.call("Add", {bn, conv}) : bn), batch_norm_rules(), 1e-4);
    }
};

}  // namespace

TEST_CASE("a convolution takes up the batch normalisation behind it") {
    for (const bool bias : {false, true}) {
        const auto made = network{bias, false, false, true, 0.5f}.folded();
        CHECK(made.report.fired == 1);
        for (node_id n = 0; n < made.graph.size(); ++n) {
            CHECK(made.graph.op(n) != "onnx.BatchNormalization");
            if (made.graph.op(n) == "onnx.Conv") CHECK(made.graph.attributes(n).integers("pads").size() == 4);
        }
    }
    CHECK(network{false, true, false, true, 0.5f}.folded().report.fired == 1);
}

TEST_CASE("one whose convolution others read, whose statistics are not known or are none stays") {
    CHECK(network{false, false, true, true, 0.5f}.folded().report.fired == 0);
    CHECK(network{false, false, false, false, 0.5f}.folded().report.fired == 0);
    CHECK(network{false, false, false, true, -1.0f}.folded().report.fired == 0);
}
