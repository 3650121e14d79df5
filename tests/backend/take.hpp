// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_TAKE_HPP
#define INLAY_TESTS_BACKEND_TAKE_HPP

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/pattern/composite.hpp>
#include <inlay/pattern/match.hpp>

#include "small_graph.hpp"

namespace inlay_test {

/// One way a match was run.
struct taken_way {
    std::string formats;  // "plain,plain->plain"
    std::string note;
    double worst = 0;  // largest difference over the largest expected value
};

/// What the largest match at a program's result came to.
struct taken {
    std::string composite;
    std::size_t nodes = 0;
    std::string refusal;  // why the predicate said no
    std::vector<taken_way> ways;

    [[nodiscard]] bool has(std::string_view formats) const;
    [[nodiscard]] std::string note(std::string_view formats) const;
};

/// A match; taken ones come before others of the same size.
struct sized_match {
    std::vector<inlay::node_id> nodes;
    std::string composite, refusal;
};

/// The largest match at a program's result.
template <class Backend>
[[nodiscard]] sized_match largest_match(const Backend& self, const inlay::ir_module& g) {
    const inlay::user_lists users(g);
    const std::vector<inlay::node_id> results = g.results();
    sized_match best;
    Backend::patterns().for_each([&](auto c, std::size_t) {
        using composite = decltype(c);
        inlay::for_each_match(typename composite::pattern_type{}, g, users, results[0], [&](auto&& m) {
            const inlay::region r(g, users, results, m.nodes);
            const inlay::region_view view = r.view();
            const inlay::match_of<typename composite::pattern_type> seen(view, m);
            const inlay::verdict says = typename composite::predicate_type{}(self, seen);
            const bool better =
                m.nodes.size() > best.nodes.size() || (m.nodes.size() == best.nodes.size() && says.taken && !best.refusal.empty());
            if (better) best = {m.nodes, std::string(c.name), says.taken ? "" : says.reason};
            return false;
        });
    });
    return best;
}

/// Numbers for a program's inputs, random but for a fixed seed, and what its nodes come to, each operator by its definition on float64.
class expectation {
public:
    expectation(const inlay::ir_module& g, float low, float high);

    /// The largest difference over the largest expected value of a few runs of a region's kernel, the addresses changed in between and
    /// results and workspace full of garbage beforehand; infinity where a run fails, something is not a number or the fill of a block is
    /// not zero.
    [[nodiscard]] double worst_difference(const inlay::kernel& k, const inlay::region_view& view, const inlay::border_formats& f) const;

private:
    std::map<inlay::node_id, inlay::tensor> narrow_, wide_;
};

/// The formats of a border as text.
[[nodiscard]] std::string text(const inlay::border_formats& f);

/// Lets the back end emit a kernel for each format tuple that it lists for the largest match at the program's result, and holds what each
/// gives for inputs between `low` and `high` against the expectation.
template <class Backend>
[[nodiscard]] taken take_by(const Backend& self, const inlay::ir_module& g, double tolerance, float low, float high) {
    const sized_match best = largest_match(self, g);
    taken t{best.composite, best.nodes.size(), best.refusal, {}};
    if (best.nodes.empty() || !best.refusal.empty()) return t;
    const expectation expected(g, low, high);
    const inlay::user_lists users(g);
    const std::vector<inlay::node_id> results = g.results();
    const inlay::region r(g, users, results, best.nodes);
    for (const inlay::border_formats& f : self.formats(r.view())) {
        const inlay::region_view view = r.view(f.inputs, f.results);
        auto k = self.emit(view);
        CHECK_MESSAGE(k.has_value(), text(f), ": ", k ? "" : k.failure().message);
        if (!k) continue;
        taken_way way{text(f), k->note, expected.worst_difference(*k, view, f)};
        CHECK_MESSAGE(way.worst <= tolerance, best.composite, " ", way.formats, " ", way.note, ": off by ", way.worst);
        t.ways.push_back(std::move(way));
    }
    return t;
}

/// Checks that a match of `nodes` operators was taken in at least one way.
void check_taken(const taken& t, std::size_t nodes);

}  // namespace inlay_test

#endif
