// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_PLAN_DEVICES_HPP
#define INLAY_PLACEMENT_PLAN_DEVICES_HPP

#include <utility>

#include <inlay/placement/apply_plan.hpp>
#include <inlay/placement/capture.hpp>
#include <inlay/placement/device_lattice.hpp>
#include <inlay/placement/device_plan.hpp>
#include <inlay/placement/place_question.hpp>

namespace inlay {

/// The program with every value in its place, over the targets of a configuration. Types are known; annotations are `on_device` and
/// `device_copy` calls, and what parameters and functions say. The error has the two annotations that contradict each other and the chain
/// of constraints between them. plan∘plan = plan.
template <placed_graph G>
requires rewritable_graph<G>
[[nodiscard]] outcome<G> plan_devices(const G& g, const configuration& c, const placement_options& options = {}) {
    device_lattice l(c);
    auto plan = device_plan<G, device_lattice>::of(g, l);
    if (!plan) return plan.failure();
    return apply_plan(*plan, options);
}

/// The same where not every target runs every operator: `can(n, target)` says whether a target runs operator call n, itself or by a back
/// end that refines it.
template <placed_graph G, class Can>
requires rewritable_graph<G>
[[nodiscard]] outcome<G> plan_devices(const G& g, const configuration& c, const placement_options& options, Can&& can) {
    device_lattice l(c);
    const auto supported = [&](node_id n) { return l.among([&](const target_instance& t) { return can(n, t); }); };
    auto plan = device_plan<G, device_lattice>::of(g, l, supported);
    if (!plan) return plan.failure();
    return apply_plan(*plan, options);
}

/// The same where what the program leaves open is decided by what it costs: `choose` gets a `place_question<placement>` and gives an
/// optional list with the number of a place for each of its classes, as `cheapest_places` does; nothing: the places are those without it.
template <placed_graph G, class Can, class Choose>
requires rewritable_graph<G>
[[nodiscard]] outcome<G> plan_devices(const G& g, const configuration& c, const placement_options& options, Can&& can, Choose&& choose) {
    device_lattice l(c);
    const auto supported = [&](node_id n) { return l.among([&](const target_instance& t) { return can(n, t); }); };
    const auto answer = [&](const place_question<device_lattice::element>& open) {
        place_question<placement> asked;
        for (const auto& one : open.classes) {
            auto& made = asked.classes.emplace_back();
            made.calls = one.calls;
            for (const device_lattice::element& e : one.places) made.places.push_back(l.placement_of(e));
        }
        for (const auto& b : open.borders) asked.borders.push_back({b.from, b.to, b.value});
        return choose(std::as_const(asked));
    };
    auto plan = device_plan<G, device_lattice>::of(g, l, supported, answer);
    if (!plan) return plan.failure();
    return apply_plan(*plan, options);
}

}  // namespace inlay

#endif
