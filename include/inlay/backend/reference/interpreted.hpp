// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_INTERPRETED_HPP
#define INLAY_BACKEND_REFERENCE_INTERPRETED_HPP

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay::detail::on_eigen {

/// A call that this back end has no kernel of its own for: each run copies the operands into tensors, asks the operator set for the
/// call's meaning, and copies its outputs out. Slow, it allocates at every run, and it is the interpreter checked against itself; the
/// note of the kernel says "interpreted".
class interpreted_call {
public:
    interpreted_call(const op_definition& definition, const call_site& site)
        : definition_(&definition), attributes_(*site.attributes), operands_(site.operands), results_(site.results) {}

    bool run(const run_arguments& a) const {
        std::vector<tensor> values;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            const site_value& v = operands_[i];
            values.push_back(v.known() || !v.present ? v.value : tensor(v.element, v.shape));
            if (!v.present || v.known()) continue;
            if (!values.back().ok()) return false;
            if (v.bytes() != 0) std::memcpy(values.back().data(), a.inputs[i], v.bytes());
        }
        const auto outputs = evaluate_call(*definition_, attributes_, values, results_.size());
        if (!outputs || outputs->size() < results_.size()) return false;
        for (std::size_t i = 0; i < results_.size(); ++i) {
            const tensor& t = (*outputs)[i];
            if (a.results[i] == nullptr) continue;
            if (!t.ok() || t.element() != results_[i].element || t.extents() != results_[i].shape) return false;
            if (t.bytes() != 0) std::memcpy(a.results[i], t.data(), t.bytes());
        }
        return true;
    }

private:
    const op_definition* definition_;
    attribute_map attributes_;
    std::vector<site_value> operands_, results_;
};

/// Why no kernel can be made from the meaning of a call, else empty.
template <op_set Ops>
[[nodiscard]] std::string refuse_interpreted(const call_site& c) {
    const op_definition* definition = Ops::find(c.op);
    if (definition == nullptr || definition->evaluate == nullptr) return "the operator set has no meaning of " + std::string(c.op);
    for (const site_value& v : c.operands)
        if (v.present && size_of(v.element) == 0)
            return "an operand is of type " + std::string(name_of(v.element)) + ", whose elements have no fixed size";
    if (c.op == "onnx.Dropout" && effect_of_dropout_at(c) != dropout_effect::keeps)
        return "Dropout may be in training mode, whose results are random";
    for (const site_value& v : c.results)
        if (size_of(v.element) == 0) return "an output is no tensor of elements of fixed size";
    return {};
}

/// Precondition: `refuse_interpreted<Ops>(c)` is empty.
template <op_set Ops>
[[nodiscard]] kernel make_interpreted(const call_site& c) {
    kernel k{interpreted_call(*Ops::find(c.op), c)};
    k.note = "interpreted";
    return k;
}

}  // namespace inlay::detail::on_eigen

#endif
