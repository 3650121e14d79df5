// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_MEMORY_ALLOCATE_TENSORS_HPP
#define INLAY_PASSES_MEMORY_ALLOCATE_TENSORS_HPP

#include <cstdint>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// Where tensors begin in storage: at multiples of so many bytes.
inline constexpr std::int64_t storage_alignment = 64;

namespace detail {

/// `allocate_tensors` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION ir_module allocate_tensors_by(const ir_module& m, const placement& host, op_finder find);

}  // namespace detail

/// A planned program in A-normal form in which memory is asked for in so many words. What a kernel (a call of an operator, or of a
/// primitive function) gives is a tensor in storage on its device:
///
///     let %s = memory.alloc_storage(bytes, alignment);      in the place of the kernel
///     let %t = memory.alloc_tensor(%s, offset, shape);
///     let %u = vm.invoke_tvm_op(kernel, (%x, %y), (%t));    writes %t
///
/// and a `device_copy` of a tensor becomes `memory.copy(%x, %t)`. Where a shape is not known before the run, it is computed on the host:
/// `vm.shape_of` each operand, `vm.shape_func(kernel, (shapes))`, `vm.storage_size(shape)`. Operators become primitive functions. What asks
/// for its memory itself, as before: kernels whose operands are not where they are or are read on the host, whose results are no tensors of
/// numbers or have shapes that depend on data; copies of constants, tuples and data; data types, tuples, references and closures.
/// `host`: the place of the host. Linear.
template <op_set Ops>
[[nodiscard]] ir_module allocate_tensors(const ir_module& m, const placement& host, Ops) {
    return detail::allocate_tensors_by(m, host, [](std::string_view name) { return Ops::find(name); });
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/memory/allocate_tensors.ipp>
#endif

#endif
