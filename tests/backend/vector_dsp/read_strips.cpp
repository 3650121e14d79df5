// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/read_strips.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "../small_graph.hpp"

#include <doctest/doctest.h>

using namespace inlay;
using dsp_parts::strip_work;

namespace {

dsp_parts::read_strips_result read_whole(const ir_module& m) {
    const inlay_test::whole_region whole(m);
    auto read = dsp_parts::read_strips(whole.view());
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    return *std::move(read);
}
std::string not_read(const ir_module& m) {
    const inlay_test::whole_region whole(m);
    const auto read = dsp_parts::read_strips(whole.view());
    return read ? std::string() : read.failure().message;
}

}  // namespace

TEST_CASE("windows for each channel alone, poolings and sums are layers of strips") {
    inlay_test::small_graph a, b, c, d;
    const auto conv = read_whole(a.finish(a.call(
        "onnx.Clip", {a.call("onnx.Conv", {a.input({2, 4, 8, 9}), a.random({4, 1, 3, 2}), a.random({4})}, {{"group", std::int64_t{4}}}),
                      a.scalar(0), a.scalar(6)})));
    CHECK(conv.what.work == strip_work::depthwise);
    CHECK(conv.what.type == operand_type::floats);
    CHECK(conv.what.y == tap_axis{8, 6, 3, 1, 1, 0});
    CHECK(conv.what.channels == 4);
    CHECK(conv.numbers.real_high == 6);
    CHECK(conv.numbers.weights.size() == 4 * 24);
    const auto pool = read_whole(b.finish(b.call("onnx.GlobalAveragePool", {b.input({1, 4, 5, 5})})));
    CHECK(pool.what.work == strip_work::average);
    CHECK(pool.numbers.scales[0] == 0.04f);
    const node_id x = c.input({2, 3}), y = c.input({2, 3});
    const auto sum = read_whole(c.finish(c.call("onnx.Sub", {y, x})));
    CHECK(sum.what.function == dsp_parts::combine_function::subtract);
    CHECK(sum.what.channels == 6);
    CHECK_FALSE(sum.what.reads_one);
    CHECK(sum.inputs[0] != sum.inputs[1]);
    const auto relu = read_whole(d.finish(d.call("onnx.Relu", {d.input({7})})));
    CHECK(relu.what.reads_one);
    CHECK(relu.numbers.real_low == 0);
}

TEST_CASE("what is no layer of strips is told why") {
    inlay_test::small_graph a, b, c, d;
    CHECK(not_read(a.finish(a.call("onnx.Conv", {a.input({1, 4, 5, 5}), a.random({4, 2, 3, 3})}, {{"group", std::int64_t{2}}}))) ==
          "the processor has a window for each channel alone; group is 2");
    CHECK(not_read(b.finish(b.call("onnx.Add", {b.input({2, 3}), b.input({3})}))) ==
          "the processor combines tensors of one type and shape");
    CHECK(not_read(c.finish(c.call("onnx.Add", {c.input({2, 3}), c.random({2, 3})}))) == "onnx.Add has an operand that is a constant");
    const attribute_map padded{{"kernel_shape", std::vector<std::int64_t>{3, 3}}, {"pads", std::vector<std::int64_t>{1, 1, 1, 1}}};
    CHECK(not_read(d.finish(d.call("onnx.AveragePool", {d.input({1, 2, 5, 5})}, padded))) ==
          "the processor divides all sums of a layer by one number; some windows hang over the image");
}
