// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_OPS_SAMPLE_SAMPLED_PROGRAM_HPP
#define INLAY_TESTS_OPS_SAMPLE_SAMPLED_PROGRAM_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

namespace sample_test {

using namespace inlay;

/// A small program whose types are inferred by the operators' own rules, and its calls as one region.
class sampled_program {
public:
    sampled_program() { b_.open_block(); }

    node_id input(std::vector<std::int64_t> extents, element_type element = element_type::float32) {
        inputs_.push_back(b_.input("x", node_type(tensor_type(element, shape(extents.begin(), extents.end())))));
        return inputs_.back();
    }
    node_id integers(const std::vector<std::int64_t>& values) {
        return b_.constant(tensor::of({static_cast<std::int64_t>(values.size())}, values));
    }
    node_id constant(const tensor& t) { return b_.constant(t); }
    node_id number(float v) { return b_.constant(tensor::scalar(v)); }
    node_id absent() { return b_.unit(); }
    /// A constant of numbers between `low` and `low + 2`.
    node_id random(std::vector<std::int64_t> extents, float low = -1) {
        tensor t(element_type::float32, std::move(extents));
        for (float& v : t.as<float>()) v = low + static_cast<float>(2 * random_.unit());
        return b_.constant(t);
    }
    node_id call(std::string_view op, const std::vector<node_id>& operands, const attribute_map& attributes = {}, std::size_t outputs = 1) {
        const op_definition* d = onnx_ops::find(op);
        REQUIRE(d != nullptr);
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
    /// A call with the type that a file declares, where the rule knows no better.
    node_id declared(std::string_view op, const std::vector<node_id>& operands, const node_type& type) {
        return b_.call(op, operands, {}, type);
    }
    node_id output(node_id call, std::size_t number) { return b_.projection(call, number); }

    void finish(std::vector<node_id> results) {
        const node_id result = results.size() == 1 ? results[0] : b_.tuple(results);
        b_.declare(b_.function(inputs_, result, "main"));
        module = b_.finish();
        std::vector<node_id> calls;
        for (node_id n = 0; n < module.size(); ++n)
            if (module.kind(n) == node_kind::call || module.kind(n) == node_kind::projection) calls.push_back(n);
        const user_lists users(module);
        whole.emplace(module, users, module.results(), calls);
    }

    ir_module module;
    std::optional<region> whole;

private:
    ir_builder b_;
    std::vector<node_id> inputs_;
    inlay::detail::splitmix random_{7};
};

}  // namespace sample_test

#endif
