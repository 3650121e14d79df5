// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CONTROL_FLOW_CONTROL_C_HPP
#define INLAY_BACKEND_CONTROL_FLOW_CONTROL_C_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/control_flow/control_call.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/c/c_array.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/c/c_unit.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/loops/axis_lines.hpp>

namespace inlay::detail {

/// Writes one branch or loop as a function in C that calls its bodies, which are functions too: states stand twice in the workspace, and
/// change places after each trip; slices that stand in one piece are read and written where they are.
class control_c {
public:
    /// The function of a region that is one call of `if_op`, `loop_op` or `scan_op`, with that name. `bodies`: by number. The error says
    /// what of it has no C.
    [[nodiscard]] static outcome<c_part> make(const region_view& r, std::string_view name, std::span<const c_part> bodies) {
        control_c made(r, name, bodies);
        for (const std::size_t b : made.call_.bodies)
            if (b >= bodies.size()) return error{"its bodies are not there as C; emit the program with `emit_c_blocks`"};
        if (auto declared = made.declare(r); !declared) return declared.failure();
        if (made.call_.op == form::branch)
            made.branch();
        else if (made.call_.op == form::scan)
            made.scan();
        else if (auto looped = made.loop(); !looped)
            return looped.failure();
        return std::move(made).finish();
    }

private:
    using form = control_call::form;
    /// The names of a state's places, which change after each trip.
    struct state {
        std::string now, next;
        std::string elements;
    };

    control_c(const region_view& r, std::string_view name, std::span<const c_part> bodies) : call_(control_call::of(r)), bodies_(bodies) {
        made_.name = std::string(name);
        for (const std::size_t b : call_.bodies)
            if (b < bodies.size()) in_bodies_ = std::max(in_bodies_, bodies[b].workspace_bytes);
    }

    [[nodiscard]] static std::string number(std::int64_t n) { return std::to_string(n); }
    [[nodiscard]] static std::string type_of(const tensor_type& t) { return std::string(stored_c_type(t.element)); }
    [[nodiscard]] static std::int64_t count_of(const tensor_type& t) { return *element_count(static_shape(t)); }

    void line(std::size_t depth, const std::string& text) { text_ += std::string(4 * depth, ' ') + text + "\n"; }

    /// The parameters: what the region takes, own constants, and what it gives.
    [[nodiscard]] outcome<void> declare(const region_view& r) {
        std::vector<std::string> names(r.values.size());
        for (value_id v = 0; v < r.input_count + r.constant_count; ++v) {
            if (r[v].kind == region_value::role::absent) continue;
            const tensor_type& t = r[v].type->of_tensor;
            if (type_of(t).empty()) return error{"C has no elements of type " + std::string(name_of(t.element))};
            const bool is_input = v < r.input_count;
            names[v] = is_input ? "in" + std::to_string(v) : "own" + std::to_string(made_.constants.size());
            parameters_.push_back("const " + type_of(t) + "* restrict " + names[v]);
            if (!is_input) made_.constants.push_back(*r[v].value);
        }
        for (const value_id o : only_call(r)->operands) operands_.push_back(names[o]);
        results_.resize(call_.types.size());
        for (std::size_t i = 0; i < r.results.size(); ++i) {
            const tensor_type& t = r.type(r.results[i]);
            if (type_of(t).empty()) return error{"C has no elements of type " + std::string(name_of(t.element))};
            given_.push_back(type_of(t) + "* restrict out" + std::to_string(i));
        }
        for (std::size_t f = 0; f < results_.size(); ++f)
            if (call_.result_of[f] >= 0) results_[f] = "out" + std::to_string(call_.result_of[f]);
        return {};
    }

    /// A place in the workspace for elements of a type, and its name.
    [[nodiscard]] std::string place(const tensor_type& t, std::int64_t elements, const std::string& name) {
        line(1, type_of(t) + "* " + name + " = (" + type_of(t) + "*)(void*)(workspace + " + std::to_string(workspace_) + ");");
        // Empty elements have a place of their own too: a function without a workspace has no such parameter, and places do not alias.
        const std::size_t bytes = static_cast<std::size_t>(elements) * size_of(t.element);
        workspace_ += (std::max<std::size_t>(bytes, in_force<"codegen.c.empty-places">() ? 1 : 0) + 63) / 64 * 64;
        return name;
    }
    [[nodiscard]] std::string place_of(const tensor_type& t, const std::string& name) { return place(t, count_of(t), name); }

    void copy(const std::string& to, const std::string& from, std::int64_t elements) {
        line(1, "for (int64_t i = 0; i < " + number(elements) + "; ++i) " + to + "[i] = " + from + "[i];");
    }

    /// A call of a body: its inputs, its constants, its results, and what it works in. It comes after all places, behind which that is.
    [[nodiscard]] std::string call(std::size_t side, const std::string& name, const std::vector<std::string>& inputs,
                                   const std::vector<std::string>& results) {
        const c_part& body = bodies_[call_.bodies[side]];
        std::string given;
        const auto give = [&](const std::string& one) { given += (given.empty() ? "" : ", ") + one; };
        for (const std::string& one : inputs) give(one);
        for (const tensor& t : body.constants) {
            const std::string own = "own" + std::to_string(made_.constants.size());
            parameters_.push_back("const " + std::string(stored_c_type(t.element())) + "* restrict " + own);
            made_.constants.push_back(t);
            give(own);
        }
        for (const std::string& one : results) give(one);
        if (body.workspace_bytes != 0) give("workspace + " + std::to_string(workspace_));
        made_.callees.push_back(renamed(body, name));
        return name + "(" + given + ");";
    }

    void branch() {
        // What nobody reads is written somewhere all the same.
        std::vector<std::string> results = results_;
        for (std::size_t f = 0; f < results.size(); ++f)
            if (results[f].empty()) results[f] = place_of(call_.types[f], "unread" + std::to_string(f));
        const std::vector<std::string> inputs(operands_.begin() + 1, operands_.end());
        line(1, "if (*" + operands_[0] + ") {");
        line(2, call(0, "_then", inputs, results));
        line(1, "} else {");
        line(2, call(1, "_else", inputs, results));
        line(1, "}");
    }

    /// The states, as they are at first.
    [[nodiscard]] std::vector<state> states(std::size_t first) {
        std::vector<state> all;
        for (std::size_t i = 0; i < call_.carried; ++i) {
            const tensor_type& t = call_.operands[first + i].type;
            const std::string now = "state" + std::to_string(i), next = "next" + std::to_string(i);
            all.push_back({place_of(t, now), place_of(t, next), type_of(t)});
            copy(now, operands_[first + i], count_of(t));
        }
        return all;
    }
    void change_places(const std::vector<state>& states) {
        for (std::size_t i = 0; i < states.size(); ++i) {
            const std::string was = "was" + std::to_string(i);
            line(2, states[i].elements + "* const " + was + " = " + states[i].now + ";");
            line(2, states[i].now + " = " + states[i].next + ";");
            line(2, states[i].next + " = " + was + ";");
        }
    }
    void give_states(const std::vector<state>& states) {
        for (std::size_t i = 0; i < std::min(states.size(), results_.size()); ++i)
            if (!results_[i].empty()) copy(results_[i], states[i].now, count_of(call_.types[i]));
    }

    /// Where slices of a stack stand in one piece, else a place for one.
    struct sliced {
        std::string now;  // the pointer to give
        axis_lines lines;
        std::string whole, at;
        bool is_apart = false;
    };
    [[nodiscard]] sliced slice_of(const tensor_type& whole, const std::string& from, const control_call::slicing& how,
                                  const std::string& name) {
        sliced s;
        s.lines = axis_lines::of(static_shape(whole), how.axis);
        s.whole = from;
        s.at = how.backwards ? "(" + number(s.lines.length - 1) + " - trip)" : "trip";
        s.is_apart = from.empty() || s.lines.outer != 1;
        s.now = s.is_apart ? place(whole, s.lines.outer * s.lines.step, name) : from + " + " + s.at + " * " + number(s.lines.step);
        return s;
    }
    /// Copies a slice that stands apart out of the whole or into it.
    void move(const sliced& s, bool is_in) {
        if (!s.is_apart || s.whole.empty()) return;
        const std::string in_whole = s.whole + "[(o * " + number(s.lines.length) + " + " + s.at + ") * " + number(s.lines.step) + " + i]";
        const std::string in_slice = s.now + "[o * " + number(s.lines.step) + " + i]";
        line(2, "for (int64_t o = 0; o < " + number(s.lines.outer) + "; ++o)");
        line(3, "for (int64_t i = 0; i < " + number(s.lines.step) + "; ++i) " +
                    (is_in ? in_slice + " = " + in_whole : in_whole + " = " + in_slice) + ";");
    }
    /// Slices that trips give, in the places where they are stacked.
    [[nodiscard]] std::vector<sliced> stacks() {
        std::vector<sliced> all;
        for (std::size_t i = 0; i < call_.slices_out.size(); ++i) {
            const std::size_t f = call_.carried + i;
            all.push_back(slice_of(call_.types[f], results_[f], call_.slices_out[i], "made" + std::to_string(i)));
        }
        return all;
    }

    outcome<void> loop() {
        const auto& most = call_.operands[0];
        const auto& first = call_.operands[1];
        const std::int64_t rows = call_.stacked_rows();
        const bool begins = !first.is_there || (first.input < 0 && first.constant.as<bool>()[0]);
        if (rows > 0 && !begins) return error{"it stacks slices, and a condition may keep it from its first trip"};
        const std::vector<state> carried = states(2);
        const std::vector<sliced> out = stacks();
        if (most.is_there) line(1, "const int64_t most = *" + operands_[0] + ";");
        line(1, "bool goes_on = " + (first.is_there ? "*" + operands_[1] : std::string("true")) + ";");
        line(1, "const bool on = true;");
        line(1, std::string("for (int64_t trip = 0; goes_on") + (most.is_there ? " && trip < most" : "") + "; ++trip) {");
        trip(carried, {}, out, {"&trip", "&on"}, {"&goes_on"}, 2 + call_.carried);
        return {};
    }

    void scan() {
        const std::vector<state> carried = states(0);
        std::vector<sliced> in;
        for (std::size_t i = 0; i < call_.slices_in.size(); ++i) {
            const std::size_t o = call_.carried + i;
            in.push_back(slice_of(call_.operands[o].type, operands_[o], call_.slices_in[i], "slice" + std::to_string(i)));
        }
        const std::vector<sliced> out = stacks();
        line(1, "for (int64_t trip = 0; trip < " + number(call_.scanned_rows()) + "; ++trip) {");
        trip(carried, in, out, {}, {}, call_.carried + in.size());
    }
    /// A trip and the states that are left: behind what inputs and results begin with stand states, slices, and operands from `captured`
    /// on.
    void trip(const std::vector<state>& carried, const std::vector<sliced>& in, const std::vector<sliced>& out,
              std::vector<std::string> inputs, std::vector<std::string> results, std::size_t captured) {
        for (const sliced& s : in) move(s, true);
        for (const state& s : carried) {
            inputs.push_back(s.now);
            results.push_back(s.next);
        }
        for (const sliced& s : in) inputs.push_back(s.now);
        for (const sliced& s : out) results.push_back(s.now);
        for (std::size_t i = captured; i < operands_.size(); ++i) inputs.push_back(operands_[i]);
        line(2, call(0, "_body", inputs, results));
        for (const sliced& s : out) move(s, false);
        change_places(carried);
        line(1, "}");
        give_states(carried);
    }

    c_part finish() && {
        made_.workspace_bytes = workspace_ + in_bodies_;
        parameters_.insert(parameters_.end(), given_.begin(), given_.end());
        if (made_.workspace_bytes != 0) parameters_.emplace_back("unsigned char* workspace");
        made_.text = c_function_text(made_.name, parameters_, text_);
        return std::move(made_);
    }

    control_call call_;
    std::span<const c_part> bodies_;
    c_part made_;
    std::vector<std::string> parameters_, given_;  // what the function reads, and what it gives
    std::string text_;                             // its body so far
    std::vector<std::string> operands_, results_;  // names; empty for what is left out, and what nobody reads
    std::size_t workspace_ = 0, in_bodies_ = 0;
};

}  // namespace inlay::detail

#endif
