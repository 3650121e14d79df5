// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_PARSE_SCHEDULE_IPP
#define INLAY_LOOPS_SCHEDULE_PARSE_SCHEDULE_IPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/loops/schedule/parse_schedule.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/parse_nest.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>

namespace inlay {

namespace detail {

class schedule_parser : nest_parser {
public:
    explicit schedule_parser(std::string_view text) : nest_parser(text, "schedule") {}

    [[nodiscard]] outcome<loop_schedule> operator()() {
        loop_schedule made;
        while (!c_.at_end()) {
            schedule_step s;
            if (auto read = step(s); !read) return read.failure();
            made.steps.push_back(std::move(s));
        }
        return made;
    }

private:
    [[nodiscard]] outcome<void> step(schedule_step& s) {
        using form = schedule_step::form;
        const auto is = [&](std::string_view word, form kind) {
            if (!c_.take_word(word)) return false;
            s.kind = kind;
            return true;
        };
        if (is("split", form::split)) return split(s);
        if (is("reorder", form::reorder)) return reorder(s);
        if (is("run", form::run)) return run(s);
        if (is("fuse", form::fuse)) {
            if (auto first = loop(s); !first) return first;
            return c_.take(",") ? loop(s) : c_.expected("',' and the loop behind it");
        }
        if (is("inline", form::inline_stage)) return name(s.buffer, "a buffer");
        if (is("compute", form::compute_at)) return buffer_at(s);
        if (is("cache", form::cache)) return cache(s);
        if (is("fission", form::fission)) return fission(s);
        if (is("put", form::put)) return put(s);
        if (is("call", form::call)) return call(s);
        return c_.expected("a step: split, reorder, run, fuse, fission, inline, compute, cache, put or call");
    }

    [[nodiscard]] outcome<void> name(std::string& into, const std::string& of) {
        into = std::string(c_.take_name(false));
        return into.empty() ? c_.expected("the name of " + of) : outcome<void>();
    }
    [[nodiscard]] outcome<void> loop(schedule_step& s) { return name(s.loops.emplace_back(), "a loop"); }
    [[nodiscard]] outcome<void> word(std::string_view what) {
        return c_.take_word(what) ? outcome<void>() : c_.expected("'" + std::string(what) + "'");
    }

    [[nodiscard]] outcome<void> split(schedule_step& s) {
        if (auto what = loop(s); !what) return what;
        if (auto by = word("by"); !by) return by;
        const auto factor = whole_number("how many rounds a tile has");
        if (!factor) return factor.failure();
        s.factor = *factor;
        if (auto into = word("into"); !into) return into;
        if (auto over = loop(s); !over) return over;
        return c_.take(",") ? loop(s) : c_.expected("',' and the loop in a tile");
    }
    [[nodiscard]] outcome<void> reorder(schedule_step& s) {
        if (!c_.take("[")) return c_.expected("'[' and loops");
        while (!c_.take("]")) {
            if (!s.loops.empty() && !c_.take(",")) return c_.expected("',' or ']'");
            if (auto one = loop(s); !one) return one;
        }
        return {};
    }
    [[nodiscard]] outcome<void> run(schedule_step& s) {
        if (auto what = loop(s); !what) return what;
        const auto runs = kind_of_loop("");
        if (!runs) return runs.failure();
        s.runs = *runs;
        return {};
    }
    [[nodiscard]] outcome<void> fission(schedule_step& s) {
        if (auto what = loop(s); !what) return what;
        if (auto after = word("after"); !after) return after;
        const auto count = whole_number("how many statements stay in the first loop");
        if (!count) return count.failure();
        s.factor = *count;
        if (!c_.take_word("into")) return {};
        do {
            if (auto other = loop(s); !other) return other;
        } while (c_.take(","));
        return {};
    }
    [[nodiscard]] outcome<void> put(schedule_step& s) {
        if (auto what = name(s.buffer, "a buffer"); !what) return what;
        if (auto in = word("in"); !in) return in;
        for (const buffer_scope scope : {buffer_scope::scratch, buffer_scope::stack, buffer_scope::shared})
            if (c_.take_word(name_of(scope))) return s.scope = scope, outcome<void>();
        return c_.expected("scratch, stack or shared");
    }
    [[nodiscard]] outcome<void> buffer_at(schedule_step& s) {
        if (auto what = name(s.buffer, "a buffer"); !what) return what;
        if (auto at = word("at"); !at) return at;
        return loop(s);
    }
    [[nodiscard]] outcome<void> cache(schedule_step& s) {
        if (auto where = buffer_at(s); !where) return where;
        if (auto as = word("as"); !as) return as;
        if (auto copy = name(s.copy, "the copy"); !copy) return copy;
        if (!c_.take_word("order")) return {};
        const std::size_t place = c_.place();
        const auto order = whole_numbers("axes");
        if (!order) return order.failure();
        for (const std::int64_t axis : *order) {
            if (axis < 0) return c_.fault("axes are 0 or more", place);
            s.order.push_back(static_cast<std::size_t>(axis));
        }
        return {};
    }
    [[nodiscard]] outcome<void> call(schedule_step& s) {
        if (auto what = loop(s); !what) return what;
        if (auto of = word("of"); !of) return of;
        auto function = nest();
        if (!function) return function.failure();
        s.function = *std::move(function);
        return {};
    }
};

}  // namespace detail

outcome<loop_schedule> parse_schedule(std::string_view text) { return detail::schedule_parser(text)(); }

}  // namespace inlay

#endif
