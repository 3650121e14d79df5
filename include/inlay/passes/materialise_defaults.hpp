// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_MATERIALISE_DEFAULTS_HPP
#define INLAY_PASSES_MATERIALISE_DEFAULTS_HPP

#include <span>
#include <string>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

namespace detail {

/// `materialise_defaults` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION ir_module materialise_defaults_by(const ir_module& m, std::span<const std::string> names, op_finder find);

}  // namespace detail

/// The module with the attributes that calls of known operators lack written out, as far as they have defaults: so a pattern that asks for
/// `group=1` finds the convolutions that leave it out. Nodes keep their numbers. `names`: of the attributes that are written out; none: of
/// all. Lists by axis need the rank of what the call reads. Linear in the module.
template <op_set Ops = onnx_ops>
[[nodiscard]] ir_module materialise_defaults(const ir_module& m, std::span<const std::string> names = {}, Ops = {}) {
    return detail::materialise_defaults_by(m, names, [](std::string_view name) { return Ops::find(name); });
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/materialise_defaults.ipp>
#endif

#endif
