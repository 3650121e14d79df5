// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/enumerate.hpp>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

#include "../pattern/random_terms.hpp"
#include "toy_backends.hpp"

using namespace inlay;

namespace {

/// Refuses in every way there is.
struct choosy : toys::rows {
    static constexpr std::string_view kind = "choosy";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"four">(op<"onnx.Relu">(op<"onnx.Relu">(op<"onnx.Relu">(op<"onnx.Relu">)))),
                             composite<"two">(op<"onnx.Relu">(op<"onnx.Relu">)),
                             composite<"two_again">(op<"onnx.Relu">(as<"inner">(op<"onnx.Relu">))),
                             composite<"mul">(op<"onnx.Mul">(as<"left">, any),
                                              [](const auto&, const auto& m) {
                                                  return m.template has<"left">() && m.template at<"left">().type->of_tensor.rank() == 4
                                                             ? verdict::no("the left side has rank 4; it takes rank 2")
                                                             : verdict::yes();
                                              }),
                             composite<"add">(op<"onnx.Add">), composite<"either">(commutative<"toy.Both">(op<"onnx.Relu">, any)),
                             composite<"split">(op<"toy.Split">));
    }
    [[nodiscard]] inlay::limits limits() const { return {3, 0}; }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        if (r.calls()[0].op == "onnx.Add") return {};
        return {plain_borders(r)};
    }
};

using choosy_list = backend_list<choosy>;

/// All kinds of patterns at once: states decide some alone, and of others they know little.
struct patterned : toys::rows {
    static constexpr std::string_view kind = "patterned";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"twice">(op<"onnx.Add">(as<"x">, as<"x">)),
                             composite<"shared">(commutative<"onnx.Mul">(as<"x">, op<"onnx.Relu">(as<"x">))),
                             composite<"chain">(repeat<1, 3>(op<"onnx.Relu">(hole), op<"onnx.Add">)),
                             composite<"not_relu">(op<"onnx.Add">(!op<"onnx.Relu">, any)),
                             composite<"diamond">(dominates(op<"onnx.Relu">, op<"onnx.Relu">, op<"onnx.Add">)),
                             composite<"anything">(any_call),
                             composite<"either">(op<"onnx.Mul">(op<"onnx.Add"> | input, any) | op<"onnx.Add">(any, op<"onnx.Mul">)),
                             composite<"typed">(of_type<element_type::float32, 1, 3, 2, 2>(op<"onnx.Relu">)),
                             composite<"typed_otherwise">(of_type<element_type::float32, 1>(op<"onnx.Relu">)),
                             composite<"optional">(optional<"onnx.Relu">(call_on<2, "onnx.Add">(op<"onnx.Mul">))));
    }
    [[nodiscard]] inlay::limits limits() const { return {4, 0}; }
};

/// What enumeration tells, as text, in its order.
std::string told(const candidate_set& set) {
    std::string text;
    const auto put = [&](auto number) { text += std::to_string(number) + ' '; };
    for (const candidate& c : set.candidates) {
        text += std::string(c.name) + ": ";
        for (const auto* list : {&c.nodes, &c.inputs, &c.results}) {
            for (const node_id n : *list) put(n);
            text += "| ";
        }
        put(c.root), put(c.backend), put(c.composite);
        for (const auto* list : {&c.formats.inputs, &c.formats.results})
            for (const format& f : *list) text += to_string(f) + ' ';
        text += '\n';
    }
    for (const refusal& r : set.refusals) {
        text += "not " + std::string(r.composite) + ": " + r.reason + ' ';
        put(r.root), put(r.backend), put(static_cast<int>(r.why));
        text += '\n';
    }
    for (const node_id n : set.to_cover) put(n);
    return text;
}

/// What is told when the matcher is asked for everything, and what when the graph is labelled first.
template <class G, class List>
std::pair<std::string, std::string> told_twice(const G& g, const List& list, enumerate_options options = {}) {
    options.labelled_from = g.size() + 1;
    std::string plain = told(enumerate(g, list, options));
    options.labelled_from = 0;
    return {std::move(plain), told(enumerate(g, list, options))};
}

/// What a pattern table made at run time is asked through.
std::string told_of(const kinds_graph& g, const std::vector<pattern_view>& views, std::size_t split, bool labelled,
                    automaton_limits tables = {}) {
    static constexpr auto names = [] {
        std::array<std::string_view, 8> made{"0", "1", "2", "3", "4", "5", "6", "7"};
        return made;
    }();
    const auto take = [](const void*, std::uint32_t, const region_view& view, std::span<const value_id> captures,
                         std::span<const matched_piece>) -> outcome<composite_plan> {
        if ((view.values.size() + captures.size()) % 3 == 0) return error{"it has " + std::to_string(view.values.size()) + " values"};
        return composite_plan();
    };
    const auto formats = [](const void*, const composite_plan&, const region_view& r) {
        return std::vector<border_formats>(r.values.size() % 4 == 0 ? 0 : 1, plain_borders(r));
    };
    const auto price = [](const void*, const composite_plan&, const region_view&) -> outcome<std::optional<double>> {
        return std::optional(1.0);
    };
    const auto bound = [](const void*, const composite_plan&, const region_view&) -> double { return 0; };
    std::vector<composite_vtable> composites;
    const auto add = [&](std::size_t i) {
        composites.push_back({names[i], &views[i], i % 3 == 0 ? &names[i] : nullptr, take, formats, price, bound});
    };
    const auto add_joined = [&] { composites.push_back({"joined", nullptr, nullptr, take, formats, price, bound}); };
    for (std::size_t i = 0; i < split; ++i) add(i);
    add_joined();
    for (std::size_t i = split; i < views.size(); ++i) add(i);
    add_joined();
    const auto most = [](const void*) { return limits{}; };
    const backend_vtable rows[] = {{composites.data(), split, most}, {composites.data() + split + 1, views.size() - split, most}};
    const detail::asked_backend asked[] = {{&rows[1], nullptr, 1}, {&rows[0], nullptr, 0}};
    enumerate_options options;
    options.matches_per_root = 5;
    options.labelled_from = labelled ? 0 : g.size() + 1;
    options.tables = tables;
    candidate_set set;
    const detail::searched_graph<kinds_graph> in(g);
    detail::enumerator<kinds_graph>(in, options, set).ask(asked);
    return told(set);
}

/// Runs tasks on so many threads of its own, whoever comes first, and counts them.
struct some_threads {
    std::size_t count = 1;
    std::size_t ran = 0;

    [[nodiscard]] std::size_t threads() const { return count; }
    template <class Task>
    void run(std::size_t tasks, Task&& task) {
        ran += tasks;
        std::atomic<std::size_t> next{0};
        std::vector<std::thread> running;
        for (std::size_t t = 0; t < count; ++t)
            running.emplace_back([&] {
                for (std::size_t i = next++; i < tasks; i = next++) task(i);
            });
        for (std::thread& t : running) t.join();
    }
};

std::size_t count_of(const candidate_set& set, refusal::cause why, std::string_view composite) {
    const auto counts = [&](const refusal& r) { return r.why == why && r.composite == composite; };
    return static_cast<std::size_t>(std::count_if(set.refusals.begin(), set.refusals.end(), counts));
}

node_id relus(ir_builder& b, node_id x, int count) {
    for (int i = 0; i < count; ++i) x = b.call("onnx.Relu", {x}, {}, toys::image());
    return x;
}

}  // namespace

TEST_CASE("of two composites that take the same nodes the first in the table counts, and a limit refuses what is larger") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return relus(b, x, 4); });
    const candidate_set set = enumerate(m, choosy_list());
    CHECK(set.to_cover.size() == 4);
    REQUIRE(set.candidates.size() == 3);
    for (const candidate& c : set.candidates) CHECK(c.name == "two");
    CHECK(count_of(set, refusal::cause::over_a_limit, "four") == 1);
    CHECK(count_of(set, refusal::cause::duplicates_a_node, "two_again") == 0);
}

TEST_CASE("a value inside a match that is read outside it, or leaves the program, refuses the match") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id inner = relus(b, x, 1), outer = relus(b, inner, 1);
        const node_id fields[] = {inner, outer};
        return b.tuple(fields);
    });
    const candidate_set set = enumerate(m, choosy_list());
    CHECK(set.candidates.empty());
    REQUIRE(count_of(set, refusal::cause::duplicates_a_node, "two") == 1);
    CHECK(set.refusals[0].reason.find("is read outside it as well") != std::string::npos);
}

TEST_CASE("a predicate's no, a lack of formats and an unknown shape are refusals with their reasons") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {b.call("onnx.Mul", {x, x}, {}, toys::image()), x}, {}, toys::image());
    });
    const candidate_set set = enumerate(m, choosy_list());
    REQUIRE(count_of(set, refusal::cause::predicate, "mul") == 1);
    CHECK(set.refusals[0].reason == "the left side has rank 4; it takes rank 2");
    CHECK(count_of(set, refusal::cause::no_format, "add") == 1);

    const tensor_type open(element_type::float32, {extent("n"), 3});
    const ir_module shapeless = toys::program_of(open, [&](ir_builder& b, node_id x) { return b.call("onnx.Mul", {x, x}, {}, open); });
    const candidate_set unknown = enumerate(shapeless, choosy_list());
    REQUIRE(count_of(unknown, refusal::cause::unknown_shape, "mul") == 1);
    CHECK(unknown.refusals[0].reason.find("float32[n,3]: bind its shape") != std::string::npos);
    CHECK(unknown.candidates.empty());

    // Where the operands' shapes are known there is nothing to bind.
    const ir_module found = toys::program_of(toys::image(), [&](ir_builder& b, node_id x) { return b.call("onnx.Mul", {x, x}, {}, open); });
    const candidate_set by_run = enumerate(found, choosy_list());
    REQUIRE(count_of(by_run, refusal::cause::unknown_shape, "mul") == 1);
    CHECK(by_run.refusals[0].reason.find("float32[n,3], whose shape only the run finds") != std::string::npos);
}

TEST_CASE("a match does not cross basic blocks") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id flag = b.constant(tensor(element_type::boolean, {}));
        const node_id outer = relus(b, x, 1);
        b.open_block();
        const node_id then_result = relus(b, outer, 1);
        b.close_block();
        b.open_block();
        const node_id else_result = b.call("onnx.Mul", {x, x}, {}, toys::image());
        b.close_block();
        return b.if_else(flag, then_result, else_result);
    });
    CHECK(count_of(enumerate(m, choosy_list()), refusal::cause::crosses_blocks, "two") == 1);
}

TEST_CASE("all matches of one root are candidates, up to the limit of matches") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("toy.Both", {relus(b, x, 1), relus(b, x, 1)}, {}, toys::image());
    });
    CHECK(enumerate(m, choosy_list()).candidates.size() == 2);
    enumerate_options one;
    one.matches_per_root = 1;
    CHECK(enumerate(m, choosy_list(), one).candidates.size() == 1);
}

TEST_CASE("a tuple stays with its projections") {
    const node_type two = node_type::tuple({toys::image(), toys::image()});
    const ir_module m = toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        const node_id split = b.call("toy.Split", {x}, {}, two);
        const node_id fields[] = {b.projection(split, 0), b.projection(split, 1)};
        return b.tuple(fields);
    });
    const candidate_set set = enumerate(m, choosy_list());
    CHECK(set.to_cover.size() == 3);
    REQUIRE(set.candidates.size() == 1);
    CHECK(set.candidates[0].nodes == set.to_cover);
    CHECK(set.candidates[0].results == m.results());
    CHECK(set.candidates[0].formats.results.size() == 2);
}

TEST_CASE("nodes that belong to a part already are left alone, and back ends that were not chosen are not asked") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return relus(b, x, 3); });
    enumerate_options options;
    options.owned.assign(m.size(), 0);
    options.owned[m.results()[0]] = 1;
    const candidate_set set = enumerate(m, toys::list(), options);
    CHECK(set.to_cover.size() == 2);
    for (const candidate& c : set.candidates) CHECK(c.root != m.results()[0]);
    toys::list fewer;
    fewer.choose({1});
    for (const candidate& c : enumerate(m, fewer).candidates) CHECK(c.backend == 1);
}

TEST_CASE("candidates stand in the order of root, back end, composite and format tuple") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 20);
        const candidate_set set = enumerate(m, toys::list());
        CHECK(std::is_sorted(set.candidates.begin(), set.candidates.end(), [](const candidate& a, const candidate& b) {
            return std::tuple(a.root, a.backend, a.composite) < std::tuple(b.root, b.backend, b.composite);
        }));
        for (const candidate& c : set.candidates) {
            CHECK(std::is_sorted(c.nodes.begin(), c.nodes.end()));
            CHECK(c.formats.inputs.size() == c.inputs.size());
            CHECK(c.formats.results.size() == c.results.size());
        }
    }
}

TEST_CASE("labels change nothing: the same candidates and refusals in the same order as from the matcher alone") {
    using lists = backend_list<patterned, toys::chains, toys::rows>;
    std::size_t length = 0;
    CHECK(rc::check("random programs, some nodes owned, some back ends left out", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, 1u << 30)));
        const ir_module m = toys::random_program(seed, 10 + seed % 90);
        lists list;
        if (seed % 3 == 0) list.choose({2, 0});
        enumerate_options options;
        options.matches_per_root = 1 + seed % 4;
        if (seed % 2 == 0)
            for (node_id n = 0; n < m.size(); ++n) options.owned.push_back((seed >> n % 29) % 5 == 0);
        const auto [plain, labelled] = told_twice(m, list, options);
        RC_ASSERT(plain == labelled);
        length += plain.size();
    }));
    CHECK(length > 100000);
}

TEST_CASE("labels change nothing for random patterns over graphs of all kinds of nodes") {
    std::size_t length = 0;
    CHECK(rc::check("random pattern tables", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, 1u << 30)));
        const auto owned = random_patterns(seed, 8);
        const auto g = random_kinds_graph(seed + 1, 50);
        std::vector<pattern_view> views = views_of(owned);
        // Enumeration sets a search no such limit: what takes long is left out.
        const user_lists users(g);
        matcher<kinds_graph> bounded(g, users, {5000});
        std::erase_if(views, [&](const pattern_view& v) {
            bool is_long = false;
            for (node_id n = 0; n < g.size() && !is_long; ++n) {
                std::size_t seen = 0;
                (void)bounded.each(v, n, [&](const found_match&) { return ++seen == 5; });
                is_long = bounded.gave_up();
            }
            return is_long;
        });
        const std::string plain = told_of(g, views, seed % (views.size() + 1), false);
        RC_ASSERT(plain == told_of(g, views, seed % (views.size() + 1), true));
        // Tables that are too small for the patterns leave more to the matcher.
        RC_ASSERT(plain == told_of(g, views, seed % (views.size() + 1), true, {500 + seed % 2000}));
        length += plain.size();
    }));
    CHECK(length > 100000);
}

TEST_CASE("labels change nothing where composites of one back end take the same nodes, and where a back end is chosen twice") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return relus(b, x, 4); });
    backend_list<choosy, patterned> list;
    for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1}, {1, 0}, {0, 0}, {1}, {}}) {
        list.choose(order);
        const auto [plain, labelled] = told_twice(m, list);
        CHECK(plain == labelled);
        CHECK((plain.find("two") == std::string::npos) == (std::find(order.begin(), order.end(), 0u) == order.end()));
    }
}

TEST_CASE("the same candidates and refusals in the same order on any number of threads") {
    using lists = backend_list<patterned, choosy, toys::chains, toys::rows>;
    std::size_t length = 0, ran = 0;
    CHECK(rc::check("random programs, labelled or not, some nodes owned", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, 1u << 30)));
        const ir_module m = toys::random_program(seed, 20 + seed % 120);
        enumerate_options options;
        options.matches_per_root = 1 + seed % 4;
        if (seed % 3 == 0) options.labelled_from = m.size() + 1;
        if (seed % 2 == 0)
            for (node_id n = 0; n < m.size(); ++n) options.owned.push_back((seed >> n % 29) % 5 == 0);
        const std::string alone = told(enumerate(m, lists(), options));
        for (const std::size_t count : {1u, 2u, 3u, 8u}) {
            some_threads threads{count};
            options.executor = executor_ref(threads);
            RC_ASSERT(told(enumerate(m, lists(), options)) == alone);
            ran += threads.ran;
        }
        length += alone.size();
    }));
    CHECK(length > 100000);
    CHECK(ran > 500);
}
