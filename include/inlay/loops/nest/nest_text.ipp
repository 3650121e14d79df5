// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_NEST_TEXT_IPP
#define INLAY_LOOPS_NEST_NEST_TEXT_IPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/loops/nest/nest_text.hpp>

#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/pattern/text/pattern_words.hpp>

namespace inlay {

namespace detail {

std::string nest_writer::text(const affine& a) const {
    std::string made;
    for (const affine::term& t : a.terms()) {
        const bool is_negative = t.factor < 0;
        const std::uint64_t size = is_negative ? 0 - static_cast<std::uint64_t>(t.factor) : static_cast<std::uint64_t>(t.factor);
        made += made.empty() ? (is_negative ? "-" : "") : is_negative ? " - " : " + ";
        if (size != 1) made += std::to_string(size) + "*";
        made += n_.variables[t.variable];
    }
    if (made.empty()) return std::to_string(a.constant());
    const std::int64_t c = a.constant();
    if (c < 0) made += " - " + std::to_string(0 - static_cast<std::uint64_t>(c));
    if (c > 0) made += " + " + std::to_string(c);
    return made;
}

std::string nest_writer::text(const std::vector<affine>& indices) const {
    std::string made;
    for (const affine& a : indices) made += (made.empty() ? "" : ", ") + text(a);
    return "[" + made + "]";
}

class nest_printer : nest_writer {
public:
    using nest_writer::nest_writer;

    [[nodiscard]] std::string operator()() {
        whole("nest", 0);
        return out_;
    }

private:
    /// A nest, or a function of one.
    void whole(const std::string& what, std::size_t depth) {
        std::string numbers;
        if (n_.is_external())
            for (const std::string& v : n_.variables) numbers += (numbers.empty() ? "" : ", ") + v;
        line(depth, what + " " + n_.name + (numbers.empty() ? "" : "(" + numbers + ")") + " {");
        for (const nest_buffer& b : n_.buffers)
            if (b.scope == buffer_scope::input || b.scope == buffer_scope::output)
                line(depth + 1, std::string(name_of(b.scope)) + " " + declaration(b));
        for (const loop_nest& f : n_.functions) {
            nest_printer inside(f);
            inside.whole(f.is_external() ? "external" : "intrinsic", depth + 1);
            out_ += inside.out_;
        }
        if (!n_.is_external()) statement(n_.root, depth + 1);
        line(depth, "}");
    }

    static std::string list(const std::vector<std::int64_t>& numbers) {
        std::string made;
        for (const std::int64_t i : numbers) made += (made.empty() ? "" : ", ") + std::to_string(i);
        return "[" + made + "]";
    }
    static std::string declaration(const nest_buffer& b) {
        std::string made = b.name + ": " + std::string(name_of(b.element)) + list(b.extents);
        if (b.strides != row_major_strides(b.extents)) made += " strides " + list(b.strides);
        return made;
    }

    void line(std::size_t depth, const std::string& what) { out_ += std::string(depth * 4, ' ') + what + "\n"; }

    void statement(statement_id id, std::size_t depth) {
        const nest_statement& s = n_.statements[id];
        switch (s.kind) {
            case nest_statement::form::block:
                for (const statement_id part : s.parts) statement(part, depth);
                return;
            case nest_statement::form::loop: {
                const std::string how = s.runs == loop_kind::serial ? "" : " " + std::string(name_of(s.runs));
                return braced("for " + n_.variables[s.variable] + " < " + std::to_string(s.extent) + how, s, depth);
            }
            case nest_statement::form::guard:
                return braced("if " + bounds(s.bounds), s, depth);
            case nest_statement::form::allocate:
                return braced(std::string(name_of(n_.buffers[s.buffer].scope)) + " " + declaration(n_.buffers[s.buffer]), s, depth);
            case nest_statement::form::call: {
                std::string given;
                for (const nest_place& p : s.places)
                    given += (given.empty() ? "" : ", ") + n_.buffers[p.buffer].name + text(p.at) + along(p.along);
                for (const affine& number : s.indices) given += (given.empty() ? "" : ", ") + text(number);
                return line(depth, "call " + n_.functions[s.callee].name + "(" + given + ")");
            }
            case nest_statement::form::store:
                return line(depth, place(s) + " = " + expression(s.value, 0));
            case nest_statement::form::update:
                return line(depth, place(s) + " " +
                                       std::string(facts_of(s.function).sign.empty() ? name_of(s.function) : facts_of(s.function).sign) +
                                       "= " + expression(s.value, 0));
        }
    }
    void braced(const std::string& head, const nest_statement& s, std::size_t depth) {
        line(depth, head + " {");
        statement(s.parts.front(), depth + 1);
        line(depth, "}");
    }

    [[nodiscard]] std::string place(const nest_statement& s) const { return n_.buffers[s.buffer].name + text(s.indices); }
    [[nodiscard]] std::string bounds(const std::vector<affine_bound>& all) const {
        std::string made;
        for (const affine_bound& b : all)
            made += (made.empty() ? "" : " and ") + std::to_string(b.low) + " <= " + text(b.value) + " < " + std::to_string(b.high);
        return made;
    }

    /// ` along [2, 0 by 3]`
    [[nodiscard]] static std::string along(const std::vector<window_axis>& axes) {
        std::string made;
        for (const window_axis& w : axes)
            made += (made.empty() ? "" : ", ") + std::to_string(w.axis) + (w.step == 1 ? "" : " by " + std::to_string(w.step));
        return axes.empty() ? "" : " along [" + made + "]";
    }

    /// A floating number reads back as float32 and a whole one as int64, unless its type stands behind it.
    [[nodiscard]] static std::string constant(const nest_expression& e) {
        if (e.element == element_type::boolean) return e.integer != 0 ? "true" : "false";
        if (is_floating(e.element))
            return number_text(e.number, true) + (e.element == element_type::float32 ? "" : ":" + std::string(name_of(e.element)));
        return std::to_string(e.integer) + (e.element == element_type::int64 ? "" : ":" + std::string(name_of(e.element)));
    }

    /// `level`: 0 anything, 1 a summand, 2 a factor.
    [[nodiscard]] std::string expression(expression_id id, int level) const {
        const nest_expression& e = n_.expressions[id];
        const auto operand = [&](std::size_t i) { return expression(e.operands[i], 0); };
        switch (e.kind) {
            case nest_expression::form::number:
                return constant(e);
            case nest_expression::form::index:
                return "index(" + text(e.indices.front()) + ")";
            case nest_expression::form::load:
                return n_.buffers[e.buffer].name + text(e.indices);
            case nest_expression::form::choose:
                return "choose(" + operand(0) + ", " + operand(1) + ", " + operand(2) + ")";
            case nest_expression::form::within:
                return "within(" + bounds(e.bounds) + ", " + operand(0) + ", " + operand(1) + ")";
            case nest_expression::form::cast:
                return std::string(name_of(e.element)) + "(" + operand(0) + ")";
            case nest_expression::form::apply:
                break;
        }
        const scalar_function_facts& f = facts_of(e.function);
        if (f.sign.empty()) return std::string(f.name) + "(" + operand(0) + (f.arity == 2 ? ", " + operand(1) : "") + ")";
        const int own = e.function == scalar_function::add || e.function == scalar_function::subtract ? 0 : 1;
        const std::string made = expression(e.operands[0], own) + " " + std::string(f.sign) + " " + expression(e.operands[1], own + 1);
        return level > own ? "(" + made + ")" : made;
    }

    std::string out_;
};

}  // namespace detail

std::string to_text(const loop_nest& n) { return detail::nest_printer(n)(); }

}  // namespace inlay

#endif
