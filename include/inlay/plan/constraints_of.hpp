// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_CONSTRAINTS_OF_HPP
#define INLAY_PLAN_CONSTRAINTS_OF_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/partition/outline.hpp>
#include <inlay/placement/call_rule.hpp>
#include <inlay/plan/placement_rule.hpp>
#include <inlay/plan/placements_in.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// A program to be partitioned, and where its nodes have to run: `plan_options::placements`.
struct placed_question {
    ir_module program;
    std::vector<placement_rule> rules;  // one for each place
};

namespace detail {

/// Takes annotations and copies out of a program, and says at its calls what they said.
class annotation_reader {
public:
    explicit annotation_reader(const ir_module& m) : m_(m), made_(m.size(), no_node), said_(m.size(), nothing) {}

    [[nodiscard]] outcome<placed_question> read() {
        if (auto told = tell_all(); !told) return told.failure();
        builder_.copy_from(m_);
        std::vector<node_id> operands;
        for (node_id n = 0; n < m_.size(); ++n) {
            if (is_annotation(n) || is_conversion(n)) {
                made_[n] = made_[m_.operand(n, 0)];
                continue;
            }
            operands.clear();
            for (std::size_t i = 0; i < m_.arity(n); ++i) operands.push_back(made_[m_.operand(n, i)]);
            made_[n] = builder_.copy(m_, n, operands);
            if (said_[n] != nothing) builder_.set_where(made_[n], places_[said_[n]]);
        }
        for (const node_id f : m_.functions()) builder_.declare(made_[f]);
        builder_.name_results(m_.result_names());
        placed_question made{builder_.finish_in_blocks(), {}};
        made.rules = placements_in(made.program);
        return made;
    }

private:
    static constexpr std::uint32_t nothing = 0xFFFF'FFFFu;

    [[nodiscard]] call_rule::form form_of(node_id n) const {
        return m_.kind(n) == node_kind::call ? call_rule_of(m_.op(n)).what : call_rule::form::op;
    }
    [[nodiscard]] bool is_annotation(node_id n) const {
        const call_rule::form what = form_of(n);
        return what == call_rule::form::on_device || what == call_rule::form::device_copy;
    }
    [[nodiscard]] bool is_conversion(node_id n) const {
        return m_.kind(n) == node_kind::call && m_.op(n) == conversion_op && m_.arity(n) == 1;
    }
    outcome<void> tell_all() {
        for (node_id n = 0; n < m_.size(); ++n) {
            if (!is_annotation(n)) {
                if (auto told = tell_reader(n); !told) return told;
                continue;
            }
            const bool is_copy = form_of(n) == call_rule::form::device_copy;
            if (is_copy || m_.attributes(n).integer("constrain_body", 1) != 0)
                if (auto told = tell_made(m_.operand(n, 0), is_copy ? m_.copied_from(n) : m_.where(n)); !told) return told;
        }
        return {};
    }
    /// What makes a value runs where the value is: behind tuples and projections; behind another annotation, that one says where.
    outcome<void> tell_made(node_id value, const placement& there) {
        std::vector<node_id> open{value};
        while (!open.empty()) {
            const node_id n = open.back();
            open.pop_back();
            if (is_annotation(n)) continue;
            if (m_.kind(n) == node_kind::call && !is_conversion(n))
                if (auto told = tell(n, there); !told) return told;
            if (m_.kind(n) == node_kind::tuple || m_.kind(n) == node_kind::projection || is_conversion(n))
                for (std::size_t i = 0; i < m_.arity(n); ++i) open.push_back(m_.operand(n, i));
        }
        return {};
    }
    /// A call runs where what it reads is, where that says so.
    outcome<void> tell_reader(node_id n) {
        if (m_.kind(n) != node_kind::call) return {};
        const call_rule& rule = call_rule_of(m_.op(n));
        for (std::size_t i = 0; i < m_.arity(n); ++i) {
            const node_id o = m_.operand(n, i);
            if (rule.of(i) != operand_place::with_call || !is_annotation(o)) continue;
            if (form_of(o) == call_rule::form::on_device && m_.attributes(o).integer("constrain_result", 0) == 0) continue;
            if (auto told = tell(n, m_.where(o)); !told) return told;
        }
        return {};
    }
    /// What a call says itself of where it is stands above what is said around it.
    outcome<void> tell(node_id n, const placement& there) {
        if (there.is_free() || !m_.where(n).is_free()) return {};
        if (said_[n] != nothing) {
            if (places_[said_[n]] == there) return {};
            return error{shown_node(m_, n) + " is to be on " + to_string(places_[said_[n]]) + " and on " + to_string(there) +
                         ", and runs in one place; take one of the annotations away"};
        }
        said_[n] = static_cast<std::uint32_t>(places_.size());
        places_.push_back(there);
        return {};
    }

    const ir_module& m_;
    ir_builder builder_;
    std::vector<node_id> made_;
    std::vector<std::uint32_t> said_;  // by node: its place among `places_`
    std::vector<placement> places_;
};

}  // namespace detail

/// What a program says of where its calls run, as constraints of a plan. Of a program whose devices are planned every call says so itself,
/// so that all of it is placed. Of one that is annotated, calls inside of `on_device` and around what is on a device for certain are
/// placed, and the others are free. `on_device` and `device_copy` are taken out: what they say stands in the rules, and copies come of the
/// plan; so are conversions of formats, which an earlier plan made.
///
/// Tensors come and go in the CPU's main memory, whatever is said of parameters and results, and copies there are priced like all others.
/// The error names a call that is said to be in two places. Linear.
[[nodiscard]] inline outcome<placed_question> constraints_of(const ir_module& placed) { return detail::annotation_reader(placed).read(); }

}  // namespace inlay

#endif
