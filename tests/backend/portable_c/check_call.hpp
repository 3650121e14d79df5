// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_PORTABLE_C_CHECK_CALL_HPP
#define INLAY_TESTS_BACKEND_PORTABLE_C_CHECK_CALL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "emitted.hpp"

#include <inlay/ir/ir_builder.hpp>
#include <inlay/passes/infer_types.hpp>

namespace portable_c_test {

/// As `rc::check`, with few rounds: each compiles what it makes.
template <class Property>
[[nodiscard]] bool holds_in_few(Property&& property) {
    auto params = rc::detail::configuration().testParams;
    params.maxSuccess = std::min(params.maxSuccess, 6);
    const auto found = rc::detail::checkTestable(std::forward<Property>(property), rc::detail::TestMetadata(), params);
    rc::detail::SuccessResult success;
    if (found.match(success)) return true;
    std::ostringstream told;
    rc::detail::printResultMessage(found, told);
    MESSAGE(told.str());
    return false;
}

/// Numbers by chance, some of them equal.
[[nodiscard]] inline inlay::tensor some_floats(const std::vector<std::int64_t>& extents) {
    inlay::tensor t(inlay::element_type::float32, extents);
    for (float& v : t.as<float>()) v = static_cast<float>(*rc::gen::inRange(-6, 7)) / 4;
    return t;
}
/// Whole numbers from `low` to less than `high`.
template <class T = std::int64_t>
[[nodiscard]] inlay::tensor some_integers(const std::vector<std::int64_t>& extents, std::int64_t low, std::int64_t high) {
    std::vector<T> values;
    std::int64_t count = 1;
    for (const std::int64_t e : extents) count *= e;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>(*rc::gen::inRange(low, high)));
    return inlay::tensor::of<T>(extents, values);
}

/// One call of operands that are known only at the run, as C: all its outputs are results.
inline void check_call(const char* op, const std::vector<inlay::tensor>& inputs, const inlay::attribute_map& attributes = {},
                       std::size_t outputs = 1, const std::vector<inlay::tensor>& constants = {}, double tolerance = 1e-5) {
    inlay::ir_builder b;
    b.open_block();
    std::vector<inlay::node_id> parameters, operands;
    for (const inlay::tensor& t : inputs) parameters.push_back(b.input("x" + std::to_string(parameters.size()), t.type()));
    operands = parameters;
    for (const inlay::tensor& t : constants) operands.push_back(b.constant(t));
    inlay::node_id result = b.call(op, operands, attributes);
    if (outputs > 1) {
        std::vector<inlay::node_id> all;
        for (std::size_t i = 0; i < outputs; ++i) all.push_back(b.projection(result, i));
        result = b.tuple(all);
    }
    b.declare(b.function(parameters, result, "main"));
    auto typed = inlay::infer_types(b.finish());
    if (!typed) FAIL(typed.failure().message);
    check_emitted(*std::move(typed), inputs, tolerance);
}

}  // namespace portable_c_test

#endif
