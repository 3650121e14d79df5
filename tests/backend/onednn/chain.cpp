// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/chain.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using namespace inlay::detail;

namespace {

outcome<onednn_chain> chain_of(const ir_module& g, std::vector<node_id> nodes, std::string_view anchor = {}) {
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const region r(g, users, results, nodes);
    const region_view view = r.view();
    if (auto fine = onednn_check_region(view); !fine) return fine.failure();
    return onednn_read_chain(view, view.results[0], [&](value_id v) { return view[v].op == anchor; });
}

}  // namespace

TEST_CASE("steps stand in the order in which they are done") {
    small_graph s;
    const node_id x = s.input({3}), y = s.input({3});
    const node_id a = s.call("onnx.HardSigmoid", {x}), b = s.call("onnx.Sub", {y, a}), c = s.call("onnx.Relu", {b});
    const ir_module g = s.finish(c);
    const auto chain = chain_of(g, {a, b, c});
    REQUIRE(chain.has_value());
    REQUIRE(chain->steps.size() == 5);
    CHECK(chain->steps[0].eltwise.function == dnnl::algorithm::eltwise_linear);
    CHECK(chain->steps[1].eltwise.function == dnnl::algorithm::eltwise_clip);
    CHECK(chain->steps[2].eltwise.alpha == -1);
    CHECK(chain->steps[3].combine == dnnl::algorithm::binary_add);
    CHECK(chain->steps[4].eltwise.function == dnnl::algorithm::eltwise_relu);
}

TEST_CASE("what is no chain is refused with the reason") {
    small_graph s;
    const node_id x = s.input({3}), a = s.call("onnx.Relu", {x}), b = s.call("onnx.Tanh", {x}), c = s.call("onnx.Add", {a, b});
    const ir_module g = s.finish(c);
    const auto joined = chain_of(g, {a, b, c});
    REQUIRE_FALSE(joined.has_value());
    CHECK(joined.failure().message.find("joins two values") != std::string::npos);
    const auto loose = chain_of(g, {a, c});
    CHECK(loose.has_value());
    const auto two = chain_of(g, {a, b});
    REQUIRE_FALSE(two.has_value());
    CHECK(two.failure().message.find("2 values leave") != std::string::npos);
}

TEST_CASE("other element types and empty tensors are refused") {
    ir_builder b;
    b.open_block();
    const node_type doubles(tensor_type(element_type::float64, {extent(3)})), none(tensor_type(element_type::float32, {extent(0)}));
    const node_id x = b.input("x", doubles), y = b.call("onnx.Relu", {x}, {}, doubles), e = b.input("e", none),
                  z = b.call("onnx.Relu", {e}, {}, none);
    const std::vector<node_id> parameters{x, e};
    b.declare(b.function(parameters, b.tuple(std::vector<node_id>{y, z}), "main"));
    const ir_module g = b.finish();
    const auto wide = chain_of(g, {y}), empty = chain_of(g, {z});
    REQUIRE_FALSE(wide.has_value());
    CHECK(wide.failure().message.find("float64") != std::string::npos);
    REQUIRE_FALSE(empty.has_value());
    CHECK(empty.failure().message.find("no elements") != std::string::npos);
}
