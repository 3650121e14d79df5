// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// How fast a set of patterns is found in a graph, beside other ways to find it.
//
//     build/benchmarks/matching                                      20, 50 and 100 patterns in 10^4, 10^5 and 10^6 nodes, all rivals
//     build/benchmarks/matching --nodes 1000000 --patterns 20 --repeats 21 --rival none
//     build/benchmarks/matching --rival matcher,hand,vf2,mlir
//
// The graphs are made of pieces of networks (convolutions, norms, attention, ...), the patterns are 1 to 5 operators deep. One thread.
// Every figure is processor time in ns per node for the whole set, the least of all repeats and, in brackets, the median and the worst.
// Parts:
//
//     symbols     operators, operand numbers and guard bits alone, measured apart; `all` does the same on its way
//     guards      of that, what guards on attributes and types add: symbols with the set less symbols with the set without guarded patterns
//     all         states of all nodes, over tables that are filled
//     first       the same with an automaton that has seen nothing, once
//     accepted    walking over all (pattern, root) pairs that the states accept
//     verified    asking the matcher where the automaton is not certain; finds all matches
//     total       all three in one go: each node's matches as soon as it has its state
//
// Rivals: `matcher`, every pattern at every node without an automaton; `hand`, the same with functions that the compiler made for these
// patterns alone; `vf2`, Boost's VF2 for one pattern (10^4 nodes); `mlir`, the canonicaliser of mlir-opt on as many operators, which folds
// nothing there. VF2 and MLIR answer other questions, so that their figures give the order alone; they are times by the clock, once.
// Exit status: 0; 1 where two ways found different numbers of matches; 2 for bad arguments.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/pattern/automaton/label.hpp>
#include <inlay/pattern/automaton/sub_patterns.hpp>
#include <inlay/pattern/match/matcher.hpp>

#include "network.hpp"
#include "patterns.hpp"
#include "rival.hpp"
#include "thread_time.hpp"

namespace {

using bench::spread;
using bench::thread_seconds;
using bench::timed;
using text = std::string;

struct arguments {
    std::vector<std::size_t> nodes = {10'000, 100'000, 1'000'000};
    std::vector<std::size_t> patterns = {20, 50, 100};
    std::vector<text> rivals = {"matcher", "hand", "vf2", "mlir"};
    std::size_t repeats = 11;
};

[[noreturn]] void fail(const text& sentence) {
    std::fprintf(stderr, "matching: %s\n", sentence.c_str());
    std::exit(2);
}

std::vector<text> words(const text& list) {
    std::vector<text> made(1);
    for (const char letter : list)
        if (letter == ',')
            made.emplace_back();
        else
            made.back() += letter;
    return made;
}

std::vector<std::size_t> numbers(const text& option, const text& list, std::size_t most) {
    std::vector<std::size_t> made;
    for (const text& word : words(list)) {
        std::size_t value = 0;
        const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (fault != std::errc{} || end != word.data() + word.size() || value < 1 || value > most)
            fail(option + " has \"" + word + "\", which is no whole number from 1 to " + std::to_string(most) + "; give one.");
        made.push_back(value);
    }
    return made;
}

arguments read_arguments(int count, char** given) {
    arguments made;
    for (int i = 1; i < count; ++i) {
        const text option = given[i];
        const auto value = [&]() -> text {
            if (i + 1 == count) fail(option + " stands at the end, where a value was expected; give one.");
            return given[++i];
        };
        if (option == "--nodes") {
            made.nodes = numbers(option, value(), 100'000'000);
        } else if (option == "--patterns") {
            made.patterns = numbers(option, value(), 100);
            for (const std::size_t p : made.patterns)
                if (p != 20 && p != 50 && p != 100) fail("--patterns has " + std::to_string(p) + "; give 20, 50 or 100.");
        } else if (option == "--repeats") {
            made.repeats = numbers(option, value(), 1000).front();
        } else if (option == "--rival") {
            made.rivals = words(value());
        } else {
            fail("\"" + option + "\" is no option; see the head of benchmarks/matching/main.cpp.");
        }
    }
    return made;
}

void show(const char* name, const spread& s) {
    std::printf("    %-9s %8.2f  (%.2f, %.2f)\n", name, s.least, s.median, s.worst);
    std::fflush(stdout);
}

std::size_t matches_by_hand(const bench::network& g, std::size_t patterns) {
    if (patterns == 20) return bench::matches_by_hand(g, static_cast<const bench::p::first_20*>(nullptr));
    if (patterns == 50) return bench::matches_by_hand(g, static_cast<const bench::p::first_50*>(nullptr));
    return bench::matches_by_hand(g, static_cast<const bench::p::first_100*>(nullptr));
}

bool has_guard(const inlay::pattern_view& p) {
    return std::any_of(p.terms.begin(), p.terms.end(), [](const inlay::pattern_term& t) {
        return t.kind == inlay::term_kind::attributes || t.kind == inlay::term_kind::type;
    });
}

bool wants(const arguments& a, std::string_view rival) { return std::find(a.rivals.begin(), a.rivals.end(), rival) != a.rivals.end(); }

/// One set in one graph; whether all ways found the same.
bool measure(const arguments& asked, const bench::network& g, std::size_t patterns) {
    std::vector<inlay::pattern_value> terms = bench::written(static_cast<const bench::p::first_100*>(nullptr));
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(patterns), terms.end());
    std::vector<inlay::pattern_view> views;
    std::vector<const inlay::pattern_view*> all, unguarded;
    for (const inlay::pattern_value& t : terms) views.push_back(t.view());
    for (std::size_t i = 0; i < patterns; ++i) {
        all.push_back(&views[i]);
        if (!has_guard(views[i])) unguarded.push_back(&views[i]);
    }
    const double before = thread_seconds();
    const inlay::sub_patterns inventory(all);
    inlay::automaton a(inventory.view());
    const double built = (thread_seconds() - before) * 1e6;
    const inlay::sub_patterns less(unguarded);
    inlay::automaton b(less.view());

    const double first_start = thread_seconds();
    inlay::labels l = inlay::label(g, a);
    const double first = (thread_seconds() - first_start) * 1e9 / static_cast<double>(g.size());
    const inlay::labels warm = inlay::label(g, b);
    if (warm.size() != g.size()) return false;

    inlay::labeller<bench::network> by(g, a), by_less(g, b);
    std::vector<std::uint32_t> symbols(g.size());
    const auto count = static_cast<inlay::node_id>(g.size());
    const spread with = timed(asked.repeats, g.size(), [&] { by.symbols(0, count, symbols.data()); });
    const spread without = timed(asked.repeats, g.size(), [&] { by_less.symbols(0, count, symbols.data()); });
    const spread labelling = timed(asked.repeats, g.size(), [&] { by.all(l); });
    std::size_t accepted = 0, uncertain = 0;
    const spread walking = timed(asked.repeats, g.size(), [&] {
        accepted = uncertain = 0;
        for (inlay::node_id n = 0; n < count; ++n)
            for (const std::uint32_t entry : a.accepted(l[n])) {
                ++accepted;
                uncertain += 1 - (entry & 1);
            }
    });
    const inlay::user_lists users(g);
    inlay::matcher<bench::network> second(g, users);
    std::size_t verified = 0;
    const auto verify = [&] {
        verified = 0;
        for (inlay::node_id n = 0; n < count; ++n)
            for (const std::uint32_t entry : a.accepted(l[n])) verified += (entry & 1) != 0 || second.matches(views[entry / 2], n);
    };
    const spread verifying = timed(asked.repeats, g.size(), verify);
    std::size_t together = 0;
    const spread total = timed(asked.repeats, g.size(), [&] {
        together = 0;
        by.all(l, [&](inlay::node_id n, std::uint32_t pattern, bool exact) { together += exact || second.matches(views[pattern], n); });
    });

    std::printf(
        "%zu patterns, %zu nodes, %.2f operands a node: %zu sub-patterns, %u states, %zu table entries, made in %.0f us; %zu matches\n",
        patterns, g.size(), static_cast<double>(g.operands()) / static_cast<double>(g.size()), inventory.view().forms.size(), a.states(),
        a.entries(), built, verified);
    for (std::size_t p = 0; p < patterns; ++p)
        if (a.is_truncated(p)) std::printf("    pattern %zu was truncated\n", p);
    show("symbols", with);
    std::printf("    %-9s %8.2f\n", "guards", with.least - without.least);
    show("all", labelling);
    std::printf("    %-9s %8.2f\n", "first", first);
    show("accepted", walking);
    show("verified", verifying);
    show("total", total);
    std::printf("    accepted %zu pairs, of which %zu were verified\n", accepted, uncertain);

    bool same = together == verified;
    if (wants(asked, "matcher")) {
        std::size_t found = 0;
        show("matcher", timed(g.size() > 200'000 ? 1 : 3, g.size(), [&] {
                 found = 0;
                 for (inlay::node_id n = 0; n < count; ++n)
                     for (const inlay::pattern_view& v : views) found += second.matches(v, n);
             }));
        same = same && found == verified;
    }
    if (wants(asked, "hand")) {
        std::size_t found = 0;
        show("hand", timed(asked.repeats, g.size(), [&] { found = matches_by_hand(g, patterns); }));
        same = same && found == verified;
    }
    if (!same) std::printf("    the ways found different numbers of matches\n");
    return same;
}

}  // namespace

int main(int count, char** given) {
    const arguments asked = read_arguments(count, given);
    bool fine = true;
    for (const std::size_t nodes : asked.nodes) {
        const bench::network g(nodes);
        for (const std::size_t patterns : asked.patterns) fine = measure(asked, g, patterns) && fine;
        const auto rival = [&](const char* name, const bench::rival_time& r) {
            if (r.ms < 0)
                std::printf("%s %s\n", name, r.note.c_str());
            else
                std::printf("%s, %zu nodes: %.2f ms, %.1f ns per node%s\n", name, g.size(), r.ms,
                            r.ms * 1e6 / static_cast<double>(g.size()),
                            r.found == 0 ? "" : (", " + std::to_string(r.found) + " matches").c_str());
        };
        if (wants(asked, "vf2") && nodes <= 20'000) rival("vf2", bench::run_vf2(g));
        if (wants(asked, "mlir")) rival("mlir", bench::run_mlir(g));
    }
    return fine ? 0 : 1;
}
