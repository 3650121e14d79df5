// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/parse_rules.hpp>

#include <string>

#include <doctest/doctest.h>

#include "small_program.hpp"

using namespace inlay;

namespace {

std::string fault(const std::string& text) {
    const auto rules = parse_rules(text, "rule file 'r'", {"onnx"});
    return rules ? std::string() : rules.failure().message;
}
bool names(const std::string& text, const std::string& place, const std::string& words) {
    const std::string message = fault(text);
    CAPTURE(message);
    return message.starts_with("rule file 'r', " + place + ": ") && message.find(words) != std::string::npos && message.ends_with("^");
}

}  // namespace

TEST_CASE("rules are read with their names, policies and conditions") {
    const auto rules = parse_rules(
        "// two rules\nfirst: Abs(?a:Abs) => ?a;\n\"second one\" [duplicate]: Add(?x, ?y) => Neg(?x) when same_type(?x, ?y), "
        "read_once(?x);\n",
        "rules", {"onnx"});
    REQUIRE(rules);
    const auto& e = rules->entries();
    REQUIRE(e.size() == 2);
    CHECK(e[0].name == "first");
    CHECK(e[0].policy == overlap::forbid);
    CHECK(to_text(e[0].left_view) == "onnx.Abs(?a:onnx.Abs)");
    CHECK(e[1].name == "second one");
    CHECK(e[1].policy == overlap::duplicate);
    CHECK(e[1].conditions.size() == 2);
    CHECK((rules->rows<working_graph<ir_module>>()[1].when != nullptr));
    CHECK(parse_rules("")->entries().empty());
}

TEST_CASE("what is wrong with a rule is told with its line and column") {
    CHECK(names("a Abs(?x) => ?x;", "line 1, column 3", "':'"));
    CHECK(names("a: Abs(?x => ?x;", "line 1, column 11", "',' or ')'"));
    CHECK(names("a: Abs(?x) -> ?x;", "line 1, column 12", "'=>'"));
    CHECK(names("a: Abs(?x) => ?x", "line 1, column 17", "';'"));
    CHECK(names("a: Abs(?x)\n  => ?y;", "line 2, column 6", "does not bind"));
    CHECK(names("a: Abs(?x) | Neg(?y) => ?x;", "line 1, column 25", "some of its alternatives"));
    CHECK(names("a: Abs(?x) => *;", "line 1, column 15", "how to build"));
    CHECK(names("a: Abs(?x) => Abs(?x);", "line 1, column 4", "the same"));
    CHECK(names("a: Abs(?x) => ?x;\na: Neg(?x) => ?x;", "line 2, column 1", "already"));
    CHECK(names("a [both]: Abs(?x) => ?x;", "line 1, column 4", "'duplicate'"));
    CHECK(names("a: Abs(?x) => ?x when ready;", "line 1, column 23", "a condition"));
    CHECK(names("a: Abs(?x) => ?x when same_type(?x, ?y);", "line 1, column 37", "?y"));
    CHECK(names("a: _ => ?x;", "line 1, column 4", "hole"));
    CHECK(names(": Abs(?x) => ?x;", "line 1, column 1", "the name of a rule"));
    CHECK(names("a: Abs[?x](?x) => ?x;", "line 1, column 8", "right side"));
}

TEST_CASE("conditions read types and readers") {
    small_program p;
    const node_id x = p.input({2}, "x"), y = p.input({3}, "y"), a = p.call("Abs", {x}), b = p.call("Neg", {a});
    const ir_module m = p.finish({b, p.call("Abs", {y})});
    const working_graph<ir_module> w(m);
    const auto holds = [&](const char* condition, node_id one, node_id other) {
        const auto rules = parse_rules("r: F(?a, ?b) => ?a when " + std::string(condition) + ";");
        REQUIRE(rules);
        const auto rows = rules->rows<working_graph<ir_module>>();
        const std::vector<node_id> bound{one, other};
        return rows[0].when(rows[0].self, w, one, bound).taken;
    };
    CHECK(holds("same_type(?a, ?b)", x, a));
    CHECK_FALSE(holds("same_type(?a, ?b)", x, y));
    CHECK(holds("same_element(?a, ?b)", x, y));
    CHECK_FALSE(holds("same_shape(?a, ?b)", x, y));
    CHECK(holds("same_shape(?a, ?b)", x, b));
    CHECK(holds("read_once(?a)", a, a));
    CHECK_FALSE(holds("read_once(?a)", x, x));
    CHECK_FALSE(holds("same_element(?a, ?b), same_shape(?a, ?b)", x, y));
}

TEST_CASE("a rule in text states its class beside what it does with shared nodes, and is bounded if it does not") {
    const auto rules = parse_rules(
        "a: Abs(?x) => ?x; b [exact]: Neg(?x) => ?x; c [duplicate, cancelling]: Exp(?x) => ?x; d [bounded, forbid]: Log(?x) => ?x;");
    REQUIRE(rules);
    const auto rows = rules->rows<working_graph<ir_module>>();
    CHECK(rows[0].kind == exactness::bounded);
    CHECK(rows[1].kind == exactness::exact);
    CHECK(rows[2].kind == exactness::cancelling);
    CHECK(rows[2].policy == overlap::duplicate);
    CHECK(rows[3].kind == exactness::bounded);
    CHECK(rows[3].policy == overlap::forbid);
    CHECK(names("a [wrong]: Abs(?x) => ?x;", "line 1, column 4", "'exact', 'bounded' or 'cancelling'"));
    CHECK(names("a [exact,]: Abs(?x) => ?x;", "line 1, column 10", "'duplicate'"));
}

TEST_CASE("a condition in text asks along which axes of a value another one varies") {
    small_program p;
    const node_id x = p.input({2, 4, 4}, "x"), row = p.input({4}, "row"), column = p.input({4, 1}, "column"), one = p.input({1}, "one");
    const ir_module m = p.finish({p.call("Add", {p.call("Add", {p.call("Add", {x, row}), column}), one})});
    const working_graph<ir_module> w(m);
    const auto holds = [&](const std::string& axes, node_id c) {
        const auto rules = parse_rules("r: F(?c, ?x) => ?x when along(?c, ?x" + axes + ");");
        REQUIRE_MESSAGE(rules, (rules ? std::string() : rules.failure().message));
        const auto rows = rules->rows<working_graph<ir_module>>();
        const std::vector<node_id> bound{c, x};
        return rows[0].when(rows[0].self, w, x, bound).taken;
    };
    CHECK(holds(", -1", row));
    CHECK_FALSE(holds(", -1", column));
    CHECK(holds(", 1", column));
    CHECK_FALSE(holds(", 1", row));
    CHECK(holds(", -2, -1", column));
    CHECK(holds("", one));
    CHECK_FALSE(holds("", row));
    CHECK_FALSE(holds(", 3", row));
    CHECK(names("a: F(?c, ?x) => ?x when along(?c, ?x, y);", "line 1, column 39", "the number of an axis"));
}
