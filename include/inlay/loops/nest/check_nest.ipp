// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_CHECK_NEST_IPP
#define INLAY_LOOPS_NEST_CHECK_NEST_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <inlay/loops/nest/check_nest.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/race.hpp>

namespace inlay {

namespace detail {

/// Looks a nest through, once.
class nest_checker {
public:
    explicit nest_checker(const loop_nest& n)
        : n_(n),
          values_(n.variables.size()),
          is_bound_(n.variables.size(), 0),
          had_loop_(n.variables.size(), 0),
          is_there_(n.buffers.size(), 0),
          is_placed_(n.statements.size(), 0) {}

    [[nodiscard]] outcome<void> operator()() {
        for (std::size_t b = 0; b < n_.buffers.size(); ++b) {
            const nest_buffer& buffer = n_.buffers[b];
            if (buffer.strides.size() != buffer.extents.size() || size_of(buffer.element) == 0)
                return fault("the buffer " + quoted_text(buffer.name) + " needs elements of a fixed size and a stride for each extent");
            if (!is_small(buffer)) return fault("the buffer " + quoted_text(buffer.name) + " is larger than 64 bits can count");
            is_there_[b] = buffer.scope == buffer_scope::input || buffer.scope == buffer_scope::output;
        }
        for (std::size_t f = 0; f < n_.functions.size(); ++f)
            if (auto sound = function(n_.functions[f], f); !sound) return sound;
        if (n_.root >= n_.statements.size()) return fault("there is no statement for it to begin with");
        return statement(n_.root);
    }

private:
    /// Whether every element's place, in bytes, fits 62 bits.
    static bool is_small(const nest_buffer& b) {
        std::int64_t last = 0;
        for (std::size_t i = 0; i < b.extents.size(); ++i) {
            std::int64_t reach = 0;
            if (b.extents[i] < 0 || b.strides[i] < 0) return false;
            if (__builtin_mul_overflow(std::max(b.extents[i] - 1, std::int64_t{0}), b.strides[i], &reach) ||
                __builtin_add_overflow(last, reach, &last))
                return false;
        }
        return last < (std::int64_t{1} << 62) / static_cast<std::int64_t>(size_of(b.element));
    }

    [[nodiscard]] error fault(const std::string& what) const { return error{"loop nest " + quoted_text(n_.name) + ": " + what}; }
    [[nodiscard]] std::string shown(buffer_id b) const { return quoted_text(n_.buffers[b].name); }
    [[nodiscard]] std::string shown_variable(variable_id v) const { return quoted_text(n_.variables[v]); }

    [[nodiscard]] outcome<void> statement(statement_id id) {
        if (is_placed_[id] != 0) return fault("a statement stands in two places; make a copy of it");
        is_placed_[id] = 1;
        const nest_statement& s = n_.statements[id];
        for (const statement_id part : s.parts)
            if (part >= id) return fault("a statement stands before one of its parts");
        const bool is_leaf =
            s.kind == nest_statement::form::store || s.kind == nest_statement::form::update || s.kind == nest_statement::form::call;
        const std::size_t parts = is_leaf ? 0 : 1;
        if (s.kind != nest_statement::form::block && s.parts.size() != parts) return fault("a statement has the wrong number of parts");
        switch (s.kind) {
            case nest_statement::form::block:
                for (const statement_id part : s.parts)
                    if (auto sound = statement(part); !sound) return sound;
                return {};
            case nest_statement::form::loop:
                return loop(s, id);
            case nest_statement::form::guard: {
                for (const affine_bound& b : s.bounds)
                    if (auto known = follows_loops(b.value); !known) return known;
                return under(s.bounds, [&] { return statement(s.parts.front()); });
            }
            case nest_statement::form::allocate: {
                if (s.buffer >= n_.buffers.size() || is_there_[s.buffer] != 0)
                    return fault("a buffer is allocated that there is not, or that is there already");
                is_there_[s.buffer] = 1;
                auto sound = statement(s.parts.front());
                is_there_[s.buffer] = 0;
                return sound;
            }
            case nest_statement::form::store:
            case nest_statement::form::update:
                return write(s);
            case nest_statement::form::call:
                return call(s);
        }
        return {};
    }

    [[nodiscard]] outcome<void> loop(const nest_statement& s, statement_id id) {
        if (s.variable >= n_.variables.size() || had_loop_[s.variable] != 0)
            return fault("a loop has no variable of its own; give each loop one");
        if (s.extent < 0) return fault("the loop over " + shown_variable(s.variable) + " has a negative extent");
        had_loop_[s.variable] = is_bound_[s.variable] = 1;
        values_[s.variable] = {0, s.extent - 1};
        unreached_ += s.extent == 0;
        auto sound = statement(s.parts.front());
        unreached_ -= s.extent == 0;
        is_bound_[s.variable] = 0;
        if (sound && is_concurrent(s.runs))
            if (const auto shared = race_of(n_, id))
                return fault("the loop over " + shown_variable(s.variable) + " is " + std::string(name_of(s.runs)) +
                             ", but its rounds share elements of " + shown(*shared) + "; run it serially, or give each round its own");
        return sound;
    }

    [[nodiscard]] outcome<void> write(const nest_statement& s) {
        if (auto sound = expression(s.value); !sound) return sound;
        if (auto there = place(s.buffer, s.indices); !there) return there;
        if (n_.buffers[s.buffer].scope == buffer_scope::input) return fault("it writes its input " + shown(s.buffer));
        if (n_.expressions[s.value].element != n_.buffers[s.buffer].element)
            return fault("a value of " + std::string(name_of(n_.expressions[s.value].element)) + " is written to " + shown(s.buffer) +
                         ", which holds " + std::string(name_of(n_.buffers[s.buffer].element)) + "; cast it");
        if (s.kind == nest_statement::form::update && (!combines(s.function) || !takes(s.function, n_.buffers[s.buffer].element)))
            return fault("an element of " + shown(s.buffer) + " is updated by " + quoted_text(name_of(s.function)) +
                         ", which is no reduction of its elements");
        return {};
    }

    /// A function that the nest calls.
    [[nodiscard]] outcome<void> function(const loop_nest& f, std::size_t number) const {
        const auto wrong = [&](const std::string& what) { return fault("its function " + quoted_text(f.name) + " " + what); };
        bool is_taken = f.name.empty() || f.name == n_.name;
        for (std::size_t other = 0; other < number; ++other) is_taken = is_taken || n_.functions[other].name == f.name;
        for (const nest_buffer& b : n_.buffers) is_taken = is_taken || b.name == f.name;
        for (const std::string& v : n_.variables) is_taken = is_taken || v == f.name;
        if (is_taken) return wrong("needs a name of its own");
        if (!f.functions.empty()) return wrong("has functions itself; let the nest call them");
        for (const nest_buffer& b : f.buffers)
            if (b.scope == buffer_scope::scratch || b.scope == buffer_scope::shared)
                return wrong("has memory of its own, " + quoted_text(b.name) + "; put it on the stack");
        if (!f.is_external()) {
            auto sound = nest_checker(f)();
            return sound ? std::move(sound) : wrong("is not sound: " + sound.failure().message);
        }
        for (const nest_buffer& b : f.buffers)
            if (b.strides.size() != b.extents.size() || size_of(b.element) == 0 || !is_small(b)) return wrong("takes no such buffers");
        return {};
    }

    [[nodiscard]] outcome<void> call(const nest_statement& s) const {
        if (s.callee >= n_.functions.size()) return fault("a function is called that there is not");
        const loop_nest& f = n_.functions[s.callee];
        const auto wrong = [&](const std::string& what) { return fault("a call of " + quoted_text(f.name) + " " + what); };
        const std::vector<buffer_id> parameters = parameters_of(f);
        const std::size_t numbers = f.is_external() ? f.variables.size() : 0;
        if (s.places.size() != parameters.size() || s.indices.size() != numbers)
            return wrong("has " + std::to_string(s.places.size()) + " buffers and " + std::to_string(s.indices.size()) +
                         " numbers where it takes " + std::to_string(parameters.size()) + " and " + std::to_string(numbers));
        for (const affine& number : s.indices)
            if (auto known = follows_loops(number); !known) return known;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const nest_buffer& p = f.buffers[parameters[i]];
            const buffer_id b = s.places[i].buffer;
            if (b >= n_.buffers.size() || is_there_[b] == 0) return wrong("uses a buffer where there is none of it");
            const nest_buffer& from = n_.buffers[b];
            const nest_place& given = s.places[i];
            if (from.element != p.element || (given.along.empty() && from.extents.size() < p.extents.size()))
                return wrong("gives " + shown(b) + " for " + quoted_text(p.name) + ", which has other elements or more axes");
            if (given.at.size() != from.extents.size()) return place(b, given.at);
            if (auto runs = window(given, p); !runs) return runs;
            const std::vector<window_axis> axes = axes_of(given, p.extents.size());
            std::vector<std::int64_t> reach = reach_of(given, p.extents);
            for (std::size_t d = 0; d < p.extents.size(); ++d) {
                if (p.extents[d] == 0) reach[axes[d].axis] = -1;
                if (p.extents[d] > 1 && p.strides[d] == 1 && from.strides[axes[d].axis] * axes[d].step != 1)
                    return wrong("gives " + shown(b) + " for " + quoted_text(p.name) + ", whose elements along axis " + std::to_string(d) +
                                 " stand next to each other; copy the window first");
            }
            if (auto there = place(b, given.at, reach); !there) return there;
            if (p.scope == buffer_scope::input) continue;
            if (from.scope == buffer_scope::input) return fault("it writes its input " + shown(b));
            for (std::size_t other = 0; other < parameters.size(); ++other)
                if (other != i && s.places[other].buffer == b) return wrong("gives " + shown(b) + " twice, though it writes it");
        }
        return {};
    }

    /// Whether the axes that a window names are some of its buffer's: of one that is written, different ones.
    [[nodiscard]] outcome<void> window(const nest_place& given, const nest_buffer& p) const {
        const auto wrong = [&](const std::string& what) {
            return fault("the window of " + shown(given.buffer) + " that is given for " + quoted_text(p.name) + " " + what);
        };
        if (!given.along.empty() && given.along.size() != p.extents.size())
            return wrong("names " + std::to_string(given.along.size()) + " axes where " + std::to_string(p.extents.size()) + " are taken");
        for (std::size_t d = 0; d < given.along.size(); ++d) {
            const window_axis& w = given.along[d];
            if (w.axis >= given.at.size()) return wrong("names axis " + std::to_string(w.axis) + ", which the buffer has not");
            if (w.step < 1 || (w.step > 1 && w.step >= n_.buffers[given.buffer].extents[w.axis]))
                return wrong("has steps of " + std::to_string(w.step) + " elements along axis " + std::to_string(w.axis) +
                             "; give one from 1 to less than its extent");
            for (std::size_t other = 0; other < d && p.scope == buffer_scope::output; ++other)
                if (given.along[other].axis == w.axis && p.extents[d] > 1 && p.extents[other] > 1)
                    return wrong("names axis " + std::to_string(w.axis) + " twice, though it is written");
        }
        return {};
    }

    [[nodiscard]] outcome<void> follows_loops(const affine& a) const {
        for (const affine::term& t : a.terms())
            if (t.variable >= n_.variables.size() || is_bound_[t.variable] == 0)
                return fault("an index follows " +
                             (t.variable < n_.variables.size() ? shown_variable(t.variable) : std::string("a variable")) +
                             " outside its loop");
        return {};
    }

    /// Whether a place lies in its buffer for all values of the loops around it and within the bounds around it; and so what reaches so
    /// far behind it along each axis, -1 being nowhere.
    [[nodiscard]] outcome<void> place(buffer_id b, const std::vector<affine>& indices, std::span<const std::int64_t> reach = {}) const {
        if (b >= n_.buffers.size() || is_there_[b] == 0) return fault("a buffer is used where there is none of it");
        const nest_buffer& buffer = n_.buffers[b];
        if (indices.size() != buffer.extents.size())
            return fault("an element of " + shown(b) + " has " + std::to_string(indices.size()) + " indices where the buffer has " +
                         std::to_string(buffer.extents.size()) + " extents");
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (auto known = follows_loops(indices[i]); !known) return known;
            const std::int64_t behind = reach.empty() ? 0 : reach[i];
            if (behind < 0) continue;
            // The last element lies in the extent where the first one stays that much below it.
            if (unreached_ == 0 && !lies_in(indices[i], buffer.extents[i] - behind))
                return fault("index " + std::to_string(i) + " of " + shown(b) + " may leave its extent " +
                             std::to_string(buffer.extents[i]) + "; stand it within bounds");
        }
        return {};
    }

    /// Whether an index stays in its extent: for all values of the loops, or for those for which the bounds around it hold. The value of a
    /// bound is written for its variables, and what is left is held to the loops. Each such sum is a range of the index, and so is their
    /// intersection.
    [[nodiscard]] bool lies_in(const affine& index, std::int64_t extent) const {
        const auto whole = range_of(index);
        if (!whole) return false;
        std::pair<std::int64_t, std::int64_t> seen = *whole, left = *whole, known{0, 0};
        affine rest = index;
        const auto lies = [&] { return seen.first >= 0 && seen.second < extent; };
        for (std::size_t i = bounds_.size(); i-- > 0 && !lies();) {
            const affine_bound& b = bounds_[i];
            // A bound speaks of the value that 64 bits hold, as the index does.
            const auto own = range_of(b.value);
            if (b.value.is_constant() || !own || b.high == INT64_MIN) continue;
            const std::int64_t least = std::max(b.low, own->first), most = std::min(b.high - 1, own->second);
            if (least > most) continue;
            const affine::term& t = b.value.terms().front();
            const std::int64_t has = rest.factor_of(t.variable);
            if (has == 0 || has == INT64_MIN || has % t.factor != 0) continue;
            const std::int64_t times = has / t.factor;
            std::int64_t low = 0, high = 0, first = 0, last = 0;
            if (__builtin_mul_overflow(times, times < 0 ? most : least, &low) ||
                __builtin_mul_overflow(times, times < 0 ? least : most, &high) || __builtin_add_overflow(known.first, low, &low) ||
                __builtin_add_overflow(known.second, high, &high))
                continue;
            const affine without = rest - b.value * times;
            const auto range = range_of(without);
            if (!range || __builtin_add_overflow(range->first, low, &first) || __builtin_add_overflow(range->second, high, &last)) continue;
            seen = {std::max(seen.first, first), std::min(seen.second, last)};
            if (reach(*range, {low, high}) >= reach(left, known)) continue;
            rest = without;
            left = *range;
            known = {low, high};
        }
        return lies();
    }
    /// How far apart the ends of a sum of two ranges are.
    [[nodiscard]] static double reach(const std::pair<std::int64_t, std::int64_t>& a, const std::pair<std::int64_t, std::int64_t>& b) {
        return static_cast<double>(a.second) - static_cast<double>(a.first) + static_cast<double>(b.second) - static_cast<double>(b.first);
    }

    /// The least and the largest value of an index for the values that the bounds around leave to the loops; nothing if 64 bits do not
    /// hold them, or a loop has no rounds.
    [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> range_of(const affine& a) const {
        std::int64_t low = a.constant(), high = a.constant();
        for (const affine::term& t : a.terms()) {
            const value_range& v = values_[t.variable];
            std::int64_t at_first = 0, at_last = 0;
            if (v.first > v.last || __builtin_mul_overflow(t.factor, t.factor < 0 ? v.last : v.first, &at_first) ||
                __builtin_mul_overflow(t.factor, t.factor < 0 ? v.first : v.last, &at_last) ||
                __builtin_add_overflow(low, at_first, &low) || __builtin_add_overflow(high, at_last, &high))
                return std::nullopt;
        }
        return std::pair(low, high);
    }

    /// Leaves to each variable of a bound only the values for which it can hold, whatever the others are. Returns whether any are left.
    [[nodiscard]] bool narrow(const affine_bound& b) {
        const auto own = range_of(b.value);
        if (!own) return true;
        if (b.high == INT64_MIN || own->second < b.low || own->first > b.high - 1) return false;
        const std::int64_t least = std::max(b.low, own->first), most = std::min(b.high - 1, own->second);
        for (const affine::term& t : b.value.terms()) {
            const auto others = range_of(b.value - affine::of(t.variable, t.factor));
            std::int64_t low = 0, high = 0;
            if (t.factor == INT64_MIN || !others || __builtin_sub_overflow(least, others->second, &low) ||
                __builtin_sub_overflow(most, others->first, &high) || low == INT64_MIN || high == INT64_MIN)
                continue;
            // low <= factor * v <= high
            value_range& v = values_[t.variable];
            if (t.factor < 0) std::tie(low, high) = std::pair(-high, -low);
            const std::int64_t step = t.factor < 0 ? -t.factor : t.factor;
            v.first = std::max(v.first, low / step + (low % step > 0 ? 1 : 0));
            v.last = std::min(v.last, high / step - (high % step < 0 ? 1 : 0));
            if (v.first > v.last) return false;
        }
        return true;
    }

    template <class F>
    [[nodiscard]] outcome<void> under(const std::vector<affine_bound>& bounds, F&& f) {
        const std::size_t before = bounds_.size();
        const std::vector<value_range> around = values_;
        bounds_.insert(bounds_.end(), bounds.begin(), bounds.end());
        // Bounds that never hold together are passed by no round, as the body of a loop without rounds.
        bool is_reached = true;
        if (in_force<"loops.check.never">() && unreached_ == 0)
            for (std::size_t round = 0; round < 2 && is_reached; ++round)
                for (std::size_t i = 0; i < bounds_.size() && is_reached; ++i) is_reached = narrow(bounds_[i]);
        unreached_ += !is_reached;
        auto sound = f();
        unreached_ -= !is_reached;
        bounds_.resize(before);
        values_ = around;
        return sound;
    }

    static bool takes(scalar_function f, element_type e) {
        switch (facts_of(f).operands) {
            case scalar_function_facts::takes::numbers:
                return is_floating(e) || is_integer(e);
            case scalar_function_facts::takes::floating:
                return is_floating(e);
            case scalar_function_facts::takes::whole:
                return is_integer(e);
            case scalar_function_facts::takes::unsigned_whole:
                return is_unsigned_integer(e);
            case scalar_function_facts::takes::truth_values:
                return e == element_type::boolean;
            case scalar_function_facts::takes::anything:
                return is_floating(e) || is_integer(e) || e == element_type::boolean;
        }
        return false;
    }

    [[nodiscard]] outcome<void> expression(expression_id id) {
        if (id >= n_.expressions.size()) return fault("a statement has no value");
        const nest_expression& e = n_.expressions[id];
        for (const expression_id operand : e.operands)
            if (operand >= id) return fault("an expression stands before one of its operands");
        const auto element = [&](std::size_t i) { return n_.expressions[e.operands[i]].element; };
        const auto has = [&](std::size_t count) { return e.operands.size() == count; };
        const auto wrong = [&] {
            return fault("an operand of " + quoted_text(e.kind == nest_expression::form::apply ? name_of(e.function) : "a choice") +
                         " has the wrong element type, or is missing");
        };
        switch (e.kind) {
            case nest_expression::form::number:
                return takes(scalar_function::equal, e.element) ? outcome<void>() : fault("a constant has no element type");
            case nest_expression::form::index:
                if (e.indices.size() != 1 || e.element != element_type::int64) return fault("an index is one whole number");
                return follows_loops(e.indices.front());
            case nest_expression::form::load:
                if (auto there = place(e.buffer, e.indices); !there) return there;
                return e.element == n_.buffers[e.buffer].element ? outcome<void>() : wrong();
            case nest_expression::form::apply: {
                const scalar_function_facts& f = facts_of(e.function);
                if (!has(f.arity)) return wrong();
                for (std::size_t i = 0; i < f.arity; ++i)
                    if (element(i) != element(0) || !takes(e.function, element(i))) return wrong();
                if (e.element != (f.is_comparison ? element_type::boolean : element(0))) return wrong();
                break;
            }
            case nest_expression::form::choose:
                if (!has(3) || element(0) != element_type::boolean || element(1) != e.element || element(2) != e.element) return wrong();
                break;
            case nest_expression::form::within:
                if (!has(2) || element(0) != e.element || element(1) != e.element) return wrong();
                for (const affine_bound& b : e.bounds)
                    if (auto known = follows_loops(b.value); !known) return known;
                if (auto inside = under(e.bounds, [&] { return expression(e.operands[0]); }); !inside) return inside;
                return expression(e.operands[1]);
            case nest_expression::form::cast:
                if (!has(1) || !takes(scalar_function::equal, e.element)) return wrong();
                break;
        }
        for (const expression_id operand : e.operands)
            if (auto sound = expression(operand); !sound) return sound;
        return {};
    }

    const loop_nest& n_;
    /// Values from the first one to the last one.
    struct value_range {
        std::int64_t first = 0, last = -1;
    };
    std::vector<value_range> values_;  // by variable, of those whose loops are open
    std::vector<char> is_bound_, had_loop_, is_there_, is_placed_;
    std::vector<affine_bound> bounds_;
    std::size_t unreached_ = 0;  // loops without rounds, and bounds that never hold, around what is looked at
};

}  // namespace detail

outcome<void> check_nest(const loop_nest& n) { return detail::nest_checker(n)(); }

}  // namespace inlay

#endif
