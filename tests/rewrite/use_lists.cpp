// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/use_lists.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "../graph/two_vectors.hpp"

using inlay::node_id;
using inlay::use_lists;

namespace {

std::vector<node_id> users(const use_lists& u, node_id n) {
    std::vector<node_id> list;
    for (const node_id user : u[n]) list.push_back(user);
    return list;
}

}  // namespace

TEST_CASE("users stand newest first, as often as they read") {
    two_vectors g;
    g.add("x");
    g.add("f", {0, 0});
    g.add("g", {1, 0});
    const use_lists u(g);
    CHECK(users(u, 0) == std::vector<node_id>{2, 1, 1});
    CHECK(u.arity(2) == 2);
    CHECK(u.operand(2, 1) == 0);
    CHECK(u.is_read_once(1));
    CHECK_FALSE(u.is_read_once(0));
    CHECK_FALSE(u.is_read(2));
}

TEST_CASE("what is read from outside is read, and by more than one") {
    two_vectors g;
    g.add("x");
    g.add("f", {0});
    use_lists u(g);
    u.keep(0);
    CHECK_FALSE(u.is_read_once(0));
    u.keep(1);
    CHECK(u.is_read(1));
    u.replace(1, 0, 2);
    CHECK_FALSE(u.is_kept(1));
    CHECK(u.is_kept(0));
}

TEST_CASE("users from a number on keep what they read") {
    two_vectors g;
    g.add("x");
    g.add("f", {0});
    g.add("g", {1});
    use_lists u(g);
    const node_id operand = 1, made = u.add({&operand, 1});
    u.replace(1, made, made);
    CHECK(users(u, 1) == std::vector<node_id>{made});
    CHECK(users(u, made) == std::vector<node_id>{2});
    CHECK(u.operand(made, 0) == 1);
    CHECK(u.operand(2, 0) == made);
}

TEST_CASE("after any changes the users are those that read") {
    CHECK(rc::check([](std::uint32_t seed) {
        const two_vectors g = random_two_vectors(seed, 12);
        use_lists u(g);
        std::vector<std::vector<node_id>> reads = g.reads;
        const auto steps = *rc::gen::inRange(0, 30);
        for (int s = 0; s < steps; ++s) {
            const auto a = *rc::gen::inRange<node_id>(0, static_cast<node_id>(reads.size())),
                       b = *rc::gen::inRange<node_id>(0, static_cast<node_id>(reads.size()));
            switch (*rc::gen::inRange(0, 3)) {
                case 0: {
                    const node_id operands[] = {a, b};
                    RC_ASSERT(u.add(operands) == reads.size());
                    reads.push_back({a, b});
                    break;
                }
                case 1:
                    if (reads.size() > g.size() && std::none_of(reads.begin(), reads.end(), [&](const auto& r) {
                            return std::count(r.begin(), r.end(), reads.size() - 1) != 0;
                        })) {
                        u.forget_last();
                        reads.pop_back();
                    }
                    break;
                default:
                    if (a == b) break;
                    u.replace(a, b, static_cast<node_id>(reads.size()));
                    for (auto& r : reads) std::replace(r.begin(), r.end(), a, b);
            }
        }
        for (node_id n = 0; n < reads.size(); ++n) {
            RC_ASSERT(u.arity(n) == reads[n].size());
            std::vector<node_id> expected;
            for (node_id user = 0; user < reads.size(); ++user)
                for (const node_id r : reads[user])
                    if (r == n) expected.push_back(user);
            std::vector<node_id> found = users(u, n);
            std::sort(found.begin(), found.end());
            RC_ASSERT(found == expected);
        }
    }));
}
