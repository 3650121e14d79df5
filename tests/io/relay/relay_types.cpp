// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_types.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/io/relay/relay_survey.hpp>

using namespace inlay;

namespace {

struct reader {
    relay_types types;
    std::string text;
    relay_faults faults{{}};

    explicit reader(std::string definitions = {}) : text(std::move(definitions)) {
        faults = relay_faults(text);
        static_cast<void>(survey_relay(text, types, faults));
    }
    /// The type of a text, or what is wrong with it.
    std::string read(std::string_view type) {
        relay_faults wrong(type);
        relay_cursor c(type, wrong);
        const auto made = types.read(c);
        if (!wrong.empty()) return wrong.all().front().message;
        CHECK(c.at_end());
        return made ? to_string(*made) : "";
    }
};

}  // namespace

TEST_CASE("types are tensors, tuples, functions, references and data") {
    reader r("type Pair[A, B] { Both(A, B) } extern type Far");
    CHECK(r.faults.empty());
    CHECK(r.read("int64") == "int64[]");
    CHECK(r.read("Tensor[(1, ?, n, \"odd\", 3i64), uint1]") == "bool[1,?,n,odd,3]");
    CHECK(r.read("Tensor[(), float16]") == "float16[]");
    CHECK(r.read("Tensor[(...), float32]") == "float32[*]");
    CHECK(r.read("()") == "()");
    CHECK(r.read("(int64)") == "int64[]");
    CHECK(r.read("(int64,)") == "(int64[])");
    CHECK(r.read("(int64, (_, ?),)") == "(int64[], (?, ?))");
    CHECK(r.read("fn () -> bool") == "fn() -> bool[]");
    CHECK(r.read("fn [X](X, fn <Y>(X, Y) -> Y) -> ref(X)") == "<X> fn(X, <Y> fn(X, Y) -> Y) -> ref(X)");
    CHECK(r.read("Pair[List[int8], Far]") == "Pair[List[int8[]], Far]");
    CHECK(r.read("Storage[]") == "Storage");
}

TEST_CASE("type variables stand for themselves until they are left") {
    reader r;
    const std::string text = "[A, B,] A";
    relay_faults faults(text);
    relay_cursor c(text, faults);
    std::vector<std::string> names;
    REQUIRE(r.types.read_variables(c, &names));
    CHECK(names == std::vector<std::string>{"A", "B"});
    CHECK(r.types.variables() == 2);
    CHECK(r.read("(A, B)") == "(A, B)");
    r.types.leave_variables(1);
    CHECK(r.read("B").starts_with("there is no type 'B'"));
    CHECK(r.read("A") == "A");
}

TEST_CASE("what is no type is told") {
    reader r("type Pair[A, B] { Both(A, B) }");
    CHECK(r.read("Pear[int8, int8]") == "there is no type 'Pear' (did you mean 'Pair'?)");
    CHECK(r.read("Pair[int8]") == "the type 'Pair' has 2 variables, and is given 1 types");
    CHECK(r.read("Pair") == "the type 'Pair' has 2 variables, and is given 0 types");
    CHECK(r.read("Tensor[(1), flot32]") == "there is no element type 'flot32'");
    CHECK(r.read("Tensor[(1.5), float32]") == "an extent is a whole number of 63 bits, and not '1.5'");
    CHECK(r.read("Tensor[(99999999999999999999), float32]").starts_with("an extent is a whole number"));
    CHECK(r.read("Tensor[(1, ...), float32]").starts_with("dots stand for a shape of which nothing is known"));
    CHECK(r.read("(int8") == "a comma or ')' was expected, and the end of the text stands here");
    CHECK(r.read("fn (int8) int8") == "'->' was expected, and 'int8' stands here");
    CHECK(r.read("ref(int8, int8)") == "')' was expected, and ',' stands here");
    CHECK(r.read("%x") == "a type was expected, and '%x' stands here");
    CHECK(r.read(std::string(2500, '(')) == "types stand in each other more than 2000 deep");
}

TEST_CASE("constructors are known by their types' definitions, those of the prelude too, and what is used is told") {
    reader r("type Chain[A] { Link(A, Chain[A]), End }");
    CHECK(r.types.used().size() == 1);
    const auto link = r.types.constructor("Link");
    REQUIRE(link);
    CHECK(r.types.type(link->type).name == "Chain");
    CHECK(link->number == 0);
    CHECK_FALSE(r.types.constructor("Lnk"));
    CHECK(r.types.constructor("Rose"));
    std::vector<std::string> used;
    for (const data_type& t : r.types.used()) used.push_back(t.name);
    CHECK(used == std::vector<std::string>{"List", "Tree", "Chain"});
    CHECK_FALSE(r.types.clash());
    reader other("type Maybe[A] { Some(A) }");
    CHECK(other.read("Option[int8]") == "Option[int8[]]");
    CHECK(other.types.clash());
}

TEST_CASE("a data type's own definition takes the prelude's place") {
    reader r("type List[A, B] { Nil, Twice(List[B, A]) }");
    CHECK(r.faults.empty());
    CHECK(r.read("List[int8, bool]") == "List[int8[], bool[]]");
    CHECK_FALSE(r.types.constructor("Cons"));
    CHECK(r.types.type(r.types.constructor("Nil")->type).variables.size() == 2);
}
