// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/selection_problem.hpp>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>
#include <inlay/search/check.hpp>

using namespace inlay;

namespace {

double flat_price(const tensor_type&, const format&, const format&) { return 0.5; }

}  // namespace

TEST_CASE("a problem has a node per input that is read, per node to cover and per result, and its formats are those that occur") {
    const tensor_type t = toys::image();
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        const node_id sum = b.call("onnx.Add", {x, x}, {}, t);
        return b.call("onnx.Relu", {sum}, {}, t);
    });
    const candidate_set set = enumerate(m, toys::list());
    const std::vector<double> prices(set.candidates.size(), 1.0);
    const selection_problem stated = state_problem(m, set, prices, flat_price);
    const problem& p = stated.numbers;
    CHECK(p.nodes == 4);
    CHECK(stated.node_of == std::vector<node_id>{0, 1, 2, 2});
    CHECK(p.edges == std::vector<problem_edge>{{0, 1}, {1, 2}, {2, 3}});
    CHECK(p.formats == 2);
    CHECK(stated.formats[0] == plain_format(element_type::float32));
    CHECK(check(p).has_value());
    REQUIRE(p.candidates.size() == set.candidates.size() + 2);
    CHECK(stated.candidate_of[0] == selection_problem::none);
    for (std::size_t i = 0; i < set.candidates.size(); ++i) {
        const problem_candidate& c = p.candidates[stated.number_of[i]];
        CHECK(stated.candidate_of[stated.number_of[i]] == i);
        CHECK(c.nodes.size() == set.candidates[i].nodes.size());
        CHECK(stated.formats[c.in] == set.candidates[i].formats.inputs[0]);
        CHECK(stated.formats[c.out] == set.candidates[i].formats.results[0]);
    }
    REQUIRE(p.conversions_of.size() == 3);  // a sink makes no tensor
    CHECK(p.conversions_of[0].prices == std::vector<double>{0, 0.5, 0.5, 0});
}

TEST_CASE("a candidate without a finite price stays out, and formats that differ within one border are exceptions") {
    const tensor_type t = toys::image();
    node_id sum = 0;
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        const node_id product = b.call("onnx.Mul", {x, x}, {}, t);
        sum = b.call("onnx.Add", {x, product}, {}, t);
        return sum;
    });
    candidate_set set = enumerate(m, backend_list<toys::rows>());
    REQUIRE(set.candidates.size() == 2);
    REQUIRE(set.candidates[1].inputs.size() == 2);
    set.candidates[1].formats.inputs[1].order = layout::channels_last();
    const selection_problem stated = state_problem(m, set, std::vector<double>{impossible, 2.0}, flat_price);
    CHECK(stated.number_of[0] == selection_problem::none);
    const problem_candidate& c = stated.numbers.candidates[stated.number_of[1]];
    CHECK(c.cost == 2.0);
    CHECK(stated.formats[c.in].order == layout::plain());
    REQUIRE(c.in_of.size() == 1);
    CHECK(stated.node_of[c.in_of[0].node] == set.candidates[1].inputs[1]);
    CHECK(stated.formats[c.in_of[0].format].order == layout::channels_last());
}

TEST_CASE("a result that stands there twice has one sink, and a result that is an input has none") {
    const tensor_type t = toys::image();
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        const node_id clipped = b.call("onnx.Relu", {x}, {}, t);
        const node_id fields[] = {clipped, clipped, x};
        return b.tuple(fields);
    });
    const candidate_set set = enumerate(m, backend_list<toys::rows>());
    const selection_problem stated = state_problem(m, set, std::vector<double>(set.candidates.size(), 1.0), flat_price);
    CHECK(stated.node_of == std::vector<node_id>{0, 1, 1});
}
