// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "dijkstra.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

namespace bench {

namespace {

using inlay::candidate_index;
using inlay::node_id;

/// A covered set: all nodes before `open`, not `open`, and of those after it the ones in `beyond`, ascending.
struct covered_set {
    node_id open = 0;
    std::vector<node_id> beyond;

    friend bool operator==(const covered_set&, const covered_set&) = default;
};

struct hash_of_set {
    std::size_t operator()(const covered_set& s) const {
        std::uint64_t h = s.open;
        for (const node_id v : s.beyond) h = (h ^ v) * 0x9e37'79b9'7f4a'7c15u + (h >> 29);
        return static_cast<std::size_t>(h);
    }
};

}  // namespace

covered_set_walk walk_covered_sets(const inlay::problem& given, std::size_t most_states) {
    std::vector<std::vector<std::pair<candidate_index, std::vector<node_id>>>> starting_at(given.nodes);
    for (std::size_t c = 0; c < given.candidates.size(); ++c) {
        std::vector<node_id> nodes = given.candidates[c].nodes;
        std::sort(nodes.begin(), nodes.end());
        starting_at[nodes[0]].emplace_back(static_cast<candidate_index>(c), std::move(nodes));
    }
    struct state {
        const covered_set* set;
        double cost;
        std::size_t from;
        candidate_index by;
        bool done;
    };
    std::vector<state> states;
    std::unordered_map<covered_set, std::size_t, hash_of_set> number;
    // By cost, then by age.
    using entry = std::pair<double, std::size_t>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
    const auto reach = [&](covered_set&& set, double cost, std::size_t from, candidate_index by) {
        const auto [at, is_new] = number.try_emplace(std::move(set), states.size());
        if (is_new) {
            states.push_back({&at->first, cost, from, by, false});
        } else {
            state& known = states[at->second];
            if (known.done || known.cost <= cost) return;
            known = {known.set, cost, from, by, false};
        }
        queue.emplace(cost, at->second);
    };
    reach({}, 0, 0, 0);
    covered_set_walk made;
    while (!queue.empty() && states.size() <= most_states) {
        const std::size_t at = queue.top().second;
        queue.pop();
        if (states[at].done) continue;
        states[at].done = true;
        const covered_set& here = *states[at].set;
        if (here.open == given.nodes) {
            made.cost = states[at].cost;
            for (std::size_t s = at; s != 0; s = states[s].from) made.chosen.push_back(states[s].by);
            std::sort(made.chosen.begin(), made.chosen.end());
            break;
        }
        for (const auto& [c, nodes] : starting_at[here.open]) {
            const auto taken = [&](node_id v) { return std::binary_search(here.beyond.begin(), here.beyond.end(), v); };
            if (std::any_of(nodes.begin(), nodes.end(), taken)) continue;
            covered_set next{here.open + 1, {}};
            std::merge(here.beyond.begin(), here.beyond.end(), nodes.begin() + 1, nodes.end(), std::back_inserter(next.beyond));
            std::size_t passed = 0;
            while (passed < next.beyond.size() && next.beyond[passed] == next.open) {
                ++passed;
                ++next.open;
            }
            next.beyond.erase(next.beyond.begin(), next.beyond.begin() + static_cast<std::ptrdiff_t>(passed));
            reach(std::move(next), states[at].cost + given.candidates[c].cost, at, c);
        }
    }
    made.states = states.size();
    return made;
}

}  // namespace bench
