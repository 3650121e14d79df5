// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "by_definition.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

namespace inlay_test {

using namespace inlay;

const op_definition* definition_of(std::string_view op) { return onnx_ops::find(op); }

namespace {

tensor widened(const tensor& t) {
    if (t.element() != element_type::float32) return t;
    tensor wide(element_type::float64, t.extents());
    std::copy(t.as<float>().begin(), t.as<float>().end(), wide.as<double>().begin());
    return wide;
}

}  // namespace

std::map<node_id, tensor> meanings(const ir_module& g, const std::map<node_id, tensor>& feeds) {
    std::map<node_id, tensor> values;
    const node_id result = g.results()[0];
    for (node_id n = 0; n <= result; ++n) {
        if (const tensor* c = g.constant(n))
            values[n] = widened(*c);
        else if (g.kind(n) == node_kind::input)
            values[n] = widened(feeds.at(n));
        else if (g.kind(n) == node_kind::tuple)
            values[n] = tensor();
        else if (g.kind(n) == node_kind::call) {
            std::vector<tensor> operands;
            for (const node_id o : g.operands(n)) operands.push_back(values.at(o));
            auto made = evaluate_call(*definition_of(g.op(n)), g.attributes(n), operands);
            REQUIRE_MESSAGE(made.has_value(), made.failure().message);
            values[n] = (*made)[0];
        }
    }
    return values;
}

}  // namespace inlay_test
