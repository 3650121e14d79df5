// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/rule.hpp>

#include <doctest/doctest.h>

#include "small_program.hpp"

using namespace inlay;
using namespace inlay::dsl;

namespace {

using working = working_graph<ir_module>;

constexpr auto twice = rule<"twice">(op<"onnx.Abs">(as<"a">(op<"onnx.Abs">)), as<"a">, [](const auto& m) {
    return m.template constant<"a">() == nullptr ? verdict::yes() : verdict::no("it is a constant");
});
constexpr auto built = rule<"built", overlap::duplicate>(
    op<"onnx.Neg">(as<"x">), [](const auto& m, auto& f) -> node_id { return f.call("onnx.Abs", {m.template at<"x">()}); });

}  // namespace

TEST_CASE("rules become rows of one table, whatever they are written with") {
    constexpr auto book = rule_book(twice) + rule_book(built);
    static_assert(book.size == 2);
    CHECK(book.all_rows<working>().data() == book.rows<working>);
    CHECK(book.all_rows<working>().size() == book.size);
    CHECK(rule_book<>().all_rows<working>().empty());
    const rule_row<working>& first = book.rows<working>[0];
    const rule_row<working>& second = book.rows<working>[1];
    CHECK(first.name == "twice");
    CHECK((first.right != nullptr && first.make == nullptr && first.when != nullptr));
    CHECK((second.right == nullptr && second.make != nullptr));
    CHECK(second.policy == overlap::duplicate);
    CHECK((rule_book(rule<"r">(op<"f">(as<"x">), as<"x">)).rows<working>[0].when == nullptr));
}

TEST_CASE("a condition and a function see what the left side bound") {
    small_program p;
    const node_id x = p.input({2}, "x"), a = p.call("Abs", {x}, {{"k", std::int64_t{1}}});
    const ir_module m = p.finish({a});
    working w(m);
    using names = capture_names<"a", "x">;
    const node_id bound[] = {a, x};
    const rule_match<working, names> match(w, a, bound);
    CHECK(match.at<"x">() == x);
    CHECK(match.root() == a);
    CHECK(match.attributes<"a">().integer("k", 0) == 1);
    CHECK(to_string(match.type<"x">()) == "float32[2]");
    CHECK(match.constant<"x">() == nullptr);
    const auto& row = rule_book(twice).rows<working>[0];
    const std::vector<node_id> inner{x};
    const verdict answer = row.when(nullptr, w, a, inner);
    CHECK(answer.taken);
    const auto& make = rule_book(built).rows<working>[0].make;
    fragment f(w, nullptr);
    const node_id made = make(nullptr, w, a, inner, f);
    CHECK(w.op(made) == "onnx.Abs");
}
