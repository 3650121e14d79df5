// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_BACKEND_HPP
#define INLAY_BACKEND_REFERENCE_BACKEND_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/region_kernel.hpp>
#include <inlay/backend/reference/fused.hpp>
#include <inlay/backend/reference/interpreted.hpp>
#include <inlay/backend/reference/operators.hpp>
#include <inlay/backend/reference/patterns.hpp>
#include <inlay/backend/thread_limit.hpp>
#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/emit/emit_external.hpp>
#include <inlay/codegen/kernel/kernel_store.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

namespace detail::on_eigen {

/// A kernel for a call alone: this back end's own, else the operator's meaning.
template <op_set Ops>
[[nodiscard]] outcome<kernel> make_call(const call_site& site) {
    const operator_entry* entry = own_operator(site.op);
    if (entry != nullptr && entry->refuse(site).empty()) return entry->make(site);
    if (std::string why = refuse_interpreted<Ops>(site); !why.empty())
        return error{"back end 'reference' cannot run a call of " + std::string(site.op) + ": " + why +
                     "; give the call to another back end"};
    return make_interpreted<Ops>(site);
}

}  // namespace detail::on_eigen

/// The CPU's fallback: takes every operator that its operator set knows, so that each program has a cover. Kernels are written on
/// Eigen, row-major, mostly for float32; an operator or element type without a kernel of its own is run by its meaning (composite
/// `interpreted`, said so in the kernel's note). It shares no code with these meanings otherwise.
///
/// Threads are the run's executor's, `threads` of them at most; where the host is compiled with OpenMP, Eigen's matrix products bring
/// threads of their own. Compile with optimisation for the machine (-O3 -march=native) where speed matters.
template <op_set Ops>
struct reference_on {
    static constexpr std::string_view kind = "reference", refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    int threads = 1;
    using options = option_list<option<"threads", &reference_on::threads, "the most threads that one kernel works on">>;

    /// Eigen's version, and that of the kernels here.
    [[nodiscard]] static std::string version() {
        return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION) +
               "-1";
    }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    [[nodiscard]] std::size_t most_threads() const { return static_cast<std::size_t>(std::clamp(threads, 1, 1024)); }

    /// Composites of several calls first, then one per operator that there is a kernel for, then the rest by its meaning.
    [[nodiscard]] static constexpr auto patterns() { return detail::on_eigen::composites<Ops>(); }

    /// Row-major everywhere.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }

    /// Nothing: it is to be measured.

    /// Takes any region of calls that it takes one by one; composites of several calls make code of their own. Precondition: the formats
    /// are plain.
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        using namespace detail::on_eigen;
        const std::size_t most = most_threads();
        std::vector<region_step> steps;
        for (value_id v = static_cast<value_id>(r.input_count + r.constant_count); v < r.values.size(); ++v) {
            if (r[v].kind != region_value::role::call) continue;
            if (!is_static_call(r, r[v]))
                return error{"back end 'reference' needs all shapes of a call of " + std::string(r[v].op) +
                             " before the run; bind its symbols"};
            auto made = make_call<Ops>(site_of(r, r[v], most));
            if (!made) return made.failure();
            region_step step{std::move(*made), {r[v].operands.begin(), r[v].operands.end()}, outputs_of(r, v)};
            steps.push_back(std::move(step));
        }
        return detail::with_thread_limit(detail::on_eigen::region_program::make(r, std::move(steps)), most);
    }
};

/// The fallback for programs of ONNX's operators.
using reference = reference_on<onnx_ops>;

#ifdef INLAY_SEPARATE_COMPILATION
extern template const backend_vtable& backend_vtable_of<reference>();
extern template outcome<kernel> emit_composite(const reference&, const composite_job&);
extern template outcome<external_kernel> emit_composite(const reference&, const composite_job&, kernel_store&);
#endif

}  // namespace inlay

#endif
