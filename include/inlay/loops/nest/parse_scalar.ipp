// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_PARSE_SCALAR_IPP
#define INLAY_LOOPS_NEST_PARSE_SCALAR_IPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <inlay/loops/nest/parse_scalar.hpp>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay::detail {

outcome<std::int64_t> scalar_parser::whole_number(std::string_view what) {
    const std::size_t place = c_.place();
    const std::string_view text = c_.take_number();
    std::int64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size())
        return c_.fault("expected " + std::string(what) + ", a whole number of 64 bits", place);
    return value;
}

outcome<std::vector<std::int64_t>> scalar_parser::whole_numbers(std::string_view what) {
    std::vector<std::int64_t> numbers;
    if (!c_.take("[")) return c_.expected("'[' and " + std::string(what));
    while (!c_.take("]")) {
        if (!numbers.empty() && !c_.take(",")) return c_.expected("',' or ']'");
        auto number = whole_number(what);
        if (!number) return number.failure();
        numbers.push_back(*number);
    }
    return numbers;
}

const scalar_parser::named* scalar_parser::find(const std::vector<named>& list, std::string_view name) {
    for (const named& n : list)
        if (n.name == name) return &n;
    return nullptr;
}

error scalar_parser::unknown(std::string_view what, std::string_view name, const std::vector<named>& list, std::size_t place) const {
    std::vector<std::string> names;
    for (const named& n : list) names.emplace_back(n.name);
    return c_.fault("there is no " + std::string(what) + " " + quoted_text(name) + name_hint(std::string(name), names), place);
}

outcome<std::vector<affine>> scalar_parser::indices() {
    std::vector<affine> all;
    if (!c_.take("[")) return c_.expected("'[' and indices");
    while (!c_.take("]")) {
        if (!all.empty() && !c_.take(",")) return c_.expected("',' or ']'");
        auto one = index();
        if (!one) return one.failure();
        all.push_back(*std::move(one));
    }
    return all;
}

outcome<affine> scalar_parser::index() {
    affine sum;
    for (bool first = true;; first = false) {
        const std::int64_t sign = c_.take("-") ? -1 : 1;
        if (sign > 0 && !first && !c_.take("+")) return sum;
        std::int64_t factor = 1;
        const bool has_number = c_.next() >= '0' && c_.next() <= '9';
        if (has_number) {
            auto number = whole_number("an index");
            if (!number) return number.failure();
            factor = *number;
        }
        if (has_number && !c_.take("*")) {
            sum += affine(factor) * sign;
            continue;
        }
        const std::size_t place = c_.place();
        const std::string_view name = c_.take_name(false);
        if (name.empty()) return c_.expected("a loop's variable or a whole number");
        const named* v = find(variables_, name);
        if (v == nullptr) return unknown("loop over", name, variables_, place);
        sum += affine::of(v->id, factor) * sign;
    }
}

outcome<std::vector<affine_bound>> scalar_parser::bounds() {
    std::vector<affine_bound> all;
    do {
        affine_bound b;
        auto low = whole_number("the least value");
        if (!low) return low.failure();
        if (!c_.take("<=")) return c_.expected("'<='");
        auto value = index();
        if (!value) return value.failure();
        if (!c_.take("<")) return c_.expected("'<'");
        auto high = whole_number("what the value stays under");
        if (!high) return high.failure();
        all.push_back({*low, *std::move(value), *high});
    } while (c_.take_word("and"));
    return all;
}

outcome<expression_id> scalar_parser::expression(int level, std::size_t depth) {
    if (depth > deepest) return c_.fault("an expression stands more than " + std::to_string(deepest) + " deep; compute parts of it before");
    auto left = level == 1 ? primary(depth) : expression(1, depth);
    for (std::size_t terms = 1; left; ++terms) {
        std::optional<scalar_function> f;
        if (level == 0 && c_.take("+"))
            f = scalar_function::add;
        else if (level == 0 && c_.take("-"))
            f = scalar_function::subtract;
        else if (level == 1 && c_.take("*"))
            f = scalar_function::multiply;
        else if (level == 1 && c_.take("/"))
            f = scalar_function::divide;
        if (!f) break;
        if (terms == most_terms)
            return c_.fault("an expression has more than " + std::to_string(most_terms) + " terms; compute parts of it before");
        auto right = level == 1 ? primary(depth) : expression(1, depth);
        if (!right) return right;
        left = made_.apply(*f, {*left, *right});
    }
    return left;
}

outcome<std::vector<expression_id>> scalar_parser::operands(std::size_t depth) {
    std::vector<expression_id> all;
    while (!c_.take(")")) {
        if (!all.empty() && !c_.take(",")) return c_.expected("',' or ')'");
        auto one = expression(0, depth + 1);
        if (!one) return one.failure();
        all.push_back(*one);
    }
    return all;
}

outcome<expression_id> scalar_parser::primary(std::size_t depth) {
    if (c_.take("(")) {
        auto inside = expression(0, depth + 1);
        if (inside && !c_.take(")")) return c_.expected("')'");
        return inside;
    }
    const std::size_t place = c_.place();
    if (c_.take_word("true")) return made_.integer(1, element_type::boolean);
    if (c_.take_word("false")) return made_.integer(0, element_type::boolean);
    if (c_.next() == '-' || (c_.next() >= '0' && c_.next() <= '9') || c_.looking_at("inf") || c_.looking_at("nan")) return constant();
    const std::string_view name = c_.take_name(false);
    if (name.empty()) return c_.expected("a number, an element of a buffer or a function");
    if (c_.next() == '[') {
        const named* buffer = find(buffers_, name);
        if (buffer == nullptr) return unknown("buffer", name, buffers_, place);
        auto at = indices();
        if (!at) return at.failure();
        return made_.load(buffer->id, *std::move(at));
    }
    if (!c_.take("(")) return c_.expected("'[' behind a buffer or '(' behind a function");
    if (name == "index") {
        auto value = index();
        if (!value) return value.failure();
        if (!c_.take(")")) return c_.expected("')'");
        return made_.index(*std::move(value));
    }
    std::vector<affine_bound> all_bounds;
    if (name == "within") {
        auto all = bounds();
        if (!all) return all.failure();
        all_bounds = *std::move(all);
        if (!c_.take(",")) return c_.expected("',' and what stands within these bounds");
    }
    auto given = operands(depth);
    if (!given) return given.failure();
    const auto takes = [&](std::size_t count) -> outcome<void> {
        if (given->size() == count) return {};
        return c_.fault(quoted_text(name) + " takes " + std::to_string(count) + " operands here, and has " + std::to_string(given->size()),
                        place);
    };
    if (name == "within") {
        if (auto right = takes(2); !right) return right.failure();
        return made_.within(std::move(all_bounds), (*given)[0], (*given)[1]);
    }
    if (name == "choose") {
        if (auto right = takes(3); !right) return right.failure();
        return made_.choose((*given)[0], (*given)[1], (*given)[2]);
    }
    if (const auto to = element_type_named(name); to && size_of(*to) != 0) {
        if (auto right = takes(1); !right) return right.failure();
        return made_.cast(given->front(), *to);
    }
    const auto f = scalar_function_named(name);
    if (!f) return c_.fault("there is no function " + quoted_text(name), place);
    if (auto right = takes(facts_of(*f).arity); !right) return right.failure();
    return made_.apply(*f, *std::move(given));
}

outcome<expression_id> scalar_parser::constant() {
    const std::size_t place = c_.place();
    const std::string_view text = c_.take_number();
    const bool is_real = text.find_first_of(".einI") != std::string_view::npos;
    element_type element = is_real ? element_type::float32 : element_type::int64;
    if (c_.take(":")) {
        const auto given = element_type_named(c_.take_name(false));
        if (!given || size_of(*given) == 0) return c_.fault("expected an element type of a fixed size behind ':'", place);
        element = *given;
    }
    if (is_floating(element) != is_real) return c_.fault("floating numbers have a point, whole ones have none", place);
    double number = 0;
    std::int64_t integer = 0;
    const char* const end = text.data() + text.size();
    const auto read = is_real ? std::from_chars(text.data(), end, number) : std::from_chars(text.data(), end, integer);
    if (text.empty() || read.ec != std::errc() || read.ptr != end) return c_.fault("this is no number that fits", place);
    return is_real ? made_.number(number, element) : made_.integer(integer, element);
}

}  // namespace inlay::detail

#endif
