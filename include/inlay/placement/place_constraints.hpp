// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_PLACE_CONSTRAINTS_HPP
#define INLAY_PLACEMENT_PLACE_CONSTRAINTS_HPP

#include <cstddef>
#include <cstdint>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/each_clause.hpp>
#include <inlay/placement/annotated_program.hpp>
#include <inlay/placement/place_reason.hpp>
#include <inlay/placement/reader_copies.hpp>

namespace inlay {

/// What a program says about where its values are, told as constraints to a sink: `sink.same(a, b, reason)` two variables are in one
/// place, `sink.is(v, element, reason)` a variable is in a place, both false to stop; `sink.may_be_same(a, b)` two variables that a copy
/// may stand between.
///
/// The rules, by what kind of node it is; "with" means in one place:
/// - an operator's operands with its result, but for what `call_rule` says
/// - a constructor's and a tuple's fields with the whole, and what is taken from it; a reference with its content; a function in any of
///   these wholly with it
/// - a function's body with what it gives, its parameters with what its callers give; its callers all see one function
/// - a let's variable with its value, its body with the let; a branch's sides and its condition with the branch
/// - clauses, the variables that they bind and what is matched with the match
/// - what an annotation says. Where a value has an annotation that lets each reader copy it, readers need not be with it.
template <class G, class L, class Sink>
class place_constraints {
public:
    using program = annotated_program<G, L>;
    using element = typename L::element;

    place_constraints(const program& p, const reader_copies<L>& copies, place_domain host, Sink& sink)
        : p_(p), g_(p.graph()), copies_(copies), host_(host), sink_(sink) {}

    /// Tells all of them, in the order of the program; false where the sink stopped it. Linear in nodes and sizes of function types.
    bool tell() {
        for (node_id n = 0; n < g_.size(); ++n)
            if (p_.active(n) && !node(n)) return false;
        return true;
    }
    /// Tells which targets support a node: `supported(n)` gives the element.
    template <class Supported>
    bool tell_supported(Supported&& supported) {
        for (node_id n = 0; n < g_.size(); ++n)
            if (p_.active(n) && g_.kind(n) == node_kind::call && p_.rule(n).what == call_rule::form::op)
                if (in_force<"placement.rule.supported-targets">() &&
                    !sink_.is(of(n).last(), supported(n), {n, 0, place_cause::supported_targets}))
                    return false;
        return true;
    }

private:
    using border = typename program::border;

    [[nodiscard]] place_domain of(node_id n) const { return p_.domains().of(n); }
    [[nodiscard]] static place_domain whole(const place_domain& d) { return {d.last(), 1}; }

    /// Equal variable for variable; where the one is a function and the other is not known to be, all are equal.
    bool same(const place_domain& a, const place_domain& b, std::size_t count, place_reason why) {
        for (std::size_t k = 0; k < count; ++k) {
            const auto step = static_cast<std::uint32_t>(k);
            const std::uint32_t x = a.begin + (a.width > 1 ? step : 0), y = b.begin + (b.width > 1 ? step : 0);
            if (x != y && !sink_.same(x, y, why)) return false;
        }
        return true;
    }
    bool same(const place_domain& a, const place_domain& b, place_reason why) {
        const std::uint32_t width = a.width > b.width ? a.width : b.width;
        if (!in_force<"placement.rule.collapse">() && a.width != b.width) return same(whole(a), whole(b), why);
        if (a.width == b.width || a.width == 1 || b.width == 1) return same(a, b, width, why);
        // Two functions of different shape, which typed programs do not have: all of both is in one place.
        return same(a, whole(a), why) && same(b, whole(b), why) && same(whole(a), whole(b), why);
    }

    /// Operand i of node n comes to where `to` is.
    bool flow(node_id n, std::size_t i, const place_domain& to, place_cause cause) {
        const node_id o = g_.operand(n, i);
        const place_domain from = p_.seen(o);
        const place_reason why{n, static_cast<std::uint32_t>(i), cause};
        if (const auto* copy = copies_.find(n, i))
            return sink_.is(from.last(), copy->from, {n, why.operand, place_cause::copied_for_reader}) &&
                   sink_.is(to.last(), copy->to, {n, why.operand, place_cause::copied_for_reader});
        const border b = p_.border_of(o);
        if (b == border::none ||
            (b == border::result && in_force<"placement.conflict.fixed">() && in_force<"placement.on_device.contradiction">()))
            return same(from, to, why);
        // What a function reads and gives inside cannot be copied; only where the whole is can differ.
        if (from.width == to.width && !same(from, to, from.width - 1, why)) return false;
        sink_.may_be_same(from.last(), to.last());
        return true;
    }
    /// The same where no copy may stand: an annotation that lets readers copy says where the reader is as well.
    bool flow_fixed(node_id n, std::size_t i, const place_domain& to, place_cause cause) {
        const node_id o = g_.operand(n, i);
        if (p_.border_of(o) != border::normal) return flow(n, i, to, cause);
        const place_reason why{n, static_cast<std::uint32_t>(i), cause};
        const place_domain from = p_.seen(o);
        if (from.width == to.width && !same(from, to, from.width - 1, why)) return false;
        return sink_.is(to.last(), p_.named_place(o), {o, 0, place_cause::named_by_on_device});
    }
    /// All of node n's value is in one place.
    bool collapse(node_id n, place_cause cause) { return same(of(n), whole(of(n)), {n, 0, cause}); }

    bool all_with(node_id n, place_cause cause) {
        const std::size_t arity = g_.arity(n);
        for (std::size_t i = 0; i < arity; ++i)
            if (!flow(n, i, whole(of(n)), cause)) return false;
        return true;
    }

    bool node(node_id n) {
        const node_kind kind = g_.kind(n);
        if (kind != node_kind::input && kind != node_kind::call && kind != node_kind::function &&
            !given(n, of(n), place_cause::named_by_call))
            return false;
        switch (kind) {
            case node_kind::input:
                return given(n, of(n), place_cause::named_by_parameter);
            case node_kind::constant:
                return in_force<"placement.rule.constant">() || sink_.same(of(n).last(), host_.last(), {n, 0, place_cause::host_of_result});
            case node_kind::call:
                return call(n);
            case node_kind::tuple: {
                const node_id lowered = p_.arguments_of(n);
                if (lowered != no_node || !in_force<"placement.conflict.only-calls">()) return true;
                return !in_force<"placement.rule.tuple">() || all_with(n, place_cause::tuple_field);
            }
            case node_kind::projection:
                if (p_.border_of(n) == border::normal) {
                    const place_domain out = p_.seen(n);
                    if (!same(of(n), out, out.width - 1, {n, 0, place_cause::annotated_value}) ||
                        !sink_.is(of(n).last(), p_.named_place(n), {g_.operand(n, 0), 0, place_cause::named_by_on_device}))
                        return false;
                }
                return collapse(n, place_cause::tuple_projection) && flow(n, 0, whole(of(n)), place_cause::tuple_projection);
            case node_kind::function:
                return function(n);
            case node_kind::apply:
                return apply(n);
            case node_kind::let:
                return (in_force<"placement.rewrite.let">() ? flow_fixed(n, 1, of(g_.operand(n, 0)), place_cause::let_value)
                                                            : flow(n, 1, of(g_.operand(n, 0)), place_cause::let_value)) &&
                       flow(n, 2, of(n), place_cause::let_body);
            case node_kind::if_else:
                return collapse_if_function(n, place_cause::condition) &&
                       (!in_force<"placement.failure.condition">() || flow(n, 0, whole(of(n)), place_cause::condition)) &&
                       flow(n, 1, of(n), place_cause::branch) &&
                       (!in_force<"placement.rule.if">() || flow(n, 2, of(n), place_cause::branch));
            case node_kind::match:
                return match(n);
            case node_kind::construct:
                return !in_force<"placement.rule.constructor">() || all_with(n, place_cause::constructor_field);
            case node_kind::make_ref:
            case node_kind::write_ref:
                return !in_force<"placement.rule.reference">() || all_with(n, place_cause::reference_content);
            case node_kind::read_ref:
                return collapse_if_function(n, place_cause::reference_content) && all_with(n, place_cause::reference_content);
            case node_kind::global: {
                const node_id f = p_.function_named(g_.symbol(n));
                return f == no_node || !in_force<"placement.rule.monomorphic">() ||
                       same(of(n), of(f), {n, 0, place_cause::global_function});
            }
        }
        return true;
    }
    bool collapse_if_function(node_id n, place_cause cause) { return !of(n).is_function() || collapse(n, cause); }

    bool given(node_id n, const place_domain& d, place_cause cause) {
        const element* e = p_.given(n);
        return e == nullptr || sink_.is(d.last(), *e, {n, 0, cause});
    }

    bool call(node_id n) {
        const call_rule& rule = p_.rule(n);
        const std::size_t arity = g_.arity(n);
        switch (rule.what) {
            case call_rule::form::op: {
                if (!given(n, of(n), place_cause::named_by_call)) return false;
                if (in_force<"placement.default.host-drags">() && rule.result_on_host &&
                    !same(of(n), host_, {n, 0, place_cause::host_of_result}))
                    return false;
                for (std::size_t i = 0; i < arity; ++i) {
                    const operand_place at = rule.of(i);
                    if (at == operand_place::with_call && in_force<"placement.rule.operator">() &&
                        !flow(n, i, whole(of(n)), place_cause::argument))
                        return false;
                    if (at == operand_place::on_host &&
                        !flow(n, i, in_force<"placement.rule.host">() ? host_ : whole(of(n)), place_cause::host_argument))
                        return false;
                }
                return true;
            }
            case call_rule::form::on_device: {
                const place_domain in = of(n), out = p_.seen(n);
                const bool body = p_.constrains_body(n), result = p_.constrains_result(n);
                const std::uint32_t equal = body && result ? in.width : in.width - 1;
                if (!same(in, out, equal, {n, 0, place_cause::annotated_value})) return false;
                if ((body || !in_force<"placement.on_device.result">() || !in_force<"placement.on_device.free">()) &&
                    !sink_.is(in.last(), p_.named_place(n), {n, 0, place_cause::named_by_on_device}))
                    return false;
                if (result && !sink_.is(out.last(), p_.named_place(n), {n, 0, place_cause::named_by_on_device})) return false;
                return flow(n, 0, in, place_cause::annotated_value);
            }
            case call_rule::form::device_copy:
                return (!in_force<"placement.device_copy.places">() ||
                        sink_.is(of(n).last(), p_.copied_from(n), {n, 0, place_cause::named_by_device_copy})) &&
                       given(n, p_.seen(n), place_cause::named_by_device_copy) && flow(n, 0, of(n), place_cause::annotated_value);
            case call_rule::form::lowered_call: {
                if (arity != 2 || g_.kind(g_.operand(n, 1)) != node_kind::tuple) return true;
                const node_id callee = g_.operand(n, 0), pack = g_.operand(n, 1);
                function_domains fields(p_.seen(callee), g_.type(callee));
                const std::size_t arguments = g_.arity(pack);
                if (!given(n, of(n), place_cause::named_by_call)) return false;
                if (!same(whole(of(pack)), whole(of(n)), {n, 1, place_cause::lowered_arguments})) return false;
                for (std::size_t i = 0; i < arguments; ++i) {
                    const place_domain from = p_.seen(g_.operand(pack, i)), to = fields.next();
                    if (from.width == to.width &&
                        !same(from, to, from.width - 1, {pack, static_cast<std::uint32_t>(i), place_cause::parameter}))
                        return false;
                    sink_.may_be_same(from.last(), to.last());
                }
                return same(of(n), fields.next(), {n, 0, place_cause::function_result});
            }
        }
        return true;
    }

    bool function(node_id n) {
        const std::size_t parameters = g_.arity(n) - 1;
        const bool planned = p_.role_of(n) == function_role::planned;
        function_domains fields(of(n), g_.type(n));
        for (std::size_t i = 0; i < parameters; ++i) {
            const place_domain field = fields.next();
            const node_id o = g_.operand(n, i);
            if (planned && !same(of(o), field, {n, static_cast<std::uint32_t>(i), place_cause::own_parameter})) return false;
            if (!planned && !given(o, field, place_cause::named_by_parameter)) return false;
        }
        const place_domain result = fields.next();
        return given(n, result, place_cause::named_by_function) &&
               (!planned || (in_force<"placement.rewrite.function-body">() ? flow_fixed(n, parameters, result, place_cause::function_body)
                                                                           : flow(n, parameters, result, place_cause::function_body)));
    }

    bool apply(node_id n) {
        const node_id callee = g_.operand(n, 0);
        function_domains fields(p_.seen(callee), g_.type(callee));
        for (std::size_t i = 1; i < g_.arity(n); ++i) {
            const place_domain own = fields.next(), parameter = in_force<"placement.rule.higher-order">() ? own : whole(own);
            if (in_force<"placement.rule.recursion">() && !flow(n, i, parameter, place_cause::parameter)) return false;
        }
        return same(of(n), fields.next(), {n, 0, place_cause::function_result});
    }

    bool match(node_id n) {
        if (!in_force<"placement.rule.match">()) return true;
        if (!collapse_if_function(n, place_cause::scrutinee) || !flow(n, 0, whole(of(n)), place_cause::scrutinee)) return false;
        bool met = true;
        each_clause(g_, n, [&](std::size_t, std::size_t first, std::size_t result) {
            for (std::size_t i = first; met && i < result; ++i)
                met = same(of(g_.operand(n, i)), whole(of(n)), {n, static_cast<std::uint32_t>(i), place_cause::matched_variable});
            met = met && flow(n, result, of(n), place_cause::clause);
        });
        return met;
    }

    const program& p_;
    const G& g_;
    const reader_copies<L>& copies_;
    place_domain host_;
    Sink& sink_;
};

}  // namespace inlay

#endif
