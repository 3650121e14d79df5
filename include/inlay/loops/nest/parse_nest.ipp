// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_PARSE_NEST_IPP
#define INLAY_LOOPS_NEST_PARSE_NEST_IPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/nest/parse_nest.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_builder.hpp>

namespace inlay {

namespace detail {

outcome<loop_nest> nest_parser::operator()() {
    auto made = nest();
    if (made && !c_.at_end()) return c_.expected("the end of the text");
    return made;
}

outcome<loop_nest> nest_parser::nest() {
    if (!c_.take_word("nest")) return c_.expected("'nest' and its name");
    if (auto head = name_and_buffers("nest"); !head) return head.failure();
    for (;;) {
        const bool is_external = is_head("external");
        if (!is_external && !is_head("intrinsic")) break;
        if (auto declared = function(is_external); !declared) return declared.failure();
    }
    auto body = block(0);
    if (!body) return body.failure();
    loop_nest made = std::move(made_).finish(*body);
    if (auto sound = check_nest(made); !sound) return sound.failure();
    return made;
}

outcome<loop_kind> nest_parser::kind_of_loop(const std::string& before) {
    const std::size_t place = c_.place();
    const auto kind = loop_kind_named(c_.take_name(false));
    if (!kind)
        return c_.fault("expected " + before + "how the loop runs: serial, parallel, vector, unrolled, block_x, thread_x, ...", place);
    return *kind;
}

outcome<void> nest_parser::name_and_buffers(const std::string& what) {
    const std::string_view name = c_.take_name(false);
    if (name.empty()) return c_.expected("the " + what + "'s name");
    made_ = nest_builder(std::string(name));
    buffers_.clear();
    variables_.clear();
    if (what == "external" && c_.take("("))
        while (!c_.take(")")) {
            if (!variables_.empty() && !c_.take(",")) return c_.expected("',' or ')'");
            const std::size_t place = c_.place();
            const std::string_view number = c_.take_name(false);
            if (number.empty()) return c_.expected("the name of a whole number");
            if (is_taken(number)) return c_.fault("the name " + quoted_text(number) + " is taken; choose another", place);
            variables_.push_back({number, made_.variable(number)});
        }
    if (!c_.take("{")) return c_.expected("'{'");
    for (;;) {
        std::optional<buffer_scope> scope;
        if (c_.take_word("input"))
            scope = buffer_scope::input;
        else if (c_.take_word("output"))
            scope = buffer_scope::output;
        if (!scope) return {};
        if (auto declared = declaration(*scope); !declared) return declared.failure();
    }
}

outcome<void> nest_parser::function(bool is_external) {
    const std::size_t place = c_.place();
    nest_builder outer = std::exchange(made_, nest_builder(""));
    const std::vector<named> buffers = std::move(buffers_), variables = std::move(variables_);
    if (auto head = name_and_buffers(is_external ? "external" : "intrinsic"); !head) return head;
    outcome<statement_id> body = statement_id{0};
    if (!is_external)
        body = block(0);
    else if (!c_.take("}"))
        return c_.expected("'}', since nobody knows what an external function means");
    if (!body) return body.failure();
    loop_nest made = std::move(made_).finish(*body);
    for (const loop_nest& f : outer.so_far().functions)
        if (f.name == made.name) return c_.fault("there is a function " + quoted_text(made.name) + " already; choose another name", place);
    made_ = std::move(outer);
    made_.function(std::move(made));
    buffers_ = buffers;
    variables_ = variables;
    return {};
}

outcome<statement_id> nest_parser::call() {
    const std::size_t place = c_.place();
    const std::string_view name = c_.take_name(false);
    std::vector<named> known;
    for (const loop_nest& f : made_.so_far().functions) known.push_back({f.name, static_cast<function_id>(known.size())});
    const named* const callee = find(known, name);
    if (callee == nullptr) return unknown("function", name, known, place);
    if (!c_.take("(")) return c_.expected("'('");
    const std::size_t buffers = parameters_of(made_.so_far().functions[callee->id]).size();
    std::vector<nest_place> places;
    std::vector<affine> numbers;
    while (!c_.take(")")) {
        if (!(places.empty() && numbers.empty()) && !c_.take(",")) return c_.expected("',' or ')'");
        if (places.size() == buffers) {
            auto number = index();
            if (!number) return number.failure();
            numbers.push_back(*std::move(number));
            continue;
        }
        const std::size_t buffer_place = c_.place();
        const std::string_view buffer_name = c_.take_name(false);
        const named* const buffer = find(buffers_, buffer_name);
        if (buffer == nullptr) return unknown("buffer", buffer_name, buffers_, buffer_place);
        auto at = indices();
        if (!at) return at.failure();
        auto axes = along();
        if (!axes) return axes.failure();
        places.push_back({buffer->id, *std::move(at), *std::move(axes)});
    }
    return made_.call(callee->id, std::move(places), std::move(numbers));
}

outcome<std::vector<window_axis>> nest_parser::along() {
    std::vector<window_axis> axes;
    if (!c_.take_word("along")) return axes;
    if (!c_.take("[")) return c_.expected("'[' and axes");
    while (!c_.take("]")) {
        if (!axes.empty() && !c_.take(",")) return c_.expected("',' or ']'");
        const std::size_t place = c_.place();
        const auto axis = whole_number("an axis of the buffer");
        if (!axis) return axis.failure();
        if (*axis < 0) return c_.fault("axes are 0 or more", place);
        const auto step = c_.take_word("by") ? whole_number("how many elements a step goes") : outcome<std::int64_t>(1);
        if (!step) return step.failure();
        axes.push_back({static_cast<std::size_t>(*axis), *step});
    }
    return axes;
}

outcome<buffer_id> nest_parser::declaration(buffer_scope scope) {
    const std::size_t place = c_.place();
    const std::string_view name = c_.take_name(false);
    if (name.empty()) return c_.expected("the buffer's name");
    if (is_taken(name)) return c_.fault("the name " + quoted_text(name) + " is taken; choose another", place);
    if (!c_.take(":")) return c_.expected("':' and the element type");
    const std::size_t type_place = c_.place();
    const auto element = element_type_named(c_.take_name(false));
    if (!element || size_of(*element) == 0) return c_.fault("expected an element type of a fixed size, such as float32", type_place);
    auto extents = whole_numbers("extents");
    if (!extents) return extents.failure();
    std::int64_t count = 1;
    for (const std::int64_t e : *extents)
        if (e < 0 || __builtin_mul_overflow(count, e == 0 ? 1 : e, &count))
            return c_.fault("extents are 0 or more, and their product has 64 bits", type_place);
    std::vector<std::int64_t> strides;
    if (c_.take_word("strides")) {
        auto given = whole_numbers("strides");
        if (!given) return given.failure();
        strides = *std::move(given);
    }
    const buffer_id made = made_.buffer(scope, name, *element, *std::move(extents), std::move(strides));
    buffers_.push_back({name, made});
    return made;
}

bool nest_parser::is_taken(std::string_view name) const {
    for (const auto& list : {buffers_, variables_})
        for (const named& n : list)
            if (n.name == name) return true;
    return false;
}

outcome<statement_id> nest_parser::block(std::size_t depth) {
    if (depth > deepest) return c_.fault("loops stand more than " + std::to_string(deepest) + " deep; write a flatter nest");
    std::vector<statement_id> parts;
    while (!c_.take("}")) {
        if (c_.at_end()) return c_.expected("'}'");
        auto part = statement(depth);
        if (!part) return part.failure();
        parts.push_back(*part);
    }
    return parts.size() == 1 ? parts.front() : made_.block(std::move(parts));
}

outcome<statement_id> nest_parser::braced(std::size_t depth) {
    if (!c_.take("{")) return c_.expected("'{'");
    return block(depth + 1);
}

outcome<statement_id> nest_parser::statement(std::size_t depth) {
    if (c_.take_word("for")) return loop(depth);
    if (is_head("call")) return call();
    if (c_.take_word("if")) {
        auto all = bounds();
        if (!all) return all.failure();
        auto body = braced(depth);
        if (!body) return body.failure();
        return made_.guard(*std::move(all), *body);
    }
    for (const buffer_scope scope : {buffer_scope::scratch, buffer_scope::stack, buffer_scope::shared})
        if (c_.take_word(name_of(scope))) {
            auto buffer = declaration(scope);
            if (!buffer) return buffer.failure();
            auto body = braced(depth);
            if (!body) return body.failure();
            return made_.allocate(*buffer, *body);
        }
    return assignment();
}

outcome<statement_id> nest_parser::loop(std::size_t depth) {
    const std::size_t place = c_.place();
    const std::string_view name = c_.take_name(false);
    if (name.empty()) return c_.expected("the loop's variable");
    if (is_taken(name)) return c_.fault("the name " + quoted_text(name) + " is taken; give each loop a variable of its own", place);
    if (!c_.take("<")) return c_.expected("'<' and the loop's extent");
    auto extent = whole_number("the loop's extent");
    if (!extent) return extent.failure();
    loop_kind runs = loop_kind::serial;
    if (c_.next() != '{') {
        const auto kind = kind_of_loop("'{' or ");
        if (!kind) return kind.failure();
        runs = *kind;
    }
    const variable_id v = made_.variable(name);
    variables_.push_back({name, v});
    auto body = braced(depth);
    if (!body) return body.failure();
    return made_.loop(v, *extent, *body, runs);
}

outcome<statement_id> nest_parser::assignment() {
    const std::size_t place = c_.place();
    const std::string_view name = c_.take_name(false);
    if (name.empty()) return c_.expected("a statement: for, if, scratch, stack, shared, or a buffer that is written");
    const named* buffer = find(buffers_, name);
    if (buffer == nullptr) return unknown("buffer", name, buffers_, place);
    auto at = indices();
    if (!at) return at.failure();
    std::optional<scalar_function> update;
    if (c_.take("+=")) {
        update = scalar_function::add;
    } else if (c_.take("*=")) {
        update = scalar_function::multiply;
    } else if (!c_.take("=")) {
        const std::size_t function_place = c_.place();
        const auto function = scalar_function_named(c_.take_name(false));
        if (!function || !combines(*function) || !c_.take("="))
            return c_.fault("expected '=', '+=', '*=', 'max=', 'min=', 'both=' or 'either='", function_place);
        update = function;
    }
    auto value = expression(0, 0);
    if (!value) return value.failure();
    return update ? made_.update(buffer->id, *std::move(at), *update, *value) : made_.store(buffer->id, *std::move(at), *value);
}

}  // namespace detail

outcome<loop_nest> parse_nest(std::string_view text) { return detail::nest_parser(text)(); }

}  // namespace inlay

#endif
