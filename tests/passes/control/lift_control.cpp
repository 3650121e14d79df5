// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// Compiled alone: its helper has `program` of the runtime, which others of this room name for something else.
#include <inlay/passes/control/lift_control.hpp>

#include <doctest/doctest.h>

#include "backend/control_flow/looped.hpp"

using namespace looped;

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
node_id call_of(const ir_module& m, std::string_view op) {
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call && m.op(n) == op) return n;
    return no_node;
}

}  // namespace

TEST_CASE("a branch is one call that reads the condition and what its sides read, and these are programs") {
    CHECK(has_control(branch()));
    const lifted_control c = lifted(branch());
    REQUIRE(c.bodies.size() == 2);
    CHECK_FALSE(has_control(c.program));
    const node_id call = call_of(c.program, if_op);
    REQUIRE(call != no_node);
    CHECK(c.program.arity(call) == 3);
    CHECK(c.program.name(call) == "chosen");
    CHECK(c.program.type(call) == node_type(row()));
    for (const ir_module& body : c.bodies) CHECK(body.inputs().size() == 2);
    CHECK(call_of(c.bodies[0], "onnx.Exp") != no_node);
    CHECK(call_of(c.bodies[1], "onnx.Neg") != no_node);
}

TEST_CASE("a loop's results have the types that its body and its trips give, and so has what reads them") {
    const lifted_control c = lifted(loop(5, {}));
    REQUIRE(c.bodies.size() == 1);
    const node_id call = call_of(c.program, loop_op);
    REQUIRE(call != no_node);
    CHECK(to_string(c.program.type(call)) == "(float32[3], float32[5,3])");
    CHECK(c.program.attributes(call).integer("trips", 0) == 5);
    CHECK(c.bodies[0].inputs().size() == 4);
    const node_id result = c.program.result(c.program.main());
    CHECK(to_string(c.program.type(result)) == "(float32[3], float32[5,3])");
}

TEST_CASE("what is nested comes first, and a program without control flow stays") {
    const ir_module m = of_body({flag, row()}, [](ir_builder& b, auto& x) {
        const node_id yes = side(b, [&] {
            const node_id inner = side(b, [&] { return b.call("onnx.Exp", {x[1]}); });
            const node_id other = side(b, [&] { return b.call("onnx.Neg", {x[1]}); });
            return b.call("onnx.Abs", {b.if_else(x[0], inner, other)});
        });
        const node_id no = side(b, [&] { return b.call("onnx.Neg", {x[1]}); });
        return b.if_else(x[0], yes, no);
    });
    const lifted_control c = lifted(m);
    REQUIRE(c.bodies.size() == 4);
    CHECK(call_of(c.bodies[0], "onnx.Exp") != no_node);
    CHECK(call_of(c.bodies[2], if_op) != no_node);
    const ir_module plain = of_body({row()}, [](ir_builder& b, auto& x) { return b.call("onnx.Neg", {x[0]}); });
    CHECK_FALSE(has_control(plain));
    CHECK(lifted(plain).bodies.empty());
}

TEST_CASE("branches and loops give and read values around them that nothing else reads [passes.control.outer-values]") {
    const auto both = [](bool truth_of_condition) {
        return std::vector<tensor>{truth(truth_of_condition), values({1, -2, 3}), values({4, 5, -6})};
    };
    // if (c) { if (c) { -a } else { a } } else { a }, with a = |x| outside.
    const ir_module in_branch = of_body({flag, row(), row()}, [](ir_builder& b, auto& x) {
        const node_id outer = b.call("onnx.Abs", {x[1]});
        const node_id yes = side(b, [&] {
            const node_id inner = side(b, [&] { return b.call("onnx.Neg", {outer}); });
            return b.if_else(x[0], inner, outer);
        });
        return b.if_else(x[0], yes, outer);
    });
    // Sides that give fields of a tuple around them, one of them twice, and a constant; a side that is such a tuple.
    const ir_module tuples = of_body({flag, row(), row()}, [](ir_builder& b, auto& x) {
        const node_id left = side(b, [&] { return b.tuple(std::vector<node_id>{b.call("onnx.Exp", {x[1]}), x[2]}); });
        const node_id right = side(b, [&] { return b.tuple(std::vector<node_id>{x[2], b.call("onnx.Neg", {x[1]})}); });
        const node_id parts = b.if_else(x[0], left, right);
        const node_id yes = side(b, [&] { return b.tuple(std::vector<node_id>{b.projection(parts, 1), b.projection(parts, 1)}); });
        const node_id no = side(b, [&] {
            const node_id first = b.call("onnx.Abs", {b.projection(parts, 0)});
            return b.tuple(std::vector<node_id>{b.constant(values({7, 8, 9})), first});
        });
        const node_id chosen = b.if_else(x[0], yes, no);
        const node_id again = b.if_else(x[0], chosen, side(b, [&] { return b.tuple(std::vector<node_id>{x[1], x[1]}); }));
        return b.call("onnx.Add", {b.projection(again, 0), b.projection(again, 1)});
    });
    // A loop that carries two values and gives one of them up, and an input of the program for the other.
    const ir_module in_loop = of_body({flag, row(), row()}, [](ir_builder& b, auto& x) {
        const node_id outer = b.call("onnx.Abs", {x[1]});
        const node_id f = body(b, {number, flag, row(), row()}, [&](auto& p) {
            const node_id chosen = b.if_else(x[0], side(b, [&] { return b.call("onnx.Add", {p[2], outer}); }), x[2]);
            return b.tuple(std::vector<node_id>{p[1], chosen, x[2]});
        });
        const node_id made = b.call("onnx.Loop", {b.constant(tensor::scalar(std::int64_t{3})), b.unit(), x[1], x[2], f}, {}, fields(2));
        return b.call("onnx.Sub", {b.projection(made, 0), b.projection(made, 1)});
    });
    for (const ir_module* m : {&in_branch, &tuples, &in_loop})
        for (const bool condition : {true, false}) check_meaning(*m, both(condition));
}

TEST_CASE("a loop reads what another loop gives, and a branch inside both [passes.control.types-first]") {
    const auto repeated = [](ir_builder& b, node_id start, node_id added) {
        const node_id f = body(b, {number, flag, row()}, [&](auto& p) {
            return b.tuple(std::vector<node_id>{p[1], b.call("onnx.Add", {p[2], added})});
        });
        return b.call("onnx.Loop", {b.constant(tensor::scalar(std::int64_t{2})), b.unit(), start, f});
    };
    check_meaning(of_body({flag, row()},
                          [&](ir_builder& b, auto& x) {
                              const node_id first = repeated(b, x[1], x[1]);
                              const node_id second = repeated(b, first, first);
                              const node_id yes = side(b, [&] { return repeated(b, second, first); });
                              return b.if_else(x[0], yes, second);
                          }),
                  {truth(true), values({1, 2, 3})});
}

TEST_CASE("shapes that the run decides are refused, with the reason") {
    CHECK(has(refused(of_body({flag, row(), row(4)},
                              [](ir_builder& b, auto& x) {
                                  const node_id yes = side(b, [&] { return b.call("onnx.Neg", {x[1]}); });
                                  const node_id no = side(b, [&] { return b.call("onnx.Neg", {x[2]}); });
                                  return b.if_else(x[0], yes, no);
                              })),
              "gives float32[3] or float32[4], whichever the run decides"));
    const auto with_trips = [](bool known) {
        return of_body({number, row()}, [&](ir_builder& b, auto& x) {
            const node_id f = body(b, {number, flag}, [&](auto& p) {
                return b.tuple(std::vector<node_id>{p[1], b.call("onnx.Neg", {x[1]})});
            });
            return b.call("onnx.Loop", {known ? b.constant(tensor::scalar(std::int64_t{2})) : x[0], b.unit(), f});
        });
    };
    CHECK(refused(with_trips(true)) == "nothing");
    CHECK(has(refused(with_trips(false)), "stacks slices as often as the run decides"));
    CHECK(has(refused(of_body(
                  {row()},
                  [](ir_builder& b, auto& x) {
                      const node_id f = body(b, {number, flag, row()}, [&](auto& p) {
                          return b.tuple(std::vector<node_id>{p[1], b.call("onnx.Concat", {p[2], p[2]}, {{"axis", std::int64_t{0}}})});
                      });
                      return b.call("onnx.Loop", {b.constant(tensor::scalar(std::int64_t{2})), b.unit(), x[0], f});
                  })),
              "changes the type of its state 0 from float32[3] to float32[6]"));
    CHECK(has(refused(loop({}, {})), "it would never end"));
}
