// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/enumerate.hpp>

#include <doctest/doctest.h>

#include "toy_backends.hpp"

using namespace inlay;

namespace {

/// Refuses in every way there is.
struct choosy : toys::rows {
    static constexpr std::string_view kind = "choosy";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"four">(op<"onnx.Relu">(op<"onnx.Relu">(op<"onnx.Relu">(op<"onnx.Relu">)))),
                             composite<"two">(op<"onnx.Relu">(op<"onnx.Relu">)),
                             composite<"two_again">(op<"onnx.Relu">(as<"inner">(op<"onnx.Relu">))),
                             composite<"mul">(op<"onnx.Mul">(as<"left">, any),
                                              [](const auto&, const auto& m) {
                                                  return m.template has<"left">() && m.template at<"left">().type->of_tensor.rank() == 4
                                                             ? verdict::no("the left side has rank 4; it takes rank 2")
                                                             : verdict::yes();
                                              }),
                             composite<"add">(op<"onnx.Add">), composite<"either">(commutative<"toy.Both">(op<"onnx.Relu">, any)),
                             composite<"split">(op<"toy.Split">));
    }
    [[nodiscard]] inlay::limits limits() const { return {3, 0}; }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        if (r.calls()[0].op == "onnx.Add") return {};
        return {plain_borders(r)};
    }
};

using choosy_list = backend_list<choosy>;

std::size_t count_of(const candidate_set& set, refusal::cause why, std::string_view composite) {
    const auto counts = [&](const refusal& r) { return r.why == why && r.composite == composite; };
    return static_cast<std::size_t>(std::count_if(set.refusals.begin(), set.refusals.end(), counts));
}

node_id relus(ir_builder& b, node_id x, int count) {
    for (int i = 0; i < count; ++i) x = b.call("onnx.Relu", {x}, {}, toys::image());
    return x;
}

}  // namespace

TEST_CASE("of two composites that take the same nodes the first in the table counts, and a limit refuses what is larger") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return relus(b, x, 4); });
    const candidate_set set = enumerate(m, choosy_list());
    CHECK(set.to_cover.size() == 4);
    REQUIRE(set.candidates.size() == 3);
    for (const candidate& c : set.candidates) CHECK(c.name == "two");
    CHECK(count_of(set, refusal::cause::over_a_limit, "four") == 1);
    CHECK(count_of(set, refusal::cause::duplicates_a_node, "two_again") == 0);
}

TEST_CASE("a value inside a match that is read outside it, or leaves the program, refuses the match") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id inner = relus(b, x, 1), outer = relus(b, inner, 1);
        const node_id fields[] = {inner, outer};
        return b.tuple(fields);
    });
    const candidate_set set = enumerate(m, choosy_list());
    CHECK(set.candidates.empty());
    REQUIRE(count_of(set, refusal::cause::duplicates_a_node, "two") == 1);
    CHECK(set.refusals[0].reason.find("is read outside it as well") != std::string::npos);
}

TEST_CASE("a predicate's no, a lack of formats and an unknown shape are refusals with their reasons") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {b.call("onnx.Mul", {x, x}, {}, toys::image()), x}, {}, toys::image());
    });
    const candidate_set set = enumerate(m, choosy_list());
    REQUIRE(count_of(set, refusal::cause::predicate, "mul") == 1);
    CHECK(set.refusals[0].reason == "the left side has rank 4; it takes rank 2");
    CHECK(count_of(set, refusal::cause::no_format, "add") == 1);

    const tensor_type open(element_type::float32, {extent("n"), 3});
    const ir_module shapeless = toys::program_of(open, [&](ir_builder& b, node_id x) { return b.call("onnx.Mul", {x, x}, {}, open); });
    const candidate_set unknown = enumerate(shapeless, choosy_list());
    REQUIRE(count_of(unknown, refusal::cause::unknown_shape, "mul") == 1);
    CHECK(unknown.refusals[0].reason.find("float32[n,3]") != std::string::npos);
    CHECK(unknown.candidates.empty());
}

TEST_CASE("a match does not cross basic blocks") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id flag = b.constant(tensor(element_type::boolean, {}));
        const node_id outer = relus(b, x, 1);
        b.open_block();
        const node_id then_result = relus(b, outer, 1);
        b.close_block();
        b.open_block();
        const node_id else_result = b.call("onnx.Mul", {x, x}, {}, toys::image());
        b.close_block();
        return b.if_else(flag, then_result, else_result);
    });
    CHECK(count_of(enumerate(m, choosy_list()), refusal::cause::crosses_blocks, "two") == 1);
}

TEST_CASE("all matches of one root are candidates, up to the limit of matches") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("toy.Both", {relus(b, x, 1), relus(b, x, 1)}, {}, toys::image());
    });
    CHECK(enumerate(m, choosy_list()).candidates.size() == 2);
    enumerate_options one;
    one.matches_per_root = 1;
    CHECK(enumerate(m, choosy_list(), one).candidates.size() == 1);
}

TEST_CASE("a tuple stays with its projections") {
    const node_type two = node_type::tuple({toys::image(), toys::image()});
    const ir_module m = toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        const node_id split = b.call("toy.Split", {x}, {}, two);
        const node_id fields[] = {b.projection(split, 0), b.projection(split, 1)};
        return b.tuple(fields);
    });
    const candidate_set set = enumerate(m, choosy_list());
    CHECK(set.to_cover.size() == 3);
    REQUIRE(set.candidates.size() == 1);
    CHECK(set.candidates[0].nodes == set.to_cover);
    CHECK(set.candidates[0].results == m.results());
    CHECK(set.candidates[0].formats.results.size() == 2);
}

TEST_CASE("nodes that belong to a part already are left alone, and back ends that were not chosen are not asked") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return relus(b, x, 3); });
    enumerate_options options;
    options.owned.assign(m.size(), 0);
    options.owned[m.results()[0]] = 1;
    const candidate_set set = enumerate(m, toys::list(), options);
    CHECK(set.to_cover.size() == 2);
    for (const candidate& c : set.candidates) CHECK(c.root != m.results()[0]);
    toys::list fewer;
    fewer.choose({1});
    for (const candidate& c : enumerate(m, fewer).candidates) CHECK(c.backend == 1);
}

TEST_CASE("candidates stand in the order of root, back end, composite and format tuple") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 20);
        const candidate_set set = enumerate(m, toys::list());
        CHECK(std::is_sorted(set.candidates.begin(), set.candidates.end(), [](const candidate& a, const candidate& b) {
            return std::tuple(a.root, a.backend, a.composite) < std::tuple(b.root, b.backend, b.composite);
        }));
        for (const candidate& c : set.candidates) {
            CHECK(std::is_sorted(c.nodes.begin(), c.nodes.end()));
            CHECK(c.formats.inputs.size() == c.inputs.size());
            CHECK(c.formats.results.size() == c.results.size());
        }
    }
}
