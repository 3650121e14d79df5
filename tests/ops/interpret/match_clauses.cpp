// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/match_clauses.hpp>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {

runtime_value number(float v) { return runtime_value(tensor::scalar(v)); }
runtime_value made(const char* constructor, std::vector<runtime_value> fields) {
    return runtime_value::of_record(constructor, std::move(fields));
}

/// What the variables of a pattern are bound to, as a list; "no" where the value does not match.
std::string bound(const char* pattern, const runtime_value& value) {
    const auto read = read_match_pattern(pattern);
    if (!read) return read.failure().message;
    std::vector<runtime_value> found;
    if (!match_value(*read, value, found)) return "no";
    std::string text;
    for (const runtime_value& v : found)
        text += (v.as_tensor() != nullptr ? std::to_string(v.as_tensor()->as<float>()[0]).substr(0, 1) : "*");
    return text;
}

ir_module matching(const attribute_map& attributes, std::size_t variables) {
    return program({f32({})}, [&](ir_builder& b, auto& x) {
        std::vector<node_id> operands{x[0]};
        for (std::size_t i = 0; i < variables; ++i) operands.push_back(b.input("v", f32({})));
        operands.push_back(x[0]);
        return b.add(node_kind::match, operands, 0, "m", {}, attributes);
    });
}
std::string why(const attribute_map& attributes, std::size_t variables) {
    const ir_module m = matching(attributes, variables);
    const auto clauses = match_clauses_of(m, named(m, "m"));
    return clauses ? "no error" : clauses.failure().message;
}

}  // namespace

TEST_CASE("A value matches where its constructors are the pattern's, and its parts are bound in reading order") {
    const runtime_value list = made("Cons", {number(1), made("Cons", {number(2), made("Nil", {})})});
    CHECK(bound("%", list) == "*");
    CHECK(bound("_", list).empty());
    CHECK(bound("Nil", list) == "no");
    CHECK(bound("Cons(%, _)", list) == "1");
    CHECK(bound("Cons(%, Cons(%, Nil))", list) == "12");
    CHECK(bound("Cons(_, Cons(%, %))", list) == "2*");
    CHECK(bound("Cons(%, Nil)", list) == "no");
    CHECK(bound("Cons(%)", list) == "no");
    const runtime_value pair = runtime_value::tuple({number(3), made("Some", {runtime_value::tuple({number(4), number(5)})})});
    CHECK(bound("(%, Some((_, %)))", pair) == "35");
    CHECK(bound("(%, None)", pair) == "no");
    CHECK(bound("(%, %, %)", pair) == "no");
    CHECK(bound("Some(%)", number(1)) == "no");
}

TEST_CASE("The clauses of a match say where their variables and results stand") {
    const ir_module m = program({f32({})}, [&](ir_builder& b, auto& x) {
        const node_id v = b.input("v", {}), w = b.input("w", {}), u = b.input("u", {});
        return b.add(node_kind::match, {x[0], v, w, v, u, u, x[0]}, 0, "m", {},
                     {{"clause_sizes", ints{2, 1, 0}}, {"patterns", strings{"Cons(%, %)", "Some(%)", "_"}}});
    });
    const auto clauses = match_clauses_of(m, named(m, "m"));
    REQUIRE(clauses.has_value());
    REQUIRE(clauses->size() == 3);
    CHECK((*clauses)[1].first_variable == 4);
    CHECK((*clauses)[1].result == 5);
    CHECK((*clauses)[2].result == 6);
}

TEST_CASE("Clauses that do not go with the match's operands are told") {
    CHECK(why({{"clause_sizes", ints{1}}, {"patterns", strings{"Some(%)"}}}, 1) == "no error");
    CHECK(why({{"clause_sizes", ints{1}}}, 1).find("0 patterns for 1 clauses") != std::string::npos);
    CHECK(why({{"clause_sizes", ints{5}}, {"patterns", strings{"%"}}}, 1).find("more variables than") != std::string::npos);
    CHECK(why({{"clause_sizes", ints{-1}}, {"patterns", strings{"%"}}}, 1).find("more variables than") != std::string::npos);
    CHECK(why({{"clause_sizes", ints{1}}, {"patterns", strings{"Some("}}}, 1).find("cannot be read") != std::string::npos);
    CHECK(why({{"clause_sizes", ints{1}}, {"patterns", strings{"Some(%, %)"}}}, 1).find("2 variables, and 1 operands") !=
          std::string::npos);
}
