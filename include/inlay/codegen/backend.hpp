// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_BACKEND_HPP
#define INLAY_CODEGEN_BACKEND_HPP

#include <concepts>
#include <string>
#include <string_view>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/emitter.hpp>
#include <inlay/cost/price.hpp>
#include <inlay/pattern/composite.hpp>
#include <inlay/target/target.hpp>

namespace inlay {

/// It names the plain target it refines with a static `refines`: `llvm`, `cuda`, `ext_dev`.
template <class B>
concept has_refinement = requires {
    { B::refines } -> std::convertible_to<std::string_view>;
};

/// It gives the version of what it calls with a static `version()`: part of the key of every measurement.
template <class B>
concept has_version = requires {
    { B::version() } -> std::convertible_to<std::string>;
};

/// It says whether it can run here with `usable()`: done, or one sentence on why not.
template <class B>
concept has_usability = requires(const B& b) {
    { b.usable() } -> std::same_as<outcome<void>>;
};

/// A target that refines a plain one and says what it can do, in which formats, at what price, and does it.
///
/// Optional members: `limits()`; static `phases()`, `strategies()`, `constants`.
/// Models: `reference`, `onednn`, `xnnpack`; a user's own. Archetype: `archetype_backend`.
template <class B>
concept backend = target<B> && has_refinement<B> && has_version<B> && has_usability<B> && has_patterns<B> && has_formats<B> && has_price<B> && has_emitter<B>;

}  // namespace inlay

#endif
