// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_ANNOTATED_PROGRAM_HPP
#define INLAY_PLACEMENT_ANNOTATED_PROGRAM_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/placement/call_rule.hpp>
#include <inlay/placement/concepts.hpp>
#include <inlay/placement/domain_table.hpp>
#include <inlay/placement/function_role.hpp>

namespace inlay {

/// A program with what its annotations say and which variables its values have: what all steps of planning look at.
///
/// Annotations are read here as the planner means them, which is the first step of TVM's planner, done by looking at things another way
/// instead of rewriting them:
/// - what is taken from an annotated tuple is annotated as the tuple is, so that it is taken first and copied then;
/// - what goes into a lowered function and comes out of it may be copied there, so that memory scopes may differ.
template <placed_graph G, lattice L>
class annotated_program {
public:
    using element = typename L::element;

    /// What may stand between a value and who reads it.
    enum class border : std::uint8_t {
        none,    // they are in one place
        result,  // an annotation that says where the reader sees it: no copy behind it
        normal,  // the value has its place, and each reader may copy it
        free     // it may be copied, and nothing else is said
    };
    /// The error is that of an annotation that the lattice does not know.
    [[nodiscard]] static outcome<annotated_program> of(const G& g, L& l) {
        annotated_program p(g, l);
        p.read_functions();
        p.find_active();
        if (auto wrong = p.read_nodes()) return std::move(*wrong);
        return p;
    }

    [[nodiscard]] const G& graph() const { return g_; }
    [[nodiscard]] L& places() const { return l_; }
    [[nodiscard]] const domain_table& domains() const { return domains_; }

    /// Whether planning looks at the node at all: it is needed by a function that is planned, and does not stand in one that is opaque.
    [[nodiscard]] bool active(node_id n) const { return active_[n] != 0; }
    /// How a function takes part; what is no function does.
    [[nodiscard]] function_role role_of(node_id function) const { return role_[function]; }
    [[nodiscard]] const call_rule& rule(node_id n) const { return detail::call_rules[rule_[n]]; }
    [[nodiscard]] bool is_on_device(node_id n) const { return is_special(n) && rule(n).what == call_rule::form::on_device; }
    [[nodiscard]] bool is_device_copy(node_id n) const { return is_special(n) && rule(n).what == call_rule::form::device_copy; }
    /// The call of a lowered function whose arguments this tuple is, or `no_node`.
    [[nodiscard]] node_id arguments_of(node_id tuple) const {
        const auto at = pack_.find(tuple);
        return at == pack_.end() ? no_node : at->second;
    }
    /// The global function of that name, or `no_node`.
    [[nodiscard]] node_id function_named(std::string_view name) const {
        const auto at = named_.find(name);
        return at == named_.end() ? no_node : at->second;
    }
    /// Whether anything in the program says where something is to be.
    [[nodiscard]] bool is_annotated() const { return annotated_; }

    /// The domain that readers of node n see.
    [[nodiscard]] place_domain seen(node_id n) const { return has_out(n) ? domains_.out_of(n) : domains_.of(n); }
    /// What stands between node n and those who read it.
    [[nodiscard]] border border_of(node_id n) const { return static_cast<border>(border_[n]); }
    /// The place that a border names; precondition: it is `result` or `normal`.
    [[nodiscard]] const element& named_place(node_id n) const { return elements_[element_[n]]; }
    /// The place that node n was given, or null: a parameter's, a function's result's, a copy's, or what an earlier plan found.
    [[nodiscard]] const element* given(node_id n) const { return element_[n] == 0 ? nullptr : &elements_[element_[n]]; }
    /// Where a `device_copy` copies from.
    [[nodiscard]] const element& copied_from(node_id n) const { return elements_[source_.at(n)]; }
    /// Whether an `on_device` says where what it reads is.
    [[nodiscard]] bool constrains_body(node_id n) const { return g_.attributes(n).integer("constrain_body", 1) != 0 && element_[n] != 0; }
    [[nodiscard]] bool constrains_result(node_id n) const { return border_of(n) == border::result; }

private:
    annotated_program(const G& g, L& l) : g_(g), l_(l), active_(g.size(), 0), rule_(g.size(), 0), role_(function_roles(g)) {}

    [[nodiscard]] bool is_special(node_id n) const { return rule_[n] != 0; }
    [[nodiscard]] bool has_out(node_id n) const { return border_[n] != 0 || is_device_copy(n); }

    void read_functions() {
        for (const node_id f : g_.functions()) {
            active_[f] = 1;
            named_.emplace(g_.symbol(f), f);
        }
    }

    void find_active() {
        for (node_id n = static_cast<node_id>(g_.size()); n-- > 0;) {
            if (active_[n] == 0) continue;
            const node_kind kind = g_.kind(n);
            if (in_force<"placement.capture.opaque">() && role_[n] != function_role::planned) continue;
            if (kind == node_kind::call) {
                rule_[n] = rule_number(n);
                if (rule(n).what == call_rule::form::lowered_call && g_.arity(n) == 2 && g_.kind(g_.operand(n, 1)) == node_kind::tuple)
                    pack_.emplace(g_.operand(n, 1), n);
            }
            const std::size_t arity = g_.arity(n);
            for (std::size_t i = 0; i < arity; ++i) active_[g_.operand(n, i)] = 1;
        }
    }
    [[nodiscard]] std::uint8_t rule_number(node_id n) const {
        return static_cast<std::uint8_t>(&call_rule_of(g_.op(n)) - &detail::call_rules[0]);
    }

    std::optional<error> read_nodes() {
        elements_.push_back(l_.free());
        element_.assign(g_.size(), 0);
        border_.assign(g_.size(), 0);
        domains_.reserve(g_.size());
        for (node_id n = 0; n < g_.size(); ++n) {
            const node_kind kind = g_.kind(n);
            std::uint32_t count = active_[n] == 0 ? 0 : 1;
            if (count != 0) {
                if (auto wrong = read_place(n, kind)) return wrong;
                count = has_out(n) ? 2 : 1;
            } else if (kind == node_kind::input) {
                if (auto wrong = read_place(n, kind)) return wrong;
            }
            domains_.add(count == 0 ? 0 : domain_width(g_.type(n)), count);
        }
        return std::nullopt;
    }

    std::optional<error> read_place(node_id n, node_kind kind) {
        switch (kind) {
            case node_kind::input:
            case node_kind::function:
                return take(n, g_.where(n));
            case node_kind::projection: {
                // Taken from what is annotated: annotated alike.
                const node_id of = g_.operand(n, 0);
                if (!in_force<"placement.rewrite.projection">() || border_of(of) != border::normal) return take(n, g_.where(n));
                element_[n] = element_[of];
                border_[n] = static_cast<std::uint8_t>(border::normal);
                return std::nullopt;
            }
            case node_kind::call:
                break;
            default:
                return take(n, g_.where(n));
        }
        switch (rule(n).what) {
            case call_rule::form::op:
                return take(n, g_.where(n));
            case call_rule::form::lowered_call:
                if (in_force<"placement.rewrite.lowered">()) border_[n] = static_cast<std::uint8_t>(border::free);
                return take(n, g_.where(n));
            case call_rule::form::device_copy: {
                if (auto wrong = take(n, g_.copied_from(n))) return wrong;
                source_.emplace(n, element_[n]);
                element_[n] = 0;
                if (auto wrong = take(n, g_.where(n))) return wrong;
                if (element_[n] == 0 || source_.at(n) == 0) return error{"a device_copy has to name two places, from where and to where"};
                return std::nullopt;
            }
            case call_rule::form::on_device: {
                const bool body = g_.attributes(n).integer("constrain_body", 1) != 0;
                const bool result = g_.attributes(n).integer("constrain_result", 0) != 0;
                border fixed = in_force<"placement.on_device.fixed">() ? border::result : border::normal;
                border normal = in_force<"placement.on_device.normal">() ? border::normal : border::result;
                border_[n] = static_cast<std::uint8_t>(result ? fixed : body ? normal : border::free);
                if (in_force<"placement.on_device.free">() && !body && !result) return std::nullopt;
                if (auto wrong = take(n, g_.where(n))) return wrong;
                if (in_force<"placement.on_device.names-a-place">() && element_[n] == 0)
                    return error{"an on_device that constrains something has to name a place"};
                return std::nullopt;
            }
        }
        return std::nullopt;
    }

    template <class Where>
    std::optional<error> take(node_id n, const Where& where) {
        auto e = l_.of(where);
        if (!e) return e.failure();
        if (*e == l_.free()) return std::nullopt;
        annotated_ = true;
        if (!(elements_.back() == *e)) {
            // Programs name few places.
            for (std::size_t k = 0; k < elements_.size(); ++k)
                if (elements_[k] == *e) {
                    element_[n] = static_cast<std::uint32_t>(k);
                    return std::nullopt;
                }
            elements_.push_back(*e);
        }
        element_[n] = static_cast<std::uint32_t>(elements_.size() - 1);
        return std::nullopt;
    }

    const G& g_;
    L& l_;
    domain_table domains_;
    std::vector<std::uint8_t> active_, rule_, border_;
    std::vector<function_role> role_;     // by node: planned, but for some functions
    std::vector<std::uint32_t> element_;  // by node: what it names, 0 for nothing
    std::vector<element> elements_;
    std::unordered_map<node_id, std::uint32_t> source_;  // of copies
    std::unordered_map<std::string_view, node_id> named_;
    std::unordered_map<node_id, node_id> pack_;
    bool annotated_ = false;
};

}  // namespace inlay

#endif
