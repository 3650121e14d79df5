// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/relay_spelling.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

std::string type_text(const node_type& t) {
    std::string text;
    write_relay_type(text, t);
    return text;
}
std::string value_text(const attribute_value& v, bool pairs = false) {
    std::string text;
    write_relay_attribute(text, v, pairs, [](const tensor& t) { return t.count(); });
    return text;
}

}  // namespace

TEST_CASE("types are written as Relay has them") {
    const node_type number = tensor_type(element_type::int64, {}), a = node_type::variable("A");
    CHECK(type_text(number) == "int64");
    CHECK(type_text(tensor_type(element_type::float32, {1, extent(), extent("n"), extent("of the batch")})) ==
          "Tensor[(1, ?, n, \"of the batch\"), float32]");
    CHECK(type_text(node_type::tuple({number, tensor_type(element_type::int8, {0})})) == "(int64, Tensor[(0), int8])");
    CHECK(type_text(node_type::tuple({})) == "()");
    CHECK(type_text(node_type::tuple({number})) == "(int64,)");
    CHECK(type_text(node_type::tuple({number, node_type()})) == "(int64, _)");
    CHECK(type_text(node_type::reference(number)) == "ref(int64)");
    CHECK(type_text(node_type::function({}, number)) == "fn () -> int64");
    node_type generic = node_type::function({a, number}, node_type::tuple({a}));
    generic.variables = {"A", "B"};
    CHECK(type_text(generic) == "fn [A, B](A, int64) -> (A,)");
    CHECK(type_text(node_type::data("List", {node_type::data("Storage", {})})) == "List[Storage]");
    node_type deep = number;
    for (int i = 0; i < 1000; ++i) deep = node_type::tuple({deep});
    CHECK(type_text(deep).size() == 5 + 3 * 1000);
}

TEST_CASE("a type of unknown rank is written as Relay has it, open [placement.text.unknown-rank]") {
    const node_type open = tensor_type(element_type::boolean), number = tensor_type(element_type::int64, {});
    CHECK(type_text(open) == "_");
    CHECK(type_text(node_type::tuple({open, number})) == "(_, int64)");
    CHECK(type_text(node_type::function({open}, node_type::reference(open))) == "fn (_) -> ref(_)");
    CHECK(type_text(node_type::data("List", {open})) == "List[_]");
}

TEST_CASE("a data type is written with its constructors, or without where they are known elsewhere") {
    const node_type a = node_type::variable("A");
    std::string text;
    write_relay_definition(text, {"List", {"A"}, {{"Cons", {a, node_type::data("List", {a})}}, {"Nil", {}}}});
    write_relay_definition(text, {"Storage", {}, {}});
    write_relay_definition(text, {"Far", {"A", "B"}, {}, true});
    CHECK(text == "type List[A] {\n  Cons(A, List[A]),\n  Nil,\n}\ntype Storage {\n}\nextern type Far[A, B]\n");
}

TEST_CASE("numbers that Relay writes as they are have letters for their types") {
    CHECK(relay_literal(tensor::scalar(2.0f)) == "2f");
    CHECK(relay_literal(tensor::scalar(-1e-05f)) == "-1e-05f");
    CHECK(relay_literal(tensor::scalar(0.1)) == "0.1f64");
    CHECK(relay_literal(tensor::scalar(std::int32_t{-2})) == "-2");
    CHECK(relay_literal(tensor::scalar(std::int64_t{2})) == "2i64");
    CHECK(relay_literal(tensor::scalar(true)) == "True");
    CHECK_FALSE(relay_literal(tensor::scalar(std::uint8_t{2})));
    CHECK_FALSE(relay_literal(tensor::scalar(std::numeric_limits<float>::infinity())));
    CHECK_FALSE(relay_literal(tensor(element_type::int32, {1})));
}

TEST_CASE("attributes are written by their types") {
    CHECK(value_text(std::int64_t{-3}) == "-3");
    CHECK(value_text(0.5) == "0.5f64");
    CHECK(value_text(-HUGE_VAL) == "-inff64");
    CHECK(value_text(std::string("a \"b\" \\ \n\x01\x7F\xC3\xA4")) == "\"a \\\"b\\\" \\\\ \\n\\x01\\x7f\xC3\xA4\"");
    CHECK(value_text(std::vector<std::int64_t>{1, 2}) == "[1, 2]");
    CHECK(value_text(std::vector<std::int64_t>{1, 2, 3, 4}, true) == "[[1, 2], [3, 4]]");
    CHECK(value_text(std::vector<std::int64_t>{1, 2, 3}, true) == "[1, 2, 3]");
    CHECK(value_text(std::vector<double>{1}) == "[1f64]");
    CHECK(value_text(std::vector<std::string>{"a", ""}) == "[\"a\", \"\"]");
    CHECK(value_text(std::vector<std::int64_t>{}, true) == "[]");
    CHECK(value_text(tensor(element_type::int32, {7})) == "meta[relay.Constant][7]");
}

TEST_CASE("what is no name is written in quotes") {
    const auto written = [](std::string_view name, bool dots) {
        std::string text;
        detail::write_relay_name(text, name, dots);
        return text;
    };
    CHECK(written("a_1", false) == "a_1");
    CHECK(written("a.b", true) == "a.b");
    CHECK(written("a.b", false) == "\"a.b\"");
    CHECK(written("1a", true) == "\"1a\"");
    CHECK(written("a..b", true) == "\"a..b\"");
    CHECK(written("a.1", true) == "\"a.1\"");
    CHECK(written("", true) == "\"\"");
}
