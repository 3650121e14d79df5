// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/refusals_at.hpp>

#include <doctest/doctest.h>

#include "toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>

using namespace inlay;

namespace {

/// Takes a sum of what is not deep, and says no to products.
struct shy : toys::rows {
    static constexpr std::string_view kind = "shy";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"mul_add">(op<"onnx.Add">(op<"onnx.Mul">, any),
                                                  [](const shy&, const auto&) { return verdict::no("2 products are 1 too many"); }),
                             composite<"add">(op<"onnx.Add">));
    }
};

using shy_list = backend_list<toys::rows, shy>;

/// `relu(add(mul(x, x), x))`, and the numbers of its calls.
struct small_program {
    node_id mul = no_node, add = no_node, relu = no_node;
    ir_module m = toys::program_of(toys::image(), [this](ir_builder& b, node_id x) {
        mul = b.call("onnx.Mul", {x, x}, {}, toys::image());
        add = b.call("onnx.Add", {mul, x}, {}, toys::image());
        return relu = b.call("onnx.Relu", {add}, {}, toys::image());
    });
};

constexpr backend_id shy_number = 1;

}  // namespace

TEST_CASE("a match that was refused is told for each of its nodes, with what the predicate said [candidate.why.predicate]") {
    const small_program p;
    const shy_list backends;
    const candidate_set set = enumerate(p.m, backends);
    for (const node_id n : {p.mul, p.add}) {
        const auto found = refusals_at(p.m, backends, set, shy_number, n);
        REQUIRE(found.size() == 1);
        CHECK(found[0].why == refusal::cause::predicate);
        CHECK(found[0].composite == "mul_add");
        CHECK(found[0].reason == "2 products are 1 too many");
        CHECK(found[0].root == p.add);
        CHECK(found[0].nodes == std::vector<node_id>{p.mul, p.add});
    }
}

TEST_CASE(
    "where no pattern matches, the one that came nearest is told, with where it ended and what stands there [candidate.why.no-pattern]") {
    const small_program p;
    const shy_list backends;
    const candidate_set set = enumerate(p.m, backends);
    const auto none = refusals_at(p.m, backends, set, shy_number, p.relu);
    REQUIRE(none.size() == 1);
    CHECK(none[0].why == refusal::cause::no_pattern);
    CHECK(name_of(none[0].why) == "no pattern");
    CHECK(none[0].reason == "no pattern of it begins or goes on at onnx.Relu");
    CHECK(none[0].composite.empty());

    // The sum of a rectified tensor: the pattern begins at the sum and ends at the node asked for.
    node_id relu = no_node, add = no_node;
    const ir_module m = toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        relu = b.call("onnx.Relu", {x}, {}, toys::image());
        return add = b.call("onnx.Add", {relu, x}, {}, toys::image());
    });
    const candidate_set of_m = enumerate(m, backends);
    const auto near = refusals_at(m, backends, of_m, shy_number, relu, [&](node_id n) { return n == add ? "sum" : "rectified"; });
    REQUIRE(near.size() == 1);
    CHECK(near[0].composite == "mul_add");
    CHECK(near[0].root == add);
    CHECK(near[0].reason ==
          "nearest, from sum: at rectified it asks for a call of onnx.Mul, and finds a call of onnx.Relu (onnx.Add > operand 0: onnx.Mul)");
}

TEST_CASE("a back end that has the node in a candidate and refused nothing has nothing to tell") {
    const small_program p;
    const shy_list backends;
    const candidate_set set = enumerate(p.m, backends);
    for (const node_id n : {p.mul, p.add, p.relu}) CHECK(refusals_at(p.m, backends, set, 0, n).empty());
}

namespace {

/// Of its two patterns the first takes more terms of `add(neg(x), mul(mul(x, x), x))`, and the second shares more operators with it.
struct choosy : toys::rows {
    static constexpr std::string_view kind = "choosy";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"terms">(op<"onnx.Add">(op<"onnx.Neg">(op<"onnx.Neg">(any)), any)),
                             composite<"operators">(op<"onnx.Add">(op<"onnx.Exp">(any), op<"onnx.Mul">(op<"onnx.Mul">(any, any), any))));
    }
};

}  // namespace

TEST_CASE("the nearest pattern is the one that shares most operators with what stands there [candidate.why.shared-operators]") {
    node_id add = no_node;
    const ir_module m = toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        const node_id mul = b.call("onnx.Mul", {x, x}, {}, toys::image());
        return add = b.call("onnx.Add", {b.call("onnx.Neg", {x}, {}, toys::image()), b.call("onnx.Mul", {mul, x}, {}, toys::image())}, {},
                            toys::image());
    });
    const backend_list<toys::rows, choosy> backends;
    const auto found = refusals_at(m, backends, enumerate(m, backends), 1, add);
    REQUIRE(found.size() == 1);
    CHECK(found[0].composite == "operators");
}
