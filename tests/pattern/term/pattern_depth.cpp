// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/pattern_depth.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/text/parse_pattern.hpp>

using namespace inlay;

namespace {

std::size_t depth(const char* text) {
    const auto p = parse_pattern(text);
    REQUIRE(p);
    return pattern_depth(p->view());
}
std::vector<std::string> roots(const char* text) {
    const auto p = parse_pattern(text);
    REQUIRE(p);
    const pattern_view v = p->view();
    std::vector<std::string_view> names;
    if (!root_operators(v, v.root, names)) return {"?"};
    return {names.begin(), names.end()};
}

}  // namespace

TEST_CASE("depth counts the nodes on the longest way into a match") {
    CHECK(depth("*") == 0);
    CHECK(depth("f") == 1);
    CHECK(depth("f(g, h(*))") == 2);
    CHECK(depth("f(g(h(?x:k)) | k)[a=1]{float32}") == 4);
    CHECK(depth("f(!g(h))") == 3);
    for (const char* text : {"repeat(f(_), g)", "%c:f(%c | g)", "dominates(f, *, g)"}) CHECK(depth(text) == unbounded_depth);
}

TEST_CASE("the operators of a match's root are known where its terms tell them") {
    using names = std::vector<std::string>;
    CHECK(roots("f(g)") == names{"f"});
    CHECK(roots("f/g | ?x:h[a=1]{float32}") == names{"f", "g", "h"});
    CHECK(roots("* & f(g)") == names{"f"});
    CHECK(roots("dominates(f, g, h)") == names{"h"});
    CHECK(roots("repeat(f(_), g)") == names{"f", "g"});
    for (const char* text : {"*", "*(f)", "f | ?x", "!f", "const", "(f, g)", "f.0", "repeat(f(_), *)"}) CHECK(roots(text) == names{"?"});
}
