// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_INTERPRET_IPP
#define INLAY_OPS_INTERPRET_INTERPRET_IPP

#include <span>
#include <string>
#include <vector>

#include <inlay/ops/interpret/interpret.hpp>

#include <inlay/ops/interpret/function_scopes.hpp>
#include <inlay/ops/interpret/interpreter.hpp>

namespace inlay::detail {

outcome<runtime_value> interpret_values_by(const ir_module& m, std::span<const runtime_value> arguments, op_finder find,
                                           const interpret_options& options) {
    auto scopes = function_scopes::of(m);
    if (!scopes) return scopes.failure();
    return interpreter(m, *scopes, find, options).run(arguments);
}

outcome<std::vector<tensor>> interpret_by(const ir_module& m, std::span<const tensor> inputs, op_finder find,
                                          const interpret_options& options) {
    const std::vector<runtime_value> arguments(inputs.begin(), inputs.end());
    const auto result = interpret_values_by(m, arguments, find, options);
    if (!result) return result.failure();
    std::vector<tensor> results;
    const auto give = [&](const runtime_value& v) {
        if (v.as_tensor() != nullptr) results.push_back(*v.as_tensor());
        return v.as_tensor() != nullptr;
    };
    const auto* record = result->as_record();
    if (record != nullptr && record->constructor.empty()) {
        for (const runtime_value& f : record->fields)
            if (!give(f))
                return error{"result " + std::to_string(results.size()) + " of the program is " + std::string(f.kind()) +
                             ", where a tensor was expected"};
    } else if (!give(*result)) {
        return error{"the result of the program is " + std::string(result->kind()) + ", where a tensor was expected"};
    }
    return results;
}

}  // namespace inlay::detail

#endif
