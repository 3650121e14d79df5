// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_PARSE_NEST_HPP
#define INLAY_LOOPS_PARSE_NEST_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/check_nest.hpp>
#include <inlay/loops/loop_nest.hpp>
#include <inlay/loops/nest_builder.hpp>
#include <inlay/pattern/text/text_cursor.hpp>

namespace inlay {

namespace detail {

class nest_parser {
public:
    explicit nest_parser(std::string_view text) : c_(text, "loop nest"), made_("") {}

    [[nodiscard]] outcome<loop_nest> operator()() {
        if (!c_.take_word("nest")) return c_.expected("'nest' and its name");
        if (auto head = name_and_buffers("nest"); !head) return head.failure();
        for (;;) {
            const bool is_external = is_head("external");
            if (!is_external && !is_head("intrinsic")) break;
            if (auto declared = function(is_external); !declared) return declared.failure();
        }
        auto body = block(0);
        if (!body) return body.failure();
        if (!c_.at_end()) return c_.expected("the end of the text");
        loop_nest nest = std::move(made_).finish(*body);
        if (auto sound = check_nest(nest); !sound) return sound.failure();
        return nest;
    }

private:
    /// Deeper texts than anybody writes are refused before they fill the stack.
    static constexpr std::size_t deepest = 200, most_terms = 2000;

    struct named {
        std::string_view name;
        std::uint32_t id = 0;
    };

    /// Takes a word that begins a function or a call, and is no buffer of that name.
    [[nodiscard]] bool is_head(std::string_view word) { return !c_.looking_at(std::string(word) + "[") && c_.take_word(word); }

    /// The name of a nest or function, a brace, and its inputs and outputs.
    [[nodiscard]] outcome<void> name_and_buffers(const std::string& what) {
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

    /// A function of the nest that is being read.
    [[nodiscard]] outcome<void> function(bool is_external) {
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
            if (f.name == made.name)
                return c_.fault("there is a function " + quoted_text(made.name) + " already; choose another name", place);
        made_ = std::move(outer);
        made_.function(std::move(made));
        buffers_ = buffers;
        variables_ = variables;
        return {};
    }

    /// `mma(a[4*i, 0], c[0, 0], 3*i)`
    [[nodiscard]] outcome<statement_id> call() {
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

    /// `along [2, 0 by 3]`, or nothing
    [[nodiscard]] outcome<std::vector<window_axis>> along() {
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

    [[nodiscard]] outcome<std::int64_t> whole_number(std::string_view what) {
        const std::size_t place = c_.place();
        const std::string_view text = c_.take_number();
        std::int64_t value = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size())
            return c_.fault("expected " + std::string(what) + ", a whole number of 64 bits", place);
        return value;
    }
    [[nodiscard]] outcome<std::vector<std::int64_t>> whole_numbers(std::string_view what) {
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

    [[nodiscard]] outcome<buffer_id> declaration(buffer_scope scope) {
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

    [[nodiscard]] bool is_taken(std::string_view name) const {
        for (const auto& list : {buffers_, variables_})
            for (const named& n : list)
                if (n.name == name) return true;
        return false;
    }
    [[nodiscard]] static const named* find(const std::vector<named>& list, std::string_view name) {
        for (const named& n : list)
            if (n.name == name) return &n;
        return nullptr;
    }
    [[nodiscard]] error unknown(std::string_view what, std::string_view name, const std::vector<named>& list, std::size_t place) const {
        std::vector<std::string> names;
        for (const named& n : list) names.emplace_back(n.name);
        return c_.fault("there is no " + std::string(what) + " " + quoted_text(name) + name_hint(std::string(name), names), place);
    }

    /// Statements up to the brace that closes them.
    [[nodiscard]] outcome<statement_id> block(std::size_t depth) {
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
    [[nodiscard]] outcome<statement_id> braced(std::size_t depth) {
        if (!c_.take("{")) return c_.expected("'{'");
        return block(depth + 1);
    }

    [[nodiscard]] outcome<statement_id> statement(std::size_t depth) {
        if (c_.take_word("for")) return loop(depth);
        if (is_head("call")) return call();
        if (c_.take_word("if")) {
            auto all = bounds();
            if (!all) return all.failure();
            auto body = braced(depth);
            if (!body) return body.failure();
            return made_.guard(*std::move(all), *body);
        }
        for (const buffer_scope scope : {buffer_scope::scratch, buffer_scope::stack})
            if (c_.take_word(name_of(scope))) {
                auto buffer = declaration(scope);
                if (!buffer) return buffer.failure();
                auto body = braced(depth);
                if (!body) return body.failure();
                return made_.allocate(*buffer, *body);
            }
        return assignment();
    }

    [[nodiscard]] outcome<statement_id> loop(std::size_t depth) {
        const std::size_t place = c_.place();
        const std::string_view name = c_.take_name(false);
        if (name.empty()) return c_.expected("the loop's variable");
        if (is_taken(name)) return c_.fault("the name " + quoted_text(name) + " is taken; give each loop a variable of its own", place);
        if (!c_.take("<")) return c_.expected("'<' and the loop's extent");
        auto extent = whole_number("the loop's extent");
        if (!extent) return extent.failure();
        loop_kind runs = loop_kind::serial;
        if (const std::size_t kind_place = c_.place(); c_.next() != '{') {
            const auto kind = loop_kind_named(c_.take_name(false));
            if (!kind)
                return c_.fault("expected '{' or how the loop runs: serial, parallel, vector, unrolled, block_x, thread_x, ...",
                                kind_place);
            runs = *kind;
        }
        const variable_id v = made_.variable(name);
        variables_.push_back({name, v});
        auto body = braced(depth);
        if (!body) return body.failure();
        return made_.loop(v, *extent, *body, runs);
    }

    [[nodiscard]] outcome<statement_id> assignment() {
        const std::size_t place = c_.place();
        const std::string_view name = c_.take_name(false);
        if (name.empty()) return c_.expected("a statement: for, if, scratch, stack, or a buffer that is written");
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

    [[nodiscard]] outcome<std::vector<affine>> indices() {
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
    /// `2*i + j - 1`
    [[nodiscard]] outcome<affine> index() {
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
    [[nodiscard]] outcome<std::vector<affine_bound>> bounds() {
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

    /// `level`: 0 a sum, 1 a product.
    [[nodiscard]] outcome<expression_id> expression(int level, std::size_t depth) {
        if (depth > deepest)
            return c_.fault("an expression stands more than " + std::to_string(deepest) + " deep; compute parts of it before");
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

    [[nodiscard]] outcome<std::vector<expression_id>> operands(std::size_t depth) {
        std::vector<expression_id> all;
        while (!c_.take(")")) {
            if (!all.empty() && !c_.take(",")) return c_.expected("',' or ')'");
            auto one = expression(0, depth + 1);
            if (!one) return one.failure();
            all.push_back(*one);
        }
        return all;
    }

    [[nodiscard]] outcome<expression_id> primary(std::size_t depth) {
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
            return c_.fault(
                quoted_text(name) + " takes " + std::to_string(count) + " operands here, and has " + std::to_string(given->size()), place);
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

    [[nodiscard]] outcome<expression_id> constant() {
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

    text_cursor c_;
    nest_builder made_;
    std::vector<named> buffers_, variables_;
};

}  // namespace detail

/// A nest from its text, as `to_text` writes it; blanks, ends of lines and comments behind `//` mean nothing. What it gives is sound. The
/// error names the place in the text, or what `check_nest` found.
[[nodiscard]] inline outcome<loop_nest> parse_nest(std::string_view text) { return detail::nest_parser(text)(); }

}  // namespace inlay

#endif
