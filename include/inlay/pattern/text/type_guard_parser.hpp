// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_TYPE_GUARD_PARSER_HPP
#define INLAY_PATTERN_TEXT_TYPE_GUARD_PARSER_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/pattern/term/type_guard.hpp>
#include <inlay/pattern/text/pattern_words.hpp>
#include <inlay/pattern/text/read_number.hpp>
#include <inlay/pattern/text/text_cursor.hpp>

namespace inlay {

/// Reads the type that a pattern asks for: `float32[1,?,*]`, `(int64[], ?, ...)`. The guard refers to texts and lists that the parser
/// keeps.
class type_guard_parser {
public:
    type_guard_parser(text_cursor& cursor, std::size_t most_depth) : c_(cursor), most_depth_(most_depth) {}

    /// One type, nested at most so deep, counted from what stands around it.
    [[nodiscard]] outcome<type_guard> read(std::size_t depth = 0) {
        if (depth >= most_depth_) return c_.fault("the type is nested more than " + std::to_string(most_depth_) + " deep");
        type_guard t;
        if (c_.take("?")) return t;
        if (c_.take("(")) {
            t.kind = type_guard::form::tuple;
            std::vector<type_guard>& fields = fields_.emplace_back();
            while (!c_.take(")")) {
                if (c_.take("...")) {
                    t.open = true;
                    if (!c_.take(")")) return c_.expected("')' behind '...', which stands last");
                    break;
                }
                auto field = read(depth + 1);
                if (!field) return field;
                fields.push_back(*field);
                if (c_.take(")")) break;
                if (!c_.take(",")) return c_.expected("',' or ')' in the type of a tuple");
            }
            t.fields = fields;
            return t;
        }
        t.kind = type_guard::form::tensor;
        const std::size_t place = c_.place();
        const std::string_view element = c_.take_name(false);
        if (!element.empty() && element != "tensor") {
            const auto known = element_type_named(element);
            if (!known || *known == element_type::none)
                return c_.fault("there is no element type " + quoted_text(element) + "; types are written as float32[1,?,*]", place);
            t.element = *known;
        } else if (element.empty() && c_.next() != '[') {
            return c_.expected("a type, as in float32[1,?,*]");
        }
        if (!c_.take("[")) return t;
        t.shaped = true;
        std::vector<extent_guard>& extents = extents_.emplace_back();
        while (!c_.take("]")) {
            if (c_.take("*")) {
                t.open = true;
                if (!c_.take("]")) return c_.expected("']' behind '*', which stands last for all further extents");
                break;
            }
            extent_guard e;
            if (c_.next() == '"' || detail::is_name_start(c_.next())) {
                auto symbol = read_name(c_, "an extent");
                if (!symbol) return symbol.failure();
                e.symbol = texts_.emplace_back(std::move(*symbol));
            } else if (!c_.take("?")) {
                const auto size = read_whole<std::int64_t>(c_, "an extent: a number, a symbol, '?' for any, or '*' for all further ones");
                if (!size) return size.failure();
                e.size = *size;
            }
            extents.push_back(e);
            if (c_.take("]")) break;
            if (!c_.take(",")) return c_.expected("',' or ']' in a shape");
        }
        t.extents = extents;
        return t;
    }

private:
    text_cursor& c_;
    std::size_t most_depth_;
    // Deques: what guards refer to stays where it is.
    std::deque<std::string> texts_;
    std::deque<std::vector<extent_guard>> extents_;
    std::deque<std::vector<type_guard>> fields_;
};

}  // namespace inlay

#endif
