// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_INTERPRET_IPP
#define INLAY_OPS_INTERPRET_INTERPRET_IPP

#include <span>
#include <vector>

#include <inlay/ops/interpret/interpret.hpp>

#include <inlay/ops/interpret/function_scopes.hpp>
#include <inlay/ops/interpret/interpreter.hpp>

namespace inlay::detail {

outcome<std::vector<tensor>> interpret_by(const ir_module& m, std::span<const tensor> inputs, op_finder find,
                                          const interpret_options& options) {
    auto scopes = function_scopes::of(m);
    if (!scopes) return scopes.failure();
    return interpreter(m, *scopes, find, options).run(inputs);
}

}  // namespace inlay::detail

#endif
