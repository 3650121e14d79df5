// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_unit.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

c_part part(const std::string& body, std::vector<std::string> needs = {}) {
    c_part p;
    p.name = "part";
    p.text = "static void part(float* y) {\n    " + body + "\n}\n";
    p.needs = std::move(needs);
    return p;
}

}  // namespace

TEST_CASE("equal functions stand once in a file, and different ones have names of their own [c.unit]") {
    c_unit unit;
    CHECK(unit.add(part("y[0] = 1;", {"int helper;\n"}), "net_one") == "net_one");
    CHECK(unit.add(part("y[0] = 1;"), "net_other") == "net_one");
    CHECK(unit.add(part("y[0] = 2;", {"int helper;\n"}), "net_one") == "net_one_2");
    CHECK(unit.size() == 2);
    CHECK(unit.text() ==
          "#include <stdbool.h>\n#include <stdint.h>\n\nint helper;\n\nstatic void net_one(float* y) {\n    y[0] = 1;\n}\n\n"
          "static void net_one_2(float* y) {\n    y[0] = 2;\n}\n");
}

TEST_CASE("functions of mathematics are included where they are called [c.unit]") {
    c_unit unit;
    (void)unit.add(part("y[0] = expf(y[0]);"), "net");
    CHECK(unit.text().find("#include <math.h>\n") == 0);
    CHECK(detail::has_c_word("a = expf(b)", "expf"));
    CHECK_FALSE(detail::has_c_word("a = my_expf(b)", "expf"));
    CHECK(detail::with_c_word("part_2 = part + 1;", "part", "it") == "part_2 = it + 1;");
    CHECK(detail::as_c_word("3-rd \xc3\xa4") == "n3_rd___");
    CHECK(detail::c_comment("a */ b /* c\n") == "a * / b / * c\\x0a");
}

TEST_CASE("a function says which of its parameters it does not use [c.unit]") {
    const std::string parameters[] = {"const float* restrict x", "float* restrict y"};
    CHECK(detail::c_function_text("f", parameters, "    y[0] = 1;\n") ==
          "static void f(const float* restrict x, float* restrict y) {\n    (void)x;\n    y[0] = 1;\n}\n");
    CHECK(detail::c_function_text("g", {}, "") == "static void g(void) {\n}\n");
}

TEST_CASE("what a function calls stands before it, under a name of its own [c.unit]") {
    c_unit unit;
    c_part caller = part("_inner(y);");
    caller.callees = {detail::renamed(part("y[0] = 1;", {"int helper;\n"}), "_inner")};
    CHECK(unit.add(caller, "net_outer") == "net_outer");
    CHECK(
        unit.text().ends_with("int helper;\n\nstatic void net_outer_inner(float* y) {\n    y[0] = 1;\n}\n\n"
                              "static void net_outer(float* y) {\n    net_outer_inner(y);\n}\n"));
    CHECK(unit.add(part("y[0] = 1;"), "net_other") == "net_outer_inner");
    CHECK(unit.add(caller, "net_again") == "net_outer");
    CHECK(unit.size() == 2);
}

TEST_CASE("what is compiled beside a file is known once, whoever needs it [c.unit]") {
    c_unit unit;
    c_part one = part("y[0] = 1;"), other = part("y[0] = 2;");
    one.sources = {{"a.c", "int a;\n"}};
    other.sources = {{"a.c", "int a;\n"}, {"b.c", "int b;\n"}};
    (void)unit.add(one, "one");
    (void)unit.add(other, "other");
    CHECK(unit.sources() == other.sources);
}

TEST_CASE("any name of a tensor is a member that no macro has, and no two names are one member [c.members]") {
    std::set<std::string> taken;
    const auto member = [&](const std::string& known) { return inlay::detail::free_c_member(taken, known); };
    CHECK(member("x") == "x");
    CHECK(member("x") == "x_2");
    CHECK(member("w10") == "w10");
    CHECK(member("i386") == "i386_");
    for (const std::string word : {"NULL", "EOF", "I", "errno", "linux", "int", "INFINITY"}) CHECK(member(word) == word + "_");
    CHECK(member("a/b") == "a_b_");
    CHECK(member("a.b") == "a_b_2_");
    CHECK(member("a_b_2") == "a_b_2_2_");
    CHECK(member("") == "n_");
    CHECK(member("\xff\xfe*/") == "n_____");
    CHECK(member("7") == "n7_");
    const std::string first = member(std::string(5000, 'k') + "1"), second = member(std::string(5000, 'k') + "2");
    CHECK(first != second);
    CHECK(second.size() < 63);
}
