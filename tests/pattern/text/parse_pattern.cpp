// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/parse_pattern.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "pattern/by_text.hpp"
#include "pattern/random_pattern.hpp"

using namespace pattern_test;

namespace {

/// The place that an error tells: "line:column".
std::string place(const std::string& said) {
    const auto number = [&](std::string_view word) {
        const std::size_t at = said.find(word);
        if (at == std::string::npos) return std::string("none");
        const std::size_t from = at + word.size();
        return said.substr(from, said.find_first_not_of("0123456789", from) - from);
    };
    return number("line ") + ":" + number("column ");
}

}  // namespace

TEST_CASE("what is printed is read back, prints the same and matches the same [pattern.text.reads-back]") {
    std::size_t patterns = 0, matches = 0;
    // RC_PARAMS=max_success=500 makes 10^4 patterns.
    CHECK(rc::check("random graphs and patterns", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
        dice d(seed);
        const ir_module g = random_program(d, 15).finish();
        const user_lists users(g);
        matcher<ir_module> m(g, users);
        for (int i = 0; i < 20; ++i) {
            const auto made = random_pattern(d, g, false).at(d.below(g.size()));
            RC_ASSERT(made.has_value());
            const std::string text = to_text(made->view());
            const auto read = parse_pattern(text);
            if (!read) RC_FAIL("seed " + std::to_string(seed) + ": " + text + "\n" + read.failure().message);
            if (to_text(read->view()) != text)
                RC_FAIL("seed " + std::to_string(seed) + ": " + text + "\nprints as " + to_text(read->view()));
            const auto all_of = [&](const pattern_view& p) {
                std::vector<std::vector<node_id>> found;
                for (node_id root = 0; root < g.size(); ++root)
                    m.each(p, root, [&](const found_match& one) {
                        found.emplace_back(one.covered.begin(), one.covered.end());
                        std::vector<node_id>& bound = found.emplace_back();
                        for (const std::string_view name : {"a", "b", "c", "d e"})
                            if (const std::size_t slot = p.slot(name); slot < p.slots.size()) bound.push_back(one.bound[slot]);
                        return false;
                    });
                return found;
            };
            const pattern_view was = made->view(), is = read->view();
            const auto expected = all_of(was);
            if (all_of(is) != expected)
                RC_FAIL("seed " + std::to_string(seed) + ": " + text + " matches something else when it is read back");
            ++patterns;
            matches += expected.size() / 2;
        }
    }));
    CHECK(matches > patterns);
}

TEST_CASE("every form of the text means what the words of the same meaning do") {
    const pattern_value p = read("?r:Add~2[axis=1, !mode](Relu/Tanh(*), ...)");
    const pattern_view v = p.view();
    const pattern_term& capture = v.top();
    CHECK(capture.kind == term_kind::capture);
    CHECK(v.slots[capture.place] == "r");
    const pattern_term& guard = v[v.child(capture, 0)];
    REQUIRE(guard.guards.size() == 2);
    CHECK(guard.guards[0].integers[0] == 1);
    CHECK(guard.guards[1].kind == attribute_guard::form::absent);
    const pattern_term& add = v[v.child(guard, 0)];
    CHECK(add.unordered);
    CHECK(add.open);
    CHECK(add.most == 2);
    REQUIRE(add.count == 1);
    const pattern_term& inner = v[v.child(add, 0)];
    CHECK_FALSE(inner.open);
    REQUIRE(inner.names.size() == 2);
    CHECK(inner.names[1] == "Tanh");
}

TEST_CASE("an operator without a dot is of the dialect, one in quotes is what is written") {
    pattern_text_options options;
    options.dialect = "onnx";
    const auto p = parse_pattern("Conv/nn.conv2d/\"Conv\"(*)", options);
    REQUIRE(p.has_value());
    const pattern_view v = p->view();
    REQUIRE(v.top().names.size() == 3);
    CHECK(v.top().names[0] == "onnx.Conv");
    CHECK(v.top().names[1] == "nn.conv2d");
    CHECK(v.top().names[2] == "Conv");
}

TEST_CASE("what is optional is the call, or its first operand alone; they share it") {
    const pattern_value p = read("Relu?(?x:Conv)");
    const pattern_view v = p.view();
    CHECK(v.top().kind == term_kind::either);
    CHECK(v.child(v[v.child(v.top(), 0)], 0) == v.child(v.top(), 1));
}

TEST_CASE("an error says what was expected, where, with a caret [pattern.text.one-sentence]") {
    CHECK(wrong("Relu(*") == "pattern, line 1, column 7: expected ',' or ')', found the end of the text\n  Relu(*\n        ^");
    CHECK(wrong("Relu(*))") ==
          "pattern, line 1, column 8: expected the end of the pattern, '|' or '&', found \")\"\n  Relu(*))\n         ^");
    CHECK(wrong("f(\n  g,\n  %h)") ==
          "pattern, line 3, column 3: nothing to the left or around defines %h; define it as in %h:p\n    %h)\n    ^");
    struct row {
        std::string_view text, place, says;
    };
    for (const row& r : std::vector<row>{{"", "1:1", "expected a pattern"},
                                         {"f(..., g)", "1:6", "')' behind '...'"},
                                         {"f |", "1:4", "expected a pattern"},
                                         {"?", "1:2", "a name behind '?'"},
                                         {"% a:", "1:5", "expected a pattern"},
                                         {"const#12", "1:7", "32 hexadecimal digits"},
                                         {"repeat(f)", "1:10", "repeat takes two patterns"},
                                         {"repeat[2..1](f(_), *)", "1:11", "less than its least"},
                                         {"repeat[-1..1](f(_), *)", "1:8", "how often at least"},
                                         {"repeat[1](f(_), *)", "1:9", "'..'"},
                                         {"repeat[1..2(f(_), *)", "1:12", "']'"},
                                         {"repeat f", "1:8", "'('"},
                                         {"dominates(f, g)", "1:16", "three patterns"},
                                         {"$read(*)", "1:1", "not read from text"},
                                         {"f.x.1.y", "1:7", "number of a field"},
                                         {"f[", "1:3", "name of an attribute"},
                                         {"f[a=]", "1:5", "value of an attribute"},
                                         {"f[a=[1,\"x\"]]", "1:6", "numbers or texts, not both"},
                                         {"f[a=[1 2]]", "1:8", "',' or ']'"},
                                         {"f[a b]", "1:5", "',' or ']'"},
                                         {"*{float31}", "1:3", "no element type 'float31'"},
                                         {"*{float32[-1]}", "1:11", "an extent"},
                                         {"*{float32[*,1]}", "1:12", "']' behind '*'"},
                                         {"*{float32", "1:10", "'}'"},
                                         {"*{(float32 int64)}", "1:12", "',' or ')'"},
                                         {"*{}", "1:3", "a type"},
                                         {"fn(*, ...)", "1:11", "stands first"},
                                         {"fn(..., *, *)", "1:10", "')' behind the function's result"},
                                         {"fn(... *)", "1:8", "the function's result"},
                                         {"Relu?", "1:6", "takes what it may stand around"},
                                         {"f~99999999999(*)", "1:3", "number of operands"},
                                         {"(f", "1:3", "',' or ')'"},
                                         {"let *", "1:5", "'('"},
                                         {"f(repeat)", "1:9", "'('"},
                                         {"f/const", "1:8", ""},
                                         {"\"abc", "1:1", "never closed"},
                                         {"f g", "1:3", "end of the pattern"}}) {
        const std::string said = wrong(r.text);
        CAPTURE(r.text);
        CAPTURE(said);
        if (r.says.empty()) {
            CHECK(said.empty());
            continue;
        }
        CHECK(place(said) == r.place);
        CHECK(said.find(r.says) != std::string::npos);
        CHECK(said.find("\n  ") != std::string::npos);
        CHECK(said.back() == '^');
    }
}

TEST_CASE("what is wrong with the whole is one sentence") {
    for (const auto& [text, says] :
         std::vector<std::pair<std::string_view, std::string_view>>{{"_", "hole '_' stands in no step"},
                                                                    {"repeat(f | _, *)", "repeated for ever"},
                                                                    {"%a:(f | %a)", "never end"},
                                                                    {"%a:f(!g(%a))", "under a negation"},
                                                                    {"repeat(f(_) & !g(_), *)", "under a negation"},
                                                                    {"%a:f(%a:g)", "has its name"}}) {
        CAPTURE(text);
        CHECK(wrong(text).find(says) != std::string::npos);
    }
}

TEST_CASE("hostile text is refused with one sentence, soon [pattern.text.hostile]") {
    const auto begin = std::chrono::steady_clock::now();
    const auto many = [](std::string_view what, std::size_t times) {
        std::string text;
        for (std::size_t i = 0; i < times; ++i) text += what;
        return text;
    };
    CHECK(wrong(many("(", 1'000'000)).find("nested more than 200 deep") != std::string::npos);
    CHECK(wrong(many("!", 1'000'000)).find("nested more than 200 deep") != std::string::npos);
    CHECK(wrong(many("?x:", 100'000)).find("nested more than 200 deep") != std::string::npos);
    CHECK(wrong("*" + many(".0", 1'000'000)).find("nested more than 200 deep") != std::string::npos);
    CHECK(wrong("*" + many("[a]", 1'000'000)).find("nested more than 200 deep") != std::string::npos);
    CHECK(wrong("*{" + many("(", 1'000'000)).find("nested more than 200 deep") != std::string::npos);
    CHECK(place(wrong(many("|", 100'000))) == "1:1");
    CHECK(wrong("*" + many("|*", 100'000)).find("more than 10000 terms") != std::string::npos);
    CHECK(wrong("f(" + many("%a:*,", 100'000)).find("more than 10000 terms") != std::string::npos);
    CHECK(wrong("f/" + many("g/", 100'000)).find("expected a pattern") != std::string::npos);
    CHECK(place(wrong(many("*&\n", 1'000))) == "1001:1");
    CHECK(place(wrong(many("a", 1'000'000) + ")")) == "1:1000001");
    CHECK(wrong("1e999").find("expected a number") != std::string::npos);
    CHECK(wrong("*{float32[" + many("9", 1'000) + "]}").find("an extent") != std::string::npos);
    CHECK(wrong("repeat[0..99999999999999999999](f(_), *)").find("how often at most") != std::string::npos);
    CHECK_FALSE(wrong(std::string_view("f(\0)", 4)).empty());
    CHECK_FALSE(wrong("f(\xFF\xFE)").empty());
    CHECK_FALSE(wrong("\x80").empty());
    // A deep pattern of names and holes is looked through for each of them.
    CHECK(wrong("f(" + many("%a:*,", 3'000) + "*)").empty());
    const auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    MESSAGE("hostile texts took " << took << " s");
    CHECK(took < 20);
    // The sentence itself is UTF-8, whatever the text was.
    for (const std::string& said : {wrong("f(\xFF\xFE)"), wrong("\x80"), wrong("\xC3\xA9"), wrong(many("\xC3\xA9", 200))}) {
        CAPTURE(said);
        std::size_t i = 0;
        while (i < said.size() && inlay::detail::character_length(said, i) != 0) i += inlay::detail::character_length(said, i);
        CHECK(i == said.size());
    }
}
