// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/match.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl.hpp>

#include "../graph/two_vectors.hpp"

using namespace inlay::dsl;
using inlay::node_id;

namespace {

/// A partial match of the naive matcher, which keeps lists of all partial matches where the library backtracks.
struct partial {
    std::map<std::string, node_id> bound;
    std::vector<node_id> covered;
};
using partials = std::vector<partial>;

template <class P>
struct naive;

partials covering(partials list, node_id n) {
    for (partial& p : list) p.covered.push_back(n);
    return list;
}
partials operator+(partials a, const partials& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

template <>
struct naive<any_pattern> {
    static partials on(const two_vectors&, node_id, partial p) { return {p}; }
};
template <>
struct naive<any_call_pattern> {
    static partials on(const two_vectors& g, node_id n, partial p) { return g.reads[n].empty() ? partials{} : covering({p}, n); }
};
template <>
struct naive<input_pattern> {
    static partials on(const two_vectors& g, node_id n, partial p) { return g.reads[n].empty() ? partials{p} : partials{}; }
};
template <inlay::fixed_string Name, class... Operands>
struct naive<op_pattern<Name, Operands...>> {
    static partials on(const two_vectors& g, node_id n, partial p) {
        if (g.ops[n] != Name.view()) return {};
        partials now = covering({p}, n);
        if constexpr (sizeof...(Operands) != 0) {
            std::size_t i = 0;
            bool open = false;
            const auto step = [&]<class O>(O) {
                if constexpr (std::is_same_v<O, rest_pattern>) {
                    open = true;
                } else {
                    partials next;
                    if (i < g.reads[n].size())
                        for (const partial& q : now) next = std::move(next) + naive<O>::on(g, g.reads[n][i], q);
                    now = next;
                    ++i;
                }
            };
            (step(Operands{}), ...);
            if (!open && i != g.reads[n].size()) return {};
        }
        return now;
    }
};
template <inlay::fixed_string Name>
struct naive<op_word<Name>> : naive<op_pattern<Name>> {};
template <inlay::fixed_string Name, class A, class B>
struct naive<commutative_pattern<Name, A, B>> {
    static partials on(const two_vectors& g, node_id n, partial p) {
        return naive<op_pattern<Name, A, B>>::on(g, n, p) + naive<op_pattern<Name, B, A>>::on(g, n, p);
    }
};
template <class A, class B>
struct naive<either_pattern<A, B>> {
    static partials on(const two_vectors& g, node_id n, partial p) { return naive<A>::on(g, n, p) + naive<B>::on(g, n, p); }
};
template <inlay::fixed_string Name, class P>
struct naive<capture_pattern<Name, P>> {
    static partials on(const two_vectors& g, node_id n, partial p) {
        const auto [at, fresh] = p.bound.emplace(std::string(Name.view()), n);
        return at->second == n ? naive<P>::on(g, n, p) : partials{};
    }
};
template <inlay::fixed_string Name>
struct naive<capture_word<Name>> : naive<capture_pattern<Name, any_pattern>> {};

/// How many matches of the pattern there are over random graphs; checks each against the naive matcher, in order. The pattern binds "a"
/// and "b".
template <class P>
std::size_t compared(P p) {
    std::size_t matches = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        const two_vectors g = random_two_vectors(seed, 40);
        const inlay::user_lists users(g);
        for (node_id n = 0; n < g.size(); ++n) {
            const partials expected = naive<P>::on(g, n, {});
            std::size_t i = 0;
            inlay::for_each_match(p, g, users, n, [&](const inlay::match_result<P>& m) {
                if (i < expected.size()) {
                    const auto at = [&](const char* name) {
                        const auto found = expected[i].bound.find(name);
                        return found == expected[i].bound.end() ? inlay::no_node : found->second;
                    };
                    std::vector<node_id> nodes = expected[i].covered;
                    std::sort(nodes.begin(), nodes.end());
                    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
                    CHECK(m.root == n);
                    CHECK(m.nodes == nodes);
                    CHECK(m.template at<"a">() == at("a"));
                    CHECK(m.template at<"b">() == at("b"));
                }
                ++i;
                return false;
            });
            CHECK(i == expected.size());
            const auto first = inlay::match(p, g, users, n);
            CHECK(first.has_value() == !expected.empty());
            matches += i;
        }
    }
    return matches;
}

}  // namespace

TEST_CASE("matching stops when it is told that it is enough") {
    two_vectors g;
    g.add("x");
    g.add("f", {0, 0});
    const inlay::user_lists users(g);
    int seen = 0;
    inlay::for_each_match(commutative<"f">(any, any), g, users, 1, [&](auto&&) { return ++seen == 1; });
    CHECK(seen == 1);
    inlay::for_each_match(commutative<"f">(any, any), g, users, 1, [&](auto&&) { return ++seen == 100; });
    CHECK(seen == 3);
}

TEST_CASE("the first match is the one that is written first, and no match is none") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("f", {0, 1});
    const inlay::user_lists users(g);
    const auto first = inlay::match(commutative<"f">(as<"a">, any), g, users, 2);
    REQUIRE(first.has_value());
    CHECK(first->at<"a">() == 0);
    CHECK_FALSE(inlay::match(op<"g">, g, users, 2).has_value());
}

TEST_CASE("over random graphs, a naive matcher finds the same matches in the same order") {
    CHECK(compared(op<"f">(as<"a">, as<"b">)) > 50);
    CHECK(compared(op<"f">(as<"a">, rest) | op<"g">(as<"b">(op<"h">))) > 50);
    CHECK(compared(commutative<"f">(as<"a">, as<"b">(op<"g">))) > 20);
    CHECK(compared(commutative<"h">(op<"g">(as<"a">, rest) | as<"a">, as<"b">(any_call))) > 50);
    CHECK(compared(as<"b">(optional<"f">(optional<"g">(as<"a">)))) > 50);
    CHECK(compared(commutative<"g">(as<"a">, commutative<"f">(as<"a">, as<"b">) | op<"h">(as<"b">, rest))) > 5);
    CHECK(compared(commutative<"f">(as<"a">(optional<"g">(any)), as<"b">(optional<"h">(as<"a"> | input)))) > 5);
}
