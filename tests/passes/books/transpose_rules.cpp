// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/transpose_rules.hpp>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/activation.hpp>
#include <inlay/ops/onnx/transposition.hpp>

#include "ops/rewritten_alike.hpp"

using namespace inlay;
using ops_here = op_table<onnx_arithmetic<>, onnx_math<>, onnx_transposition<>, onnx_activations<>>;
using order = std::vector<std::int64_t>;

namespace {

std::size_t transposes(const ir_module& m) {
    std::size_t count = 0;
    for (node_id n = 0; n < m.size(); ++n) count += m.op(n) == "onnx.Transpose" ? 1 : 0;
    return count;
}
attribute_map by(order perm) {
    attribute_map made;
    made.set("perm", std::move(perm));
    return made;
}
/// How many transposes are left of a program on a tensor of shape [2,3,4].
template <class Build>
std::size_t left_of(Build&& build) {
    rewriting_program p;
    const node_id x = p.input({2, 3, 4});
    return transposes(rewritten_alike<ops_here>(p.finish<ops_here>(build(p, x)), transpose_rules()).graph);
}

}  // namespace

TEST_CASE("two transposes are one, and none where they undo each other") {
    CHECK(left_of([](auto& p, node_id x) { return p.call("Transpose", {p.call("Transpose", {x}, by({1, 2, 0}))}, by({2, 0, 1})); }) == 0);
    CHECK(left_of([](auto& p, node_id x) { return p.call("Transpose", {p.call("Transpose", {x}, by({1, 2, 0}))}, by({1, 2, 0})); }) == 1);
    CHECK(left_of([](auto& p, node_id x) { return p.call("Transpose", {p.call("Transpose", {x})}); }) == 0);
    CHECK(left_of([](auto& p, node_id x) { return p.call("Transpose", {p.call("Transpose", {x}, by({2, 1, 0}))}); }) == 0);
}

TEST_CASE("transposes sink below what works element by element, and meet") {
    CHECK(left_of([](auto& p, node_id x) {
              return p.call("Transpose", {p.call("Relu", {p.call("Exp", {p.call("Transpose", {x}, by({0, 2, 1}))})})}, by({0, 2, 1}));
          }) == 0);
    CHECK(left_of([](auto& p, node_id x) {
              const node_id a = p.call("Transpose", {p.call("Exp", {x})}, by({0, 2, 1})),
                            b = p.call("Transpose", {p.call("Neg", {x})}, by({0, 2, 1}));
              return p.call("Transpose", {p.call("Mul", {a, b})}, by({0, 2, 1}));
          }) == 0);
    CHECK(left_of([](auto& p, node_id x) {
              return p.call(
                  "Transpose",
                  {p.call("Div", {p.filled({}, 3), p.call("Add", {p.call("Transpose", {p.call("Exp", {x})}), p.filled({1}, 2)})})});
          }) == 0);
}

TEST_CASE("a constant on the way is brought into the order of what stood before") {
    for (const order& shape : {order{4}, order{3, 1}, order{2, 3, 4}, order{1, 3, 1}})
        for (const bool left : {false, true}) {
            CAPTURE(shape.size());
            CHECK(left_of([&](auto& p, node_id x) {
                      const node_id t = p.call("Transpose", {p.call("Transpose", {p.call("Exp", {x})}, by({1, 2, 0}))}, by({1, 2, 0})),
                                    c = p.varied(shape);
                      // Orders joined, [2,0,1] of [2,3,4] is [4,2,3]; so that constants meet other extents than the input's.
                      const node_id u = p.call("Transpose", {t}, by({1, 2, 0}));
                      return p.call("Transpose", {left ? p.call("Sub", {c, u}) : p.call("Div", {u, c})}, by({2, 1, 0}));
                  }) == 1);
            CHECK(left_of([&](auto& p, node_id x) {
                      const node_id t = p.call("Transpose", {p.call("Exp", {x})}, by({1, 2, 0}));
                      const node_id c = p.varied(shape.size() == 3 ? order{shape[1], shape[2], shape[0]} : order{1});
                      return p.call("Transpose", {left ? p.call("Sub", {c, t}) : p.call("Pow", {t, c})}, by({2, 0, 1}));
                  }) == 0);
        }
}

TEST_CASE("where they are to meet, a transpose that meets none stays, whatever is done to it behind") {
    rewriting_program p, q, r;
    const auto moved = [](rewriting_program& at, node_id result) {
        return rewritten_alike<ops_here>(at.finish<ops_here>(result), meeting_transpose_rules());
    };
    const node_id alone = p.call("Transpose", {p.input({2, 3, 4})});
    CHECK(moved(p, p.call("Relu", {p.call("Add", {alone, p.varied({2})})})).report.fired == 0);
    const node_id turned = q.call("Transpose", {q.input({2, 3, 4})});
    const auto met = moved(q, q.call("Transpose", {q.call("Relu", {q.call("Add", {turned, q.varied({2})})})}));
    CHECK(transposes(met.graph) == 0);
    // Two ways that come together in one order: one transpose is left of two.
    const node_id x = r.input({2, 3, 4});
    const node_id a = r.call("Neg", {r.call("Transpose", {r.call("Exp", {x})})}),
                  b = r.call("Mul", {r.call("Transpose", {x}), r.filled({}, 2)});
    CHECK(transposes(moved(r, r.call("Relu", {r.call("Sub", {a, b})})).graph) == 1);
}

TEST_CASE("transposes of other orders, of other readers and beside constants of a higher rank stay where they are") {
    CHECK(left_of([](auto& p, node_id x) {
              const node_id a = p.call("Transpose", {p.call("Exp", {p.call("Relu", {x})})}, by({0, 1, 2})),
                            b = p.call("Transpose", {x}, by({0, 1, 2}));
              return p.call("Sub", {a, b});
          }) == 1);
    CHECK(left_of([](auto& p, node_id x) { return p.call("Add", {p.call("Transpose", {x}), p.filled({1, 1, 1, 1}, 2)}); }) == 1);
    CHECK(left_of([](auto& p, node_id x) {
              const node_id t = p.call("Transpose", {x});
              return p.call("Add", {p.call("Exp", {t}), t});
          }) == 1);
}
