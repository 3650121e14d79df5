// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_BACKEND_HPP
#define INLAY_CODEGEN_DECLARE_BACKEND_HPP

#include <concepts>
#include <string>
#include <string_view>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/composite_entry.hpp>
#include <inlay/candidate/constants_policy.hpp>
#include <inlay/codegen/declare/emitter.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/cost/price.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/target/target.hpp>

namespace inlay {

/// It names the plain target it refines with a static `refines`: `llvm`, `c`, `cuda`, `ext_dev`.
template <class B>
concept has_refinement = requires {
    { B::refines } -> std::convertible_to<std::string_view>;
};

/// It gives the version of what it calls with `version()`, static or of the instance: part of the key of every measurement.
template <class B>
concept has_version = requires(const B& b) {
    { b.version() } -> std::convertible_to<std::string>;
};

/// It says whether it can run here with `usable()`: done, or one sentence on why not.
template <class B>
concept has_usability = requires(const B& b) {
    { b.usable() } -> std::same_as<outcome<void>>;
};

/// It lists the border formats of all that it takes: with `formats(region)`, or each composite its own.
template <class B>
concept lists_all_formats = has_formats<B> ||(has_patterns<B>&& detail::entries<B>::all_have_formats);

/// It makes code of all that it takes: with `emit(region)` or by way of nests, or each composite with its own `emit`.
template <class B>
concept emits_all = has_emitter<B> ||(has_patterns<B>&& detail::entries<B>::all_have_code);

/// Where it has a `price(region)`, this gives seconds or nothing. A back end without one is measured.
template <class B>
concept prices_regions_or_not = has_price<B> || !requires {
    &B::price;
};

/// Where it has `memories()`, it allocates in them and copies between them as well, and hands no constants to kernels from outside, since
/// these stand in the CPU's memory.
template <class B>
concept owns_memory_or_none = (owns_memory<B> && constants_policy_of<B>() != constants_policy::external) || !requires {
    &B::memories;
};

/// A target that refines a plain one and says what it can do, in which formats, and does it.
///
/// Optional members: `price(region)`, `lower_bound(region)`, `limits()`, `configure(own, plain)`, `emit_c(nest)` or `emit_c(region, name)`,
/// `emit_together(nests)`, `compile_seconds`, `wakes_own_threads(composite)`, and those of `owns_memory`; static `phases()`,
/// `strategies()`, `constants`, `op_kind_of(op)`, `is_simulated`, `by_name_alone`, `is_structural`; types `joined` and `partition_rule`.
/// Models: those of `backend/`; a user's own. Archetype: `archetype_backend`.
template <class B>
concept backend = target<B> && has_refinement<B> && has_version<B> && has_usability<B> && has_patterns<B> && lists_all_formats<B> &&
    prices_regions_or_not<B> && emits_all<B> && owns_memory_or_none<B>;

}  // namespace inlay

#endif
