// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_CPP_TEXT_IPP
#define INLAY_LOOPS_TEXT_CPP_TEXT_IPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/text/cpp_text.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

namespace detail {

/// Writes vector loops with the compiler's vectors: so many rounds at once, statement after statement. Where a statement is not alike for
/// all of them, they go one by one.
class cpp_printer final : public c_printer {
public:
    cpp_printer(const loop_nest& n, std::size_t bytes, std::span<const printed_call> calls)
        : c_printer(n, calls,
                    {"#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n"
                     "// Vectors wider than the processor's pass between inlined functions alone.\n"
                     "#pragma GCC diagnostic ignored \"-Wpsabi\"\n"
                     // Which loop clang has vectors for is its own affair.
                     "#ifdef __clang__\n#pragma clang diagnostic ignored \"-Wpass-failed\"\n#endif\n\n",
                     "extern \"C\" ", "__restrict"}),
          bytes_(bytes),
          is_private_(n.buffers.size(), 0) {}

protected:
    [[nodiscard]] std::string_view scalar_type(element_type e) const override { return c_type_of(e); }
    [[nodiscard]] outcome<void> vector_loop(const nest_statement& s, std::size_t depth) override {
        std::size_t widest = 1;
        std::vector<char> own(n_.buffers.size(), 0);
        const bool is_suitable = round_ == round::one && look(s.parts.front(), s.variable, own, widest);
        const std::size_t most = std::max(bytes_ / widest, std::size_t{1});
        const auto lanes = static_cast<std::int64_t>(std::min(most, std::bit_floor(static_cast<std::size_t>(s.extent))));
        if (!is_suitable || lanes < 2) {
            // Inside of vectors, rounds of a further loop are run one after the other.
            if (round_ != round::one) return braced(loop_head(c_name(n_.variables[s.variable]), 0, s.extent), s, depth);
            return concurrent_loop("#ifdef __clang__\n#pragma clang loop vectorize(assume_safety)\n#else\n#pragma GCC ivdep\n#endif\n", s,
                                   depth);
        }
        const bool was_parallel = std::exchange(is_parallel_, true);
        const std::int64_t whole = s.extent / lanes * lanes;
        over_ = s.variable;
        lanes_ = lanes;
        line(depth, loop_head(first_name(), 0, whole, lanes) + " {");
        declare_index(depth + 1, name(), first_name());
        round_ = round::all;
        auto printed = statement(s.parts.front(), depth + 1);
        round_ = round::one;
        line(depth, "}");
        if (printed && whole < s.extent) printed = braced(loop_head(name(), whole, s.extent), s, depth);
        is_parallel_ = was_parallel;
        return printed;
    }

    [[nodiscard]] outcome<void> statement(statement_id id, std::size_t depth) override {
        const nest_statement& s = n_.statements[id];
        if (round_ != round::all) return c_printer::statement(id, depth);
        switch (s.kind) {
            case nest_statement::form::guard:
                return follows(s.bounds) ? all_or_each(s.bounds, id, depth) : c_printer::statement(id, depth);
            case nest_statement::form::store:
            case nest_statement::form::update: {
                const bool is_whole = is_private_[s.buffer] != 0 || factor(s.buffer, s.indices) == 1;
                if (!is_whole || !has_vectors(s.value)) return each_lane(id, depth);
                std::vector<affine_bound> bounds;
                bounds_of(s.value, bounds);
                if (!bounds.empty()) return all_or_each(bounds, id, depth);
                together(s, depth);
                return {};
            }
            case nest_statement::form::call:
                return each_lane(id, depth);
            default:
                return c_printer::statement(id, depth);
        }
    }

    [[nodiscard]] outcome<void> allocate(const nest_statement& s, std::size_t depth) override {
        const nest_buffer& b = n_.buffers[s.buffer];
        if (round_ != round::all || b.scope == buffer_scope::scratch) return c_printer::allocate(s, depth);
        // Each lane has a buffer of its own: elements are vectors.
        line(depth, "{");
        line(depth + 1, type_of(b.element) + " " + c_name(b.name) + "[" + std::to_string(std::max(element_span(b), std::size_t{1})) + "];");
        is_private_[s.buffer] = 1;
        auto printed = statement(s.parts.front(), depth + 1);
        is_private_[s.buffer] = 0;
        line(depth, "}");
        return printed;
    }

    [[nodiscard]] std::string place(buffer_id b, const std::vector<affine>& indices) override {
        return c_printer::place(b, indices) + (round_ == round::lane && is_private_[b] != 0 ? "[inlay_lane]" : "");
    }

    [[nodiscard]] std::string expression(expression_id id) override {
        const nest_expression& e = n_.expressions[id];
        if (round_ != round::all) return c_printer::expression(id);
        const auto operand = [&](std::size_t i) { return expression(e.operands[i]); };
        switch (e.kind) {
            case nest_expression::form::number:
                return same_in_all(e.element, constant(e));
            case nest_expression::form::index: {
                const affine& a = e.indices.front();
                return lane_by_lane(e.element, [&](std::int64_t i) { return index(a + affine(a.factor_of(over_) * i)); });
            }
            case nest_expression::form::load: {
                const std::string at = place(e.buffer, e.indices);
                const std::int64_t apart = factor(e.buffer, e.indices);
                if (is_private_[e.buffer] != 0) return at;
                if (apart == 0) return same_in_all(e.element, at);
                if (apart == 1) return loaded(e.element, at);
                return lane_by_lane(e.element, [&](std::int64_t i) {
                    return c_name(n_.buffers[e.buffer].name) + "[" + index(offset(e.buffer, e.indices) + affine(apart * i)) + "]";
                });
            }
            case nest_expression::form::choose:
                return "(" + operand(0) + " ? " + operand(1) + " : " + operand(2) + ")";
            case nest_expression::form::within:
                // Bounds that follow the lanes hold for all of them where this stands.
                if (follows(e.bounds)) return operand(0);
                has_conditional_loads_ = has_conditional_loads_ || has_load(e.operands[0]) || has_load(e.operands[1]);
                return "(" + bounds(e.bounds) + " ? " + operand(0) + " : " + operand(1) + ")";
            case nest_expression::form::cast: {
                const element_type from = n_.expressions[e.operands[0]].element;
                const std::string scalar = functions_.cast(from, e.element, "a[i]");
                return function_of_lanes("cast_to_" + std::string(name_of(e.element)), from, e.element, 1, scalar) + "(" + operand(0) + ")";
            }
            case nest_expression::form::apply:
                break;
        }
        const std::string first = operand(0);
        return applied_to(e.function, n_.expressions[e.operands[0]].element, first, e.operands.size() == 2 ? operand(1) : std::string());
    }

private:
    /// What is being written: text for one round of the vector loop, if there is one; for all lanes at once; for one of them, among
    /// vectors.
    enum class round : std::uint8_t { one, all, lane };
    static constexpr std::string_view inlined = "static inline __attribute__((always_inline)) ";

    [[nodiscard]] std::string name() const { return c_name(n_.variables[over_]); }
    [[nodiscard]] std::string first_name() const { return "inlay_first_" + n_.variables[over_]; }

    /// How far apart the elements of neighbouring lanes stand.
    [[nodiscard]] std::int64_t factor(buffer_id b, const std::vector<affine>& indices) const { return offset(b, indices).factor_of(over_); }
    [[nodiscard]] bool follows(const std::vector<affine_bound>& all) const {
        return std::any_of(all.begin(), all.end(), [&](const affine_bound& b) { return b.value.factor_of(over_) != 0; });
    }

    /// Whether a loop's statement can be written for several rounds at once; and how many bytes its widest element takes. `own`: buffers
    /// that each round has for itself.
    [[nodiscard]] bool look(statement_id id, variable_id over, std::vector<char>& own, std::size_t& widest) const {
        const nest_statement& s = n_.statements[id];
        // An element of a vector is chosen by no other number than that of the lane.
        const auto touches = [&](buffer_id b, const std::vector<affine>& at) {
            widest = std::max(widest, size_of(n_.buffers[b].element));
            return own[b] == 0 || std::all_of(at.begin(), at.end(), [&](const affine& a) { return a.factor_of(over) == 0; });
        };
        const auto value = [&](const auto& self, expression_id e) -> bool {
            const nest_expression& x = n_.expressions[e];
            widest = std::max(widest, size_of(x.element));
            return (x.kind != nest_expression::form::load || touches(x.buffer, x.indices)) &&
                   std::all_of(x.operands.begin(), x.operands.end(), [&](expression_id operand) { return self(self, operand); });
        };
        if (s.kind == nest_statement::form::loop && is_concurrent(s.runs)) return false;
        if (s.kind == nest_statement::form::allocate) {
            // There are no vectors of truth values.
            if (n_.buffers[s.buffer].element == element_type::boolean) return false;
            own[s.buffer] = 1;
        }
        if (s.kind == nest_statement::form::store || s.kind == nest_statement::form::update)
            return touches(s.buffer, s.indices) && value(value, s.value);
        for (const nest_place& p : s.places)
            if (own[p.buffer] != 0) return false;
        return std::all_of(s.parts.begin(), s.parts.end(), [&](statement_id part) { return look(part, over, own, widest); });
    }

    /// Whether an expression is one of vectors: truth values are only conditions of choices, as wide as what is compared.
    [[nodiscard]] bool has_vectors(expression_id id) const {
        const nest_expression& e = n_.expressions[id];
        if (e.element == element_type::boolean) return false;
        if (e.kind == nest_expression::form::choose)
            return is_mask(e.operands[0], size_of(e.element)) && has_vectors(e.operands[1]) && has_vectors(e.operands[2]);
        return std::all_of(e.operands.begin(), e.operands.end(), [&](expression_id o) { return has_vectors(o); });
    }
    [[nodiscard]] bool is_mask(expression_id id, std::size_t size) const {
        const nest_expression& e = n_.expressions[id];
        if (e.kind != nest_expression::form::apply) return false;
        const element_type of = n_.expressions[e.operands[0]].element;
        // Truth values of equal or unequal truth values are numbers to the compiler.
        if (of == element_type::boolean && e.function == scalar_function::equal) return false;
        return std::all_of(e.operands.begin(), e.operands.end(), [&](expression_id o) {
            return of == element_type::boolean ? is_mask(o, size) : size_of(of) == size && has_vectors(o);
        });
    }
    /// Bounds in an expression that follow the lanes.
    void bounds_of(expression_id id, std::vector<affine_bound>& into) const {
        const nest_expression& e = n_.expressions[id];
        if (follows(e.bounds)) into.insert(into.end(), e.bounds.begin(), e.bounds.end());
        for (const expression_id operand : e.operands) bounds_of(operand, into);
    }

    /// A statement for all lanes where bounds hold for all of them, which the first and the last tell; else for each.
    [[nodiscard]] outcome<void> all_or_each(const std::vector<affine_bound>& all, statement_id id, std::size_t depth) {
        const nest_statement& s = n_.statements[id];
        std::vector<affine_bound> ends = all;
        for (const affine_bound& b : all)
            if (const std::int64_t f = b.value.factor_of(over_); f != 0)
                ends.push_back({b.low, b.value + affine(f * (lanes_ - 1)), b.high});
        line(depth, "if (" + bounds(ends) + ") {");
        outcome<void> printed;
        if (s.kind == nest_statement::form::guard)
            printed = statement(s.parts.front(), depth + 1);
        else
            together(s, depth + 1);
        line(depth, "} else {");
        if (printed) printed = each_lane(id, depth + 1);
        line(depth, "}");
        return printed;
    }
    [[nodiscard]] outcome<void> each_lane(statement_id id, std::size_t depth) {
        round_ = round::lane;
        line(depth, loop_head("inlay_lane", 0, lanes_) + " {");
        declare_index(depth + 1, name(), first_name() + " + inlay_lane");
        auto printed = c_printer::statement(id, depth + 1);
        line(depth, "}");
        round_ = round::all;
        return printed;
    }
    void together(const nest_statement& s, std::size_t depth) {
        const element_type e = n_.buffers[s.buffer].element;
        const std::string at = place(s.buffer, s.indices);
        std::string value = expression(s.value);
        if (s.kind == nest_statement::form::update)
            value = applied_to(s.function, e, is_private_[s.buffer] != 0 ? at : loaded(e, at), value);
        line(depth, is_private_[s.buffer] != 0 ? at + " = " + value + ";" : stored(e, at, value) + ";");
    }

    /// The vector type of an element.
    [[nodiscard]] std::string type_of(element_type e) { return vector_type("inlay_" + std::string(name_of(e)), c_type_of(e), size_of(e)); }
    [[nodiscard]] std::string vector_type(const std::string& stem, std::string_view scalar, std::size_t size) {
        const std::string made = stem + "x" + std::to_string(lanes_);
        need("typedef " + std::string(scalar) + " " + made + " __attribute__((vector_size(" +
             std::to_string(static_cast<std::size_t>(lanes_) * size) + ")));\n");
        return made;
    }
    /// A function that is written once; gives its name.
    [[nodiscard]] std::string function(const std::string& what, element_type e, const std::string& result, const std::string& parameters,
                                       const std::string& body) {
        const std::string made = "inlay_" + what + "_" + type_of(e).substr(6);
        need(std::string(inlined) + result + " " + made + "(" + parameters + ") {\n" + body + "}\n");
        return made;
    }
    [[nodiscard]] std::string loaded(element_type e, const std::string& at) {
        const std::string type = type_of(e);
        return function("load", e, type, "const " + std::string(c_type_of(e)) + "* from",
                        "    " + type + " made;\n    memcpy(&made, from, sizeof made);\n    return made;\n") +
               "(&" + at + ")";
    }
    [[nodiscard]] std::string stored(element_type e, const std::string& at, const std::string& value) {
        return function("store", e, "void", std::string(c_type_of(e)) + "* to, " + type_of(e) + " value",
                        "    memcpy(to, &value, sizeof value);\n") +
               "(&" + at + ", " + value + ")";
    }
    [[nodiscard]] std::string same_in_all(element_type e, const std::string& value) {
        const std::string body = "    return " + lane_by_lane(e, [](std::int64_t) { return std::string("a"); }) + ";\n";
        return function("all", e, type_of(e), std::string(c_type_of(e)) + " a", body) + "(" + value + ")";
    }
    template <class F>
    [[nodiscard]] std::string lane_by_lane(element_type e, F&& lane) {
        std::string list;
        for (std::int64_t i = 0; i < lanes_; ++i) list += (i == 0 ? "" : ", ") + lane(i);
        return type_of(e) + "{" + list + "}";
    }
    /// A function that has no vectors, of one lane after the other.
    [[nodiscard]] std::string function_of_lanes(const std::string& what, element_type from, element_type to, std::size_t arity,
                                                const std::string& scalar) {
        const std::string taken = type_of(from), given = type_of(to);
        return function(what, from, given, taken + " a" + (arity == 2 ? ", " + taken + " b" : ""),
                        "    " + given + " made{};\n    for (int i = 0; i < " + std::to_string(lanes_) + "; ++i) made[i] = " + scalar +
                            ";\n    return made;\n");
    }

    [[nodiscard]] std::string applied_to(scalar_function f, element_type e, const std::string& a, const std::string& b) {
        const bool is_real = is_floating(e), is_maximum = f == scalar_function::maximum;
        const auto between = [&](const std::string& sign) { return "(" + a + " " + sign + " " + b + ")"; };
        const auto arithmetic = [&](const std::string& sign) {
            if (is_real) return between(sign);
            // Whole numbers wrap, as unsigned ones do.
            const std::string bits = std::to_string(size_of(e) * 8),
                              wide = vector_type("inlay_bits" + bits, "uint" + bits + "_t", size_of(e));
            return "((" + type_of(e) + ")((" + wide + ")" + a + " " + sign + " (" + wide + ")" + b + "))";
        };
        switch (f) {
            case scalar_function::add:
                return arithmetic("+");
            case scalar_function::subtract:
                return arithmetic("-");
            case scalar_function::multiply:
                return arithmetic("*");
            case scalar_function::equal:
                return between("==");
            case scalar_function::less:
                return between("<");
            case scalar_function::less_equal:
                return between("<=");
            case scalar_function::logical_and:
                return between("&");
            case scalar_function::logical_or:
                return between("|");
            case scalar_function::logical_not:
                return "(~" + a + ")";
            case scalar_function::maximum:
            case scalar_function::minimum: {
                const std::string type = type_of(e), sign = is_maximum ? ">" : "<";
                const std::string condition = is_real ? "((a " + sign + " b) | (a != a))" : "(a " + sign + " b)";
                return function(std::string(name_of(f)), e, type, type + " a, " + type + " b", "    return " + condition + " ? a : b;\n") +
                       "(" + a + ", " + b + ")";
            }
            default:
                break;
        }
        if (f == scalar_function::divide && is_real) return between("/");
        const std::size_t arity = facts_of(f).arity;
        const std::string scalar = functions_.apply(f, e, "a[i]", arity == 2 ? "b[i]" : "");
        return function_of_lanes(std::string(name_of(f)), e, e, arity, scalar) + "(" + a + (arity == 2 ? ", " + b : "") + ")";
    }

    std::size_t bytes_;
    std::vector<char> is_private_;  // by buffer: elements are vectors
    round round_ = round::one;
    variable_id over_ = 0;
    std::int64_t lanes_ = 1;
};

}  // namespace detail

outcome<c_function> to_cpp(const loop_nest& n, std::size_t vector_bytes, std::span<const printed_call> calls) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    if (vector_bytes != 16 && vector_bytes != 32 && vector_bytes != 64)
        return error{"there are no vectors of " + std::to_string(vector_bytes) + " bytes; ask for 16, 32 or 64"};
    return detail::cpp_printer(n, vector_bytes, calls)();
}

}  // namespace inlay

#endif
