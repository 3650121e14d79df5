// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_C_TEXT_IPP
#define INLAY_LOOPS_TEXT_C_TEXT_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/text/c_text.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/ops/loops/half_float.hpp>

namespace inlay {

namespace detail {

c_printer::c_printer(const loop_nest& n, std::span<const printed_call> calls, c_dialect dialect)
    : nest_writer(n), calls_(calls), dialect_(dialect), is_used_(n.buffers.size(), 0), rounds_(n.variables.size()) {}

std::string without_masked_loads(std::string_view function) {
    constexpr std::string_view only_gcc = "#if defined __GNUC__ && !defined __clang__\n";
    std::string made(only_gcc);
    made += "#pragma GCC push_options\n#pragma GCC optimize(\"no-tree-loop-if-convert\")\n#endif\n";
    return made.append(function).append(only_gcc) + "#pragma GCC pop_options\n#endif\n";
}

outcome<c_function> c_printer::operator()() {
    auto made = function_alone();
    if (!made) return made;
    made->needs = functions_.definitions();
    made->needs.insert(made->needs.end(), before_.begin(), before_.end());
    made->alone = std::exchange(made->text, text_before() + made->text);
    return made;
}

outcome<c_function> c_printer::function_alone(std::string_view further_parameters) {
    if (auto known = has_types(n_); !known) return known.failure();
    if (auto printed = statement(n_.root, 1); !printed) return printed.failure();
    std::string unused;
    std::string parameters = parameters_text(unused);
    const auto add = [&](std::string_view more) { parameters += std::string(parameters.empty() ? "" : ", ") + std::string(more); };
    if (made_.workspace_bytes != 0) add("unsigned char* inlay_workspace");
    if (!further_parameters.empty()) add(further_parameters);
    made_.declaration = std::string(dialect_.linkage) + "void " + c_name(n_.name) + "(" + (parameters.empty() ? "void" : parameters) + ")";
    made_.text = made_.declaration + " {\n" + unused + body_ + "}\n";
    if (in_force<"loops.c.masked-loads">() && has_conditional_loads_) made_.text = without_masked_loads(made_.text);
    return std::move(made_);
}

std::string c_printer::text_before() const {
    std::string made(dialect_.includes);
    for (const auto* texts : {&functions_.definitions(), &before_})
        for (const std::string& each : *texts) made += each;
    return made;
}

void c_printer::go_on_from(c_printer& earlier) {
    functions_ = std::move(earlier.functions_);
    before_ = std::move(earlier.before_);
    meanings_ = std::move(earlier.meanings_);
}

std::string c_printer::applied(scalar_function f, element_type e, const std::string& a, const std::string& b) {
    return functions_.apply(f, e, a, b);
}

std::string c_printer::converted(element_type from, element_type to, const std::string& a) { return functions_.cast(from, to, a); }

outcome<c_printer::printed_function> c_printer::meaning_printed(const loop_nest& function) {
    c_printer inside(function, {}, dialect_);
    return meaning_by(inside);
}

outcome<c_printer::printed_function> c_printer::meaning_by(c_printer& inside) {
    inside.functions_ = std::move(functions_);
    inside.is_parallel_ = true;
    auto printed = inside.statement(inside.n_.root, 1);
    functions_ = std::move(inside.functions_);
    if (!printed) return printed.failure();
    printed_function made;
    made.takes = inside.parameters_text(made.body);
    made.body += inside.body_;
    made.has_conditional_loads = inside.has_conditional_loads_;
    return made;
}

outcome<void> c_printer::has_types(const loop_nest& n) const {
    const auto no_arithmetic = [this](element_type e) {
        return error{std::string(dialect_.language) + " has no arithmetic on " + std::string(name_of(e)) +
                     "; widen it to float32 in the nest"};
    };
    for (const nest_buffer& b : n.buffers)
        if (scalar_type(b.element).empty()) return no_arithmetic(b.element);
    for (const nest_expression& e : n.expressions) {
        if (scalar_type(e.element).empty()) return no_arithmetic(e.element);
        if (e.kind != nest_expression::form::apply) continue;
        if (const element_type of = n.expressions[e.operands[0]].element; !computes_with(of)) return no_arithmetic(of);
    }
    for (const nest_statement& s : n.statements)
        if (s.kind == nest_statement::form::update && !computes_with(n.buffers[s.buffer].element))
            return no_arithmetic(n.buffers[s.buffer].element);
    return {};
}

std::string c_printer::parameters_text(std::string& unused) const {
    std::string parameters;
    for (const buffer_scope scope : {buffer_scope::input, buffer_scope::output})
        for (buffer_id b = 0; b < n_.buffers.size(); ++b) {
            if (n_.buffers[b].scope != scope) continue;
            parameters += (parameters.empty() ? "" : ", ") + pointer(n_.buffers[b], scope == buffer_scope::input);
            if (is_used_[b] == 0) unused += "    (void)" + c_name(n_.buffers[b].name) + ";\n";
        }
    return parameters;
}

std::string c_printer::pointer(const nest_buffer& b, bool is_input) const {
    return (is_input ? "const " : "") + std::string(scalar_type(b.element)) + "* " + std::string(dialect_.alone) + " " + c_name(b.name);
}

void c_printer::declare_index(std::size_t depth, const std::string& name, const std::string& value) {
    line(depth, "const " + std::string(dialect_.index) + " " + name + " = " + value + ";");
    line(depth, "(void)" + name + ";");
}

outcome<void> c_printer::statement(statement_id id, std::size_t depth) {
    const nest_statement& s = n_.statements[id];
    switch (s.kind) {
        case nest_statement::form::block:
            for (const statement_id part : s.parts)
                if (auto printed = statement(part, depth); !printed) return printed;
            return {};
        case nest_statement::form::loop:
            return loop(s, depth);
        case nest_statement::form::guard: {
            const auto open = open_bounds(s.bounds);
            if (!open) return {};
            if (open->empty() && !s.bounds.empty()) return statement(s.parts.front(), depth);
            has_conditional_loads_ = true;
            return braced("if (" + bounds(*open) + ")", s, depth);
        }
        case nest_statement::form::allocate:
            return allocate(s, depth);
        case nest_statement::form::store:
            line(depth, place(s.buffer, s.indices) + " = " + expression(s.value) + ";");
            return {};
        case nest_statement::form::update: {
            const std::string at = place(s.buffer, s.indices);
            line(depth, at + " = " + applied(s.function, n_.buffers[s.buffer].element, at, expression(s.value)) + ";");
            return {};
        }
        case nest_statement::form::call:
            return call(s, depth);
    }
    return {};
}

outcome<void> c_printer::braced(const std::string& head, const nest_statement& s, std::size_t depth) {
    line(depth, head + " {");
    auto printed = statement(s.parts.front(), depth + 1);
    line(depth, "}");
    return printed;
}

std::string c_printer::loop_head(const std::string& v, std::int64_t first, std::int64_t end, std::int64_t step) const {
    return "for (" + std::string(dialect_.index) + " " + v + " = " + std::to_string(first) + "; " + v + " < " + std::to_string(end) + "; " +
           (step == 1 ? "++" + v : v + " += " + std::to_string(step)) + ")";
}

outcome<void> c_printer::concurrent_loop(const std::string& pragma, const nest_statement& s, std::size_t depth) {
    body_ += pragma;
    const bool was_parallel = std::exchange(is_parallel_, true);
    auto printed = braced(loop_head(c_name(n_.variables[s.variable]), 0, s.extent), s, depth);
    is_parallel_ = was_parallel;
    return printed;
}

outcome<void> c_printer::vector_loop(const nest_statement& s, std::size_t depth) {
    const bool was_parallel = std::exchange(is_parallel_, true);
    auto printed = loop_in_pieces("#ifdef _OPENMP\n#pragma omp simd\n#endif\n", s, depth);
    is_parallel_ = was_parallel;
    return printed;
}

bool c_printer::has_load(expression_id id) const {
    const nest_expression& e = n_.expressions[id];
    return e.kind == nest_expression::form::load ||
           std::any_of(e.operands.begin(), e.operands.end(), [this](expression_id operand) { return has_load(operand); });
}

std::optional<std::vector<affine_bound>> c_printer::open_bounds(const std::vector<affine_bound>& all) const {
    if (!dialect_.cuts_loops) return all;
    std::vector<affine_bound> open;
    for (const affine_bound& b : all) {
        std::int64_t low = b.value.constant(), high = low;
        bool is_known = true;
        for (const affine::term& t : b.value.terms()) {
            const auto& rounds = rounds_[t.variable];
            std::int64_t at_first = 0, at_last = 0;
            is_known = is_known && rounds && !__builtin_mul_overflow(t.factor, rounds->first, &at_first) &&
                       !__builtin_mul_overflow(t.factor, rounds->second, &at_last) &&
                       !__builtin_add_overflow(low, std::min(at_first, at_last), &low) &&
                       !__builtin_add_overflow(high, std::max(at_first, at_last), &high);
        }
        if (!is_known || (low < b.low && b.low <= high) || (low < b.high && b.high <= high)) {
            open.push_back(b);
        } else if (low < b.low || low >= b.high) {
            return std::nullopt;
        }
    }
    return open;
}

std::vector<std::int64_t> c_printer::ends_of_pieces(const nest_statement& s) const {
    constexpr std::size_t most_pieces = 9, most_statements = 24;
    std::vector<std::int64_t> ends;
    const auto cut_before = [&](std::int64_t round) {
        if (round > 0 && round < s.extent) ends.push_back(round);
    };
    const auto cut_at = [&](const std::vector<affine_bound>& bounds) {
        for (const affine_bound& b : bounds) {
            if (b.value.terms().size() != 1 || b.value.terms().front().variable != s.variable) continue;
            const std::int64_t factor = b.value.terms().front().factor;
            for (const std::int64_t end : {b.low, b.high}) {
                std::int64_t rest = 0;
                if (factor == INT64_MIN || __builtin_sub_overflow(end, b.value.constant(), &rest) || rest == INT64_MIN) continue;
                // The first round whose value is the end or behind it; of a falling value, the first one below it.
                const std::int64_t step = factor < 0 ? -factor : factor, far = factor < 0 ? -rest : rest;
                if (factor > 0) cut_before(far / step + (far % step > 0 ? 1 : 0));
                if (factor < 0) cut_before(far / step - (far % step < 0 ? 1 : 0) + 1);
            }
        }
    };
    std::vector<statement_id> todo{s.parts.front()};
    std::size_t statements = 0;
    for (; !todo.empty() && statements <= most_statements; ++statements) {
        const nest_statement& one = n_.statements[todo.back()];
        todo.pop_back();
        cut_at(one.bounds);
        if (one.kind == nest_statement::form::store || one.kind == nest_statement::form::update) {
            std::vector<expression_id> values{one.value};
            while (!values.empty()) {
                const nest_expression& e = n_.expressions[values.back()];
                values.pop_back();
                cut_at(e.bounds);
                values.insert(values.end(), e.operands.begin(), e.operands.end());
            }
        }
        todo.insert(todo.end(), one.parts.begin(), one.parts.end());
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    if (!todo.empty() || (ends.size() + 1) * pieces_ > most_pieces) ends.clear();
    ends.push_back(s.extent);
    return ends;
}

outcome<void> c_printer::loop_in_pieces(const std::string& pragma, const nest_statement& s, std::size_t depth) {
    const std::string v = c_name(n_.variables[s.variable]);
    std::vector<std::int64_t> ends{s.extent};
    if (in_force<"loops.c.pieces">() && dialect_.cuts_loops) ends = ends_of_pieces(s);
    const std::size_t around = std::exchange(pieces_, pieces_ * ends.size());
    outcome<void> printed;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < ends.size() && printed; first = ends[i++]) {
        if (in_force<"loops.c.pieces">() && first < ends[i]) rounds_[s.variable] = std::pair(first, ends[i] - 1);
        body_ += pragma;
        printed = braced(loop_head(v, first, ends[i]), s, depth);
    }
    rounds_[s.variable].reset();
    pieces_ = around;
    return printed;
}

outcome<void> c_printer::loop(const nest_statement& s, std::size_t depth) {
    const std::string v = c_name(n_.variables[s.variable]);
    switch (s.runs) {
        case loop_kind::serial:
            return loop_in_pieces("", s, depth);
        case loop_kind::parallel:
            return concurrent_loop("#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n", s, depth);
        case loop_kind::vector:
            return vector_loop(s, depth);
        case loop_kind::unrolled:
            if (s.extent > most_unrolled)
                return error{"the loop over " + quoted_text(n_.variables[s.variable]) + " has " + std::to_string(s.extent) +
                             " rounds, too many to be written out; unroll at most " + std::to_string(most_unrolled)};
            for (std::int64_t i = 0; i < s.extent; ++i) {
                line(depth, "{");
                declare_index(depth + 1, v, std::to_string(i));
                if (auto printed = statement(s.parts.front(), depth + 1); !printed) return printed;
                line(depth, "}");
            }
            return {};
        default:
            return error{"the loop over " + quoted_text(n_.variables[s.variable]) + " is bound to " + std::string(name_of(s.runs)) +
                         ", which C has not; run it serially"};
    }
}

outcome<void> c_printer::call(const nest_statement& s, std::size_t depth) {
    const loop_nest& f = n_.functions[s.callee];
    if (auto known = has_types(f); !known) return known;
    // By window: where it begins, and its strides.
    std::vector<std::string> given;
    std::vector<std::vector<std::int64_t>> strides, extents;
    const std::vector<buffer_id> parameters = parameters_of(f);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        given.push_back("&" + place(s.places[i].buffer, s.places[i].at));
        extents.push_back(f.buffers[parameters[i]].extents);
        strides.push_back(window_strides(s.places[i], extents[i].size(), n_.buffers[s.places[i].buffer].strides));
    }
    for (const affine& number : s.indices) given.push_back(index(number));
    for (const printed_call& p : calls_)
        if (p.name == f.name && is_taken(p, s)) {
            need(p.before);
            auto text = filled(p.text, given, strides, extents);
            if (!text) return error{"the text for calls of " + quoted_text(f.name) + " " + text.failure().message};
            line(depth, *text + ";");
            return {};
        }
    std::string list;
    const auto add = [&](const std::string& one) { list += (list.empty() ? "" : ", ") + one; };
    if (!f.is_external()) {
        auto name = meaning_of(f, strides);
        if (!name) return name.failure();
        for (const std::string& one : given) add(one);
        line(depth, *name + "(" + list + ");");
        return {};
    }
    std::string takes;
    for (std::size_t i = 0; i < given.size(); ++i) {
        add(given[i]);
        if (i >= strides.size()) {
            takes += (takes.empty() ? "" : ", ") + std::string("int64_t ") + c_name(f.variables[i - strides.size()]);
            continue;
        }
        const nest_buffer& b = f.buffers[parameters[i]];
        takes += (takes.empty() ? "" : ", ") + pointer(b, b.scope == buffer_scope::input);
        for (std::size_t d = 0; d < strides[i].size(); ++d) {
            add(whole_constant(strides[i][d]));
            takes += ", int64_t " + c_name(b.name) + "_" + std::to_string(d);
        }
    }
    need(std::string(dialect_.linkage) + "void " + f.name + "(" + (takes.empty() ? "void" : takes) + ");\n");
    line(depth, f.name + "(" + list + ");");
    return {};
}

outcome<std::string> c_printer::filled(const std::string& text, const std::vector<std::string>& given,
                                       const std::vector<std::vector<std::int64_t>>& strides,
                                       const std::vector<std::vector<std::int64_t>>& extents) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        const auto number = [&] {
            std::size_t n = 0;
            for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && n < 1000; ++at) n = n * 10 + std::size_t(text[at] - '0');
            return n;
        };
        if (text[at] != '$') {
            made += text[at++];
            continue;
        }
        ++at;
        const std::size_t i = number();
        if (i >= given.size()) return error{"names $" + std::to_string(i) + ", and has " + std::to_string(given.size()) + " arguments"};
        if (at + 1 >= text.size() || (text[at] != '.' && text[at] != '#') || text[at + 1] < '0' || text[at + 1] > '9') {
            made += given[i];
            continue;
        }
        const bool is_stride = text[at++] == '.';
        const std::size_t axis = number();
        if (i >= strides.size() || axis >= strides[i].size())
            return error{std::string("names the ") + (is_stride ? "stride" : "extent") + " of an axis that $" + std::to_string(i) +
                         " has not"};
        made += whole_constant((is_stride ? strides : extents)[i][axis]);
    }
    return made;
}

void c_printer::need(const std::string& text) {
    const std::string line = text + "\n";
    if (!text.empty() && std::find(before_.begin(), before_.end(), line) == before_.end()) before_.push_back(line);
}

outcome<std::string> c_printer::meaning_of(const loop_nest& f, const std::vector<std::vector<std::int64_t>>& strides) {
    for (const printed_meaning& m : meanings_)
        if (m.of == &f && m.strides == strides) return m.name;
    loop_nest fitted = f;
    const std::vector<buffer_id> parameters = parameters_of(f);
    for (std::size_t i = 0; i < parameters.size(); ++i) fitted.buffers[parameters[i]].strides = strides[i];
    const auto printed = meaning_printed(fitted);
    if (!printed) return printed.failure();
    const std::string name = "inlay_" + f.name + (meanings_.empty() ? "" : "_" + std::to_string(meanings_.size()));
    std::string text = std::string(dialect_.own) + "void " + name + "(" + (printed->takes.empty() ? "void" : printed->takes) + ") {\n" +
                       printed->body + "}\n";
    if (in_force<"loops.c.masked-loads">() && printed->has_conditional_loads) text = without_masked_loads(text);
    before_.push_back(text + "\n");
    meanings_.push_back({&f, strides, name});
    return name;
}

outcome<void> c_printer::allocate(const nest_statement& s, std::size_t depth) {
    const nest_buffer& b = n_.buffers[s.buffer];
    // C has no arrays without elements.
    const std::size_t count = std::max(element_span(b), std::size_t{1});
    const std::string type(scalar_type(b.element));
    line(depth, "{");
    const std::size_t declared = body_.size();
    if (b.scope != buffer_scope::scratch) {
        line(depth + 1, type + " " + c_name(b.name) + "[" + std::to_string(count) + "];");
    } else {
        if (is_parallel_)
            return error{"the scratch buffer " + quoted_text(b.name) +
                         " is allocated in a loop whose rounds run at the same time; allocate it "
                         "outside, with a place for each round, or on the stack"};
        line(depth + 1,
             type + "* const " + c_name(b.name) + " = (" + type + "*)(void*)(inlay_workspace + " + std::to_string(open_bytes_) + ");");
    }
    const std::size_t before = open_bytes_;
    if (b.scope == buffer_scope::scratch) open_bytes_ += (count * size_of(b.element) + alignment - 1) / alignment * alignment;
    made_.workspace_bytes = std::max(made_.workspace_bytes, open_bytes_);
    const std::size_t first = body_.size();
    const char was_used = std::exchange(is_used_[s.buffer], char{0});
    auto printed = statement(s.parts.front(), depth + 1);
    // A piece of a loop may need no element of the buffer, and compilers warn of an unused variable.
    if (in_force<"loops.c.used-buffers">() && is_used_[s.buffer] == 0) body_.erase(declared, first - declared);
    is_used_[s.buffer] |= was_used;
    open_bytes_ = before;
    line(depth, "}");
    return printed;
}

affine c_printer::offset(buffer_id b, const std::vector<affine>& indices) const {
    affine at;
    for (std::size_t i = 0; i < indices.size(); ++i) at += indices[i] * n_.buffers[b].strides[i];
    return at;
}

std::string c_printer::place(buffer_id b, const std::vector<affine>& indices) {
    is_used_[b] = 1;
    return c_name(n_.buffers[b].name) + "[" + index(offset(b, indices)) + "]";
}

std::string c_printer::index(const affine& a) const {
    std::string made;
    for (const affine::term& t : a.terms())
        made += (made.empty() ? "" : " + ") + (t.factor == 1 ? "" : whole_constant(t.factor) + " * ") + c_name(n_.variables[t.variable]);
    const std::int64_t c = a.constant();
    if (made.empty()) return whole_constant(c);
    if (c > 0 || c == INT64_MIN) return made + " + " + whole_constant(c);
    return made + (c < 0 ? " - " + whole_constant(-c) : "");
}

std::string c_printer::bounds(const std::vector<affine_bound>& all) const {
    std::string made;
    for (const affine_bound& b : all)
        made += (made.empty() ? "" : " && ") + whole_constant(b.low) + " <= " + index(b.value) + " && " + index(b.value) + " < " +
                whole_constant(b.high);
    return made.empty() ? "1" : made;
}

std::string c_printer::whole_constant(std::int64_t i) {
    if (i == std::numeric_limits<std::int64_t>::min()) return "INT64_MIN";
    const std::string digits = i > INT32_MAX || i < -INT32_MAX ? "INT64_C(" + std::to_string(i) + ")" : std::to_string(i);
    return i < 0 ? "(" + digits + ")" : digits;
}

std::string c_printer::constant(const nest_expression& e) {
    if (e.element == element_type::boolean) return e.integer != 0 ? "true" : "false";
    if (!is_floating(e.element)) {
        if (e.element == element_type::uint64) return "UINT64_C(" + std::to_string(static_cast<std::uint64_t>(e.integer)) + ")";
        return "((" + std::string(c_type_of(e.element)) + ")" + whole_constant(e.integer) + ")";
    }
    const bool is_double = e.element == element_type::float64;
    if (std::isnan(e.number)) return is_double ? "((double)NAN)" : "NAN";
    if (std::isinf(e.number)) return std::string(e.number < 0 ? "(-" : "(") + (is_double ? "(double)" : "") + "INFINITY)";
    char digits[48];
    std::snprintf(digits, sizeof digits, "%a", is_double ? e.number : static_cast<double>(static_cast<float>(e.number)));
    return (e.number < 0 ? "(" : "") + std::string(digits) + (is_double ? "" : "f") + (e.number < 0 ? ")" : "");
}

std::string c_printer::half_constant(const nest_expression& e) {
    const unsigned bits =
        e.element == element_type::float16 ? float16_bits::narrowed(e.number).bits : bfloat16_bits::narrowed(e.number).bits;
    char digits[16];
    std::snprintf(digits, sizeof digits, "0x%04x", bits);
    return "((uint16_t)" + std::string(digits) + ")";
}

std::string c_printer::expression(expression_id id) {
    const nest_expression& e = n_.expressions[id];
    const auto operand = [&](std::size_t i) { return expression(e.operands[i]); };
    switch (e.kind) {
        case nest_expression::form::number:
            return is_half(e.element) ? half_constant(e) : constant(e);
        case nest_expression::form::index:
            return "((int64_t)(" + index(e.indices.front()) + "))";
        case nest_expression::form::load:
            return place(e.buffer, e.indices);
        case nest_expression::form::choose:
            return "(" + operand(0) + " ? " + operand(1) + " : " + operand(2) + ")";
        case nest_expression::form::within: {
            const auto open = open_bounds(e.bounds);
            if (!open) return operand(1);
            if (open->empty()) return operand(0);
            has_conditional_loads_ = has_conditional_loads_ || has_load(e.operands[0]) || has_load(e.operands[1]);
            return "(" + bounds(*open) + " ? " + operand(0) + " : " + operand(1) + ")";
        }
        case nest_expression::form::cast:
            return converted(n_.expressions[e.operands[0]].element, e.element, operand(0));
        case nest_expression::form::apply:
            break;
    }
    const std::string first = operand(0);
    return applied(e.function, n_.expressions[e.operands[0]].element, first, e.operands.size() == 2 ? operand(1) : std::string());
}

}  // namespace detail

outcome<c_function> to_c(const loop_nest& n, std::span<const printed_call> calls) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    return detail::c_printer(n, calls)();
}

}  // namespace inlay

#endif
