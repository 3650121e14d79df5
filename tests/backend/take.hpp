// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_TAKE_HPP
#define INLAY_TESTS_BACKEND_TAKE_HPP

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/match/match.hpp>

#include "../core/executors.hpp"
#include "small_graph.hpp"

namespace inlay_test {

/// One way a match was run.
struct taken_way {
    std::string formats;  // "plain,plain->plain"
    std::string note;
    double worst = 0;  // largest difference over the largest expected value
    std::string composite{};
};

/// What the largest match at a program's result came to.
struct taken {
    std::string composite;
    std::size_t nodes = 0;
    std::string refusal;  // why the predicate said no
    std::vector<taken_way> ways;

    [[nodiscard]] bool has(std::string_view formats) const;
    [[nodiscard]] std::string note(std::string_view formats) const;
    /// How many ways a composite has.
    [[nodiscard]] std::size_t count(std::string_view composite) const;
};

/// A match; taken ones come before others of the same size.
struct sized_match {
    std::vector<inlay::node_id> nodes;
    std::string composite, refusal;        // of the first composite that took it, or that refused it where none did
    std::vector<inlay::candidate> ways{};  // of all composites that took it
};

/// The largest match at a program's result, whose candidates look into the program.
template <class Backend>
sized_match largest_match(const Backend&, inlay::ir_module&&) = delete;
template <class Backend>
[[nodiscard]] sized_match largest_match(const Backend& self, const inlay::ir_module& g) {
    const inlay::user_lists users(g);
    const std::vector<inlay::node_id> results = g.results();
    const inlay::backend_vtable& table = inlay::backend_vtable_of<Backend>();
    sized_match best;
    Backend::patterns().for_each([&](auto c, std::size_t number) {
        using composite = decltype(c);
        const auto at = static_cast<std::uint32_t>(number);
        inlay::for_each_match(typename composite::pattern_type{}, g, users, results[0], [&](auto&& m) {
            constexpr std::size_t slots = composite::pattern_type::binds::size;
            inlay::matched_handle match(new inlay::matched_region(inlay::shared_region::of(inlay::region(g, users, results, m.nodes))));
            match->captures.resize(slots);
            inlay::detail::bind_captures(match->body.view(), std::span(m.captures.bound, slots), match->captures.data());
            auto plan = table[at].read(&self, at, match->body.view(), match->captures, {});
            if (plan) match->plan = *plan;
            const bool is_larger = m.nodes.size() > best.nodes.size();
            if (is_larger || (m.nodes.size() == best.nodes.size() && plan && !best.refusal.empty()))
                best = {m.nodes, std::string(c.name), plan ? "" : plan.failure().message, {}};
            if (!plan || m.nodes != best.nodes) return false;
            for (const inlay::candidate& before : best.ways)
                if (table[before.composite].code == table[at].code) return false;
            for (inlay::border_formats& f : table[at].formats(&self, match->plan, match->body.view())) {
                inlay::candidate& way = best.ways.emplace_back();
                way.composite = at;
                way.name = c.name;
                way.formats = std::move(f);
                way.match = match;
            }
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
    /// results and workspace full of garbage beforehand, and of one with the inputs that are parts of the result in their places; infinity
    /// where a run fails, something is not a number or the fill of a block is not zero.
    [[nodiscard]] double worst_difference(const inlay::kernel& k, const inlay::region_view& view, const inlay::border_formats& f,
                                          inlay::executor_ref executor = {}) const;

private:
    std::map<inlay::node_id, inlay::tensor> narrow_, wide_;
};

/// Where element `index` (row-major) of a tensor of these extents stands in a layout.
[[nodiscard]] std::size_t place(const std::vector<std::int64_t>& extents, const inlay::layout& l, std::size_t index);

/// The formats of a border as text.
[[nodiscard]] std::string text(const inlay::border_formats& f);

/// Lets the back end emit a kernel for each composite that takes the largest match at the program's result and each format tuple that it
/// lists, and holds what each gives for inputs between `low` and `high` against the expectation.
template <class Backend>
[[nodiscard]] taken take_by(const Backend& self, const inlay::ir_module& g, double tolerance, float low, float high,
                            inlay::executor_ref executor = {}) {
    const sized_match best = largest_match(self, g);
    taken t{best.composite, best.nodes.size(), best.refusal, {}};
    if (best.nodes.empty() || !best.refusal.empty()) return t;
    const expectation expected(g, low, high);
    for (const inlay::candidate& c : best.ways) {
        auto k = inlay::emit_composite(self, {c.composite, &c.match->plan, c.view()});
        CHECK_MESSAGE(k.has_value(), c.name, " ", text(c.formats), ": ", k ? "" : k.failure().message);
        if (!k) continue;
        taken_way way{text(c.formats), k->note, expected.worst_difference(*k, c.view(), c.formats, executor), c.name};
        CHECK_MESSAGE(way.worst <= tolerance, c.name, " ", way.formats, " ", way.note, ": off by ", way.worst);
        t.ways.push_back(std::move(way));
    }
    return t;
}

/// How many ways the largest match has by a composite whose slices are shared out over three threads. The kernel of each is run by two
/// programs at once, each with tensors and threads of its own, and held against the expectation.
template <class Backend>
[[nodiscard]] std::size_t ways_in_slices(Backend self, const inlay::ir_module& g, std::string_view composite) {
    constexpr double tolerance = 2e-5;
    self.threads = 3;
    const sized_match best = largest_match(self, g);
    const expectation expected(g, -2, 2);
    std::size_t ways = 0;
    for (const inlay::candidate& c : best.ways) {
        if (c.name != composite) continue;
        const auto k = inlay::emit_composite(self, {c.composite, &c.match->plan, c.view()});
        CHECK_MESSAGE(k.has_value(), c.name, " ", text(c.formats), ": ", k ? "" : k.failure().message);
        if (!k) continue;
        CHECK_MESSAGE(k->note.find(" slices of ") != std::string::npos, k->note);
        double worst[2];
        std::vector<std::thread> programs;
        for (double& w : worst)
            programs.emplace_back([&] {
                thread_executor own{3};
                w = expected.worst_difference(*k, c.view(), c.formats, inlay::executor_ref(own));
            });
        for (std::thread& t : programs) t.join();
        for (const double w : worst) CHECK_MESSAGE(w <= tolerance, c.name, " ", text(c.formats), " ", k->note, ": off by ", w);
        ++ways;
    }
    return ways;
}

/// How often composites of a back end read the region of a program's result as a plan, and refused it, each with a reason. For those that
/// read it, emits code in each format tuple that it lists; `listed` are these tuples.
struct entries_asked {
    std::size_t taken = 0, refused = 0;
};
template <class Backend, class F>
[[nodiscard]] entries_asked ask_entries(const Backend& self, const inlay::ir_module& g, F&& listed) {
    const inlay::user_lists users(g);
    const std::vector<inlay::node_id> results = g.results();
    const inlay::shared_region body = inlay::shared_region::of(inlay::region(g, users, results, results));
    const inlay::backend_vtable& table = inlay::backend_vtable_of<Backend>();
    entries_asked asked;
    for (std::uint32_t c = 0; c < table.count; ++c) {
        const auto plan = table[c].read(&self, c, body.view(), {}, {});
        if (!plan) {
            CHECK_FALSE(plan.failure().message.empty());
            ++asked.refused;
            continue;
        }
        ++asked.taken;
        const auto tuples = table[c].formats(&self, *plan, body.view());
        listed(tuples);
        for (const inlay::border_formats& f : tuples)
            CHECK(inlay::emit_composite(self, {c, &*plan, body.view(f.inputs, f.results)}).has_value());
    }
    return asked;
}

/// Checks that a match of `nodes` operators was taken in at least one way.
void check_taken(const taken& t, std::size_t nodes);

/// `take_by` with 2 threads and with 1, each checked to be a match of `nodes` operators; what the last one gave.
template <class Backend>
[[nodiscard]] taken taken_on_threads(Backend self, const inlay::ir_module& g, std::size_t nodes, double tolerance, float low, float high) {
    taken t;
    for (const int threads : {2, 1}) {
        CAPTURE(threads);
        self.threads = threads;
        t = take_by(self, g, tolerance, low, high);
        check_taken(t, nodes);
    }
    return t;
}

}  // namespace inlay_test

#endif
