// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "small_graph.hpp"

#include <utility>

#include <doctest/doctest.h>

#include <inlay/ops/op_definition.hpp>

#include "by_definition.hpp"

namespace inlay_test {

using namespace inlay;

node_id small_graph::input(std::vector<std::int64_t> extents) {
    return input_of(tensor_type(element_type::float32, shape(extents.begin(), extents.end())));
}

node_id small_graph::input_of(tensor_type type) {
    const node_id n = b_.input("x", std::move(type));
    inputs_.push_back(n);
    return n;
}

node_id small_graph::integers(std::vector<std::int64_t> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return b_.constant(tensor::of({count}, values));
}

node_id small_graph::random(std::vector<std::int64_t> extents, float low, float high) {
    tensor t(element_type::float32, std::move(extents));
    std::uniform_real_distribution<float> number(low, high);
    for (float& x : t.as<float>()) x = number(random_);
    return b_.constant(t);
}

node_id small_graph::call_on(std::string_view op, const std::vector<node_id>& operands, const attribute_map& attributes,
                             std::size_t outputs) {
    const op_definition* d = definition_of(op);
    REQUIRE_MESSAGE(d != nullptr, "no definition of ", std::string(op));
    const ir_module& m = b_.so_far();
    std::vector<const node_type*> types;
    std::vector<const tensor*> constants;
    for (const node_id o : operands) {
        types.push_back(&m.type(o));
        constants.push_back(m.constant(o));
    }
    const auto type = d->infer(call_view{op, &attributes, types, constants, outputs});
    REQUIRE_MESSAGE(type.has_value(), std::string(op), ": ", type.failure().message);
    return b_.call(op, operands, attributes, *type);
}

node_id small_graph::normalized(node_id x, std::int64_t channels) {
    const node_id scale = random({channels}, 0.5f, 1.5f), shift = random({channels}), mean = random({channels}),
                  variance = random({channels}, 0.5f, 2.0f);
    return call("onnx.BatchNormalization", {x, scale, shift, mean, variance}, {{"epsilon", 1e-3}});
}

ir_module small_graph::finish(node_id result) {
    const node_id f = b_.function(inputs_, result, "main");
    b_.declare(f);
    return b_.finish();
}

namespace {

std::vector<node_id> calls(const ir_module& m) {
    std::vector<node_id> nodes;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call || m.kind(n) == node_kind::projection) nodes.push_back(n);
    return nodes;
}

}  // namespace

whole_region::whole_region(ir_module m) : module(std::move(m)), users(module), all(module, users, module.results(), calls(module)) {}

}  // namespace inlay_test
