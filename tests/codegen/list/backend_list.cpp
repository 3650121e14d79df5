// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/backend_list.hpp>

#include <doctest/doctest.h>

#include "../../cost/no_meter.hpp"
#include "../nest_backends.hpp"

#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/emit/after_partitioning.hpp>
#include <inlay/codegen/list/before_partitioning.hpp>
#include <inlay/codegen/list/table_of.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/target/target_schema.hpp>

using namespace inlay;

static_assert(toys::list::size == 2 && backend_list<>::size == 0);
static_assert(toys::list::index_of("chains") == 0 && toys::list::index_of("reference") == 1);
static_assert(toys::list::index_of("absent") == toys::list::size);

TEST_CASE("a list chooses all of its back ends in list order, unless it is told otherwise") {
    toys::list backends;
    CHECK(backends.chosen() == std::vector<std::size_t>{0, 1});
    backends.choose({1});
    CHECK(backends.chosen() == std::vector<std::size_t>{1});
    backends.choose_all();
    CHECK(backends.chosen().size() == 2);
}

TEST_CASE("an instance is visited by its number and writes itself as target text") {
    toys::chains two_threads;
    two_threads.threads = 2;
    const toys::list backends(two_threads, toys::rows());
    CHECK(backends.kind(0) == "chains");
    CHECK(backends.kind(1) == "reference");
    CHECK(backends.text(0) == "chains -threads=2");
    CHECK(backends.text(1) == "reference");
    CHECK(backends.visit(1, [](const auto& b) { return b.version(); }) == "1");
}

TEST_CASE("for_each goes through all instances in list order and may change them") {
    toys::list backends;
    std::string order;
    backends.for_each([&](auto& b, std::size_t i) {
        order += std::string(b.kind) + std::to_string(i) + " ";
        if constexpr (requires { b.threads; }) b.threads = 3;
    });
    CHECK(order == "chains0 reference1 ");
    CHECK(backends.text(0) == "chains -threads=3");
}

namespace {

/// Everything that is asked of it answers with its option and its version.
struct telling : toys::by_nests<telling> {
    static constexpr std::string_view kind = "telling";
    int level = 1;
    using options = option_list<option<"level", &telling::level, "what everything depends on">>;
    static std::string version() { return "7.2"; }
    [[nodiscard]] std::string who() const { return std::to_string(level) + " of " + version(); }

    static constexpr auto patterns() {
        using namespace dsl;
        return pattern_table(composite<"relu">(op<"onnx.Relu">,
                                               [](const telling& self, const auto&) {
                                                   return self.level > 1 ? verdict::yes() : verdict::no("level " + self.who());
                                               }),
                             composite<"sum_relu">(op<"onnx.Relu">(op<"onnx.Add">)));
    }
    [[nodiscard]] inlay::limits limits() const { return {static_cast<std::uint64_t>(level), 0}; }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        return std::vector<border_formats>(static_cast<std::size_t>(level), plain_borders(r));
    }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return level + (version() == "7.2" ? 0.5 : 0); }
    static constexpr auto phases() {
        return phase_list(before_partitioning<"p">(
                              [](const telling& self, const ir_module&) -> outcome<ir_module> { return error{"before " + self.who()}; }),
                          after_partitioning<"p">([](const telling& self, const ir_module& m) -> outcome<ir_module> {
                              if (self.level == 3) return error{"after " + self.who()};
                              return m;
                          }),
                          loop_phase<1, "p">([](const telling& self, nest n) -> outcome<nest> {
                              if (self.level == 4) return error{"loops " + self.who()};
                              return n;
                          }));
    }
    static constexpr auto strategies() {
        return strategy_table(strategy<"onnx.Relu">([](const telling& self, const region_view&, value_id, nest& n) -> outcome<void> {
            n.done = "strategy " + self.who();
            return {};
        }));
    }
    [[nodiscard]] outcome<kernel> emit(const nest& n) const {
        kernel k(n.body);
        k.note = n.done + ", emit " + who();
        return k;
    }
};

}  // namespace

TEST_CASE(
    "the configured instance, options and version, reaches predicate, limits, formats, price, phases, strategies and emit "
    "[codegen.instance]") {
    const ir_module m =
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); });
    const toys::sample_region relu(
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); }));
    const auto list = [](int level) {
        telling t;
        t.level = level;
        return backend_list<telling>(t);
    };
    const candidate_set none = enumerate(m, list(1));
    CHECK(none.candidates.empty());
    REQUIRE(none.refusals.size() == 1);
    CHECK(none.refusals[0].reason == "level 1 of 7.2");
    CHECK(enumerate(m, list(2)).candidates.size() == 2);
    CHECK(table_of(list(2)).front().kind == "telling");

    const ir_module two = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Relu", {b.call("onnx.Add", {x, x}, {}, toys::image())}, {}, toys::image());
    });
    const auto over = [](const candidate_set& set) {
        std::size_t count = 0;
        for (const refusal& r : set.refusals) count += r.why == refusal::cause::over_a_limit ? 1 : 0;
        return count;
    };
    CHECK(over(enumerate(two, list(1))) == 1);
    CHECK(over(enumerate(two, list(2))) == 0);

    toys::no_meter pricing;
    plan_options as_given;
    CHECK(make_plan(
              m, list(2), pricing, [](const auto&...) { return 0.0; }, as_given)
              .failure()
              .message == "phase 'p' of back end 'telling' failed: before 2 of 7.2");
    as_given.run_phases = false;
    const auto planned = make_plan(
        m, list(2), pricing, [](const auto&...) { return 0.0; }, as_given);
    REQUIRE(planned.has_value());
    CHECK(*planned->chosen.seconds == 2.5);

    CHECK(prepare(list(2), m).failure().message == "phase 'p' of back end 'telling' failed: before 2 of 7.2");
    CHECK(list(3).emit(0, relu.view()).failure().message == "phase 'p' of back end 'telling' failed: after 3 of 7.2");
    CHECK(list(4).emit(0, relu.view()).failure().message == "phase 'p' of back end 'telling' failed: loops 4 of 7.2");
    const auto made = list(5).emit(0, relu.view());
    REQUIRE(made.has_value());
    CHECK(made->note == "strategy 5 of 7.2, emit 5 of 7.2");
}

TEST_CASE("a bare kind is its default instance, which has the kind's name alone as text [codegen.instance.bare]") {
    const backend_list<telling> bare;
    CHECK(bare.text(0) == telling::kind);
    CHECK(bare.visit(0, [](const auto& b) { return b.level; }) == telling().level);
    CHECK(configured<telling>(schema_of<telling>().bare()).level == telling().level);
    telling other;
    other.level = 2;
    CHECK(backend_list<telling>(other).text(0) == "telling -level=2");
}
