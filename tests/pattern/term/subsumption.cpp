// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/subsumption.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>

#include "pattern/random_pattern.hpp"

using namespace inlay;
using namespace pattern_test;

namespace {

bool subsumes_text(const char* general, const char* special) {
    const auto g = parse_pattern(general), s = parse_pattern(special);
    REQUIRE_MESSAGE(g.has_value(), g.failure().message);
    REQUIRE_MESSAGE(s.has_value(), s.failure().message);
    return subsumes(g->view(), s->view());
}

constexpr bool at_compile_time = subsumes(view_of(dsl::op<"Relu">), view_of(dsl::op<"Relu">(dsl::op<"Conv">))) &&
                                 !subsumes(view_of(dsl::op<"Relu">(dsl::op<"Conv">)), view_of(dsl::op<"Relu">));
static_assert(at_compile_time);

}  // namespace

TEST_CASE("a pattern that is known to match wherever another does, does so in random graphs [pattern.subsumption.sound]") {
    std::size_t yes = 0, said_no_of_itself = 0, matched = 0;
    CHECK(rc::check("two patterns at one node", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
        dice d(seed);
        const ir_module g = random_program(d, 5 + d.below(15)).finish();
        const user_lists users(g);
        matcher<ir_module> m(g, users);
        for (int i = 0; i < 20; ++i) {
            const node_id at = d.below(g.size());
            const auto a = random_pattern(d, g, true).at(at), b = random_pattern(d, g, true).at(at);
            RC_ASSERT(a.has_value());
            RC_ASSERT(b.has_value());
            said_no_of_itself += subsumes(a->view(), a->view()) ? 0 : 1;
            if (!subsumes(a->view(), b->view())) continue;
            ++yes;
            for (node_id root = 0; root < g.size(); ++root) {
                const bool special = m.matches(b->view(), root) && !m.gave_up();
                matched += special ? 1 : 0;
                if (special) RC_ASSERT(m.matches(a->view(), root) || m.gave_up());
            }
        }
    }));
    CHECK(yes > 20);
    CHECK(matched > 20);
    CHECK(said_no_of_itself > 0);
}

TEST_CASE("what takes more operands, fewer questions or more operators takes all that the other does [pattern.subsumption.cases]") {
    for (const auto& [general, special] : {std::pair{"*", "Relu(Conv)"},
                                           {"Relu", "Relu(Conv(*, const))"},
                                           {"Relu(*)", "Relu(Conv(*, const))"},
                                           {"Add(?a, ?b)", "Add(Mul, const)"},
                                           {"Relu | Tanh", "Tanh"},
                                           {"Relu/Tanh/Sin", "Relu | Sin"},
                                           {"Conv(*, *, ...)", "Conv(*, const, const)"},
                                           {"Conv", "Conv[group=1]"},
                                           {"Conv[group=1]", "Conv[group=1, auto_pad=\"SAME\"]"},
                                           {"Relu", "?x:Relu{float32[1,?]}"},
                                           {"const", "0.5"},
                                           {"Relu?(Conv)", "Conv"},
                                           {"Relu?(Conv)", "Relu(Conv)"},
                                           {"fn(..., Relu)", "fn(input, Relu)"}})
        CHECK_MESSAGE(subsumes_text(general, special), general << " / " << special);
    for (const auto& [general, special] : {std::pair{"Relu(Conv)", "Relu"},
                                           {"Add(?a, ?a)", "Add(Relu, Relu)"},
                                           {"Relu", "Relu | Tanh"},
                                           {"Conv[group=1]", "Conv"},
                                           {"Conv[group=1]", "Conv[group=2]"},
                                           {"Conv(*, *)", "Conv(*, *, ...)"},
                                           {"Conv(*, *)", "Conv(*, *, *)"},
                                           {"Relu{float32}", "Relu"},
                                           {"!Relu", "Tanh"},
                                           {"0.5", "const"},
                                           {"fn(..., input)", "fn(input, Relu)"},
                                           {"Relu", "*"}})
        CHECK_MESSAGE(!subsumes_text(general, special), general << " / " << special);
}
