// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_RUNNING_FRAMES_HPP
#define INLAY_OPS_INTERPRET_RUNNING_FRAMES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/interpret/function_scopes.hpp>
#include <inlay/ops/interpret/interpret_options.hpp>
#include <inlay/ops/interpret/runtime_value.hpp>
#include <inlay/ops/loops/convert_elements.hpp>

namespace inlay::detail {

/// The functions of a module that are being run, the innermost last, each with the values of its nodes and of what it captured. A value is
/// freed after its last use. Frames go by number; `no_node` is the function of the module itself.
class running_frames {
public:
    running_frames(const ir_module& m, const function_scopes& scopes, const interpret_options& options)
        : m_(m), scopes_(scopes), options_(options), constants_(m.size()) {}

    [[nodiscard]] std::size_t innermost() const { return frames_.size() - 1; }
    [[nodiscard]] node_id function(std::size_t f) const { return frames_[f].function; }

    /// Begins a run of a function. Precondition: as many arguments as it has parameters. Error: one of the bounds is passed.
    [[nodiscard]] std::optional<error> enter(node_id function, const runtime_value::closure* closure,
                                             std::vector<runtime_value> arguments) {
        if (frames_.size() > options_.deepest_call)
            return error{"functions call each other more than " + std::to_string(options_.deepest_call) +
                         " deep; set a higher interpret_options::deepest_call if that is meant"};
        const std::size_t own = scopes_.count(function), captured = scopes_.captured(function).size();
        const std::size_t first = slots_.size();
        if (first + own + captured > options_.most_slots)
            return error{"the program holds more than " + std::to_string(options_.most_slots) + " values at one time"};
        frames_.push_back({function, first});
        slots_.resize(first + own + captured);
        uses_left_.resize(first + own + captured, 0);
        if (function == no_node) return std::nullopt;
        if (closure != nullptr)
            for (std::size_t i = 0; i < captured; ++i) slots_[first + own + i] = closure->captured[i];
        for (std::size_t i = 0; i < arguments.size(); ++i) set(innermost(), m_.operand(function, i), std::move(arguments[i]));
        return std::nullopt;
    }

    /// Ends the innermost run.
    void leave() {
        slots_.resize(frames_.back().first);
        uses_left_.resize(frames_.back().first);
        frames_.pop_back();
    }

    /// The function that the innermost run is of, as what it knows itself by.
    void capture_itself(std::size_t place, runtime_value self) {
        slots_[frames_.back().first + scopes_.count(frames_.back().function) + place] = std::move(self);
    }

    /// The value of a node as frame f sees it; empty where there is none yet.
    [[nodiscard]] runtime_value value(std::size_t f, node_id n) {
        if (const tensor* constant = m_.constant(n)) {
            if (constants_[n].empty()) constants_[n] = runtime_value(in_scalar(*constant).value_or(tensor()));
            return constants_[n];
        }
        const runtime_value* at = slot(f, n);
        return at == nullptr ? runtime_value() : *at;
    }
    [[nodiscard]] bool has(std::size_t f, node_id n) {
        if (m_.kind(n) == node_kind::constant) return true;
        const runtime_value* at = slot(f, n);
        return at != nullptr && !at->empty();
    }
    void set(std::size_t f, node_id n, runtime_value v) {
        runtime_value* at = slot(f, n);
        if (at == nullptr) return;
        *at = std::move(v);
        if (scopes_.owner(n) == frames_[f].function) uses_left_[frames_[f].first + scopes_.place(n)] = std::max(scopes_.uses(n), 1u);
    }
    /// One use of the value is over; after the last one it is freed.
    void release(std::size_t f, node_id n) {
        if (m_.kind(n) == node_kind::constant || scopes_.owner(n) != frames_[f].function) return;
        const std::size_t at = frames_[f].first + scopes_.place(n);
        if (uses_left_[at] != 0 && --uses_left_[at] == 0) slots_[at] = runtime_value();
    }

    /// The tensor in the scalar of this interpretation; nothing where it cannot be widened.
    [[nodiscard]] std::optional<tensor> in_scalar(const tensor& t) const {
        if (!options_.in_float64 || !t.ok() || !is_floating(t.element())) return t;
        return convert_elements(t, element_type::float64);
    }

private:
    struct frame {
        node_id function = no_node;
        std::size_t first = 0;  // of its slots: those of the body's nodes, then those of what is captured
    };

    [[nodiscard]] runtime_value* slot(std::size_t f, node_id n) {
        const frame& at = frames_[f];
        if (scopes_.owner(n) == at.function) return &slots_[at.first + scopes_.place(n)];
        const auto list = scopes_.captured(at.function);
        const auto found = std::lower_bound(list.begin(), list.end(), n);
        if (found == list.end() || *found != n) return nullptr;
        return &slots_[at.first + scopes_.count(at.function) + static_cast<std::size_t>(found - list.begin())];
    }

    const ir_module& m_;
    const function_scopes& scopes_;
    interpret_options options_;
    std::vector<frame> frames_;
    std::vector<runtime_value> slots_;      // of all frames, one after the other
    std::vector<std::uint32_t> uses_left_;  // of the value in each slot
    std::vector<runtime_value> constants_;  // by node, as far as they were read
};

}  // namespace inlay::detail

#endif
