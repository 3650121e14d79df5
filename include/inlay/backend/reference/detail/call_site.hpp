// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_CALL_SITE_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_CALL_SITE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/dropout_effect.hpp>

namespace inlay::detail::on_eigen {

using extents = std::vector<std::int64_t>;

/// An operand or an output of a call: element type, extents, and the value where it is known before the run.
struct site_value {
    bool present = false;
    element_type element = element_type::none;
    extents shape;
    tensor value;  // `ok()` for a constant

    [[nodiscard]] bool known() const { return value.ok(); }
    [[nodiscard]] std::size_t rank() const { return shape.size(); }
    [[nodiscard]] std::int64_t count() const {
        std::int64_t n = 1;
        for (const std::int64_t e : shape) n *= e;
        return n;
    }
    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(count()) * size_of(element); }
};

/// One call, as the kernels of this back end are made from it. The kernel of a call takes a pointer per operand, in order (null for
/// one that is left out), and a pointer per output (null for one that nobody reads); all tensors are row-major.
struct call_site {
    std::string_view op;
    const attribute_map* attributes = nullptr;
    std::vector<site_value> operands;
    std::vector<site_value> results;
    std::size_t threads = 1;  // the most that a run's executor has

    [[nodiscard]] bool has(std::size_t i) const { return i < operands.size() && operands[i].present; }
    [[nodiscard]] bool known(std::size_t i) const { return has(i) && operands[i].known(); }
    [[nodiscard]] const site_value& in(std::size_t i) const { return operands[i]; }
    [[nodiscard]] const site_value& out(std::size_t i = 0) const { return results[i]; }

    /// The integers of a constant operand; nothing where it is left out, not known, or no list of integers.
    [[nodiscard]] std::optional<extents> integers(std::size_t i) const { return known(i) ? integers_of(operands[i].value) : std::nullopt; }

    /// The single float of a constant operand, or the default where it is left out; nothing where it is not known before the run.
    [[nodiscard]] std::optional<float> number(std::size_t i, float otherwise) const {
        if (!has(i)) return otherwise;
        if (!known(i) || operands[i].value.count() != 1 || operands[i].element != element_type::float32) return std::nullopt;
        return operands[i].value.as<float>()[0];
    }
};

/// The effect of a call of Dropout.
[[nodiscard]] inline dropout_effect effect_of_dropout_at(const call_site& c) {
    const auto operand = [&](std::size_t i) { return dropout_operand{c.has(i), c.known(i) ? &c.in(i).value : nullptr}; };
    return effect_of_dropout(operand(1), operand(2));
}

[[nodiscard]] inline site_value site_of(const tensor_type& type) {
    site_value s;
    s.present = true;
    s.element = type.element;
    s.shape = static_shape(type);
    return s;
}

/// Whether every operand and output of a call is a tensor of static shape, or an operand that is left out.
[[nodiscard]] inline bool is_static_call(const region_view& r, const region_value& call) {
    for (const value_id o : call.operands)
        if (r[o].kind != region_value::role::absent && !(r[o].type->is_tensor() && r[o].type->is_static())) return false;
    return call.type->is_static();
}

/// Precondition: `is_static_call(r, call)`.
[[nodiscard]] inline call_site site_of(const region_view& r, const region_value& call, std::size_t threads) {
    call_site site;
    site.op = call.op;
    site.attributes = call.attributes;
    site.threads = threads;
    for (const value_id o : call.operands) {
        site_value v;
        if (r[o].kind != region_value::role::absent) v = site_of(r.type(o));
        if (r[o].kind == region_value::role::constant && r[o].value != nullptr) v.value = *r[o].value;
        site.operands.push_back(std::move(v));
    }
    if (call.type->is_tuple())
        for (const node_type& f : call.type->fields) site.results.push_back(f.is_tensor() ? site_of(f.of_tensor) : site_value());
    else
        site.results.push_back(site_of(call.type->of_tensor));
    return site;
}

template <class F>
struct running {
    F work;
    bool run(const run_arguments& a) {
        if constexpr (std::is_void_v<decltype(work(a))>) {
            work(a);
            return true;
        } else {
            return work(a);
        }
    }
};

/// A kernel of a function object: `work(arguments)`, which gives false where the run failed, or nothing.
template <class F>
[[nodiscard]] kernel kernel_of(F work, std::size_t workspace = 0) {
    return kernel(running<F>{std::move(work)}, workspace);
}

template <class T>
[[nodiscard]] const T* input(const run_arguments& a, std::size_t i) {
    return static_cast<const T*>(a.inputs[i]);
}
template <class T>
[[nodiscard]] T* result(const run_arguments& a, std::size_t i = 0) {
    return static_cast<T*>(a.results[i]);
}

/// What this back end does for one operator. `refuse` gives an empty text where `make` can make a kernel for the call, else the reason
/// why not, with what was found.
struct operator_entry {
    std::string_view name;
    std::string (*refuse)(const call_site&) = nullptr;
    kernel (*make)(const call_site&) = nullptr;
};

/// The reason of an operand or output that is not of the element type that a kernel is written for, else empty.
[[nodiscard]] inline std::string refuse_unless(const site_value& v, element_type wanted, std::string_view what) {
    if (v.element == wanted) return {};
    return std::string(what) + " is " + std::string(name_of(v.element)) + "; the kernel takes " + std::string(name_of(wanted));
}

/// The same for all operands that are there and all outputs.
[[nodiscard]] inline std::string refuse_unless_float(const call_site& c) {
    for (const site_value& v : c.operands)
        if (v.present && v.element != element_type::float32) return refuse_unless(v, element_type::float32, "an operand");
    for (const site_value& v : c.results)
        if (v.element != element_type::float32) return refuse_unless(v, element_type::float32, "the result");
    return {};
}

/// An axis as an attribute writes it, counted from the end where negative. Precondition: it lies in the rank.
[[nodiscard]] inline std::size_t axis_of(std::int64_t axis, std::size_t rank) {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}
[[nodiscard]] inline bool is_axis(std::int64_t axis, std::size_t rank) {
    const auto r = static_cast<std::int64_t>(rank);
    return axis >= -r && axis < r;
}

/// Product of the extents from axis `first` up to but not including `last`.
[[nodiscard]] inline std::int64_t product(const extents& e, std::size_t first, std::size_t last) {
    std::int64_t n = 1;
    for (std::size_t i = first; i < last; ++i) n *= e[i];
    return n;
}

}  // namespace inlay::detail::on_eigen

#endif
