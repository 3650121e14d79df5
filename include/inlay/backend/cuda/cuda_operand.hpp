// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CUDA_OPERAND_HPP
#define INLAY_BACKEND_CUDA_CUDA_OPERAND_HPP

#include <cstddef>
#include <utility>

#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::detail {

/// Where a kernel on a CUDA device reads a tensor: an input of the run, or a constant that stands in the device's memory from the
/// beginning.
class cuda_operand {
public:
    cuda_operand() = default;
    /// An input or constant of a region. Error: there is no memory for the constant.
    [[nodiscard]] static outcome<cuda_operand> of(const region_view& r, value_id v) {
        if (r[v].kind == region_value::role::constant) return of(*r[v].value);
        cuda_operand made;
        made.input_ = v;
        return made;
    }
    [[nodiscard]] static outcome<cuda_operand> of(const tensor& constant) {
        auto block = cuda_constant(constant);
        if (!block) return block.failure();
        cuda_operand made;
        made.constant_ = *std::move(block);
        return made;
    }

    /// Its first element, in the device's addresses.
    [[nodiscard]] const float* at(const run_arguments& a) const {
        return constant() != nullptr ? constant() : static_cast<const float*>(a.inputs[input_]);
    }
    /// The same of a constant; null where it is none.
    [[nodiscard]] const float* constant() const { return reinterpret_cast<const float*>(constant_.address()); }

private:
    std::size_t input_ = 0;
    device_block constant_;
};

}  // namespace inlay::detail

#endif
