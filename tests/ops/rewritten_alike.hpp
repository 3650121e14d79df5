// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_OPS_REWRITTEN_ALIKE_HPP
#define INLAY_TESTS_OPS_REWRITTEN_ALIKE_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/op_table.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/rewrite/rewrite.hpp>
#include <inlay/testing/compare.hpp>

/// Builds a program of ONNX operators of float32 tensors, for tests of rules.
class rewriting_program {
public:
    rewriting_program() { b_.open_block(); }

    inlay::node_id input(const std::vector<std::int64_t>& extents) {
        const inlay::shape s(extents.begin(), extents.end());
        parameters_.push_back(
            b_.input("x" + std::to_string(parameters_.size()), inlay::node_type(inlay::tensor_type(inlay::element_type::float32, s))));
        return parameters_.back();
    }
    inlay::node_id filled(const std::vector<std::int64_t>& extents, float value) {
        inlay::tensor t(inlay::element_type::float32, extents);
        for (float& e : t.as<float>()) e = value;
        return b_.constant(t);
    }
    /// Different numbers around 1.
    inlay::node_id varied(const std::vector<std::int64_t>& extents) {
        inlay::tensor t(inlay::element_type::float32, extents);
        for (float& e : t.as<float>()) e = 0.5f + static_cast<float>(++next_ % 13) / 8;
        return b_.constant(t);
    }
    inlay::node_id list(const std::vector<std::int64_t>& values) {
        return b_.constant(inlay::tensor::of(std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())}, values));
    }
    inlay::node_id call(std::string_view op, const std::vector<inlay::node_id>& operands, const inlay::attribute_map& attributes = {}) {
        return b_.call("onnx." + std::string(op), operands, attributes);
    }
    inlay::node_id constant(const inlay::tensor& value) { return b_.constant(value); }
    inlay::node_id unit() { return b_.unit(); }
    template <class Ops>
    inlay::ir_module finish(inlay::node_id result) {
        b_.declare(b_.function(parameters_, result, "main"));
        auto typed = inlay::infer_types(b_.finish(), {}, Ops{});
        REQUIRE_MESSAGE(typed, (typed ? std::string() : typed.failure().message));
        return *std::move(typed);
    }

private:
    inlay::ir_builder b_;
    std::vector<inlay::node_id> parameters_;
    std::uint32_t next_ = 0;
};

/// Holds one program's results on random tensors against another one's.
template <class Ops>
void check_alike(const inlay::ir_module& m, const inlay::ir_module& made, double tolerance) {
    std::vector<inlay::tensor> inputs;
    for (const inlay::node_id n : m.inputs()) {
        inputs.emplace_back(m.type(n).of_tensor.element, inlay::static_shape(m.type(n).of_tensor));
        inlay::fill_random(inputs.back().data(), inputs.back().element(), inputs.back().count(), 1.0, false, 3 + inputs.size());
    }
    const auto before = inlay::interpret(m, inputs, Ops{}), after = inlay::interpret(made, inputs, Ops{});
    REQUIRE_MESSAGE(before, (before ? std::string() : before.failure().message));
    REQUIRE_MESSAGE(after, (after ? std::string() : after.failure().message));
    REQUIRE(before->size() == after->size());
    for (std::size_t i = 0; i < before->size(); ++i) {
        const auto how = inlay::compare((*after)[i], (*before)[i], tolerance, tolerance);
        CHECK_MESSAGE(how.agrees, how.reason);
    }
}

/// A program rewritten to a fixpoint; on random tensors it gives what it gave.
template <class Ops, class Book>
inlay::rewritten<inlay::ir_module> rewritten_alike(const inlay::ir_module& m, Book book, double tolerance = 1e-5) {
    inlay::rewrite_options options;
    options.infer = &inlay::infer_call<Ops>;
    auto made = inlay::rewrite(m, book, options);
    CHECK(made.report.why == inlay::rewrite_report::stop::fixpoint);
    check_alike<Ops>(m, made.graph, tolerance);
    return made;
}

#endif
