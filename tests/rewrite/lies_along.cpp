// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/lies_along.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/passes/infer_call.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/rewrite/rewrite.hpp>

#include "small_program.hpp"

using namespace inlay;

TEST_CASE("an operand is refused along other axes, with its type in the reason") {
    const node_type x = tensor_type(element_type::float32, {2, 4, 4}), column = tensor_type(element_type::float32, {4, 1}),
                    open = tensor_type(element_type::float32, {extent()});
    const std::vector<std::int64_t> last{-1}, middle{1}, outside{3}, none;
    CHECK(lies_along(column, x, middle).taken);
    CHECK(lies_along(column, x, last).reason == "an operand of type float32[4,1] varies along other axes of float32[2,4,4]");
    CHECK_FALSE(lies_along(column, x, outside).taken);
    CHECK_FALSE(lies_along(column, x, none).taken);
    CHECK_FALSE(lies_along(open, x, last).taken);
    CHECK_FALSE(lies_along(x, column, last).taken);
    CHECK(lies_along(node_type(tensor_type(element_type::float32, {})), x, none).taken);
}

TEST_CASE("a rule's condition asks along which axes a captured value varies") {
    using namespace inlay::dsl;
    constexpr rule_book book(rule<"row">(op<"onnx.Add">(as<"x">, as<"c">), op<"onnx.Sub">(as<"x">, as<"c">), varies_along<"c", "x", -1>{}));
    const auto fired = [&](std::vector<std::int64_t> extents) {
        small_program p;
        const node_id x = p.input({4, 4}, "x"), c = p.input(std::move(extents), "c");
        const ir_module m = p.finish({p.call("Add", {x, c})});
        rewrite_options options;
        options.infer = &infer_call<few_ops>;
        return rewrite(m, book, options).report.fired;
    };
    CHECK(fired({4}) == 1);
    CHECK(fired({1, 4}) == 1);
    CHECK(fired({4, 1}) == 0);
    CHECK(fired({4, 4}) == 0);
}
