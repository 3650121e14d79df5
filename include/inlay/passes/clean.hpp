// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_CLEAN_HPP
#define INLAY_PASSES_CLEAN_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// The module without what does nothing: nodes that pass their operand on (Identity, Dropout at inference, conversions to the type that is
/// there, reshapes to the shape that is there, Transpose in order, Concat of one, fields of tuples made on the spot), nodes that compute
/// what an earlier one has, constants of equal bytes among them, and nodes that nobody reads. Names of merged nodes are found among the
/// `origins` of what stands for them; the results keep their names. Wants types, as `infer_types` gives them, and does less without. O(n
/// log n).
[[nodiscard]] INLAY_FUNCTION ir_module clean(const ir_module& m);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/clean.ipp>
#endif

#endif
