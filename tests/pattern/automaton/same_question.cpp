// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/same_question.hpp>

#include <array>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

constexpr std::int64_t one[] = {1}, other_one[] = {1}, two[] = {2}, pair[] = {1, 1};
constexpr std::string_view same[] = {"same"}, valid[] = {"valid"};
using form = attribute_guard::form;

constexpr std::array<attribute_guard, 7> different{{{"axis", form::integer, one, {}, {}},
                                                    {"axis", form::integer, two, {}, {}},
                                                    {"axes", form::integer, one, {}, {}},
                                                    {"axis", form::integers, one, {}, {}},
                                                    {"axis", form::integers, pair, {}, {}},
                                                    {"axis", form::text, {}, {}, same},
                                                    {"axis", form::text, {}, {}, valid}}};
constexpr attribute_guard again{"axis", form::integer, other_one, {}, {}};

}  // namespace

TEST_CASE("guards on attributes are the same where name, form and values are") {
    for (const attribute_guard& a : different)
        for (const attribute_guard& b : different) CHECK(detail::same_question({nullptr, &a, true}, {nullptr, &b, true}) == (&a == &b));
    static_assert(detail::same_question({nullptr, &different[0], true}, {nullptr, &again, true}));
    static_assert(detail::hash_of({nullptr, &different[0], true}) == detail::hash_of({nullptr, &again, true}));
    CHECK(detail::hash_of({nullptr, &different[0], true}) != detail::hash_of({nullptr, &different[1], true}));
}

TEST_CASE("types, literals and fields are the same where what they ask is") {
    const extent_guard batch[] = {{extent::unknown, "N"}, {3, {}}}, batch_again[] = {{extent::unknown, "N"}, {3, {}}},
                       other[] = {{extent::unknown, "M"}, {3, {}}};
    const type_guard a{type_guard::form::tensor, element_type::float32, true, false, batch, {}};
    const type_guard b{type_guard::form::tensor, element_type::float32, true, false, batch_again, {}};
    const type_guard c{type_guard::form::tensor, element_type::float32, true, false, other, {}};
    const type_guard d{type_guard::form::tensor, element_type::float32, true, true, batch, {}};
    const type_guard of_a[] = {a}, of_b[] = {b}, of_c[] = {c};
    const type_guard e{type_guard::form::tuple, element_type::none, false, false, {}, of_a},
        f{type_guard::form::tuple, element_type::none, false, false, {}, of_b},
        g{type_guard::form::tuple, element_type::none, false, false, {}, of_c};
    const auto term = [](const type_guard& guard) {
        pattern_term t;
        t.kind = term_kind::type;
        t.type = &guard;
        return t;
    };
    const pattern_term ta = term(a), tb = term(b), tc = term(c), td = term(d), te = term(e), tf = term(f), tg = term(g);
    CHECK(detail::same_question({&ta, nullptr}, {&tb, nullptr}));
    CHECK(detail::hash_of({&ta, nullptr}) == detail::hash_of({&tb, nullptr}));
    CHECK_FALSE(detail::same_question({&ta, nullptr}, {&tc, nullptr}));
    CHECK_FALSE(detail::same_question({&ta, nullptr}, {&td, nullptr}));
    CHECK(detail::same_question({&te, nullptr}, {&tf, nullptr}));
    CHECK_FALSE(detail::same_question({&te, nullptr}, {&tg, nullptr}));

    pattern_term zero, minus_zero, half;
    zero.kind = minus_zero.kind = half.kind = term_kind::literal;
    minus_zero.number = -0.0;
    half.number = 0.5;
    CHECK(detail::same_question({&zero, nullptr}, {&minus_zero, nullptr}));
    CHECK(detail::hash_of({&zero, nullptr}) == detail::hash_of({&minus_zero, nullptr}));
    CHECK_FALSE(detail::same_question({&zero, nullptr}, {&half, nullptr}));
    CHECK_FALSE(detail::same_question({&zero, nullptr}, {&ta, nullptr}));
    CHECK_FALSE(detail::same_question({&zero, nullptr}, {nullptr, &again, true}));

    pattern_term first, second;
    first.kind = second.kind = term_kind::node;
    first.place = 0;
    second.place = 1;
    CHECK_FALSE(detail::same_question({&first, nullptr}, {&second, nullptr}));
    second.place = 0;
    CHECK(detail::same_question({&first, nullptr}, {&second, nullptr}));
}
