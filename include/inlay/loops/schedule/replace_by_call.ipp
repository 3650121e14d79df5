// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_REPLACE_BY_CALL_IPP
#define INLAY_LOOPS_SCHEDULE_REPLACE_BY_CALL_IPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/schedule/replace_by_call.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/pattern/text/pattern_words.hpp>

namespace inlay::detail {

/// Holds statements of a nest to those of a function, one by one: they do the same where each variable of the function stands for a loop,
/// and each buffer for a window that stays where it is while these loops run.
class call_matcher {
public:
    /// Precondition: both are sound.
    call_matcher(const loop_nest& n, const loop_nest& function)
        : n_(n), f_(function), loop_of_(function.variables.size()), rounds_(n.variables.size(), outside), given_(function.buffers.size()) {}

    /// What a call in a loop's place gives for each parameter. The error says where the loop differs.
    [[nodiscard]] outcome<std::vector<nest_place>> operator()(statement_id loop) {
        if (auto same = all(loop, f_.root); !same) return same.failure();
        std::vector<nest_place> places;
        for (const buffer_id p : parameters_of(f_)) {
            if (!given_[p]) return error{"nothing says what to give for " + theirs(p) + ", which " + who() + " does not touch"};
            places.push_back(*given_[p]);
        }
        return places;
    }

private:
    static constexpr std::int64_t outside = -1;

    [[nodiscard]] std::string who() const { return quoted_text(f_.name); }
    [[nodiscard]] std::string mine(buffer_id b) const { return quoted_text(n_.buffers[b].name); }
    [[nodiscard]] std::string theirs(buffer_id b) const { return quoted_text(f_.buffers[b].name); }
    [[nodiscard]] error differs(const std::string& here, const std::string& there) const {
        return error{"it has " + here + " where " + who() + " has " + there};
    }

    [[nodiscard]] static std::string shown(const loop_nest& n, const nest_statement& s) {
        switch (s.kind) {
            case nest_statement::form::block:
                return "nothing";
            case nest_statement::form::loop:
                return "a loop over " + quoted_text(n.variables[s.variable]) + " of " + std::to_string(s.extent) + " rounds";
            case nest_statement::form::guard:
                return "bounds";
            case nest_statement::form::allocate:
                return "a buffer of its own, " + quoted_text(n.buffers[s.buffer].name);
            case nest_statement::form::store:
                return "a store to " + quoted_text(n.buffers[s.buffer].name);
            case nest_statement::form::update:
                return "an update of " + quoted_text(n.buffers[s.buffer].name) + " by " + quoted_text(name_of(s.function));
            case nest_statement::form::call:
                return "a call of " + quoted_text(n.functions[s.callee].name);
        }
        return {};
    }
    [[nodiscard]] static std::string shown(const loop_nest& n, const nest_expression& e) {
        switch (e.kind) {
            case nest_expression::form::number:
                return "the number " + (is_floating(e.element) ? number_text(e.number, true) : std::to_string(e.integer)) + " of " +
                       std::string(name_of(e.element));
            case nest_expression::form::index:
                return "the index " + nest_writer(n).text(e.indices.front()) + " as a value";
            case nest_expression::form::load:
                return "an element of " + quoted_text(n.buffers[e.buffer].name);
            case nest_expression::form::apply:
                return quoted_text(name_of(e.function));
            case nest_expression::form::choose:
                return "a choice";
            case nest_expression::form::within:
                return "a value within bounds";
            case nest_expression::form::cast:
                return "a cast to " + std::string(name_of(e.element));
        }
        return {};
    }

    /// An index of the nest without loops of one round, whose variables are 0.
    [[nodiscard]] affine own(const affine& a) const {
        affine made(a.constant());
        for (const affine::term& t : a.terms())
            if (rounds_[t.variable] != 1) made += affine::of(t.variable, t.factor);
        return made;
    }
    /// An index of the function, of the loops that its variables stand for.
    [[nodiscard]] affine here(const affine& a) const {
        affine made(a.constant());
        for (const affine::term& t : a.terms()) made += own(affine::of(loop_of_[t.variable], t.factor));
        return made;
    }

    /// The statements of blocks in blocks, one after the other.
    static void flatten(const loop_nest& n, statement_id s, std::vector<statement_id>& into) {
        if (n.statements[s].kind != nest_statement::form::block) return into.push_back(s);
        for (const statement_id part : n.statements[s].parts) flatten(n, part, into);
    }
    [[nodiscard]] outcome<void> all(statement_id own, statement_id other) {
        std::vector<statement_id> a, b;
        flatten(n_, own, a);
        flatten(f_, other, b);
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            if (i == a.size()) return differs("nothing more", shown(f_, f_.statements[b[i]]));
            if (i == b.size()) return differs(shown(n_, n_.statements[a[i]]), "nothing more");
            if (auto same = one(n_.statements[a[i]], f_.statements[b[i]]); !same) return same;
        }
        return {};
    }

    [[nodiscard]] outcome<void> one(const nest_statement& a, const nest_statement& b) {
        if (a.kind == nest_statement::form::guard && b.kind != a.kind)
            return error{"it stands within bounds, which " + who() + " has not; split loops by factors of their extents, or pad"};
        if (a.kind != b.kind || a.function != b.function) return differs(shown(n_, a), shown(f_, b));
        switch (a.kind) {
            case nest_statement::form::loop:
                if (a.extent != b.extent) return differs(shown(n_, a), shown(f_, b));
                if (a.runs != b.runs && (is_bound(a.runs) || is_bound(b.runs)))
                    return error{"its loop over " + quoted_text(n_.variables[a.variable]) + " is " + std::string(name_of(a.runs)) +
                                 " where that of " + who() + " is " + std::string(name_of(b.runs))};
                loop_of_[b.variable] = a.variable;
                rounds_[a.variable] = a.extent;
                return all(a.parts.front(), b.parts.front());
            case nest_statement::form::guard:
                if (auto same = bounds(a.bounds, b.bounds); !same) return same;
                return all(a.parts.front(), b.parts.front());
            case nest_statement::form::allocate:
                if (n_.buffers[a.buffer].extents != f_.buffers[b.buffer].extents)
                    return error{"its buffer " + mine(a.buffer) + " has other extents than " + theirs(b.buffer) + " of " + who()};
                given_[b.buffer] = nest_place{a.buffer, std::vector<affine>(n_.buffers[a.buffer].extents.size())};
                return all(a.parts.front(), b.parts.front());
            case nest_statement::form::store:
            case nest_statement::form::update:
                if (auto same = value(n_.expressions[a.value], f_.expressions[b.value]); !same) return same;
                return place(a.buffer, a.indices, b.buffer, b.indices);
            case nest_statement::form::block:
            case nest_statement::form::call:
                break;
        }
        return error{"it calls a function; only loops and statements become a call"};
    }
    /// Bound to a device's own numbers, which a call has to be written for.
    [[nodiscard]] static bool is_bound(loop_kind k) { return k >= loop_kind::block_x; }

    [[nodiscard]] outcome<void> bounds(const std::vector<affine_bound>& a, const std::vector<affine_bound>& b) const {
        std::vector<affine_bound> mine = a, moved = b;
        for (affine_bound& bound : mine) bound.value = own(bound.value);
        for (affine_bound& bound : moved) bound.value = here(bound.value);
        return mine == moved ? outcome<void>() : error{"it stands within other bounds than " + who()};
    }

    [[nodiscard]] outcome<void> value(const nest_expression& a, const nest_expression& b) {
        bool is_same = a.kind == b.kind && a.element == b.element && a.operands.size() == b.operands.size();
        if (is_same && a.kind == nest_expression::form::number)
            is_same = a.integer == b.integer && std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number);
        if (is_same && a.kind == nest_expression::form::index) is_same = own(a.indices.front()) == here(b.indices.front());
        if (is_same && a.kind == nest_expression::form::apply) is_same = a.function == b.function;
        if (!is_same && a.kind == nest_expression::form::load && b.kind == a.kind) return other_elements(a.buffer, b.buffer);
        if (!is_same) return differs(shown(n_, a), shown(f_, b));
        if (a.kind == nest_expression::form::load) return place(a.buffer, a.indices, b.buffer, b.indices);
        if (auto same = bounds(a.bounds, b.bounds); !same) return same;
        for (std::size_t i = 0; i < a.operands.size(); ++i)
            if (auto same = value(n_.expressions[a.operands[i]], f_.expressions[b.operands[i]]); !same) return same;
        return {};
    }

    [[nodiscard]] error other_elements(buffer_id b, buffer_id p) const {
        return error{"its " + mine(b) + " holds " + std::string(name_of(n_.buffers[b].element)) + " where " + theirs(p) + " of " + who() +
                     " holds " + std::string(name_of(f_.buffers[p].element))};
    }
    /// Binds a buffer of the function to a window of a buffer, or holds it to the one that it is bound to.
    [[nodiscard]] outcome<void> place(buffer_id b, const std::vector<affine>& at, buffer_id p, const std::vector<affine>& index) {
        if (n_.buffers[b].element != f_.buffers[p].element) return other_elements(b, p);
        if (given_[p] && given_[p]->buffer != b)
            return error{"it touches " + mine(b) + " where " + who() + " touches " + theirs(p) + ", which is " + mine(given_[p]->buffer) +
                         " elsewhere"};
        if (at.empty() && !index.empty()) return error{"its " + mine(b) + " has no axes, as " + theirs(p) + " of " + who() + " has"};
        const nest_place window = given_[p] ? based(*given_[p], at, index) : window_of(b, at, index);
        if (!stays(window))
            return error{"it touches " + quoted_text(n_.buffers[b].name + nest_writer(n_).text(at)) + " where " + who() + " touches " +
                         quoted_text(f_.buffers[p].name + nest_writer(f_).text(index))};
        if (given_[p] && given_[p]->at != window.at)
            return error{"its " + mine(b) + " begins at " + nest_writer(n_).text(given_[p]->at) + " and at " +
                         nest_writer(n_).text(window.at) + ", and is one window " + theirs(p) + " of " + who()};
        given_[p] = window;
        return {};
    }
    /// Whether a window begins at one place for all rounds of the loops that become the call.
    [[nodiscard]] bool stays(const nest_place& window) const {
        for (const affine& first : window.at)
            for (const affine::term& t : first.terms())
                if (rounds_[t.variable] != outside) return false;
        return true;
    }
    /// A window along the same axes, from where it would have to begin for an index to be a place's.
    [[nodiscard]] nest_place based(nest_place window, const std::vector<affine>& at, const std::vector<affine>& index) const {
        for (std::size_t d = 0; d < at.size(); ++d) window.at[d] = own(at[d]);
        const std::vector<window_axis> axes = axes_of(window, index.size());
        for (std::size_t d = 0; d < index.size(); ++d) window.at[axes[d].axis] += here(index[d]) * -axes[d].step;
        return window;
    }
    /// The window of a buffer that has a place at an index, its axes as they are where they can be: else each axis of the window runs
    /// along the buffer's that follows the same loop.
    [[nodiscard]] nest_place window_of(buffer_id b, const std::vector<affine>& at, const std::vector<affine>& index) const {
        nest_place turned{b, at, std::vector<window_axis>(index.size())};
        if (at.size() >= index.size()) {
            const nest_place window = based({b, at}, at, index);
            if (stays(window)) return window;
            turned.along = axes_of(window, index.size());
        }
        for (std::size_t d = 0; d < index.size(); ++d) {
            const affine follows = here(index[d]);
            if (follows.is_constant()) continue;
            const affine::term t = follows.terms().front();
            for (std::size_t axis = 0; axis < at.size(); ++axis)
                if (const std::int64_t has = at[axis].factor_of(t.variable); has != 0) turned.along[d] = {axis, has / t.factor};
        }
        return based(std::move(turned), at, index);
    }

    const loop_nest& n_;
    const loop_nest& f_;
    std::vector<variable_id> loop_of_;              // by variable of the function
    std::vector<std::int64_t> rounds_;              // by variable of the nest whose loop becomes part of the call; of others `outside`
    std::vector<std::optional<nest_place>> given_;  // by buffer of the function
};

outcome<void> replace_by_call(nest_edit& n, statement_id loop, const loop_nest& function) {
    if (function.is_external())
        return error{"nobody knows what " + quoted_text(function.name) + " means, so that no loop can be held to it"};
    if (auto sound = check_nest(function); !sound) return sound;
    const std::vector<loop_nest>& known = n.nest().functions;
    const auto same_name = std::find_if(known.begin(), known.end(), [&](const loop_nest& f) { return f.name == function.name; });
    if (same_name != known.end() && *same_name != function)
        return error{"the loop nest " + quoted_text(n.nest().name) + " calls another function " + quoted_text(function.name) +
                     "; give them different names"};
    auto places = call_matcher(n.nest(), function)(loop);
    if (!places)
        return error{"the loop over " + quoted_text(n.nest().variables[n.at(loop).variable]) + " does not do what " +
                     quoted_text(function.name) + " does: " + places.failure().message};
    nest_statement call;
    call.kind = nest_statement::form::call;
    call.callee = static_cast<function_id>(same_name - known.begin());
    call.places = *std::move(places);
    if (same_name == known.end()) n.add(function);
    n.at(loop) = std::move(call);
    return {};
}

}  // namespace inlay::detail

#endif
