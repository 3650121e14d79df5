// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/spread_rounds.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "arranged_alike.hpp"

using namespace inlay;
using namespace cuda_cxx_test;

TEST_CASE("rounds spread over blocks and threads compute what they are lowered to, whatever their extents") {
    CHECK(rc::check([&] {
        const auto extent = [] { return *rc::gen::element<std::int64_t>(1, 2, 3, 7, 17, 40); };
        const std::vector<std::int64_t> whole{extent(), extent(), extent(), extent()};
        const int which = *rc::gen::inRange(0, 5);
        const loop_nest n = lowered({whole, {whole[3]}}, [&](ir_builder& b, const auto& x) {
            const node_id sum = b.call("onnx.Add", {x[0], x[1]});
            if (which == 0) return b.call("onnx.Transpose", {sum}, {{"perm", std::vector<std::int64_t>{3, 0, 2, 1}}});
            if (which == 1) return b.call("onnx.Softmax", {sum}, {{"axis", std::int64_t{*rc::gen::inRange(0, 4)}}});
            if (which == 2) return b.call("onnx.GlobalAveragePool", {sum});
            if (which == 3) return b.call("onnx.Concat", {sum, x[0]}, {{"axis", std::int64_t{1}}});
            return b.call("onnx.Relu", {sum});
        });
        const std::string differs = difference(n, detail::with_spread_rounds(n));
        if (!differs.empty()) RC_FAIL(differs);
    }));
}

TEST_CASE("a long row is shared out over blocks of 256 threads") {
    const loop_nest made =
        detail::with_spread_rounds(lowered({{3, 1000}}, [](ir_builder& b, const auto& x) { return b.call("onnx.Relu", {x[0]}); }));
    const auto launches = launches_of(made);
    REQUIRE(launches);
    CHECK((*launches)[0].grid[0] == 12);
    CHECK((*launches)[0].block[0] == 256);
}

TEST_CASE("short rows share a block") {
    const loop_nest made =
        detail::with_spread_rounds(lowered({{2, 64, 7, 7}}, [](ir_builder& b, const auto& x) { return b.call("onnx.Relu", {x[0]}); }));
    const auto launches = launches_of(made);
    REQUIRE(launches);
    CHECK((*launches)[0].block == std::array<std::int64_t, 3>{7, 7, 5});
    CHECK((*launches)[0].grid[0] == 26);
}

TEST_CASE("what is bound already stays") {
    const loop_nest made =
        detail::with_spread_rounds(lowered({{2, 64, 7, 7}}, [](ir_builder& b, const auto& x) { return b.call("onnx.Relu", {x[0]}); }));
    CHECK(detail::with_spread_rounds(made) == made);
}
