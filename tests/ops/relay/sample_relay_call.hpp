// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_OPS_RELAY_SAMPLE_RELAY_CALL_HPP
#define INLAY_TESTS_OPS_RELAY_SAMPLE_RELAY_CALL_HPP

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/relay/relay_ops.hpp>

namespace inlay_test {

/// The results of one call of Relay's, whose types the rule gave before.
inline std::vector<inlay::tensor> relay_results(std::string_view op, const std::vector<inlay::tensor>& operands,
                                                const inlay::attribute_map& how = {}) {
    CAPTURE(std::string(op));
    const inlay::op_definition* d = inlay::relay_ops::find(op);
    REQUIRE(d != nullptr);
    auto made = inlay::evaluate_call(*d, how, operands);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    return *std::move(made);
}
template <class T>
std::vector<T> relay_numbers(std::string_view op, const std::vector<inlay::tensor>& operands, const inlay::attribute_map& how = {}) {
    const inlay::tensor made = relay_results(op, operands, how).front();
    REQUIRE(made.element() == inlay::element_type_of<T>);
    return {made.as<T>().begin(), made.as<T>().end()};
}
/// The type that a rule gives.
inline std::string relay_type(std::string_view op, const std::vector<inlay::node_type>& operands, const inlay::attribute_map& how = {}) {
    std::vector<const inlay::node_type*> types;
    for (const inlay::node_type& t : operands) types.push_back(&t);
    const std::vector<const inlay::tensor*> constants(types.size());
    const inlay::op_definition* d = inlay::relay_ops::find(op);
    REQUIRE(d != nullptr);
    const auto made = d->infer(inlay::call_view{op, &how, types, constants, 1});
    return made ? to_string(*made) : made.failure().message;
}

}  // namespace inlay_test

#endif
