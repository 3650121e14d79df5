// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_SIMULATED_DEVICE_DEVICE_PROGRAM_HPP
#define INLAY_BACKEND_SIMULATED_DEVICE_DEVICE_PROGRAM_HPP

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/simulated_device/guarded_memory.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay::detail {

/// What a simulated device runs for a region: the meaning of each of its calls. All tensors at the border stand in the device's memory; a
/// run that is given another address fails. It allocates at every run.
class device_program {
public:
    /// Why there is none for a region, else empty.
    [[nodiscard]] static std::string refuse(const region_view& r, op_finder find) {
        for (const region_value& v : r.values) {
            if (v.kind == region_value::role::absent) continue;
            if (v.kind == region_value::role::projection || !v.type->is_tensor()) return "its kernels give one tensor";
            if (!v.type->is_static() || size_of(v.type->of_tensor.element) == 0)
                return "its tensors have known extents and elements of fixed size";
            if (v.kind != region_value::role::call) continue;
            const op_definition* op = find(v.op);
            if (op == nullptr || op->evaluate == nullptr) return "the operator has no meaning that could be run";
        }
        return r.results.size() == 1 ? std::string() : std::string("its kernels give one tensor");
    }

    /// The kernel. Error: the reason of `refuse`.
    [[nodiscard]] static outcome<kernel> make(const region_view& r, op_finder find) {
        if (std::string why = refuse(r, find); !why.empty()) return error{std::move(why)};
        device_program made;
        for (const region_value& v : r.values) {
            value one;
            if (v.kind != region_value::role::absent) one.type = v.type->of_tensor;
            if (v.kind == region_value::role::constant) one.constant = *v.value;
            if (v.kind == region_value::role::call) {
                one.op = find(v.op);
                one.attributes = *v.attributes;
                one.operands.assign(v.operands.begin(), v.operands.end());
            }
            made.values_.push_back(std::move(one));
        }
        made.inputs_ = r.input_count;
        made.result_ = r.results[0];
        kernel code(std::move(made));
        code.note = "simulated";
        return code;
    }

    bool run(const run_arguments& a) const {
        std::vector<tensor> made, operands;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const value& v = values_[i];
            if (i < inputs_) {
                tensor t(v.type.element, static_shape(v.type));
                if (!t.ok() || !read(a.inputs[i], t)) return false;
                made.push_back(std::move(t));
            } else if (v.op == nullptr) {
                made.push_back(v.constant);
            } else {
                operands.clear();
                for (const value_id o : v.operands) operands.push_back(made[o]);
                auto outputs = evaluate_call(*v.op, v.attributes, operands);
                if (!outputs || outputs->empty() || outputs->front().type() != v.type) return false;
                made.push_back(std::move(outputs->front()));
            }
        }
        const tensor& result = std::as_const(made[result_]);
        if (result.bytes() == 0) return true;
        std::byte* to = guarded_memory::at(a.results[0], result.bytes());
        if (to == nullptr) return false;
        std::memcpy(to, result.data(), result.bytes());
        return true;
    }

private:
    struct value {
        tensor_type type;
        tensor constant;
        const op_definition* op = nullptr;
        attribute_map attributes;
        std::vector<value_id> operands;
    };

    static bool read(const void* address, tensor& into) {
        if (into.bytes() == 0) return true;
        const std::byte* from = guarded_memory::at(address, into.bytes());
        if (from != nullptr) std::memcpy(into.data(), from, into.bytes());
        return from != nullptr;
    }

    std::vector<value> values_;
    std::size_t inputs_ = 0;
    value_id result_ = 0;
};

}  // namespace inlay::detail

#endif
