// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/live_bytes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "search/all_covers.hpp"

namespace {

inlay::tensor_bytes random_bytes(const inlay::problem& p, inlay::random_numbers& numbers) {
    inlay::tensor_bytes bytes;
    bytes.of_node.resize(numbers.chance(50) ? p.nodes : static_cast<std::size_t>(p.nodes) * p.formats);
    for (double& b : bytes.of_node) b = numbers.below(9);
    for (inlay::node_id v = 0; v < p.nodes; ++v)
        if (numbers.chance(20)) bytes.results.push_back(v);
    if (numbers.chance(60))
        for (std::size_t c = 0; c < p.candidates.size(); ++c) bytes.workspace.push_back(numbers.chance(50) ? 0 : numbers.below(12));
    if (numbers.chance(20)) bytes.always = numbers.below(5);
    bytes.conversions_copy = numbers.chance(70);
    return bytes;
}

/// Runs a cover node by node: allocates when a tensor is made, frees after its last reader. All bytes are whole numbers.
std::vector<double> run(const inlay::problem& p, const inlay::tensor_bytes& bytes, const std::vector<inlay::candidate_index>& chosen) {
    std::vector<inlay::candidate_index> owner(p.nodes);
    for (const auto c : chosen)
        for (const auto v : p.candidates[c].nodes) owner[v] = c;
    const auto format = [](const std::vector<inlay::tensor_format>& exceptions, inlay::node_id u, inlay::format_index other) {
        for (const auto& e : exceptions)
            if (e.node == u) return e.format;
        return other;
    };
    const auto size = [&](inlay::node_id u, inlay::format_index f) {
        return bytes.of_node.size() == p.nodes ? bytes.of_node[u] : bytes.of_node[u * p.formats + f];
    };
    std::vector<double> at(p.nodes, 0), freed_after(p.nodes, 0);
    double now = bytes.always;
    for (inlay::node_id t = 0; t < p.nodes; ++t) {
        const auto& part = p.candidates[owner[t]];
        const bool is_result = std::find(bytes.results.begin(), bytes.results.end(), t) != bytes.results.end();
        inlay::node_id last = is_result ? p.nodes - 1 : t;
        bool leaves = is_result;
        std::set<std::pair<inlay::format_index, inlay::candidate_index>> copies;
        const auto given = format(part.out_of, t, part.out);
        for (const auto& e : p.edges) {
            if (e.from != t) continue;
            last = std::max(last, e.to);
            if (owner[e.to] == owner[t]) continue;
            leaves = true;
            const auto wanted = format(p.candidates[owner[e.to]].in_of, t, p.candidates[owner[e.to]].in);
            if (wanted != given) copies.insert({wanted, p.share_conversions ? 0 : owner[e.to]});
        }
        double made = leaves ? size(t, given) : 0;
        if (bytes.conversions_copy)
            for (const auto& [f, reader] : copies) made += size(t, f);
        now += made;
        freed_after[last] += made;
        at[t] = now + (bytes.workspace.empty() ? 0 : bytes.workspace[owner[t]]);
        now -= freed_after[t];
    }
    return at;
}

}  // namespace

TEST_CASE("bytes alive are those of running a cover, and positions that are left out are never alone the fullest") {
    std::size_t looked_at = 0, left_out = 0;
    inlay::each_coverable_problem(600, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed + 5};
        const inlay::tensor_bytes bytes = random_bytes(p, numbers);
        REQUIRE_MESSAGE(inlay::check(bytes, p), "seed " << seed);
        const auto all = inlay::live_bytes(p, bytes, true);
        const auto some = inlay::live_bytes(p, bytes);
        REQUIRE(all.size() == p.nodes);
        left_out += all.size() - some.size();
        for (const auto& one : all) CHECK(inlay::check(one.bytes, p));
        for (const auto& cover : inlay::all_covers(index)) {
            ++looked_at;
            const std::vector<double> plain = run(p, bytes, cover.chosen);
            for (inlay::node_id t = 0; t < p.nodes; ++t) CHECK(*inlay::quantity_of(index, all[t].bytes, cover.chosen) == plain[t]);
            double peak = 0;
            for (const auto& one : some) peak = std::max(peak, *inlay::quantity_of(index, one.bytes, cover.chosen));
            CHECK(peak == *std::max_element(plain.begin(), plain.end()));
        }
    });
    CHECK(looked_at > 8000);
    CHECK(left_out > 200);
}

TEST_CASE("unsound bytes are refused, in one sentence each") {
    inlay::problem p;
    p.nodes = 3;
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 1);
    p.candidates = {{.nodes = {0, 1, 2}}};
    const double inf = std::numeric_limits<double>::infinity();
    const auto fault = [&](const inlay::tensor_bytes& b) {
        const auto sound = inlay::check(b, p);
        return sound ? std::string() : sound.failure().message;
    };
    CHECK(fault({.of_node = {1, 1, 1}}).empty());
    CHECK(fault({.of_node = {1, 1, 1, 1, 1, 1}}).empty());
    CHECK(fault({.of_node = {1, 1}}) ==
          "of_node has 2 numbers, but there are 3 nodes and 2 formats; give one for each node, or a row of formats for each.");
    CHECK(fault({.of_node = {1, inf, 1}}) == "of_node[1] is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.of_node = {1, 1, std::nan("")}}) == "of_node[2] is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.of_node = {1, 1, 1}, .workspace = {-1}}) ==
          "workspace[0] is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.of_node = {1, 1, 1}, .workspace = {1, 1}}) ==
          "workspace has 2 numbers, but there are 1 candidates; give one for each, or none.");
    CHECK(fault({.of_node = {1, 1, 1}, .results = {3}}) ==
          "results names node 3, but there are 3 nodes, counted from 0; name one of them.");
    CHECK(fault({.of_node = {1, 1, 1}, .results = {2, 2}}) == "results names node 2 more than once; name it once.");
    CHECK(fault({.of_node = {9e299, 9e299, 9e299}}).find("the bytes may add up") == 0);
    CHECK(fault({.of_node = {1, 1, 1}, .always = -1}) == "always is no finite number of at least 0, but an amount is; give one.");
    inlay::problem nothing;
    CHECK(inlay::check(inlay::tensor_bytes{}, nothing));
    CHECK(inlay::live_bytes(nothing, {}).empty());
}
