// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_OPS_RELAY_PROGRAM_HPP
#define INLAY_TESTS_OPS_RELAY_PROGRAM_HPP

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/passes/books/relay_to_onnx.hpp>

#include "sample_call.hpp"

namespace inlay_test {

/// Builds a program of Relay's operators, without types but those of its inputs and constants, and runs what it becomes.
class relay_program {
public:
    relay_program() { b_.open_block(); }

    inlay::node_id input(const inlay::tensor& value) {
        parameters_.push_back(b_.input("x" + std::to_string(parameters_.size()), inlay::node_type(value.type())));
        inputs_.push_back(value);
        return parameters_.back();
    }
    inlay::node_id constant(const inlay::tensor& value) { return b_.constant(value); }
    inlay::node_id call(std::string_view op, const std::vector<inlay::node_id>& operands, const inlay::attribute_map& attributes = {}) {
        return b_.call(op, operands, attributes);
    }
    inlay::node_id tuple(const std::vector<inlay::node_id>& fields) { return b_.tuple(fields); }
    inlay::node_id field(inlay::node_id of, std::size_t i) { return b_.projection(of, i); }
    inlay::ir_module finish(inlay::node_id result) {
        b_.declare(b_.function(parameters_, result, "main"));
        return b_.finish();
    }

    /// The result of the mapped program. Each of its calls is one of ONNX's.
    template <class Ops>
    inlay::tensor run(inlay::node_id result) {
        const auto made = inlay::relay_to_onnx<Ops>(finish(result));
        REQUIRE_MESSAGE(made, (made ? std::string() : made.failure().message));
        for (inlay::node_id n = 0; n < made->size(); ++n)
            if (made->kind(n) == inlay::node_kind::call) CHECK(made->op(n).substr(0, 5) == "onnx.");
        const auto found = inlay::interpret(*made, inputs_, Ops{});
        REQUIRE_MESSAGE(found, (found ? std::string() : found.failure().message));
        return found->front();
    }
    /// The sentence with which the program is refused; empty where it is not.
    template <class Ops>
    std::string refused(inlay::node_id result) {
        const auto made = inlay::relay_to_onnx<Ops>(finish(result));
        return made ? std::string() : made.failure().message;
    }

private:
    inlay::ir_builder b_;
    std::vector<inlay::node_id> parameters_;
    std::vector<inlay::tensor> inputs_;
};

/// The result of one call on inputs.
template <class Ops>
inlay::tensor of_call(std::string_view op, const std::vector<inlay::tensor>& inputs, const inlay::attribute_map& attributes = {}) {
    relay_program p;
    std::vector<inlay::node_id> operands;
    for (const inlay::tensor& t : inputs) operands.push_back(p.input(t));
    return p.run<Ops>(p.call(op, operands, attributes));
}
template <class Ops>
std::string refusal_of(std::string_view op, const std::vector<inlay::tensor>& inputs, const inlay::attribute_map& attributes = {}) {
    relay_program p;
    std::vector<inlay::node_id> operands;
    for (const inlay::tensor& t : inputs) operands.push_back(p.input(t));
    return p.refused<Ops>(p.call(op, operands, attributes));
}

/// Holds a tensor against what its element at each index is to be: `expected(index)`.
template <class T = float, class Expected>
void check_elements(const inlay::tensor& found, const ints& extents, Expected expected) {
    REQUIRE(found.extents() == extents);
    REQUIRE(found.element() == inlay::element_type_of<T>);
    ints index(extents.size(), 0);
    for (std::size_t at = 0; at < found.count(); ++at) {
        CAPTURE(at);
        CHECK(static_cast<double>(found.as<T>()[at]) == doctest::Approx(static_cast<double>(expected(index))).epsilon(1e-4));
        for (std::size_t i = extents.size(); i-- > 0;) {
            if (++index[i] < extents[i]) break;
            index[i] = 0;
        }
    }
}

/// The element at an index, in double.
inline double at(const inlay::tensor& t, const ints& index) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < index.size(); ++i) place = place * t.extents()[i] + index[i];
    return static_cast<double>(t.as<float>()[static_cast<std::size_t>(place)]);
}

}  // namespace inlay_test

#endif
