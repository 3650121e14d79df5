// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_RECOVER_PLACES_HPP
#define INLAY_PASSES_RECOVER_PLACES_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/each_clause.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// Where each node of a program is: which node says so, and so the place. Refers to the module.
class program_places {
public:
    /// Where node n is; free where nothing around it says so, or where no function of the module needs it.
    [[nodiscard]] const placement& of(node_id n) const { return said_by_[n] == no_node ? free_ : m_->where(said_by_[n]); }
    /// The node that says where node n is: itself, or what it stands in; `no_node` where nothing does.
    [[nodiscard]] node_id said_by(node_id n) const { return said_by_[n]; }
    /// Where the operands of node n are, as far as they do not say otherwise, and the node that says so.
    [[nodiscard]] const placement& inside(node_id n) const { return inside_[n] == no_node ? free_ : m_->where(inside_[n]); }
    [[nodiscard]] node_id inside_said_by(node_id n) const { return inside_[n]; }

private:
    friend program_places recover_places(const ir_module& m);

    const ir_module* m_ = nullptr;
    placement free_;
    std::vector<node_id> said_by_, inside_;  // by node
};

/// Whether a call of `on_device` says both where its operand is and where it is itself: all that is in it is there.
[[nodiscard]] inline bool is_fixed_on_device(const ir_module& m, node_id n) {
    return m.kind(n) == node_kind::call && m.op(n) == "on_device" && m.attributes(n).integer("constrain_result", 0) != 0 &&
           m.attributes(n).integer("constrain_body", 1) != 0;
}

namespace detail {

/// Goes through a module from its functions to their parameters and hands to each node where the first of those who read it is.
class place_recovery {
public:
    explicit place_recovery(const ir_module& m)
        : m_(m), around_(m.size(), no_node), place_(m.size(), no_node), inside_(m.size(), no_node), is_met_(m.size(), 0) {
        for (const node_id f : m.functions()) {
            named_.emplace(m.symbol(f), f);
            is_met_[f] = 1;
        }
    }

    void run() {
        for (auto n = static_cast<node_id>(m_.size()); n-- > 0;)
            if (is_met_[n] != 0) visit(n);
        for (const node_id call : calls_) read_arguments(call);
    }
    [[nodiscard]] std::vector<node_id> take_places() { return std::move(place_); }
    [[nodiscard]] std::vector<node_id> take_insides() { return std::move(inside_); }

private:
    [[nodiscard]] bool says(node_id n) const { return !m_.where(n).is_free(); }
    [[nodiscard]] node_id own_or(node_id n, node_id otherwise) const { return says(n) ? n : otherwise; }

    void meet(node_id n, node_id around) {
        if (is_met_[n] != 0) return;
        is_met_[n] = 1;
        around_[n] = around;
    }
    /// A variable whose binder says where it is.
    void bind(node_id variable, node_id at) {
        is_met_[variable] = 1;
        around_[variable] = own_or(variable, at);
    }
    void operands_at(node_id n, node_id at) {
        inside_[n] = at;
        for (const node_id o : m_.operands(n)) meet(o, at);
    }

    void visit(node_id n) {
        const node_id around = around_[n];
        switch (m_.kind(n)) {
            case node_kind::input:
                place_[n] = around;
                return;
            case node_kind::global:
                place_[n] = of_global(n, around);
                return;
            case node_kind::function:
                return function(n, around);
            case node_kind::call:
                if (m_.op(n) == "on_device" && !is_fixed_on_device(m_, n)) {
                    // It permits a copy, no more.
                    place_[n] = around == no_node ? own_or(n, around) : around;
                    return operands_at(n, around);
                }
                break;
            case node_kind::let:
                place_[n] = own_or(n, around);
                bind(m_.operand(n, 0), of_bound(m_.operand(n, 1), place_[n]));
                if (m_.kind(m_.operand(n, 1)) == node_kind::function) {
                    bound_to_[m_.operand(n, 1)] = m_.operand(n, 0);
                    value_of_[m_.operand(n, 0)] = m_.operand(n, 1);
                }
                return operands_at(n, place_[n]);
            case node_kind::match:
                place_[n] = own_or(n, around);
                each_clause(m_, n, [&](std::size_t, std::size_t first, std::size_t result) {
                    for (std::size_t i = first; i < result; ++i) bind(m_.operand(n, i), place_[n]);
                });
                return operands_at(n, place_[n]);
            case node_kind::apply:
                called_at_.emplace(m_.operand(n, 0), own_or(n, around));
                calls_.push_back(n);
                break;
            default:
                break;
        }
        place_[n] = own_or(n, around);
        operands_at(n, place_[n]);
    }

    void function(node_id n, node_id around) {
        node_id otherwise = around;
        if (m_.attributes(n).integer("Primitive", 0) != 0) {
            // It is one kernel, which runs where it is called.
            const auto bound = bound_to_.find(n);
            const auto called = called_at_.find(bound == bound_to_.end() ? n : bound->second);
            if (called != called_at_.end() && called->second != no_node) otherwise = called->second;
        }
        place_[n] = own_or(n, otherwise);
        for (const node_id p : m_.parameters(n)) bind(p, place_[n]);
        operands_at(n, place_[n]);
    }

    /// A kernel reads its arguments where they are: its parameters are there, unless they say where they are themselves.
    void read_arguments(node_id call) {
        node_id f = m_.operand(call, 0);
        if (const auto bound = value_of_.find(f); bound != value_of_.end()) f = bound->second;
        if (m_.kind(f) == node_kind::global) {
            const auto named = named_.find(m_.symbol(f));
            if (named == named_.end()) return;
            f = named->second;
        }
        // Its first call counts, as for where it runs.
        if (m_.kind(f) != node_kind::function || m_.attributes(f).integer("Primitive", 0) == 0 || !is_read_.insert(f).second) return;
        const auto parameters = m_.parameters(f);
        for (std::size_t i = 0; i < parameters.size() && i + 1 < m_.arity(call); ++i)
            if (const node_id at = place_[m_.operand(call, i + 1)]; at != no_node && !says(parameters[i])) place_[parameters[i]] = at;
    }

    [[nodiscard]] node_id of_global(node_id n, node_id around) const {
        const auto at = named_.find(m_.symbol(n));
        return at == named_.end() ? around : own_or(at->second, around);
    }
    /// Where what a let binds is; what is bound is not met yet.
    [[nodiscard]] node_id of_bound(node_id value, node_id around) const {
        switch (m_.kind(value)) {
            case node_kind::input:
                return is_met_[value] != 0 ? around_[value] : own_or(value, around);
            case node_kind::global:
                return of_global(value, around);
            default:
                return m_.kind(value) != node_kind::call || m_.op(value) != "on_device" || is_fixed_on_device(m_, value)
                           ? own_or(value, around)
                           : around;
        }
    }
    const ir_module& m_;
    std::vector<node_id> around_, place_, inside_;  // by node: the node that says it
    std::vector<char> is_met_;
    std::unordered_map<std::string_view, node_id> named_;
    std::unordered_map<node_id, node_id> called_at_, bound_to_, value_of_;
    std::vector<node_id> calls_;
    std::unordered_set<node_id> is_read_;  // kernels whose parameters have places
};

}  // namespace detail

/// Where each node of a program is that names places as Relay's text does. A function's body is where its result is, and so is all that
/// stands in it, but for what is in a fixed `on_device`; parameters, calls of functions and what else has a place of its own is there;
/// a let's variable is where its value is, what a match binds is where the match is, a global where its function's result is; a primitive
/// function is where it is called, and its parameters are where its arguments are. A node with several readers is where the first of them
/// is, counted from the end of the program. One pass.
[[nodiscard]] inline program_places recover_places(const ir_module& m) {
    detail::place_recovery recovery(m);
    recovery.run();
    program_places places;
    places.m_ = &m;
    places.said_by_ = recovery.take_places();
    places.inside_ = recovery.take_insides();
    return places;
}

}  // namespace inlay

#endif
