// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_REGION_PROGRAM_HPP
#define INLAY_CODEGEN_EMIT_REGION_PROGRAM_HPP

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/ir/ir_builder.hpp>

namespace inlay {

/// A region as a program of its own: its inputs are the parameters, in order, its results what the program gives. Names are made up.
[[nodiscard]] inline ir_module program_of(const region_view& r) {
    using role = region_value::role;
    ir_builder b;
    b.open_block();
    std::vector<node_id> made(r.values.size(), no_node), parameters, operands, results;
    for (std::size_t v = 0; v < r.values.size(); ++v) {
        const region_value& value = r.values[v];
        operands.clear();
        for (const value_id o : value.operands) operands.push_back(made[o]);
        switch (value.kind) {
            case role::input:
                made[v] = b.input("in" + std::to_string(v), *value.type);
                parameters.push_back(made[v]);
                break;
            case role::constant:
                made[v] = b.constant(*value.value);
                break;
            case role::absent:
                made[v] = b.unit();
                break;
            case role::call:
                made[v] = b.call(value.op, operands, *value.attributes, *value.type);
                break;
            case role::projection:
                made[v] = b.projection(operands.front(), value.field);
                break;
        }
    }
    for (const value_id v : r.results) results.push_back(made[v]);
    const node_id result = results.size() == 1 ? results.front() : b.tuple(results);
    b.declare(b.function(parameters, result, "main"));
    return b.finish();
}

/// A program as a region: the other way round. Owns the program.
class region_program {
public:
    /// The region that a program is, with the borders of another. What the results do not need is left out; an input that nobody reads
    /// stays one. Error: its inputs or results are not of the types that the other has, a result is none that is computed, or something in
    /// it is not a call of static type. Linear in the program.
    [[nodiscard]] static outcome<region_program> make(ir_module m, const region_view& like) {
        region_program p(std::move(m));
        if (auto fits = p.check_borders(like); !fits) return fits.failure();
        if (auto done = p.fill(); !done) return done.failure();
        return p;
    }
    /// The same with borders of its own.
    [[nodiscard]] static outcome<region_program> make(ir_module m) {
        region_program p(std::move(m));
        if (auto done = p.fill(); !done) return done.failure();
        return p;
    }

    [[nodiscard]] region_view view(std::span<const format> inputs = {}, std::span<const format> results = {}) const {
        return {values_, input_count_, constant_count_, results_, inputs, results};
    }
    [[nodiscard]] const ir_module& program() const { return m_; }

    region_program(region_program&&) noexcept = default;
    region_program& operator=(region_program&&) noexcept = default;
    region_program(const region_program&) = delete;
    region_program& operator=(const region_program&) = delete;

private:
    using role = region_value::role;

    explicit region_program(ir_module m) : m_(std::move(m)) {}

    [[nodiscard]] outcome<void> check_borders(const region_view& like) const {
        if (m_.functions().empty()) return error{"gives a program without a function; it gives the one it was given, changed"};
        const auto inputs = m_.inputs();
        const auto results = m_.results();
        const auto counts = [](const char* what, std::size_t now, std::size_t before) {
            return error{"gives a program of " + std::to_string(now) + " " + what + ", where the region has " + std::to_string(before)};
        };
        if (inputs.size() != like.input_count) return counts("inputs", inputs.size(), like.input_count);
        if (results.size() != like.results.size()) return counts("results", results.size(), like.results.size());
        const auto differs = [&](const char* what, std::size_t i, node_id n, const node_type& before) {
            return error{std::string("gives ") + what + " " + std::to_string(i) + " the type " + to_string(m_.type(n)) +
                         ", where the region has " + to_string(before)};
        };
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (m_.type(inputs[i]) != *like.values[i].type) return differs("input", i, inputs[i], *like.values[i].type);
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (m_.type(results[i]) != *like[like.results[i]].type) return differs("result", i, results[i], *like[like.results[i]].type);
            const node_kind k = m_.kind(results[i]);
            if (k != node_kind::call && k != node_kind::projection)
                return error{"makes result " + std::to_string(i) +
                             " an input or a constant, for which there is no code; keep the call that gives it"};
            for (std::size_t j = 0; j < i; ++j)
                if (results[i] == results[j])
                    return error{"makes results " + std::to_string(j) + " and " + std::to_string(i) + " one value; keep a call for each"};
        }
        return {};
    }

    [[nodiscard]] outcome<void> fill() {
        std::vector<char> needed(m_.size(), 0);
        for (const node_id n : m_.results()) needed[n] = 1;
        std::size_t operand_count = 0;
        for (std::size_t n = m_.size(); n-- > 0;) {
            if (needed[n] == 0) continue;
            for (const node_id o : m_.operands(static_cast<node_id>(n))) needed[o] = 1;
            operand_count += m_.arity(static_cast<node_id>(n));
        }
        std::vector<value_id> number(m_.size(), 0);
        const auto add = [&](node_id n, role kind) {
            number[n] = static_cast<value_id>(values_.size());
            region_value& v = values_.emplace_back();
            v.kind = kind;
            v.attributes = &m_.attributes(n);
            v.type = &m_.type(n);
            v.value = m_.constant(n);
        };
        for (const node_id n : m_.inputs()) add(n, role::input);
        input_count_ = values_.size();
        for (node_id n = 0; n < m_.size(); ++n) {
            if (needed[n] == 0) continue;
            const node_kind k = m_.kind(n);
            if (k == node_kind::constant) add(n, role::constant);
            if (k == node_kind::tuple && m_.arity(n) == 0) add(n, role::absent);
        }
        constant_count_ = values_.size() - input_count_;
        operands_.reserve(operand_count);
        for (node_id n = 0; n < m_.size(); ++n) {
            if (needed[n] == 0) continue;
            const node_kind k = m_.kind(n);
            if (k == node_kind::constant || k == node_kind::input || (k == node_kind::tuple && m_.arity(n) == 0)) continue;
            if (k != node_kind::call && k != node_kind::projection)
                return error{"leaves a node of kind " + quoted_text(m_.op(n)) + " in the region, which has calls alone"};
            if (!m_.type(n).is_static())
                return error{"gives " + quoted_text(m_.op(n)) + " the type " + to_string(m_.type(n)) +
                             "; give it its extents, since code is made for fixed shapes"};
            add(n, k == node_kind::call ? role::call : role::projection);
            region_value& v = values_.back();
            const std::size_t first = operands_.size();
            for (const node_id o : m_.operands(n)) operands_.push_back(number[o]);
            v.operands = {operands_.data() + first, operands_.size() - first};
            if (k == node_kind::call)
                v.op = m_.op(n);
            else
                v.field = static_cast<std::uint32_t>(m_.field(n));
        }
        for (const node_id n : m_.results()) results_.push_back(number[n]);
        return {};
    }

    ir_module m_;
    std::vector<region_value> values_;
    std::vector<value_id> operands_, results_;
    std::size_t input_count_ = 0, constant_count_ = 0;
};

}  // namespace inlay

#endif
