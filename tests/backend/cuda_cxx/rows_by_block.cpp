// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/rows_by_block.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/loops/nest/parse_nest.hpp>
#include <inlay/loops/schedule/near_stages.hpp>

#include "arranged_alike.hpp"

using namespace inlay;
using namespace cuda_cxx_test;

namespace {

loop_nest by_rows(const loop_nest& n) { return detail::with_rows_by_block(detail::with_near_stages(n)); }

}  // namespace

TEST_CASE("rows of a block each compute what they are lowered to, whatever their lengths") {
    std::size_t made = 0;
    CHECK(rc::check([&] {
        const std::vector<std::int64_t> whole{*rc::gen::inRange<std::int64_t>(1, 5), *rc::gen::inRange<std::int64_t>(1, 9),
                                              *rc::gen::element<std::int64_t>(5, 64, 65, 100, 128, 200, 257, 300)};
        const int which = *rc::gen::inRange(0, 4);
        const loop_nest n = lowered({whole, {whole[2]}}, [&](ir_builder& b, const auto& x) {
            const node_id sum = b.call("onnx.Add", {x[0], x[1]});
            const tensor last = tensor::of<std::int64_t>({1}, {2});
            if (which == 0) return b.call("onnx.Softmax", {sum}, {{"axis", std::int64_t{2}}});
            if (which == 1) return b.call("onnx.LayerNormalization", {sum, x[1]}, {{"axis", std::int64_t{2}}});
            if (which == 2) return b.call("onnx.ReduceMax", {sum, b.constant(last)});
            return b.call("onnx.ReduceSum", {sum, b.constant(last)}, {{"keepdims", std::int64_t{0}}});
        });
        const loop_nest arranged = by_rows(n);
        const std::string differs = difference(n, detail::with_spread_rounds(arranged), 1e-5);
        if (!differs.empty()) RC_FAIL(differs);
        made += bound_to(arranged, loop_kind::block_x) != 0 ? 1 : 0;
    }));
    CHECK(made > 20);
}

TEST_CASE("a sum of a row is summed by threads and then by pairs") {
    const auto n =
        parse_nest("nest n { input x: float32[20, 512] output y: float32[20] for i < 20 { y[i] = 0.0 for k < 512 { y[i] += x[i, k] } } }");
    REQUIRE(n);
    const loop_nest made = by_rows(*n);
    const std::string text = to_text(made);
    CHECK(text.find("for i < 20 block_x {") != std::string::npos);
    CHECK(text.find("for k_thread < 128 thread_x {") != std::string::npos);
    CHECK(text.find("y_part_1[k_pair] = y_part[k_pair] + y_part[k_pair + 64]") != std::string::npos);
    // 128, 64, 32, 16, 8, 4, 2 and 1.
    CHECK(bound_to(made, loop_kind::thread_x) == 8);
    CHECK(difference(*n, made, 1e-6) == "");
}

TEST_CASE("short rows, and columns, stay with a thread each") {
    const auto add = [](ir_builder& b, const auto& x) { return b.call("onnx.Softmax", {x[0]}, {{"axis", std::int64_t{1}}}); };
    for (const loop_nest& n : {lowered({{40, 63}}, add), lowered({{4, 100, 70}}, add)}) {
        const loop_nest near = detail::with_near_stages(n);
        CHECK(detail::with_rows_by_block(near) == near);
    }
}
