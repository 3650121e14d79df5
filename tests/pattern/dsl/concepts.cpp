// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/dsl/concepts.hpp>

#include <doctest/doctest.h>

namespace {

struct anything : inlay::pattern_tag {
    using binds = inlay::capture_names<"x", "w">;
    static constexpr inlay::term_counts counts{2, 1};
    static constexpr inlay::term_id write(inlay::term_writer& w) {
        inlay::pattern_term t;
        t.kind = inlay::term_kind::capture;
        t.name = "w";
        t.place = w.slot(t.name);
        return w.add(t, {w.add({})});
    }
};
struct untagged {
    using binds = inlay::capture_names<>;
    [[maybe_unused]] static constexpr inlay::term_counts counts{1, 0};
    static constexpr inlay::term_id write(inlay::term_writer& w) { return w.add({}); }
};
struct stateful : anything {
    int number = 0;
};
struct without_binds : inlay::pattern_tag {
    [[maybe_unused]] static constexpr inlay::term_counts counts{1, 0};
    static constexpr inlay::term_id write(inlay::term_writer& w) { return w.add({}); }
};
struct without_terms : inlay::pattern_tag {
    using binds = inlay::capture_names<>;
    [[maybe_unused]] static constexpr inlay::term_counts counts{1, 0};
};
struct privately : private anything {
    using anything::binds;
    using anything::counts;
    using anything::write;
};

}  // namespace

static_assert(inlay::pattern<anything>);
static_assert(!inlay::pattern<untagged>);
static_assert(!inlay::pattern<stateful>, "all there is to know of a pattern is its type");
static_assert(!inlay::pattern<without_binds>);
static_assert(!inlay::pattern<without_terms>);
static_assert(!inlay::pattern<privately>);
static_assert(!inlay::pattern<int>);

static_assert(inlay::view_of(anything{}).terms.size() == 2 && inlay::view_of(anything{}).links.size() == 1,
              "a pattern is data at compile time");
static_assert(inlay::view_of(anything{}).top().kind == inlay::term_kind::capture);
static_assert(inlay::view_of(inlay::detail::stand_in_pattern{}).top().kind == inlay::term_kind::any);

TEST_CASE("the view of a pattern is one, wherever it is asked for, and has what the pattern wrote") {
    CHECK(&inlay::view_of(anything{}) == &inlay::view_of(anything{}));
    const inlay::pattern_view& p = inlay::view_of(anything{});
    REQUIRE(p.slots.size() == 2);
    CHECK(p.slots[0] == "x");
    CHECK(p.top().place == 1);
    CHECK(p[p.child(p.top(), 0)].kind == inlay::term_kind::any);
}
