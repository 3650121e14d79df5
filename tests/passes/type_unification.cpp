// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/type_unification.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/io/relay/read_relay.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/passes/infer_types.hpp>

using namespace inlay;

namespace {

/// The type of main, as text, or what is wrong.
std::string main_type(const std::string& text, const type_bindings& bindings = {}) {
    const auto read = read_relay("#[version = \"0.0.5\"]\n" + text);
    REQUIRE_MESSAGE(read.has_value(), (read ? std::string() : read.failure().message));
    const auto typed = infer_types(*read, {bindings}, relay_ops{});
    return typed ? to_string(typed->type(typed->main())) : typed.failure().message;
}

}  // namespace

TEST_CASE("what binds, applies, matches or refers is typed by unification, and nothing else is") {
    const auto plain = read_relay("#[version = \"0.0.5\"]\ndef @main(%x: float32) -> float32 { negative(%x) }");
    const auto bound = read_relay("#[version = \"0.0.5\"]\ndef @main(%x: float32) -> float32 { let %y = negative(%x); %y }");
    REQUIRE(plain);
    REQUIRE(bound);
    CHECK_FALSE(detail::needs_unification(*plain));
    CHECK(detail::needs_unification(*bound));
}

TEST_CASE("types that are not written follow from the others") {
    CHECK(main_type("def @main(%x: float32) { let %f = fn (%a) { negative(%a) }; %f(%x) }") == "fn(float32[]) -> float32[]");
    CHECK(main_type("def @main(%x: float32) { let %f = fn (%g, %a) { %g(%a) }; let %h = fn (%b) { add(%b, %b) }; %f(%h, %x) }") ==
          "fn(float32[]) -> float32[]");
    CHECK(main_type("def @main(%c: bool, %x: Tensor[(2), float32], %y: Tensor[(3), float32]) { if (%c) { %x } else { %y } }") ==
          "fn(bool[], float32[2], float32[3]) -> float32[?]");
    CHECK(main_type("def @main(%x: float32) { let %r = ref(%x); let %u = ref_write(%r, 2f); (ref_read(%r), %r) }") ==
          "fn(float32[]) -> (float32[], ref(float32[]))");
    CHECK(main_type("def @main(%t: (float32, int32)) { let %u = %t; %u.1 }") == "fn((float32[], int32[])) -> int32[]");
}

TEST_CASE("functions that call themselves and each other are typed") {
    CHECK(main_type("def @main(%c: bool, %x: float32) { let %f = fn (%a) { if (%c) { %a } else { %f(negative(%a)) } }; %f(%x) }") ==
          "fn(bool[], float32[]) -> float32[]");
    CHECK(main_type("def @even(%c: bool, %x: float32) { if (%c) { %x } else { @odd(%c, %x) } } "
                    "def @odd(%c: bool, %x: float32) { if (%c) { negative(%x) } else { @even(%c, %x) } } "
                    "def @main(%c: bool, %x: float32) { @even(%c, %x) }") == "fn(bool[], float32[]) -> float32[]");
}

TEST_CASE("data types and generic functions are chosen anew at each use") {
    CHECK(main_type("type Box[A] { Full(A, A), Empty, } "
                    "def @main(%x: float32, %i: int32) { let %a = Full(%x, %x); let %b = Full(%i, %i); (%a, %b) }") ==
          "fn(float32[], int32[]) -> (Box[float32[]], Box[int32[]])");
    CHECK(main_type("type Box[A] { Full(A, A), Empty, } "
                    "def @main(%b: Box[(float32, int32)], %x: int32) { match (%b) { Full((_, %i), _) => { %i }, Empty => { %x }, } }") ==
          "fn(Box[(float32[], int32[])], int32[]) -> int32[]");
    CHECK(main_type("def @same<A>(%a: A) -> A { %a } def @main(%x: float32, %i: int32) { (@same(%x), @same(%i)) }") ==
          "fn(float32[], int32[]) -> (float32[], int32[])");
}

TEST_CASE("what does not fit is one sentence with its place") {
    CHECK(main_type("def @main(%x: float32) { let %f = fn (%a) { %a }; %f(%x, %x) }") ==
          "line 2, column 51 (apply): gives 2 arguments to a function of type fn(?) -> ?");
    CHECK(main_type("def @main(%x: float32) { let %y = %x; %y(%x) }")
              .find("applies a value of type float32[], where a function was expected") != std::string::npos);
    CHECK(main_type("def @main(%x: float32) { let %t = (%x, %x); %t.2 }").find("takes field 2 of a tuple of type (float32[], float32[])") !=
          std::string::npos);
    CHECK(main_type("def @main(%x: float32) { let %f = fn (%a) { %a(%a) }; %x }").find("would hold itself") != std::string::npos);
    CHECK(main_type("def @main(%x: float32) { let %y = %x; if (%y) { %x } else { %y } }").find("where a bool was expected") !=
          std::string::npos);
    CHECK(main_type("def @f(%x: int32) { %x } def @main(%x: float32) { @f(%x) }")
              .find("gives argument 0 of type float32[] to a function of type fn(int32[]) -> int32[]") != std::string::npos);
}

TEST_CASE("an operator without a rule has the type that is declared for it") {
    CHECK(main_type("def @main(%x: float32) -> int32 { let %y: int32 = my.operator(%x); %y }") == "fn(float32[]) -> int32[]");
    CHECK(main_type("def @main(%x: float32) -> int32 { let %y = %x; my.operator(%y) }") == "fn(float32[]) -> int32[]");
}

TEST_CASE("shapes that are given for inputs reach all that follows, in place of others that were declared") {
    const std::string open = "def @main(%x: Tensor[(?, 3), float32]) { let %y = negative(%x); let %f = fn (%a) { add(%a, %y) }; %f(%x) }";
    CHECK(main_type(open, {{}, {{"x", {2, 3}}}}) == "fn(float32[2,3]) -> float32[2,3]");
    const std::string declared =
        "def @main(%x: Tensor[(4, 3), float32]) -> Tensor[(4, 3), float32] {\n"
        "let %y: Tensor[(4, 3), float32] = negative(%x); let %z: Tensor[(4, 3), float32] = negative(%y); %z }";
    CHECK(main_type(declared) == "fn(float32[4,3]) -> float32[4,3]");
    CHECK(main_type(declared, {{}, {{"x", {7, 3}}}}) == "fn(float32[7,3]) -> float32[7,3]");
    CHECK(main_type(open, {{}, {{"x", {2, 3, 4}}}}).find("rank 3") != std::string::npos);
}
