// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_OPS_SAMPLE_ONE_CALL_HPP
#define INLAY_TESTS_OPS_SAMPLE_ONE_CALL_HPP

#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/sample/sampled_call.hpp>

namespace sample_test {

using namespace inlay;

/// A tensor of 1, 2, 3, ...
inline tensor counted(std::vector<std::int64_t> extents) {
    tensor t(element_type::float32, std::move(extents));
    std::iota(t.as<float>().begin(), t.as<float>().end(), 1.0f);
    return t;
}

/// One call of an operator on known tensors, with results of which nothing is wanted yet.
struct one_call {
    attribute_map attributes;
    std::deque<sampled_tensor> tensors;
    std::deque<node_type> held;
    std::vector<const node_type*> types;
    std::vector<const tensor*> known;
    std::string op;
    sampled_call c;

    one_call(std::string_view name, std::vector<tensor> operands, attribute_map with = {}) : attributes(std::move(with)), op(name) {
        c.definition = onnx_ops::find(op);
        REQUIRE(c.definition != nullptr);
        for (tensor& t : operands) {
            held.emplace_back(t.ok() ? node_type(t.type()) : node_type::tuple({}));
            types.push_back(&held.back());
            tensors.emplace_back(t.ok() ? sampled_tensor(t) : sampled_tensor());
            c.operands.push_back(t.ok() ? &tensors.back() : nullptr);
            known.push_back(t.ok() ? &tensors.back().whole() : nullptr);
        }
        c.call = {op, &attributes, types, known, 1};
        const auto type = c.definition->infer(c.call);
        REQUIRE_MESSAGE(type.has_value(), type.failure().message);
        tensors.emplace_back(type->of_tensor.element, static_shape(type->of_tensor));
        c.results.push_back(&tensors.back());
    }
    void want(const std::vector<std::int64_t>& places) {
        for (const std::int64_t at : places) c.result().want(at);
        (void)c.result().wanted();
    }
};

}  // namespace sample_test

#endif
