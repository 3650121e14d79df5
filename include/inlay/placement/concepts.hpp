// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_CONCEPTS_HPP
#define INLAY_PLACEMENT_CONCEPTS_HPP

#include <concepts>
#include <cstdint>
#include <string>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/concepts.hpp>

namespace inlay {

/// Places as unification sees them: each element says something or nothing in each of its components, and two elements join where no
/// component of the one contradicts the other's. For `l` of type `const L`, and components as the bits of a number:
///
/// - `L::all` the bits of all components, and `L::memory` of those that tell memories of one device apart; `l.free()` the element that says
///   nothing
/// - `l.clash(a, b)` the components in which two elements contradict each other
/// - `l.join(into, from, components)` takes over what `from` says there; precondition: no clash there
/// - `l.is_whole(e)` whether every component that needs one has a value
/// - `l.fill(into, from)` takes from `from` what `into` leaves open, as far as that fits; what still misses follows from the rest
/// - `l.host()`, `l.otherwise()` where the host's values are, and where a program goes that says nothing
/// - `l.text(e)` for people
///
/// A lattice that a graph is planned with also has `l.of(where)`, the element of what the graph says, or an error.
///
/// Models: `device_lattice`. Join is associative, commutative and idempotent as far as it is defined; `free()` is neutral.
template <class L>
concept lattice = std::copyable<typename L::element> && requires(const L& l, typename L::element& into, const typename L::element& from) {
    { L::all } -> std::convertible_to<unsigned>;
    { L::memory } -> std::convertible_to<unsigned>;
    { l.free() } -> std::same_as<typename L::element>;
    { l.clash(from, from) } -> std::same_as<unsigned>;
    l.join(into, from, 0u);
    { l.is_whole(from) } -> std::same_as<bool>;
    l.fill(into, from);
    { l.host() } -> std::convertible_to<typename L::element>;
    { l.otherwise() } -> std::convertible_to<typename L::element>;
    { l.text(from) } -> std::same_as<std::string>;
};

/// A program that says of some nodes where they are to be: `g.where(n)` for parameters, functions (of the result), calls of `on_device`
/// (the place that it names) and `device_copy` (of the copy), `g.copied_from(n)` for `device_copy`, and `g.functions()`, its global
/// functions. What these give, the lattice that it is planned with understands. Models: `ir_module`.
template <class G>
concept placed_graph = functional_graph<G> && requires(const G& g, node_id n) {
    g.where(n);
    g.copied_from(n);
    g.functions();
};

}  // namespace inlay

#endif
